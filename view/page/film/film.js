// SPDX-License-Identifier: MIT
// A film as the page keeps it: key flames with their times, the easing from each to the next, and
// tracks, as elements of the text that the program and files have (docs/inside/animation.md, 7). What is not
// known here stays in it untouched.

import {Flame, shortNumber} from '../base/flame.js';

export const easings =
    ['linear', 'smooth', 'hold', 'ease-in', 'ease-out', 'ease-in-out', 'bounce', 'curve'];
/// Of tracks and of flames that say `curve` without handles.
const usualCurve = '0.3 0 0.2 1';

const isCurve = text => /^[-\d.]/.test(text) || text.startsWith('cubic');

/// "curve" for its four numbers.
export const easingName = text => (isCurve(text) ? 'curve' : text);

/// The share of the way at share `t` of the time; `smooth` as if it had equal neighbors.
export function eased(text, t) {
  if (t <= 0 || t >= 1) return Math.max(0, Math.min(1, Math.floor(t)));
  const bounce = () => {
    const arcs = [[0, 0, 1], [1.5, 0.75, 2], [2.25, 0.9375, 2.5], [2.625, 0.984375, 2.75]];
    const [middle, top] = arcs.find(([, , end]) => t * 2.75 <= end);
    return (t * 2.75 - middle) ** 2 + top;
  };
  const curve = () => {
    const [x1, y1, x2, y2] = handlesOf(text);
    const at = (a, b, u) => 3 * a * u * (1 - u) ** 2 + 3 * b * u * u * (1 - u) + u ** 3;
    let low = 0, high = 1;
    for (let i = 0; i < 30; ++i) {
      const middle = (low + high) / 2;
      at(x1, x2, middle) < t ? low = middle : high = middle;
    }
    return at(y1, y2, low);
  };
  const shapes = {
    'hold': () => 0,
    'ease-in': () => t * t,
    'ease-out': () => t * (2 - t),
    'ease-in-out': () => t * t * (3 - 2 * t),
    'smooth': () => t * t * (3 - 2 * t),
    bounce,
    curve
  };
  return shapes[easingName(text)]?.() ?? t;
}

export const handlesOf = text => {
  const numbers = (text.match(/[-+]?[\d.]+(?:e[-+]?\d+)?/g) ?? []).map(Number);
  return numbers.length === 4 ? numbers : usualCurve.split(' ').map(Number);
};

/// What key flames look like, by their elements: nothing else of it changes in an element.
const looksOf = new WeakMap();

/// A key flame.
class Key {
  constructor(element) {
    this.element = element;
  }

  get time() {
    return Number.parseFloat(this.element.getAttribute('time')) || 0;
  }

  set time(time) {
    this.element.setAttribute('time', shortNumber(time));
  }

  get easing() {
    if (this.element.getAttribute('interpolation') === 'smooth') return 'smooth';
    return this.element.getAttribute('kiln_easing') ?? 'linear';
  }

  set easing(easing) {
    this.element.removeAttribute('interpolation');
    this.element.removeAttribute('kiln_easing');
    if (easing === 'smooth') this.element.setAttribute('interpolation', 'smooth');
    if (easing !== 'smooth' && easing !== 'linear')
      this.element.setAttribute('kiln_easing', easing === 'curve' ? usualCurve : easing);
  }

  /// What it looks like, whenever it is.
  get looks() {
    if (!looksOf.has(this.element)) looksOf.set(this.element, this.readLooks());
    return looksOf.get(this.element);
  }

  readLooks() {
    const plain = this.element.cloneNode(true);
    for (const name of ['time', 'kiln_easing', 'interpolation']) plain.removeAttribute(name);
    for (const part of plain.querySelectorAll(ofFilm)) part.remove();
    return new XMLSerializer().serializeToString(plain);
  }
}

/// Elements of a key flame that are of the whole film: its song, which comes first, markers and tracks.
const ofFilm = 'kiln_sound, kiln_marker, kiln_track';

export class Film {
  /// song: what was heard of the film's song, where that is known (song.js).
  constructor(text, song = null) {
    this.song = song;
    const xml = new DOMParser().parseFromString(text, 'application/xml');
    this.root = xml.documentElement;
    this.arrange();
  }

  /// They are asked for often, and there may be a thousand.
  get keys() {
    this.known ??= [...this.root.children]
                       .filter(child => child.localName === 'flame')
                       .map(element => new Key(element));
    return this.known;
  }

  /// Keys in the order of their times; tracks stand in the first.
  arrange() {
    this.known = null;
    const keys = this.keys.sort((a, b) => a.time - b.time);
    this.root.append(...keys.map(key => key.element));
    this.known = keys;
    keys[0].element.append(...this.root.querySelectorAll(ofFilm));
  }

  text() {
    this.arrange();
    return new XMLSerializer().serializeToString(this.root);
  }

  get begin() {
    return this.keys[0].time;
  }

  /// Of the last key; where the flame is alone, of its tracks; or of the song, where that says how long it is.
  get end() {
    const {keys} = this;
    if (this.isAsLongAsSong) return Math.max(keys.at(-1).time, this.songEnd);
    if (keys.length > 1) return keys.at(-1).time;
    return Math.max(keys[0].time, ...this.tracks.flatMap(track => trackKeys(track).map(timeOf)));
  }

