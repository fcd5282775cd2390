// The palette as a gradient: few stops with straight lines of color between them. The stops are
// found from the colors; what lies between two stops is replaced only when one of them is changed,
// so that a fine palette stays fine elsewhere.

import {colorsOf, css, filled, hexOf, paintStrip, stopsOf} from './colors.js';
import {make, textButton} from './elements.js';

const mostStops = 14, toleranceOf255 = 10;

export class Gradient {
  constructor(editor) {
    this.editor = editor;
    this.stops = [];  // [{index, color}], by index
    this.chosen = 0;
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
    const {colors} = this.editor.flame, text = String(colors);
    if (text === this.known) return;
    this.known = text;
    paintStrip(this.canvas, colors);
    if (this.writing) return;
    this.stops =
        stopsOf(colors, mostStops, toleranceOf255).map(index => ({index, color: colors[index]}));
    this.chosen = Math.min(this.chosen, this.stops.length - 1);
    this.showMarks();
  }

  /// Makes the marks anew; while one is dragged they stay and only move.
  showMarks() {
    if (this.marks.children.length !== this.stops.length) {
      this.marks.replaceChildren(...this.stops.map((_, i) => make('button', {
                                                     type: 'button',
                                                     class: 'mark',
                                                     pointerdown: event => this.drag(event, i),
                                                     keydown: event => this.onKey(event, i),
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
    this.gesture = null;
    this.showMarks();
  }

  // ---- edits ----

  /// The colors between the chosen stop and its neighbors, anew.
  write(gesture, from = this.chosen - 1, to = this.chosen + 1) {
    const left = this.stops[Math.max(0, from)].index,
          right = this.stops[Math.min(this.stops.length - 1, to)].index;
    this.writing = true;
    this.editor.change(flame => {
      flame.colors = filled(flame.colors, this.stops, left, right);
    }, gesture);
    this.writing = false;
    this.showMarks();
  }

  move(i, index, gesture) {
    if (i === 0 || i === this.stops.length - 1) return;  // the ends stay where they are
    const inside = Math.min(
        this.stops[i + 1].index - 1, Math.max(this.stops[i - 1].index + 1, Math.round(index)));
    if (inside === this.stops[i].index) return;
    this.stops[i].index = inside;
    this.write(gesture);
  }

  recolor() {
    this.gesture ??= this.editor.begin();
    [this.stops[this.chosen].color] = colorsOf(this.color.value.slice(1));
    this.write(this.gesture);
  }

  addAt(index) {
    if (this.stops.some(stop => stop.index === index)) return;
    this.stops.push({index, color: this.editor.flame.colors[index]});
    this.stops.sort((a, b) => a.index - b.index);
    this.chosen = this.stops.findIndex(stop => stop.index === index);
    this.showMarks();
    this.marks.children[this.chosen].focus();
  }

  addBehind() {
    const i = Math.min(this.chosen, this.stops.length - 2);
    this.addAt(Math.round((this.stops[i].index + this.stops[i + 1].index) / 2));
  }

  remove() {
    const i = this.chosen;
    if (i === 0 || i === this.stops.length - 1) return;
    this.stops.splice(i, 1);
    this.chosen = i - 1;
    this.write(this.editor.begin(), i - 1, i);
  }

  // ---- mouse and keys ----

  indexAt(event) {
    const {left, width} = this.strip.getBoundingClientRect();
    return Math.min(
        this.count - 1, Math.max(0, Math.round((event.clientX - left) / width * (this.count - 1))));
  }

  drag(event, i) {
    const mark = this.marks.children[i];
    event.preventDefault();
    mark.focus();
    mark.setPointerCapture(event.pointerId);
    const gesture = this.editor.begin();
    const follow = moved => this.move(i, this.indexAt(moved), gesture);
    mark.addEventListener('pointermove', follow);
    mark.addEventListener(
        'lostpointercapture', () => mark.removeEventListener('pointermove', follow), {once: true});
  }

  onKey(event, i) {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (step)
      this.move(
          i, this.stops[i].index + step * (event.shiftKey ? 10 : 1), this.editor.beginOrGoOn(this));
    else if (event.key === 'Delete' || event.key === 'Backspace')
      this.remove();
    else if (event.key === 'Enter')
      this.color.click();
    else
      return;
    event.preventDefault();
    event.stopPropagation();
  }
}
