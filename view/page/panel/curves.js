// SPDX-License-Identifier: MIT
// Curves of brightness over the finished picture: of all channels and of red, green and blue, with
// points to drag (engine/model/curves.h). Apophysis' have four points each, whose heights count.

import {make, makeSvg, segments, textButton} from '../base/elements.js';
import {shortNumber} from '../base/flame.js';

import {Histogram} from './histogram.js';

const channels = [
  ['overall_curve', 'all', 'All channels'], ['red_curve', 'R', 'Red'],
  ['green_curve', 'G', 'Green'], ['blue_curve', 'B', 'Blue']
];
const foreign = ['curves', 'kiln_curves'];
const straight = [{x: 0, y: 0}, {x: 1, y: 1}];
const leastGap = 0.005;  // between two points, of x
const keyStep = 0.01;
const samples = 96;
const [wide, high] = [100, 72];  // of the drawing, with a margin for the dots at its ends
const margin = 4;
const doubleClickMs = 600;

const inside = value => Math.min(1, Math.max(0, value));
const rounded = value => Math.round(value * 1e4) / 1e4;

/// Points of "x y x y ..."; the straight line where there are fewer than two.
function pointsOf(text) {
  const numbers = (text ?? '').split(/\s+/).filter(Boolean).map(Number);
  const points = [];
  for (let i = 0; i + 1 < numbers.length; i += 2)
    points.push({x: inside(numbers[i]), y: inside(numbers[i + 1])});
  points.sort((p, q) => p.x - q.x);
  return points.length < 2 ? straight.map(point => ({...point})) : points;
}

/// The piecewise cubic of the engine.
function splineAt(points, at) {
  const x = Math.min(points.at(-1).x, Math.max(points[0].x, at));
  const width = i => points[i + 1].x - points[i].x;
  const slope = i => (points[i + 1].y - points[i].y) / width(i);
  const bend = i =>
      (i > 0 && i + 1 < points.length ? 3 * (slope(i) - slope(i - 1)) / (width(i) + width(i - 1)) :
                                        0);
  let i = 0;
  while (i + 2 < points.length && x > points[i + 1].x) ++i;
  const u = x - points[i].x, w = width(i), [from, to] = [bend(i), bend(i + 1)];
  return points[i].y + u * (slope(i) - w * (to + 2 * from) / 6) + u * u * from / 2 +
      u * u * u * (to - from) / (6 * w);
}

function bezierAt(points, t) {
  const shares = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3];
  const sum = of => shares.reduce((all, share, i) => all + share * points[i].weight * of(i), 0);
  return sum(() => 1) ? sum(i => points[i].y) / sum(() => 1) : t;
}

export class Curves {
  constructor(editor) {
    this.editor = editor;
    this.channel = 0;
    this.chosen = 0;
    this.kinds = segments(
        'Channel', channels.map(([, says, title], i) => [i, says, title]), i => this.show(i));
    this.histogram = new Histogram(editor, wide, high);
    this.line = makeSvg('path', {class: 'line'});
    this.dots = makeSvg('g');
    this.svg = makeSvg(
        'svg', {
          tabindex: -1,
          'data-find': 'Curves of brightness',
          'data-tip': channels.map(([name]) => name).join(' '),
          viewBox: `${- margin} ${- margin} ${wide + 2 * margin} ${high + 2 * margin}`,
          pointerdown: event => this.onDown(event),
          dblclick: event => this.onDoubleClick(event)
        },
        this.histogram.path, makeSvg('path', {
          class: 'lines',
          d: 'M25 0V72M50 0V72M75 0V72M0 18H100M0 36H100M0 54H100M0 0H100V72H0ZM0 72 100 0'
        }),
        this.line, this.dots);
    this.histogram.watch(this.svg);
    this.says = make('p', {class: 'hint'});
    this.element = make(
        'div', {
          class: 'curves',
          'data-attribute': [...channels.map(([name]) => name), ...foreign].join(' ')
        },
        make(
            'h3', {title: 'overall_curve, red_curve, green_curve, blue_curve'}, 'Curves',
            this.kinds),
        this.svg, this.says,
        make(
            'div', {class: 'row'}, textButton('Straight', () => this.reset([this.channel])),
            textButton('All straight', () => this.reset([0, 1, 2, 3]))));
    this.element.refresh = () => this.refresh();
    this.kinds.show(0);
  }

  show(channel) {
    this.channel = Number(channel);
    this.chosen = 0;
    this.kinds.show(channel);
    this.histogram.show(this.channel);
    this.refresh();
  }

  get name() {
    return channels[this.channel][0];
  }

  /// Apophysis' four curves of four points, if the flame has them.
  get bezier() {
    const text = this.editor.flame.element.getAttribute('curves');
    const numbers = text?.trim().split(/\s+/).map(Number);
    if (numbers?.length !== 48) return null;
    const point = i => ({x: i % 4 / 3, y: numbers[3 * i + 1], weight: numbers[3 * i + 2], at: i});
    return Array.from({length: 16}, (_, i) => point(i));
  }

