// SPDX-License-Identifier: MIT
// A flame as the page keeps it: the XML element itself. What the page does not know stays in it
// untouched and goes back as it came. Attributes and their meaning: docs/flam3/flam3-format.md.

import {colorsOf, twoDigits} from './colors.js';

const identity = {
  a: 1,
  d: 0,
  b: 0,
  e: 1,
  c: 0,
  f: 0
};

/// A number as short as it can be; nine digits are more than a hand can set.
export const shortNumber = value => String(Number(Number(value).toPrecision(9)));

export class Flame {
  /// Fails with the parser's words on what is no flame.
  constructor(text) {
    const xml = new DOMParser().parseFromString(text, 'application/xml');
    const wrong = xml.querySelector('parsererror');
    if (wrong || xml.documentElement.localName !== 'flame')
      throw new Error(wrong?.textContent ?? 'no flame');
    this.element = xml.documentElement;
  }

  /// One whose element is part of another document.
  static of(element) {
    return Object.assign(Object.create(Flame.prototype), {element});
  }

  text() {
    return new XMLSerializer().serializeToString(this.element);
  }

  /// All of another flame in the elements of this one; false: it has others, and nothing is done.
  adopt(other) {
    const isAlike = (mine, theirs) => mine.localName === theirs.localName &&
        mine.children.length === theirs.children.length &&
        [...mine.children].every((child, i) => isAlike(child, theirs.children[i]));
    const take = (mine, theirs) => {
      for (const name of mine.getAttributeNames()) mine.removeAttribute(name);
      for (const {name, value} of theirs.attributes) mine.setAttribute(name, value);
      if (!mine.children.length) mine.textContent = theirs.textContent;
      [...mine.children].forEach((child, i) => take(child, theirs.children[i]));
    };
    if (!isAlike(this.element, other.element)) return false;
    take(this.element, other.element);
    return true;
  }

  // ---- numbers and words of the flame or of an xform ----

  number(name, otherwise = 0, element = this.element) {
    const value = Number.parseFloat(element.getAttribute(name));
    return Number.isFinite(value) ? value : otherwise;
  }

  set(name, value, element = this.element) {
    element.setAttribute(name, typeof value === 'number' ? shortNumber(value) : value);
  }

  /// Numbers of a list such as center="0 1"; missing ones as in `otherwise`.
  list(name, otherwise, element = this.element) {
    const given =
        (element.getAttribute(name) ?? '').split(/\s+/).filter(Boolean).map(Number.parseFloat);
    return otherwise.map((value, i) => (Number.isFinite(given[i]) ? given[i] : value));
  }

  setList(name, values, element = this.element) {
    element.setAttribute(name, values.map(shortNumber).join(' '));
  }

  get camera() {
    const [width, height] = this.list('size', [100, 100]);
    const [x, y] = this.list('center', [0, 0]);
    return {
      width,
      height,
      x,
      y,
      scale: this.number('scale', 50),
      zoom: this.number('zoom'),
      rotate: this.number('rotate')
    };
  }

  set camera(camera) {
    this.setList('center', [camera.x, camera.y]);
    this.set('scale', camera.scale);
    this.set('rotate', camera.rotate);
  }

  /// The camera of pictures with depth.
  get depth() {
    return {
      pitch: this.number('cam_pitch'),
      yaw: this.number('cam_yaw'),
      perspective: this.number('cam_persp'),
      z: this.number('cam_zpos')
    };
  }

  // ---- xforms ----

  get xforms() {
    return [...this.element.children].filter(child => child.localName === 'xform');
  }
  get final() {
    return [...this.element.children].find(child => child.localName === 'finalxform');
  }

  /// Standard ones and the final one, in the order in which the page shows them.
  get all() {
    return this.final ? [...this.xforms, this.final] : this.xforms;
  }

  isFinal(xform) {
    return xform.localName === 'finalxform';
  }

  affine(xform, name = 'coefs') {
    const [a, d, b, e, c, f] = this.list(name, Object.values(identity), xform);
    return {a, d, b, e, c, f};
  }

