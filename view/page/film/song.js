// SPDX-License-Identifier: MIT
// The song of the film: what is heard in it as a wave with its beats, lanes of its bands, and the form that names it.
// The program hears it (live_song.cpp); the film's text says which song it is.

import {choice, make, signButton, textButton} from '../base/elements.js';
import {sendBytes} from '../base/upload.js';

const wavePx = 40, lanePx = 26, leastBeatPx = 5, snapPx = 7;
const mostUploadBytes = 64 << 20;

/// What a number may be driven by, as files have it.
export const soundWords =
    ['bass', 'low', 'mid', 'high', 'loudness', 'onset', 'beat', 'bar', 'centroid', 'silence'];

/// Draws on a canvas as wide as it is shown: paint(context, width).
export function paintOn(canvas, height, paint) {
  const width = canvas.clientWidth, dots = globalThis.devicePixelRatio;
  if (!width) return;
  canvas.width = Math.round(width * dots);
  canvas.height = Math.round(height * dots);
  const context = canvas.getContext('2d');
  context.scale(dots, dots);
  paint(context, width);
}

export class Song {
  constructor(timeline, connection, notice) {
    this.timeline = timeline;
    this.connection = connection;
    this.notice = notice;
    this.data = null;         // what was heard in the film's song
    this.asks = 0;            // numbers of questions
    this.asked = null;        // {number, what} of the newest
    this.chosen = null;       // number of a song that is to become the film's, attributes beside
    this.levels = new Map();  // by the text of a track that is driven: {rate, values}
    this.wanted = new Set();  // of those that were asked for
    this.asking = new Map();  // those of a question, by its number
    this.shown = [];          // lanes that somebody wants to see
    this.snaps = localStorage.getItem('timeline-snap') !== 'off';
    this.build();
  }

  get film() {
    return this.timeline.film;
  }

  // ---- what stands in the timeline ----

  build() {
    this.button = textButton(
        'Song ...', () => this.toggleForm(),
        {title: 'The song of the film: its wave, beats and bands', id: 'timeline-song'});
    const snap = make('input', {
      type: 'checkbox',
      id: 'timeline-snap',
      change: () => {
        this.snaps = snap.checked;
        localStorage.setItem('timeline-snap', this.snaps ? 'on' : 'off');
      }
    });
    snap.checked = this.snaps;
    this.snapLabel = make(
        'label', {class: 'check', title: 'Keys and the hand snap to beats', hidden: true}, snap,
        'beats');
    this.beats = make('canvas', {class: 'beats', 'aria-hidden': 'true'});
    this.wave = make('canvas', {'aria-hidden': 'true'});
    this.says = make('span', {class: 'muted'});
    this.lanes = make('div', {class: 'lanes'});
    this.add = choice('Another lane', ['lane ...', ...soundWords], word => {
      this.add.value = 'lane ...';
      if (!this.shown.includes(word)) this.shown.push(word);
      this.draw();
    });
    this.row = make(
        'div', {class: 'song', hidden: true},
        make('div', {class: 'wave'}, make('div', {class: 'about'}, this.says, this.add), this.wave),
        this.lanes);
    this.buildForm();
  }

  buildForm() {
    const field = (id, label, act) => make('input', {
      type: 'text',
      id: `song-${id}`,
      'aria-label': label,
      title: label,
      autocomplete: 'off',
      spellcheck: 'false',
      change: act,
      keydown: event => {
        if (event.key === 'Escape') this.form.hidden = true;
        if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
      }
    });
    const number = (name, usual, least, most) => () => {
      const text = this[name].value.trim(), value = Number(text);
      if (text && !(value >= least && value <= most)) return this.showForm();
      return this.change({[name]: !text || value === usual ? null : String(value)});
    };
    this.file = field('file', 'A song in the folder of the program', () => this.take());
    this.file.setAttribute('list', 'song-files');
    this.file.setAttribute('placeholder', 'song.flac');
    this.files = make('datalist', {id: 'song-files'});
    this.start = field('start', 'Second of the song at time 0', number('start', 0, 0, 1e6));
    this.bar = field('bar', 'Beats of a bar', number('bar', 4, 1, 32));
    this.length = choice(
        'Length of the film', ['usual', 'song', 'keys'],
        value => this.change({length: value === 'usual' ? null : value}));
    this.length.title =
        'The film is as long as its song, or as its keys; usual: a single key is as long as the song';
    this.upload = make('input', {
      type: 'file',
      id: 'song-upload',
      accept: 'audio/*,video/*',
      hidden: true,
      'aria-label': 'A song of this computer',
      change: () => this.send(this.upload.files[0])
    });
    this.remove = textButton('No song', () => this.change(null), {id: 'song-remove'});
    const pair = (says, input) => make('label', {class: 'check'}, says, input);
    this.busy = make('span', {class: 'muted', role: 'status', id: 'song-busy'});
    this.form = make(
        'div', {class: 'song-form', hidden: true}, this.file, this.files,
        textButton('From this computer …', () => this.upload.click()), this.upload,
        pair('starts at', this.start), pair('beats a bar', this.bar),
        pair('film as long as', this.length), this.remove, this.busy,
        signButton('remove', 'Close', () => {
          this.form.hidden = true;
        }));
  }

