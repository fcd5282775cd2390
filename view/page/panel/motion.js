// SPDX-License-Identifier: MIT
// The <motion> elements of an xform: numbers that swing while the flame turns, each so many times a
// turn along a wave (docs/inside/animation.md, 5). A still does not show them; its turn can be played.

import {choice, make, signButton, textButton} from '../base/elements.js';
import {searchList} from '../base/searchlist.js';

import {numberField, proportional} from './numbers.js';

const own = ['motion_frequency', 'motion_function'];
const waves = ['sin', 'triangle', 'hill'];
const words = {
  weight: 'weight',
  color: 'color',
  color_speed: 'speed',
  opacity: 'opacity',
  var_color: 'direct color',
  coefs: 'triangle',
  post: 'post triangle'
};
const coefficients = ['X x', 'X y', 'Y x', 'Y y', 'O x', 'O y'];
const several = {
  coefs: true,
  post: true
};
const none = coefficients.map(() => 0);

export class Motion {
  /// playTurn(): of the flame alone.
  constructor(editor, variations, playTurn) {
    this.editor = editor;
    this.variations = variations;
    this.playTurn = playTurn;
    this.list = make('div', {});
    this.dialog = make('dialog', {class: 'chooser', 'aria-label': 'What swings'});
    document.body.append(this.dialog);
    this.element = make(
        'div', {id: 'motion'},
        make(
            'h3', {title: 'Numbers that swing while the flame turns\nmotion'}, 'Motion',
            signButton('add', 'Add a motion', () => this.add())),
        this.list);
    for (const name of ['flame', 'choose']) editor.addEventListener(name, () => this.build());
    editor.addEventListener('change', () => this.fields.forEach(field => field.refresh()));
  }

  get motions() {
    const {xform} = this.editor;
    return xform ? [...xform.children].filter(child => child.localName === 'motion') : [];
  }

  build() {
    const {motions} = this;
    this.fields = [];
    this.list.replaceChildren(
        ...motions.map((motion, i) => this.part(motion, i)),
        ...(motions.length ? [textButton('Play its turn', () => this.playTurn())] : []));
  }

  keep(field) {
    this.fields.push(field);
    return field;
  }

  part(motion, i) {
    const {editor} = this;
    const times = this.keep(numberField(editor, {
      label: 'times a turn',
      name: `motion ${i + 1}`,
      title: 'How many waves there are in a turn of the flame',
      attribute: 'motion_frequency',
      whole: true,
      plain: true,
      read: flame => flame.number('motion_frequency', 0, motion),
      write: (flame, value) => flame.set('motion_frequency', value, motion)
    }));
    const wave = choice(
        `Wave of motion ${i + 1}`, waves,
        value => editor.change(flame => flame.set('motion_function', value, motion)));
    wave.title = 'sin and triangle go both ways, hill one and back\nmotion_function';
    wave.value = motion.getAttribute('motion_function') ?? 'sin';
    const names = motion.getAttributeNames().filter(name => !own.includes(name));
    return make(
        'div', {class: 'variation motion', role: 'group', 'aria-label': `Motion ${i + 1}`},
        make('div', {class: 'pair'}, times, wave),
        signButton('remove', `Remove motion ${i + 1}`, () => this.remove(motion)),
        ...names.flatMap(name => this.row(motion, name, i)), this.more(motion, names));
  }

  /// Numbers of an attribute, and the button that takes it out.
  row(motion, name, i) {
    const many = name in several;
    const field = (label, place) => this.keep(numberField(this.editor, {
      label,
      name: `motion ${i + 1} ${name}${many ? ` ${place}` : ''}`,
      title: 'By how much it swings',
      attribute: name,
      step: many ? 0.003 : proportional,
      plain: true,
      read: flame => flame.list(name, many ? none : [0], motion)[place],
      write: (flame, value) => flame.setList(
          name, flame.list(name, many ? none : [0], motion).with(place, value), motion)
    }));
    const label = words[name] ?? name;
    return [
      many ? make(
                 'div', {class: 'pair'}, make('span', {class: 'head'}, label),
                 ...coefficients.map(field)) :
             field(label, 0),
      signButton('remove', `Stop the motion of ${label}`, () => this.editor.rebuild(() => {
        motion.removeAttribute(name);
      }))
    ];
  }

  /// A chooser of what else of the xform may swing.
  more(motion, names) {
    const {xform} = this.editor, variations = this.variations.of(xform);
    const parameters = variations.flatMap(name => this.variations.parametersOf(xform, name));
    const plain = Object.keys(words).filter(name => name !== 'weight' || !this.isFinal);
    const free = [...plain, ...variations, ...parameters].filter(name => !names.includes(name));
    return textButton('Add a number', () => {
      const list = searchList(
          'Numbers', free.map(name => ({name: words[name] ?? name, attribute: name})),
          (entry, final) => final && this.take(motion, entry.attribute));
      this.dialog.replaceChildren(make('h2', {}, 'What swings'), list);
      this.dialog.showModal();
      list.focusSearch();
    });
  }

  take(motion, name) {
    this.dialog.close();
    this.editor.rebuild(flame => {
      flame.set(name, name in several ? none.join(' ') : 0, motion);
    });
    const field = [...this.list.querySelectorAll(`[data-attribute="${CSS.escape(name)}"] input`)];
    field[0]?.focus();
    field[0]?.select();
  }

  get isFinal() {
    return this.editor.flame.isFinal(this.editor.xform);
  }

  add() {
    const {xform} = this.editor;
    this.editor.rebuild(flame => {
      xform.append(flame.make('motion', {motion_frequency: 1, motion_function: 'sin'}));
    });
  }

  remove(motion) {
    this.editor.rebuild(() => motion.remove());
  }
}
