// SPDX-License-Identifier: MIT
// What is being edited, for all parts of the page: the flame, the chosen xform, and the one way to
// change it. Parts listen to 'flame' (another flame came), 'change' (values of it), 'choose'
// (another xform, affine or post affine), 'edited' (what is shown is not the flame's any more).

import {Flame} from './flame.js';

const sameGestureMs = 700;  // keys and wheel: what comes sooner belongs to the step before

export class Editor extends EventTarget {
  constructor(connection) {
    super();
    this.connection = connection;
    this.flame = null;
    this.accepted = '';         // the newest text that the program has taken
    this.refused = false;       // the newest edit was not
    this.chosen = 0;            // index in flame.all
    this.beside = new Set();    // indices of others that are chosen with it
    this.by = null;             // the field that the next edit comes from, if it is one
    this.sender = null;         // of the newest edit
    this.affineName = 'coefs';  // or 'post'
    this.gesture = 0;
    this.waits = () => false;  // whether what changes the flame is done later: the timeline knows
    this.film = null;          // the timeline, where the flame is a moment of a film
    this.links = null;         // of numbers that follow others
    this.kept = {what: null, at: -Infinity};
    this.left = null;  // what was chosen, and of how many, before xforms came or went
  }

  get xform() {
    return this.flame?.all[this.chosen];
  }

  /// All that are chosen, in their order.
  get picked() {
    return this.flame?.all.filter((_, i) => this.isPicked(i)) ?? [];
  }

  isPicked(index) {
    return index === this.chosen || this.beside.has(index);
  }

  tell(name) {
    this.dispatchEvent(new Event(name));
  }

  /// A flame from the program. `goesOn`: a hand may be on a field, which stays if it is of the same form.
  take(text, goesOn = false) {
    const flame = new Flame(text), isSame = goesOn && this.flame?.adopt(flame);
    if (!isSame) this.flame = flame;
    this.accept(text);
    if (this.flame.all.length === this.left?.count)
      this.chosen = this.left.chosen;  // it was undone
    this.left = null;
    this.chosen = Math.max(0, Math.min(this.chosen, this.flame.all.length - 1));
    this.beside = new Set([...this.beside].filter(index => index < this.flame.all.length));
    this.kept.what = null;
    this.tell(isSame ? 'change' : 'flame');
  }

  /// What the links of an edit came to, as the program says: [[xform, attribute, text], ...]; xform -1 is the flame, -2
  /// the final one.
  follow(linked) {
    const {flame} = this;
    let isOther = false;
    for (const [xform, name, text] of linked) {
      const element = {'-1': flame.element, '-2': flame.final}[xform] ?? flame.xforms[xform];
      if (!element || element.getAttribute(name) === text) continue;
      if (text === null)
        element.removeAttribute(name);
      else
        element.setAttribute(name, text);
      isOther = true;
    }
    if (!isOther) return;
    this.accept(flame.text());
    this.tell('change');
  }

  accept(text) {
    this.accepted = text;
    this.refused = false;
  }

  redo() {
    this.connection.say({type: 'redo'});
  }

  /// One step back; an edit that the program refused is no step of its.
  undo() {
    if (this.refused)
      this.take(this.accepted);
    else
      this.connection.say({type: 'undo'});
  }

  choose(index) {
    if (!this.flame || index < 0 || index >= this.flame.all.length) return;
    this.chosen = index;
    this.beside.clear();
    this.tell('choose');
  }

  /// With the others; one that was chosen is not any more, unless it is the last.
  chooseBeside(index) {
    if (index === this.chosen) {
      if (!this.beside.size) return;
      this.chosen = Math.max(...this.beside);
      this.beside.delete(this.chosen);
    } else if (!this.beside.delete(index)) {
      this.beside.add(this.chosen);
      this.chosen = index;
    }
    this.tell('choose');
  }

  /// Of several that are chosen this one leads.
  lead(index) {
    if (!this.beside.delete(index)) return;
    this.beside.add(this.chosen);
    this.chosen = index;
    this.tell('choose');
  }