  toggleForm() {
    this.form.hidden = !this.form.hidden;
    if (this.form.hidden) return;
    this.connection.say({type: 'songs'});
    this.showForm();
    this.file.focus();
  }

  showForm() {
    const read = name => this.film?.sound?.getAttribute(name) ?? '';
    this.file.value = this.data?.name ?? read('file').split('/').at(-1);
    this.start.value = read('start') || '0';
    this.bar.value = read('bar') || '4';
    this.length.value = read('length') || 'usual';
    this.remove.hidden = !this.film?.sound;
    this.start.disabled = this.bar.disabled = this.length.disabled = !this.film?.sound;
  }

  hearSongs({files}) {
    this.files.replaceChildren(...files.map(value => make('option', {value})));
  }

  // ---- which song ----

  /// A file of the program's folder, that is typed.
  take() {
    const file = this.file.value.trim();
    if (!file) return this.film?.sound && this.change(null);
    this.chosen = ++this.asks;
    this.busy.textContent = 'listening ...';
    return this.connection.say({type: 'song', file, number: this.chosen});
  }

  async send(file) {
    this.upload.value = '';
    if (!file) return;
    if (file.size > mostUploadBytes) {
      this.notice.say('error', `${file.name}: more than ${mostUploadBytes >> 20} MB`);
      return;
    }
    this.chosen = ++this.asks;
    this.busy.textContent = 'listening ...';
    const bytes = new Uint8Array(await file.arrayBuffer());
    sendBytes(this.connection, {type: 'song', name: file.name, number: this.chosen}, bytes);
  }

  /// Attributes of the film's <kiln_sound>; null: none.
  change(attributes) {
    if (!this.film) return;
    this.timeline.change(film => film.setSound(attributes));
    this.took();
    this.showForm();
  }

  /// The film has come, or is another one.
  took() {
    const {film} = this, sound = film?.sound;
    this.row.hidden = !sound;
    const key = sound && `${sound.getAttribute('file')} ${sound.getAttribute('bar')}`;
    if (key === this.key) return this.ask();
    this.key = key;
    this.data = null;
    for (const known of [this.levels, this.wanted, this.asking]) known.clear();
    if (film) film.song = null;
    this.timeline.player.load(null);
    if (!sound) return undefined;
    this.asked = ++this.asks;
    return this.connection.say(
        {type: 'song', number: this.asked, bar: Number(sound.getAttribute('bar')) || 4});
  }

  /// What the program has heard.
  hear(message) {
    if (message.failed) this.busy.textContent = 'no song';
    if (message.failed) return;
    this.busy.textContent = '';
    if (message.number === this.chosen) return this.becomes(message);
    if (message.number !== this.asked || !this.film?.sound) return;
    this.data = this.film.song = message;
    this.timeline.player.load(message.sha256);
    this.timeline.fps.value = this.film.sound.getAttribute('fps') ?? '30';
    this.showForm();
    this.ask();
    this.timeline.draw();
  }

  becomes({file, sha256}) {
    this.chosen = null;
    if (!this.film) return;
    const fps = this.film.sound?.getAttribute('fps') ?? String(this.timeline.rate);
    this.change({file, sha256, fps});
  }

  /// Another rate of frames: the film's times are frames of the song then.
  setRate(fps) {
    if (this.film?.sound) this.change({fps: String(fps)});
  }

  // ---- levels ----

  get laneWords() {
    const used = (this.film?.tracks ?? [])
                     .map(track => track.getAttribute('sound'))
                     .filter(word => word && !['beat', 'bar', 'onset'].includes(word));
    return [...new Set([...used, ...this.shown])];
  }

  /// Levels of all that is shown and was not asked for yet.
  ask() {
    if (!this.data) return;
    const texts = [
      ...this.laneWords.map(laneText),
      ...this.film.tracks.filter(track => track.hasAttribute('sound')).map(textOf)
    ];
    const drives = texts.filter(text => !this.wanted.has(text)).slice(0, 64);
    if (!drives.length) return;
    for (const text of drives) this.wanted.add(text);
    this.asking.set(++this.asks, drives);
    this.connection.say({type: 'levels', number: this.asks, drives});
  }

  hearLevels({number, rate, levels}) {
    const drives = this.asking.get(number);
    if (!drives) return;
    this.asking.delete(number);
    drives.forEach((text, i) => this.levels.set(text, {rate, values: levels[i]}));
    this.timeline.draw();
  }

  /// The course of a driven track: {rate, values} of the song's seconds, where they have come.
  courseOf(track) {
    return this.levels.get(textOf(track));
  }

  // ---- beats ----

