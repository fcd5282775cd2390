// SPDX-License-Identifier: MIT
// What pictures are like while things move: fast ones, or clear ones that take three times as long.
// The browser keeps the choice.

import {byId} from '../base/elements.js';

const budgetsMs = {
  fast: 33,
  clear: 100
};

export class Drafts {
  constructor(picture) {
    this.picture = picture;
    this.button = byId('drafts');
    this.button.addEventListener('click', () => this.next());
    this.choose(localStorage.getItem('drafts') === 'clear' ? 'clear' : 'fast');
  }

  next() {
    this.choose(this.name === 'fast' ? 'clear' : 'fast');
    localStorage.setItem('drafts', this.name);
  }

  choose(name) {
    this.name = name;
    this.button.textContent = `drafts: ${name}`;
    this.button.title = name === 'fast' ?
        'While you drag: many pictures a second. Press for larger and clearer ones' :
        'While you drag: ten pictures a second, as large and clear as possible. Press for more a second';
    this.picture.setBudget(budgetsMs[name]);
  }
}
