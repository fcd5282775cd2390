// SPDX-License-Identifier: MIT
// The chooser of variations: what each would make of the chosen xform as a small picture, and in the
// large one while the arrow keys go through the list. All that it tries is one step of undo, and none
// where it is closed without a choice. It stands where the panel is, so that the picture is seen.

import {make, segments} from '../base/elements.js';
import {Flame} from '../base/flame.js';
import {searchList} from '../base/searchlist.js';

const triedWeight = 0.3;

export class VariationChooser {
  /// table: what GET /variations.json says.
  constructor(editor, table, glimpses) {
    this.editor = editor;
    this.form = '';
    this.tried = null;  // the name of what the flame has for now
    this.build(table, glimpses);
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
    const entries =
        table.map(variation => ({
                    name: variation.name,
                    detail: variation.idea,
                    element: make('img', {alt: '', class: 'glimpse', 'data-of': variation.name})
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
        make('h2', {}, 'Add a variation'), this.stages, this.list);
    document.body.append(this.dialog);
    this.glimpses = glimpses.watch(
        this.list.querySelector('.options'), image => this.textWith(this.inForm(image.dataset.of)));
    for (const {element} of entries) this.glimpses.observe(element);
  }

  /// added(name) hears of what was taken.
  open(added) {
    this.added = added;
    this.gesture = this.editor.begin();
    this.base = this.editor.flame.text();
    this.list.clear();
    this.dialog.showModal();
    this.glimpses.again();
    this.list.focusSearch();
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
    if (!xform.hasAttribute(name)) flame.set(name, triedWeight, xform);
    return flame.text();
  }

  // ---- in the flame, for now ----

  put(name, weight) {
    this.editor.change(flame => {
      const {xform} = this.editor;
      if (this.tried) xform.removeAttribute(this.tried);
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
    this.tried = null;
    this.dialog.close();
    this.editor.tell('flame');  // the panel has fields for it now
    this.added(name);
  }
}
