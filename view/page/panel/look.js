// SPDX-License-Identifier: MIT
// The pages of the flame's own attributes: the look (light, curves, blur, glow), the camera (framing,
// depth, size, quality), and what is said of the flame and its time. Labels are the words of those who
// make flames; the names in files stand in the tips.

import {colorsOf, hexOf} from '../base/colors.js';
import {make, textButton} from '../base/elements.js';

import {Curves} from './curves.js';
import {attributeField, listField, proportional, tip} from './numbers.js';
import {textField, wordField} from './words.js';

const sizes =
    ['1280 x 720', '1920 x 1080', '2560 x 1440', '3840 x 2160', '1080 x 1080', '1080 x 1920'];

const degree = Math.PI / 180;
const mostPixels = 4e14;  // a unit
const mostKernels = 9e6;  // of density estimation: a render refuses more than 1e7

class FieldPage {
  /// attributes: what GET /attributes.json says.
  constructor(editor, attributes) {
    this.editor = editor;
    this.fields = [];
    this.attributes = new Map(attributes.map(attribute => [attribute.name, attribute]));
    this.element = make('div', {class: this.className ?? 'body'}, ...this.parts());
    for (const name of ['flame', 'change'])
      editor.addEventListener(name, () => this.fields.forEach(field => field.refresh()));
  }

  keep(field) {
    this.fields.push(field);
    return field;
  }

  /// What the table says of an attribute, as fields want it.
  about(name, label) {
    const {help: title, min, max, least, most, type, words, default: otherwise} =
        this.attributes.get(name);
    const high = (one, other) => (one === undefined || other < one ? other : one);
    const low = (one, other) => (one === undefined || other > one ? other : one);
    return {
      label,
      title,
      min: low(min, least),
      max: high(max, most),
      bar: min !== undefined && max !== undefined,
      whole: type.startsWith('whole'),
      words,
      otherwise,
      attribute: name
    };
  }

  attribute(name, label, more) {
    const about = this.about(name, label), otherwise = Number(about.otherwise);
    return this.keep(attributeField(this.editor, name, {...about, otherwise, ...more}));
  }

  /// An angle that files have in radians.
  angle(name, label) {
    return this.attribute(name, `${label} °`, {
      step: 0.3,
      digits: 2,
      read: flame => flame.number(name) / degree,
      write: (flame, value) => flame.set(name, value * degree)
    });
  }

  word(name, label, more) {
    return this.keep(wordField(this.editor, {...this.about(name, label), ...more}));
  }

  text(name, label) {
    return this.keep(textField(this.editor, this.about(name, label)));
  }

  part(name, place, label, more) {
    const usual = this.usual(name), {otherwise, ...about} = this.about(name, label);
    return this.keep(listField(this.editor, name, place, usual, {...about, bar: true, ...more}));
  }

  /// Numbers of an attribute that is left out.
  usual(name) {
    return this.attributes.get(name).default.split(' ').map(Number);
  }

  section(title, ...fields) {
    return [make('h3', {}, title), make('div', {class: 'pair'}, ...fields)];
  }
}

export class AppearancePage extends FieldPage {
  parts() {
    const curves = new Curves(this.editor).element;
    return [...this.light(), this.keep(curves), ...this.blur(), this.jwildfire(), ...this.glow()];
  }

  light() {
    return this.section(
        'Light', this.attribute('brightness', 'brightness', {step: proportional}),
        this.attribute('gamma', 'gamma', {step: proportional}),
        this.attribute('vibrancy', 'vibrancy', {step: 0.005}),
        this.attribute('gamma_threshold', 'threshold', {step: 0.0005}),
        this.attribute('highlight_power', 'highlights', {step: 0.01}),
        this.attribute('saturation', 'saturation', {step: 0.005}),
        this.attribute('logscale_k2', 'log scale', {step: proportional, digits: 6}),
        ...this.background());
  }

