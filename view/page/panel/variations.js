// SPDX-License-Identifier: MIT
// Variations of an xform: weights and parameters to scrub, a button to remove one.

import {make, signButton} from '../base/elements.js';

import {VariationChooser} from './chooser.js';
import {numberField, proportional} from './numbers.js';

const forms = ['', 'pre_', 'post_'];

export class Variations {
  /// table: what GET /variations.json says.
  constructor(editor, table, glimpses) {
    this.editor = editor;
    this.glimpses = glimpses;
    this.table = table;
    this.byName = new Map();
    for (const variation of table) {
      for (const form of forms) this.byName.set(form + variation.name, {form, variation});
    }
    for (const variation of table)
      this.byName.set(variation.name, {form: '', variation});  // pre_blur has its own name
  }

  /// Names of those that an xform has, in its order.
  of(xform) {
    return xform.getAttributeNames().filter(name => this.byName.has(name));
  }

  /// Names of the parameters of one, in its form.
  parametersOf(name) {
    const {form, variation} = this.byName.get(name);
    return variation.parameters.map(parameter => form + parameter.name);
  }

  /// Elements for all of them; each has refresh().
  fields(xform) {
    return this.of(xform).map(name => this.field(xform, name));
  }

  field(xform, name) {
    const {form, variation} = this.byName.get(name);
    const weight = numberField(this.editor, {
      label: name,
      name,
      title: variation.idea,
      step: proportional,
      otherwise: 0,
      usual: 1,
      plain: true,
      attribute: name,
      read: flame => flame.number(name, 0, xform),
      write: (flame, value) => flame.set(name, value, xform)
    });
    const parameters = variation.parameters.map(
        parameter => this.parameterField(xform, form, variation, parameter));
    const remove = signButton('remove', `Remove ${name}`, () => this.remove(xform, name));
    const element = make(
        'div', {class: 'variation', role: 'group', 'aria-label': name}, weight, remove,
        ...parameters);
    element.refresh = () => [weight, ...parameters].forEach(field => field.refresh());
    return element;
  }

  parameterField(xform, form, variation, parameter) {
    const name = form + parameter.name;
    const short = parameter.name.startsWith(variation.name + '_') ?
        parameter.name.slice(variation.name.length + 1) :
        parameter.name;
    return numberField(this.editor, {
      label: short,
      name,
      title:
          [parameter.meaning, parameter.range && `[${parameter.range}]`].filter(Boolean).join(' '),
      attribute: name,
      otherwise: parameter.default,
      step: proportional,
      ...limitsOf(parameter.range),
      read: flame => flame.number(name, parameter.default, xform),
      write: (flame, value) => flame.set(name, value, xform)
    });
  }

  remove(xform, name) {
    this.editor.rebuild(() => {
      for (const attribute of [name, ...this.parametersOf(name)]) xform.removeAttribute(attribute);
    });
  }

  /// Opens the chooser; added(name) hears of what was taken.
  choose(added) {
    this.chooser ??= new VariationChooser(this.editor, this.table, this.glimpses);
    this.chooser.open(added);
  }
}

/// "0..2, whole", "0.1 or more" as limits of a field; what is said otherwise has none.
function limitsOf(range) {
  const found = {};
  const between = range.match(/^(-?\d+(?:\.\d+)?)\.\.(\d+(?:\.\d+)?)/);
  const least = range.match(/^(-?\d+(?:\.\d+)?) or more$/) ?? range.match(/^whole, (\d+) or more$/);
  if (between) [found.min, found.max] = [Number(between[1]), Number(between[2])];
  if (least) found.min = Number(least[1]);
  if (range === '0 or 1') [found.min, found.max, found.whole] = [0, 1, true];
  if (/\bwhole\b/.test(range)) found.whole = true;
  return found;
}
