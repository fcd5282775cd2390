// SPDX-License-Identifier: MIT
// The chooser of variations: what each would make of the chosen xform as a small picture, and in the
// large one while the arrow keys go through the list. All that it tries is one step of undo, and none
// where it is closed without a choice. It stands where the panel is, so that the picture is seen. Formulas
// come first: those of the flame, and those that the user keeps, which the flame gets with the choice.

import {make, segments, textButton} from '../base/elements.js';
import {Flame} from '../base/flame.js';
import {allFields, fieldsNamed, freeName, isSame, putFormula, removeFormula} from '../base/formula.js';
import {searchList} from '../base/searchlist.js';

import {Favourites} from './favourites.js';

const triedWeight = 0.3;

export class VariationChooser {
  /// table: what GET /variations.json says.
  /// formulas: {shelf, edit(name), notice}
  constructor(editor, table, glimpses, formulas) {
    this.editor = editor;
    this.formulas = formulas;
    this.form = '';
    this.tried = null;    // the name of what the flame has for now
    this.brought = null;  // of a formula that the flame has with it
    this.offered =
        new Map();     // fields of formulas that the flame does not have, by their names in it
    this.images = [];  // of formulas
    this.build(table, glimpses);
    formulas.shelf.addEventListener('change', () => this.dialog.open && this.lead());
  }

  build(table, glimpses) {
    this.stages = segments(
        'Where it works', [['', 'in the sum'], ['pre_', 'before it'], ['post_', 'after it']],
        value => {
          this.form = value;
          this.stages.show(value);
          this.takeBack();
          this.glimpses.again();
          this.list.focusSearch();
        });
    this.stages.show(this.form);
    this.favourites = new Favourites('variations', () => this.sort());
    const entries =
        table.map(variation => ({
                    name: variation.name,
                    detail: variation.idea,
                    element: make('img', {alt: '', class: 'glimpse', 'data-of': variation.name}),
                    end: this.favourites.star(variation.name)
                  }));
    this.list = searchList('Variations', entries, (entry, final) => {
      const name = this.inForm(entry.name);
      if (final)
        this.take(name);
      else
        this.try(name);
    });
    this.dialog = make(
        'dialog',
        {class: 'chooser trial', 'aria-label': 'Add a variation', close: () => this.takeBack()},
        make('h2', {}, 'Add a variation'), this.stages,
        textButton('A formula of your own …', () => this.own(), {id: 'own-formula'}), this.list);
    document.body.append(this.dialog);
    this.glimpses = glimpses.watch(
        this.list.querySelector('.options'), image => this.textWith(this.inForm(image.dataset.of)));
    for (const {element} of entries) this.glimpses.observe(element);
  }

  /// added(name) hears of what was taken.
  open(added) {
    this.added = added;
    this.sort();
    this.gesture = this.editor.begin();
    this.base = this.editor.flame.text();
    this.list.clear();
    this.lead();
    this.formulas.shelf.ask();
    this.dialog.showModal();
    this.glimpses.again();
    this.list.focusSearch();
  }

  /// Favourites and recent ones before the others, while nothing is searched for.
  sort() {
    const rank = this.favourites.ranks;
    this.list.order(({name}) => rank(name));
    if (this.dialog.open) this.list.refresh();
  }

  /// The formulas of the flame, and the user's.
  lead() {
    const flame = new Flame(this.base),
          image = name => make('img', {alt: '', class: 'glimpse', 'data-of': name});
    this.offered.clear();
    this.glimpses.drop(this.images);
    const own = allFields(flame).map(
        ({name}) => ({name, detail: 'a formula of this flame', element: image(name)}));
    const mine = this.formulas.shelf.all.filter(one => !isKnown(flame, one)).map(one => {
      const name = freeName(flame, one.name), isOther = name !== one.name;
      this.offered.set(name, one);
      const detail = isOther ? `yours; this flame has another ${one.name}` : 'a formula of yours';
      return {name, detail, element: image(name)};
    });
    this.images = [...own, ...mine].map(({element}) => element);
    this.list.lead([...own, ...mine]);
    this.list.refresh();  // what is typed and marked stays: the shelf may answer at any time
    for (const element of this.images) this.glimpses.observe(element);
  }

  own() {
    this.dialog.close();
    this.takeBack();
    this.formulas.edit();
  }

  /// pre_blur has its own name.
  inForm(name) {
    return name.startsWith(this.form) ? name : this.form + name;
  }

  /// The flame as it was when the chooser was opened, with a variation more.
  textWith(name) {
    if (!this.dialog.open) return undefined;
    const flame = new Flame(this.base), xform = flame.all[this.editor.chosen];
    if (!xform) return undefined;
    this.bring(flame, name);
    if (!xform.hasAttribute(name)) flame.set(name, triedWeight, xform);
    return flame.text();
  }

  /// The formula that the flame does not have, if it is one; returns its name.
  bring(flame, form) {
    const name = form.slice(this.form.length), fields = this.offered.get(name);
    if (!fields || !form.startsWith(this.form) || fieldsNamed(flame, name)) return null;
    putFormula(flame, '', {...fields, name});
    return name;
  }

  // ---- in the flame, for now ----

  put(name, weight) {
    this.editor.change(flame => {
      const {xform} = this.editor;
      if (this.tried) xform.removeAttribute(this.tried);
      if (this.brought) removeFormula(flame, this.brought);
      this.brought = name && this.bring(flame, name);
      this.tried = name && !xform.hasAttribute(name) ? name : null;
      if (this.tried) flame.set(name, weight, xform);
    }, this.gesture);
  }

  try(name) {
    if (name !== this.tried) this.put(name, triedWeight);
  }

  takeBack() {
    if (this.tried) this.put(null);
  }

  /// What is tried stays as it is shown; what was not comes as a whole.
  take(name) {
    if (name !== this.tried) this.put(name, 1);
    const mine = this.offered.get(this.brought), {brought} = this;
    this.tried = this.brought = null;
    this.favourites.took(name.slice(name.startsWith(this.form) ? this.form.length : 0));
    this.dialog.close();
    if (mine && mine.name !== brought)
      this.formulas.notice.say(
          'warning', `this flame has another ${mine.name}: yours came as ${brought}`);
    this.editor.tell('flame');  // the panel has fields for it now
    this.added(name);
  }
}

/// Whether the flame has this very formula.
function isKnown(flame, fields) {
  const same = fieldsNamed(flame, fields.name);
  return same !== undefined && isSame(same, fields);
}
