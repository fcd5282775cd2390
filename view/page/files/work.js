// SPDX-License-Identifier: MIT
// What would be lost: the flames that have edits which are in no file, as the program says. It has the
// edits, too, as long as it runs; the page keeps their text for when it does not.

export class Work {
  /// film(): the film that the flame is a moment of, {text, time}, or null.
  constructor(editor, film) {
    this.editor = editor;
    this.film = film;
    this.index = -1;          // of the flame that is shown; -1: none yet
    this.states = new Map();  // index -> {undo, text, film} of flames that this page has shown
    this.marks = new Set();   // indices of flames with edits that are in no file
    this.unsent = false;      // the newest edit may not have come to the program
  }

  at(index) {
    if (!this.states.has(index)) this.states.set(index, {undo: 0, text: ''});
    return this.states.get(index);
  }

  setMarks(indices) {
    this.marks = new Set(indices);
  }

  /// Of flames that are closed nothing is given back.
  forget(index) {
    this.states.delete(index);
    this.marks.delete(index);
  }

  mark(index, unsaved) {
    if (unsaved)
      this.marks.add(index);
    else
      this.marks.delete(index);
  }

  /// The program has said that flame `index` is open, with so many steps of undo.
  took({index, undo}) {
    this.at(index).undo = undo;
  }

  /// The page is about to show flame `index`.
  show(index) {
    if (index !== this.index && this.index >= 0 && this.editor.flame)
      Object.assign(this.at(this.index), {text: this.editor.flame.text(), film: this.film()});
    this.index = index;
  }

  isUnsaved(index) {
    return this.marks.has(index) || (this.unsent && index === this.index);
  }

  /// Of the flames that this page has shown.
  get anyUnsaved() {
    return [...this.states.keys(), this.index].some(index => this.isUnsaved(index));
  }

  /// For when the page is loaded again.
  keep(run) {
    const {index, states, unsent} = this;
    this.show(-1);  // writes down what is shown
    const keep = kept =>
        sessionStorage.setItem('work', JSON.stringify({run, index, unsent, states: kept}));
    try {
      keep([...states]);
    } catch {  // a browser has room for 5 MB: flames without their films
      keep([...states].map(([i, {undo, text}]) => [i, {undo, text}]));
    }
    this.index = index;
  }

  /// What was kept; gives the run of the program that it is from, if there is any.
  recall() {
    const kept = JSON.parse(sessionStorage.getItem('work') ?? '{}');
    const {run, index = -1, unsent = false, states = []} = kept;
    this.index = index;
    this.unsent = unsent;
    this.states = new Map(states);
    return run;
  }

  /// Edits of a run that has ended, or that did not come to the program, as [index, text, film], the
  /// flame that is shown last; all begins anew.
  takeBack(isOtherRun) {
    const {index} = this;
    this.show(-1);
    const lost = ([i, {undo}]) => (isOtherRun && undo > 0) || (this.unsent && i === index);
    const back = [...this.states].filter(lost).map(([i, {text, film}]) => [i, text, film]);
    if (isOtherRun) this.states.forEach(state => Object.assign(state, {undo: 0}));
    this.index = index;
    this.unsent = false;
    return back.sort(([i], [j]) => (i === index) - (j === index));
  }
}