  /// Where frames of it end: a last key to which it jumps stays as long as the one before.
  get shownEnd() {
    const [before, last] = this.keys.slice(-2), {end} = this;
    const jumps = last && before.easing === 'hold' && end <= last.time;
    return jumps ? 2 * last.time - before.time : end;
  }

  // ---- its song ----

  get sound() {
    return this.root.querySelector('kiln_sound');
  }

  /// Attributes of <kiln_sound>; those that are null go. null: no song, and no track that one drives.
  setSound(attributes) {
    let {sound} = this;
    if (!attributes) {
      for (const track of this.tracks.filter(one => one.hasAttribute('sound'))) track.remove();
      return sound?.remove();
    }
    if (!sound) {
      sound = this.root.ownerDocument.createElement('kiln_sound');
      this.keys[0].element.append(sound);
    }
    for (const [name, value] of Object.entries(attributes))
      value === null ? sound.removeAttribute(name) : sound.setAttribute(name, value);
    return undefined;
  }

  /// Frames a second: 30, or 30000/1001.
  get songRate() {
    const [over, under = 1] = (this.sound?.getAttribute('fps') ?? '30').split('/').map(Number);
    return over / under || 30;
  }

  get songStart() {
    return Number(this.sound?.getAttribute('start')) || 0;
  }

  /// The time at which the song ends.
  get songEnd() {
    return this.sound && this.song ? this.timeAtSeconds(this.song.seconds) : -Infinity;
  }

  get isAsLongAsSong() {
    const length = this.sound?.getAttribute('length');
    return Boolean(this.sound && this.song) &&
        (length === 'song' || (!length && this.keys.length === 1));
  }

  /// Of the song at a time of the film, and back.
  secondsAt(time) {
    return time / this.songRate + this.songStart;
  }

  timeAtSeconds(seconds) {
    return (seconds - this.songStart) * this.songRate;
  }

  // ---- markers ----

  /// In the order of their times.
  get markers() {
    return [...this.root.querySelectorAll('kiln_marker')].sort((a, b) => timeOf(a) - timeOf(b));
  }

  addMarker(time, name) {
    const marker = this.root.ownerDocument.createElement('kiln_marker');
    marker.setAttribute('time', shortNumber(time));
    marker.setAttribute('name', name);
    this.keys[0].element.append(marker);
    return marker;
  }

  /// Another key's time, or the same one's.
  at(time) {
    return this.keys.find(key => key.time === time);
  }

  add(element, time, easing = 'linear') {
    const key = new Key(this.root.ownerDocument.importNode(element, true));
    for (const part of key.element.querySelectorAll(ofFilm)) part.remove();
    key.time = time;
    key.easing = easing;
    this.root.append(key.element);
    this.known = null;
    return key;
  }

  copy(key, time) {
    return this.add(key.element, time, key.easing);
  }

  /// The last one stays.
  remove(key) {
    const other = this.keys.find(one => one.element !== key.element);
    if (!other) return;
    other.element.append(...key.element.querySelectorAll(ofFilm));
    key.element.remove();
    this.known = null;
  }

  /// work(flame) changes each key flame.
  changeFlames(work) {
    for (const {element} of this.keys) {
      work(Flame.of(element));
      looksOf.delete(element);
    }
  }

  // ---- tracks ----

  get tracks() {
    return [...this.root.querySelectorAll('kiln_track')];
  }

  track(xform, name) {
    return this.tracks.find(
        track =>
            (track.getAttribute('xform') ?? '') === xform && track.getAttribute('name') === name);
  }

  /// A track with one key.
  addTrack(xform, name, time, value) {
    const track = this.root.ownerDocument.createElement('kiln_track');
    if (xform) track.setAttribute('xform', xform);
    track.setAttribute('name', name);
    this.keys[0].element.append(track);
    this.addTrackKey(track, time, value);
    return track;
  }

  /// A track that the song drives in this way, in the place of what moved that number before.
  driveBy(xform, name, attributes) {
    this.track(xform, name)?.remove();
    const track = this.root.ownerDocument.createElement('kiln_track');
    if (xform) track.setAttribute('xform', xform);
    track.setAttribute('name', name);
    for (const [key, value] of Object.entries(attributes))
      if (value !== '') track.setAttribute(key, value);
    this.keys[0].element.append(track);
    return track;
  }

  addTrackKey(track, time, value) {
    const key = this.root.ownerDocument.createElement('key');
    key.setAttribute('time', shortNumber(time));
    key.setAttribute('value', value);
    const after = trackKeys(track).find(other => timeOf(other) > time);
    track.insertBefore(key, after ?? null);
    return key;
  }
}

export const trackKeys = track => [...track.children].filter(child => child.localName === 'key');
export const timeOf = key => Number.parseFloat(key.getAttribute('time')) || 0;

/// What a track is of: "zoom", "turn of 2".
export function trackLabel(track) {
  const xform = track.getAttribute('xform'), name = track.getAttribute('name').replace(/_/g, ' ');
  return xform ? `${name} of ${xform === 'final' ? 'F' : xform}` : name;
}
