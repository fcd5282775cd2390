// SPDX-License-Identifier: MIT
// The tree of what was tried: what was chosen, each to the right of what it came from. A click goes
// there; Shift and a click, or a held finger, breeds with it.

import {held, make, makeSvg} from '../base/elements.js';

const widthPx = 72, heightPx = 42;  // of a place, with the room beside it

export class Tried {
  /// acts: go(node), breed(node). A node: {sign, picture, parent, children}.
  constructor(acts) {
    this.acts = acts;
    this.element = make(
        'div',
        {class: 'tried sideways', role: 'tree', 'aria-label': 'What was tried', hidden: true});
  }

  /// The place of a flame, if it has one.
  find(node, sign) {
    if (node.sign === sign) return node;
    for (const child of node.children) {
      const found = this.find(child, sign);
      if (found) return found;
    }
    return undefined;
  }

  /// A flame that nothing came of yet has no tree; nor has one to which the page went a moment ago.
  draw(tree) {
    this.element.hidden = !tree?.root.children.length;
    if (this.element.hidden) return;
    const {root, at} = tree;
    const nodes = [], lines = [];
    let rows = 0;
    /// The first child stands in its parent's row, each further one in a row of its own.
    const put = (node, column, row, from) => {
      nodes.push(this.button(node, column, row, node === at));
      if (from) lines.push(line(column, row, from.row));
      node.children.forEach((child, i) => put(child, column + 1, i ? ++rows : row, {row}));
    };
    put(root, 0, 0);
    const columns = Math.max(...nodes.map(node => Number(node.dataset.column))) + 1;
    const size = {width: columns * widthPx, height: (rows + 1) * heightPx};
    this.element.replaceChildren(make(
        'div', {class: 'nodes'}, makeSvg('svg', {...size, 'aria-hidden': 'true'}, ...lines),
        ...nodes));
    this.element.querySelector('[aria-current]')
        .scrollIntoView({block: 'nearest', inline: 'nearest'});
  }

  button(node, column, row, isHere) {
    const button = make(
        'button', {
          type: 'button',
          role: 'treeitem',
          class: 'tile',
          title: 'Back to this one',
          'aria-label': `${column}. ${row + 1}`,
          'aria-current': isHere && 'true',
          'data-column': column,
          'data-row': row,
          click: event => (event.shiftKey ? this.acts.breed(node) : this.acts.go(node)),
          ...held(() => this.acts.breed(node))
        },
        node.picture ? make('img', {src: node.picture, alt: '', draggable: 'false'}) : null);
    button.style.gridArea = `${row + 1} / ${column + 1}`;
    return button;
  }
}

/// From the middle of the parent down to the child.
function line(column, row, parentRow) {
  const x = (column - 0.5) * widthPx, y = (parentRow + 0.5) * heightPx;
  return makeSvg('path', {d: `M${x} ${y}V${(row + 0.5) * heightPx}H${(column + 0.5) * widthPx}`});
}
