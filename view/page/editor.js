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
    this.by = null;             // the field that the next edit comes from, if it is one
    this.sender = null;         // of the newest edit
    this.affineName = 'coefs';  // or 'post'
    this.gesture = 0;
    this.kept = {what: null, at: -Infinity};
  }

  get xform() {
    return this.flame?.all[this.chosen];
  }

  tell(name) {
    this.dispatchEvent(new Event(name));
  }

  /// A flame from the program.
  take(text) {
    this.flame = new Flame(text);
    this.accept(text);
    this.chosen = Math.max(0, Math.min(this.chosen, this.flame.all.length - 1));
    this.kept.what = null;
    this.tell('flame');
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
    if (!this.flame) return;
    this.connection.finish(gesture);
    work(this.flame);
    this.send(gesture);
    this.tell('change');
  }

  /// As change, where xforms or variations come or go; an xform that work(flame) gives is chosen.
  rebuild(work) {
    if (!this.flame) return;
    const gesture = this.begin();
    this.connection.finish(gesture);
    const made = work(this.flame), {all} = this.flame;
    this.chosen = made ? all.indexOf(made) : Math.max(0, Math.min(this.chosen, all.length - 1));
    this.send(gesture);
    this.tell('flame');
  }

  /// A whole flame, as one step.
  replace(text) {
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

  duplicateXform() {
    const xform = this.xform;
    if (!xform || this.flame.isFinal(xform)) return;
    this.rebuild(flame => flame.duplicate(xform));
  }

  removeXform() {
    const xform = this.xform;
    if (!xform || (this.flame.xforms.length === 1 && !this.flame.isFinal(xform)))
      return;  // a flame has one at least
    this.rebuild(flame => {
      flame.remove(xform);
    });
  }
}
