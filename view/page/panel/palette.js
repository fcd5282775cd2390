// SPDX-License-Identifier: MIT
// The page of the palette: the strip, its turn and tone, a gradient to edit, the library to choose from.

import {rotated, toned} from '../base/colors.js';
import {make, textButton} from '../base/elements.js';

import {Gradient} from './gradient.js';
import {Library} from './library.js';
import {PaletteFields} from './look.js';
import {numberField} from './numbers.js';

export class PalettePage {
  /// library, attributes: what GET /palettes.json and GET /attributes.json say.
  constructor(editor, library, attributes) {
    this.editor = editor;
    this.base = null;  // colors and stops that turn and tone begin from
    this.tone = null;
    this.gradient = new Gradient(editor);
    this.library = new Library(editor.connection, library, colors => this.take(colors));
    this.element = make(
        'div', {class: 'body'}, make('h3', {}, 'Gradient'), this.gradient.element,
        make('h3', {}, 'Turn and tone'), make('div', {class: 'pair'}, ...this.toneFields()),
        new PaletteFields(editor, attributes).element,
        make('div', {class: 'row'}, textButton('Reverse', () => this.reverse())),
        this.library.element);
    for (const name of ['flame', 'change']) editor.addEventListener(name, () => this.refresh());
  }

  refresh() {
    const text = String(this.editor.flame.colors);
    if (text !== this.toned)
      this.base = null;  // somebody else changed the colors: begin anew from them
    for (const field of this.fields) field.refresh();
  }

  /// One after the other, as the arrow keys go through the library, is one step.
  take(colors) {
    this.editor.change(flame => {
      flame.colors = colors;
    }, this.editor.beginOrGoOn('library'));
  }

  reverse() {
    const {gradient} = this, {stops, chosen} = gradient.now, last = gradient.count - 1;
    gradient.bring(stops.map(stop => last - stop.index), chosen);
    this.editor.change(flame => {
      flame.colors = flame.colors.toReversed();
    });
  }

  // ---- turn and tone: always from the colors before, so that nothing is lost on the way ----

  toneFields() {
    const none = {turn: 0, hue: 0, saturation: 1, light: 1};
    const field = (label, more) => numberField(this.editor, {
      label,
      step: 0.005,
      otherwise: none[label],
      read: () => (this.base ? this.tone : none)[label],
      write: (flame, value) =>
          this.setTone(flame, {...(this.base ? this.tone : none), [label]: value}),
      ...more
    });
    this.fields = [
      field('turn', {
        step: 0.3,
        digits: 1,
        title: 'Entries by which the palette goes around',
        attribute: 'palette'
      }),
      field('hue', {min: -0.5, max: 0.5, title: 'Part of the circle of hues', attribute: 'hue'}),
      field(
          'saturation', {min: 0, max: 2, title: 'How strong its colors are', attribute: 'palette'}),
      field('light', {min: 0, max: 2, title: 'How light its colors are', attribute: 'palette'})
    ];
    return this.fields;
  }

  setTone(flame, tone) {
    this.base ??= this.gradient.now;
    this.tone = tone;
    const {stops, chosen, colors} = this.base, count = colors.length;
    const place = index => ((index - Math.round(tone.turn)) % count + count) % count;
    const turned = tone.turn % count !== 0;
    this.gradient.bring(stops.map(({index}) => (turned ? place(index) : index)), chosen);
    flame.colors = toned(rotated(colors, tone.turn), tone);
    this.toned = String(flame.colors);
  }
}
