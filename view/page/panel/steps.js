// SPDX-License-Identifier: MIT
// The steps of undo as a list: what each did, told by the flames before and after it, and how the
// picture looked. The program keeps the steps; this is what the page has seen of them.

import {make, textButton} from '../base/elements.js';
import {Flame} from '../base/flame.js';

const mostSteps = 200;  // as many as the program keeps
const thumbWidth = 64, thumbHeight = 36;
const mostNamed = 3;  // of more attributes their number is said

const plainWords = {
  coefs: 'triangle',
  post: 'post triangle',
  chaos: 'xaos'
};
const cameraNames = new Set(['center', 'scale', 'zoom', 'rotate']);

const plural = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;
const shortened = text => String(Number(Number(text).toPrecision(4)));
const isNumber = text => text !== '' && Number.isFinite(Number(text));

/// The program writes more digits than a page, and leaves out some zeros.
function isSame(one, other) {
  const [p, q] = [one, other].map(text => (text || '0').split(' '));
  const isNear = (a, b) => a === b || Math.abs(a - b) <= 1e-8 * Math.max(1, Math.abs(a));
  return p.length === q.length && p.every((a, i) => isNear(a, q[i]));
}

/// [name, what is said of it] of each attribute that differs.
function differences(before, after) {
  const names = [...new Set([...before.getAttributeNames(), ...after.getAttributeNames()])];
  const found = [];
  for (const name of names) {
    const [from, to] = [before, after].map(element => element.getAttribute(name) ?? '');
    if (isSame(from, to)) continue;
    const word = plainWords[name] ?? name;
    const says = name === 'kiln_opacity' ? (to ? 'muted' : 'not muted') :
        plainWords[name]                 ? word :
        isNumber(from) && isNumber(to)   ? `${word} ${shortened(from)} → ${shortened(to)}` :
          !from ? `${word} added` :
          !to ? `${word} removed` :
                word;
    found.push([name, says]);
  }
  const isMuting = found.some(([name]) => name === 'kiln_opacity');
  return found.filter(
      ([name]) => !(isMuting && name === 'opacity') &&
          !found.some(([other]) => name.startsWith(other + '_')));  // parameters of a variation
}

const told = found =>
    (found.length > mostNamed ? plural(found.length, 'attribute') :
                                found.map(([, says]) => says).join(', '));

/// What led from one text of the flame to the next.
export function stepName(textBefore, textAfter) {
  const before = new Flame(textBefore), after = new Flame(textAfter);
  const ofFlame = differences(before.element, after.element);
  const more = after.xforms.length - before.xforms.length;
  if (ofFlame.length > mostNamed && ofFlame.some(([name]) => name === 'name'))
    return 'another flame';
  if (more) return `${plural(Math.abs(more), 'xform')} ${more > 0 ? 'added' : 'removed'}`;
  if (Boolean(before.final) !== Boolean(after.final))
    return `final xform ${after.final ? 'added' : 'removed'}`;
  if (ofFlame.length && ofFlame.every(([name]) => cameraNames.has(name))) return 'camera';
  if (ofFlame.length) return told(ofFlame);
  const colors = String(before.colors) === String(after.colors) ? undefined : 'palette';
  return xformsStep(before, after) ?? colors ?? (isMotion(before, after) ? 'motion' : 'edit');
}

/// Whether the elements in xforms are others: those say how numbers swing.
function isMotion(before, after) {
  const inside = flame => flame.all.map(xform => xform.innerHTML.replace(/\s+/g, ' ')).join();
  return inside(before) !== inside(after);
}

function xformsStep(before, after) {
  const maps = flame => flame.xforms.map(xform => xform.getAttribute('coefs'));
  const steps = after.all.map((xform, i) => [xform, differences(before.all[i], xform)])
                    .filter(([, found]) => found.length);
  if (!steps.length) return undefined;
  const [[xform, found]] = steps;
  if (steps.length === 1) return `xform ${after.signOf(xform)}: ${told(found)}`;
  if (String(maps(before)) !== String(maps(after)) &&
      String(maps(before).sort()) === String(maps(after).sort()))
    return 'another order';
  const words = new Set(steps.flatMap(([, all]) => all.map(([name]) => plainWords[name] ?? name)));
  if (words.has('kiln_opacity')) return mutingStep(steps.map(([one]) => one), after);
  return `${plural(steps.length, 'xform')}: ${
      words.size > mostNamed ? plural(words.size, 'attribute') : [...words].join(', ')}`;
}

/// Which are heard of from then on: after a solo of some, mute of some, or all again.
function mutingStep(xforms, after) {
  const muted = xforms.filter(xform => after.isMuted(xform)),
        seen = after.xforms.filter(xform => !after.isMuted(xform));
  const named = some =>
      `xform${some.length > 1 ? 's' : ''} ${some.map(xform => after.signOf(xform)).join(', ')}`;
  if (seen.length === after.xforms.length) return 'all xforms not muted';
  if (muted.length > seen.length || muted.length < xforms.length) return `${named(seen)} alone`;
  return `${named(muted)} muted`;
}

