// SPDX-License-Identifier: MIT
// Several flames of the wall at once: Ctrl and a click, a held finger, Shift to another one, Ctrl+A. A bar
// says how many and what can be done with them.

import {make, textButton} from '../base/elements.js';

import {starRow} from './stars.js';

export class Chosen {
  /// acts: {paste(indices), many(indices, what)}; changed(): others are chosen.
  constructor(connection, files, acts, changed) {
    this.connection = connection;
    this.files = files;
    this.changed = changed;
    this.indices = new Set();
    this.last = -1;  // from which Shift goes on
    this.count = make('b');
    this.stars = starRow(stars => this.rate(stars));
    const act = (says, title, work) => textButton(says, work, {title});
    this.element = make(
        'div', {class: 'chosen-bar', role: 'group', 'aria-label': 'The chosen ones', hidden: true},
        this.count, this.stars,
        act('Paste settings …', 'Look, palette, camera or xforms that were copied (Shift+Y)',
            () => acts.paste(this.list)),
        act('Save …', 'As one .flam3 with all of them', () => acts.many(this.list, 'save')),
        act('Render …', 'A picture of each', () => acts.many(this.list, 'render')),
        act('Contact sheet …', 'All of them small, in one picture',
            () => acts.many(this.list, 'sheet')),
        act('Make a film', 'Their flames as keys of a film, which comes behind the others',
            () => this.connection.say({type: 'gather', which: this.list})),
        textButton('None', () => this.clear(), {title: 'Choose none (Esc)', class: 'quiet'}));
  }

  /// The same stars for all of them.
  rate(stars, which = this.list) {
    if (which.length) this.connection.say({type: 'stars', which, stars});
  }

  get size() {
    return this.indices.size;
  }

  get list() {
    return [...this.indices].sort((a, b) => a - b);
  }

  has(index) {
    return this.indices.has(index);
  }

  turn(index) {
    if (!this.indices.delete(index)) this.indices.add(index);
    this.last = index;
    this.show();
  }

  /// Those between the last one and this, as they stand.
  upTo(index, inOrder, from = this.last) {
    const [a, b] = [inOrder.indexOf(from), inOrder.indexOf(index)].sort((p, q) => p - q);
    for (const one of a < 0 ? [index] : inOrder.slice(a, b + 1)) this.indices.add(one);
    this.last = index;
    this.show();
  }

  all(inOrder) {
    this.indices = new Set(inOrder);
    this.show();
  }

  clear() {
    this.indices.clear();
    this.last = -1;
    this.show();
  }

  /// Others were closed.
  keepOnly(open) {
    this.indices = new Set(open.filter(index => this.indices.has(index)));
    this.show();
  }

  show() {
    this.element.hidden = !this.size;
    this.count.textContent = `${this.size} chosen`;
    const all = new Set(this.list.map(index => this.files.stars[index] ?? 0));
    this.stars.show(all.size === 1 ? [...all][0] : 0);
    this.changed();
  }
}
