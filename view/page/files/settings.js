// SPDX-License-Identifier: MIT
// Settings from flame to flame: look, palette, camera and xforms of one, each apart, onto this one or onto
// those that are chosen on the wall. What was copied is there in all tabs of the browser.

import {make, textButton} from '../base/elements.js';

import {Dialog} from './dialog.js';

const parts = [
  ['look', 'Look', 'Light, curves, background, noise and blur, bloom, glare'],
  ['palette', 'Palette', 'Its colors'],
  ['camera', 'Camera', 'What is seen; the size of the picture stays'],
  ['xforms', 'Xforms', 'All of them, with the final one; not onto films']
];
const thumbWidth = 160;

export class Settings extends Dialog {
  constructor(editor, connection, files, canvas, notice) {
    super('settings');
    this.editor = editor;
    this.connection = connection;
    this.files = files;
    this.canvas = canvas;
    this.notice = notice;
    this.wanted = new Set(['look']);
    this.image = make('img', {alt: '', draggable: 'false'});
    this.from = make('b');
    this.onto = make('span');
    this.buttons = parts.map(
        ([name, says, title]) =>
            textButton(says, () => this.turn(name), {title, 'data-part': name}));
    this.paste = make('button', {type: 'submit', class: 'first'}, 'Paste');
    this.dialog.append(
        this.header('Paste settings'),
        make(
            'form', {
              method: 'dialog',
              submit: event => {
                event.preventDefault();
                this.send();
              }
            },
            make('div', {class: 'from'}, this.image, make('p', {}, 'from ', this.from)),
            make('div', {class: 'row parts', role: 'group', 'aria-label': 'What'}, ...this.buttons),
            make('p', {class: 'muted'}, 'onto ', this.onto), this.question,
            make(
                'div', {class: 'row'}, this.paste,
                textButton('Close', () => this.dialog.close(), {class: 'quiet'}))));
  }

  /// What was copied last, in whichever tab: {name, flame, thumb}; null: nothing yet.
  get copied() {
    try {
      return JSON.parse(localStorage.getItem('settings'));
    } catch {
      return null;
    }
  }

  copy() {
    const {editor: {flame}, canvas} = this;
    if (!flame) return;
    const small = make(
        'canvas',
        {width: thumbWidth, height: Math.round(thumbWidth * canvas.height / canvas.width) || 1});
    small.getContext('2d').drawImage(canvas, 0, 0, small.width, small.height);
    const name = flame.element.getAttribute('name') || 'a flame';
    const copied = {name, flame: flame.text(), thumb: small.toDataURL('image/jpeg', 0.85)};
    localStorage.setItem('settings', JSON.stringify(copied));
    this.notice.say(
        'info', `settings of ${name} are copied: Shift+V pastes look, palette, camera or xforms`);
  }

  /// which: indices of flames; without them the one that is shown.
  open(which) {
    if (!this.copied)
      return this.notice.say('info', 'no settings are copied yet: Shift+Y copies those of a flame');
    this.which = which ?? [this.files.index];
    this.ask();
    this.from.textContent = this.copied.name;
    this.image.src = this.copied.thumb;
    this.onto.textContent =
        this.which.length > 1 ? `${this.which.length} flames` : this.files.names[this.which[0]];
    this.mark();
    this.show();
    return this.paste.focus();
  }

  turn(name) {
    if (!this.wanted.delete(name)) this.wanted.add(name);
    this.mark();
  }

  mark() {
    for (const button of this.buttons)
      button.setAttribute('aria-pressed', String(this.wanted.has(button.dataset.part)));
    this.paste.disabled = !this.wanted.size;
  }

  send() {
    const {which, wanted, copied} = this;
    this.connection.say({type: 'apply', parts: [...wanted], flame: copied.flame, which});
    this.dialog.close();
    const words = parts.filter(([name]) => wanted.has(name)).map(([, says]) => says.toLowerCase());
    this.notice.say(
        'info',
        `${words.join(', ')} of ${copied.name} pasted onto ${
            this.onto.textContent}; undo reverts it in each`);
  }
}
