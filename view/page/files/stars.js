// SPDX-License-Identifier: MIT
// Stars of flames: a row of five to press, and as text.

import {make} from '../base/elements.js';

const most = 5;

export const starText = stars => '★'.repeat(stars);

/// act(stars) on a press; the number that is there already takes them away. show(stars) marks.
export function starRow(act) {
  let now = 0;
  const buttons = Array.from(
      {length: most},
      (_, i) => make(
          'button', {
            type: 'button',
            class: 'star',
            title: `${i + 1} of ${most} stars (${i + 1}; 0: none)`,
            'aria-label': `${i + 1} star${i ? 's' : ''}`,
            click: () => act(i + 1 === now ? 0 : i + 1)
          },
          '★'));
  const row = make('span', {class: 'stars', role: 'group', 'aria-label': 'Stars'}, ...buttons);
  row.show = stars => {
    now = stars;
    buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(i < stars)));
  };
  return row;
}