  /// One color, or those of a gradient; it shows what counts.
  background() {
    const gradients = ['GRADIENT_2X2', 'GRADIENT_2X2_C'];
    const color = (name, label, types) => this.color(
        name, label,
        flame => types.includes(flame.element.getAttribute('background_type') ?? 'SINGLE_COLOR'));
    return [
      this.word('background_type', 'background'), color('background', 'color', ['SINGLE_COLOR']),
      color('background_ul', 'upper left', gradients),
      color('background_ur', 'upper right', gradients),
      color('background_ll', 'lower left', gradients),
      color('background_lr', 'lower right', gradients),
      color('background_cc', 'center', gradients.slice(1))
    ];
  }

  color(name, label, isShown) {
    const input = make('input', {
      type: 'color',
      'aria-label': label === 'color' ? 'Background' : `Background ${label}`,
      input: () => set(),
      change: () => {
        this.gesture = null;
      }
    });
    const set = () => {
      this.gesture ??= this.editor.begin();
      const [color] = colorsOf(input.value.slice(1));
      this.editor.change(
          flame => flame.setList(name, color.map(value => Math.round(value / 255 * 1e4) / 1e4)),
          this.gesture);
    };
    const {title, attribute} = this.about(name);
    const element = make(
        'label',
        {class: 'number plain', title: tip({title, attribute}), 'data-attribute': attribute},
        make('span', {}, label), input);
    element.refresh = () => {
      const usual = this.usual(name), color = this.editor.flame.list(name, usual);
      input.value = hexOf(color.map(value => value * 255));
      element.classList.toggle('changed', String(color) !== String(usual));
      element.hidden = !isShown(this.editor.flame);
    };
    return this.keep(element);
  }

  blur() {
    return this.section(
        'Noise and blur', this.attribute('kiln_clean', 'denoise', {step: 0.005}),
        this.estimator('radius', 'DE radius', 0.05), this.estimator('minimum', 'DE minimum', 0.02),
        this.estimator('curve', 'DE curve', 0.005),
        this.attribute('filter', 'filter', {step: 0.01}), this.word('filter_shape', 'shape'));
  }

  /// Radius, minimum and curve of density estimation: the minimum is no more than the radius, and the
  /// curve no lower than has as many kernels as a render makes.
  estimator(what, label, step) {
    const number = (flame, name) =>
        flame.number(`estimator_${name}`, this.usual(`estimator_${name}`)[0]);
    const write = (flame, value) => {
      const set = (name, to) => to !== number(flame, name) && flame.set(`estimator_${name}`, to);
      flame.set(`estimator_${what}`, value);
      const radius = number(flame, 'radius'), more = flame.number('supersample', 1);
      set('minimum', Math.min(radius, number(flame, 'minimum')));
      const kernels = (radius * more + 1) / (number(flame, 'minimum') * more + 1);
      set('curve', Math.max(number(flame, 'curve'), Math.log(kernels) / Math.log(mostKernels)));
    };
    return this.attribute(`estimator_${what}`, label, {step, write});
  }

  /// What flames of JWildfire have alone; others do not show it.
  jwildfire() {
    const group = make(
        'div', {},
        ...this.section(
            'JWildfire', this.attribute('white_level', 'white level', {step: proportional}),
            this.attribute('contrast', 'contrast', {step: proportional}),
            this.attribute('fg_opacity', 'foreground', {step: 0.005}),
            this.attribute('low_density_brightness', 'low density', {step: 0.005}),
            this.attribute('antialias_amount', 'antialias', {step: 0.005}),
            this.attribute('antialias_radius', 'its radius', {step: 0.005}),
            this.word('filter_kernel', 'kernel'),
            this.attribute('preserve_z', 'keep z', {step: 1})));
    group.refresh = () => {
      group.hidden = this.editor.flame.element.getAttribute('kiln_dialect') !== 'jwildfire';
    };
    return this.keep(group);
  }

