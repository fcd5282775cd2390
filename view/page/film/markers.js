// SPDX-License-Identifier: MIT
// Markers of the film: times with names. They stand as flags on the ruler, where they are set, dragged, named and
// removed; keys go from one to the next. The film's file has them as <kiln_marker>.

import {make, textButton} from '../base/elements.js';
import {shortNumber} from '../base/flame.js';

import {timeOf} from './film.js';

const dragAfterPx = 3, mostLetters = 80;

export class Markers {
  constructor(timeline) {
    this.timeline = timeline;
    this.element = make('div', {class: 'markers'});
    this.button = textButton('Marker', () => this.add(), {
      title: 'A time with a name, at the hand (Shift+M); { and } go from one to the next',
      id: 'timeline-marker'
    });
    this.shown = '';
  }

  get film() {
    return this.timeline.film;
  }

  /// At the hand; where one is, its name.
  add() {
    if (!this.film) return;
    const {time} = this.timeline, there = this.film.markers.find(one => timeOf(one) === time);
    if (!there) {
      const name = `${this.film.markers.length + 1}`;
      this.timeline.change(film => film.addMarker(time, name));
    }
    this.rename(time);
  }

  /// The next one in this direction, 1 or -1.
  jump(direction) {
    if (!this.film) return;
    const times = this.film.markers.map(timeOf).filter(
        time => direction * (time - this.timeline.time) > 1e-9);
    const to = direction > 0 ? times[0] : times.at(-1);
    if (to !== undefined) this.timeline.scrub(to);
  }

  draw() {
    const {markers} = this.film;
    const now = JSON.stringify(markers.map(one => [timeOf(one), one.getAttribute('name')]));
    if (now !== this.shown && !this.input)
      this.element.replaceChildren(...markers.map((_, i) => this.flag(i)));
    if (!this.input) this.shown = now;
    for (const flag of this.element.children)
      flag.style.left = `${this.timeline.xOf(Number(flag.dataset.time))}px`;
  }

  /// Of the film as it is when it is pressed, which may have fewer of them meanwhile.
  flag(i) {
    const marker = this.film.markers[i], name = marker.getAttribute('name'), time = timeOf(marker);
    const now = act => event => {
      const there = this.film?.markers[i];
      if (there) act(event, there);
    };
    return make(
        'button', {
          type: 'button',
          class: 'marker',
          'data-time': time,
          'data-name': name,
          'aria-label': `Marker ${name} at ${time}`,
          title: `${name} (${time})\nDrag: another time; double-click: its name; Delete removes it`,
          pointerdown: now((event, there) => this.onDown(event, there)),
          dblclick: now((_, there) => this.rename(timeOf(there))),
          keydown: now((event, there) => this.onKey(event, there))
        },
        name);
  }

  onDown(event, marker) {
    if (event.button > 0) return;
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.focus();
    const {timeline} = this, begun = timeOf(marker), from = timeline.timeAt(event.clientX);
    const startX = event.clientX;
    let gesture = 0;
    timeline.hold(event, 'marker', moved => {
      if (!gesture && Math.abs(moved.clientX - startX) < dragAfterPx) return;
      gesture ||= timeline.editor.begin();
      this.move(marker, timeline.snapped(begun + timeline.timeAt(moved.clientX) - from), gesture);
    }, () => gesture || timeline.scrub(begun));
  }

  move(marker, time, gesture) {
    if (timeOf(marker) === time) return;
    this.timeline.change(() => marker.setAttribute('time', shortNumber(time)), gesture);
  }

  onKey(event, marker) {
    const time = timeOf(marker), far = event.shiftKey ? 10 : 1;
    const {editor} = this.timeline;
    const acts = {
      Delete: () => this.timeline.change(() => marker.remove()),
      Enter: () => this.rename(time),
      F2: () => this.rename(time),
      ArrowLeft: () => this.move(marker, time - far, editor.beginOrGoOn('marker')),
      ArrowRight: () => this.move(marker, time + far, editor.beginOrGoOn('marker'))
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    acts[event.key]();
    this.element.querySelector(`[data-time="${timeOf(marker)}"]`)?.focus();
  }

  /// A field in the place of the flag; an empty name leaves the old one.
  rename(time) {
    this.timeline.draw();
    const flag = this.element.querySelector(`[data-time="${time}"]`);
    if (!flag) return;
    const end = isTaken => {
      if (!this.input) return;
      const {value} = this.input;
      this.input = null;
      this.shown = '';
      const marker = this.film?.markers.find(one => timeOf(one) === time), name = value.trim();
      if (isTaken && marker && name && name !== marker.getAttribute('name'))
        this.timeline.change(() => marker.setAttribute('name', name));
      this.timeline.draw();
      this.element.querySelector(`[data-time="${time}"]`)?.focus();
    };
    this.input = make('input', {
      type: 'text',
      class: 'marker-name',
      'aria-label': 'Name of the marker',
      maxlength: mostLetters,
      value: flag.dataset.name,
      blur: () => end(true),
      pointerdown: event => event.stopPropagation(),
      keydown: event => {
        event.stopPropagation();
        if (event.key === 'Enter' || event.key === 'Escape') end(event.key === 'Enter');
      }
    });
    this.input.dataset.time = time;
    this.input.style.left = flag.style.left;
    flag.replaceWith(this.input);
    this.input.focus();
    this.input.select();
    if (document.activeElement !== this.input) end(false);  // out of sight: no key would end it
  }
}
