// SPDX-License-Identifier: MIT
// Variations of an xform: weights and parameters to scrub, a button to remove one, and for a formula one to edit it.

import {make, signButton, textButton} from '../base/elements.js';
import {allFields, forms, numbersOf, partNames} from '../base/formula.js';

import {VariationChooser} from './chooser.js';
import {numberField, proportional} from './numbers.js';

export class Variations {
  /// table: what GET /variations.json says; formulas: {shelf, edit(name), notice}.
  constructor(editor, table, glimpses, formulas) {
    this.editor = editor;
    this.formulas = formulas;
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
    const edit = variation.isFormula ? signButton(
                                           'formula', `Edit the formula ${variation.name}`,
                                           () => this.formulas.edit(variation.name)) :
                                       undefined;
    const element = make(
        'div', {class: 'variation', role: 'group', 'aria-label': name}, weight, remove, edit,
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

  /// The way to formulas: a new one, and those of the flame that the xform does not use.
  formulaRow(xform) {
    const used = this.of(xform).map(name => this.meaning(xform, name).variation.name);
    const others = [...formulasOf(xform).keys()].filter(
        name => this.meaning(xform, name).form === '' && !used.includes(name));
    return make(
        'div', {class: 'row formulas'},
        textButton('A formula of your own …', () => this.formulas.edit()),
        ...others.map(name => textButton(name, () => this.formulas.edit(name), {
                        title: `A formula of the flame, which this xform does not use: edit it`,
                        'data-formula-of-flame': name
                      })));
  }

  remove(xform, name) {
    this.editor.rebuild(() => {
      for (const attribute of [name, ...this.parametersOf(xform, name)])
        xform.removeAttribute(attribute);
    });
  }

  /// Opens the chooser; added(name) hears of what was taken.
  choose(added) {
    this.chooser ??= new VariationChooser(this.editor, this.table, this.glimpses, this.formulas);
    this.chooser.open(added);
  }
}

/// The formulas that the flame of an xform brings along, by the names of their forms: as a row of GET /variations.json.
function formulasOf(xform) {
  const found = new Map();
  for (const fields of allFields({element: xform.parentElement ?? xform})) {
    const {name} = fields;
    const text = part => (fields[part] ? `${part} = ${fields[part]}` : '');
    const parameters = fields.parameters.map(one => {
      const {usual, low, high} = numbersOf(one);
      return {
        name: `${name}_${one.name}`,
        default: usual,
        range: `${low}..${high}`,
        meaning: 'of a formula'
      };
    });
    const variation =
        {name, parameters, isFormula: true, idea: partNames.map(text).filter(Boolean).join('\n')};
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
