// SPDX-License-Identifier: MIT
// Flames that come from where the browser is: files that are chosen or dropped, text that is pasted;
// and the flame as text that is copied.

import {byId, make, textButton} from '../base/elements.js';
import {lean, sendBytes} from '../base/upload.js';
import {Library} from '../panel/library.js';

const mostBytes = 24 << 20;
const holdsFlames = /png|jpeg/;  // types of pictures
const isXform = text => /^\s*<(final)?xform[\s>]/.test(text);

/// The flames of a text as forums and packs hold it: behind comments, words, the fence of a code
/// block, with names in any letters; empty: it has none.
function flamesOf(text) {
  const bare = text.replace(/<!--.*?-->/gs, '');
  const begin = bare.search(/<flames?[\s>]/i);
  if (begin < 0) return '';
  const ends = [...bare.matchAll(/<\/flames?\s*>/gi)], end = ends.at(-1);
  const found = bare.slice(begin, end && end.index > begin ? end.index + end[0].length : undefined);
  return found.replace(/<\/?flames?(?=[\s>])/gi, tag => tag.toLowerCase());
}

const isInText = element => element?.closest('input, textarea, select, [contenteditable]') !== null;

export class Bring {
  constructor(editor, connection, notice) {
    this.editor = editor;
    this.connection = connection;
    this.notice = notice;
    this.dialog = byId('bring');
    this.words = make('p', {class: 'name'});
    this.ways = [
      textButton('Add to the list', () => this.take(false), {class: 'first'}),
      textButton(
          'In place of this flame', () => this.take(true),
          {title: 'The first of several; Undo reverts it'})
    ];
    this.colors = textButton(
        'Take its colors', () => this.takeColors(),
        {title: 'The palette of its flame, or of what it shows'});
    this.dialog.append(
        make('h2', {id: 'bring-title'}, 'Open'), this.words,
        make(
            'div', {class: 'row'}, ...this.ways, this.colors,
            textButton('Cancel', () => this.dialog.close(), {class: 'quiet'})));
    for (const name of ['dragover', 'drop']) addEventListener(name, event => this.onDrop(event));
    addEventListener('paste', event => this.onPaste(event));
    addEventListener('copy', event => this.onCopy(event));
    addEventListener('focusout', event => {  // or it would be what Ctrl+C copies from then on
      if (isInText(event.target)) getSelection().removeAllRanges();
    });
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
    const flames = flamesOf(text);
    if (!files.length && !flames) {
      if (text && !isXform(text) && !event.defaultPrevented)
        this.notice.say('warning', 'what was copied is not a flame: its text has no <flame>');
      return;
    }
    event.preventDefault();
    this.ask(files.length ? files : [new File([flames], 'pasted')]);
  }

  /// Add or replace? `files` waits for the answer.
  ask(given) {
    const files = given.filter(file => !Library.holds(file));
    this.library?.bring(given.filter(file => Library.holds(file)));
    if (!files.length) return;
    this.files = files;
    this.words.textContent = files.map(file => file.name).join(', ');
    const arePictures = files.every(file => file.type.startsWith('image/'));
    const mayHaveFlames = !arePictures || files.some(file => holdsFlames.test(file.type));
    for (const way of this.ways) way.hidden = !mayHaveFlames;
    this.colors.hidden = !arePictures;
    if (!this.dialog.open) this.dialog.showModal();
    this.dialog.querySelector('.row button:not([hidden])').focus();
  }

  takeColors() {
    this.dialog.close();
    this.library?.bring(this.files);
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
