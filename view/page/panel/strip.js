// SPDX-License-Identifier: MIT
// A strip of the palette with a mark to drag: a slider from 0 to 1.

import {paintStrip} from '../base/colors.js';
import {make} from '../base/elements.js';

/// about: {label, title, read(flame), write(flame, value, gesture)}
export function stripSlider(editor, about) {
  const canvas = make('canvas', {}), mark = make('i', {});
  const element = make(
      'div', {
        class: 'strip',
        role: 'slider',
        tabindex: 0,
        title: about.title,
        'aria-label': about.label,
        'data-field': about.label,
        'aria-valuemin': 0,
        'aria-valuemax': 1
      },
      canvas, mark);
  const set = (value, gesture) => {
    const inside = Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;
    editor.change(flame => about.write(flame, inside, gesture), gesture);
  };
  element.refresh = () => {
    if (!editor.flame) return;
    const value = about.read(editor.flame);
    paintStrip(canvas, editor.flame.colors);
    mark.style.left = 100 * Math.min(1, Math.max(0, value)) + '%';
    element.setAttribute('aria-valuenow', value);
  };
  element.addEventListener('pointerdown', event => {
    event.preventDefault();
    element.focus();
    element.setPointerCapture(event.pointerId);
    const gesture = editor.begin();
    const follow = moved => {
      const {left, width} = element.getBoundingClientRect();
      set((moved.clientX - left) / width, gesture);
    };
    follow(event);
    element.addEventListener('pointermove', follow);
    element.addEventListener(
        'lostpointercapture', () => element.removeEventListener('pointermove', follow),
        {once: true});
  });
  element.addEventListener('keydown', event => {
    const step = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1}[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    set(about.read(editor.flame) +
            step *
                (event.shiftKey   ? 0.1 :
                     event.altKey ? 0.001 :
                                    0.01),
        editor.beginOrGoOn(element));
  });
  return element;
}
