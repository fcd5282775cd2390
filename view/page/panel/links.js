// SPDX-License-Identifier: MIT
// Numbers that follow others: "xform2.turn" is "xform1.turn + 72" (<kiln_link> in the file, docs/use/live.md). The
// program says what the formulas come to; here is how a link is made, seen and cut. A field that follows shows a chain and is
// not dragged; what is typed into any field behind a "=" is a formula, of all that are chosen.

import {make, sign, signButton, textButton} from '../base/elements.js';
import {searchList} from '../base/searchlist.js';

/// Fields of an affine have the names of triangles.
const ofAffine = {
  turn: 'turn',
  size: 'size',
  c: 'position.x',
  f: 'position.y'
};
const ofXforms =
    ['weight', 'color', 'color_speed', 'opacity', 'turn', 'size', 'position.x', 'position.y'];
const numeric = ['number', 'whole', 'numbers', 'wholes'];

/// "x" of two numbers, "3" of more.
const partOf = (place, count) => (count === 2 ? 'xy'[place] : String(place + 1));

export class Links {
  /// names(): {flame, xform} of what tracks know; attributes: what GET /attributes.json says.
  constructor(editor, names, attributes, notice) {
    this.editor = editor;
    this.names = names;
    this.notice = notice;
    this.attributes = new Map(attributes.map(one => [one.name, one]));
    this.pending = null;  // what was asked of the program, until it has taken it
    this.marked = false;
    editor.links = this;
    for (const name of ['flame', 'change', 'choose'])
      editor.addEventListener(name, () => this.mark());
    this.build();
  }

  // ---- names ----

  /// "xform2", "final": whose fields the page of xforms shows.
  ownerOf(xform) {
    const {flame} = this.editor;
    return flame.isFinal(xform) ? 'final' : `xform${flame.xforms.indexOf(xform) + 1}`;
  }

  /// The name of a field's number without its owner, and whether it is of an xform; null: it has none.
  numberOf(field) {
    const names = this.names(), {attribute} = field.dataset;
    const says = field.querySelector('[role=spinbutton]')?.dataset.field;
    if (!names || !attribute || !says) return null;
    const isXform = Boolean(field.closest('#page-Xforms'));
    const [first, ...rest] = says.split(' ');
    if (first === 'xaos') return {isXform, owner: `xform${rest[0]}`, name: `chaos.${rest[1]}`};
    let name = first;
    if (attribute === 'coefs' || attribute === 'post')
      name = ofAffine[first] && (attribute === 'post' ? 'post_' : '') + ofAffine[first];
    else if (rest.length)
      name = `${first}.${partOf(Number(rest[0]), this.countOf(first))}`;
    const [base] = (name ?? '').split('.');
    const isKnown = names[isXform ? 'xform' : 'flame'].includes(base) && base !== 'hue';
    return isKnown ? {isXform, name} : null;
  }

  countOf(name) {
    return (this.attributes.get(name)?.default ?? '').split(' ').length;
  }

  /// The names of all that a field is of: the chosen xforms, the one that leads first.
  targetsOf(field) {
    const number = this.numberOf(field);
    if (!number) return [];
    if (number.owner || !number.isXform)
      return [number.owner ? `${number.owner}.${number.name}` : number.name];
    const {xform, picked} = this.editor;
    const all = [xform, ...picked.filter(one => one !== xform)];
    return all.map(one => `${this.ownerOf(one)}.${number.name}`);
  }

  /// What numbers may be followed: those that files name, of xforms what they have.
  get known() {
    const {flame} = this.editor, names = this.names();
    const ofFlame = names.flame.filter(name => name !== 'hue').flatMap(name => {
      const {type, default: usual = ''} = this.attributes.get(name) ?? {};
      if (!numeric.includes(type)) return [];
      const count = usual.split(' ').length;
      return count < 2 ? [name] : usual.split(' ').map((_, i) => `${name}.${partOf(i, count)}`);
    });
    const ofXform = xform => {
      const own = xform.getAttributeNames().filter(
          name => names.xform.includes(name) && name !== 'chaos' && !ofXforms.includes(name));
      const isOf = name => !(flame.isFinal(xform) && name === 'weight');
      return [...ofXforms.filter(isOf), ...own].map(name => `${this.ownerOf(xform)}.${name}`);
    };
    return [...flame.all.flatMap(ofXform), ...ofFlame];
  }

  // ---- what is seen ----

  mark() {
    const {flame} = this.editor, has = Boolean(flame?.links.length);
    if (!has && !this.marked) return;
    this.marked = has;
    for (const field of document.querySelectorAll('#pages .number')) this.markField(field);
  }

