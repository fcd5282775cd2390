// SPDX-License-Identifier: MIT
// Versions of the flame: every step that was ever made of it, of this day and of others, as the program
// keeps them on the disk. A hand goes over all of them on a line of days, below it stand those around the
// hand with their pictures. Going there is one step of undo; what is edited then is a version more.

import {make, makeSvg, segments, signButton, textButton} from '../base/elements.js';
import {Over} from '../base/over.js';

import {Kept} from './kept.js';

const widthPx = 192, mostPictures = 400, mostTexts = 400, mostAsked = 24, restMs = 80;
const gestureRestMs = 400;  // the last picture of a drag is made once the hand rests
const around = 40;          // tiles on each side of the hand
const roomOfDayPx = 74;     // of a date on the line
const labelOf = {
  weekday: 'short',
  day: 'numeric',
  month: 'short'
};

/// {day, clock} of "rose-1a2b3c4d/2026-11-29/14-32-05.120".
function timeOf(id) {
  const [, day, clock] = id.split('/');
  return {day, clock: clock.slice(0, 8).replaceAll('-', ':')};
}

function dayLabel(day) {
  const date = new Date(`${day}T12:00`), today = new Date();
  const days = Math.round((today.setHours(12, 0, 0, 0) - date.getTime()) / 864e5);
  return ['Today', 'Yesterday'][days] ?? date.toLocaleDateString([], labelOf);
}

const plural = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;

export class Versions extends Over {
  constructor(editor, connection, glimpses, kept, notice) {
    super('versions', 'below');
    this.editor = editor;
    this.connection = connection;
    this.glimpses = glimpses;
    this.kept = kept;
    this.notice = notice;
    this.index = -1;
    this.all = [];  // {id, name, day, clock}, the oldest first
    this.now = '';  // id of the version that the flame is; empty: of none
    this.only = 'all';
    this.texts = new Map();     // id -> text of the flame
    this.pictures = new Map();  // id -> address of its small picture
    this.inSight = new Set();   // images
    this.compared = null;       // {id, one} that is compared with
    this.gesture = 0;           // of the hand
    this.build();
    editor.addEventListener('compared', () => this.mark());
  }

  build() {
    this.count = make('span', {class: 'muted'});
    this.filter = segments('Which', [['all', 'All'], ['kept', 'Kept']], value => {
      this.only = value;
      this.draw();
    }, {title: 'Those with a name'});
    this.line = makeSvg('svg', {'aria-hidden': 'true'});
    this.hand = make('i', {class: 'hand'});
    this.days = make(
        'div', {
          class: 'days',
          role: 'slider',
          tabindex: 0,
          'aria-label': 'Versions by time',
          'aria-valuemin': 1,
          pointerdown: event => this.onDown(event),
          keydown: event => this.onDaysKey(event)
        },
        this.line, this.hand);
    this.fill(
        make('h2', {}, 'Versions'), this.filter,
        textButton(
            'Make a copy', () => this.copy(),
            {title: 'A flame of its own that begins here (Shift+D)', id: 'versions-copy'}),
        this.count);
    this.grid.before(this.days);
    this.watch =
        new IntersectionObserver(seen => this.onSeen(seen), {root: this.grid, rootMargin: '80px'});
    new ResizeObserver(() => this.open && this.drawLine()).observe(this.days);
  }

  show() {
    super.show();
    this.filter.show(this.only);
    this.ask();
  }

  close() {
    super.close();
    if (this.compared) this.compareWith(null);
  }

  ask() {
    this.connection.say({type: 'versions'});
  }

  /// The page is at this flame, which may have gone on without being another version: a drag does.
  at(index) {
    if (index === this.index) {
      this.forget(this.now);
      return;
    }
    this.index = index;
    this.all = [];
    this.now = '';
    this.texts.clear();
    this.asked = '';
    if (this.open) this.ask();
  }

  /// What was known of the version is of a moment before.
  forget(id) {
    const image = this.tileOf(id)?.querySelector('img');
    if (!this.texts.delete(id) && !this.pictures.has(id) && !image?.hasAttribute('src')) return;
    if (this.pictures.has(id)) URL.revokeObjectURL(this.pictures.get(id));
    this.pictures.delete(id);
    image?.removeAttribute('src');
    this.later(gestureRestMs);
  }

  // ---- from the program ----

  hear({index, folder, days, now, all}) {
    this.index = index;
    this.all = all.map(([id, name = '']) => ({id, name, ...timeOf(id)}));
    this.now = now;
    this.count.title = `${folder}\nThose without a name go after ${days} days`;
    this.draw();
  }

  /// One has come, or another is shown; or one has another name.
  hearOf({index, now, id, name}) {
    if (id !== undefined) {
      const one = this.all.find(version => version.id === id);
      if (!one) return;
      one.name = name;
    } else {
      if (index !== this.index) return;
      this.now = now;
      const isKnown = !now || this.all.some(version => version.id === now);
      if (!isKnown && !this.all.length) {  // the first one has another before it: as it was opened
        if (this.open) this.ask();
        return;
      }
      if (!isKnown) this.all.push({id: now, name: '', ...timeOf(now)});
      this.forget(now);
    }
    if (this.open && !this.grid.querySelector('[data-typing]')) this.draw();
  }

