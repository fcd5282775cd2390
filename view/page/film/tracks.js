// SPDX-License-Identifier: MIT
// Tracks of the film below its key flames: numbers that go their own way. A row is a curve of one; its
// keys are dragged, the way between two is chosen by a click. A number begins to be animated by the menu
// of its field, or by its name here.

import {choice, make, makeSvg, signButton, textButton} from '../base/elements.js';
import {shortNumber} from '../base/flame.js';

import {eased, easings, timeOf, trackKeys, trackLabel} from './film.js';
import {NumberMenu} from './numbermenu.js';

const rowPx = 64, togetherPx = 150, marginPx = 9, dragAfterPx = 2;
const colors =
    ['#e3a45c', '#7fb3e0', '#9ccf7a', '#d58ac0', '#e0d070', '#7ad0c4', '#e08070', '#a99be8'];
const trackEnds = ['hold', 'cycle', 'ping-pong'];

const numbersOfText = text => (text ?? '').split(/\s+/).map(Number);
const isWord = key => numbersOfText(key.getAttribute('value')).some(Number.isNaN);

/// Words, as of palette_mode, stand one above the other, the first one lowest.
function numbersOf(key) {
  if (!isWord(key)) return numbersOfText(key.getAttribute('value'));
  const words = new Set(trackKeys(key.parentNode).map(one => one.getAttribute('value')));
  return [[...words].indexOf(key.getAttribute('value'))];
}

const valueText = (key, part) =>
    (isWord(key) ? key.getAttribute('value') : shortNumber(numbersOf(key)[part]));
const easingOf = key => key.getAttribute('easing') ?? 'linear';

/// Component `part` between keys i and i + 1, at share t of the way.
function between(keys, i, part, t) {
  const value = k => numbersOf(keys[Math.max(0, Math.min(keys.length - 1, k))])[part] ?? 0;
  const easing = easingOf(keys[i]), a = value(i), b = value(i + 1);
  if (isWord(keys[i])) return a;
  if (easing !== 'smooth') return a + (b - a) * eased(easing, t);
  const time = k => timeOf(keys[Math.max(0, Math.min(keys.length - 1, k))]);
  const length = time(i + 1) - time(i);
  const slope = k =>
      (time(k + 1) > time(k - 1) ? (value(k + 1) - value(k - 1)) / (time(k + 1) - time(k - 1)) :
                                   0) *
      length;
  const u = t * t, v = u * t;
  return a * (2 * v - 3 * u + 1) + b * (3 * u - 2 * v) + slope(i) * (v - 2 * u + t) +
      slope(i + 1) * (v - u);
}

export class Tracks {
  constructor(timeline) {
    this.timeline = timeline;
    this.names = {flame: [], xform: []};
    this.rows = make('div', {class: 'rows'});
    this.input = make('input', {
      type: 'text',
      id: 'track-name',
      list: 'track-names',
      'aria-label': 'Number to animate',
      placeholder: 'zoom, turn, julian_power ...',
      autocomplete: 'off',
      spellcheck: 'false',
      keydown: event => {
        if (event.key === 'Enter' && this.input.value.trim()) this.begin(this.input.value.trim());
        if (event.key === 'Escape') this.form.hidden = true;
        if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
      }
    });
    this.list = make('datalist', {id: 'track-names'});
    this.of = make('span', {class: 'muted'});
    this.form = make(
        'div', {class: 'animate', hidden: true}, this.input, this.list, this.of,
        textButton(
            'Animate it', () => this.input.value.trim() && this.begin(this.input.value.trim())));
    this.isTogether = false;
    this.front = 0;  // of those that lie over each other, the one that is edited
    this.togetherButton = textButton('Over each other', () => this.toggleTogether(), {
      title: 'The curves of all tracks in one place',
      id: 'tracks-together',
      'aria-pressed': 'false'
    });
    this.element = make('div', {class: 'tracks'}, this.form, this.rows, this.togetherButton);
    this.menu = new NumberMenu(() => this.names, () => this.xform, [
      {
        id: 'animate-it',
        says: name => `◆ Animate ${name}`,
        ofWords: true,
        act: ({name, xform}) => this.begin(name, xform)
      },
      {
        id: 'drive-it',
        says: name => `♪ Drive ${name} by the song ...`,
        act: one => this.drive(one)
      },
      {
        id: 'move-it',
        says: name => `↕ Move ${name} live ...`,
        act: one => this.timeline.acts.moves(one)
      },
      {
        id: 'link-it',
        says: name => `= ${name} follows another number ...`,
        isFor: field => this.links.targetsOf(field).length > 0,
        act: ({field}) => this.links.open(field)
      },
      {
        id: 'cut-link',
        says: name => `Cut the link of ${name}`,
        isFor: field => Boolean(field.dataset.link),
        act: ({field}) => this.links.cut(field)
      }
    ]);
  }

