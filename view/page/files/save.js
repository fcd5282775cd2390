// SPDX-License-Identifier: MIT
// The dialog that saves. What is saved goes into the folder that the program was started in, under a
// name without a path.

import {make, textButton} from '../base/elements.js';
import {cleanedAlone} from '../frame/proof.js';

import {Dialog} from './dialog.js';

const answerMs = 3000;
const forFlam3 = 'for flam3';  // the value of a button

const stemOf = name => name.trim().replace(/\.(flam3|png|jpe?g)$/, '');

export class Save extends Dialog {
  /// film(): the text of the film that the flame is a moment of, if it is.
  constructor(editor, connection, notice, files, film) {
    super('save');
    this.editor = editor;
    this.connection = connection;
    this.notice = notice;
    this.files = files;
    this.film = film;
    this.usedNames = new Map();  // "index name" of a flame -> the name that it was saved under
    this.build();
  }

  welcome({folder}) {
    this.where.textContent = folder ? `into the folder ${folder}` : '';
  }

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
            button(
                'For flam3', forFlam3,
                'As flam3, Fractorium and Apophysis read it: what they do not have is left out and named'),
            textButton('Cancel', () => this.dialog.close(), {class: 'quiet'})),
        make(
            'div', {class: 'row'}, make('span', {class: 'muted'}, 'To this computer:'),
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
    this.show();
    this.name.select();
  }

  onSubmit(event) {
    event.preventDefault();
    const pressed = event.submitter?.value;
    const ending = event.submitter && document.activeElement !== this.name ? pressed : this.ending;
    const stem = stemOf(this.name.value);
    if (!stem) return;
    this.program = ending === forFlam3 ? 'flam3' : undefined;
    this.wanted = `${stem}.${this.program ?? ending}`;
    this.send();
  }

  get proposed() {
    return this.usedNames.get(this.flameKey) || this.flameName || 'flame';
  }

  get flameName() {
    return this.editor.flame?.element.getAttribute('name');
  }

  /// A name belongs to a flame: another one in its place is not offered it.
  get flameKey() {
    return `${this.files.index} ${this.flameName}`;
  }

  send(replace = false) {
    const name = this.wanted;
    if (!this.connection.isOpen) return this.keepHere(`${name} is not saved: no program answers. `);
    this.connection.say({
      type: 'save', name, for: this.program, ...(replace ? {replace: true} : {})
    });
    this.pending = {name, key: this.flameKey, program: this.program};
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

  /// `alone`: a frame that was cleaned without those around it; `lost`: what the file does not say.
  saved({name, alone, lost}) {
    if (this.pending?.name === name && !this.pending.program)
      this.usedNames.set(this.pending.key, stemOf(name));
    this.dialog.close();
    const says = alone ? cleanedAlone : lost;
    this.notice.say(lost ? 'warning' : 'info', `saved ${name}${says ? `: ${says}` : ''}`);
  }

  /// Also what is no error is said in the open dialog.
  failed(kind, text) {
    if (this.dialog.open) this.ask(text);
    return this.dialog.open && kind === 'error';
  }

  /// Also the end of waiting for an answer.
  ask(...parts) {
    clearTimeout(this.late);
    super.ask(...parts);
  }
}
