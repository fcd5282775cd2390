// SPDX-License-Identifier: MIT
// How the way from one key to the next is gone, to choose by a click: pictures of the ways, and a
// curve with two handles to drag.

import {make, makeSvg} from '../base/elements.js';

import {eased, easingName, easings, handlesOf} from './film.js';

const points = 32, side = 120, reach = 0.5;  // how far handles may lie above and below

/// The way as a line in a box.
function easingLine(easing, width, height, attributes = {}) {
  const at = i => {
    const t = i / points;
    return `${(t * width).toFixed(1)},${
        ((1 - eased(easing, Math.min(t, 0.999))) * height).toFixed(1)}`;
  };
  const line = Array.from({length: points + 1}, (_, i) => at(i)).join(' ');
  const held = easing === 'hold' ? ` ${width},0` : '';
  return makeSvg('polyline', {points: line + held, ...attributes});
}

const picture = easing => makeSvg(
    'svg', {viewBox: '-2 -6 32 32', class: 'way-gone', 'aria-hidden': 'true'},
    easingLine(easing, 28, 20));

/// The way between two keys of the strip, as a button with its line.
export function segmentButton(easing, attributes, act) {
  const svg = makeSvg(
      'svg', {viewBox: '0 -4 40 20', preserveAspectRatio: 'none', 'aria-hidden': 'true'},
      easingLine(easing, 40, 12));
  const button = make(
      'button', {
        type: 'button',
        class: 'segment',
        ...attributes,
        pointerdown: event => event.stopPropagation(),
        click: () => act(button)
      },
      svg);
  return button;
}

/// One for all: a list beside what was clicked. chosen(easing, gesture) hears of each change.
export class EasingMenu {
  constructor(begin) {
    this.begin = begin;  // gives the number of a new gesture
    this.element = make('div', {
      id: 'easings',
      role: 'menu',
      'aria-label': 'How the way to the next key is gone',
      hidden: true,
      keydown: event => this.onKey(event)
    });
    document.body.append(this.element);
    document.addEventListener('pointerdown', event => {
      if (!this.element.contains(event.target)) this.close();
    });
  }

  /// offers: names of easings.
  open(beside, easing, chosen, offers = easings) {
    this.beside = beside;
    this.chosen = chosen;
    this.offers = offers;
    this.place = beside.getBoundingClientRect();
    this.show(easing);
  }

  /// Where it was opened: what it stands beside may have been drawn anew.
  show(easing) {
    this.draw(easing);
    this.element.hidden = false;
    const {left, top, bottom} = this.place, box = this.element.getBoundingClientRect();
    const x = Math.max(4, Math.min(left, innerWidth - box.width - 4));
    const y = top - box.height - 4 > 4 ? top - box.height - 4 :
                                         Math.min(bottom + 4, innerHeight - box.height - 4);
    this.element.style.left = `${x}px`;
    this.element.style.top = `${y}px`;
    this.element.querySelector('[aria-checked=true]')?.focus();
  }

  close() {
    this.element.hidden = true;
  }

  draw(easing) {
    const name = easingName(easing);
    const buttons = this.offers.map(
        offer => make(
            'button', {
              type: 'button',
              role: 'menuitemradio',
              'aria-checked': String(offer === name),
              'data-easing': offer,
              click: () => this.choose(offer)
            },
            picture(offer === name ? easing : offer), offer));
    this.element.replaceChildren(...buttons, ...(name === 'curve' ? [this.curve(easing)] : []));
  }

  choose(offer) {
    const easing = offer === 'curve' ? handlesOf('').join(' ') : offer;
    this.chosen(easing, this.begin());
    if (offer === 'curve')
      this.show(easing);
    else
      this.close();
  }

  onKey(event) {
    event.stopPropagation();
    const all = [...this.element.querySelectorAll('button')];
    const at = all.indexOf(document.activeElement);
    const step = {ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1}[event.key];
    if (event.key === 'Escape') {
      this.close();
      this.beside.focus?.();
    }
    if (!step) return;
    event.preventDefault();
    all[(at + step + all.length) % all.length].focus();
  }

  /// Its two handles.
  curve(easing) {
    const handles = handlesOf(easing);
    const svg = makeSvg('svg', {
      class: 'handles',
      viewBox: `-8 ${- reach * side - 8} ${side + 16} ${(1 + 2 * reach) * side + 16}`
    });
    const draw = () => {
      const at = i => [handles[2 * i] * side, (1 - handles[2 * i + 1]) * side];
      const dot = i => makeSvg('circle', {
        cx: at(i)[0],
        cy: at(i)[1],
        r: 6,
        'data-handle': i,
        pointerdown: event => hold(event, i)
      });
      const stalk = i =>
          makeSvg('line', {x1: i * side, y1: (1 - i) * side, x2: at(i)[0], y2: at(i)[1]});
      svg.replaceChildren(
          makeSvg('rect', {width: side, height: side}), easingLine(handles.join(' '), side, side),
          stalk(0), stalk(1), dot(0), dot(1));
    };
    const hold = (event, i) => {
      event.preventDefault();
      const gesture = this.begin();
      svg.setPointerCapture(event.pointerId);
      const follow = moved => {
        const box = svg.getBoundingClientRect(), scale = (side + 16) / box.width;
        const x = ((moved.clientX - box.left) * scale - 8) / side;
        const y = 1 - ((moved.clientY - box.top) * scale - 8 - reach * side) / side;
        const rounded = value => Math.round(value * 100) / 100;
        handles[2 * i] = rounded(Math.max(0, Math.min(1, x)));
        handles[2 * i + 1] = rounded(Math.max(-reach, Math.min(1 + reach, y)));
        draw();
        this.chosen(handles.join(' '), gesture);
      };
      svg.addEventListener('pointermove', follow);
      svg.addEventListener(
          'lostpointercapture', () => svg.removeEventListener('pointermove', follow), {once: true});
    };
    draw();
    return svg;
  }
}
