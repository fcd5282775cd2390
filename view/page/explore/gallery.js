// SPDX-License-Identifier: MIT
// The wall of what may become of a flame: mutations of it, children of it and another one, flames by
// chance. What is chosen is the flame from then on, and the wall fills with what comes of that; the
// tree of what was tried (tried.js) leads back, to the same small pictures as before.

import {choice, held, make, segments, textButton} from '../base/elements.js';
import {Flame} from '../base/flame.js';
import {Over} from '../base/over.js';

import {Tried} from './tried.js';

const count = 12, widthPx = 240, restMs = 400, mostWalls = 40;
const kinds = [
  ['mutations', 'Mutations', 'Flames like this one'],
  ['children', 'Children', 'Flames between this one and another'],
  ['random', 'Random', 'Flames by chance, which have nothing of this one']
];
const strengths = [['0.2', 'near'], ['0.5', 'like it'], ['1', 'far']];
const kept = [['palette', 'its colors stay'], ['camera', 'where it looks stays']];
const howToTake = 'click one to go on with it · Z goes back';
const howToBreed =
    'Second parent? Click one of these, or choose one of the list; later Shift and click, or hold a finger on it.';

/// The same for texts of one flame: the program writes more digits than a page, and other blanks.
function signOf(text) {
  const short = word =>
      (word !== '' && Number.isFinite(Number(word)) ? String(Number(Number(word).toPrecision(6))) :
                                                      word);
  const told = element => element.getAttributeNames().sort().map(
      name => `${name}=${element.getAttribute(name).split(' ').map(short).join(' ')}`);
  const flame = new Flame(text);
  return [told(flame.element), ...flame.all.map(told), flame.colors].join(';');
}

const rootOf = node => (node.parent ? rootOf(node.parent) : node);

export class Gallery extends Over {
  constructor(editor, connection, files) {
    super('gallery', 'below');
    this.editor = editor;
    this.connection = connection;
    this.files = files;
    this.kind = 'mutations';
    this.strength = '0.5';
    this.direction = this.breeding = 'any';
    this.locks = {palette: false, camera: false, xforms: new Set()};
    this.mate = null;        // {name, flame}: index or text
    this.trees = new Map();  // index of a flame -> {root, at}
    this.shown = null;       // the place in the tree whose wall is shown
    this.asks = 0;
    this.asked = null;   // the newest wall, until the program has begun it, and where it belongs
    this.walls = [];     // those that are kept, the newest last
    this.set = -1;       // the newest one, and
    this.filled = null;  // what it fills: {at, tiles, first}
    this.tried = new Tried({go: node => this.goTo(node), breed: node => this.breedWith(node)});
    this.build();
    for (const name of ['flame', 'change'])
      editor.addEventListener(name, () => {
        if (this.open) this.rest();
      });
  }

  build() {
    const again = () => this.ask();
    this.kindButtons = segments('What comes of it', kinds, value => this.show(value));
    this.strengthButtons = segments('How far away', strengths, value => {
      this.strength = value;
      this.ask();
    });
    this.what = make('span', {class: 'what'});
    this.says = make('span', {class: 'muted'});
    this.seed = make(
        'span', {class: 'muted seed', title: 'The seed; kiln random --seed makes the flame again'});
    this.locksRow = make('div', {class: 'row', role: 'group', 'aria-label': 'What stays'});
    this.mates = make('select', {'aria-label': 'The other one', change: () => this.onMate()});
    this.fill(
        this.kindButtons, this.strengthButtons, this.what,
        textButton('Again', again, {title: 'Others'}), this.says, this.seed);
    this.grid.before(this.locksRow, this.tried.element);
  }

  /// The words of the program.
  welcome({directions, breedings}) {
    const directionChoice = choice('What changes', directions, value => {
      this.direction = value;
      this.ask();
    });
    directionChoice.value = this.direction;
    const ways = choice('How they breed', breedings, value => {
      this.breeding = value;
      this.ask();
    });
    ways.value = this.breeding;
    this.words = {
      mutations: [make('label', {}, 'changes ', directionChoice)],
      children: [make('label', {}, 'with ', this.mates), make('label', {}, 'by ', ways)],
      random: []
    };
  }

  toggle() {
    if (this.open)
      this.close();
    else
      this.show('mutations');
  }

  close() {
    super.close();
    clearTimeout(this.timer);
  }

  show(kind) {
    if (!this.editor.flame) return;
    super.show();
    this.kind = kind;
    this.meet();
    this.ask();
  }

  // ---- what is wanted ----