  get film() {
    return this.timeline.film;
  }

  get links() {
    return this.timeline.editor.links;
  }

  // ---- what is animated ----

  hear({flame, xform}) {
    this.names = {flame, xform};
  }

  /// "1", "final": the chosen xform as files number it.
  get xform() {
    const {editor} = this.timeline, {flame, xform} = editor;
    return flame.isFinal(xform) ? 'final' : String(flame.xforms.indexOf(xform) + 1);
  }

  choose() {
    this.form.hidden = !this.form.hidden;
    if (this.form.hidden) return;
    const {flame, xform} = this.names;
    this.list.replaceChildren(...[...flame, ...xform].map(value => make('option', {value})));
    this.of.textContent = `of the flame, or of xform ${this.xform}`;
    this.input.value = '';
    this.input.focus();
  }

  /// A track with a key at the hand; where it is there, the key.
  begin(name, xform = this.names.flame.includes(name) ? '' : this.xform) {
    this.form.hidden = true;
    const {timeline} = this;
    timeline.show();
    timeline.connection.say({
      type: 'film',
      track: name,
      ...(xform ? {xform} : {}),
      time: timeline.time,
      gesture: timeline.editor.begin()
    });
  }

  /// A number by the film's song; a flame of no film becomes one.
  drive(wanted) {
    const {timeline} = this;
    timeline.show();
    timeline.withFilm(() => {
      timeline.drive.open(wanted);
      if (!timeline.film.sound && timeline.song.form.hidden) timeline.song.toggleForm();
    });
  }

  // ---- rows ----

  draw() {
    const tracks = this.film?.tracks ?? [];
    this.element.hidden = !this.film;
    this.togetherButton.hidden = tracks.length < 2;
    const isOne = this.isTogether && tracks.length > 1;
    this.rows.replaceChildren(
        ...(isOne ? [this.overlaid(tracks)] : tracks.map((track, i) => this.row(track, i))));
    this.placeHand();
  }

  get rowPx() {
    return this.isTogether && this.film.tracks.length > 1 ? togetherPx : rowPx;
  }

  toggleTogether() {
    this.isTogether = !this.isTogether;
    this.togetherButton.setAttribute('aria-pressed', String(this.isTogether));
    this.timeline.draw();
  }

  /// All curves in one place, each as high as there is room; the one in front is edited.
  overlaid(tracks) {
    this.front = Math.min(this.front, tracks.length - 1);
    const color = i => colors[i % colors.length];
    const names = tracks.map(
        (track, i) => make(
            'button', {
              type: 'button',
              'aria-pressed': String(i === this.front),
              'data-front': trackLabel(track),
              click: () => {
                this.front = i;
                this.timeline.draw();
              }
            },
            trackLabel(track)));
    const curves = tracks.map((track, i) => {
      const svg = makeSvg(
          'svg',
          {class: i === this.front ? 'curve' : 'curve beside', 'data-track': trackLabel(track)});
      svg.style.setProperty('--line-color', color(i));
      track.hasAttribute('sound') ? this.drawCourse(svg, track) : this.drawCurve(svg, i);
      return svg;
    });
    names.forEach((name, i) => name.style.setProperty('border-color', color(i)));
    const inFront = curves.splice(this.front, 1);
    return make(
        'div', {class: 'track together'}, make('div', {class: 'about'}, ...names), ...curves,
        ...inFront);
  }

  placeHand() {
    if (!this.film) return;
    for (const line of this.rows.querySelectorAll('.now')) {
      const x = this.timeline.xOf(this.timeline.time);
      line.setAttribute('x1', x);
      line.setAttribute('x2', x);
    }
  }

