// SPDX-License-Identifier: MIT
// The page of the xforms: which ones, their names, weight and color, affines in numbers, variations,
// where the game goes from them, symmetry.

import {shownColor} from '../base/colors.js';
import {make, segments, sign, signButton, textButton} from '../base/elements.js';
import {mirrored, turned, wrappedDegrees} from '../base/geometry.js';

import {Motion} from './motion.js';
import {attributeField, goTogether, numberField, proportional} from './numbers.js';
import {Symmetry} from './symmetry.js';
import {textField} from './words.js';
import {Xaos} from './xaos.js';

const dragAfterPx = 5, holdMs = 500;
const identity = {
  a: 1,
  b: 0,
  c: 0,
  d: 0,
  e: 1,
  f: 0
};

/// The letters of an affine, for those who hear them.
const spoken = {
  a: 'X axis, x',
  b: 'Y axis, x',
  c: 'O, x',
  d: 'X axis, y',
  e: 'Y axis, y',
  f: 'O, y'
};

/// What layers have: an eye, and S. Keys and the buttons below have their own; so nobody is told of these.
const chipPart = (part, title, ...shown) =>
    make('i', {'data-part': part, title, 'aria-hidden': 'true'}, ...shown);

export class XformPage {
  constructor(editor, variations, clipboard, pivot, playTurn) {
    this.editor = editor;
    this.variations = variations;
    this.clipboard = clipboard;
    this.pivot = pivot;
    this.motion = new Motion(editor, variations, playTurn);
    this.xaos = new Xaos(editor);
    this.symmetry = new Symmetry(editor);
    this.chips = make('div', {class: 'chips', role: 'group', 'aria-label': 'Xforms'});
    this.body = make('div', {class: 'body'});
    this.element = make(
        'div', {}, this.chips, this.body,
        make(
            'div', {class: 'body more'}, this.motion.element, this.xaos.element,
            this.symmetry.element));
    for (const name of ['flame', 'choose']) editor.addEventListener(name, () => this.build());
    editor.addEventListener('change', () => this.refresh());
  }

  refresh() {
    this.markChips();
    for (const field of this.fields ?? []) field.refresh();
  }

  build() {
    const {editor} = this, {flame, xform} = editor;
    this.buildChips();
    this.fields = [];
    if (!xform) return this.body.replaceChildren();
    const add = (...fields) => {
      this.fields.push(...fields);
      return fields;
    };
    const isFinal = flame.isFinal(xform);
    this.body.replaceChildren(
        this.buttons(isFinal), ...add(this.nameField()),
        make('div', {class: 'pair'}, ...add(...this.plainFields(isFinal))),
        make(
            'h3', {}, 'Variations',
            signButton('add', 'Add a variation (V)', () => this.addVariation())),
        ...add(...this.variations.fields(xform)), this.variations.formulaRow(xform),
        make('h3', {}, 'Color'), make('div', {class: 'pair'}, ...add(...this.colorFields())),
        ...this.affineFields(xform, add));
    return this.refresh();
  }

  // ---- which one ----

  buildChips() {
    const {editor} = this, {flame} = editor;
    const chip = (xform, i) => {
      const isFinal = flame.isFinal(xform);
      const title = isFinal ? 'Final xform (0)' : `Xform ${flame.signOf(xform)}`;
      const button = textButton('', event => this.onChip(event, i), {
        class: 'chip',
        title: `${title}\nShift or hold: with others; drag: another place`,
        'data-says': title,
        pointerdown: event => this.onChipDown(event, xform, i)
      });
      button.replaceChildren(
          make('span'), chipPart('eye', 'Mute (H)\nopacity, kiln_opacity', sign('eye')));
      if (!isFinal) button.append(chipPart('alone', 'Solo (Shift H)\nsoloxform'));
      return button;
    };
    const more = [signButton('add', 'New xform (N)', () => editor.addXform())];
    if (!flame.final)
      more.push(textButton(
          'Final', () => editor.addFinal(),
          {class: 'quiet', title: 'Add a final xform (0)', 'aria-label': 'Add a final xform'}));
    this.chips.replaceChildren(...flame.all.map(chip), ...more);
  }

  /// Names, colors, what is chosen and what is muted.
  markChips() {
    const {flame} = this.editor, colors = flame.colors;
    flame.all.forEach((xform, i) => {
      const chip = this.chips.children[i], name = flame.nameOf(xform);
      if (!chip) return;
      chip.firstChild.textContent = [flame.signOf(xform), name].filter(Boolean).join(' ');
      const muted = flame.isMuted(xform);
      chip.setAttribute(
          'aria-label', [chip.dataset.says, name, muted && 'muted'].filter(Boolean).join(', '));
      chip.setAttribute('aria-pressed', String(this.editor.isPicked(i)));
      chip.classList.toggle('beside', this.editor.beside.has(i));
      chip.classList.toggle('muted-one', muted);
      chip.style.setProperty('--own', shownColor(colors, flame.number('color', 0, xform)));
    });
    const {xform} = this.editor;
    this.muteButton?.setAttribute('aria-pressed', String(flame.isMuted(xform)));
    this.soloButton?.setAttribute('aria-pressed', String(flame.isSolo(this.editor.pickedStandard)));
  }