  controls() {
    this.kindButtons.show(this.kind);
    this.strengthButtons.show(this.strength);
    this.strengthButtons.hidden = this.kind !== 'mutations';
    this.what.replaceChildren(...this.words[this.kind]);
    this.says.textContent = this.kind === 'children' && !this.mate ? howToBreed : howToTake;
    this.drawLocks();
    this.drawMates();
    this.tried.draw(this.tree);
  }

  drawLocks() {
    const {locks, editor: {flame}} = this;
    this.locksRow.hidden = this.kind !== 'mutations';
    const lock = (says, title, on, turn) => textButton(says, () => {
      turn();
      this.ask();
    }, {title, 'aria-pressed': String(on), 'data-lock': says});
    const turnXform = i => locks.xforms.delete(i) || locks.xforms.add(i);
    this.locksRow.replaceChildren(
        make('span', {class: 'muted'}, 'Keep'),
        ...kept.map(([name, title]) => lock(name, title, locks[name], () => {
                      locks[name] = !locks[name];
                    })), ...flame.all.map((xform, i) => {
          const sign = flame.signOf(xform), number = flame.isFinal(xform) ? -1 : i;
          return lock(
              sign, `xform ${sign} stays`, locks.xforms.has(number), () => turnXform(number));
        }));
  }

  drawMates() {
    const {files} = this, {flame: other} = this.mate ?? {};
    if (other === files.index || files.names[other] === null)
      this.mate = null;  // it is shown now, or closed
    const {names, index, openOnes} = this.files, {mate, mates} = this;
    const isHere = Number.isInteger(mate?.flame);
    const options =
        openOnes.filter(i => i !== index).map(i => make('option', {value: i}, names[i]));
    if (!mate) options.unshift(make('option', {value: ''}, 'choose …'));
    if (mate && !isHere) options.unshift(make('option', {value: 'picture'}, mate.name));
    mates.replaceChildren(...options);
    mates.value = !mate ? '' : isHere ? String(mate.flame) : 'picture';
  }

  onMate() {
    const index = Number(this.mates.value);
    this.mate = {name: this.files.names[index], flame: index};
    this.ask();
  }

  /// Of the wall or of the tree, where a finger was held or Shift was.
  breedWith({text, name}) {
    this.mate = {name: name ?? 'a picture', flame: text};
    this.show('children');
  }

  /// The wall anew, about the flame as it is.
  ask() {
    if (!this.open) return;
    if (!this.tree) this.meet();  // the page has gone to this flame a moment ago
    this.controls();
    const {at} = this.tree;
    this.choosesMate = this.kind === 'children' && !this.mate;
    this.display(at, undefined);
    const {flame} = this.editor, isFirst = !at.picture, {locks} = this;
    const numbers = new Set(flame.all.map((one, i) => (flame.isFinal(one) ? -1 : i)));
    const wishes = {
      mutations: {
        strength: Number(this.strength),
        direction: this.direction,
        locks: {...locks, xforms: [...locks.xforms].filter(i => numbers.has(i))}
      },
      children: {mate: this.mate?.flame, breeding: this.breeding},
      random: {random: true}
    };
    const {choosesMate} = this;
    this.asked = {number: ++this.asks, at, isFirst, kind: this.kind, choosesMate};
    this.connection.say({
      type: 'mutate',
      number: this.asks,
      count: count + isFirst,
      width: widthPx,
      parent: isFirst,
      ...wishes[choosesMate ? 'random' : this.kind]
    });
  }

  // ---- the tree, and the flame of the page ----

  get tree() {
    return this.trees.get(this.files.index);
  }

