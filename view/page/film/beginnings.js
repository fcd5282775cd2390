// SPDX-License-Identifier: MIT
// What a film can begin with, where the flame is of none: itself, a loop of it, other flames.

import {make, textButton} from '../base/elements.js';

export class Beginnings {
  /// frames: the field that says how many; film(kind, more, ending) makes it.
  constructor(frames, film) {
    this.frames = frames;
    this.make = film;
    this.offered = '';  // flames that there are buttons for
    this.others = make('span', {class: 'group'});
    this.element = make('div', {class: 'begin'});
  }

  /// others: [[index, name, whether it is of a film]] of the other flames. A hand may be about to press what
  /// is there: it stays as long as it is the same.
  draw(others) {
    const offered = JSON.stringify(others);
    const count = 1 + others.filter(([, , isFilm]) => !isFilm).length;
    if (offered === this.offered) return;
    this.offered = offered;
    this.others.replaceChildren(...(
        others.length ?
            [
              'Transition to ',
              make(
                  'span', {class: 'choices'},
                  ...others.slice(0, 12).map(
                      ([index, name]) => textButton(
                          name, () => this.make('transition', {to: index}), {'data-to': index})))
            ] :
            []));
    this.element.replaceChildren(
        make('span', {class: 'group'}, this.frames, make('span', {class: 'muted'}, 'frames')),
        textButton(
            'Make a loop of this flame', () => this.make('loop'), {id: 'timeline-make-loop'}),
        make(
            'span', {class: 'group'}, make('span', {class: 'muted'}, 'or into a file:'),
            ...['gif', 'webp', 'mp4'].map(
                ending => textButton(
                    ending === 'webp' ? 'WebP' : ending.toUpperCase(),
                    () => this.make('loop', {}, ending),
                    {'data-loop': ending, title: `A loop of this flame as .${ending}`}))),
        textButton('First key here', () => this.make('this'), {id: 'timeline-make-this'}),
        count > 1 ? textButton(
                        `A film of all ${count} flames`, () => this.make('opened'),
                        {id: 'timeline-make-opened'}) :
                    '',
        this.others);
  }
}
