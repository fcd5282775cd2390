// SPDX-License-Identifier: MIT
// One search over all that can be done, with its keys, and over all fields of the panel: type, Enter, and it is
// done, or the field has the focus.

import {make} from '../base/elements.js';
import {searchList} from '../base/searchlist.js';

/// Fields as entries of a search list, in the order of the page.
function entriesOf(pages) {
  const entries = [];
  for (const page of pages) {
    const tab = page.id.replace('page-', '');
    for (const input of page.querySelectorAll(
             '[data-find], label [data-field], input[type=color], .searchlist input')) {
      const isHidden = input.closest('[hidden]:not([role=tabpanel])');
      if (isHidden || input.dataset.field?.startsWith('xaos')) continue;
      const owner = input.closest('label, .searchlist') ?? input;
      const label = input.dataset.find || owner.querySelector('span')?.textContent ||
          input.getAttribute('aria-label') || '';
      const group = input.closest('.variation')?.getAttribute('aria-label');
      const tip = (owner.title || input.dataset.tip || '').replaceAll('\n', ' · ');
      entries.push({
        name: group && group !== label ? `${group}: ${label}` : label,
        detail: [tab, tip].filter(Boolean).join(' · '),
        tab,
        input
      });
    }
  }
  return entries;
}

const keysOf = shown => make('span', {class: 'keys'}, ...shown.map(text => make('kbd', {}, text)));

export class Find {
  /// commands(): [{says, group, shown: texts of its keys, act}]
  constructor(tabs, commands) {
    this.tabs = tabs;
    this.commands = commands;
    this.dialog =
        make('dialog', {class: 'chooser', id: 'find', 'aria-label': 'Find a command or a field'});
    document.body.append(this.dialog);
  }

  /// Anew each time: fields of xforms come and go.
  open() {
    const commands = this.commands().map(
        ({says, group, shown, act}) =>
            ({name: says, detail: group, element: keysOf(shown), behind: 2, act}));
    const entries = [...commands, ...entriesOf(this.tabs.pages)];
    const list = searchList('Commands and fields', entries, (entry, final) => {
      if (final) this.take(entry);
    });
    this.dialog.replaceChildren(make('h2', {}, 'Find a command or a field'), list);
    list.clear();
    this.dialog.showModal();
    list.focusSearch();
  }

  take({tab, input, act}) {
    this.dialog.close();
    if (act) return act();
    this.tabs.show(tab);
    const shown = input.closest('label') ?? input;
    shown.dispatchEvent(new Event('reveal', {bubbles: true}));
    shown.scrollIntoView({block: 'center'});
    input.focus();
    if (input.type === 'text') input.select();
    shown.classList.add('found');
    return setTimeout(() => shown.classList.remove('found'), 1500);
  }
}