export class Steps {
  /// picture: the canvas; step(type): 'undo' or 'redo'; showAll(): those of other days, too.
  constructor(connection, picture, step, showAll) {
    this.connection = connection;
    this.picture = picture;
    this.step = step;
    this.flames = new Map();  // index -> {texts, names, thumbs, at}
    this.sent = new Map();    // number of an edit -> its text, until the program has taken it
    this.list = make('ol', {class: 'steps', 'aria-label': 'Steps'});
    this.hint =
        make('p', {class: 'hint'}, 'Each edit is a step; click one to go back or forward to it.');
    const all = textButton(
        'All versions', showAll, {title: 'Steps of other days, too (Shift+U)', class: 'quiet'});
    this.element = make('div', {class: 'body'}, this.hint, all, this.list);
    new IntersectionObserver(() => this.draw()).observe(this.element);
  }

  remember(number) {
    this.sent.set(number, [this.connection.sentText, this.connection.sentGesture]);
  }

  /// The program has said what it shows and how many steps there are.
  took({index, number, undo, redo, own, flame}) {
    const [text, gesture] = own ? this.sent.get(number) ?? [] : [flame, 0];
    if (own)
      [...this.sent.keys()].filter(key => key <= number).forEach(key => this.sent.delete(key));
    if (text === undefined) return;
    if (!this.flames.has(index))
      this.flames.set(index, {texts: [], names: [], thumbs: [], at: undo});
    const open = this.flames.get(index);
    if (undo > open.at) this.keepThumb(open, open.at);
    const isEdit = redo === 0 && (own || undo > open.at) && open.texts[undo] !== text;
    const isFull = undo === mostSteps && open.at === mostSteps && gesture !== open.gesture;
    for (const list of isEdit ? [open.texts, open.names, open.thumbs] : []) {
      if (isFull) list.shift();  // the program forgets its oldest
      open.hasForgotten ||= isFull;
      list.length = Math.min(list.length, undo);
    }
    open.texts[undo] = text;
    open.gesture = gesture;
    open.at = undo;
    open.count = undo + redo;
    this.open = open;
    if (own) this.goal = undefined;  // somebody edits
    this.goOn();
    this.draw();
  }

  /// The program is another one: it has other steps.
  forget() {
    this.flames.clear();
    this.sent.clear();
    this.goal = undefined;
  }

  // ---- how it looked ----

  keepThumb(open, at) {
    const thumb = make('canvas', {width: thumbWidth, height: thumbHeight});
    const {width, height} = this.picture,
                  scale = Math.min(thumbWidth / width, thumbHeight / height);
    const [w, h] = [width * scale, height * scale];
    thumb.getContext('2d').drawImage(
        this.picture, (thumbWidth - w) / 2, (thumbHeight - h) / 2, w, h);
    open.thumbs[at] = thumb;
  }

  /// The finished picture of what is shown.
  settled() {
    if (!this.open) return;
    this.keepThumb(this.open, this.open.at);
    this.draw();
  }

  // ---- back and forth, a step after the other ----

  goTo(step) {
    this.goal = step;
    this.goOn();
  }

  goOn() {
    if (this.goal === undefined) return;
    const {at, count} = this.open, wanted = Math.min(this.goal, count);
    if (wanted === at) {
      this.goal = undefined;
      return;
    }
    this.step(wanted < at ? 'undo' : 'redo');
  }

  nameOf(open, i) {
    const {texts, names, hasForgotten} = open;
    if (i === 0) return hasForgotten ? 'the oldest that is kept' : 'as it was opened';
    if (names[i] === undefined && texts[i] !== undefined)
      names[i] = texts[i - 1] === undefined ? 'edit' : stepName(texts[i - 1], texts[i]);
    return names[i] ?? 'edit';
  }

  draw() {
    const {open, list} = this;
    if (!open || !this.element.checkVisibility()) return;
    const rows = Array.from({length: open.count + 1}, (_, i) => this.row(open, i)).reverse();
    const focused = [...list.children].findIndex(row => row.contains(document.activeElement));
    list.replaceChildren(...rows);
    list.children[focused]?.firstChild.focus({preventScroll: true});
  }

  row(open, i) {
    const thumb = open.thumbs[i] ?? make('canvas', {width: thumbWidth, height: thumbHeight});
    return make(
        'li', {},
        make(
            'button', {
              type: 'button',
              class: i > open.at ? 'step undone' : 'step',
              'aria-current': i === open.at && 'step',
              click: () => this.goTo(i)
            },
            thumb, make('span', {}, this.nameOf(open, i))));
  }
}