  setAffine(xform, name, {a, d, b, e, c, f}) {
    const values = [a, d, b, e, c, f];
    if (name === 'post' && values.every((value, i) => value === Object.values(identity)[i]))
      xform.removeAttribute(name);
    else
      this.setList(name, values, xform);
  }

  addXform() {
    const xform = this.make('xform', {
      weight: 0.5,
      color: 0.5,
      color_speed: 0.5,
      linear: 1,
      coefs: '0.5 0 0 0.5 0 0',
      opacity: 1
    });
    return this.insert(xform);
  }

  duplicate(xform) {
    const index = this.xforms.indexOf(xform);
    for (const one of this.xforms) {  // the copy is gone to as often as what it is a copy of
      if (one.hasAttribute('chaos'))
        this.setChaos(one, [...this.chaos(one), this.chaos(one)[index] ?? 1]);
    }
    return this.insert(xform.cloneNode(true));
  }

  insert(xform) {
    const last = this.xforms.at(-1);
    if (last)
      last.after(xform);
    else
      this.element.prepend(xform);
    return xform;
  }

  addFinal() {
    const xform = this.make(
        'finalxform', {color: 0, color_speed: 0, linear: 1, coefs: '1 0 0 1 0 0', opacity: 1});
    (this.xforms.at(-1) ?? this.element.firstChild).after(xform);
    return xform;
  }

  make(tag, attributes) {
    const element = this.element.ownerDocument.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  }

  /// To another place among the standard ones; its row and column of chaos go with it.
  move(xform, to) {
    const {xforms} = this, from = xforms.indexOf(xform);
    const order = xforms.map((_, i) => i);
    order.splice(to, 0, ...order.splice(from, 1));
    const rows = xforms.map(one => this.chaos(one));
    const last = xforms.at(-1).nextSibling;
    for (const i of order) last ? last.before(xforms[i]) : this.element.append(xforms[i]);
    this.xforms.forEach((one, i) => this.setChaos(one, order.map(k => rows[order[i]][k])));
    this.renumberLinks(place => order.indexOf(place));
    return xform;
  }

  /// Copies of xforms of another flame; a final one takes the place of this one's.
  paste(elements) {
    return elements.map(element => {
      const xform = this.element.ownerDocument.importNode(element, true);
      xform.removeAttribute('chaos');  // it speaks of xforms that are not here
      if (!this.isFinal(xform)) return this.insert(xform);
      this.final?.remove();
      (this.xforms.at(-1) ?? this.element.firstChild).after(xform);
      return xform;
    });
  }

  // ---- names; what is muted keeps its opacity beside ----

  nameOf(xform) {
    return xform.getAttribute('name') ?? '';
  }

  /// "3", "F": how the page calls it.
  signOf(xform) {
    return this.isFinal(xform) ? 'F' : String(this.xforms.indexOf(xform) + 1);
  }

  isMuted(xform) {
    return xform.hasAttribute('kiln_opacity');
  }

  mute(xform, muted) {
    if (muted === this.isMuted(xform)) return;
    const [to, from] = muted ? ['kiln_opacity', 'opacity'] : ['opacity', 'kiln_opacity'];
    this.set(to, xform.getAttribute(from) ?? 1, xform);
    if (muted)
      this.set('opacity', 0, xform);
    else
      xform.removeAttribute('kiln_opacity');
  }

  /// Whether of the standard xforms these alone are not muted.
  isSolo(chosen) {
    const {xforms} = this;
    return xforms.length > chosen.length &&
        xforms.every(xform => this.isMuted(xform) !== chosen.includes(xform));
  }

  /// These alone are seen; once more: all.
  solo(chosen) {
    const off = this.isSolo(chosen);
    for (const xform of this.xforms) this.mute(xform, !off && !chosen.includes(xform));
  }

