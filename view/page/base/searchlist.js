// SPDX-License-Identifier: MIT
// A list with a field to search it: type, go with the arrow keys, Enter takes one.

import {make} from './elements.js';

/// fixed: [{name, detail, element, behind, end}], `end` a button behind it that Alt+Enter presses; take(entry, final): `final`
/// on Enter and click, not on arrow keys.
/// list.lead(entries) puts others before them, in place of those that it put there last; list.order(rankOf) puts them in
/// another order: the lowest rank first, those of one rank as they were given; list.refresh() shows it.
export function searchList(label, fixed, take) {
  let entries = fixed, ordered = fixed, shown = entries, active = -1;
  const nothing = make('p', {class: 'hint'}, 'Nothing has this name.');
  const options = new Map(entries.map((entry, i) => [entry, makeOption(label, entry, i)]));
  const ofOptions = () => new Map([...options].map(([entry, option]) => [option, entry]));
  const list = make(
      'div', {role: 'listbox', id: idOf(label, 'list'), 'aria-label': label, class: 'options'});
  const input = make('input', {
    type: 'text',
    placeholder: 'search',
    'aria-label': `Search: ${label}`,
    role: 'combobox',
    autocomplete: 'off',
    'aria-expanded': 'true',
    'aria-controls': list.id,
    input: () => {
      input.toggleAttribute('data-typing', input.value !== '');  // undo is that of the letters
      filter();
    },
    keydown: event => onKey(event)
  });
  const element = make('div', {class: 'searchlist'}, input, list);

  function filter() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = entry => `${entry.name} ${entry.detail ?? ''}`.toLowerCase();
    shown = entries.filter(entry => words.every(word => text(entry).includes(word)));
    if (words.length) shown.sort((a, b) => rank(a, words[0]) - rank(b, words[0]));
    list.replaceChildren(
        ...shown.map(entry => options.get(entry)), ...(shown.length ? [] : [nothing]));
    mark(words.length && shown.length ? 0 : -1);
  }

  function mark(index) {
    options.get(shown[active])?.removeAttribute('aria-selected');
    for (const option of list.querySelectorAll('[aria-selected]'))
      option.removeAttribute('aria-selected');
    active = index;
    const option = options.get(shown[active]);
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({block: 'nearest'});
    input.setAttribute('aria-activedescendant', option?.id ?? '');
  }

  function choose(entry, final) {
    input.removeAttribute('data-typing');
    take(entry, final);
  }

  function onKey(event) {
    const step = {ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8}[event.key];
    if (!event.ctrlKey && !event.metaKey && event.key !== 'Escape') event.stopPropagation();
    if (step && shown.length) {
      event.preventDefault();
      mark(Math.min(shown.length - 1, Math.max(0, active + step)));
      choose(shown[active], false);
    } else if (event.key === 'Enter' && event.altKey) {
      shown[active]?.end?.click();
    } else if (event.key === 'Enter' && shown[active]) {
      event.preventDefault();
      choose(shown[active], true);
    }
  }

  list.addEventListener('click', event => {
    const option = event.target.closest('[role=option]');
    const entry = ofOptions().get(option);
    if (!entry) return;
    mark(shown.indexOf(entry));
    choose(entry, true);
  });
  element.clear = () => {
    input.value = '';
    filter();
  };
  element.lead = first => {
    for (const entry of entries)
      if (!fixed.includes(entry)) options.delete(entry);
    first.forEach((entry, i) => options.set(entry, makeOption(label, entry, `first-${i}`)));
    entries = [...first, ...ordered];
  };
  element.order = rankOf => {
    ordered = [...fixed].sort((a, b) => rankOf(a) - rankOf(b));
    entries = [...entries.filter(entry => !fixed.includes(entry)), ...ordered];
  };
  element.refresh = () => {
    const marked = shown[active];
    filter();
    const again = shown.findIndex(({name}) => name === marked?.name);
    if (again >= 0) mark(again);
  };
  element.focusSearch = () => input.focus();
  filter();
  return element;
}

const idOf = (label, rest) => `${label.toLowerCase().replace(/\W+/g, '-')}-${rest}`;

/// The name itself comes first, then names that begin with the word, then those that hold it; what is `behind` comes
/// after others where it is not called so.
function rank(entry, word) {
  const name = entry.name.toLowerCase(), place = name.indexOf(word);
  if (place === 0) return name === word ? -1 : 0;
  return (place > 0 ? 1 : 2) + (entry.behind ?? 0);
}

function makeOption(label, entry, index) {
  return make(
      'div', {role: 'option', id: idOf(label, index), class: 'option', title: entry.title},
      entry.element, make('b', {}, entry.name),
      entry.detail ? make('span', {}, entry.detail) : null, entry.end);
}
