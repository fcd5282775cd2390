// SPDX-License-Identifier: MIT
// Touch the light: whose light it is that the hand points at. The program plays the flame once more and says which xforms
// made what lies there (docs/inside/live-inside.md, "light"); their triangles and chips light up, and the rest of the
// picture steps back. A drag there changes the one that is chosen: sideways its color, upright its opacity, at the bottom
// it is muted. Keys move the place, too; fingers tap and drag, two of them are the camera's.

import {byId, make, signButton, textButton} from '../base/elements.js';
import {at, isClick} from '../base/geometry.js';

import {Light} from './light.js';

const restMs = 120;   // that a mouse rests before it is answered
const againMs = 500;  // after an edit
const mousePx = 12, fingerPx = 22;
const mapColumns = 192;
const dragPx = 260;  // from one end of palette or opacity to the other
const leastOpacity = 0.004;
const keyPx = 12;
const longText = 400000;
const arrows = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1]
};

const inside = (value, most = 1) => Math.min(most, Math.max(0, value));
const percent = share =>
    `${100 * share < 9.95 ? (100 * share).toFixed(1) : Math.round(100 * share)} %`;

export class Touch {
  /// pressed(name, on) marks a button.
  constructor(editor, picture, connection, pressed) {
    Object.assign(this, {editor, picture, connection, pressed});
    this.on = false;
    this.place = null;      // in pixels of the picture
    this.isPinned = false;  // by a click: the hand may go elsewhere
    this.light = null;      // what was answered last: {xforms, ways, ...}
    this.chosen = -1;       // the xform that was chosen at this place; -1: none has made light here
    this.asked = 0;         // number of the newest question
    this.open = false;      // it was not answered yet
    this.held = null;       // a drag
    this.stage = byId('stage');
    this.shows = new Light(editor, picture);
    this.makeCard();
    this.listen();
  }

  makeCard() {
    const slider = (name, says, write) => {
      const input = make('input', {
        type: 'range',
        min: 0,
        max: 1,
        step: 0.005,
        'data-light': name,
        'aria-label': says,
        input: () => this.slide(name, Number(input.value), write),
        change: () => {
          this.sliding = 0;
        }
      });
      return input;
    };
    this.color = slider('color', 'color: place in the palette', (flame, xform, value) => {
      flame.set('color', value, xform);
    });
    this.opacity = slider('opacity', 'light: opacity of the xform', setOpacity);
    this.mute = textButton(
        'Mute', () => this.toggleMute(),
        {title: 'Not seen; its opacity is kept\nopacity, kiln_opacity'});
    this.title = make('h3', {}, 'Whose light?');
    this.rows =
        make('div', {class: 'rows', role: 'radiogroup', 'aria-label': 'Xforms of this light'});
    this.ways = make('p', {class: 'ways muted'});
    this.controls = make(
        'div', {class: 'controls'}, make('label', {}, make('span', {}, 'color'), this.color),
        make('label', {}, make('span', {}, 'light'), this.opacity), this.mute);
    this.hint = make(
        'p', {class: 'how muted'},
        'Drag there: sideways recolors, up and down lights and dims, to the bottom mutes.');
    this.card = make(
        'section', {id: 'touched', 'aria-label': 'Whose light it is', hidden: true},
        make(
            'header', {}, this.title,
            signButton('remove', 'Done (Esc)', () => this.show(false), {'data-role': 'close'})),
        this.rows, this.ways, this.controls, this.hint);
    this.card.addEventListener('keydown', event => this.onCardKey(event));
    this.stage.after(this.card);
  }

  listen() {
    const {stage, editor, picture} = this;
    stage.addEventListener('pointerdown', event => this.onDown(event), {capture: true});
    stage.addEventListener('pointermove', event => this.onMove(event));
    for (const name of ['pointerup', 'pointercancel'])
      stage.addEventListener(name, event => this.onUp(event));
    stage.addEventListener('pointerleave', () => clearTimeout(this.resting));
    stage.addEventListener('keydown', event => this.onKey(event));
    const before = picture.takeOver;
    picture.takeOver = () => this.giveUp() ?? before();
    editor.addEventListener('flame', () => this.onOther());
    editor.addEventListener('change', () => this.onChange());
    editor.addEventListener('choose', () => this.onChoose());
    for (const name of ['sight', 'shown']) editor.addEventListener(name, () => this.mark());
  }

  // ---- on and off ----

  toggle() {
    this.show(!this.on);
  }