  /// Times of the film at which beats are seen first: whole frames.
  framesOf(seconds) {
    return seconds.map(one => Math.ceil(this.film.timeAtSeconds(one) - 1e-6));
  }

  /// The beat that lies beside this time on the strip, or the time itself.
  snapped(time) {
    if (!this.snaps || !this.data?.beats.length || !this.film?.sound) return time;
    const seconds = this.film.secondsAt(time), {beats} = this.data;
    let low = 0, high = beats.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      beats[middle] < seconds ? low = middle + 1 : high = middle;
    }
    const near = this.framesOf(beats.slice(Math.max(0, low - 1), low + 1));
    const away = one => Math.abs(one - time);
    const best = near.reduce((a, b) => (away(b) < away(a) ? b : a), near[0]);
    return away(best) * this.timeline.scale.perFrame <= snapPx ? best : time;
  }

  // ---- drawing ----

  draw() {
    const {film, data} = this;
    this.row.hidden = !film?.sound;
    this.snapLabel.hidden = !data?.beats.length;
    this.ask();
    if (!film?.sound || !data) {
      paintOn(this.beats, 92, () => {});
      this.says.textContent = film?.sound ? 'listening ...' : '';
      return;
    }
    const bpm = data.bpm ? `, ${data.bpm.toFixed(1)} beats a minute` : ', no beat';
    this.says.textContent = `${data.name}, ${data.seconds.toFixed(1)} s${bpm}`;
    this.drawBeats();
    paintOn(this.wave, wavePx, (context, width) => {
      this.lines(context, wavePx);
      this.area(context, width, data.rate, data.wave, wavePx, true);
    });
    this.drawLanes();
  }

  drawBeats() {
    const {clientHeight} = this.beats;
    paintOn(this.beats, clientHeight, context => this.lines(context, clientHeight));
  }

  /// Beats as lines, the first of a bar brighter; those of which there is no room are left out.
  lines(context, height) {
    const {beats, bars} = this.data, {perFrame} = this.timeline.scale;
    const apart = all => (all.length > 1 ? (all.at(-1) - all[0]) / (all.length - 1) : 1) *
        this.film.songRate * perFrame;
    const put = (all, color) => {
      if (apart(all) < leastBeatPx) return;
      context.fillStyle = color;
      for (const second of all)
        context.fillRect(
            Math.round(this.timeline.xOf(this.film.timeAtSeconds(second))), 0, 1, height);
    };
    put(beats, 'rgb(255 255 255 / 0.13)');
    put(bars, 'rgb(255 255 255 / 0.3)');
  }

  /// Levels of the song's seconds as a filled curve; `mirrored` about the middle, as waves are.
  area(context, width, rate, values, height, mirrored = false) {
    const {timeline, film} = this, {scale} = timeline;
    context.fillStyle = getComputedStyle(this.row).getPropertyValue('--wave') || '#7d8896';
    for (let x = 0; x < width; ++x) {
      const second = film.secondsAt(scale.begin + (x - timeline.xOf(scale.begin)) / scale.perFrame);
      const first = Math.floor(second * rate),
            last = Math.max(
                first + 1, Math.floor((second + 1 / (film.songRate * scale.perFrame)) * rate));
      if (first < 0 || first >= values.length) continue;
      let level = 0;
      for (let i = first; i < last && i < values.length; ++i) level = Math.max(level, values[i]);
      const high = Math.min(1, level) * (height - 2);
      context.fillRect(x, mirrored ? (height - high) / 2 : height - high, 1, Math.max(1, high));
    }
  }

  drawLanes() {
    const words = this.laneWords, isSame = words.join() === this.laneKeys;
    this.laneKeys = words.join();
    if (!isSame)
      this.lanes.replaceChildren(...words.map(
          word => make(
              'div', {class: 'lane', 'data-lane': word},
              make(
                  'div', {class: 'about'}, word,
                  this.shown.includes(word) ? signButton(
                                                  'remove', `No lane of ${word}`,
                                                  () => {
                                                    this.shown =
                                                        this.shown.filter(one => one !== word);
                                                    this.draw();
                                                  }) :
                                              null),
              make('canvas', {'aria-hidden': 'true'}))));
    for (const lane of this.lanes.children) {
      const course = this.levels.get(laneText(lane.dataset.lane));
      lane.toggleAttribute('data-heard', Boolean(course));
      paintOn(lane.querySelector('canvas'), lanePx, (context, width) => {
        this.lines(context, lanePx);
        if (course) this.area(context, width, course.rate, course.values, lanePx);
      });
    }
  }
}

const laneText = word => `<kiln_track name="zoom" sound="${word}" from="0" to="1"/>`;

/// A track alone, without what no level hangs on.
function textOf(track) {
  const plain = laneText(track.getAttribute('sound')).slice(0, -2);
  const own = ['each', 'shape', 'threshold', 'delay', 'attack', 'release']
                  .filter(name => track.hasAttribute(name))
                  .map(name => `${name}="${track.getAttribute(name)}"`);
  return `${plain} ${own.join(' ')}/>`;
}
