// SPDX-License-Identifier: MIT
// Xaos (`chaos` in files): how many times as often the game goes from each xform to each other, as
// a table. Rows are where it comes from, columns where it goes.

import {make, textButton} from '../base/elements.js';

import {numberField, proportional} from './numbers.js';

const mostInTable = 24;  // of more xforms the chosen one's row alone: fields cost time

export class Xaos {
  constructor(editor) {
    this.editor = editor;
    this.fields = [];
    this.table = make('div', {
      class: 'xaos',
      role: 'group',
      'aria-label': 'Xaos',
      tabindex: -1,
      'data-find': 'Xaos',
      'data-tip': 'From row to column: chaos'
    });
    this.only = make('div', {class: 'row'});
    this.clearRow = this.button('Clear row', 'All 1 again', flame => flame.xforms.map(() => 1));
    this.element = make(
        'div', {},
        make(
            'h3', {
              title:
                  'How many times as often the game goes from an xform (row) to another (column)\nchaos'
            },
            'Xaos: from row to column'),
        make('div', {class: 'sideways'}, this.table), this.only,
        make(
            'div', {class: 'row'}, this.clearRow,
            textButton('Clear all', () => this.clear(), {title: 'All numbers 1 again'})));
    for (const name of ['flame', 'choose']) editor.addEventListener(name, () => this.build());
    editor.addEventListener('change', () => this.refresh());
  }

  /// The row that is chosen.
  get from() {
    return Math.min(this.editor.chosen, this.editor.flame.xforms.length - 1);
  }

  /// Nothing, where nothing of it has changed: a table may have hundreds of fields.
  refresh() {
    const rows = this.editor.flame.xforms.map(xform => xform.getAttribute('chaos')).join('|');
    if (rows === this.shown) return;
    this.shown = rows;
    for (const field of this.fields) field.refresh();
  }

  build() {
    const {flame} = this.editor, {xforms} = flame;
    this.element.hidden = xforms.length < 2;
    const key =
        `${xforms.map(xform => flame.nameOf(xform))} ${xforms.length > mostInTable && this.from}`;
    if (key !== this.built) this.makeTable(xforms);
    this.built = key;
    const {pickedStandard} = this.editor;
    for (const part of [this.only, this.clearRow]) part.hidden = !pickedStandard.length;
    for (const head of this.table.querySelectorAll('button'))
      head.setAttribute('aria-pressed', String(Number(head.dataset.row) === this.editor.chosen));
    this.refresh();
  }

  makeTable(xforms) {
    const all = [...xforms.keys()], rows = all.length > mostInTable ? [this.from] : all;
    const says = i => `Xform ${i + 1} ${this.editor.flame.nameOf(xforms[i])}`.trim();
    this.table.style.setProperty('--count', all.length);
    this.shown = undefined;
    this.fields = rows.flatMap(from => all.map(to => this.cell(from, to, says)));
    this.table.replaceChildren(
        make('span', {}), ...all.map(to => make('span', {class: 'head', title: says(to)}, to + 1)),
        ...rows.flatMap(
            (from, i) =>
                [textButton(String(from + 1), () => this.editor.choose(from), {
                   class: 'quiet',
                   'data-row': from,
                   title: says(from),
                   'aria-label': says(from)
                 }),
                 ...this.fields.slice(i * all.length, (i + 1) * all.length)]));
    this.only.replaceChildren(
        make('span', {class: 'head'}, 'Only to'),
        ...all.map(
            to => this.button(
                String(to + 1), `From the chosen xform only to ${says(to)}`,
                flame => flame.xforms.map((_, i) => Number(i === to)))));
  }

  cell(from, to, says) {
    return numberField(this.editor, {
      label: '',
      name: `xaos ${from + 1} ${to + 1}`,
      says: `From ${says(from)} to ${says(to)}`,
      title: `From ${says(from)} to ${says(to)}`,
      attribute: 'chaos',
      min: 0,
      step: proportional,
      digits: 3,
      otherwise: 1,
      plain: true,
      read: flame => flame.chaos(flame.xforms[from])[to] ?? 1,
      write: (flame, value) => {
        const xform = flame.xforms[from];
        flame.setChaos(xform, flame.chaos(xform).with(to, value));
      },
      mark: colorByValue
    });
  }

  button(says, title, row) {
    const act = () =>
        this.editor.change(flame => flame.setChaos(flame.xforms[this.from], row(flame, this.from)));
    return textButton(says, act, {title});
  }

  clear() {
    this.editor.change(flame => flame.xforms.forEach(xform => xform.removeAttribute('chaos')));
  }
}

/// Darker for less than usual, warmer for more.
function colorByValue(element, value) {
  element.style.setProperty('--less', `${100 * Math.max(0, 1 - value)}%`);
  element.style.setProperty('--more', `${70 * Math.min(1, Math.log2(Math.max(value, 1)) / 3)}%`);
}