  show(on) {
    if (on && !this.editor.flame) return;
    this.on = on;
    this.pressed('touch', on);
    this.stage.classList.toggle('touching', on);
    this.isPinned = false;
    this.place = this.light = this.held = null;
    this.trouble = '';
    clearTimeout(this.resting);
    if (!on && this.open) this.connection.say({type: 'light'});
    this.open = false;
    ++this.asked;  // what still comes is of before
    this.refresh();
    if (!on) return;
    const here = this.lastAt && picturePlace(this.picture, this.lastAt);
    if (here && this.isIn(here)) this.point(here);
    this.stage.focus({preventScroll: true});
  }

  /// A program that was started again knows of no question.
  forget() {
    this.open = false;
    if (this.on && this.place) this.ask();
  }

  /// Another flame, or other xforms.
  onOther() {
    if (!this.on) return;
    this.light = null;
    this.held = null;
    if (this.place && !this.isIn(this.place)) this.place = null;
    this.refresh();
    this.later();
  }

  /// What is seen is not what was answered any more; once it rests it is asked again.
  onChange() {
    if (!this.on) return;
    this.refresh();
    this.later();
  }

  later() {
    clearTimeout(this.resting);
    if (this.place && !this.held) this.resting = setTimeout(() => this.ask(), againMs);
  }

  // ---- questions and answers ----

  isIn({x, y}) {
    const {width, height} = this.picture.camera;
    return x >= 0 && y >= 0 && x < width && y < height;
  }

  /// The place that is asked about from now on.
  point(place, reach = mousePx) {
    this.place = place;
    this.reach = reach;
    this.mark();
    this.ask();
  }

  get radius() {
    return Math.max(1, (this.reach ?? mousePx) / this.picture.stageFromPicture.a);
  }

  ask() {
    clearTimeout(this.resting);
    const {editor, connection, place} = this;
    if (!this.on || !place || !editor.flame || this.picture.playing) return;
    const flame = editor.flame.text();
    if (flame.length > longText) return this.say('this flame is too long to be asked about');
    this.open = true;
    const {x, y} = place;
    return connection.say(
        {type: 'light', number: ++this.asked, x, y, radius: this.radius, map: mapColumns, flame});
  }

  hear({number, light, trouble}) {
    if (!this.on || number !== this.asked) return;
    this.open = false;
    this.trouble = trouble ?? '';
    this.light = light ?? null;
    if (this.held?.waits) this.beginDrag();
    if (this.held?.isOver) this.letGo();
    if (this.takes) this.take();
    this.refresh();
  }

  /// The xform of these shares, as the page has it.
  xformOf(share) {
    return this.editor.flame.xforms[share.xform];
  }

  /// Shares of xforms that are there, those with next to nothing left out.
  get shares() {
    const most = 6, least = 0.005;
    return (this.light?.xforms ?? [])
        .filter(share => share.light >= least && this.xformOf(share))
        .slice(0, most);
  }

  /// The xform that is changed: the one that was chosen here, before that the one with most light.
  get subject() {
    return this.isPinned ? this.chosen : this.shares[0]?.xform ?? -1;
  }

  get xform() {
    return this.editor.flame?.xforms[this.subject];
  }

  /// Chooses who made most of the light here.
  take() {
    this.takes = false;
    this.chosen = this.shares[0]?.xform ?? -1;
    if (this.chosen >= 0 && this.chosen !== this.editor.chosen) this.editor.choose(this.chosen);
  }

  /// By a chip, a triangle's key, or a row of the card.
  onChoose() {
    const {flame, chosen} = this.editor;
    if (this.isPinned && chosen < flame.xforms.length) this.chosen = chosen;
    this.refresh();
  }

  // ---- the hand ----