  chooseAll() {
    if (!this.flame) return;
    this.beside = new Set(this.flame.all.keys());
    this.beside.delete(this.chosen);
    this.tell('choose');
  }

  chooseAffine(name) {
    this.affineName = name;
    this.tell('choose');
  }

  /// The number of a new gesture: all its edits are one step of undo.
  begin() {
    return ++this.gesture;
  }

  /// The same, for keys and wheels that have no end: `what` again soon after is the same gesture.
  beginOrGoOn(what) {
    const now = performance.now();
    if (this.kept.what !== what || now - this.kept.at > sameGestureMs) this.begin();
    this.kept = {what, at: now};
    return this.gesture;
  }

  /// work(flame) changes the flame; the program hears of it.
  change(work, gesture = this.begin()) {
    if (!this.flame || this.waits(() => this.change(work, gesture))) return;
    this.connection.finish(gesture);
    work(this.flame);
    this.send(gesture);
    this.tell('change');
  }

  /// As change, where xforms or variations come, go or move; xforms that work(flame) gives are chosen.
  rebuild(work) {
    if (!this.flame || this.waits(() => this.rebuild(work))) return;
    const gesture = this.begin();
    this.connection.finish(gesture);
    const left = {count: this.flame.all.length, chosen: this.chosen};
    const made = [work(this.flame) ?? []].flat(), {all} = this.flame;
    this.chosen =
        made.length ? all.indexOf(made[0]) : Math.max(0, Math.min(this.chosen, all.length - 1));
    const beside = made.length ? made.slice(1).map(xform => all.indexOf(xform)) : [...this.beside];
    this.beside = new Set(beside.filter(index => index < all.length && index !== this.chosen));
    this.left = all.length === left.count ? null : left;
    this.send(gesture);
    this.tell('flame');
  }

  /// A whole flame, as one step.
  replace(text) {
    if (this.waits(() => this.replace(text))) return;
    const {accepted} = this;
    this.take(text);
    this.accepted = accepted;  // until the program has taken this one
    this.send(this.begin());
  }

  send(gesture) {
    const flame = this.flame;
    this.sender = this.by;
    this.by = null;
    this.tell('edited');
    this.connection.edit(gesture, () => flame.text());
  }

  // ---- xforms ----

  addXform() {
    this.rebuild(flame => flame.addXform());
  }

  addFinal() {
    if (this.flame?.final) return this.choose(this.flame.all.length - 1);
    return this.rebuild(flame => flame.addFinal());
  }

  /// The standard ones of those that are chosen.
  get pickedStandard() {
    return this.picked.filter(xform => !this.flame.isFinal(xform));
  }

  duplicateXform() {
    const {pickedStandard} = this;
    if (pickedStandard.length)
      this.rebuild(flame => pickedStandard.map(xform => flame.duplicate(xform)));
  }

  removeXform() {
    const {picked, pickedStandard} = this;
    if (!picked.length || pickedStandard.length === this.flame.xforms.length)
      return;  // a flame has one at least
    const first = this.flame.all.indexOf(picked[0]);
    this.rebuild(flame => {
      for (const xform of picked) flame.remove(xform);
      return flame.all[Math.min(first, flame.all.length - 1)];
    });
  }

  /// By so many places, or to the end.
  moveXform(xform, to) {
    const {xforms} = this.flame, place = Math.max(0, Math.min(to, xforms.length - 1));
    if (this.flame.isFinal(xform) || xforms[place] === xform) return;
    this.rebuild(flame => flame.move(xform, place));
  }

  mute() {
    const muted = !this.flame.isMuted(this.xform), {picked} = this;
    this.change(flame => picked.forEach(xform => flame.mute(xform, muted)));
  }

  solo() {
    const {pickedStandard} = this;
    if (pickedStandard.length) this.change(flame => flame.solo(pickedStandard));
  }
}