  refresh() {
    const {element} = this.editor.flame, {bezier} = this;
    const isMixed = element.hasAttribute('kiln_curves');
    this.points = bezier ? bezier.slice(4 * this.channel, 4 * this.channel + 4) :
                           pointsOf(element.getAttribute(this.name));
    this.chosen = Math.min(this.chosen, this.points.length - 1);
    const at = x => (bezier ? bezierAt(this.points, x) : splineAt(this.points, x));
    const path = Array.from({length: samples + 1}, (_, i) => {
      const x = i / samples;
      return `${(wide * x).toFixed(2)} ${(high * (1 - inside(at(x)))).toFixed(2)}`;
    });
    this.line.setAttribute('d', 'M' + path.join('L'));
    this.svg.setAttribute('class', ['all', 'red', 'green', 'blue'][this.channel]);
    this.svg.toggleAttribute('hidden', isMixed);
    this.says.textContent = isMixed ?
        'This is a mix of two key flames: it can only be made straight.' :
        bezier ? 'Apophysis\' curve: four points, whose heights count.' :
                 'Click on the line to add a point; double-click it or press Delete to remove it.';
    this.drawDots();
    for (const [i, [name]] of channels.entries())
      this.kinds.children[i].classList.toggle('changed', element.hasAttribute(name));
  }

  drawDots() {
    const {points} = this;
    while (this.dots.children.length > points.length) this.dots.lastChild.remove();
    while (this.dots.children.length < points.length) this.dots.append(this.makeDot());
    points.forEach(({x, y}, i) => {
      const dot = this.dots.children[i], [reach, circle] = dot.children;
      for (const part of [reach, circle]) {
        part.setAttribute('cx', wide * x);
        part.setAttribute('cy', high * (1 - y));
      }
      dot.setAttribute('aria-label', `Point ${i + 1} of ${points.length}`);
      dot.setAttribute('aria-valuetext', `${rounded(x)} to ${rounded(y)}`);
      dot.classList.toggle('chosen', i === this.chosen);
    });
  }

  makeDot() {
    const index = event => [...this.dots.children].indexOf(event.currentTarget);
    return makeSvg(
        'g', {
          class: 'dot',
          tabindex: 0,
          role: 'slider',
          'data-point': '',
          focus: event => {
            this.chosen = index(event);
            this.drawDots();
          },
          keydown: event => this.onKey(event, index(event))
        },
        makeSvg('circle', {class: 'reach', r: 7}), makeSvg('circle', {r: 2.2}));
  }

  // ---- changes ----

  write(points, gesture) {
    const {bezier, name} = this;
    this.editor.change(flame => {
      if (bezier) {
        for (const {at, y} of points) bezier[at].y = y;
        const numbers = flame.element.getAttribute('curves').trim().split(/\s+/).map(Number);
        bezier.forEach(({y}, i) => {
          numbers[3 * i + 1] = y;
        });
        flame.set('curves', numbers.map(shortNumber).join(' '));
      } else if (points.every(({x, y}, i) => points.length === 2 && x === i && y === i)) {
        flame.element.removeAttribute(name);
      } else {
        flame.setList(name, points.flatMap(({x, y}) => [x, y]));
      }
    }, gesture);
  }

  reset(which) {
    this.editor.change(flame => {
      for (const name of [...which.map(i => channels[i][0]), ...foreign])
        flame.element.removeAttribute(name);
    });
  }

  move(index, x, y, gesture) {
    const {points} = this, least = index ? points[index - 1].x + leastGap : 0,
          most = index + 1 < points.length ? points[index + 1].x - leastGap : 1;
    const moved = {
      ...points[index],
      x: this.bezier ? points[index].x : rounded(Math.min(most, Math.max(least, x))),
      y: rounded(inside(y))
    };
    this.write(points.with(index, moved), gesture);
  }

  remove(index) {
    if (this.bezier || this.points.length <= 2) return;
    this.write(this.points.toSpliced(index, 1));
  }

  // ---- hand and keys ----

  placeOf({clientX, clientY}) {
    const {x, y} =
        new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return {x: inside(x / wide), y: inside(1 - y / high)};
  }

  onDown(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    const gesture = this.editor.begin();
    let index = [...this.dots.children].indexOf(event.target.closest('[data-point]'));
    const isThere = index >= 0;
    if (!isThere) index = this.add(this.placeOf(event), gesture);
    if (index < 0) return;
    if (!isThere) this.addedAt = event.timeStamp;
    this.dots.children[index].focus();
    let last = this.placeOf(event);
    const follow = moved => {
      const to = this.placeOf(moved);
      if (to.x !== last.x || to.y !== last.y) this.move(index, to.x, to.y, gesture);
      last = to;
    };
    this.svg.setPointerCapture(event.pointerId);
    this.svg.addEventListener('pointermove', follow);
    this.svg.addEventListener(
        'lostpointercapture', () => this.svg.removeEventListener('pointermove', follow),
        {once: true});
  }

  /// Goes, unless this double-click has made it.
  onDoubleClick(event) {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const index = [...this.dots.children].indexOf(under?.closest('[data-point]'));
    if (index >= 0 && !(event.timeStamp - this.addedAt < doubleClickMs)) this.remove(index);
  }

  /// On the line, at this x; gives its number.
  add({x}, gesture) {
    const {points} = this, index = points.findIndex(point => point.x > x);
    const isNear = points.some(point => Math.abs(point.x - x) < 2 * leastGap);
    if (this.bezier || index < 1 || isNear) return -1;
    const point = {x: rounded(x), y: rounded(inside(splineAt(points, x)))};
    this.write(points.toSpliced(index, 0, point), gesture);
    return index;
  }

  onKey(event, index) {
    const [dx, dy] =
        {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key] ??
        [];
    const {x, y} = this.points[index], step = keyStep * (event.shiftKey ? 10 : 1);
    if (dx !== undefined)
      this.move(index, x + dx * step, y + dy * step, this.editor.beginOrGoOn(this));
    else if (event.key === 'Delete' || event.key === 'Backspace')
      this.remove(index);
    else
      return;
    event.preventDefault();
    event.stopPropagation();
  }
}
