// The page of the xforms: which one, its weight and color, its affines in numbers, its variations,
// where the game goes from it.

import {shownColor} from './colors.js';
import {make, segments, signButton, textButton} from './elements.js';
import {mirrored, turned, wrappedDegrees} from './geometry.js';
import {attributeField, numberField, proportional} from './numbers.js';
import {stripSlider} from './strip.js';

export class XformPage {
  constructor(editor, variations) {
    this.editor = editor;
    this.variations = variations;
    this.chips = make('div', {class: 'chips', role: 'group', 'aria-label': 'Xforms'});
    this.body = make('div', {class: 'body'});
    this.element = make('div', {}, this.chips, this.body);
    for (const name of ['flame', 'choose']) editor.addEventListener(name, () => this.build());
    editor.addEventListener('change', () => this.refresh());
  }

  refresh() {
    this.colorChips();
    for (const field of this.fields ?? []) field.refresh();
  }

  build() {
    const {editor} = this, {flame, xform} = editor;
    this.buildChips();
    this.fields = [];
    if (!xform) return this.body.replaceChildren();
    const add = (...fields) => {
      this.fields.push(...fields);
      return fields;
    };
    const isFinal = flame.isFinal(xform);
    this.body.replaceChildren(
        this.buttons(isFinal),
        make('div', {class: 'pair'}, ...add(...this.plainFields(xform, isFinal))),
        make('h3', {}, 'Color'), ...add(this.colorStrip(xform)),
        make('div', {class: 'pair'}, ...add(...this.colorFields(xform))),
        ...this.affineFields(xform, add),
        make(
            'h3', {}, 'Variations',
            signButton('add', 'Add a variation (V)', () => this.addVariation())),
        ...add(...this.variations.fields(xform)), ...this.chaosFields(xform, isFinal, add));
    return this.refresh();
  }

  // ---- which one ----

  buildChips() {
    const {editor} = this, {flame} = editor;
    const chip = (xform, i) => {
      const [says, title] =
          flame.isFinal(xform) ? ['F', 'Final xform (0)'] : [String(i + 1), `Xform ${i + 1}`];
      return textButton(
          says, () => editor.choose(i),
          {class: 'chip', title, 'aria-label': title, 'aria-pressed': String(i === editor.chosen)});
    };
    const chips = flame.all.map(chip);
    const more = [signButton('add', 'New xform (N)', () => editor.addXform())];
    if (!flame.final)
      more.push(textButton(
          'F+', () => editor.addFinal(),
          {class: 'quiet', title: 'Add a final xform', 'aria-label': 'Add a final xform'}));
    this.chips.replaceChildren(...chips, ...more);
    this.colorChips();
  }

  colorChips() {
    const {flame} = this.editor, colors = flame.colors;
    flame.all.forEach(
        (xform, i) => this.chips.children[i]?.style.setProperty(
            '--own', shownColor(colors, flame.number('color', 0, xform))));
  }

  buttons(isFinal) {
    const {editor} = this;
    const lone = !isFinal && editor.flame.xforms.length === 1;
    return make(
        'div', {class: 'row'},
        textButton(
            'Duplicate', () => editor.duplicateXform(),
            {disabled: isFinal, title: 'A copy of this xform (D)'}),
        textButton(
            'Remove', () => editor.removeXform(),
            {disabled: lone, title: 'Remove this xform (Delete)'}));
  }

  // ---- weight and color ----

  plainFields(xform, isFinal) {
    const of = () => xform;
    const weight = attributeField(
        this.editor, 'weight',
        {label: 'weight', min: 0, step: proportional, title: 'How often the game takes this xform'},
        of);
    const opacity = attributeField(
        this.editor, 'opacity', {
          label: 'opacity',
          min: 0,
          max: 1,
          step: 0.005,
          otherwise: 1,
          title: isFinal ? 'How often it is applied' : 'How much of its light is seen'
        },
        of);
    return isFinal ? [opacity] : [weight, opacity];
  }

  colorStrip(xform) {
    return stripSlider(this.editor, {
      label: 'color',
      read: flame => flame.number('color', 0, xform),
      write: (flame, value) => flame.set('color', value, xform)
    });
  }

