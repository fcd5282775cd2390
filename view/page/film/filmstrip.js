// SPDX-License-Identifier: MIT
// The film as a strip: a column for each frame, or for each few where they are many, of drafts of the program. Flicker,
// seconds in which nothing happens, and what goes too fast are seen before a frame is rendered.

import {make} from '../base/elements.js';

import {paintOn} from './song.js';

const highPx = 44, widthPx = 24, mostColumns = 400, restMs = 600;

export class FilmStrip {
  constructor(timeline, connection) {
    this.timeline = timeline;
    this.connection = connection;
    this.canvas = make('canvas', {class: 'film-strip', hidden: true, 'aria-label': 'All frames'});
    this.asks = 0;
    this.columns = new Map();  // by times: a picture, a pixel wide
    this.isOn = false;
    this.forget();
  }

  show(on) {
    this.isOn = on;
    this.canvas.hidden = !on;
    if (on) this.changed();
    this.draw();
  }

  forget() {
    this.asked = {number: 0, set: -1, times: []};
    this.columns.clear();
  }

  /// The film is another one: its frames are made anew when it rests.
  changed() {
    clearTimeout(this.timer);
    if (!this.isOn || !this.timeline.film) return;
    this.timer = setTimeout(() => this.ask(), restMs);
  }

  ask() {
    const {film} = this.timeline;
    if (!film || !this.isOn || !this.connection.isOpen) return;
    const text = film.text();
    if (text === this.text && this.columns.size) return;
    this.text = text;
    const {begin, shownEnd} = film, frames = Math.max(1, Math.round(shownEnd - begin));
    this.step = Math.max(1, Math.ceil(frames / mostColumns));
    const times = [];
    for (let time = begin; time < begin + frames; time += this.step) times.push(time);
    this.forget();
    this.asked = {number: ++this.asks, set: -1, times};
    this.connection.say({type: 'strip', times, width: widthPx, number: this.asks});
  }

  begin({set, number}) {
    if (number === this.asked.number) this.asked.set = set;
  }

  /// A small picture of a moment: its middle column is the film's. Whether it is one of these.
  add({set, place}, blob) {
    const time = set === this.asked.set ? this.asked.times[place] : undefined;
    if (time === undefined) return false;
    createImageBitmap(blob, {resizeWidth: 1, resizeHeight: highPx, resizeQuality: 'high'})
        .then(column => {
          if (set !== this.asked.set) return column.close();
          this.columns.set(time, column);
          cancelAnimationFrame(this.drawing);
          this.drawing = requestAnimationFrame(() => this.draw());
          return undefined;
        });
    return true;
  }

  draw() {
    if (!this.isOn || !this.timeline.film) return;
    this.canvas.dataset.columns = this.columns.size;
    this.canvas.dataset.of = this.asked.times.length;
    const {timeline, step = 1} = this;
    paintOn(this.canvas, highPx, (context, width) => {
      for (const [time, column] of this.columns) {
        const x = timeline.xOf(time), wide = Math.max(1, timeline.xOf(time + step) - x);
        if (x + wide >= 0 && x <= width) context.drawImage(column, x, 0, Math.ceil(wide), highPx);
      }
    });
  }
}
