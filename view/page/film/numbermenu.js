// SPDX-License-Identifier: MIT
// The menu of a number in the panel: what may move it. Names are those of tracks.

import {byId, make} from '../base/elements.js';

/// Fields of an affine have the names of triangles in tracks.
const ofAffine = {
  turn: 'turn',
  size: 'size',
  c: 'position',
  f: 'position'
};

/// Name and value, as a text, of the number that a field shows; none where tracks do not know it.
function numberOf(field, names) {
  const {attribute} = field.dataset, input = field.querySelector('[data-field]');
  const page = field.closest('[id^=page-]') ?? document;
  const isAffine = attribute === 'coefs' || attribute === 'post';
  const own = isAffine && ofAffine[input?.dataset.field];
  const name = isAffine ? own && (attribute === 'post' ? `post_${own}` : own) : attribute;
  if (!names.includes(name)) return null;
  const inputs = !isAffine ?
      page.querySelectorAll(`[data-attribute="${CSS.escape(attribute)}"] [data-field]`) :
      own === 'position' ? page.querySelectorAll('[data-field=c], [data-field=f]') :
                           [input];
  const values = [...inputs].map(one => one.getAttribute('aria-valuenow')).filter(Boolean);
  return {name, value: (values.length ? values : ['0']).join(' ')};
}

export class NumberMenu {
  /// acts: [{id, says(name), act({name, xform, value, field}), ofWords, isFor(field)}]; names(): {flame, xform} of what tracks know; xform(): the chosen one.
  constructor(names, xform, acts) {
    this.names = names;
    this.xform = xform;
    this.acts = acts;
    this.items = acts.map(({id, act}) => make('button', {
                            type: 'button',
                            role: 'menuitem',
                            id,
                            click: () => {
                              this.element.hidden = true;
                              act(this.wanted);
                            }
                          }));
    this.element = make(
        'div', {id: 'number-menu', role: 'menu', hidden: true, keydown: event => this.onKey(event)},
        ...this.items);
    document.body.append(this.element);
    byId('pages').addEventListener('contextmenu', event => this.onMenu(event));
    document.addEventListener('pointerdown', event => {
      if (!this.element.contains(event.target)) this.element.hidden = true;
    });
  }

  onMenu(event) {
    const field = event.target.closest('[data-attribute]');
    if (!field) return;
    const isXform = Boolean(field.closest('#page-Xforms'));
    const number = numberOf(field, this.names()[isXform ? 'xform' : 'flame']);
    if (!number) return;
    event.preventDefault();
    this.wanted = {...number, field, xform: isXform ? this.xform() : ''};
    const isWord = Boolean(field.querySelector('select'));  // keys may have it, nothing drives it
    this.items.forEach((item, i) => {
      item.textContent = this.acts[i].says(number.name.replace(/_/g, ' '));
      const {ofWords, isFor = () => true} = this.acts[i];
      item.hidden = (isWord && !ofWords) || !isFor(field);
    });
    const {element} = this;
    element.hidden = false;
    const box = element.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(event.clientX, innerWidth - box.width - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(event.clientY, innerHeight - box.height - 4))}px`;
    this.items[0].focus();
  }

  onKey(event) {
    const items = this.items.filter(item => !item.hidden);
    const at = items.indexOf(document.activeElement);
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (event.key === 'Escape') this.element.hidden = true;
    if (step) items[(at + step + items.length) % items.length].focus();
    if (!step && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
  }
}
