// Small pictures of flames like this one, or random ones; a click takes one. They come one by one
// as the program has made them.

import {make, segments, textButton} from './elements.js';
import {Over} from './over.js';

const count = 12, widthPx = 240;
const strengths = [['0.2', 'near'], ['0.5', 'like it'], ['1', 'far']];

export class Gallery extends Over {
  constructor(editor, connection) {
    super('gallery', 'below');
    this.editor = editor;
    this.connection = connection;
    this.set = -1;  // the newest one
    this.strength = '0.5';
    this.places = [];
    this.addresses = [];  // of the pictures that are shown, to be given back
    this.build();
  }

  build() {
    this.segments = segments('How far away', strengths, value => {
      this.strength = value;
      this.ask();
    });
    this.title = make('h2', {}, 'Mutations');
    this.fill(
        this.title, this.segments,
        textButton('Again', () => this.ask(), {title: 'Other ones of the same flame'}),
        textButton('Random', () => this.ask(true), {title: 'Random flames'}),
        make('span', {class: 'muted'}, 'click takes one · Z takes it back'));
  }

  toggle() {
    if (this.open)
      this.close();
    else
      this.ask();
  }

  close() {
    super.close();
    this.forget();
  }

  ask(random = false) {
    this.show();
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
    this.shape(this.editor.flame.camera);
    this.grid.replaceChildren(...this.places);
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
}
