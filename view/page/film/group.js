// SPDX-License-Identifier: MIT
// Keys of a film that are chosen together, by a frame that is dragged around them or by Shift and clicks: they are
// moved, stretched, copied, removed and eased as one, each time as one step.

import {make} from '../base/elements.js';

const dragAfterPx = 3, rulerPx = 20;

export class KeyGroup {
  constructor(timeline) {
    this.timeline = timeline;
    this.times = new Set();
    this.copied = [];  // {element, easing, after}: so long after the first
    this.grips = ['first', 'last'].map(end => make('b', {
                                         class: `grip ${end}`,
                                         title: 'Drag: stretches the times of the chosen keys',
                                         pointerdown: event => this.onStretch(event, end)
                                       }));
    this.bar = make('div', {class: 'chosen-keys', hidden: true}, ...this.grips);
    this.frame = make('div', {class: 'frame', hidden: true});
  }

  get film() {
    return this.timeline.film;
  }

  /// Those that are chosen, in the order of their times.
  get keys() {
    return this.film?.keys.filter(({time}) => this.times.has(time)) ?? [];
  }

  get isSeveral() {
    return this.times.size > 1;
  }

  /// Whether all that are chosen are meant where this key is.
  means(key) {
    return this.isSeveral && this.times.has(key.time);
  }

  of(key) {
    return this.means(key) ? this.keys : [key];
  }

  choose(times) {
    this.times = new Set(times);
    this.mark();
  }

  clear() {
    if (this.times.size) this.choose([]);
  }

  all() {
    this.choose(this.film.keys.map(({time}) => time));
  }

  toggle(time) {
    if (!this.times.delete(time)) this.times.add(time);
    this.mark();
  }

  /// Another film has come in place of this one. Where it has as many keys, as after undo, the same ones stay chosen.
  follow(before) {
    if (!this.times.size || before === this.film) return;
    const [old, now] = [before, this.film].map(film => film?.keys.map(({time}) => time) ?? []);
    const isAlike = old.length === now.length;
    const left = isAlike ? now.filter((_, i) => this.times.has(old[i])) :
                           now.filter(time => this.times.has(time));
    this.times = new Set(left);
  }

  // ---- what is done with them ----

  /// Whether no other key is at these times, which they are to have; and no two of them at one.
  mayHave(keys, times) {
    const own = new Set(keys.map(({element}) => element)), wanted = new Set(times);
    return wanted.size === times.length &&
        !this.film.keys.some(key => !own.has(key.element) && wanted.has(key.time));
  }

  /// To other times, as one step with all of its gesture. `lead`: the key that the hand goes with.
  retime(keys, times, gesture, lead) {
    const {timeline} = this;
    if (keys.every((key, i) => key.time === times[i]) || !this.mayHave(keys, times)) return;
    const before = keys.map(({time}) => time), isChosen = before.some(time => this.times.has(time));
    timeline.change(
        () => keys.forEach((key, i) => {
          key.time = times[i];
        }),
        gesture, lead === undefined ? timeline.time : times[keys.indexOf(lead)]);
    if (isChosen)
      this.choose([...[...this.times].filter(time => !before.includes(time)), ...times]);
  }

  /// By so many frames.
  shift(key, by, gesture) {
    const keys = this.of(key);
    this.retime(
        keys, keys.map(({time}) => time + by), gesture,
        keys.find(({element}) => element === key.element));
  }

  remove(key) {
    const keys = this.isSeveral && (!key || this.means(key)) ? this.keys : [key].filter(Boolean);
    const {length} = this.film.keys;
    if (!keys.length || length < 2) return;
    const gone = keys.slice(keys.length === length ? 1 : 0);  // one stays
    this.times = new Set();
    this.timeline.change(film => gone.forEach(one => film.remove(one)));
  }

  /// Those that are chosen, or the one under the hand.
  copy() {
    const under = this.film?.at(this.timeline.time);
    const keys = this.isSeveral ? this.keys : [under].filter(Boolean);
    this.copied =
        keys.map(({element, easing, time}) => ({element, easing, after: time - keys[0].time}));
    const says = keys.length > 1 ? `${keys.length} keys are copied` : 'the key is copied';
    this.timeline.notice.say('info', keys.length ? says : 'there is no key at this time');
    this.timeline.mark();
  }

  /// The first of them at the hand; what is there already goes, but for its way.
  paste() {
    const {timeline} = this;
    if (!this.copied.length || !this.film) return;
    const times = this.copied.map(({after}) => timeline.time + after);
    timeline.change(film => this.copied.forEach(({element, easing}, i) => {
      const there = film.at(times[i]);
      film.add(element, times[i], there?.easing ?? easing);
      if (there) film.remove(there);
    }));
    if (times.length > 1) this.choose(times);
  }

