// The pages of the look (light, blur, glow, background) and of the camera (framing, size, quality).

import {colorsOf, hexOf} from './colors.js';
import {choice, make, textButton} from './elements.js';
import {attributeField, listField, proportional} from './numbers.js';

const sizes =
    ['1280 x 720', '1920 x 1080', '2560 x 1440', '3840 x 2160', '1080 x 1080', '1080 x 1920'];

class FieldPage {
  /// attributes: what GET /attributes.json says.
  constructor(editor, attributes) {
    this.editor = editor;
    this.fields = [];
    this.attributes = new Map(attributes.map(attribute => [attribute.name, attribute]));
    this.element = make('div', {class: 'body'}, ...this.parts());
    for (const name of ['flame', 'change'])
      editor.addEventListener(name, () => this.fields.forEach(field => field.refresh()));
  }

  keep(field) {
    this.fields.push(field);
    return field;
  }

  /// What the table says of an attribute, as fields want it.
  about(name, label) {
    const {help: title, min, max, type} = this.attributes.get(name);
    return {label, title, min, max, whole: type.startsWith('whole')};
  }

  attribute(name, label, step, digits) {
    const otherwise = Number(this.attributes.get(name).default);
    return this.keep(
        attributeField(this.editor, name, {...this.about(name, label), step, digits, otherwise}));
  }

  part(name, place, label, more) {
    const usual = this.usual(name);
    return this.keep(
        listField(this.editor, name, place, usual, {...this.about(name, label), ...more}));
  }

  /// Numbers of an attribute that is left out.
  usual(name) {
    return this.attributes.get(name).default.split(' ').map(Number);
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
        'Light', this.attribute('brightness', 'brightness', proportional),
        this.attribute('gamma', 'gamma', proportional),
        this.attribute('vibrancy', 'vibrancy', 0.005),
        this.attribute('gamma_threshold', 'threshold', 0.0005),
        this.attribute('highlight_power', 'highlights', 0.01), this.background());
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
      input.value = hexOf(
          this.editor.flame.list('background', this.usual('background')).map(value => value * 255));
    };
    return this.keep(element);
  }

  blur() {
    const {words, default: usual} = this.attributes.get('filter_shape');
    const shape = choice(
        'Filter shape', words,
        value => this.editor.change(flame => flame.set('filter_shape', value)));
    const labeled = make('label', {class: 'number plain'}, make('span', {}, 'shape'), shape);
    labeled.refresh = () => {
      shape.value = this.editor.flame.element.getAttribute('filter_shape') ?? usual;
    };
    return this.section(
        'Noise and blur', this.attribute('estimator_radius', 'smooth', 0.05),
        this.attribute('estimator_minimum', 'at least', 0.02),
        this.attribute('estimator_curve', 'curve', 0.005), this.attribute('filter', 'filter', 0.01),
        this.keep(labeled));
  }

  glow() {
    const glare = this.usual('kiln_glare');
    return [
      ...this.section(
          'Bloom', this.part('kiln_bloom', 0, 'strength', {min: 0, max: 1, step: 0.003}),
          this.part('kiln_bloom', 1, 'radius %', {min: 0.05, step: proportional}),
          this.part(
              'kiln_bloom', 2, 'above',
              {min: 0, step: 0.01, title: 'Only light above it spreads'})),
      ...this.section(
          'Glare', this.part('kiln_glare', 0, 'points', {
            min: 0,
            max: 16,
            whole: true,
            title: 'Points of the star, an even number; 0: off',
            write: (flame, value) => flame.setList(
                'kiln_glare', flame.list('kiln_glare', glare).with(0, 2 * Math.round(value / 2)))
          }),
          this.part('kiln_glare', 1, 'angle', {step: 0.5}),
          this.part('kiln_glare', 2, 'strength', {min: 0, max: 1, step: 0.003})),
    ];
  }
}

export class CameraPage extends FieldPage {
  parts() {
    return [
      ...this.section(
          'Framing', this.part('center', 0, 'center x', {step: 0.003}),
          this.part('center', 1, 'center y', {step: 0.003}),
          this.attribute('scale', 'scale', proportional),
          this.attribute('rotate', 'rotate', 0.3, 2), this.attribute('zoom', 'zoom', 0.01)),
      ...this.section(
          'Picture', this.part('size', 0, 'width'), this.part('size', 1, 'height'),
          this.attribute('quality', 'quality', proportional),
          this.attribute('supersample', 'supersample')),
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
