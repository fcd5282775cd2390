// The pages of the look (light, blur, glow, background) and of the camera (framing, size, quality).

import {colorsOf, hexOf} from './colors.js';
import {choice, make, textButton} from './elements.js';
import {attributeField, listField, proportional} from './numbers.js';

const filters = [
  'gaussian', 'hermite', 'box', 'triangle', 'bell', 'bspline', 'mitchell', 'blackman', 'catrom',
  'hanning', 'hamming', 'lanczos3', 'lanczos2', 'quadratic'
];
const sizes =
    ['1280 x 720', '1920 x 1080', '2560 x 1440', '3840 x 2160', '1080 x 1080', '1080 x 1920'];
const bloom = [0, 2, 0], glare = [0, 0, 0.1];  // docs/effects.md: kiln_bloom, kiln_glare

class FieldPage {
  constructor(editor) {
    this.editor = editor;
    this.fields = [];
    this.element = make('div', {class: 'body'}, ...this.parts());
    for (const name of ['flame', 'change'])
      editor.addEventListener(name, () => this.fields.forEach(field => field.refresh()));
  }

  keep(field) {
    this.fields.push(field);
    return field;
  }

  attribute(name, label, about) {
    return this.keep(attributeField(this.editor, name, {label, ...about}));
  }

  part(name, place, otherwise, label, about) {
    return this.keep(listField(this.editor, name, place, otherwise, {label, ...about}));
  }

  section(title, ...fields) {
    return [make('h3', {}, title), make('div', {class: 'pair'}, ...fields)];
  }
}

export class LookPage extends FieldPage {
  parts() {
    return [...this.light(), ...this.blur(), ...this.glow()];
  }

  light() {
    return this.section(
        'Light',
        this.attribute('brightness', 'brightness', {min: 0, step: proportional, otherwise: 4}),
        this.attribute('gamma', 'gamma', {min: 0.1, step: proportional, otherwise: 4}),
        this.attribute('vibrancy', 'vibrancy', {
          min: 0,
          max: 1,
          step: 0.005,
          otherwise: 1,
          title: '1: gamma keeps hues; 0: it acts on each channel'
        }),
        this.attribute('gamma_threshold', 'threshold', {
          min: 0,
          step: 0.0005,
          otherwise: 0.01,
          title: 'Below it gamma is a straight line: less noise in the dark'
        }),
        this.attribute('highlight_power', 'highlights', {
          min: -1,
          step: 0.01,
          otherwise: -1,
          title: 'How bright light keeps its hue; below 0: off'
        }),
        this.background());
  }

  background() {
    const input = make('input', {
      type: 'color',
      'aria-label': 'Background',
      input: () => set(),
      change: () => {
        this.gesture = null;
      }
    });
    const set = () => {
      this.gesture ??= this.editor.begin();
      const [color] = colorsOf(input.value.slice(1));
      this.editor.change(
          flame =>
              flame.setList('background', color.map(value => Math.round(value / 255 * 1e4) / 1e4)),
          this.gesture);
    };
    const element = make('label', {class: 'number plain'}, make('span', {}, 'background'), input);
    element.refresh = () => {
      input.value =
          hexOf(this.editor.flame.list('background', [0, 0, 0]).map(value => value * 255));
    };
    return this.keep(element);
  }

  blur() {
    const shape = choice(
        'Filter shape', filters,
        value => this.editor.change(flame => flame.set('filter_shape', value)));
    const labeled = make('label', {class: 'number plain'}, make('span', {}, 'shape'), shape);
    labeled.refresh = () => {
      shape.value = this.editor.flame.element.getAttribute('filter_shape') ?? 'gaussian';
    };
    return [
      ...this.section(
          'Noise and blur', this.attribute('estimator_radius', 'smooth', {
            min: 0,
            step: 0.05,
            otherwise: 9,
            title: 'Radius of the density estimation in pixels, 0: none'
          }),
          this.attribute(
              'estimator_minimum', 'at least',
              {min: 0, step: 0.02, title: 'Its radius where there is much light'}),
          this.attribute('estimator_curve', 'curve', {
            min: 0.01,
            max: 2,
            step: 0.005,
            otherwise: 0.4,
            title: 'How fast the radius falls with the light'
          }),
          this.attribute(
              'filter', 'filter',
              {min: 0, step: 0.01, otherwise: 0.5, title: 'Radius of the filter in pixels'}),
          this.keep(labeled)),
    ];
  }

  glow() {
    return [
      ...this.section(
          'Bloom', this.part('kiln_bloom', 0, bloom, 'strength', {min: 0, max: 1, step: 0.003}),
          this.part('kiln_bloom', 1, bloom, 'radius %', {min: 0.05, step: proportional}),
          this.part(
              'kiln_bloom', 2, bloom, 'above',
              {min: 0, step: 0.01, title: 'Only light above it spreads'})),
      ...this.section(
          'Glare', this.part('kiln_glare', 0, glare, 'points', {
            min: 0,
            max: 16,
            whole: true,
            title: 'Points of the star, an even number; 0: off',
            write: (flame, value) => flame.setList(
                'kiln_glare', flame.list('kiln_glare', glare).with(0, 2 * Math.round(value / 2)))
          }),
          this.part('kiln_glare', 1, glare, 'angle', {step: 0.5}),
          this.part('kiln_glare', 2, glare, 'strength', {min: 0, max: 1, step: 0.003})),
    ];
  }
}

export class CameraPage extends FieldPage {
  parts() {
    return [
      ...this.section(
          'Framing', this.part('center', 0, [0, 0], 'center x', {step: 0.003}),
          this.part('center', 1, [0, 0], 'center y', {step: 0.003}),
          this.attribute('scale', 'scale', {
            min: 0.01,
            step: proportional,
            otherwise: 50,
            title: 'Pixels per unit of the plane'
          }),
          this.attribute('rotate', 'rotate', {step: 0.3, digits: 2, title: 'Degrees'}),
          this.attribute(
              'zoom', 'zoom', {step: 0.01, title: 'Steps of 2; the samples grow with it'})),
      ...this.section(
          'Picture', this.part('size', 0, [100, 100], 'width', {min: 16, max: 16384, whole: true}),
          this.part('size', 1, [100, 100], 'height', {min: 16, max: 16384, whole: true}),
          this.attribute('quality', 'quality', {
            min: 1,
            step: proportional,
            otherwise: 1,
            title: 'Samples per pixel of the finished picture'
          }),
          this.attribute(
              'supersample', 'supersample', {min: 1, max: 4, whole: true, otherwise: 1})),
      make('h3', {}, 'Sizes'),
      make(
          'div', {class: 'row'},
          ...sizes.map(size => textButton(size.replace(' x ', ' × '), () => this.resize(size)))),
    ];
  }

  /// As much of the flame as before in the other size.
  resize(size) {
    const [width, height] = size.split(' x ').map(Number);
    this.editor.change(flame => {
      const before = flame.camera;
      flame.setList('size', [width, height]);
      flame.set('scale', before.scale * Math.min(width / before.width, height / before.height));
    });
  }
}
