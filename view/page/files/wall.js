// SPDX-License-Identifier: MIT
// All open flames as small pictures. The program makes them one by one, those that are in sight
// first; what it has made before comes at once.

import {byId, choice, held, make, segments, textButton} from '../base/elements.js';
import {Over} from '../base/over.js';

import {Chosen} from './chosen.js';
import {starText} from './stars.js';

const starChoices = ['any stars', '★', '★★', '★★★', '★★★★', '★★★★★'];
const widthPx = 240, mostWanted = 120, restMs = 60;

export class Wall extends Over {
  constructor(editor, connection, files, acts) {
    super('wall');
    this.editor = editor;
    this.connection = connection;
    this.files = files;
    this.order = 'order';
    this.tiles = [];  // by index of the flame
    this.words = [];  // what the program says of each: variations, size, who made it
    this.inSight = new Set();
    this.pending = new Set();  // whose picture has not come since the wall was opened
    this.watch = new IntersectionObserver(seen => this.onSeen(seen), {root: this.section});
    this.build(acts);
  }

  build({open, fresh, close, ...acts}) {
    this.closeFlame = close;
    this.chosen = new Chosen(this.connection, this.files, acts, () => this.mark());
    this.count = make('span', {class: 'muted'});
    this.search = make('input', {
      type: 'text',
      id: 'wall-search',
      placeholder: 'name, variation, size',
      'aria-label': 'Search: flames',
      autocomplete: 'off',
      spellcheck: 'false',
      input: () => this.arrange(),
      keydown: event => this.onSearchKey(event)
    });
    const orders = [['order', 'as opened'], ['name', 'by name'], ['stars', 'by stars']];
    this.sorted = segments('Sorted by', orders, value => {
      this.order = value;
      this.arrange();
    });
    this.least = choice('Stars', starChoices, () => this.arrange());
    this.least.id = 'wall-stars';
    this.section.addEventListener('keydown', event => this.onAnyKey(event));
    this.above = this.search;
    this.fill(
        make('h2', {}, 'Flames'), this.search, this.least, this.sorted, this.count,
        textButton('Open …', open), textButton('New', fresh, {title: 'A random flame'}));
    this.section.querySelector('header').append(this.chosen.element);
  }

  show() {
    super.show();
    this.search.value = '';
    this.connection.say({type: 'about'});
    this.pending = new Set(this.files.names.keys());
    this.arrange();
    this.tiles[this.files.index]?.scrollIntoView({block: 'center'});
    this.tiles[this.files.index]?.focus();
  }

  hear({words}) {
    this.words = words;
    if (this.search.value) this.arrange();
  }

  close() {
    super.close();
    byId('stage').focus();
  }

  // ---- the tiles ----

  /// Tiles in their order; new flames get one.
  arrange() {
    const {names} = this.files;
    for (let i = this.tiles.length; i < names.length; ++i) this.tiles.push(this.makeTile(i));
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const textOf = i => `${names[i]} ${this.words[i] ?? ''}`.toLowerCase();
    const {stars} = this.files, least = this.least.selectedIndex;
    const shown = this.files.openOnes.filter(
        i => (stars[i] ?? 0) >= least && words.every(word => textOf(i).includes(word)));
    if (this.order === 'stars') shown.sort((i, j) => stars[j] - stars[i] || i - j);
    if (this.order === 'name')
      shown.sort((i, j) => names[i].localeCompare(names[j], undefined, {numeric: true}) || i - j);
    this.sorted.show(this.order);
    this.count.textContent = `${shown.length} of ${this.files.openOnes.length}`;
    this.shape(this.editor.flame?.camera ?? {width: 16, height: 9});
    this.grid.replaceChildren(...shown.map(i => this.tiles[i]));
    this.mark();
  }