  hearTexts({versions}) {
    for (const {id, flame} of versions) this.texts.set(id, flame);
    while (this.texts.size > mostTexts) this.texts.delete(this.texts.keys().next().value);
    this.picture();
    if (this.wanted && this.texts.has(this.wanted)) this.compareWith(this.wanted);
  }

  // ---- what is shown ----

  get shown() {
    return this.only === 'kept' ? this.all.filter(({name}) => name) : this.all;
  }

  /// The spot of the version that is shown, or of the newest.
  get spot() {
    const at = this.shown.findIndex(({id}) => id === this.now);
    return at >= 0 ? at : this.shown.length - 1;
  }

  draw() {
    if (!this.open) return;
    const {shown} = this;
    const days = new Set(this.all.map(({day}) => day)).size;
    this.count.textContent =
        this.all.length ? `${plural(this.all.length, 'version')} of ${plural(days, 'day')}` : '';
    this.days.hidden = shown.length < 2;
    this.drawLine();
    this.drawTiles();
  }

  drawTiles() {
    const {shown, spot} = this;
    const from = Math.max(0, spot - around), some = shown.slice(from, spot + around + 1);
    this.watch.disconnect();
    this.inSight.clear();
    const focused = this.grid.contains(document.activeElement);
    this.grid.replaceChildren(
        ...some.map((one, i) => this.tile(one, from + i === 0 || some[i - 1]?.day !== one.day)));
    if (!shown.length)
      this.grid.append(make(
          'p', {class: 'hint'},
          this.only === 'kept' ? 'No version has a name yet. K keeps the flame as it is now.' :
                                 'Each step from now on is kept here, for other days too.'));
    this.mark();
    const tile = this.tileOf(this.now);
    if (tile)
      this.grid.scrollLeft = tile.offsetLeft - (this.grid.clientWidth - tile.offsetWidth) / 2;
    if (focused) tile?.querySelector('.tile').focus({preventScroll: true});
  }

  tileOf(id) {
    return [...this.grid.children].find(tile => tile.dataset.id === id);
  }

  tile(one, isFirst) {
    const {id, day, clock} = one;
    const image = make('img', {src: this.pictures.get(id), alt: '', draggable: 'false'});
    image.version = id;
    this.watch.observe(image);
    const name = make('input', {
      type: 'text',
      value: one.name,
      placeholder: clock,
      'aria-label': `Name of the version of ${clock}`,
      title: 'A name keeps it',
      maxlength: 60,
      spellcheck: 'false',
      autocomplete: 'off',
      input: () => name.toggleAttribute('data-typing', true),
      blur: () => name.removeAttribute('data-typing'),
      change: () => {
        name.removeAttribute('data-typing');
        this.connection.say({type: 'version', which: [id], name: name.value.trim()});
      },
      keydown: event => {
        if (event.key === 'Enter' || event.key === 'Escape') name.blur();
        if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
      }
    });
    return make(
        'div', {class: 'state', 'data-id': id},
        make(
            'button', {
              type: 'button',
              class: 'tile',
              title: `${dayLabel(day)} ${clock}\nGo back to this version; Undo reverts it`,
              'aria-label': `Back to ${dayLabel(day)} ${clock}`,
              click: () => this.go(id)
            },
            image, make('b', {}, isFirst ? dayLabel(day) : '')),
        make(
            'div', {class: 'tools'}, name,
            signButton('compare', 'Compare with this one', () => this.toggleWith(id)),
            signButton('copy', 'A copy of this version', () => this.copy(id))));
  }

  mark() {
    const isOn = this.kept.compare.mode !== 'off' && this.kept.chosen?.isVersion;
    if (this.compared && this.kept.chosen !== this.compared.one) this.compared = null;
    for (const tile of this.grid.children) {
      const {id} = tile.dataset;
      if (!id) continue;
      tile.classList.toggle('chosen', id === this.now);
      tile.querySelector('.tools button')
          .setAttribute('aria-pressed', String(Boolean(isOn) && this.compared?.id === id));
    }
  }

  // ---- the line of days ----

  drawLine() {
    const {shown, days} = this, width = days.clientWidth, height = days.clientHeight;
    if (!width || shown.length < 2) return;
    const x = i => (i + 0.5) * width / shown.length;
    const parts = [];
    let labelled = -Infinity;
    shown.forEach(({day, name}, i) => {
      const isNew = i === 0 || shown[i - 1].day !== day, left = i * width / shown.length;
      if (isNew && i) parts.push(makeSvg('line', {x1: left, x2: left, y1: 0, y2: height}));
      if (isNew && left - labelled >= roomOfDayPx && (i === 0 || width - left >= roomOfDayPx)) {
        parts.push(makeSvg('text', {x: left + 5, y: 13}, dayLabel(day)));
        labelled = left;
      }
      if (name) parts.push(makeSvg('circle', {cx: x(i), cy: height - 7, r: 3}));
    });
    const bar = Math.max(1, Math.min(6, width / shown.length - 1));
    const ticks = shown.length * 2 > width ?
        [makeSvg('rect', {x: 0, width, y: height - 9, height: 4})] :
        shown.map(
            (_, i) => makeSvg('rect', {x: x(i) - bar / 2, width: bar, y: height - 9, height: 4}));
    this.line.replaceChildren(...ticks, ...parts);
    this.placeHand();
  }

