// SPDX-License-Identifier: MIT
// What is seen of the light that was asked about: a ring around the place, the triangles and chips of those who made it,
// and over the picture a veil where the chosen one has made little.

import {byId, make, makeSvg} from '../base/elements.js';

const veil = 0.72;  // of what is none of its own

export class Light {
  constructor(editor, picture) {
    this.editor = editor;
    this.picture = picture;
    this.veil = make('canvas', {id: 'veil', hidden: true, 'aria-hidden': 'true'});
    byId('frame').append(this.veil);
    this.circle = makeSvg('circle', {class: 'over'});
    this.under = makeSvg('circle', {class: 'under'});
    this.element =
        makeSvg('svg', {id: 'ring', 'aria-hidden': 'true', hidden: true}, this.under, this.circle);
    byId('stage').append(this.element);
    this.drawn = null;  // the map that the veil shows
  }

  /// middle: of the stage; null: there is no place.
  ring(middle, radius, isOpen) {
    this.element.toggleAttribute('hidden', !middle);
    this.element.classList.toggle('open', isOpen);
    if (!middle) return;
    for (const circle of [this.under, this.circle]) {
      circle.setAttribute('cx', middle.x);
      circle.setAttribute('cy', middle.y);
      circle.setAttribute('r', radius);
    }
  }

  /// shares: of xforms, by their number; share: the one that is chosen, whose light stays.
  light(shares, share, light, isEdited) {
    const lit = new Set(shares.map(({xform}) => xform));
    for (const group of byId('overlay').querySelectorAll('.affine'))
      group.classList.toggle('lit', lit.has(Number(group.dataset.xform)));
    [...document.querySelectorAll('#page-Xforms .chip')].forEach(
        (chip, i) => chip.classList.toggle('lit', lit.has(i)));
    const isShown = Boolean(share?.map) && !isEdited;
    this.veil.classList.toggle('shown', isShown);
    this.veil.hidden = !share?.map;
    if (share?.map && share.map !== this.drawn) this.draw(share.map, light);
  }

  /// A hexadecimal digit a cell: how much of what lies there is its own.
  draw(map, {map_width: width, map_height: height}) {
    const {veil: canvas} = this;
    this.drawn = map;
    canvas.width = width;
    canvas.height = height;
    const paint = canvas.getContext('2d'), image = paint.createImageData(width, height);
    for (let i = 0; i < map.length; ++i)
      image.data[4 * i + 3] = 255 * veil * (1 - Number.parseInt(map[i], 16) / 15);
    paint.putImageData(image, 0, 0);
  }
}
