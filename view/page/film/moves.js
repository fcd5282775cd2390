// SPDX-License-Identifier: MIT
// Numbers that move live: a small panel that says which number goes with which source, from where to where, and how
// smoothly. The program puts them into the flame and makes its pictures, 60 times a second where it can. What was
// played can be kept as tracks of a film.

import {byId, choice, make, signButton, textButton} from '../base/elements.js';
import {shortNumber} from '../base/flame.js';

import {trackLabel} from './film.js';
import {bandWords, Sources} from './sources.js';

const mostKeys = 2000;    // of a track that is kept
const nearShare = 0.004;  // of the way from `from` to `to`: keys that are nearer to a line go
const mostPlayedS = 600;
const perSecond = 60;

const labelOf = ({name, xform}) => {
  const track = document.createElement('kiln_track');
  track.setAttribute('name', name);
  if (xform) track.setAttribute('xform', xform);
  return trackLabel(track);
};

const addressOf = ({name, xform}) => {
  const owner = !xform ? '' : xform === 'final' ? 'final/' : `xform/${xform}/`;
  return `/kiln/${owner}${name}`;
};

/// The points that a polyline needs to stay within `near` of all: [[time, value] ...].
function simplified(points, near) {
  const stays = new Set([0, points.length - 1]), parts = [[0, points.length - 1]];
  while (parts.length) {
    const [a, b] = parts.pop(), [t0, v0] = points[a], [t1, v1] = points[b];
    let most = near, at = -1;
    for (let i = a + 1; i < b; ++i) {
      const [t, v] = points[i];
      const away = Math.abs(v - (v0 + (v1 - v0) * (t - t0) / (t1 - t0 || 1)));
      if (away > most) [most, at] = [away, i];
    }
    if (at < 0) continue;
    stays.add(at);
    parts.push([a, at], [at, b]);
  }
  return points.filter((_, i) => stays.has(i));
}

export class Moves {
  constructor(editor, connection, timeline, notice, pressed) {
    this.editor = editor;
    this.connection = connection;
    this.timeline = timeline;
    this.notice = notice;
    this.pressed = pressed;
    this.rows = [];
    this.sources = new Sources(name => this.touched(name));
    this.section = byId('moves');
    this.gesture = 0;
    this.sentAt = 0;
    this.played = null;  // what is recorded: {begun, times of each row}
    this.build();
  }

  build() {
    this.hear = ['microphone', 'tab'].map(
        kind => textButton(kind === 'tab' ? 'Tab' : 'Microphone', () => this.listen(kind), {
          id: `moves-${kind}`,
          title: kind === 'tab' ? 'A tab of this browser that plays' :
                                  'The microphone of this computer'
        }));
    const midi = textButton('MIDI', () => this.connectMidi(), {
      id: 'moves-midi',
      title: 'Controls of MIDI; gamepads are there as soon as one of their buttons is pressed'
    });
    this.record = textButton('Record', () => this.toggleRecord(), {
      id: 'moves-record',
      title: 'Keeps what is played, from the time of the hand on, as tracks of the film',
      'aria-pressed': 'false'
    });
    this.says = make('span', {class: 'muted', role: 'status', id: 'moves-says'});
    this.list = make('div', {class: 'moved'});
    this.section.replaceChildren(
        make(
            'header', {}, make('h2', {}, 'Live'), ...this.hear, midi, this.record,
            signButton('remove', 'Close (it goes still)', () => this.close())),
        this.list, this.says);
    this.hint();
  }

  hint() {
    this.says.textContent = this.rows.length ?
        '' :
        'Right-click a number of the panel: "Move it live". Then choose a source.';
  }

  get open() {
    return !this.section.hidden;
  }

  toggle() {
    this.open ? this.close() : this.show();
  }

  show() {
    this.section.hidden = false;
    this.pressed('moves', true);
    this.go();
  }

  close() {
    this.section.hidden = true;
    this.pressed('moves', false);
    if (this.played) this.toggleRecord();
    this.sources.deafen();
    this.showHearing();
    cancelAnimationFrame(this.frame);
    this.rest();
  }

  // ---- sources ----

  async listen(kind) {
    if (this.sources.hears && this.kind === kind) {
      this.sources.deafen();
      this.rest();
    } else {
      try {
        await this.sources.listen(kind);
        this.kind = kind;
      } catch (error) {
        this.says.textContent = `no sound: ${error.message}`;
      }
    }
    this.showHearing();
  }

  showHearing() {
    this.hear.forEach((button, i) => {
      const isIt = this.sources.hears && this.kind === ['microphone', 'tab'][i];
      button.setAttribute('aria-pressed', String(isIt));
    });
  }

  async connectMidi() {
    try {
      await this.sources.connectMidi();
      this.says.textContent = 'MIDI is there: press "learn" beside a number, then move a control';
    } catch (error) {
      this.says.textContent = `no MIDI: ${error.message}`;
    }
  }

  /// A control was moved: the row that learns takes it.
  touched(name) {
    const row = this.rows.find(one => one.learns);
    if (!row) return;
    row.learns = false;
    row.learn.setAttribute('aria-pressed', 'false');
    this.setSource(row, name);
  }

  setSource(row, name) {
    if (![...row.source.options].some(({value}) => value === name))
      row.source.append(make('option', {value: name}, name));
    row.source.value = name;
  }

  // ---- rows ----

