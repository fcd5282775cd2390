// SPDX-License-Identifier: MIT
// The timeline below the picture: the film that the flame is a moment of. Its key flames stand as small
// pictures along a strip by their times; the hand is the time that the picture shows. What is done here
// is an edit of the film like every other, with the same undo (film.js has what a film is, the program
// makes the flame under the hand and, while it moves, the key of what is edited). span.js has which part of
// the film is seen, group.js keys that are chosen together.

import {byId, make, signButton, textButton} from '../base/elements.js';

import {Beginnings} from './beginnings.js';
import {Drive} from './drive.js';
import {EasingMenu, segmentButton} from './easing.js';
import {easingName, Film} from './film.js';
import {FilmStrip} from './filmstrip.js';
import {KeyGroup} from './group.js';
import {checkBox, timeInput} from './inputs.js';
import {KeyPictures} from './keypictures.js';
import {Markers} from './markers.js';
import {Player} from './player.js';
import {Song} from './song.js';
import {Span} from './span.js';
import {framesOf, secondsText} from './times.js';
import {Tracks} from './tracks.js';

const densePx = 22, usualFrames = 60;

export class Timeline {
  /// acts: {pressed(name, on), play(), stop(), flames(): [[index, name, whether it is of a film]] of the
  /// others, exports(ending)}.
  constructor(editor, connection, notice, acts) {
    this.editor = editor;
    this.connection = connection;
    this.notice = notice;
    this.acts = acts;
    this.film = null;
    this.index = -1;  // of the flame
    this.time = 0;
    this.seen = undefined;  // the time that the film which plays has come to
    this.later = [];        // what is done once it stands still
    this.forFilm = [];      // what is done once there is a film
    this.held = '';         // 'hand', 'key', 'frame', 'track': what a hand holds
    this.waiting = null;    // what came meanwhile
    this.view = new Span(this, () => this.draw());
    this.group = new KeyGroup(this);
    this.exported = '';  // ending of the file that the film that is made is for
    this.pictures = new KeyPictures(connection);
    this.range = null;  // [begin, end]; null: all of the film
    this.shown = [];    // of the keys, as tiles and segments show them
    this.tiles = this.segments = [];
    this.section = byId('timeline');
    this.player = new Player(connection);
    this.song = new Song(this, connection, notice);
    this.drive = new Drive(this);
    this.markers = new Markers(this);
    this.filmStrip = new FilmStrip(this, connection);
    this.menu = new EasingMenu(() => editor.begin());
    editor.waits = work => this.standStill(work);
    this.build();
    this.tracks = new Tracks(this);
    this.section.append(this.tracks.element);
    new ResizeObserver(() => this.draw()).observe(this.section);
  }

  // ---- the panel ----

