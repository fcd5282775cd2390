// Small pictures of flames like this one, or random ones; a click takes one. They come one by one
// as the program has made them.

import {byId, make, segments, signButton, textButton} from './elements.js';

const count = 12, widthPx = 240;
const strengths = [['0.2', 'near'], ['0.5', 'like it'], ['1', 'far']];

export class Gallery {
  constructor(editor, connection) {
    this.editor = editor;
    this.connection = connection;
    this.section = byId('gallery');
    this.set = -1;  // the newest one
    this.strength = '0.5';
    this.places = [];
    this.addresses = [];  // of the pictures that are shown, to be given back
    this.build();
  }

  get open() {
    return !this.section.hidden;
  }

  build() {
    this.grid = make('div', {class: 'grid'});
    this.segments = segments('How far away', strengths, value => {
      this.strength = value;
      this.ask();
    });
    this.title = make('h2', {}, 'Mutations');
    this.section.replaceChildren(
        make(
            'header', {}, this.title, this.segments,
            textButton('Again', () => this.ask(), {title: 'Other ones of the same flame'}),
            textButton('Random', () => this.ask(true), {title: 'Random flames'}),
            make('span', {class: 'muted'}, 'click takes one · Z takes it back'),
            signButton('remove', 'Close (Esc)', () => this.close(), {'data-role': 'close'})),
        this.grid);
  }

  toggle() {
    if (this.open)
      this.close();
    else
      this.ask();
  }

  close() {
    this.section.hidden = true;
    this.forget();
  }

  ask(random = false) {
    this.section.hidden = false;
    this.segments.show(this.strength);
    this.title.textContent = random ? 'Flames by chance' : 'Mutations';
    this.connection.say({
      type: 'mutate',
      count,
      strength: Number(this.strength),
      width: widthPx,
      ...(random ? {random: true} : {})
    });
  }

  forget() {
    for (const address of this.addresses) URL.revokeObjectURL(address);
    this.addresses = [];
    this.grid.replaceChildren();
    this.places = [];
  }

  // ---- from the program ----

  begin({set, count: pictures}) {
    this.forget();
    this.set = set;
    this.places = Array.from(
        {length: pictures},
        (_, i) => make(
            'button',
            {type: 'button', class: 'tile', disabled: true, 'aria-label': `Mutation ${i + 1}`}));
    const {width, height} = this.editor.flame.camera;
    this.grid.style.setProperty('--shape', `${width} / ${height}`);
    this.grid.replaceChildren(...this.places);
    this.grid.onkeydown = event => this.onKey(event);
  }

  add(head, blob) {
    const tile = this.places[head.place];
    if (head.set !== this.set || !tile || !this.open) return;
    const address = URL.createObjectURL(blob);
    this.addresses.push(address);
    tile.replaceChildren(make('img', {src: address, alt: '', draggable: 'false'}));
    tile.disabled = false;
    tile.onclick = () => this.take(tile, head.flame);
  }

  take(tile, flame) {
    for (const other of this.places) other.setAttribute('aria-pressed', String(other === tile));
    this.editor.replace(flame);
  }

  onKey(event) {
    const step =
        {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns}[event.key];
    const next = this.places[this.places.indexOf(document.activeElement) + step];
    if (!step || !next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  }

  get columns() {
    return getComputedStyle(this.grid).gridTemplateColumns.split(' ').length;
  }
}