  /// A number with its value now, as a text.
  add({name, xform, value}) {
    this.show();
    const address = addressOf({name, xform});
    if (this.rows.some(row => row.address === address)) return;
    const now = value.split(' ').map(Number);
    const far = now.map(one => (one === 0 ? 0.5 : one * 1.5));
    const input = (label, text) => make('input', {
      type: 'text',
      'aria-label': `${label} of ${labelOf({name, xform})}`,
      title: label,
      value: text,
      autocomplete: 'off',
      keydown: event => {
        if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur();
        if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
      }
    });
    const row = {
      name,
      xform,
      address,
      level: undefined,
      learns: false,
      from: input('from', now.map(shortNumber).join(' ')),
      to: input('to', far.map(shortNumber).join(' ')),
      smooth: input('smooth, seconds', '0.08'),
      source: choice(`Source of ${labelOf({name, xform})}`, bandWords, () => {}),
      bar: make('i')
    };
    row.learn = textButton('learn', () => {
      for (const one of this.rows) one.learns = one === row && !row.learns;
      for (const one of this.rows) one.learn.setAttribute('aria-pressed', String(one.learns));
    }, {title: 'The next control that is moved, of MIDI or a gamepad'});
    row.element = make(
        'div', {class: 'move', 'data-address': address}, make('b', {}, labelOf({name, xform})),
        row.source, row.learn, row.from, '…', row.to, row.smooth,
        make('span', {class: 'level'}, row.bar),
        signButton('remove', `${labelOf({name, xform})} stays still`, () => {
          this.rows = this.rows.filter(one => one !== row);
          row.element.remove();
          this.hint();
        }));
    this.rows.push(row);
    this.list.append(row.element);
    this.hint();
  }

  // ---- as it plays ----

  go() {
    cancelAnimationFrame(this.frame);
    this.lookedAt = performance.now();
    const look = now => {
      this.frame = requestAnimationFrame(look);
      const passed = Math.max(1e-3, (now - this.lookedAt) / 1000);
      if (passed < 0.9 / perSecond) return;
      this.lookedAt = now;
      this.look(passed);
    };
    this.frame = requestAnimationFrame(look);
  }

  look(passed) {
    this.sources.look(passed);
    const values = {};
    for (const row of this.rows) {
      const level = this.sources.level(row.source.value);
      if (level === undefined) continue;
      const slow = Math.max(0, Number(row.smooth.value) || 0),
            share = slow ? 1 - Math.exp(-passed / slow) : 1;
      row.level = (row.level ?? level) + share * (level - (row.level ?? level));
      row.bar.style.width = `${100 * Math.min(1, row.level)}%`;
      const ends = [row.from, row.to].map(({value}) => value.trim().split(/[\s,]+/).map(Number));
      const value = ends[0].map((from, i) => from + (ends[1][i] - from) * row.level);
      if (value.every(Number.isFinite)) values[row.address] = row.value = value;
    }
    this.keep();
    this.send(values);
  }

  /// What has moved since it was sent last.
  send(values) {
    const moved = Object.entries(values).filter(
        ([address, value]) =>
            !this.sent?.[address]?.every((one, i) => Math.abs(one - value[i]) < 1e-6));
    if (!moved.length || !this.connection.isOpen) return;
    this.gesture ||= this.editor.begin();
    this.sent = {...this.sent, ...values};
    this.connection.say({type: 'move', values: Object.fromEntries(moved), gesture: this.gesture});
  }

  /// Nothing moves any more: pages hear what the flame is now.
  rest() {
    if (this.gesture && this.sent && this.connection.isOpen)
      this.connection.say({type: 'move', values: this.sent, gesture: this.gesture, last: true});
    this.gesture = 0;
    this.sent = null;
    for (const row of this.rows) row.level = undefined;
  }

  // ---- what is kept ----

  toggleRecord() {
    if (!this.played) {
      this.played = {begun: performance.now(), rows: new Map()};
      this.record.setAttribute('aria-pressed', 'true');
      this.says.textContent = 'recording ...';
      return;
    }
    const {rows} = this.played;
    this.played = null;
    this.record.setAttribute('aria-pressed', 'false');
    if (!rows.size) {
      this.says.textContent = 'nothing has moved';
      return;
    }
    this.rest();
    this.timeline.withFilm(() => this.write(rows));
  }

  keep() {
    if (!this.played) return;
    const second = (performance.now() - this.played.begun) / 1000;
    for (const row of this.rows) {
      if (row.value === undefined || row.level === undefined) continue;
      if (!this.played.rows.has(row)) this.played.rows.set(row, []);
      this.played.rows.get(row).push([second, row.value]);
    }
    if (second > mostPlayedS) this.toggleRecord();
  }

  write(rows) {
    const {timeline} = this, {rate} = timeline, begin = Math.round(timeline.film.begin);
    let count = 0;
    timeline.change(film => {
      for (const [row, all] of rows) {
        film.track(row.xform, row.name)?.remove();
        const frames =
            [...new Map(all.map(([second, value]) => [begin + Math.round(second * rate), value]))];
        const reach =
            Math.max(1e-9, ...frames.map(([, [value]]) => Math.abs(value - frames[0][1][0])));
        let near = nearShare * reach, keys = frames;
        do {
          keys = simplified(frames.map(([time, [value]]) => [time, value]), near);
          near *= 2;
        } while (keys.length > mostKeys);
        const values = new Map(frames), text = time => values.get(time).map(shortNumber).join(' ');
        const track = film.addTrack(row.xform, row.name, keys[0][0], text(keys[0][0]));
        for (const [time] of keys.slice(1)) film.addTrackKey(track, time, text(time));
        count += keys.length;
      }
    }, this.editor.begin(), begin);
    timeline.show();
    this.says.textContent =
        `kept: ${rows.size} ${rows.size === 1 ? 'track' : 'tracks'} of ${count} keys`;
  }
}
