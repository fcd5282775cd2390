// SPDX-License-Identifier: MIT
// The palette as a gradient: few stops with straight lines of color between them. The stops are
// found from colors that are new here; what lies between two stops is replaced only when one of them is changed,
// so that a fine palette stays fine elsewhere.

import {colorsOf, css, filled, hexOf, paintStrip, stopsOf} from '../base/colors.js';
import {make, textButton} from '../base/elements.js';

const mostStops = 14, toleranceOf255 = 10;
const mostKept = 300;  // palettes whose stops are remembered

export class Gradient {
  constructor(editor) {
    this.editor = editor;
    this.stops = [];  // [{index, color}], by index
    this.chosen = 0;
    this.kept = new Map();  // colors as text -> {stops, chosen}
    this.brought = null;    // places of stops that the next colors have
    this.canvas = make('canvas', {});
    this.marks = make('div', {class: 'marks'});
    this.strip = make(
        'div', {
          class: 'strip tall',
          dblclick: event => this.addAt(this.indexAt(event)),
          title: 'Double-click adds a stop'
        },
        this.canvas);
    this.color = make(
        'input', {type: 'color', 'aria-label': 'Color of the stop', input: () => this.recolor()});
    this.place = make('output', {class: 'muted'});
    this.element = make(
        'div', {class: 'gradient'}, this.strip, this.marks,
        make(
            'div', {class: 'row'}, this.color, this.place,
            textButton('Add stop', () => this.addBehind()),
            textButton('Remove', () => this.remove())));
    for (const name of ['flame', 'change']) editor.addEventListener(name, () => this.refresh());
    this.color.addEventListener('change', () => {
      this.gesture = null;
    });
  }

  get count() {
    return this.editor.flame.colors.length;
  }

  refresh() {
    const {colors} = this.editor.flame, text = String(colors), {brought} = this;
    this.brought = null;
    if (text === this.known) return;
    const known = this.kept.get(text);
    this.known = text;
    paintStrip(this.canvas, colors);
    if (this.writing) return;
    if (known)
      ({stops: this.stops, chosen: this.chosen} = known);
    else
      this.takeStops(brought ?? stopsOf(colors, mostStops, toleranceOf255), colors);
    this.keep();
    this.showMarks();
  }

  takeStops(places, colors) {
    const {chosen} = this;
    this.stops = places.map(index => ({index, color: colors[index]}));
    this.chosen = Math.min(chosen, this.stops.length - 1);
  }

  /// Stops belong to their colors: when those come back, by undo, they do too.
  keep() {
    this.kept.delete(this.known);
    this.kept.set(this.known, {stops: this.stops, chosen: this.chosen});
    if (this.kept.size > mostKept) this.kept.delete(this.kept.keys().next().value);
  }

  /// The next colors are those of now in another tone or place: their stops are where these went,
  /// and at the ends.
  bring(places, chosen) {
    const last = this.count - 1;
    this.brought = [...new Set([0, ...places, last])].sort((a, b) => a - b);
    this.chosen = Math.max(0, this.brought.indexOf(places[chosen]));
  }

  /// Makes the marks anew; while one is dragged they stay and only move.
  showMarks() {
    if (this.marks.children.length !== this.stops.length) {
      this.marks.replaceChildren(...this.stops.map((_, i) => make('button', {
                                                     type: 'button',
                                                     class: 'mark',
                                                     pointerdown: event => this.drag(event, i),
                                                     keydown: event => this.onKey(event),
                                                     focus: () => this.choose(i)
                                                   })));
    }
    this.stops.forEach((stop, i) => {
      const mark = this.marks.children[i];
      mark.style.left = 100 * stop.index / (this.count - 1) + '%';
      mark.style.setProperty('--own', css(stop.color));
      mark.setAttribute('aria-label', `Stop at ${stop.index}, ${hexOf(stop.color)}`);
      mark.setAttribute('aria-pressed', String(i === this.chosen));
    });
    const stop = this.stops[this.chosen];
    this.color.value = hexOf(stop.color);
    this.place.textContent = `at ${stop.index}`;
  }

  choose(i) {
    this.chosen = i;
    this.keep();
    this.gesture = null;
    this.showMarks();
  }

  // ---- edits ----

  /// The colors between the chosen stop and its neighbors, anew.
  write(gesture, from = this.chosen - 1, to = this.chosen + 1, colors = this.editor.flame.colors) {
    const left = this.stops[Math.max(0, from)].index,
          right = this.stops[Math.min(this.stops.length - 1, to)].index;
    this.writing = true;
    this.editor.change(flame => {
      flame.colors = filled(colors, this.stops, left, right);
    }, gesture);
    this.writing = false;
    this.keep();
    this.showMarks();
  }

