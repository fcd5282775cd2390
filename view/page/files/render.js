// SPDX-License-Identifier: MIT
// The dialog that renders the flame into a file: what is wanted of it.

import {choice} from '../base/elements.js';

import {endingOf, RenderDialog} from './dialog.js';

const goals = {
  quality: {word: 'quality', label: 'Samples a pixel', unit: 'at the end'},
  noise: {
    word: 'noise',
    label: 'Noise of the picture, per cent',
    unit: 'until it is at most this',
    value: 1
  },
  seconds: {word: 'time', label: 'Seconds of samples', unit: 'as good as it gets', value: 60}
};
const mostOfFlame = 20;  // times the quality of the flame, where noise or time ends it

export class Render extends RenderDialog {
  /// formats: what GET /formats.json says.
  constructor(shared, formats) {
    super('render', shared, goals);
    const pictures = formats.filter(({film}) => !film);
    this.isPicture = endingOf(pictures);
    this.formats = pictures.flatMap(format => format.depths.map(bits => ({...format, bits})));
    this.goal = 'quality';
    const label = ({says, depths, bits}) => (depths[1] ? `${says}, ${bits} bits` : says);
    this.format = choice('Format', this.formats.map(label), () => {
      this.transparent.disabled = !this.chosen.alpha;
    });
    this.format.id = 'render-format';
    const [transparent, transparentLine] =
        this.check('transparent', 'Transparent: alpha in place of the background');
    this.transparent = transparent;
    const [steer, steerLine] = this.check('steer', 'Steered: samples go where the noise is');
    this.steer = steer;
    this.crop = this.field(
        'crop', 'Part of the picture: left, top, width, height in pixels',
        {placeholder: 'all of it, or left, top, width, height'});
    this.fill(
        'Render', 'Render', this.sizeLine, this.goalLine, this.line('Format', this.format),
        this.line('Part', this.crop), transparentLine, steerLine);
  }

  /// `proposed`: a name without ending.
  open(proposed) {
    this.name.value = proposed;
    this.setGoal(this.goal);
    this.show();
  }

  get chosen() {
    return this.formats[this.format.selectedIndex];
  }

  send(replace = false) {
    const {endings: [ending], bits, alpha} = this.chosen, amount = Number(this.amount.value);
    const stem = this.name.value.trim().replace(this.isPicture, '');
    const wish = {
      type: 'render',
      ...this.wish(stem, ending, replace),
      quality: mostOfFlame * this.quality,
      [this.goal]: amount,
      bits,
      transparent: this.transparent.checked && alpha,
      steer: this.steer.checked
    };
    const crop = this.crop.value.split(/[\s,x×]+/).filter(Boolean).map(Number);
    if (crop.length) [wish.crop_x, wish.crop_y, wish.crop_width, wish.crop_height] = crop;
    const numbers = [wish.width, wish.height, amount, ...crop];
    if (!stem || !numbers.every(value => Number.isFinite(value) && value >= 0) ||
        (crop.length && crop.length !== 4))
      return this.ask('A name and numbers are needed; a part has four of them.');
    return this.submit(wish);
  }
}
