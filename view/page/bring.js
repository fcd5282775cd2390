// Flames that come from where the browser is: files that are chosen or dropped, text that is pasted;
// and the flame as text that is copied.

import {byId, make, textButton} from './elements.js';

const partBytes = 900000;  // of a message; a multiple of 3, as base64 wants it
const mostBytes = 24 << 20;
const pngStart = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const emptyPixels = new Uint8Array([0, 0, 0, 0, 0x49, 0x44, 0x41, 0x54, 0x35, 0xaf, 0x06, 0x1e]);

const isXform = text => /^\s*<(final)?xform[\s>]/.test(text);
const isFlame = text => /^\s*(<\?xml|<flames?[\s>])/.test(text.replace(/^\uFEFF/, ''));

/// A PNG without its pixels, which nobody needs to read its flame; other files as they are.
async function lean(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!pngStart.every((byte, i) => bytes[i] === byte)) return bytes;
  const view = new DataView(bytes.buffer), parts = [bytes.subarray(0, 8)];
  let wasPixels = false;
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + view.getUint32(at);
    const isPixels = String.fromCharCode(...bytes.subarray(at + 4, at + 8)) === 'IDAT';
    if (!isPixels) parts.push(bytes.subarray(at, end));
    if (isPixels && !wasPixels) parts.push(emptyPixels);
    wasPixels ||= isPixels;
    at = end;
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function base64(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192)
    text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}

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
  ask(files) {
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
      for (let at = 0; at === 0 || at < bytes.length; at += partBytes) {
        this.connection.say({
          type: 'take',
          name: file.name,
          bytes: base64(bytes.subarray(at, at + partBytes)),
          more: at + partBytes < bytes.length,
          replace
        });
      }
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
