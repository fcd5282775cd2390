// SPDX-License-Identifier: MIT
// The chosen flames into files: one pack of all of them, a picture of each, or all of them small in one picture.

import {choice, make, textButton} from '../base/elements.js';

import {Dialog, endingOf} from './dialog.js';

/// What the dialog says, by what is made.
const kinds = {
  save: {
    title: 'Save',
    label: 'Name',
    name: 'chosen',
    hint: 'One .flam3 with all of them, as they are now.'
  },
  render: {
    title: 'Render',
    label: 'Begin of names',
    name: '',
    hint: 'A file of each, with the name of its flame.',
    empty: ['as each is', 'as each is']
  },
  sheet: {
    title: 'Contact sheet of',
    label: 'Name',
    name: 'sheet',
    hint: 'One PNG with all of them beside each other.',
    empty: ['200', '20']
  }
};

export class Many extends Dialog {
  /// formats: what GET /formats.json says.
  constructor({connection, queue, notice}, formats) {
    super('many');
    Object.assign(this, {connection, queue, notice});
    this.formats = formats.filter(({film}) => !film);
    this.known = endingOf([...this.formats, {endings: ['flam3', 'flame']}]);
    const field = (id, label, attributes = {}) => make('input', {
      type: 'text',
      inputmode: 'decimal',
      id: `many-${id}`,
      'aria-label': label,
      autocomplete: 'off',
      ...attributes
    });
    this.name = field('name', 'Name', {inputmode: 'text', maxlength: 80});
    this.side = field('side', 'Longer side in pixels');
    this.quality = field('quality', 'Samples a pixel');
    this.format = choice('Format', this.formats.map(({says}) => says), () => {});
    this.title = make('h2', {id: 'many-title'});
    const muted = says => make('span', {class: 'muted'}, says);
    const line = (says, ...parts) =>
        make('div', {class: 'line'}, make('span', {}, says), make('div', {}, ...parts));
    this.label = make('span');
    this.formatLine = line('Format', this.format);
    this.ofPictures = make(
        'div', {class: 'of-pictures'}, this.formatLine,
        line('Longer side', this.side, muted('pixels')),
        line('Quality', this.quality, muted('samples a pixel')));
    this.hint = make('p', {class: 'muted'});
    this.does = make('button', {type: 'submit', class: 'first'});
    this.dialog.append(
        make('header', {}, this.title),
        make(
            'form', {
              method: 'dialog',
              submit: event => {
                event.preventDefault();
                this.send();
              }
            },
            make('div', {class: 'line'}, this.label, make('div', {}, this.name)), this.ofPictures,
            this.hint, this.question,
            make(
                'div', {class: 'row'}, this.does,
                textButton('Close', () => this.dialog.close(), {class: 'quiet'}))));
  }

  /// what: of the kinds.
  open(which, what) {
    const isSave = what === 'save', count = which.length,
          {title, label, name, hint, empty = []} = kinds[what];
    this.which = which;
    this.what = what;
    this.title.textContent = `${title} ${count} flame${count === 1 ? '' : 's'}`;
    this.label.textContent = label;
    this.name.value = name;
    this.ofPictures.hidden = isSave;
    this.formatLine.hidden = what === 'sheet';
    this.hint.textContent = hint;
    [this.side, this.quality].forEach((input, i) => {
      input.placeholder = empty[i] ?? '';
      input.title = `${input.getAttribute('aria-label')}; empty: ${empty[i]}`;
    });
    this.does.textContent = isSave ? 'Save' : 'Render';
    this.ask();
    const {element} = this.queue;  // which a render before may have left here
    if (!isSave)
      this.dialog.append(element);
    else if (this.dialog.contains(element))
      element.remove();
    this.show();
    this.name.select();
  }

  send(replace = false) {
    const {which, what} = this, stem = this.name.value.trim().replace(this.known, '');
    const given = (name, input) => (input.value.trim() === '' ? {} : {[name]: Number(input.value)});
    if (what !== 'render' && !stem) return this.ask('A name is needed.');
    const numbers = {...given('side', this.side), ...given('quality', this.quality)};
    if (what !== 'save' && Object.values(numbers).some(value => !(value > 0)))
      return this.ask('Numbers above 0 are needed.');
    const [ending] = this.formats[this.format.selectedIndex].endings;
    const wishes = {
      save: {type: 'save', name: `${stem}.flam3`},
      render: {type: 'render', name: `${stem}.${ending}`, ...numbers},
      sheet: {type: 'render', name: `${stem}.png`, sheet: true, ...numbers}
    };
    this.ask(this.connection.isOpen ? '' : 'The program does not answer.');
    this.connection.say({...wishes[what], which, replace});
    return undefined;
  }

  /// The pack is there.
  saved({name}) {
    if (!this.dialog.open || this.what !== 'save') return;
    this.dialog.close();
    this.notice.say('info', `saved ${name} with ${this.which.length} flames`);
  }
}
