// SPDX-License-Identifier: MIT
// What lies over the stage or beside it until it is closed, with small pictures of flames: the wall,
// mutations, kept states. Arrow keys go from picture to picture; of those that take the same place
// one is open.

import {byId, make, signButton} from './elements.js';

const opened = new Set();

export class Over {
  /// place: what else takes it is closed when this opens.
  constructor(id, place = id) {
    this.place = place;
    this.section = byId(id);
    this.grid = make('div', {class: 'grid', keydown: event => this.onKey(event)});
  }

  get open() {
    return !this.section.hidden;
  }

  /// parts: of the line at the top; behind them the way out.
  fill(...parts) {
    const says = this.place === this.section.id ? 'Close (Esc)' : 'Close';
    const close = signButton('remove', says, () => this.close(), {'data-role': 'close'});
    this.section.replaceChildren(make('header', {}, ...parts, close), this.grid);
  }

  toggle() {
    if (this.open)
      this.close();
    else
      this.show();
  }

  show() {
    for (const other of opened)
      if (other !== this && other.place === this.place) other.close();
    opened.add(this);
    this.section.hidden = false;
  }

  close() {
    opened.delete(this);
    this.section.hidden = true;
  }

  /// The shape of the pictures, until they are there.
  shape({width, height}) {
    this.grid.style.setProperty('--shape', `${width} / ${height}`);
  }

  get columns() {
    return getComputedStyle(this.grid).gridTemplateColumns.split(' ').length;
  }

  onKey(event) {
    const tiles = [...this.grid.querySelectorAll('.tile')];
    const at = tiles.indexOf(document.activeElement), {columns} = this;
    const step = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -columns,
      ArrowDown: columns,
      Home: -at,
      End: tiles.length - 1 - at
    }[event.key];
    if (step === undefined || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    (tiles[at + step] ?? (event.key === 'ArrowUp' ? this.above : undefined))?.focus();
  }
}