  /// The flame is another one, or will be soon: when it rests, the wall is about it.
  rest() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.open) return;
      if (document.querySelector('dialog[open]')) return this.rest();
      if (this.meet() || rootOf(this.shown) !== this.tree.root)
        this.shownAgain(this.tree.at);
      else
        this.drawMates();
    }, restMs);
  }

  /// Where in the tree the flame stands, a new place if it has none; whether that is another one.
  meet() {
    const text = this.editor.flame.text(), sign = signOf(text), {tree} = this;
    if (!tree) {
      const root = {text, sign, children: [], isEdit: true};
      this.trees.set(this.files.index, {root, at: root});
      return true;
    }
    if (tree.at.sign === sign) return false;
    const known = this.tried.find(tree.root, sign);
    if (known) {
      tree.at = known;
    } else if (tree.at.isEdit && tree.at.parent && !tree.at.children.length) {
      this.forgetWall(tree.at);
      Object.assign(tree.at, {text, sign, picture: undefined});  // the edit goes on
    } else {
      this.grow(tree.at, {text, sign, isEdit: true});
    }
    return true;
  }

  grow(parent, about) {
    const {tree} = this, known = this.tried.find(tree.root, about.sign);
    tree.at = known ?? {parent, children: [], ...about};
    if (!known) parent.children.push(tree.at);
  }

  /// The wall that was there before; another one where it has gaps.
  shownAgain(at) {
    if (!at.wall || at.wall.tiles.some(tile => !tile.text)) return this.ask();
    this.kind = at.wall.kind;
    this.choosesMate = false;
    this.controls();
    this.display(at, at.wall.tiles);
  }

  goTo(node) {
    this.editor.replace(node.text);
    this.tree.at = node;
    this.shownAgain(node);
  }

  // ---- the tiles ----

  /// tiles: those that are there; undefined: as many as were asked for, which come.
  display(at, tiles) {
    this.shown = at;
    const held = this.places?.indexOf(document.activeElement) ?? -1;
    if (held >= 0) this.held = held;
    this.tiles = tiles ? null : Array.from({length: count}, () => ({}));
    this.places = (tiles ?? this.tiles).map((tile, i) => this.makeTile(tile, i));
    this.shape(this.editor.flame.camera);
    this.grid.replaceChildren(...this.places);
    this.takeHold();
  }

  makeTile(tile, i) {
    const element = make('button', {
      type: 'button',
      class: 'tile',
      disabled: !tile.text,
      'aria-label': `${this.kind} ${i + 1}`,
      click: event => (event.shiftKey || this.choosesMate ? this.breedWith(tile) : this.take(tile)),
      ...held(() => this.breedWith(tile))
    });
    if (tile.text) this.paint(element, tile);
    return element;
  }

  paint(element, tile) {
    element.replaceChildren(make('img', {src: tile.picture, alt: '', draggable: 'false'}));
    element.disabled = false;
  }

  /// The keyboard stays at its place while the tiles change.
  takeHold() {
    const place = this.places[this.held];
    if (!place || place.disabled || document.activeElement !== document.body) return;
    place.focus();
    this.held = undefined;
  }

  take(tile) {
    if (rootOf(this.shown) !== this.tree?.root) return;  // the page has gone to another flame
    const stays = this.kind === 'random';                // others of them may be tried
    const {text} = tile;
    this.grow(this.shown, {text, sign: signOf(text), picture: this.ownPicture(tile)});
    this.editor.replace(tile.text);
    if (!stays) return this.ask();
    const {tiles} = this.shown.wall ?? this;
    this.places.forEach(
        (place, i) => place.setAttribute('aria-pressed', String(tiles[i] === tile)));
    this.tried.draw(this.tree);
  }

  /// A wall goes, the tree stays.
  ownPicture({blob}) {
    return URL.createObjectURL(blob);
  }

  // ---- from the program ----

  begin({set, number, seed}) {
    const {asked} = this;
    if (number !== asked?.number || asked.at !== this.shown || !this.tiles) return;
    this.set = set;
    this.filled = {at: asked.at, tiles: this.tiles, first: asked.isFirst ? 1 : 0};
    this.seed.textContent = `seed ${seed}`;
    if (asked.choosesMate) return;  // it is no wall of the flame
    this.forgetWall(asked.at);
    asked.at.wall = {kind: asked.kind, tiles: this.tiles};
    this.keep(asked.at);
  }

  add(head, blob) {
    if (head.set !== this.set) return;
    const {at, tiles, first} = this.filled, place = head.place - first;
    if (place < 0) {
      at.picture = this.ownPicture({blob});
      this.tried.draw(this.tree);
    } else if (tiles[place]) {
      Object.assign(tiles[place], {text: head.flame, blob, picture: URL.createObjectURL(blob)});
      if (this.tiles === tiles) this.paint(this.places[place], tiles[place]);
      this.takeHold();
    }
  }

  /// Of the newest walls; the oldest are made anew if somebody goes back there.
  keep(node) {
    this.walls = [...this.walls.filter(one => one !== node), node];
    if (this.walls.length <= mostWalls) return;
    this.forgetWall(this.walls.shift());
  }

  forgetWall(node) {
    for (const {picture} of node.wall?.tiles ?? []) URL.revokeObjectURL(picture);
    node.wall = undefined;
  }

  // ---- keys ----

  onKey(event) {
    const at = this.places.indexOf(document.activeElement);
    if (event.key === 'Enter' && event.shiftKey && at >= 0) {
      event.preventDefault();
      this.breedWith((this.tiles ?? this.shown.wall.tiles)[at]);
    }
    super.onKey(event);
  }
}