  glow() {
    const bloom = this.usual('kiln_bloom'), glare = this.usual('kiln_glare');
    const bloomOf = flame => flame.list('kiln_bloom', bloom),
          glareOf = flame => flame.list('kiln_glare', glare);
    /// Together they spread no more than all the light there is.
    const left = (value, other) => Math.max(0, Math.min(value, 1 - other));
    const setGlare = (flame, [rays, angle, strength]) => flame.setList(
        'kiln_glare', [rays, angle, rays > 0 ? left(strength, bloomOf(flame)[0]) : strength]);
    return [
      ...this.section(
          'Bloom', this.part('kiln_bloom', 0, 'strength', {
            min: 0,
            max: 1,
            step: 0.003,
            write: (flame, value) => {
              const [rays, , strength] = glareOf(flame), other = rays > 0 ? strength : 0;
              flame.setList('kiln_bloom', bloomOf(flame).with(0, left(value, other)));
            }
          }),
          this.part(
              'kiln_bloom', 1, 'radius %', {min: 0.05, max: 100, bar: false, step: proportional}),
          this.part(
              'kiln_bloom', 2, 'threshold',
              {min: 0, max: 1e6, bar: false, step: 0.01, title: 'Only light above it spreads'})),
      ...this.section(
          'Glare', this.part('kiln_glare', 0, 'rays', {
            min: 0,
            max: 16,
            whole: true,
            title: 'Rays of the star, an even number; 0: off',
            write: (flame, value) =>
                setGlare(flame, glareOf(flame).with(0, 2 * Math.round(value / 2)))
          }),
          this.part('kiln_glare', 1, 'angle', {min: -36000, max: 36000, bar: false, step: 0.5}),
          this.part('kiln_glare', 2, 'strength', {
            min: 0,
            max: 1,
            step: 0.003,
            write: (flame, value) => setGlare(flame, glareOf(flame).with(2, value))
          })),
      ...this.section('Vignette', this.attribute('kiln_vignette', 'amount', {step: 0.005})),
    ];
  }
}

export class CameraPage extends FieldPage {
  /// repeats: the picture among copies of itself.
  constructor(editor, attributes, repeats) {
    super(editor, attributes);
    this.element.querySelector('#repeats-here').replaceWith(this.repeatsRow(repeats));
  }

  parts() {
    return [
      ...this.section(
          'Framing', this.part('center', 0, 'center x', {step: 0.003}),
          this.part('center', 1, 'center y', {step: 0.003}), this.attribute('scale', 'scale', {
            step: proportional,
            write: (flame, value) =>
                flame.set('scale', Math.min(value, mostPixels / 2 ** flame.camera.zoom))
          }),
          this.attribute(
              'zoom', 'zoom', {min: -8, max: 15, bar: false, step: 0.01}),  // it has 4^zoom samples
          this.attribute('rotate', 'rotate °', {step: 0.3, digits: 2})),
      ...this.section(
          'Depth', this.angle('cam_pitch', 'pitch'), this.angle('cam_yaw', 'yaw'),
          this.attribute(
              'cam_persp', 'perspective', {step: 0.003, attribute: 'cam_persp cam_dist'}),
          this.attribute('cam_zpos', 'focus depth', {step: 0.005}),
          this.attribute('cam_dof', 'depth blur', {step: 0.002}),
          this.attribute('blur_curve', 'blur curve', {step: 0.01})),
      ...this.section(
          'Panorama and stereo', this.word('kiln_projection', 'projection'),
          this.attribute('kiln_dome', 'field of view °', {step: 0.5}),
          this.attribute('kiln_eyes', 'eye distance', {step: 0.002})),
      ...this.section(
          'Picture', this.side(0, 'width'), this.side(1, 'height'),
          this.attribute('quality', 'quality', {step: proportional, plain: true}),
          this.attribute('supersample', 'supersample'), this.attribute('passes', 'passes')),
      make('div', {id: 'repeats-here'}),
      make('h3', {}, 'Sizes', this.shapeLock()),
      make(
          'div', {class: 'row'},
          ...sizes.map(size => textButton(size.replace(' x ', ' × '), () => this.resize(size)))),
    ];
  }

  /// Whether copies of the picture join without a seam, and a look at that.
  repeatsRow(repeats) {
    const {help} = this.attributes.get('kiln_tile');
    const isOn = () => this.editor.flame?.number('kiln_tile') > 0;
    const tile = textButton(
        'Repeats', () => this.editor.change(flame => {
          if (isOn())
            flame.element.removeAttribute('kiln_tile');
          else
            flame.set('kiln_tile', 1);
        }),
        {title: `${help}\nkiln_tile`, 'data-attribute': 'kiln_tile', id: 'tile'});
    const look = textButton(
        'Show 3 × 3', () => repeats.show(!repeats.shown),
        {title: 'The picture among copies of itself', id: 'repeats-look'});
    const row = make('div', {class: 'row'}, tile, look);
    row.refresh = () => {
      tile.setAttribute('aria-pressed', String(isOn()));
      look.hidden = !isOn();
      if (!isOn()) repeats.show(false);
      look.setAttribute('aria-pressed', String(repeats.shown));
    };
    repeats.changed = () => row.refresh();
    return this.keep(row);
  }

