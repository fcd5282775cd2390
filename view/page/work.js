// What would be lost: the flames that were changed since they were opened, and whether they were
// saved since. The program has them, too, as long as it runs; the page keeps their text for when it
// does not.

export class Work {
  constructor(editor) {
    this.editor = editor;
    this.index = 0;  // of the flame that is shown
    // index -> {undo, saved, text}: steps of undo, now and when it was saved
    this.states = new Map();
    this.unsent = false;  // the newest edit may not have come to the program
    this.redoing = false;
    editor.addEventListener('redo', () => {
      this.redoing = true;
    });
  }

  at(index) {
    if (!this.states.has(index)) this.states.set(index, {undo: 0, saved: 0, text: ''});
    return this.states.get(index);
  }

  /// The program has said that flame `index` is open, with so many steps of undo.
  took({index, undo, redo, own}) {
    const state = this.at(index);
    const edited = own || (undo > state.undo && redo === 0 && !this.redoing);
    if (edited && undo <= state.saved) state.saved = -1;  // no undo leads back to what was saved
    state.undo = undo;
    this.redoing = false;
  }

  /// The page is about to show flame `index`.
  show(index) {
    if (index !== this.index && this.editor.flame)
      this.at(this.index).text = this.editor.flame.text();
    this.index = index;
  }

  /// The flame that is shown is in a file now.
  saved() {
    this.at(this.index).saved = this.at(this.index).undo;
  }

  isUnsaved(index) {
    const {undo, saved} = this.at(index);
    return (undo > 0 && undo !== saved) || (this.unsent && index === this.index);
  }

  get anyUnsaved() {
    return [...this.states.keys(), this.index].some(index => this.isUnsaved(index));
  }

  /// For when the page is loaded again.
  keep(run) {
    const {index, states, unsent} = this;
    this.show(-1);  // writes down what is shown
    sessionStorage.setItem('work', JSON.stringify({run, index, unsent, states: [...states]}));
    this.index = index;
  }

  /// What was kept; gives the run of the program that it is from, if there is any.
  recall() {
    const kept = JSON.parse(sessionStorage.getItem('work') ?? '{}');
    const {run, index = 0, unsent = false, states = []} = kept;
    this.index = index;
    this.unsent = unsent;
    this.states = new Map(states);
    return run;
  }

  /// Edits of a run that has ended, or that did not come to the program, as [index, text], the flame
  /// that is shown last; all begins anew.
  takeBack(isOtherRun) {
    const {index} = this;
    this.show(-1);
    const lost = ([i, {undo}]) => (isOtherRun && undo > 0) || (this.unsent && i === index);
    const back = [...this.states].filter(lost).map(([i, {text}]) => [i, text]);
    if (isOtherRun) this.states.forEach(state => Object.assign(state, {undo: 0, saved: 0}));
    this.index = index;
    this.unsent = false;
    return back.sort(([i], [j]) => (i === index) - (j === index));
  }
}