  onChip(event, i) {
    if (this.wasDragged && event.detail) return;  // it comes of letting go, not of a key
    const {part} = event.target.dataset;
    if (event.shiftKey || event.ctrlKey || event.metaKey) return this.editor.chooseBeside(i);
    if (part) return this.editor[part === 'eye' ? 'mute' : 'solo']();
    return this.editor.choose(i);
  }

  /// Along the other chips: where it is let go is its new place.
  onChipDown(event, xform, from) {
    const down = event.target, standard = this.editor.flame.xforms.length;
    this.wasDragged = false;
    let place = from;
    const hold = () => {  // fingers have no Shift
      end(event);
      this.wasDragged = true;
      this.editor.chooseBeside(from);
    };
    const held = event.pointerType === 'mouse' ? 0 : setTimeout(hold, holdMs);
    const mark = () => [...this.chips.children].forEach((chip, i) => {
      chip.classList.toggle('before', this.wasDragged && i === place && place < from);
      chip.classList.toggle('after', this.wasDragged && i === place && place > from);
    });
    const follow = moved => {
      if (!this.wasDragged &&
          Math.hypot(moved.clientX - event.clientX, moved.clientY - event.clientY) < dragAfterPx)
        return;
      this.wasDragged = true;
      clearTimeout(held);
      if (this.editor.flame.isFinal(xform)) return;
      const over = document.elementFromPoint(moved.clientX, moved.clientY);
      const i = [...this.chips.children].indexOf(over?.closest('.chip'));
      if (i >= 0) place = Math.min(i, standard - 1);
      mark();
    };
    const end = ended => {
      clearTimeout(held);
      down.removeEventListener('pointermove', follow);
      for (const name of ['pointerup', 'pointercancel']) down.removeEventListener(name, end);
      const dragged = this.wasDragged && ended.type === 'pointerup';
      if (!dragged) place = from;
      mark();
      if (dragged && place !== from) this.editor.moveXform(xform, place);
    };
    down.setPointerCapture(event.pointerId);
    down.addEventListener('pointermove', follow);
    for (const name of ['pointerup', 'pointercancel']) down.addEventListener(name, end);
  }

  buttons(isFinal) {
    const {editor} = this, {flame, picked} = editor;
    const all = editor.pickedStandard.length === flame.xforms.length;
    const button = (says, title, act, more = {}) => textButton(says, act, {title, ...more});
    this.muteButton = button(
        'Mute', 'Not seen; its opacity is kept (H)\nopacity, kiln_opacity', () => editor.mute());
    this.soloButton = button(
        'Solo', 'The others are muted (Shift H)\nsoloxform', () => editor.solo(),
        {disabled: isFinal, 'data-attribute': 'soloxform'});
    return make(
        'div', {class: 'row six'}, this.muteButton, this.soloButton,
        button('Copy', 'As text, for another flame (Y)', () => this.clipboard.copy()),
        button('Paste', 'Xforms that were copied (Ctrl+V)', () => this.clipboard.paste()),
        button(
            'Duplicate', 'A copy in this flame (D)', () => editor.duplicateXform(),
            {disabled: isFinal && picked.length === 1}),
        button('Remove', 'Remove it (Delete)', () => editor.removeXform(), {disabled: all}),
        picked.length > 1 && make('span', {class: 'muted'}, `${picked.length} chosen`) ||
            undefined);
  }

  // ---- name, weight and color: of all that are chosen ----

  nameField() {
    return textField(this.editor, {
      label: 'name',
      attribute: 'name',
      title: 'For people; the game does not look at it',
      dot: false,
      of: () => [this.editor.xform],
      changed: () => this.xaos.build()
    });
  }

  /// Typed it is the same for all; dragged each goes as far from its own.
  ofPicked(name, about) {
    const {editor} = this, {set = (flame, value, xform) => flame.set(name, value, xform)} = about;
    const elements = () => this.led(name === 'weight' ? editor.pickedStandard : editor.picked);
    return attributeField(
        editor, name, {
          plain: true,
          write: (flame, value) => elements().forEach(xform => set(flame, value, xform)),
          move: this.together(name, {...about, set, elements}),
          ...about
        },
        () => editor.xform);
  }

  /// The chosen one is the first.
  led(xforms) {
    const {xform} = this.editor;
    return [xform, ...xforms.filter(one => one !== xform)];
  }

  together(name, {min = -Infinity, max = Infinity, otherwise = 0, whole, set, elements}) {
    const inside = value => Math.min(max, Math.max(min, value));
    return goTogether({
      read: (flame, xform) => flame.number(name, otherwise, xform),
      write: (flame, value, xform) =>
          set(flame, whole ? Math.round(inside(value)) : inside(value), xform),
      elements
    });
  }

