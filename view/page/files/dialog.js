// SPDX-License-Identifier: MIT
// Dialogs of files: a question that they ask, and the answers of the program that are about them. Those
// that have files rendered (render.js, export.js) have a name, a size and a goal besides.

import {byId, make, segments, signButton, textButton} from '../base/elements.js';

/// What the names of files in these formats end in (GET /formats.json).
export const endingOf = formats =>
    new RegExp(`\\.(${formats.flatMap(({endings}) => endings).join('|')})$`);

/// The <dialog> of index.html with that id. One that makes files has a send(replace).
export class Dialog {
  constructor(id) {
    this.dialog = byId(id);
    this.question = make('p', {role: 'alert', class: 'question'});
  }

  header(title) {
    return make(
        'header', {}, make('h2', {id: `${this.dialog.id}-title`}, title),
        signButton('remove', 'Close (Esc)', () => this.dialog.close()));
  }

  show() {
    if (!this.dialog.open) this.dialog.showModal();
  }

  ask(...parts) {
    this.question.replaceChildren(...parts);
  }

  /// A file of that name is there: shall another replace it?
  exists({name}, says = `${name} exists already. `, act = 'Replace it') {
    if (!this.dialog.open) return false;
    this.ask(says, textButton(act, () => this.send(true)));
    this.question.querySelector('button').focus();
    return true;
  }

  /// An error belongs to the open dialog and is said there.
  failed(kind, text) {
    if (!this.dialog.open || kind !== 'error') return false;
    this.ask(text);
    return true;
  }
}

/// What is rendered into files by a program beside the live picture, in the queue.
export class RenderDialog extends Dialog {
  /// goals: name -> {word, label, unit, value} of the number that ends it; without a value the flame's.
  constructor(id, {editor, connection, queue}, goals) {
    super(id);
    Object.assign(this, {editor, connection, queue, goals});
    this.name = this.field('name', 'Name', {inputmode: 'text', maxlength: 100});
    this.width = this.field('width', 'Width in pixels', {input: () => this.follow('width')});
    this.height = this.field('height', 'Height in pixels', {input: () => this.follow('height')});
    this.amount = this.field('amount', 'How good');
    this.unit = make('span', {class: 'muted'});
    this.goalButtons = segments(
        'Goal', Object.entries(goals).map(([name, {word}]) => [name, word]),
        goal => this.setGoal(goal));
  }

  field(id, label, attributes = {}) {
    return make('input', {
      type: 'text',
      inputmode: 'decimal',
      id: `${this.dialog.id}-${id}`,
      'aria-label': label,
      title: label,
      autocomplete: 'off',
      ...attributes
    });
  }

  /// A box to tick, and the line that it stands in.
  check(id, says) {
    const box = make('input', {type: 'checkbox', id: `${this.dialog.id}-${id}`});
    return [box, make('label', {class: 'switch'}, box, says)];
  }

  line(says, ...parts) {
    return make('div', {class: 'line'}, make('span', {}, says), make('div', {}, ...parts));
  }

  get sizeLine() {
    return this.line('Size', this.width, '×', this.height);
  }

  get goalLine() {
    return this.line('Until', this.goalButtons, this.amount, this.unit);
  }

  fill(title, does, ...lines) {
    const close = textButton('Close', () => this.dialog.close(), {class: 'quiet'});
    const submit = event => {
      event.preventDefault();
      this.send();
    };
    this.dialog.append(
        this.header(title),
        make(
            'form', {method: 'dialog', submit}, this.line('Name', this.name), ...lines,
            this.question,
            make(
                'div', {class: 'row'}, make('button', {type: 'submit', class: 'first'}, does),
                close)));
  }

  show() {
    const {width, height} = this.editor.flame.camera;
    this.width.value = width;
    this.height.value = height;
    this.shape = width / height;
    this.ask();
    this.dialog.append(this.queue.element);  // the other dialog shows it, too
    super.show();
    this.name.select();
  }

  get quality() {
    return this.editor.flame.number('quality', 100);
  }

  setGoal(goal) {
    this.goal = goal;
    this.goalButtons.show(goal);
    const {label, unit, value = this.quality} = this.goals[goal];
    this.amount.setAttribute('aria-label', label);
    this.amount.title = label;
    this.amount.value = value;
    this.unit.textContent = unit;
  }

  /// The flame's shape is kept.
  follow(side) {
    const {width, height, shape} = this;
    const value = side === 'width' ? width.value / shape : height.value * shape;
    if (value >= 1) (side === 'width' ? height : width).value = Math.round(value);
  }

  /// What both wish for; `stem`: the name without its ending.
  wish(stem, ending, replace) {
    const [width, height] = [this.width, this.height].map(({value}) => Math.round(Number(value)));
    return {name: `${stem}.${ending}`, width, height, replace};
  }

  submit(wish) {
    this.ask(this.connection.isOpen ? '' : 'The program does not answer.');
    this.connection.say(wish);
  }
}
