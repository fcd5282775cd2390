// SPDX-License-Identifier: MIT
// Inputs of the timeline's head.

import {make} from '../base/elements.js';

/// A number that is typed; what it was stands again where act(text) says false.
export function timeInput(id, label, value, act) {
  let held = value, isNew = false;
  const input = make('input', {
    type: 'text',
    inputmode: 'decimal',
    id: `timeline-${id}`,
    'aria-label': label,
    title: label,
    autocomplete: 'off',
    value,
    focus: () => [held, isNew] = [input.value, true],
    click: () => {  // the first one takes all of it, as in the panel
      if (isNew) input.select();
      isNew = false;
    },
    change: () => act(input.value) === false && (input.value = held),
    keydown: event => {
      if (event.key === 'Enter' || event.key === 'Escape') input.blur();
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    }
  });
  return input;
}

/// A box to check with its word.
export function checkBox(id, label, title, on, act) {
  const box =
      make('input', {type: 'checkbox', id: `timeline-${id}`, change: () => act(box.checked)});
  box.checked = on;
  act(on);
  return make('label', {class: 'check', title}, box, label);
}