  plainFields(isFinal) {
    const weight = this.ofPicked('weight', {
      label: 'weight',
      min: 0,
      step: proportional,
      usual: 0.5,
      title: 'How often the game takes this xform'
    });
    const opacity = this.ofPicked('opacity', {
      label: 'opacity',
      min: 0,
      max: 1,
      step: 0.005,
      otherwise: 1,
      plain: false,
      title: isFinal ? 'How often it is applied' : 'How much of its light is seen',
      set: (flame, value, xform) => {
        xform.removeAttribute('kiln_opacity');  // not muted any more
        flame.set('opacity', value, xform);
      }
    });
    return isFinal ? [opacity] : [weight, opacity];
  }

  colorFields() {
    return [
      this.ofPicked('color', {
        label: 'color',
        step: 0.002,
        usual: 0.5,
        title: 'Place in the palette, from 0 to 1; its mark on the palette above can be dragged'
      }),
      this.ofPicked('color_speed', {
        label: 'speed',
        step: 0.005,
        otherwise: 0.5,
        plain: false,
        title: 'How much of its color a point takes on: 0 none, 1 all, below 0 away from it'
      }),
      this.ofPicked('var_color', {
        label: 'direct color',
        step: 0.005,
        otherwise: 1,
        plain: false,
        title: 'How far variations that color by themselves do so'
      }),
      this.ofPicked('animate', {
        label: 'animate',
        min: 0,
        max: 1,
        whole: true,
        otherwise: 1,
        plain: false,
        title: '1: it turns in a loop of this flame; 0: it stands still'
      }),
    ];
  }

  // ---- affines ----

  affineFields(xform, add) {
    const {editor} = this, name = editor.affineName;
    const kinds = segments(
        'Which affine',
        [
          ['coefs', 'affine', 'Before the variations'], ['post', 'post', 'After the variations (P)']
        ],
        value => editor.chooseAffine(value));
    kinds.show(name);
    const corner = (says, x, y) => make(
        'div', {class: 'triple'}, make('span', {class: 'head'}, says),
        ...add(this.coefficient(xform, x), this.coefficient(xform, y)));
    return [
      make('h3', {}, 'Triangle', kinds),
      corner('X', 'a', 'd'),
      corner('Y', 'b', 'e'),
      corner('O', 'c', 'f'),
      make('div', {class: 'pair'}, ...add(this.turnField(xform), this.sizeField(xform))),
      make(
          'div', {class: 'row'}, this.affineButton('Mirror ↔', affine => mirrored(affine, false)),
          this.affineButton('Mirror ↕', affine => mirrored(affine, true)),
          this.affineButton('Reset', () => identity)),
      make('div', {class: 'row'}, make('span', {class: 'head'}, 'Turns about'), this.pivot.choice),
    ];
  }

  affine(xform) {
    return this.editor.flame.affine(xform, this.editor.affineName);
  }

  setAffine(flame, xform, affine) {
    flame.setAffine(xform, this.editor.affineName, affine);
  }

  affineButton(says, work) {
    const act = () => this.editor.change(flame => {
      for (const xform of this.editor.picked)
        this.setAffine(flame, xform, work(this.affine(xform)));
    });
    return textButton(says, act);
  }

  coefficient(xform, letter) {
    return numberField(this.editor, {
      label: letter,
      says: spoken[letter],
      attribute: this.editor.affineName,
      step: 0.003,
      usual: identity[letter],
      otherwise: identity[letter],
      plain: true,
      read: () => this.affine(xform)[letter],
      write: (flame, value) =>
          this.setAffine(flame, xform, {...this.affine(xform), [letter]: value})
    });
  }

  turnField(xform) {
    const angle = () => {
      const {a, d} = this.affine(xform);
      return Math.atan2(d, a) * 180 / Math.PI;
    };
    return numberField(this.editor, {
      label: 'turn',
      plain: true,
      title: 'Degrees of the side O X',
      attribute: this.editor.affineName,
      step: 0.5,
      digits: 2,
      read: angle,
      write: (flame, value) => this.setAffine(
          flame, xform, turned(this.affine(xform), 1, wrappedDegrees(value - angle())))
    });
  }

  sizeField(xform) {
    const length = () => {
      const {a, d} = this.affine(xform);
      return Math.hypot(a, d);
    };
    return numberField(this.editor, {
      label: 'size',
      plain: true,
      usual: 1,
      title: 'Length of the side O X',
      attribute: this.editor.affineName,
      min: 1e-4,
      step: proportional,
      read: length,
      write: (flame, value) => this.setAffine(
          flame, xform, turned(this.affine(xform), value / Math.max(length(), 1e-9), 0))
    });
  }

  // ---- variations ----

  addVariation() {
    this.variations.choose(name => {
      const field = this.body.querySelector(`[data-field="${CSS.escape(name)}"]`);
      field?.focus();
      field?.select();
    });
  }
}