  colorFields(xform) {
    const of = () => xform;
    return [
      attributeField(
          this.editor, 'color', {
            name: 'color number',
            label: 'color',
            step: 0.002,
            title: 'Place in the palette, from 0 to 1'
          },
          of),
      attributeField(
          this.editor, 'color_speed', {
            label: 'speed',
            min: 0,
            max: 1,
            step: 0.005,
            otherwise: 0.5,
            title: 'How much of its color a point takes on'
          },
          of),
    ];
  }

  // ---- affines ----

  affineFields(xform, add) {
    const {editor} = this, name = editor.affineName;
    const kinds = segments(
        'Which affine',
        [
          ['coefs', 'affine', 'Before the variations'], ['post', 'post', 'After the variations (P)']
        ],
        value => editor.chooseAffine(value));
    kinds.show(name);
    const corner = (says, x, y) => make(
        'div', {class: 'triple'}, make('span', {class: 'head'}, says),
        ...add(this.coefficient(xform, x), this.coefficient(xform, y)));
    return [
      make('h3', {}, 'Triangle', kinds),
      corner('X', 'a', 'd'),
      corner('Y', 'b', 'e'),
      corner('O', 'c', 'f'),
      make('div', {class: 'pair'}, ...add(this.turnField(xform), this.sizeField(xform))),
      make(
          'div', {class: 'row'}, this.affineButton('Mirror ↔', affine => mirrored(affine, false)),
          this.affineButton('Mirror ↕', affine => mirrored(affine, true)),
          this.affineButton('Reset', () => ({a: 1, b: 0, c: 0, d: 0, e: 1, f: 0}))),
    ];
  }

  affine(xform) {
    return this.editor.flame.affine(xform, this.editor.affineName);
  }

  setAffine(flame, xform, affine) {
    flame.setAffine(xform, this.editor.affineName, affine);
  }

  affineButton(says, work) {
    const act = () => this.editor.change(
        flame => this.setAffine(flame, this.editor.xform, work(this.affine(this.editor.xform))));
    return textButton(says, act);
  }

  coefficient(xform, letter) {
    return numberField(this.editor, {
      label: letter,
      step: 0.003,
      read: () => this.affine(xform)[letter],
      write: (flame, value) =>
          this.setAffine(flame, xform, {...this.affine(xform), [letter]: value})
    });
  }

  turnField(xform) {
    const angle = () => {
      const {a, d} = this.affine(xform);
      return Math.atan2(d, a) * 180 / Math.PI;
    };
    return numberField(this.editor, {
      label: 'turn',
      title: 'Degrees of the side O X',
      step: 0.5,
      digits: 2,
      read: angle,
      write: (flame, value) => this.setAffine(
          flame, xform, turned(this.affine(xform), 1, wrappedDegrees(value - angle())))
    });
  }

  sizeField(xform) {
    const length = () => {
      const {a, d} = this.affine(xform);
      return Math.hypot(a, d);
    };
    return numberField(this.editor, {
      label: 'size',
      title: 'Length of the side O X',
      min: 1e-4,
      step: proportional,
      read: length,
      write: (flame, value) => this.setAffine(
          flame, xform, turned(this.affine(xform), value / Math.max(length(), 1e-9), 0))
    });
  }

  // ---- variations and chaos ----

  addVariation() {
    this.variations.choose(name => {
      const field = this.body.querySelector(`[data-field="${CSS.escape(name)}"]`);
      field?.focus();
      field?.select();
    });
  }

  chaosFields(xform, isFinal, add) {
    const {flame} = this.editor;
    if (isFinal || flame.xforms.length < 2) return [];
    const fields = flame.xforms.map(
        (_, to) => numberField(this.editor, {
          label: `to ${to + 1}`,
          min: 0,
          step: proportional,
          otherwise: 1,
          read: now => now.chaos(xform)[to],
          write: (now, value) => now.setChaos(xform, now.chaos(xform).with(to, value))
        }));
    return [
      make(
          'h3', {title: 'How many times as often the game goes from this xform to each'},
          'Chaos: where it goes next'),
      make('div', {class: 'pair'}, ...add(...fields))
    ];
  }
}
