// The opened flames, and the dialog that saves. What is saved goes into the folder that the program
// was started in, under a name without a path.

import {byId, make, textButton} from './elements.js';
import {cleanedAlone} from './proof.js';

const answerMs = 3000;

const stemOf = name => name.trim().replace(/\.(flam3|png|jpe?g)$/, '');

export class Files {
  constructor(editor, connection, notice) {
    this.editor = editor;
    this.connection = connection;
    this.notice = notice;
    this.select = byId('flames');
    this.select.addEventListener('change', () => this.go(Number(this.select.value)));
    this.dialog = byId('save');
    this.film = () => undefined;  // the text of the film that the flame is a moment of
    this.usedNames = new Map();   // "index name" of a flame -> the name that it was saved under
    this.index = 0;
    this.names = [];       // of the opened flames
    this.shownNames = [];  // with marks
    this.frames = [];      // of flames that are moments of films; 0: of none
    this.folder = '';
    this.build();
  }

  // ---- which flame ----

  welcome({flames, frames, folder}) {
    this.frames = frames;
    this.folder = folder;
    this.where.textContent = folder ? `into the folder ${folder}` : '';
    this.select.replaceChildren();
    this.list(flames);
  }

  /// Flames come behind the others; one that was closed leaves its place empty: null.
  list(names) {
    this.names = names.map((name, i) => (name === null ? null : name || `flame ${i + 1}`));
    for (let i = this.select.options.length; i < names.length; ++i)
      this.select.append(make('option', {value: i}));
    this.names.forEach((name, i) => {
      const option = this.select.options[i];
      option.hidden = option.disabled = name === null;
    });
  }

  /// Indices of those that are open.
  get openOnes() {
    return [...this.names.keys()].filter(i => this.names[i] !== null);
  }

  get count() {
    return this.names.length;
  }

  at(index, name) {
    this.index = index;
    this.select.value = String(index);
    this.rename(index, name);
  }

  rename(index, name) {
    if (this.names[index] !== null && index < this.count)
      this.names[index] = name || `flame ${index + 1}`;
  }

  /// Names of the flames as they are now; isUnsaved(index): with a mark.
  mark(isUnsaved) {
    this.shownNames =
        this.names.map((name, i) => (name === null ? '' : (isUnsaved(i) ? '• ' : '') + name));
    const film = i => (this.frames[i] ? ` · film, ${this.length(i)}` : '');
    this.shownNames.map((name, i) => name + film(i)).forEach((name, i) => {
      const option = this.select.options[i];
      if (option.textContent !== name) option.textContent = name;
    });
  }

  /// Of a film.
  length(index) {
    const frames = this.frames[index];
    return frames === 1 ? '1 frame' : `${frames} frames`;
  }

  /// [index, name] of those that are open beside this one.
  get others() {
    return this.openOnes.filter(index => index !== this.index)
        .map(index => [index, this.names[index]]);
  }

  go(index) {
    if (this.names[index] && index !== this.index) this.connection.say({type: 'select', index});
  }

  next(step) {
    const {openOnes} = this, {length} = openOnes;
    if (length > 1) this.go(openOnes[(openOnes.indexOf(this.index) + step + length) % length]);
  }

  // ---- saving ----

  build() {
    this.name = make('input', {
      type: 'text',
      id: 'save-name',
      maxlength: 100,
      spellcheck: 'false',
      autocomplete: 'off',
      input: () => this.ask('')
    });
    this.where = make('span', {class: 'muted'});
    this.question = make('p', {role: 'alert', class: 'question'});
    const button = (says, ending, title) =>
        make('button', {type: 'submit', value: ending, title}, says);
    this.form = make(
        'form', {method: 'dialog', submit: event => this.onSubmit(event)},
        make('h2', {id: 'save-title'}, 'Save'),
        make(
            'label',
            {for: 'save-name'
            },
            'Name ', this.where),
        this.name, this.question,
        make(
            'div', {class: 'row'}, button('Flame (.flam3)', 'flam3', 'Everything that was edited'),
            button('Picture (.png)', 'png', 'The finished picture, which holds its flame too'),
            textButton('Cancel', () => this.dialog.close(), {class: 'quiet'})),
        make(
            'div', {class: 'row'}, make('span', {class: 'muted'}, 'To where the browser is:'),
            textButton('Download', () => this.download(), {title: 'The flame as a file'}),
            textButton('Copy', () => this.copy(), {title: 'The text of the flame (Ctrl+C)'})));
    this.dialog.append(this.form);
  }

  open(ending = 'flam3') {
    this.name.value = this.proposed;
    this.ask('');
    if (!this.connection.isOpen) this.keepHere('The program does not answer. ');
    this.form.querySelectorAll('[type=submit]')
        .forEach(button => button.classList.toggle('first', button.value === ending));
    this.ending = ending;
    if (!this.dialog.open) this.dialog.showModal();
    this.name.select();
  }

  onSubmit(event) {
    event.preventDefault();
    const pressed = event.submitter?.value;
    const ending = event.submitter && document.activeElement !== this.name ? pressed : this.ending;
    const stem = stemOf(this.name.value);
    if (!stem) return;
    this.write(`${stem}.${ending}`);
  }

  get proposed() {
    return this.usedNames.get(this.flameKey) || this.flameName || 'flame';
  }

  get flameName() {
    return this.editor.flame?.element.getAttribute('name');
  }

  /// A name belongs to a flame: another one in its place is not offered it.
  get flameKey() {
    return `${this.index} ${this.flameName}`;
  }

  write(name, replace = false) {
    if (!this.connection.isOpen) return this.keepHere(`${name} is not saved: no program answers. `);
    this.connection.say({type: 'save', name, ...(replace ? {replace: true} : {})});
    this.pending = {name, key: this.flameKey};
    this.late = setTimeout(() => this.keepHere('The program has not answered yet. '), answerMs);
    return undefined;
  }

  // ---- without the program ----

  /// What can be done here says a line of the dialog.
  keepHere(says) {
    this.ask(
        says, textButton('Download the flame', () => this.download()),
        textButton('Copy it', () => this.copy()));
  }

  download() {
    const text = this.film() ?? this.editor.flame.text();
    const address = URL.createObjectURL(new Blob([text]));
    const stem = stemOf(this.name.value) || 'flame';
    make('a', {href: address, download: `${stem}.flam3`}).click();
    setTimeout(() => URL.revokeObjectURL(address), answerMs);
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.film() ?? this.editor.flame.text());
      this.ask('Copied: the text of a .flam3 file.');
    } catch (error) {
      this.ask(`The browser does not copy (${error.message}): download it.`);
    }
  }

  // ---- what the program answers ----

  /// `alone`: a frame that was cleaned without those around it.
  saved({name, alone}) {
    if (this.pending?.name === name) this.usedNames.set(this.pending.key, stemOf(name));
    this.dialog.close();
    this.notice.say('info', `saved ${name}${alone ? `: ${cleanedAlone}` : ''}`);
  }

  exists({name}) {
    this.ask(`${name} is there already. `, textButton('Replace it', () => this.write(name, true)));
    this.question.querySelector('button').focus();
  }

  /// A failure that belongs to the open dialog is said there.
  failed(kind, text) {
    if (!this.dialog.open) return false;
    this.ask(text);
    return kind === 'error';
  }

  /// Also the end of waiting for an answer.
  ask(...parts) {
    clearTimeout(this.late);
    this.question.replaceChildren(...parts);
  }
}
