// SPDX-License-Identifier: MIT
// States of flames that are kept beside the list of steps, each with its picture and a name: to go
// back to, to compare with, to save as a pack. The program keeps them for all pages and for another
// day, with their small pictures. What a state is compared with is finished: where the page has not
// seen it so, the program makes that picture beside the live one.

import {make, segments, signButton, textButton} from '../base/elements.js';
import {Flame} from '../base/flame.js';
import {Over} from '../base/over.js';

import {Compare} from './compare.js';

const most = 60;
const thumbWidth = 192;
const emptyPicture =
    'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const modes = [
  ['off', 'Off'], ['split', 'Split', 'To the left of a line that is dragged'],
  ['difference', 'Difference', 'Black where they are alike'],
  ['blink', 'Blink', 'One and the other, by turns']
];
const gains = [['1', '× 1'], ['4', '× 4'], ['16', '× 16']];

/// A state: its text, and how it looked as well as that was seen.
export class Kept {
  constructor({text, name, thumb = '', isVersion = false}) {
    this.isVersion = isVersion;  // it is compared with, and stands in the strip of versions
    this.text = text;
    this.name = name;
    this.thumb = thumb;  // the address of a small picture
    this.blob = null;    // a promise of the whole picture as a file; null: it was not seen yet
    this.quality = this.of = 0;
    this.hash = '';  // of the finished picture, where it is known
  }

  get isFinished() {
    return this.quality > 0 && this.quality >= this.of;
  }

  says() {
    return this.isFinished ? this.name : `${this.name} (being made)`;
  }

  async picture() {
    if (this.blob) return createImageBitmap(await this.blob);
    const small = make('img', {src: this.thumb || emptyPicture});
    await small.decode();
    return createImageBitmap(small);
  }

  see(canvas, {quality, of, hash = ''}) {
    this.quality = quality;
    this.of = of;
    this.hash = hash;
    const small = make('canvas', {
      width: thumbWidth,
      height: Math.max(1, Math.round(thumbWidth * canvas.height / canvas.width))
    });
    small.getContext('2d').drawImage(canvas, 0, 0, small.width, small.height);
    this.thumb = small.toDataURL('image/jpeg', 0.85);
    const copy = new OffscreenCanvas(canvas.width, canvas.height);
    copy.getContext('2d').drawImage(canvas, 0, 0);
    this.blob = copy.convertToBlob();  // PNG: to the last bit
  }
}

/// The hash of the pixels that a picture of kiln says of itself; empty: it says none.
async function hashIn(blob) {
  const text = new TextDecoder('latin1').decode(await blob.arrayBuffer?.() ?? new Uint8Array());
  const [, record = '{}'] = /kiln_record\0(\{.*?\})/.exec(text) ?? [];
  return JSON.parse(record).pixel_hash ?? '';
}

export class KeptStates extends Over {
  constructor(editor, connection, canvas, notice) {
    super('kept', 'below');
    this.editor = editor;
    this.connection = connection;
    this.canvas = canvas;
    this.notice = notice;
    this.compare = new Compare(editor, () => this.setMode('off'));
    this.all = [];
    this.chosen = null;  // what is compared with
    this.now = null;     // the state that the picture is of, if one is
    this.head = null;    // of the newest picture
    this.wishes = 0;     // for pictures that the program makes beside
    this.wanted = null;  // the state that the newest one is of
    this.build();
    for (const name of ['edited', 'flame'])
      editor.addEventListener(name, () => {
        this.now = null;
        this.stale = true;
        this.compare.hashed('');
      });
  }

  // ---- what the program has ----

  /// Of all pages; `first`: this page has come to a program, which may lack what it has.
  hear({states, first}) {
    const known = new Map(this.all.map(one => [one.text, one]));
    this.all = states.map(({name, flame: text, thumb}) => {
      const one = known.get(text) ?? new Kept({text, name, thumb});
      known.delete(text);
      one.name = name;
      one.thumb ||= thumb;
      return one;
    });
    for (const one of first ? known.values() : []) {
      this.all.push(one);
      this.tellOf(one);
    }
    this.now = this.all.includes(this.now) ? this.now : null;
    this.stale = true;
    if (!this.all.includes(this.chosen) && !this.chosen?.isVersion)
      this.choose(this.all.at(-1) ?? null);
    if (first) {  // the program does not know what this page was waiting for
      this.wanted = null;
      this.seeOther();
    }
    if (this.open && !this.grid.querySelector('[data-typing]')) this.draw();
  }

  tellOf({text, name, thumb}) {
    this.connection.say({type: 'state', flame: text, name, thumb});
  }

