// SPDX-License-Identifier: MIT
// Which part of the film the strip shows, and where a time lies on it: all of it, or closer by Alt and wheel,
// two fingers or buttons. A bar below the strip has the part, to be dragged along.

import {make, makeSvg, textButton} from '../base/elements.js';

const endPx = 38;
const mostPerFrame = 120;  // pixels
const step = 1.5;          // of the buttons
const perWheelPx = 0.0025;
const steps = [1, 2, 5, 10, 20, 30, 50, 60, 100, 150, 300, 600, 1200, 3000, 6000, 12000, 60000];

export class Span {
  /// changed() draws what lies on the strip anew.
  constructor(timeline, changed) {
    this.timeline = timeline;
    this.changed = changed;
    this.part = null;   // [begin, end]; null: all of it
    this.fixed = null;  // the scale, while a hand holds something or all is drawn
    this.fingers = new Map();
    this.buttons = [
      textButton('−', () => this.closer(1 / step), {title: 'More of the time (Alt and wheel)'}),
      textButton('+', () => this.closer(step), {title: 'Less of the time, closer (Alt and wheel)'}),
      textButton('Fit', () => this.fit(), {title: 'All of the film', id: 'timeline-fit'})
    ];
    this.buttons[0].setAttribute('aria-label', 'Zoom out');
    this.buttons[1].setAttribute('aria-label', 'Zoom in');
    this.ruler = makeSvg('svg', {class: 'ruler', 'aria-hidden': 'true'});
    this.thumb = make('i');
    this.bar = make(
        'div', {class: 'part', hidden: true, pointerdown: event => this.onBar(event)}, this.thumb);
  }

  /// Wheel and fingers on the strip.
  listen(strip) {
    this.strip = strip;
    strip.addEventListener('wheel', event => this.onWheel(event), {passive: false});
    strip.addEventListener('pointerdown', event => this.onFinger(event), {capture: true});
    strip.addEventListener('pointermove', event => this.onFingers(event), {capture: true});
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'])
      strip.addEventListener(
          name, ({pointerId}) => this.fingers.delete(pointerId), {capture: true});
  }

  // ---- where a time lies ----

  /// All of the film, or of its song if that is longer, with a bit of room behind it.
  get whole() {
    const {film} = this.timeline, {begin, shownEnd} = film;
    const last = Math.max(shownEnd, begin + 10, film.songEnd);
    return [begin, last + (last - begin) * 0.08];
  }

  get width() {
    return Math.max(1, this.strip.clientWidth - 2 * endPx);
  }

  get scale() {
    if (this.fixed) return this.fixed;
    const [begin, end] = this.part ?? this.whole;
    return {begin, end, perFrame: this.width / (end - begin)};
  }

  xOf(time) {
    const {begin, perFrame} = this.scale;
    return endPx + (time - begin) * perFrame;
  }

  timeAt(clientX) {
    const {begin, perFrame} = this.scale;
    const x = clientX - this.strip.getBoundingClientRect().left - endPx;
    return Math.round(begin + x / perFrame);
  }

  /// Asks the browser once, not for each key, how wide the strip is.
  measured(work) {
    const before = this.fixed;
    this.fixed = this.scale;
    work();
    this.fixed = before;
  }

  // ---- another part ----

  show(begin, length) {
    const [first, last] = this.whole, most = last - first;
    const held = Math.max(this.width / mostPerFrame, Math.min(most, length));
    const from = Math.max(first, Math.min(last - held, begin));
    this.part = held >= most ? null : [from, from + held];
    this.changed();
  }

  fit() {
    this.part = null;
    this.changed();
  }

  /// `factor` times as close; what lies at `x` stays there, without one the hand, or the middle where it is not seen.
  closer(factor, x) {
    if (!this.timeline.film) return;
    const [begin, end] = this.part ?? this.whole, {time} = this.timeline;
    const isSeen = time >= begin && time <= end;
    const share = x === undefined ? (isSeen ? (time - begin) / (end - begin) : 0.5) :
                                    (x - endPx) / this.width;
    const length = (end - begin) / factor;
    this.show(begin + share * (end - begin - length), length);
  }

  /// By so many pixels.
  move(px) {
    if (!this.part) return;
    const [begin, end] = this.part;
    this.show(begin + px * (end - begin) / this.width, end - begin);
  }

  /// So that a time is seen. Whether the part is another now.
  reveal(time) {
    if (!this.part || this.fixed) return false;
    const [begin, end] = this.part;
    if (time >= begin && time <= end) return false;
    const length = end - begin;
    this.show(time - length * (time > end ? 0.1 : 0.9), length);
    return true;
  }

  onWheel(event) {
    if (!this.timeline.film) return;
    const box = this.strip.getBoundingClientRect();
    if (event.altKey || event.ctrlKey)
      this.closer(Math.exp(-(event.deltaY || event.deltaX) * perWheelPx), event.clientX - box.left);
    else if (this.part)
      this.move(Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY);
    else
      return;
    event.preventDefault();
  }

  // ---- two fingers ----

  /// Whether two of them are on the strip: the hand does not follow then.
  get isPinched() {
    return this.fingers.size > 1;
  }

  onFinger({pointerType, pointerId, clientX}) {
    if (pointerType === 'touch') this.fingers.set(pointerId, clientX);
  }

  onFingers({pointerId, clientX}) {
    if (!this.fingers.has(pointerId)) return;
    const before = this.spread;
    this.fingers.set(pointerId, clientX);
    if (!this.isPinched) return;
    this.fixed = null;
    const after = this.spread;
    this.closer(after.apart / before.apart, before.middle);
    this.move(before.middle - after.middle);
  }

  get spread() {
    const {left} = this.strip.getBoundingClientRect(), [a, b = a] = this.fingers.values();
    return {apart: Math.max(12, Math.abs(a - b)), middle: (a + b) / 2 - left};
  }

  // ---- what shows it ----

  onBar(event) {
    event.preventDefault();
    const {bar} = this, {clientWidth} = bar;
    let x = event.clientX;
    const follow = moved => {
      const [first, last] = this.whole, [begin, end] = this.part ?? this.whole;
      this.show(begin + (moved.clientX - x) * (last - first) / clientWidth, end - begin);
      x = moved.clientX;
    };
    bar.setPointerCapture(event.pointerId);
    bar.addEventListener('pointermove', follow);
    bar.addEventListener(
        'lostpointercapture', () => bar.removeEventListener('pointermove', follow), {once: true});
  }

  /// range: [from, to] of what is played.
  draw(range) {
    const {begin, end, perFrame} = this.scale;
    const every = steps.find(one => one * perFrame >= 46) ?? 1e6;
    const marks = [];
    for (let time = Math.ceil(begin / every) * every; time <= end; time += every) {
      const x = this.xOf(time);
      marks.push(
          makeSvg('line', {x1: x, x2: x, y1: 12, y2: 18}),
          makeSvg('text', {x, y: 10}, String(time)));
    }
    const [from, to] = range;
    const played = makeSvg(
        'rect',
        {x: this.xOf(from), y: 16, width: Math.max(1, this.xOf(to) - this.xOf(from)), height: 2});
    this.ruler.replaceChildren(played, ...marks);
    this.bar.hidden = !this.part;
    this.buttons[0].disabled = this.buttons[2].disabled = !this.part;
    if (!this.part) return;
    const [first, last] = this.whole, share = time => 100 * (time - first) / (last - first);
    this.thumb.style.left = `${share(begin)}%`;
    this.thumb.style.width = `${share(end) - share(begin)}%`;
  }
}
