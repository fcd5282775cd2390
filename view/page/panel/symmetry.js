// SPDX-License-Identifier: MIT
// Symmetry as xforms: what <symmetry kind="N"/> of flam3 becomes (engine/io/flame/xform_reader.cpp),
// to the last bit, about any point. They are known again by what they are, so that those of a file
// can be removed, too.

import {make, segments, textButton} from '../base/elements.js';

import {numberField} from './numbers.js';

const sixDecimals = value => Math.sign(value) * Math.round(Math.abs(value) * 1e6) / 1e6;
const determinant = ({a, b, d, e}) => a * e - b * d;
const none = {
  order: 3,
  x: 0,
  y: 0,
  mirrored: false
};

/// Turns and mirrored images about a point, without the one that stays.
function groupOf({order, x, y, mirrored}) {
  const group = [];
  const add = (a, d, b, e, color) =>
      group.push({a, d, b, e, c: x - a * x - b * y, f: y - d * x - e * y, color});
  if (mirrored) add(-1, 0, 0, 1, 1);
  for (let k = 1; k < order; ++k) {
    const angle = 2 * Math.PI * k / order;
    const [cos, sin] = [sixDecimals(Math.cos(angle)), sixDecimals(Math.sin(angle))];
    add(cos, sin, -sin || 0, cos, order < 3 ? 0 : (k - 1) / (order - 2));
  }
  return group.sort((one, other) => determinant(one) - determinant(other));
}

const ownAttributes = new Set([
  'name', 'weight', 'color', 'color_speed', 'animate', 'linear', 'coefs', 'opacity', 'kiln_opacity'
]);

function isOfSymmetry(flame, xform) {
  const {a, b, d, e} = flame.affine(xform);
  const near = (value, wanted) => Math.abs(value - wanted) < 1e-5;
  return xform.getAttributeNames().every(name => ownAttributes.has(name)) &&
      xform.getAttribute('animate') === '0' && xform.getAttribute('color_speed') === '0' &&
      near(flame.number('linear', 0, xform), 1) && near(Math.hypot(a, d), 1) &&
      near(Math.hypot(b, e), 1) && near(a * b + d * e, 0);
}

const symmetryOf = flame => flame.xforms.filter(xform => isOfSymmetry(flame, xform));

function remove(flame) {
  for (const xform of symmetryOf(flame)) flame.remove(xform);
}

/// In place of the one that is there.
function add(flame, wanted) {
  remove(flame);
  for (const {a, d, b, e, c, f, color} of groupOf(wanted)) {
    flame.insert(flame.make('xform', {
      weight: 1,
      color,
      color_speed: 0,
      animate: 0,
      linear: 1,
      coefs: [a, d, b, e, c, f].join(' '),
      opacity: 1
    }));
  }
}

/// The section of the page.
export class Symmetry {
  constructor(editor) {
    this.editor = editor;
    this.wanted = {...none};
    this.kinds = segments(
        'Kind of symmetry', [['', 'turned'], ['mirrored', 'mirrored too']],
        value => this.setKind(value));
    this.fields = [
      this.field('order', 'order', {min: 1, max: 12, whole: true, title: 'Of how many turns'}),
      this.field('x', 'x', {step: 0.01, title: 'The point that stays'}),
      this.field('y', 'y', {step: 0.01, title: 'The point that stays'})
    ];
    this.addButton = textButton('Add', () => editor.rebuild(flame => {
      add(flame, this.wanted);
    }));
    this.removeButton = textButton('Remove', () => editor.rebuild(remove));
    this.says = make('span', {class: 'muted'});
    this.element = make(
        'div', {id: 'symmetry'}, make('h3', {title: 'symmetry'}, 'Symmetry', this.kinds),
        make('div', {class: 'pair'}, ...this.fields),
        make('div', {class: 'row'}, this.addButton, this.removeButton, this.says));
    this.kinds.show('');
    for (const name of ['flame', 'change']) editor.addEventListener(name, () => this.refresh());
  }

  field(name, label, more) {
    return numberField(this.editor, {
      label,
      name: `symmetry ${name}`,
      attribute: 'symmetry',
      otherwise: none[name],
      read: () => this.wanted[name],
      write: (_, value) => {
        this.wanted[name] = value;
        this.refresh();
      },
      isOwn: true,
      ...more
    });
  }

  setKind(value) {
    this.wanted.mirrored = value !== '';
    this.kinds.show(value);
    this.refresh();
  }

  refresh() {
    for (const field of this.fields) field.refresh();
    const there = symmetryOf(this.editor.flame).length;
    this.addButton.textContent = there ? 'Replace' : 'Add';
    this.addButton.disabled = this.wanted.order === 1 && !this.wanted.mirrored;
    this.removeButton.disabled = there === 0;
    this.says.textContent = there ? `${there} xform${there > 1 ? 's' : ''}` : '';
  }
}