  /// The other side of a comparison is looked at: finished.
  seeOther() {
    const {chosen} = this, isWanted = this.compare.mode !== 'off' && chosen && !chosen.isFinished;
    if (isWanted ? chosen === this.wanted : !this.wanted) return;
    this.wanted = isWanted ? chosen : null;
    const wish = isWanted ? {number: ++this.wishes, flame: chosen.text} : {};
    this.connection.say({type: 'see', ...wish});
  }

  async seen({number}, blob) {
    if (number !== this.wishes) return;  // of the one that was wanted before
    const one = this.wanted;
    this.wanted = null;
    if (!one || one.isFinished) return;
    one.blob = Promise.resolve(blob);
    one.quality = one.of = new Flame(one.text).number('quality', 1);
    if (one === this.compare.one) this.compare.with(one);
    one.hash = await hashIn(blob);
    if (one === this.compare.one) this.compare.prove();
  }

  build() {
    this.modes = segments('Compare with the chosen one', modes, mode => this.setMode(mode));
    this.gains = segments('How strong the difference is', gains, gain => {
      this.compare.amplify(Number(gain));
      this.gains.show(gain);
    });
    this.pack = make('input', {
      type: 'text',
      id: 'pack-name',
      'aria-label': 'Name of the pack',
      maxlength: 100,
      spellcheck: 'false',
      autocomplete: 'off',
      keydown: event => {
        if (event.key === 'Enter') this.save();
        if (!event.ctrlKey && !event.metaKey && event.key !== 'Escape') event.stopPropagation();
      }
    });
    this.question = make('span', {role: 'alert', class: 'question'});
    this.saving = make(
        'span', {class: 'pack'}, this.pack,
        textButton('Save all', () => this.save(), {title: 'As one .flam3 with all of them'}),
        textButton('Download', () => this.download(), {title: 'To this computer'}));
    this.fill(
        make('h2', {}, 'Kept states'),
        textButton('Keep this one', () => this.keep(), {title: 'Keep this state (K)'}), this.modes,
        this.gains, this.saving, this.question);
    this.showMode();
  }

  show() {
    super.show();
    this.pack.value ||= `${this.flameName}-states`;
    this.draw();
  }

  get flameName() {
    return this.editor.flame?.element.getAttribute('name') || 'flame';
  }

  // ---- keeping ----

  keep() {
    if (!this.editor.flame) return;
    if (this.all.length >= most) {
      this.notice.say('warning', `${most} states are kept: remove some first`);
      return;
    }
    const text = this.editor.flame.text();
    let one = this.all.find(other => other.text === text);
    const isNew = !one;
    if (isNew) this.all.push(one = new Kept({text, name: this.freshName()}));
    this.chosen = this.now = one;
    this.stale = false;
    if (this.isNewest) one.see(this.canvas, this.head);
    if (isNew) this.tellOf(one);
    this.show();
    this.tileOf(one)?.scrollIntoView({block: 'nearest', inline: 'nearest'});
    this.setMode(this.compare.mode);
  }

  freshName() {
    const names = new Set(this.all.map(({name}) => name));
    for (let i = 0;; ++i) {
      const round = Math.floor(i / letters.length);
      const name = `${this.flameName}-${letters[i % letters.length]}${round || ''}`;
      if (!names.has(name)) return name;
    }
  }

  /// Whether the picture is that of the flame as it is.
  get isNewest() {
    return this.head?.number === this.connection.newest && !this.connection.waiting;
  }

  /// The picture shows more; a kept state that it is of is seen better.
  pictured(head) {
    this.head = head;
    if (head.settled && this.isNewest) this.compare.hashed(head.hash ?? '');
    if (!this.all.length || !this.isNewest) return;
    if (this.stale) this.now = this.find(this.editor.flame.text());
    this.stale = false;
    const {now} = this, isBetter = now && head.quality > now.quality;
    if (!isBetter || (now.quality > 0 && !head.settled)) return;
    now.see(this.canvas, head);
    if (head.settled) this.tellOf(now);
    this.tileOf(now)?.querySelector('img').setAttribute('src', now.thumb);
    if (now === this.compare.one) this.compare.with(now);
  }

  find(text) {
    return this.all.find(one => one.text === text) ?? null;
  }

  remove(one) {
    this.connection.say({type: 'state', flame: one.text, remove: true});
    this.all = this.all.filter(other => other !== one);
    if (this.now === one) this.now = null;
    if (this.chosen === one) this.choose(this.all.at(-1) ?? null);
    this.draw();
  }

