// SPDX-License-Identifier: MIT
// Names that somebody takes again and again: those with a star, and the last ones that were taken. The
// browser keeps both.

import {make} from '../base/elements.js';

const mostRecent = 8;

export class Favourites {
  /// what: of which list; act(): others have a star now.
  constructor(what, act) {
    this.what = what;
    this.act = act;
    this.stars = new Map();  // buttons by name
  }

  list(kind) {
    try {
      const names = JSON.parse(localStorage.getItem(`${kind}-${this.what}`));
      return Array.isArray(names) ? names : [];
    } catch {
      return [];
    }
  }

  keep(kind, names) {
    localStorage.setItem(`${kind}-${this.what}`, JSON.stringify(names));
  }

  /// It was taken: the first of the recent ones.
  took(name) {
    const others = this.list('recent').filter(other => other !== name);
    this.keep('recent', [name, ...others].slice(0, mostRecent));
  }

  turn(name) {
    const names = this.list('starred'), others = names.filter(other => other !== name);
    this.keep('starred', others.length < names.length ? others : [...names, name]);
    this.act();
  }

  /// The star of a name, for its row in the list.
  star(name) {
    const button = make(
        'button', {
          type: 'button',
          class: 'star',
          tabindex: -1,
          mousedown: event => event.preventDefault(),  // the search keeps the keys
          click: event => {
            event.stopPropagation();
            this.turn(name);
          }
        },
        '★');
    this.stars.set(name, button);
    return button;
  }

  /// Those with a star first, then the recent ones; marks the stars.
  get ranks() {
    const starred = this.list('starred'), recent = this.list('recent');
    for (const [name, button] of this.stars) {
      const isOne = starred.includes(name);
      const title =
          `${isOne ? 'No star for' : 'A star for'} ${name}: first in the list (Alt+Enter)`;
      button.setAttribute('aria-pressed', String(isOne));
      button.title = title;
      button.setAttribute('aria-label', title);
    }
    const order = [...starred, ...recent.filter(name => !starred.includes(name))];
    return name => (order.includes(name) ? order.indexOf(name) : order.length);
  }
}