  /// Width or height; the other one follows while the shape is locked, and the framing stays.
  side(place, label) {
    const begun = {};  // a drag goes from the shape that it began with
    const write = (flame, value, gesture) => {
      const {width, height} = flame.camera;
      if (gesture === undefined || begun.gesture !== gesture)
        Object.assign(begun, {gesture, size: [width, height]});
      const [other, least] = [begun.size[1 - place] / begun.size[place] * value, 1];
      const size = [width, height].with(place, value);
      if (this.isLocked) size[1 - place] = Math.max(least, Math.round(other));
      resized(flame, size);
    };
    return this.part('size', place, label, {plain: true, bar: false, write, move: write});
  }

  shapeLock() {
    this.isLocked = localStorage.getItem('shape-lock') !== 'off';
    const button = textButton('Lock the shape', () => {
      this.isLocked = !this.isLocked;
      localStorage.setItem('shape-lock', this.isLocked ? 'on' : 'off');
      button.setAttribute('aria-pressed', String(this.isLocked));
    }, {
      'aria-pressed': String(this.isLocked),
      title: 'Width and height go together; the framing stays either way'
    });
    return button;
  }

  resize(size) {
    this.editor.change(flame => resized(flame, size.split(' x ').map(Number)));
  }
}

/// As much of the flame as before in the other size.
function resized(flame, [width, height]) {
  const before = flame.camera;
  flame.setList('size', [width, height]);
  flame.set('scale', before.scale * Math.min(width / before.width, height / before.height));
}

/// Who made it, and what only films see: motion within a frame, and the way to the next key flame.
export class FlamePage extends FieldPage {
  parts() {
    return [
      make('h3', {}, 'Flame'),
      this.text('name', 'name'),
      this.text('nick', 'author'),
      this.text('url', 'link'),
      ...this.section(
          'Motion blur', this.attribute('temporal_samples', 'time samples'),
          this.attribute('temporal_filter_width', 'shutter', {step: 0.01}),
          this.word('temporal_filter_type', 'shutter curve'),
          this.attribute('temporal_filter_exp', 'curve power', {step: 0.01})),
      ...this.section(
          'To the next key', this.atFrame(),
          this.way('interpolation', 'path', easing => (easing === 'smooth' ? easing : 'linear')),
          this.way('kiln_easing', 'easing', easing => (easing === 'smooth' ? 'linear' : easing)),
          this.word('interpolation_type', 'affine blend'),
          this.word('palette_interpolation', 'palette blend'),
          this.attribute('hsv_rgb_palette_blend', 'rgb share', {step: 0.005})),
    ];
  }

  /// Of a key of a film its time on the strip.
  atFrame() {
    const {editor} = this;
    return this.attribute('time', 'at frame', {
      step: 0.2,
      isOwn: () => editor.film !== null,
      read: flame => editor.film?.time ?? flame.number('time'),
      write: (flame, value) => (editor.film ? editor.film.setTime(value) : flame.set('time', value))
    });
  }

  /// How the next key is reached: of a film that is the line on the strip.
  way(name, label, part) {
    const {editor} = this;
    const own = () => editor.flame.element.getAttribute(name) ?? 'linear';
    const write = value => {
      const {film} = editor;
      if (film)
        film.setEasing(film.keyBefore.time, value, editor.begin());
      else
        editor.change(flame => flame.set(name, value));
    };
    return this.word(
        name, label,
        {read: () => (editor.film ? part(editor.film.keyBefore.easing) : own()), write});
  }
}

/// For the page of the palette.
export class PaletteFields extends FieldPage {
  get className() {
    return 'part';
  }

  parts() {
    return [make('div', {class: 'pair'}, this.word('palette_mode', 'interpolation'))];
  }
}