  /// The flame is this again, as a step.
  take(one) {
    this.editor.replace(one.text);
    this.now = one;
    this.stale = false;
  }

  // ---- the strip ----

  tileOf(one) {
    return this.grid.children[this.all.indexOf(one)];
  }

  draw() {
    this.grid.replaceChildren(...this.all.map(one => this.tile(one)));
    this.saving.hidden = !this.all.length;
    if (!this.all.length)
      this.grid.append(make(
          'p', {class: 'hint'},
          'K keeps the flame as it is now, to go back to or to compare with.'));
    this.mark();
  }

  tile(one) {
    const name = make('input', {
      type: 'text',
      value: one.name,
      'aria-label': 'Name of the state',
      maxlength: 60,
      spellcheck: 'false',
      autocomplete: 'off',
      input: () => name.toggleAttribute('data-typing', true),
      change: () => {
        name.removeAttribute('data-typing');
        one.name = name.value.trim() || one.name;
        name.value = one.name;
        this.tellOf(one);
        this.compare.show();
      },
      keydown: event => {
        if (event.key === 'Enter' || event.key === 'Escape') name.blur();
        if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
      }
    });
    return make(
        'div', {class: 'state'},
        make(
            'button', {
              type: 'button',
              class: 'tile',
              title: 'Go back to this state; Undo reverts it',
              'aria-label': `Back to ${one.name}`,
              click: () => this.take(one)
            },
            make('img', {src: one.thumb || undefined, alt: '', draggable: 'false'})),
        make(
            'div', {class: 'tools'}, name,
            signButton('compare', 'Compare with this one', () => this.toggleWith(one)),
            signButton('remove', 'Remove', () => this.remove(one))));
  }

  mark() {
    this.all.forEach((one, i) => {
      const tile = this.grid.children[i], isCompared = one === this.chosen;
      tile?.classList.toggle('chosen', isCompared);
      tile?.querySelector('.tools button')
          .setAttribute('aria-pressed', String(isCompared && this.compare.mode !== 'off'));
    });
  }

  // ---- comparing ----

  choose(one) {
    this.chosen = one;
    this.setMode(this.compare.mode);
  }

  toggleWith(one) {
    const isOn = one === this.chosen && this.compare.mode !== 'off';
    this.chosen = one;
    this.setMode(isOn ? 'off' : this.lastMode ?? 'split');
  }

  /// With a version, until another one is chosen.
  compareWith(one) {
    this.chosen = one;
    this.setMode(one ? this.lastMode ?? 'split' : 'off');
  }

  /// Off, split, difference, blink, off ...
  next() {
    if (!this.chosen)
      this.notice.say('info', 'nothing is kept to compare with: K keeps the flame as it is now');
    else {
      if (!this.open && !this.chosen.isVersion) this.show();
      const at = modes.findIndex(([mode]) => mode === this.compare.mode);
      this.setMode(modes[(at + 1) % modes.length][0]);
    }
  }

  setMode(mode) {
    if (mode !== 'off') this.lastMode = mode;
    if (mode === 'off' || this.chosen) this.compare.with(mode === 'off' ? null : this.chosen, mode);
    this.seeOther();
    this.showMode();
    this.mark();
    this.editor.tell('compared');
  }

  showMode() {
    this.modes.show(this.compare.mode);
    this.gains.hidden = this.compare.mode !== 'difference';
    this.gains.show(this.compare.gain);
  }

  // ---- the pack ----

  get texts() {
    return this.all.map(({text, name}) => {
      const flame = new Flame(text);
      flame.set('name', name);
      return flame.text();
    });
  }

  get packName() {
    return `${this.pack.value.trim().replace(/\.flam3$/, '') || 'states'}.flam3`;
  }

  save(replace = false) {
    const name = this.packName;
    this.question.replaceChildren();
    this.pending = name;
    this.connection.say(
        {type: 'save', name, flames: this.texts, ...(replace ? {replace: true} : {})});
  }

  /// Whether it is about the pack.
  exists({name}) {
    if (name !== this.pending || !this.open) return false;
    this.question.replaceChildren(
        `${name} exists already. `, textButton('Replace it', () => this.save(true)));
    this.question.querySelector('button').focus();
    return true;
  }

  saved({name}) {
    if (name !== this.pending) return;
    this.pending = undefined;
    this.question.replaceChildren();
  }

  download() {
    const pack = new Blob(['<flames>\n', this.texts.join('\n'), '\n</flames>\n']);
    const address = URL.createObjectURL(pack);
    make('a', {href: address, download: this.packName}).click();
    setTimeout(() => URL.revokeObjectURL(address), 3000);
  }
}
