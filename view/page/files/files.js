// SPDX-License-Identifier: MIT
// The opened flames: their names, which one is shown, and the ways from one to the next.

import {byId, make} from '../base/elements.js';

export class Files {
  constructor(connection) {
    this.connection = connection;
    this.select = byId('flames');
    this.select.addEventListener('change', () => this.go(Number(this.select.value)));
    this.index = 0;
    this.names = [];       // of the opened flames
    this.shownNames = [];  // with marks
    this.stars = [];       // 0 to 5
    this.frames = [];      // of flames that are moments of films; 0: of none
  }

  welcome({flames, frames, stars}) {
    this.frames = frames;
    this.stars = stars;
    this.select.replaceChildren();
    this.list(flames);
  }

  /// Flames come behind the others; one that was closed leaves its place empty: null.
  list(names) {
    this.names = names.map((name, i) => (name === null ? null : name || `flame ${i + 1}`));
    for (let i = this.select.options.length; i < names.length; ++i)
      this.select.append(make('option', {value: i}));
    this.names.forEach((name, i) => {
      const option = this.select.options[i];
      option.hidden = option.disabled = name === null;
    });
  }

  /// Indices of those that are open.
  get openOnes() {
    return [...this.names.keys()].filter(i => this.names[i] !== null);
  }

  get count() {
    return this.names.length;
  }

  at(index, name) {
    this.index = index;
    this.select.value = String(index);
    this.rename(index, name);
  }

  rename(index, name) {
    if (this.names[index] !== null && index < this.count)
      this.names[index] = name || `flame ${index + 1}`;
  }

  /// Names of the flames as they are now; isUnsaved(index): with a mark.
  mark(isUnsaved) {
    this.shownNames =
        this.names.map((name, i) => (name === null ? '' : (isUnsaved(i) ? '• ' : '') + name));
    const film = i => (this.frames[i] ? ` · film, ${this.length(i)}` : '');
    this.shownNames.map((name, i) => name + film(i)).forEach((name, i) => {
      const option = this.select.options[i];
      if (option.textContent !== name) option.textContent = name;
    });
  }

  /// Of a film.
  length(index) {
    const frames = this.frames[index];
    return frames === 1 ? '1 frame' : `${frames} frames`;
  }

  /// [index, name] of those that are open beside this one.
  get others() {
    return this.openOnes.filter(index => index !== this.index)
        .map(index => [index, this.names[index]]);
  }

  go(index) {
    if (this.names[index] && index !== this.index) this.connection.say({type: 'select', index});
  }

  next(step) {
    const {openOnes} = this, {length} = openOnes;
    if (length > 1) this.go(openOnes[(openOnes.indexOf(this.index) + step + length) % length]);
  }
}