  placeHand() {
    const {shown, spot} = this, one = shown[spot];
    const isAt = one?.id === this.now;
    this.hand.hidden = !isAt;
    if (!one) return;
    this.hand.style.left = `${100 * (spot + 0.5) / shown.length}%`;
    this.days.setAttribute('aria-valuemax', shown.length);
    this.days.setAttribute('aria-valuenow', spot + 1);
    this.days.setAttribute('aria-valuetext', `${dayLabel(one.day)} ${one.clock}`);
  }

  onDown(event) {
    if (event.button > 0 || !this.shown.length) return;
    event.preventDefault();
    this.days.focus();
    this.gesture = this.editor.begin();
    const {shown} = this;
    const follow = ({clientX}) => {
      const {left, width} = this.days.getBoundingClientRect();
      const at = Math.floor((clientX - left) / width * shown.length);
      const one = shown[Math.min(shown.length - 1, Math.max(0, at))];
      if (one.id !== this.now) this.go(one.id, this.gesture);
    };
    this.days.setPointerCapture(event.pointerId);
    this.days.addEventListener('pointermove', follow);
    this.days.addEventListener(
        'lostpointercapture', () => this.days.removeEventListener('pointermove', follow),
        {once: true});
    follow(event);
  }

  onDaysKey(event) {
    const {shown, spot} = this, far = event.shiftKey ? 10 : 1;
    const to =
        {ArrowLeft: spot - far, ArrowRight: spot + far, Home: 0, End: shown.length - 1}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const one = shown[Math.min(shown.length - 1, Math.max(0, to))];
    if (one && one.id !== this.now) this.go(one.id, this.editor.beginOrGoOn(this));
  }

  // ---- going there ----

  go(id, gesture = this.editor.begin()) {
    this.now = id;
    this.connection.say({type: 'go', version: id, gesture});
    if (this.tileOf(id)) {
      this.mark();
      this.tileOf(id).scrollIntoView({block: 'nearest', inline: 'nearest'});
    } else {
      this.drawTiles();
    }
    this.placeHand();
  }

  /// A flame of its own that begins as this one is, or as a version of it was.
  copy(id) {
    if (!this.editor.flame) return;
    this.connection.say({type: 'copy', ...(id ? {version: id} : {})});
    this.notice.say('info', 'a copy: the flame that it is of stays in the list');
  }

  // ---- comparing ----

  toggleWith(id) {
    const isOn = this.compared?.id === id && this.kept.compare.mode !== 'off';
    this.compareWith(isOn ? null : id);
  }

  compareWith(id) {
    this.wanted = null;
    if (id && !this.texts.has(id)) {
      this.wanted = id;
      this.connection.say({type: 'version', which: [id]});
      return;
    }
    const version = this.all.find(one => one.id === id);
    this.compared = version && {
      id,
      one: new Kept({
        text: this.texts.get(id),
        name: version.name || `${dayLabel(version.day)} ${version.clock}`,
        thumb: this.pictures.get(id),
        isVersion: true
      })
    };
    this.kept.compareWith(this.compared?.one ?? null);
    this.mark();
  }

  // ---- small pictures ----

  onSeen(seen) {
    for (const {target, isIntersecting} of seen)
      this.inSight[isIntersecting ? 'add' : 'delete'](target);
    this.later(restMs);
  }

  later(ms) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.picture(), ms);
  }

  /// Those in sight, once their texts are here.
  picture() {
    if (!this.open) return;
    const bare = [...this.inSight].filter(image => !image.hasAttribute('src')).slice(0, mostAsked);
    const unknown = bare.map(image => image.version).filter(id => !this.texts.has(id));
    if (unknown.length) {
      if (unknown.join() === this.asked) return;  // some are gone
      this.asked = unknown.join();
      this.connection.say({type: 'version', which: unknown});
      return;
    }
    this.asked = '';
    for (const image of bare) {
      const text = this.texts.get(image.version);
      image.addEventListener('load', () => this.keepPicture(image, text), {once: true});
    }
    this.glimpses.ask(bare.map(image => [image, this.texts.get(image.version)]), widthPx);
  }

  /// `text`: what it is of.
  keepPicture(image, text) {
    if (this.texts.get(image.version) !== text) {  // it was on its way while the hand went on
      URL.revokeObjectURL(image.src);
      image.removeAttribute('src');
      this.later(restMs);
      return;
    }
    if (this.pictures.size >= mostPictures) {
      const [oldest] = this.pictures.keys();
      URL.revokeObjectURL(this.pictures.get(oldest));
      this.pictures.delete(oldest);
    }
    this.pictures.set(image.version, image.src);
  }
}