  /// The chosen stop to the free place next to `index`, past others if need be; the ends stay. What
  /// it passes and leaves is as `before` has it: {stops, chosen, colors}.
  move(index, gesture, before) {
    const {stops, chosen, colors} = before, last = this.count - 1;
    if (chosen === 0 || chosen === stops.length - 1) return;
    const others = stops.filter((_, i) => i !== chosen);
    const place = freePlace(Math.min(last - 1, Math.max(1, Math.round(index))), others, last);
    if (place === this.stops[this.chosen].index) return;
    const moved = {index: place, color: stops[chosen].color};
    this.stops = [...others, moved].sort((a, b) => a.index - b.index);
    this.chosen = this.stops.indexOf(moved);
    const reach = place === stops[chosen].index ? 0 : 1;  // back where it was: nothing is new
    this.write(
        gesture, Math.min(chosen, this.chosen) - reach, Math.max(chosen, this.chosen) + reach,
        colors);
  }

  get now() {
    return {stops: this.stops, chosen: this.chosen, colors: this.editor.flame.colors};
  }

  recolor() {
    this.gesture ??= this.editor.begin();
    const {index} = this.stops[this.chosen], [color] = colorsOf(this.color.value.slice(1));
    this.stops = this.stops.with(this.chosen, {index, color});  // kept ones stay as they are
    this.write(this.gesture);
  }

  addAt(index) {
    const near = this.stops.findIndex(stop => Math.abs(stop.index - index) <= this.markHalf);
    if (near >= 0) return this.marks.children[near].focus();
    this.stops = [...this.stops, {index, color: this.editor.flame.colors[index]}];
    this.stops.sort((a, b) => a.index - b.index);
    this.chosen = this.stops.findIndex(stop => stop.index === index);
    this.keep();
    this.showMarks();
    return this.marks.children[this.chosen].focus();
  }

  /// Half of a mark in entries of the palette.
  get markHalf() {
    const {offsetWidth} = this.marks.firstChild;
    return (this.count - 1) * offsetWidth / 2 / Math.max(1, this.strip.clientWidth);
  }

  addBehind() {
    const i = Math.min(this.chosen, this.stops.length - 2);
    this.addAt(Math.round((this.stops[i].index + this.stops[i + 1].index) / 2));
  }

  remove() {
    const i = this.chosen;
    if (i === 0 || i === this.stops.length - 1) return;
    this.stops = this.stops.toSpliced(i, 1);
    this.chosen = i - 1;
    this.write(this.editor.begin(), i - 1, i);
  }

  // ---- mouse and keys ----

  indexAt(event) {
    const {left, width} = this.strip.getBoundingClientRect();
    return Math.min(
        this.count - 1, Math.max(0, Math.round((event.clientX - left) / width * (this.count - 1))));
  }

  /// Of the marks one follows the pointer: that of the stop which is chosen now.
  drag(event, i) {
    event.preventDefault();
    this.marks.children[i].focus();
    this.marks.setPointerCapture(event.pointerId);
    const gesture = this.editor.begin(), before = this.now;
    const follow = moved => this.move(this.indexAt(moved), gesture, before);
    this.marks.addEventListener('pointermove', follow);
    this.marks.addEventListener('lostpointercapture', () => {
      this.marks.removeEventListener('pointermove', follow);
      this.marks.children[this.chosen].focus();
    }, {once: true});
  }

  onKey(event) {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (step)
      this.step(step * (event.shiftKey ? 10 : 1));
    else if (event.key === 'Delete' || event.key === 'Backspace')
      this.remove();
    else if (event.key === 'Enter')
      this.color.click();
    else
      return;
    event.preventDefault();
    event.stopPropagation();
  }
  /// Over a stop that is in the way.
  step(by) {
    let {index} = this.stops[this.chosen];
    do index += by;
    while (this.stops.some((stop, i) => i !== this.chosen && stop.index === index));
    this.move(index, this.editor.beginOrGoOn(this), this.now);
    this.marks.children[this.chosen].focus();
  }
}

/// The nearest place between the ends that no stop has.
function freePlace(wanted, stops, last) {
  const taken = new Set(stops.map(stop => stop.index));
  for (let off = 0; off < last; ++off) {
    const free = [wanted - off, wanted + off].find(at => at > 0 && at < last && !taken.has(at));
    if (free !== undefined) return free;
  }
  return wanted;
}