  remove(xform) {
    const index = this.xforms.indexOf(xform);
    this.renumberLinks(
        place => (place === index ? undefined : place - Number(index >= 0 && place > index)),
        !this.isFinal(xform));
    const rows = this.xforms.map(one => this.chaos(one));
    xform.remove();
    if (index < 0) return;
    rows.splice(index, 1);
    this.xforms.forEach((one, i) => this.setChaos(one, rows[i].filter((_, to) => to !== index)));
  }

  /// How many times as often the game goes from this xform to each of the others.
  chaos(xform) {
    return this.list('chaos', this.xforms.map(() => 1), xform);
  }

  setChaos(xform, row) {
    if (row.every(value => value === 1))
      xform.removeAttribute('chaos');
    else
      this.setList('chaos', row, xform);
  }

  // ---- numbers that follow others: <kiln_link number="xform2.turn" is="xform1.turn + 72"/> ----

  get links() {
    return [...this.element.children].filter(child => child.localName === 'kiln_link');
  }

  /// The formula of a number; nothing: it follows none.
  linkOf(number) {
    return this.links.find(link => link.getAttribute('number') === number)?.getAttribute('is');
  }

  /// An empty formula: it follows none any more.
  link(number, formula) {
    const there = this.links.find(link => link.getAttribute('number') === number);
    if (formula === '')
      there?.remove();
    else if (there)
      there.setAttribute('is', formula);
    else
      this.element.append(this.make('kiln_link', {number, is: formula}));
  }

  /// Links keep to their xforms: placeNow(place) of each, from 0; those go whose xform is gone.
  renumberLinks(placeNow, hasFinal = true) {
    for (const link of this.links) {
      let gone = false;
      for (const name of ['number', 'is']) {
        const text = link.getAttribute(name).replace(/\bxform(\d+)\./g, (_, number) => {
          const now = placeNow(Number(number) - 1);
          gone ||= now === undefined || now < 0;
          return `xform${now + 1}.`;
        });
        gone ||= !hasFinal && /\bfinal\./.test(text);
        link.setAttribute(name, text);
      }
      if (gone) link.remove();
    }
  }

  /// Other names of xforms' numbers in links, as nameNow(name) says; null: it is gone, and those links go.
  renameLinked(nameNow) {
    for (const link of this.links) {
      let gone = false;
      for (const name of ['number', 'is']) {
        const text =
            link.getAttribute(name).replace(/\b(xform\d+|final)\.(\w+)/g, (_, owner, number) => {
              const now = nameNow(number);
              gone ||= now === null;
              return `${owner}.${now}`;
            });
        link.setAttribute(name, text);
      }
      if (gone) link.remove();
    }
  }

  // ---- colors ----

  /// [[r, g, b], ...] from 0 to 255, as many as the palette has.
  get colors() {
    const palette = this.element.querySelector('palette');
    if (palette) return hexColors(palette);
    const colors = Array.from({length: 256}, () => [0, 0, 0]);
    for (const color of this.element.querySelectorAll('color')) {
      const index = this.number('index', -1, color);
      if (colors[index])
        colors[index] = this.list(color.hasAttribute('rgba') ? 'rgba' : 'rgb', [0, 0, 0], color);
    }
    return colors;
  }

  set colors(colors) {
    for (const old of this.element.querySelectorAll('palette, color, colors')) old.remove();
    for (const name of ['palette', 'hue'])
      this.element.removeAttribute(name);  // a number of a library would win
    const palette = this.make('palette', {count: colors.length, format: 'RGB'});
    palette.textContent = colorsText(colors);
    this.element.append(palette);
  }
}

/// Eight colors a line.
function colorsText(colors) {
  const hex = colors.map(color => color.map(twoDigits).join('').toUpperCase());
  let text = '\n';
  for (let i = 0; i < hex.length; i += 8) text += hex.slice(i, i + 8).join('') + '\n';
  return text;
}

function hexColors(palette) {
  const hex = palette.textContent.replace(/\s+/g, '');
  return colorsOf(hex, palette.getAttribute('format') === 'RGBA' ? 8 : 6);
}