  markField(field) {
    const number = this.numberOf(field);
    const is = number && this.editor.flame.linkOf(this.targetsOf(field)[0]);
    const was = field.dataset.link;
    if ((is ?? undefined) === was) return;
    field.querySelector('.chain')?.remove();
    field.classList.toggle('linked', Boolean(is));
    field.dataset.tip ??= field.title;
    field.title = [field.dataset.tip, is && `= ${is}`].filter(Boolean).join('\n');
    if (is) {
      field.dataset.link = is;
      field.querySelector('span')?.prepend(make('i', {class: 'chain'}, sign('chain')));
    } else {
      delete field.dataset.link;
    }
    field.refresh?.();
  }

  // ---- what is done ----

  /// The field's numbers follow this formula from now on.
  follow(field, formula) {
    const text = formula.trim(), targets = this.targetsOf(field);
    if (!targets.length)
      return this.notice.say('error', 'this number follows nothing: files have no name for it');
    if (!text) return this.cut(field);
    const follows = new Set(text.match(/[A-Za-z_][\w.]*/g) ?? []);
    const those = targets.filter(target => targets.length === 1 || !follows.has(target));
    this.pending = {targets, formula: text, at: field.getBoundingClientRect()};
    this.editor.change(flame => those.forEach(target => flame.link(target, text)));
    return undefined;
  }

  cut(field) {
    const targets = this.targetsOf(field);
    this.editor.change(flame => targets.forEach(target => flame.link(target, '')));
  }

  /// For who sets the number by hand after all.
  release(field, flame) {
    const targets = this.targetsOf(field), {attribute} = field.dataset;
    const isAlone = attribute === 'coefs' || attribute === 'post';  // of the leading xform
    for (const target of isAlone ? targets.slice(0, 1) : targets) flame.link(target, '');
  }

  /// The program has taken the newest edit.
  took() {
    this.pending = null;
  }

  askToCut(field) {
    this.notice.say(
        'info',
        `It follows: ${field.dataset.link}. Its menu cuts the link (right click, or hold).`);
  }

  /// The program has not taken the formula: whether it was one. Then nothing has happened, and it can be mended.
  refused(text) {
    const {pending} = this;
    this.pending = null;
    if (!pending || !text.includes('kiln_link')) return false;
    setTimeout(() => {
      this.show(pending);
      this.says.textContent = text.replace(/^edit:\d+: kiln_link: /, '');
    });
    return true;
  }

  // ---- the form ----

  build() {
    this.title = make('b', {id: 'link-title'});
    this.input = make('input', {
      type: 'text',
      id: 'link-formula',
      'aria-label': 'Formula',
      placeholder: 'xform1.turn + 72',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      maxlength: 1000,
      keydown: event => {
        if (event.key === 'Enter') this.take();
        if (!event.ctrlKey && !event.metaKey && event.key !== 'Escape') event.stopPropagation();
      }
    });
    this.says = make('p', {class: 'hint', role: 'status'});
    this.list = make('div', {});
    this.element = make(
        'div', {
          id: 'link-form',
          role: 'dialog',
          'aria-labelledby': 'link-title',
          hidden: true,
          keydown: event => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            this.close();
          }
        },
        make(
            'header', {}, this.title,
            signButton('remove', 'Close', () => this.close(), {'data-role': 'close'})),
        make('label', {}, '=', this.input), this.list, this.says,
        textButton('Follow', () => this.take(), {id: 'link-take', class: 'small primary'}));
    document.body.append(this.element);
    document.addEventListener('pointerdown', event => {
      if (!this.element.contains(event.target)) this.close();
    });
  }

  open(field) {
    const targets = this.targetsOf(field);
    this.show({targets, formula: field.dataset.link ?? '', at: field.getBoundingClientRect()});
  }

  show({targets, formula, at}) {
    const {element, input} = this;
    this.targets = targets;
    this.title.textContent = targets.join(', ');
    this.says.textContent = 'A number of this flame, or a formula: xform1.turn + 72';
    input.value = formula;
    const entries = this.known.filter(name => !targets.includes(name)).map(name => ({name}));
    const list =
        searchList('Number to follow', entries, ({name}, final) => final && this.put(name));
    this.list.replaceChildren(list);
    element.hidden = false;
    const box = element.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(at.left, innerWidth - box.width - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(at.bottom + 4, innerHeight - box.height - 4))}px`;
    input.focus();
  }

  /// A name where the hand is in the formula.
  put(name) {
    const {input} = this, end = input.selectionEnd ?? input.value.length;
    input.setRangeText(name, input.selectionStart ?? end, end, 'end');
    input.focus();
  }

  take() {
    const {targets} = this, formula = this.input.value.trim().replace(/^=/, '').trim();
    const at = this.element.getBoundingClientRect();
    this.close();
    this.pending = {targets, formula, at: {left: at.left, bottom: at.top - 4}};
    this.editor.change(flame => targets.forEach(target => flame.link(target, formula)));
  }

  close() {
    this.element.hidden = true;
  }
}
