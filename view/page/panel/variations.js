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

  /// What the name of an attribute means: a form of kiln's variations, or of a formula of the flame.
  meaning(xform, name) {
    return this.byName.get(name) ?? formulasOf(xform).get(name);
  }

  /// Names of those that an xform has, in its order.
  of(xform) {
    const formulas = formulasOf(xform);
    return xform.getAttributeNames().filter(name => this.byName.has(name) || formulas.has(name));
  }

  /// Names of the parameters of one, in its form.
  parametersOf(xform, name) {
    const {form, variation} = this.meaning(xform, name);
    return variation.parameters.map(parameter => form + parameter.name);
  }

  /// Elements for all of them; each has refresh().
  fields(xform) {
    return this.of(xform).map(name => this.field(xform, name));
  }

  field(xform, name) {
    const {form, variation} = this.meaning(xform, name);
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
      for (const attribute of [name, ...this.parametersOf(xform, name)])
        xform.removeAttribute(attribute);
    });
  }

  /// Opens the chooser; added(name) hears of what was taken.
  choose(added) {
    this.chooser ??= new VariationChooser(this.editor, this.table, this.glimpses);
    this.chooser.open(added);
  }
}

/// The formulas that the flame of an xform brings along, by the names of their forms: as a row of GET /variations.json.
function formulasOf(xform) {
  const found = new Map();
  for (const element of xform.parentElement?.children ?? []) {
    if (element.nodeName !== 'variation') continue;
    const name = element.getAttribute('name');
    const text = part =>
        element.getAttribute(part) ? `${part} = ${element.getAttribute(part)}` : '';
    const parameters = [...element.children].map(parameter => {
      const from = parameter.getAttribute('from') ?? -1, to = parameter.getAttribute('to') ?? 1;
      return {
        name: `${name}_${parameter.getAttribute('name')}`,
        default: Number(parameter.getAttribute('default') ?? 0),
        range: `${from}..${to}`,
        meaning: 'of a formula'
      };
    });
    const variation = {
      name,
      parameters,
      idea: ['let', 'x', 'y', 'z', 'color'].map(text).filter(Boolean).join('\n')
    };
    for (const form of forms) found.set(form + name, {form, variation});
  }
  return found;
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
