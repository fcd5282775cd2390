// SPDX-License-Identifier: MIT
// Lines over the picture to compose by.

import {byId, makeSvg} from '../base/elements.js';
import {at} from '../base/geometry.js';

const golden = (Math.sqrt(5) - 1) / 2;
const shares = {
  thirds: [1 / 3, 2 / 3],
  golden: [1 - golden, golden],
  center: [1 / 2]
};
const kinds = ['', ...Object.keys(shares)];

export class Guides {
  constructor(editor, picture) {
    this.editor = editor;
    this.picture = picture;
    this.kind = '';
    this.element = byId('guides');
    for (const name of ['flame', 'change', 'sight'])
      editor.addEventListener(name, () => this.draw());
    new ResizeObserver(() => this.draw()).observe(picture.stage);
  }

  get next() {
    return kinds[(kinds.indexOf(this.kind) + 1) % kinds.length];
  }

  show(kind) {
    this.kind = kinds.includes(kind) ? kind : '';
    this.draw();
  }

  draw() {
    this.element.toggleAttribute('hidden', this.kind === '');
    if (this.kind === '' || !this.editor.flame) return;
    const {camera: {width, height}, stageFromPicture} = this.picture;
    const path = [];
    const line = (x, y, toX, toY) => {
      const from = at(stageFromPicture, x * width, y * height),
            to = at(stageFromPicture, toX * width, toY * height);
      path.push(`M${from.x} ${from.y}L${to.x} ${to.y}`);
    };
    for (const share of shares[this.kind]) {
      line(share, 0, share, 1);
      line(0, share, 1, share);
    }
    if (this.kind === 'center') {
      line(0, 0, 1, 1);
      line(0, 1, 1, 0);
    }
    const d = path.join('');
    this.element.replaceChildren(
        makeSvg('path', {class: 'under', d}), makeSvg('path', {class: 'over', d}));
  }
}