  build() {
    const number = (id, label, value, act) =>
        timeInput(id, label, value, text => act(this.framesOf(text)));
    this.playButton = signButton('play', 'Play the film (Space)', () => this.acts.play());
    this.now = number('now', 'Current frame: the time of the hand', 0, time => this.go(time));
    this.seconds = number(
        'seconds', 'Current time in seconds: that of the hand', '0 s', time => this.go(time));
    const isRate = value => value >= 0.1 && value <= 240;  // as the program has it
    const kept = Number(localStorage.getItem('timeline-fps'));
    this.fps = number('fps', 'Frames a second, 0.1 to 240', isRate(kept) ? kept : 30, value => {
      if (!isRate(value)) return false;
      localStorage.setItem('timeline-fps', value);
      this.song.setRate(value);
      return this.draw();
    });
    const ends = () => {
      const [from, to] = [this.from, this.to].map(({value}) => this.framesOf(value));
      this.range = from < to ? [from, to] : null;
      this.draw();
    };
    this.from = number('from', 'Plays from this time', 0, ends);
    this.to = number('to', 'Plays up to this time', usualFrames, ends);
    this.keyButtons = [
      signButton('add', 'A key at the hand', () => this.addKey(), {id: 'timeline-add'}),
      textButton(
          'Copy', () => this.group.copy(),
          {title: 'Copy the chosen keys, or the one under the hand'}),
      textButton('Paste', () => this.group.paste(), {title: 'What was copied, at the hand'}),
      signButton(
          'remove', 'Remove the chosen keys, or the one under the hand',
          () => this.group.remove(this.group.isSeveral ? undefined : this.film.at(this.time)),
          {id: 'timeline-remove'})
    ];
    this.chosenSays = make('span', {class: 'muted', role: 'status'});
    const group = (...parts) => make('span', {class: 'group'}, ...parts);
    this.head = make(
        'header', {},
        group(
            this.playButton, this.now, this.seconds,
            checkBox('loop', 'loop', 'Starts over at the end', true, on => this.loops = on)),
        group(this.from, '–', this.to, this.fps, make('span', {class: 'muted'}, 'frames/s')),
        group(
            ...this.keyButtons, this.chosenSays,
            checkBox(
                'auto', 'auto key', 'A change between two keys becomes a key there', true,
                on => this.connection.apart = !on),
            this.song.snapLabel, this.markers.button,
            checkBox(
                'strip', 'strip', 'The film as a strip: a column for each frame', false,
                on => this.filmStrip.show(on))),
        make('span', {class: 'group zoom'}, ...this.view.buttons),
        group(
            textButton(
                'Animate ...', () => this.tracks.choose(),
                {title: 'A number that goes its own way', id: 'timeline-animate'}),
            this.song.button,
            textButton('Export', () => this.acts.exports(), {id: 'timeline-export'}),
            this.apart = textButton(
                'As flames', () => this.connection.say({type: 'film', make: 'flames'}),
                {title: 'Its keys as flames of their own; the film stays', id: 'timeline-apart'}),
            textButton(
                'No film', () => this.make('none'), {title: 'The flame under the hand alone'})));
    this.hand = make('i', {class: 'hand'});
    this.keys = make('div', {class: 'keys'});
    this.strip = make(
        'div', {
          class: 'strip',
          role: 'slider',
          tabindex: 0,
          'aria-label': 'Time of the film',
          pointerdown: event => this.onDown(event),
          keydown: event => this.onKey(event)
        },
        this.song.beats, this.view.ruler, this.keys, this.markers.element, this.group.bar,
        this.group.frame, this.hand);
    this.view.listen(this.strip);
    const close = signButton('remove', 'Close', () => this.close(), {'data-role': 'close'});
    this.frames = number('frames', 'Frames that it lasts', usualFrames, () => {});
    this.beginnings = new Beginnings(this.frames, (...wish) => this.make(...wish));
    this.begin = this.beginnings.element;
    this.section.replaceChildren(
        this.head, this.begin, this.song.form, this.drive.element, this.strip, this.view.bar,
        this.filmStrip.canvas, this.song.row, close);
  }

  get open() {
    return !this.section.hidden;
  }

  toggle() {
    this.open ? this.close() : this.show();
  }

  show() {
    this.section.hidden = false;
    this.acts.pressed('timeline', true);
    this.draw();
  }

  close() {
    this.section.hidden = true;
    this.menu.close();
    this.acts.pressed('timeline', false);
  }

  // ---- from the program ----

  /// The flame and what it is a moment of. Whether it is taken: not while a hand is on the timeline.
  took(message) {
    if (this.held && message.time !== undefined) {
      this.waiting = {...this.waiting, ...message};
      return false;
    }
    const before = this.film;
    if (message.time === undefined) {
      this.film = null;
    } else {
      if (message.film !== undefined) this.film = new Film(message.film, this.song.data);
      this.time = message.time;
    }
    if (message.index !== this.index) {
      this.range = this.view.part = null;
      this.group.clear();
    }
    this.group.follow(before);
    this.index = message.index ?? this.index;
    this.editor.film = this.film && this;
    for (const work of this.film ? this.forFilm.splice(0) : []) work();
    if (!before && this.film) {
      this.range = this.view.part = null;
      this.show();
      if (this.exported) this.acts.exports(this.exported);
      this.exported = '';
    }
    this.song.took();
    this.filmStrip.changed();
    this.draw();
    return true;
  }

  /// The film that the flame is a moment of, and which; null: none.
  get moment() {
    return this.film && {text: this.film.text(), time: this.time};
  }

  release() {
    this.held = '';
    const {waiting} = this;
    this.waiting = null;
    if (waiting) this.acts.again(waiting);
    this.draw();
  }

