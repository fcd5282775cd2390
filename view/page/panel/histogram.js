// SPDX-License-Identifier: MIT
// How many pixels of the picture are how bright, drawn behind its curves: of the picture as it is shown, so
// with the curves that it has.

import {byId, make, makeSvg} from '../base/elements.js';

const bins = 64, sidePx = 128, restMs = 120;
const weights =
    [[0.2126, 0.7152, 0.0722], [1, 0, 0], [0, 1, 0], [0, 0, 1]];  // as channels of curves

export class Histogram {
  /// wide, high: of the drawing.
  constructor(editor, wide, high) {
    this.size = [wide, high];
    this.channel = 0;
    this.path = makeSvg('path', {class: 'histogram'});
    this.small = make('canvas', {width: sidePx, height: sidePx});
    this.paint = this.small.getContext('2d', {willReadFrequently: true});
    editor.addEventListener('shown', () => {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        this.draw();
      }, restMs);
    });
  }

  /// drawing: what it stands in.
  watch(drawing) {
    new IntersectionObserver(() => this.draw()).observe(drawing);
  }

  show(channel) {
    this.channel = channel;
    this.draw();
  }

  /// Nothing is counted where nobody sees it.
  draw() {
    const picture = byId('picture'), [wide, high] = this.size;
    if (!this.path.checkVisibility() || !picture.width) return;
    this.paint.imageSmoothingEnabled = false;  // pixels as they are
    this.paint.drawImage(picture, 0, 0, sidePx, sidePx);
    const {data} = this.paint.getImageData(0, 0, sidePx, sidePx), counts = new Array(bins).fill(0);
    const weight = weights[this.channel];
    for (let i = 0; i < data.length; i += 4) {
      const level = weight.reduce((sum, share, k) => sum + share * data[i + k], 0);
      ++counts[Math.min(bins - 1, Math.floor(level / 256 * bins))];
    }
    const most = Math.max(1, ...counts.slice(1));  // the black around a flame is no measure
    const heights = counts.map(count => high * Math.min(1, Math.sqrt(count / most)));
    const steps = heights.map(
        (height, i) => `L${(wide * i / bins).toFixed(2)} ${(high - height).toFixed(2)}H${
            (wide * (i + 1) / bins).toFixed(2)}`);
    this.path.setAttribute('d', `M0 ${high}${steps.join('')}L${wide} ${high}Z`);
  }
}
