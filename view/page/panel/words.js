// SPDX-License-Identifier: MIT
// Fields of the flame that are no numbers: a word of several, a text.

import {choice, make} from '../base/elements.js';

import {tip} from './numbers.js';

function field(about, input, isChanged) {
  const element = make(
      'label', {class: 'number plain', title: tip(about), 'data-attribute': about.attribute},
      make('span', {}, about.label), input);
  input.dataset.field = about.attribute;
  element.refresh = () => {
    input.value = about.read();
    element.classList.toggle('changed', isChanged(input.value));
  };
  return element;
}

/// about: {label, title, attribute, words, otherwise, read(), write(value)}
export function wordField(editor, about) {
  const {attribute, otherwise, words, label} = about;
  const read = about.read ?? (() => editor.flame.element.getAttribute(attribute) ?? otherwise);
  const write = about.write ?? (value => editor.change(flame => flame.set(attribute, value)));
  const select = choice(label, words, write);
  return field({...about, read}, select, value => value !== otherwise);
}

/// about: {label, title, attribute, of(): the element, or elements, that it is of}
export function textField(editor, about) {
  const {attribute, label, of = () => [editor.flame.element], changed = () => {}} = about;
  const read = () => of()[0]?.getAttribute(attribute) ?? '';
  const write = value => {
    input.removeAttribute('data-typing');
    if (value === read()) return;
    editor.change(flame => {
      for (const element of of ())
        value === '' ? element.removeAttribute(attribute) : flame.set(attribute, value, element);
    });
    changed();
  };
  const input = make('input', {
    type: 'text',
    'aria-label': label,
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: 120,
    input: () => input.toggleAttribute('data-typing', true),
    change: () => write(input.value.trim()),
    keydown: event => {
      if (event.key === 'Escape' || event.key === 'Enter') input.blur();
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    }
  });
  const element = field({...about, read}, input, value => about.dot !== false && value !== '');
  const refresh = element.refresh;
  element.refresh = () => {
    if (!input.hasAttribute('data-typing')) refresh();
  };
  element.classList.add('text');
  return element;
}
