// The opened flames, and the dialog that saves. What is saved goes into the folder that the program
// was started in, under a name without a path.

import {byId, make, textButton} from './elements.js';

export class Files {
  constructor(editor, connection, notice) {
    this.editor = editor;
    this.connection = connection;
    this.notice = notice;
    this.select = byId('flames');
    this.select.addEventListener('change', () => this.go(Number(this.select.value)));
    this.dialog = byId('save');
    this.index = 0;
    this.count = 0;
    this.folder = '';
    this.build();
  }

  // ---- which flame ----

  welcome({flames, folder}) {
    this.count = flames.length;
    this.folder = folder;
    this.where.textContent = folder ? `into the folder ${folder}` : '';
    this.select.replaceChildren(
        ...flames.map((name, i) => make('option', {value: i}, name || `flame ${i + 1}`)));
  }

  at(index) {
    this.index = index;
    this.select.value = String(index);
  }

  go(index) {
    if (index >= 0 && index < this.count && index !== this.index)
      this.connection.say({type: 'select', index});
  }

  next(step) {
    if (this.count > 1) this.go((this.index + step + this.count) % this.count);
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
            textButton('Cancel', () => this.dialog.close(), {class: 'quiet'})));
    this.dialog.append(this.form);
  }

  open(ending = 'flam3') {
    this.name.value ||= this.editor.flame?.element.getAttribute('name') || 'flame';
    this.ask('');
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
    const stem = this.name.value.trim().replace(/\.(flam3|png)$/, '');
    if (!stem) return;
    this.write(`${stem}.${ending}`);
  }

  write(name, replace = false) {
    this.pending = name;
    this.connection.say({type: 'save', name, ...(replace ? {replace: true} : {})});
  }

  saved({name}) {
    this.dialog.close();
    this.notice.say('info', `saved ${name}`);
  }

  exists({name}) {
    this.ask(`${name} is there already. `, textButton('Replace it', () => this.write(name, true)));
    this.question.querySelector('button').focus();
  }

  /// A failure that belongs to the open dialog is said there.
  failed(text) {
    if (!this.dialog.open) return false;
    this.ask(text);
    return true;
  }

  ask(...parts) {
    this.question.replaceChildren(...parts);
  }
}
