// SPDX-License-Identifier: MIT
// The first minute: three words over the picture until something is done, and a tour of twenty
// seconds past what there is. The browser remembers that the words were seen.

import {byId, make, textButton} from '../base/elements.js';

const stopMs = 4000;
const aroundPx = 4;
const stops = [
  [
    '#stage',
    'The picture: drag it, wheel or two fingers come closer. A click in a triangle chooses an xform; drag it, its corners, its ring.'
  ],
  [
    '#panel',
    'All numbers: drag sideways on one, or type. A double-click brings the default; headings fold; / finds any.'
  ],
  [
    '#ribbon', 'The palette: drag a mark to give an xform another color; a click opens the palette.'
  ],
  [
    '[aria-label=Find]',
    'Ideas: a random flame, twelve mutations to choose from. Everything can be undone (Z).'
  ],
  [
    '[aria-label=File]',
    'Open, save, render. What is shown at the end is the file, to the last bit. ? has all keys.'
  ]
];

export class Tour {
  constructor() {
    this.hints = byId('hints');
    this.ring = make('div', {id: 'tour-ring', hidden: true});
    this.words = make('p', {});
    this.next = textButton('Next', () => this.goOn());
    this.bubble = make(
        'div', {id: 'tour', role: 'dialog', 'aria-label': 'Tour', hidden: true}, this.words,
        make(
            'div', {class: 'row'}, this.next,
            textButton('End', () => this.end(), {class: 'quiet'})));
    this.bubble.addEventListener('keydown', event => {
      if (event.key === 'Escape') this.end();
      if (event.key !== 'Tab' && !event.ctrlKey) event.stopPropagation();
    });
    document.body.append(this.ring, this.bubble);
    addEventListener('resize', () => this.place());
  }

  /// To who comes for the first time.
  greet() {
    if (localStorage.getItem('greeted')) return;
    const isTouched = matchMedia('(pointer: coarse)').matches;
    this.hints.append(
        make('span', {}, 'drag the picture'),
        make('span', {}, isTouched ? 'two fingers come closer' : 'wheel comes closer'),
        isTouched ? '' : make('span', {}, '? lists all keys'),
        textButton('Tour, 20 s', () => this.begin(), {'data-role': 'tour'}));
    this.hints.hidden = false;
    const isElse = event => event.key !== 'Tab' && !this.hints.contains(event.target);
    for (const name of ['pointerdown', 'wheel', 'keydown'])
      document.addEventListener(
          name, event => isElse(event) && this.greeted(), {capture: true, passive: true});
  }

  greeted() {
    if (this.hints.hidden) return;
    this.hints.hidden = true;
    localStorage.setItem('greeted', 'yes');
  }

  begin() {
    this.greeted();
    this.at = -1;
    this.bubble.hidden = this.ring.hidden = false;
    this.goOn();
    this.next.focus();
  }

  goOn() {
    clearTimeout(this.timer);
    this.at += 1;
    if (this.at >= stops.length) return this.end();
    this.words.textContent = stops[this.at][1];
    this.next.textContent = this.at + 1 < stops.length ? 'Next' : 'Done';
    this.place();
    this.timer = setTimeout(() => this.goOn(), stopMs);
    return undefined;
  }

  end() {
    clearTimeout(this.timer);
    this.at = undefined;
    this.bubble.hidden = this.ring.hidden = true;
    byId('stage').focus();
  }

  /// The ring around what is spoken of, the words where they hide nothing of it, if there is room.
  place() {
    if (this.at === undefined) return;
    const there = document.querySelector(stops[this.at][0])?.getBoundingClientRect();
    const {left, top, right, bottom} = there?.width ? there : byId('stage').getBoundingClientRect();
    const put = (element, x, y) => {
      element.style.left = x + 'px';
      element.style.top = y + 'px';
    };
    put(this.ring, left - aroundPx, top - aroundPx);
    this.ring.style.width = right - left + 2 * aroundPx + 'px';
    this.ring.style.height = bottom - top + 2 * aroundPx + 'px';
    const {offsetWidth: width, offsetHeight: height} = this.bubble, gap = 14;
    const inside = (value, size, all) => Math.max(8, Math.min(value, all - size - 8));
    const places = [
      [left, bottom + gap], [left - width - gap, top + gap], [left, top - height - gap],
      [(left + right - width) / 2, bottom - height - 3 * gap]
    ];
    const fits = ([x, y]) =>
        x >= 8 && y >= 8 && x + width <= innerWidth && y + height <= innerHeight;
    const [x, y] = places.find(fits) ?? places.at(-1);
    put(this.bubble, inside(x, width, innerWidth), inside(y, height, innerHeight));
  }
}
