// Flames that come from where the browser is: files that are chosen or dropped, text that is pasted;
// and the flame as text that is copied.

import {byId, make, textButton} from './elements.js';
import {Library} from './library.js';
import {lean, sendBytes} from './upload.js';

const mostBytes = 24 << 20;
const isXform = text => /^\s*<(final)?xform[\s>]/.test(text);
const isFlame = text => /^\s*(<\?xml|<flames?[\s>])/.test(text.replace(/^\uFEFF/, ''));

const isInText = element => element?.closest('input, textarea, select, [contenteditable]') !== null;

export class Bring {
  constructor(editor, connection, notice) {
    this.editor = editor;
    this.connection = connection;
    this.notice = notice;
    this.dialog = byId('bring');
    this.words = make('p', {class: 'name'});
    this.dialog.append(
        make('h2', {id: 'bring-title'}, 'Open'), this.words,
        make(
            'div', {class: 'row'},
            textButton('Add to the list', () => this.take(false), {class: 'first'}),
            textButton(
                'In place of this flame', () => this.take(true),
                {title: 'The first one of several; Undo takes it back'}),
            textButton('Cancel', () => this.dialog.close(), {class: 'quiet'})));
    for (const name of ['dragover', 'drop']) addEventListener(name, event => this.onDrop(event));
    addEventListener('paste', event => this.onPaste(event));
    addEventListener('copy', event => this.onCopy(event));
  }

  // ---- what comes ----

  /// The browser would show a dropped file in place of the page.
  onDrop(event) {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    if (event.type === 'drop') this.ask([...event.dataTransfer.files]);
  }

  onPaste(event) {
    if (isInText(event.target) || document.querySelector('dialog[open]')) return;
    const files = [...event.clipboardData.files], text = event.clipboardData.getData('text/plain');
    if (!files.length && !isFlame(text)) {
      if (text && !isXform(text) && !event.defaultPrevented)
        this.notice.say('warning', 'what was copied is no flame: its text begins with <flame');
      return;
    }
    event.preventDefault();
    this.ask(files.length ? files : [new File([text], 'pasted')]);
  }

  /// Add or replace? `files` waits for the answer.
  ask(given) {
    const files = given.filter(file => !Library.holds(file));
    this.library?.bring(given.filter(file => Library.holds(file)));
    if (!files.length) return;
    this.files = files;
    this.words.textContent = files.map(file => file.name).join(', ');
    if (!this.dialog.open) this.dialog.showModal();
    this.dialog.querySelector('.first').focus();
  }

  take(replace) {
    this.dialog.close();
    this.send(this.files, replace);
  }

  /// To the program, which reads them; one after the other.
  async send(files, replace = false) {
    for (const file of files) {
      const bytes = await lean(file);
      if (bytes.length > mostBytes) {
        this.notice.say('error', `${file.name}: more than ${mostBytes >> 20} MB`);
        continue;
      }
      sendBytes(this.connection, {type: 'take', name: file.name, replace}, bytes);
    }
  }

  // ---- what goes ----

  /// The whole flame, where nothing else could be meant.
  onCopy(event) {
    const active = document.activeElement;
    const isElsewhere = active && active !== document.body && active.id !== 'stage';
    if (isElsewhere || String(getSelection()) || !this.editor.flame) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', this.editor.flame.text());
    this.notice.say('info', 'The flame is copied: paste it here, into a file or a message.');
  }
}
