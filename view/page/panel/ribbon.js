// SPDX-License-Identifier: MIT
// The palette, always in sight above the pages of the panel: where each xform takes its color, to be
// dragged there, and a way to the page of the palette.

import {paintStrip, shownColor} from '../base/colors.js';
import {byId, make} from '../base/elements.js';
import {isClick} from '../base/geometry.js';

export class Ribbon {
  /// open(): the page of the palette.
  constructor(editor, open) {
    this.editor = editor;
    this.open = open;
    this.canvas = make('canvas', {});
    this.marks = make('div', {class: 'colors'});
    this.element = byId('ribbon');
    this.element.append(
        make(
            'button', {
              type: 'button',
              title:
                  'Where xforms take their color: drag a mark; a click opens the palette (C)\npalette, color',
              'aria-label': 'Palette',
              click: () => this.open()
            },
            this.canvas),
        this.marks);
    for (const name of ['flame', 'change', 'choose'])
      editor.addEventListener(name, () => this.refresh());
  }

  refresh() {
    const {editor: {flame}, marks} = this, {all, colors} = flame, text = String(colors);
    if (text !== this.painted) paintStrip(this.canvas, colors);
    this.painted = text;
    while (marks.children.length > all.length) marks.lastChild.remove();
    while (marks.children.length < all.length) marks.append(this.makeMark(marks.children.length));
    all.forEach((xform, i) => {
      const mark = marks.children[i], color = flame.number('color', 0, xform);
      const place = Math.min(1, Math.max(0, color));
      mark.textContent = flame.signOf(xform);
      mark.title = `Xform ${flame.signOf(xform)} ${flame.nameOf(xform)}`.trim();
      mark.style.left = 100 * place + '%';
      mark.style.setProperty('--own', shownColor(colors, place));
      mark.classList.toggle('picked', this.editor.isPicked(i));
      mark.classList.toggle('chosen', i === this.editor.chosen);
    });
  }

  makeMark(index) {
    return make('i', {pointerdown: event => this.drag(event, index)});
  }

  /// With the others that are chosen, each from its own place.
  drag(event, index) {
    event.preventDefault();
    const {editor} = this, mark = this.marks.children[index];
    if (!editor.isPicked(index)) editor.choose(index);
    const begin = editor.picked.map(xform => [xform, editor.flame.number('color', 0, xform)]);
    const {width} = this.marks.getBoundingClientRect();
    let gesture = 0;
    const follow = moved => {
      if (!gesture && isClick(event, moved)) return;
      gesture ||= editor.begin();
      const by = (moved.clientX - event.clientX) / Math.max(1, width);
      editor.change(flame => {
        for (const [xform, from] of begin)
          flame.set('color', Math.round(1e4 * Math.min(1, Math.max(0, from + by))) / 1e4, xform);
      }, gesture);
    };
    mark.setPointerCapture(event.pointerId);
    mark.addEventListener('pointermove', follow);
    mark.addEventListener('lostpointercapture', () => {
      mark.removeEventListener('pointermove', follow);
      if (!gesture) editor.choose(index);
    }, {once: true});
  }
}