  makeTile(index) {
    const tile = make(
        'button', {
          type: 'button',
          class: 'tile',
          'data-index': index,
          title: 'Shift and click, or hold: choose several',
          ...held(() => this.chosen.turn(index)),
          click: event => this.onTile(event, index)
        },
        make('img', {alt: '', draggable: 'false'}), make('span'), make('em'),
        make('b', {class: 'film'}),
        make(
            'i', {
              title: 'Close (Delete)',
              click: event => {
                event.stopPropagation();
                this.closeFlame(index);
              }
            },
            '×'));
    this.watch.observe(tile);
    return tile;
  }

  /// Names, marks, and which flame is shown.
  mark() {
    if (!this.open) return;
    this.tiles.forEach((tile, i) => {
      tile.querySelector('span').textContent = this.files.shownNames[i] ?? '';
      tile.querySelector('b').textContent =
          this.files.frames[i] ? `film ${this.files.length(i)}` : '';
      tile.querySelector('em').textContent = starText(this.files.stars[i] ?? 0);
      tile.setAttribute('aria-pressed', String(i === this.files.index));
      tile.classList.toggle('chosen', this.chosen.has(i));
    });
  }

  onTile({shiftKey, ctrlKey, metaKey}, index) {
    if (ctrlKey || metaKey)
      this.chosen.turn(index);
    else if (shiftKey)
      this.chosen.upTo(index, this.inOrder);
    else
      this.take(index);
  }

  /// Indices of the tiles as they stand.
  get inOrder() {
    return [...this.grid.children].map(tile => Number(tile.dataset.index));
  }

  /// The list of flames is another, or their stars.
  changed() {
    if (!this.open) return;
    for (let i = this.tiles.length; i < this.files.names.length; ++i) this.pending.add(i);
    this.chosen.keepOnly(this.files.openOnes);
    this.arrange();
  }

  take(index) {
    this.files.go(index);
    this.close();
  }

  // ---- pictures ----

  onSeen(seen) {
    for (const {target, isIntersecting} of seen) {
      const index = Number(target.dataset.index);
      if (isIntersecting)
        this.inSight.add(index);
      else
        this.inSight.delete(index);
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), restMs);
  }

  ask() {
    const want = [...this.inSight].filter(i => this.pending.has(i)).slice(0, mostWanted);
    if (!this.open || !want.length) return;
    want.sort((i, j) => i - j);
    this.connection.say({type: 'wall', want, width: widthPx});
  }

  add({place}, blob) {
    this.pending.delete(place);
    const picture = this.tiles[place]?.firstChild;
    if (!picture) return;
    if (picture.src) URL.revokeObjectURL(picture.src);
    picture.src = URL.createObjectURL(blob);
  }

  // ---- keys ----

  onAnyKey(event) {
    if (event.key === 'Escape') this.chosen.size ? this.chosen.clear() : this.close();
    if (event.key === 'a' && (event.ctrlKey || event.metaKey) &&
        document.activeElement !== this.search) {
      event.preventDefault();
      this.chosen.all(this.inOrder);
    }
    if (event.key === '/' && document.activeElement !== this.search) {
      event.preventDefault();
      this.search.focus();
    }
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();  // keys of the flame behind it
  }

  onSearchKey(event) {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      this.grid.firstChild?.focus();
    }
    if (event.key === 'Enter') this.grid.firstChild?.click();
  }

  onKey(event) {
    const tiles = [...this.grid.children], at = tiles.indexOf(document.activeElement);
    super.onKey(event);
    if (event.shiftKey && event.key.startsWith('Arrow') && at >= 0) {
      const to = Number(document.activeElement.dataset.index);
      this.chosen.upTo(to, this.inOrder, Number(tiles[at].dataset.index));
    }
    if (/^[0-5]$/.test(event.key) && at >= 0) {
      const index = Number(tiles[at].dataset.index);
      this.chosen.rate(Number(event.key), this.chosen.has(index) ? this.chosen.list : [index]);
    }
    if (event.key !== 'Delete' || at < 0) return;
    const next = tiles[at + 1] ?? tiles[at - 1];
    this.closeFlame(Number(tiles[at].dataset.index));
    next?.focus();
  }
}