  onDown(event) {
    if (!this.on || !this.editor.flame || this.picture.playing) return;
    const isPlain = event.button === 0 && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain || this.picture.fingers.size) return;
    if (this.held && !this.held.isOver) return;  // a second finger: the camera's
    const place = picturePlace(this.picture, event);
    if (!this.isIn(place)) return;
    event.stopPropagation();
    event.preventDefault();
    this.stage.focus({preventScroll: true});
    this.stage.setPointerCapture(event.pointerId);
    const reach = event.pointerType === 'touch' ? fingerPx : mousePx;
    const isHere = this.isKnown(place);
    this.held = {id: event.pointerId, from: event, at: event, waits: !isHere, gesture: 0};
    this.takes = !isHere || !this.isPinned;
    this.isPinned = true;
    if (isHere)
      this.beginDrag();
    else
      this.point(place, reach);
    this.refresh();
  }

  /// Whether it is known who is changed there: the one that was chosen there, also while its light is looked for anew.
  isKnown({x, y}) {
    if (!this.place || this.takes) return false;
    const isNear = Math.hypot(x - this.place.x, y - this.place.y) <= this.radius;
    return isNear && (this.isPinned && this.chosen >= 0 || Boolean(this.light) && !this.open);
  }

  onMove(event) {
    this.lastAt = event;
    if (!this.on) return;
    if (this.held) {
      if (event.pointerId !== this.held.id || this.held.isOver) return;
      this.held.at = event;
      if (!this.held.waits) this.drag();
      return;
    }
    if (this.isPinned || event.buttons || event.pointerType === 'touch') return;
    const place = picturePlace(this.picture, event);
    clearTimeout(this.resting);
    if (this.isIn(place)) this.resting = setTimeout(() => this.point(place), restMs);
  }

  onUp(event) {
    if (event.pointerId !== this.held?.id || this.held.isOver) return;
    const {held} = this;
    held.at = event;
    held.isOver = true;
    if (held.waits && event.type === 'pointerup' && !isClick(held.from, event))
      return;  // quicker than the answer: it is done when that comes
    this.letGo();
  }

  letGo() {
    const {gesture} = this.held;
    this.held = null;
    if (gesture) this.later();
    this.refresh();
  }

  /// A second finger came: what the first one changed goes back.
  giveUp() {
    const {held} = this;
    if (!held || held.isOver) return undefined;
    this.held = null;
    if (held.gesture) this.write(held.begin, held.gesture);
    this.later();
    return held.at;
  }

  beginDrag() {
    const {held} = this;
    held.waits = false;
    if (this.takes) this.take();
    const {xform} = this;
    if (!xform) return;
    held.begin = {xform, ...stateOf(this.editor.flame, xform)};
    if (!isClick(held.from, held.at)) this.drag();
  }

  /// The longer way decides what is changed, from its first pixels to the end of the drag.
  drag() {
    const {held} = this;
    if (!held.begin || !held.gesture && isClick(held.from, held.at)) return;
    const dx = held.at.clientX - held.from.clientX, dy = held.at.clientY - held.from.clientY;
    held.what ??= Math.abs(dx) > Math.abs(dy) ? 'color' : 'opacity';
    held.gesture ||= this.editor.begin();
    const {begin} = held, to = {...begin};
    if (held.what === 'color')
      to.color = inside(begin.color + dx / dragPx);
    else
      Object.assign(to, dimmed(begin, begin.opacity - dy / dragPx));
    this.write(to, held.gesture);
  }

  write(to, gesture) {
    this.editor.change(flame => {
      if (to.color !== flame.number('color', 0, to.xform)) flame.set('color', to.color, to.xform);
      setOpacity(flame, to.xform, to.opacity, to.isMuted);
    }, gesture);
  }

  // ---- the card ----

  slide(name, value, write) {
    const {editor, xform} = this;
    if (!xform) return;
    this.sliding ||= editor.begin();
    editor.change(flame => write(flame, xform, value), this.sliding);
  }

  toggleMute() {
    const {editor, xform} = this;
    if (xform) editor.change(flame => flame.mute(xform, !flame.isMuted(xform)));
  }

  // ---- keys ----

  onKey(event) {
    if (!this.on || event.ctrlKey || event.metaKey) return;
    const [dx, dy] = arrows[event.key] ?? [];
    const isTaken = dx !== undefined && !event.shiftKey || ['Enter', 'Escape'].includes(event.key);
    if (!isTaken) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return this.show(false);
    if (event.key === 'Enter') return this.toCard();
    const px = (event.altKey ? 1 : keyPx) / this.picture.stageFromPicture.a;
    const {width, height} = this.picture.camera;
    const from = this.place ?? {x: width / 2, y: height / 2};
    this.place = {x: inside(from.x + dx * px, width - 1), y: inside(from.y + dy * px, height - 1)};
    this.isPinned = true;
    this.mark();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.point(this.place), restMs);
    return undefined;
  }

  /// The one with most light is chosen, and its color is under the arrow keys.
  toCard() {
    const {width, height} = this.picture.camera;
    this.isPinned = true;
    if (!this.place) this.point({x: width / 2, y: height / 2});
    if (this.light && !this.open) this.take();
    this.takes = !this.light || this.open;
    this.refresh();
    if (!this.color.disabled) this.color.focus();
  }

  onCardKey(event) {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      this.stage.focus({preventScroll: true});
    } else if (event.key in arrows || event.key === ' ' || event.key === 'Enter') {
      event.stopPropagation();
    }
  }

  // ---- what is seen of it ----

  mark() {
    const {place} = this;
    const middle = this.on && place ? at(this.picture.stageFromPicture, place.x, place.y) : null;
    this.shows.ring(middle, this.reach ?? mousePx, this.open);
  }

  say(text) {
    this.ways.textContent = text;
  }

  refresh() {
    const {editor, light} = this, {flame} = editor;
    this.card.hidden = !this.on;
    this.mark();
    const isEdited = Boolean(this.held?.gesture || this.sliding);
    const shares = this.on && flame ? this.shares : [], {subject} = this;
    const share = shares.find(({xform}) => xform === subject);
    this.shows.light(shares, share, light, isEdited);
    if (!this.on || !flame) return;
    if (!share && this.xform) shares.push({xform: subject, light: 0, color: [0, 0, 0]});
    this.rows.replaceChildren(...shares.map(one => this.row(one, one.xform === subject)));
    this.say(this.words());
    const {xform} = this;
    for (const control of [this.color, this.opacity, this.mute]) control.disabled = !xform;
    this.controls.hidden = !xform;
    if (!xform) return;
    const state = stateOf(flame, xform);
    this.color.value = state.color;
    this.opacity.value = state.isMuted ? 0 : state.opacity;
    this.color.title = `color ${state.color.toFixed(3)}`;
    this.opacity.title = state.isMuted ? 'muted' : `opacity ${state.opacity.toFixed(3)}`;
    this.mute.setAttribute('aria-pressed', String(state.isMuted));
    this.title.textContent = this.held?.gesture ? this.heldWords(state) : 'Whose light?';
  }

  heldWords({color, opacity, isMuted}) {
    if (this.held.what === 'color') return `color ${color.toFixed(3)}`;
    return isMuted ? 'muted' : `opacity ${percent(opacity)}`;
  }

  row(share, isChosen) {
    const {flame} = this.editor, xform = this.xformOf(share);
    const name = [flame.signOf(xform), flame.nameOf(xform)].filter(Boolean).join(' ');
    const button = make(
        'button', {
          type: 'button',
          role: 'radio',
          'aria-checked': String(isChosen),
          'data-xform': share.xform,
          'data-share': share.light,
          'aria-label': `Xform ${name}: ${percent(share.light)} of the light`,
          click: () => {
            this.isPinned = true;
            this.chosen = share.xform;
            this.editor.choose(share.xform);
            this.rows.querySelector('[aria-checked=true]')?.focus();
          }
        },
        make('i'), make('b', {}, name), make('span', {class: 'part'}), percent(share.light));
    button.style.setProperty('--own', cssOf(share.color));
    button.style.setProperty('--part', share.light);
    return button;
  }

  words() {
    if (this.trouble) return this.trouble;
    if (!this.light) return this.open ? 'looking…' : this.place ? '' : 'Point at the picture.';
    const {points, ways, xforms} = this.light, {flame} = this.editor;
    if (!points) return 'No light here.';
    const turned = xforms.reduce((sum, {by_symmetry: by}) => sum + by, 0) / points;
    const sign = index => flame.signOf(flame.xforms[index] ?? flame.all[0]);
    const most = 3;
    const parts = ways.length > 1 ?
        ways.slice(0, most).map(
            ({xforms: [last, before], light}) =>
                `${sign(last)} after ${sign(before)}: ${percent(light)}`) :
        [];
    if (turned > 0.01) parts.push(`${percent(turned)} carried here by symmetry`);
    return parts.join(' · ');
  }
}

const picturePlace = (picture, event) => picture.pictureAt(event);

/// What the hand may change; of a muted one the opacity that it had.
function stateOf(flame, xform) {
  const isMuted = flame.isMuted(xform);
  return {
    color: flame.number('color', 0, xform),
    opacity: flame.number(isMuted ? 'kiln_opacity' : 'opacity', 1, xform),
    isMuted
  };
}

/// At the bottom it is muted, and keeps the opacity that it began with.
function dimmed(begin, opacity) {
  if (opacity > leastOpacity) return {opacity: inside(opacity), isMuted: false};
  return {opacity: begin.opacity, isMuted: true};
}

function setOpacity(flame, xform, opacity, isMuted = opacity <= 0) {
  const state = stateOf(flame, xform);
  if (isMuted) {
    if (opacity > 0 && !state.isMuted) flame.set('opacity', opacity, xform);
    flame.mute(xform, true);
    return;
  }
  xform.removeAttribute('kiln_opacity');
  if (state.isMuted || state.opacity !== opacity) flame.set('opacity', opacity, xform);
}

function cssOf(color) {
  const most = Math.max(...color, 1e-6);
  return `rgb(${color.map(part => Math.round(255 * part / most)).join(' ')})`;
}