  ease(key, easing, gesture) {
    const keys = this.of(key);
    this.timeline.change(
        () => keys.forEach(one => {
          one.easing = easing;
        }),
        gesture);
  }

  // ---- by hand ----

  onKeyDown(event, key) {
    if (event.button > 0) return;
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.focus();
    const {timeline} = this, {time} = key;
    if (event.shiftKey || event.ctrlKey || event.metaKey) {
      if (!this.times.size && timeline.film.at(timeline.time)) this.times.add(timeline.time);
      this.toggle(time);
      return;
    }
    if (!this.times.has(time)) this.clear();
    this.drag(event, key);
  }

  drag(event, key) {
    const {timeline} = this, startX = event.clientX, from = timeline.timeAt(startX);
    const {time} = key;
    let gesture = 0, keys = this.of(key), lead = keys.find(({element}) => element === key.element);
    const begun = keys.map(one => one.time);
    timeline.hold(
        event, 'key',
        moved => {
          if (!gesture && Math.abs(moved.clientX - startX) < dragAfterPx) return;
          const by = timeline.snapped(time + timeline.timeAt(moved.clientX) - from) - time;
          const times = begun.map(one => one + by);
          if (!gesture && event.altKey) {
            if (by === 0 || times.some(one => this.film.at(one))) return;
            gesture = timeline.editor.begin();
            const at = keys.indexOf(lead), isSeveral = keys.length > 1;
            timeline.change(film => {
              keys = keys.map((one, i) => film.copy(one, times[i]));
              lead = keys[at];
            }, gesture, times[at]);
            this.choose(isSeveral ? times : []);
          } else {
            gesture ||= timeline.editor.begin();
            this.retime(keys, times, gesture, lead);
          }
        },
        () => {
          if (gesture) return;
          this.clear();
          timeline.scrub(time);
        });
  }

  /// The times between both ends keep their shares of the way.
  onStretch(event, end) {
    event.preventDefault();
    event.stopPropagation();
    const {timeline, keys} = this, begun = keys.map(({time}) => time);
    const [still, held] = end === 'last' ? [begun[0], begun.at(-1)] : [begun.at(-1), begun[0]];
    const gesture = timeline.editor.begin(), offset = held - timeline.timeAt(event.clientX);
    timeline.hold(event, 'key', moved => {
      const to = timeline.timeAt(moved.clientX) + offset, share = (to - still) / (held - still);
      if (share > 0)
        this.retime(keys, begun.map(time => Math.round(still + (time - still) * share)), gesture);
    });
  }

  /// Whether a frame begins here: below the ruler with the mouse, and everywhere with Shift.
  begins(event) {
    const {top} = this.timeline.strip.getBoundingClientRect();
    return event.shiftKey || (event.pointerType === 'mouse' && event.clientY - top > rulerPx);
  }

  onFrame(event) {
    const {timeline} = this, {left} = timeline.strip.getBoundingClientRect();
    const startX = event.clientX, before = event.shiftKey ? [...this.times] : [];
    let moved = false;
    timeline.hold(
        event, 'frame',
        ({clientX}) => {
          moved ||= Math.abs(clientX - startX) >= dragAfterPx;
          if (!moved) return;
          const [from, to] = [startX, clientX].sort((a, b) => a - b);
          this.frame.hidden = false;
          this.frame.style.left = `${from - left}px`;
          this.frame.style.width = `${to - from}px`;
          const inside = this.film.keys.map(({time}) => time).filter(time => {
            const x = timeline.xOf(time) + left;
            return x >= from && x <= to;
          });
          this.choose([...before, ...inside]);
        },
        () => {
          this.frame.hidden = true;
          if (moved) return;
          this.clear();
          timeline.scrub(timeline.timeAt(startX));
        });
  }

  // ---- what is seen of it ----

  mark() {
    const {timeline} = this;
    for (const tile of timeline.tiles) {
      const isChosen = this.times.has(Number(tile.dataset.time));
      if (tile.classList.contains('chosen') === isChosen) continue;
      tile.classList.toggle('chosen', isChosen);
      tile.setAttribute('aria-label', `Key at ${tile.dataset.time}${isChosen ? ', chosen' : ''}`);
    }
    timeline.markChosen(this.times.size);
    this.place();
  }

  place() {
    this.bar.hidden = !this.isSeveral;
    if (!this.isSeveral) return;
    const times = [...this.times], x = this.timeline.xOf(Math.min(...times));
    this.bar.style.left = `${x}px`;
    this.bar.style.width = `${this.timeline.xOf(Math.max(...times)) - x}px`;
  }
}
