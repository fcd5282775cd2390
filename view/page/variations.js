// Variations of an xform: weights and parameters to scrub, a chooser to add one, a button to remove it.

import {make, segments, signButton} from './elements.js';
import {numberField, proportional} from './numbers.js';
import {searchList} from './searchlist.js';

const forms = ['', 'pre_', 'post_'];

export class Variations {
  /// table: what GET /variations.json says.
  constructor(editor, table) {
    this.editor = editor;
    this.table = table;
    this.byName = new Map();
    for (const variation of table) {
      for (const form of forms) this.byName.set(form + variation.name, {form, variation});
    }
    for (const variation of table)
      this.byName.set(variation.name, {form: '', variation});  // pre_blur has its own name
    this.dialog = null;
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

  add(xform, name) {
    if (!xform.hasAttribute(name)) {
      this.editor.rebuild(flame => {
        flame.set(name, 1, xform);
      });
    }
  }

  remove(xform, name) {
    this.editor.rebuild(() => {
      for (const attribute of [name, ...this.parametersOf(name)]) xform.removeAttribute(attribute);
    });
  }

  // ---- the chooser ----

  /// Opens it; added(name) hears of what was taken.
  choose(added) {
    this.dialog ??= this.makeDialog();
    this.added = added;
    this.list.clear();
    this.dialog.showModal();
    this.list.focusSearch();
  }

  makeDialog() {
    let form = '';
    const stages = segments(
        'Where it works', [['', 'in the sum'], ['pre_', 'before it'], ['post_', 'after it']],
        value => {
          form = value;
          stages.show(value);
          this.list.focusSearch();
        });
    stages.show(form);
    const take = (entry, final) => {
      if (!final) return;
      this.dialog.close();
      const name = entry.name.startsWith(form) ? entry.name : form + entry.name;
      this.add(this.editor.xform, name);
      this.added(name);
    };
    this.list = searchList(
        'Variations', this.table.map(variation => ({name: variation.name, detail: variation.idea})),
        take);
    const dialog = make(
        'dialog', {class: 'chooser', 'aria-label': 'Add a variation'},
        make('h2', {}, 'Add a variation'), stages, this.list);
    document.body.append(dialog);
    return dialog;
  }
}

/// "0..2, whole", "0.1 or more" as limits of a field; what is said otherwise has none.
export function limitsOf(range) {
  const found = {};
  const between = range.match(/^(-?\d+(?:\.\d+)?)\.\.(\d+(?:\.\d+)?)/);
  const least = range.match(/^(-?\d+(?:\.\d+)?) or more$/) ?? range.match(/^whole, (\d+) or more$/);
  if (between) [found.min, found.max] = [Number(between[1]), Number(between[2])];
  if (least) found.min = Number(least[1]);
  if (range === '0 or 1') [found.min, found.max, found.whole] = [0, 1, true];
  if (/\bwhole\b/.test(range)) found.whole = true;
  return found;
}