  /// A picture of the film that plays.
  pictured(head) {
    const isDone =
        head.settled && head.time === this.time && head.number === this.connection.newest;
    this.strip.setAttribute('aria-busy', String(!isDone));
    if (!this.playing || head.time === undefined) return;
    if (!this.loops && head.time < this.seen) return this.stop();
    this.time = this.seen = head.time;
    this.placeHand();
  }

  setPlaying(on) {
    this.playing = on;
    this.seen = undefined;
    this.player.setPlaying(on && this.film !== null);
    this.playButton.querySelector('use').setAttribute('href', on ? '#sign-stop' : '#sign-play');
  }

  /// A film that plays stands still where it is seen.
  stop() {
    const {seen} = this;
    if (seen === undefined) return this.acts.stop();
    this.playing = false;  // pictures that are on their way still are not where it stands
    this.seen = undefined;
    return this.scrub(seen);
  }

  /// Whether `work`, which changes the flame, has to wait: while a film plays the page does not have the
  /// flame that is seen. The film stops there, and then it is changed.
  standStill(work) {
    if (this.later.length === 0) {
      if (this.seen === undefined || !this.film || !this.connection.isOpen) return false;
      this.stop();
    }
    this.later.push(work);
    return true;
  }

  /// The flame has come at which the film stopped.
  goOn() {
    for (const work of this.later.splice(0)) work();
  }

  // ---- to the program ----

  /// The film is this now.
  change(work, gesture = this.editor.begin(), time = this.time) {
    work(this.film);
    this.time = time;
    this.strip.setAttribute('aria-busy', 'true');
    this.connection.sayFilm(this.film.text(), time, gesture);
    this.filmStrip.changed();
    this.draw();
  }

  /// A film that was there before.
  restore(text, gesture) {
    this.film = new Film(text, this.song.data);
    this.change(() => {}, gesture);
  }

  /// `ending`: then it is exported.
  make(kind, more = {}, ending = '') {
    this.exported = ending;
    const frames = Math.max(1, Math.round(this.framesOf(this.frames.value)) || usualFrames);
    this.connection.say({type: 'film', make: kind, frames, ...more});
  }

  /// Where the flame is of no film it becomes one before.
  withFilm(work) {
    if (this.film) return work();
    this.forFilm.push(work);
    return this.make('this');
  }

  /// What is typed as a time; false: it is none.
  go(time) {
    this.scrub(time);
    return Number.isFinite(time);
  }

  /// Frames, of "60" as of "2 s".
  framesOf(text) {
    return framesOf(text, this.rate);
  }

  get rate() {
    return Number(this.fps?.value) || 30;
  }

  scrub(time) {
    if (!this.film || !Number.isFinite(time)) return;
    this.time = time;
    this.strip.setAttribute('aria-busy', 'true');
    this.connection.say({type: 'scrub', time});
    this.placeHand();
    this.mark();
  }

  /// What the film's playing is.
  playWish() {
    const [begin, end] = this.span,
                  from = this.time >= begin && this.time < end - 1 ? this.time : begin;
    return {type: 'play', begin, end, from, rate: this.rate};
  }

  /// From where to where it plays; the last frame is the one before the end.
  get span() {
    const {begin, shownEnd} = this.film;
    return this.range ?? [begin, Math.max(shownEnd, begin + 1)];
  }

  // ---- keys ----

  /// At the hand, where there is none: the program has all digits of what is seen, and splits the way.
  addKey() {
    if (!this.film || this.film.at(this.time)) return;
    const way = this.keyBefore.easing;
    if (['bounce', 'smooth'].includes(way) && this.time > this.film.begin &&
        this.time < this.film.end)
      this.notice.say(
          'info', `${way} starts over at each key: this key changes the motion around it`);
    this.connection.say({type: 'film', key: true, time: this.time, gesture: this.editor.begin()});
  }

  /// The key from which the way goes on that the hand is on.
  get keyBefore() {
    return this.film.keys.findLast(key => key.time <= this.time) ?? this.film.keys[0];
  }

  /// What is typed: of the key under the hand its time; where there is none the hand goes there.
  setTime(time) {
    const key = this.film.at(this.time);
    if (!key) return this.scrub(time);
    if (time !== key.time && this.film.at(time))
      this.notice.say('warning', `there is already a key at ${time}`);
    return this.retime(key, time, this.editor.beginOrGoOn('retime'));
  }