  row(track, index) {
    const label = trackLabel(track);
    if (track.hasAttribute('sound')) return this.drivenRow(track, label);
    const ends = choice(
        `Before and after the keys of ${label}`, trackEnds,
        value => this.timeline.change(() => track.setAttribute('ends', value)));
    ends.value = track.getAttribute('ends') ?? 'hold';
    const svg = makeSvg('svg', {class: 'curve', 'data-track': label});
    const element = make(
        'div', {class: 'track'},
        make(
            'div', {class: 'about'}, make('b', {}, label),
            make(
                'label', {class: 'muted', title: 'Before its first key and after its last'},
                'beyond ', ends),
            signButton(
                'add', `A key of ${label} at the hand`,
                () => this.begin(track.getAttribute('name'), track.getAttribute('xform') ?? '')),
            signButton(
                'remove', `No track of ${label}`,
                () => this.timeline.change(() => track.remove()))),
        svg);
    this.drawCurve(svg, index);
    return element;
  }

  /// What the film's song drives has no keys: its course is that of the song (docs/use/music.md).
  drivenRow(track, label) {
    const svg = makeSvg('svg', {class: 'curve', 'data-driven': label});
    const again = () => this.timeline.drive.open({
      name: track.getAttribute('name'),
      xform: track.getAttribute('xform') ?? '',
      value: track.getAttribute('from')
    });
    this.drawCourse(svg, track);
    return make(
        'div', {class: 'track'},
        make(
            'div', {class: 'about'}, make('b', {}, label),
            make('span', {class: 'muted'}, `by ${track.getAttribute('sound')} of the song`),
            textButton('Change', again, {'aria-label': `How the song drives ${label}`}),
            signButton(
                'remove', `No track of ${label}`,
                () => this.timeline.change(() => track.remove()))),
        svg);
  }

  /// The values that the song gives it, over the width that is seen: [[x, value] ...] of each of its numbers.
  courseOf(track) {
    const {timeline} = this, course = timeline.song.courseOf(track);
    if (!course) return [];
    const ends = ['from', 'to'].map(name => numbersOfText(track.getAttribute(name)));
    const easing = track.getAttribute('easing') ?? 'linear', {begin, end} = timeline.scale;
    const count = Math.max(2, Math.min(600, Math.round(timeline.view.width / 2)));
    return ends[0].map((from, part) => Array.from({length: count}, (_, i) => {
      const time = begin + i * (end - begin) / (count - 1);
      const place = timeline.film.secondsAt(time) * course.rate;
      const level = course.values[Math.max(0, Math.floor(place))] ?? course.values.at(-1);
      const steps = Math.floor(level), share = steps + eased(easing, level - steps);
      return [timeline.xOf(time), from + (ends[1][part] - from) * share];
    }));
  }

  drawCourse(svg, track) {
    const lines = this.courseOf(track), all = lines.flat().map(([, value]) => value);
    const low = Math.min(...all), room = this.rowPx - 2 * marginPx;
    const perUnit = room / Math.max(1e-9, Math.max(...all) - low);
    const text = line => line.map(
                                 ([x, value]) => `${x.toFixed(1)},${
                                     (this.rowPx - marginPx - (value - low) * perUnit).toFixed(1)}`)
                             .join(' ');
    svg.replaceChildren(
        makeSvg('line', {class: 'now', y1: 0, y2: this.rowPx}),
        ...lines.map(line => makeSvg('polyline', {class: 'line', points: text(line)})));
  }

  /// From value to height, and back.
  scaleOf(track) {
    const all = trackKeys(track).flatMap(numbersOf);
    let low = Math.min(...all), high = Math.max(...all);
    const least = Math.max(1e-3, 0.05 * Math.max(Math.abs(low), Math.abs(high)));
    if (high - low < least) [low, high] = [low - least, high + least];
    const room = this.rowPx - 2 * marginPx, unit = room / (high - low);
    return {y: value => marginPx + (high - value) * unit, perPx: 1 / unit};
  }

