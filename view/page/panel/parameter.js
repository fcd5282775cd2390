// SPDX-License-Identifier: MIT
// A parameter of a formula that is edited: its name and numbers, and the flame with it at both ends as small
// pictures, which set it.

import {make, signButton} from '../base/elements.js';
import {numbersOf} from '../base/formula.js';

import {Mistake} from './mistakes.js';

const columns = {
  name: 'name of the parameter',
  default: 'where an xform does not say',
  from: 'one end of its slider',
  to: 'the other end'
};
const ends = ['from', 'to'];

/// What stands above all of them.
export const parameterHead = () => make(
    'div', {class: 'parameter', 'aria-hidden': 'true'},
    ...Object.keys(columns).map(name => make('span', {class: 'head'}, name)));

export class ParameterRow {
  /// does: {changed(), remove(row), set(row, value)}
  constructor(fields, does) {
    this.was = fields.was;  // its name in the flame; undefined: it is not there yet
    this.begun = fields.was;
    this.inputs = Object.fromEntries(
        Object.keys(columns).map(name => [name, this.input(name, fields[name], does)]));
    this.mistake = new Mistake(this.inputs.name);
    this.pictures = ends.map(end => this.picture(end, does));
    this.remove = signButton('remove', 'Remove the parameter', () => does.remove(this));
    this.element = make(
        'div', {class: 'parameter', role: 'group', 'aria-label': 'Parameter'},
        ...Object.values(this.inputs), this.remove, this.mistake.element,
        make('div', {class: 'ends'}, ...this.pictures.map(({button}) => button)));
  }

  input(name, value, {changed}) {
    return make('input', {
      type: 'text',
      value,
      'aria-label': name,
      title: columns[name],
      'data-parameter': name,
      inputmode: name === 'name' ? 'text' : 'decimal',
      maxlength: 64,
      placeholder: {name: 'name', from: '-1', to: '1', default: 'usual'}[name],
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      input: changed
    });
  }

  picture(end, {set}) {
    const image =
        make('img', {alt: '', draggable: 'false', load: () => URL.revokeObjectURL(image.src)});
    const says = make('span');
    const button = make(
        'button', {
          type: 'button',
          class: 'end-picture',
          'data-end': end,
          click: () => set(this, this.at(end))
        },
        image, says);
    return {end, image, says, button};
  }

  get fields() {
    const texts = Object.entries(this.inputs).map(([name, {value}]) => [name, value.trim()]);
    return {...Object.fromEntries(texts), was: this.was};
  }

  at(end) {
    const {low, high} = numbersOf(this.fields);
    return end === 'from' ? low : high;
  }

  /// value: what the xforms have now; undefined: no xform uses the formula, so there is nothing to see.
  mark(value) {
    const {name} = this.fields;
    for (const {end, says, button} of this.pictures) {
      const at = this.at(end);
      button.hidden = value === undefined || !Number.isFinite(at);
      says.textContent = `${name} = ${at}`;
      button.title = `Set ${name} to ${at}`;
      button.setAttribute('aria-pressed', String(value === at));
    }
  }
}