  /// To a time that no other has.
  retime(key, time, gesture) {
    this.group.retime([key], [time], gesture, key);
  }

  // ---- the strip ----

  get scale() {
    return this.view.scale;
  }

  xOf(time) {
    return this.view.xOf(time);
  }

  timeAt(clientX) {
    return this.view.timeAt(clientX);
  }

  /// How long a picture that has come waits for its moment of the song, ms.
  waitOf({time}) {
    if (!this.playing || time === undefined || !this.film?.sound) return 0;
    return this.player.wait(this.film.secondsAt(time));
  }

  /// A time, or the beat beside it.
  snapped(time) {
    return this.song.snapped(time);
  }

  draw() {
    if (!this.open) return;
    const isFilm = this.film !== null;
    this.head.hidden = this.strip.hidden = !isFilm;
    this.begin.hidden = isFilm;
    if (!isFilm) {
      this.tracks?.draw();
      return this.beginnings.draw(this.acts.flames());
    }
    this.view.measured(() => this.drawFilm());
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.askPictures(), 120);
  }

  drawFilm() {
    this.tracks?.draw();
    this.song.draw();
    this.markers.draw();
    this.filmStrip.draw();
    const {keys} = this.film, times = keys.map(key => key.time);
    const gap = Math.min(...times.slice(1).map((time, i) => time - times[i]));
    this.keys.classList.toggle('dense', gap * this.scale.perFrame < densePx);
    this.apart.hidden = keys.length < 2;
    this.apart.textContent = `As ${keys.length} flames`;
    // a hand may be about to press what is there: it stays as long as it is the same
    const shown = keys.flatMap((key, i) => [times[i], key.easing, key.looks]);
    const isSame =
        shown.length === this.shown.length && shown.every((one, i) => one === this.shown[i]);
    if (!isSame) {
      this.segments = keys.slice(0, -1).map((_, i) => this.segment(i));
      this.tiles = keys.map((_, i) => this.tile(i));
      this.keys.replaceChildren(...this.segments, ...this.tiles);
    }
    this.shown = shown;
    this.drawRuler();
    this.placeHand();
    this.mark();
  }

  /// Of the film as it is when it is pressed.
  tile(i) {
    const {time, looks} = this.film.keys[i], key = () => this.film.keys[i];
    return make(
        'button', {
          type: 'button',
          class: 'key',
          'data-time': time,
          'aria-label': `Key at ${time}`,
          title: `${time} (${
              secondsText(
                  time,
                  this.rate)})\nDrag: another time; Alt drag: a copy; Delete: removes it; Shift click: chooses it with others`,
          pointerdown: event => this.group.onKeyDown(event, key()),
          keydown: event => this.onTileKey(event, key())
        },
        make('img', {src: this.pictures.get(looks) || undefined, alt: '', draggable: 'false'}));
  }

  /// The way to the next key.
  segment(i) {
    const {time, easing} = this.film.keys[i], says = easingName(easing);
    return segmentButton(
        easing, {
          title: `${says}: click for another`,
          'aria-label': `Way from ${time} to ${this.film.keys[i + 1].time}: ${says}`,
          'data-time': time
        },
        button => this.menu.open(
            button, this.film.keys[i].easing,
            (chosen, gesture) => this.setEasing(time, chosen, gesture)));
  }

  setEasing(time, easing, gesture) {
    const key = this.film.at(time);
    if (key) this.group.ease(key, easing, gesture);
  }

  place(element) {
    const {time} = element.dataset;
    element.style.left = `${this.xOf(Number(time))}px`;
  }

  drawRuler() {
    const [from, to] = this.span;
    this.view.draw([from, to]);
    this.from.value = from;
    this.to.value = to;
    const {tiles, segments} = this;
    for (const tile of tiles) this.place(tile);
    segments.forEach((segment, i) => {
      this.place(segment);
      segment.style.width = `${
          Math.max(
              8,
              this.xOf(Number(tiles[i + 1].dataset.time)) -
                  this.xOf(Number(tiles[i].dataset.time)) - 2)}px`;
    });
  }

  placeHand() {
    if (!this.film || !this.open || this.view.reveal(this.time)) return;
    this.hand.style.left = `${this.xOf(this.time)}px`;
    if (document.activeElement !== this.now) this.now.value = Math.round(this.time * 100) / 100;
    if (document.activeElement !== this.seconds)
      this.seconds.value = secondsText(this.time, this.rate);
    this.strip.setAttribute('aria-valuenow', this.time);
    this.strip.setAttribute('aria-valuemin', this.film.begin);
    this.strip.setAttribute('aria-valuemax', this.film.shownEnd);
    this.tracks.placeHand();
  }

  mark() {
    for (const tile of this.tiles)
      tile.setAttribute('aria-pressed', String(Number(tile.dataset.time) === this.time));
    const isKey = Boolean(this.film?.at(this.time));
    this.keyButtons[0].disabled = isKey;
    const {isSeveral} = this.group;
    this.keyButtons[1].disabled = !isKey && !isSeveral;
    this.keyButtons[2].disabled = !this.group.copied.length;
    this.keyButtons[3].disabled = (!isKey && !isSeveral) || this.film.keys.length < 2;
    this.group.mark();
  }

  /// So many keys are chosen together.
  markChosen(count) {
    this.chosenSays.textContent = count > 1 ? `${count} keys chosen` : '';
  }

  // ---- small pictures ----

  addPicture(head, blob) {
    const looks = this.pictures.add(head, blob);
    if (!looks) return false;
    (this.film?.keys ?? []).forEach((key, i) => {
      if (key.looks === looks)
        this.tiles[i]?.querySelector('img').setAttribute('src', this.pictures.get(looks));
    });
    if (this.pictures.isAllThere) this.askPictures();
    return true;
  }

  askPictures() {
    if (this.open && this.film) this.pictures.ask(this.film.keys);
  }

  // ---- hand and keys ----

  /// follow(event) until the hand lets go.
  hold(event, what, follow, done = () => {}) {
    this.held = what;
    this.view.fixed = this.scale;
    const {strip} = this, followed = moved => this.view.isPinched || follow(moved);
    strip.setPointerCapture(event.pointerId);
    strip.addEventListener('pointermove', followed);
    strip.addEventListener('lostpointercapture', () => {
      strip.removeEventListener('pointermove', followed);
      this.view.fixed = null;
      done();
      this.release();
    }, {once: true});
  }

  onDown(event) {
    if (!this.film || event.button > 0) return undefined;
    event.preventDefault();
    this.strip.focus();
    if (this.view.isPinched) return undefined;
    if (this.group.begins(event)) return this.group.onFrame(event);
    this.group.clear();
    const follow = moved => {
      const time = Math.max(
          this.scale.begin,
          Math.min(Math.round(this.scale.end), this.snapped(this.timeAt(moved.clientX))));
      if (time !== this.time) this.scrub(time);
    };
    this.hold(event, 'hand', follow);
    return follow(event);
  }

  onTileKey(event, key) {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key] * (event.shiftKey ? 10 : 1);
    const acts = {
      Delete: () => this.group.remove(key),
      Enter: () => this.scrub(key.time),
      ' ': () => this.acts.play(),
      ArrowLeft: () => this.group.shift(key, step, this.editor.beginOrGoOn('retime')),
      ArrowRight: () => this.group.shift(key, step, this.editor.beginOrGoOn('retime'))
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    acts[event.key]();
    this.keys.querySelector(`.key[data-time="${key.time}"]`)?.focus();
  }

  onKey(event) {
    if (!this.film || event.target !== this.strip) return;
    const {begin, end} = this.film, far = event.shiftKey ? 10 : 1;
    const to =
        {ArrowLeft: this.time - far, ArrowRight: this.time + far, Home: begin, End: end}[event.key];
    const acts = {
      Delete: () =>
          (this.group.remove(this.group.isSeveral ? undefined : this.film.at(this.time)), true),
      a: () => (event.ctrlKey || event.metaKey) && (this.group.all(), true),
      Escape: () => this.group.isSeveral && (this.group.clear(), true)
    };
    if (to !== undefined) this.scrub(to);
    if (to === undefined && (acts[event.key]?.() ?? false) === false) return;
    event.preventDefault();
    event.stopPropagation();
  }
}