  drawCurve(svg, index) {
    const track = this.film.tracks[index], keys = trackKeys(track);
    const {y} = this.held?.scale ?? this.scaleOf(track), x = time => this.timeline.xOf(time);
    const parts = numbersOf(keys[0]).length,
          shapes = [makeSvg('line', {class: 'now', y1: 0, y2: this.rowPx})];
    for (let part = 0; part < parts; ++part) {
      keys.slice(0, -1).forEach((key, i) => {
        const [from, to] = [timeOf(key), timeOf(keys[i + 1])];
        const points =
            Array
                .from(
                    {length: 25},
                    (_, k) => {
                      const t = k / 24,
                            value =
                                k === 24 ? numbersOf(keys[i + 1])[part] : between(keys, i, part, t);
                      return `${x(from + t * (to - from)).toFixed(1)},${y(value).toFixed(1)}`;
                    })
                .join(' ');
        const open = event => this.timeline.menu.open(
            event.currentTarget, easingOf(key),
            (easing, gesture) => this.setEasing(index, timeOf(key), easing, gesture), easings);
        shapes.push(makeSvg('polyline', {class: 'line', points}), makeSvg('polyline', {
                      class: 'grip',
                      points,
                      tabindex: 0,
                      role: 'button',
                      'aria-label': `Way from ${from} to ${to}: ${easingOf(key)}`,
                      click: open,
                      keydown: event => event.key === 'Enter' && open(event)
                    }));
      });
    }
    keys.forEach((key, i) => numbersOf(key).forEach((value, part) => shapes.push(makeSvg('circle', {
      class: 'dot',
      cx: x(timeOf(key)),
      cy: y(value),
      r: 5,
      tabindex: 0,
      role: 'button',
      'aria-label': `${valueText(key, part)} at ${timeOf(key)}`,
      'data-key': i,
      'data-part': part,
      pointerdown: event => this.onDown(event, svg, index, i, part),
      keydown: event => this.onDotKey(event, index, i, part)
    }))));
    svg.replaceChildren(...shapes);
  }

  setEasing(index, time, easing, gesture) {
    const key =
        trackKeys(this.film.tracks[index] ?? {children: []}).find(one => timeOf(one) === time);
    if (key) this.timeline.change(() => key.setAttribute('easing', easing), gesture);
  }

  // ---- hand and keys ----

  set(key, part, time, value) {
    const others = trackKeys(key.parentNode).filter(one => one !== key).map(timeOf);
    if (!others.includes(time)) key.setAttribute('time', shortNumber(time));
    if (!isWord(key)) {
      const numbers = numbersOf(key);
      numbers[part] = value;
      key.setAttribute('value', numbers.map(shortNumber).join(' '));
    }
    const after = trackKeys(key.parentNode).find(one => one !== key && timeOf(one) > timeOf(key));
    key.parentNode.insertBefore(key, after ?? null);
  }

  onDown(event, svg, index, i, part) {
    event.preventDefault();
    event.stopPropagation();
    const {timeline} = this, track = this.film.tracks[index], key = trackKeys(track)[i];
    const {clientX, clientY} = event, time = timeOf(key), value = numbersOf(key)[part];
    const scale = this.scaleOf(track), gesture = timeline.editor.begin();
    this.held = {scale};
    let moved = false;
    timeline.hold(
        event, 'track',
        to => {
          moved ||= Math.hypot(to.clientX - clientX, to.clientY - clientY) > dragAfterPx;
          if (!moved) return;
          const dt = timeline.snapped(
                         time + Math.round((to.clientX - clientX) / timeline.scale.perFrame)) -
              time;
          timeline.change(
              () => this.set(key, part, time + dt, value - (to.clientY - clientY) * scale.perPx),
              gesture);
        },
        () => {
          this.held = null;
          if (!moved) timeline.scrub(time);
        });
  }

  onDotKey(event, index, i, part) {
    const {timeline} = this, key = trackKeys(this.film.tracks[index])[i];
    const {perPx} = this.scaleOf(this.film.tracks[index]);
    const [dt, dv] = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, perPx],
      ArrowDown: [0, -perPx]
    }[event.key] ??
        [];
    if (dt === undefined && event.key !== 'Delete') return;
    event.preventDefault();
    event.stopPropagation();
    const gesture = timeline.editor.beginOrGoOn('track key');
    timeline.change(() => {
      if (event.key !== 'Delete')
        return this.set(key, part, timeOf(key) + dt, numbersOf(key)[part] + dv);
      trackKeys(key.parentNode).length > 1 ? key.remove() : key.parentNode.remove();
    }, gesture);
    this.rows.querySelectorAll('.track')[index]
        ?.querySelector(`[data-key="${i}"][data-part="${part}"]`)
        ?.focus();
  }
}
