// SPDX-License-Identifier: MIT
// The library of palettes, sorted by what the eye looks for; palettes of files beside it, which the
// program reads: gradients and color maps of other programs, flames, the colors of pictures. Those the
// browser reads and makes small, photographs among them, which kiln has no reader for.

import {colorsOf, paintStrip} from '../base/colors.js';
import {make, segments, textButton} from '../base/elements.js';
import {searchList} from '../base/searchlist.js';
import {base64, lean, sendBytes} from '../base/upload.js';

const least = 0.12;  // of colorfulness: what has less is gray
const pictureSidePx = 160;
const endings = /\.(ugr|gradient|ggr|gpl|map)$/i;

export class Library {
  /// palettes: what GET /palettes.json says; take(colors).
  constructor(connection, palettes, take) {
    this.connection = connection;
    this.take = take;
    this.own = palettes.map(palette => entryOf(palette));
    this.brought = [];  // of files
    this.order = 'as listed';
    this.sorted =
        segments('Sorted by', orders.map(([word, title]) => [word, word, title]), word => {
          this.order = word;
          this.arrange();
        });
    this.file = make('input', {
      type: 'file',
      id: 'palette-file',
      'aria-label': 'A file with palettes',
      hidden: true,
      multiple: true,
      change: () => this.bring([...this.file.files])
    });
    this.list = make('div');
    this.element = make(
        'div', {drop: event => this.onDrop(event)},
        make('h3', {}, 'Library', textButton('From a file …', () => this.file.click(), {
               title: 'Palettes of a .ugr, .ggr, .gpl, .map, of flames, and the colors of pictures'
             })),
        this.file, this.sorted, this.list);
    this.arrange();
  }

  /// Files that are palettes and nothing else.
  static holds(file) {
    return endings.test(file.name);
  }

  onDrop(event) {
    event.preventDefault();
    event.stopPropagation();
    this.bring([...event.dataTransfer.files]);
  }

  async bring(files) {
    for (const file of files) {
      const picture = await pixelsOf(file), mayHaveFlame = /png|jpeg/.test(file.type);
      sendBytes(
          this.connection, {type: 'palettes', name: file.name, ...picture},
          picture && !mayHaveFlame ? new Uint8Array() : await lean(file));
    }
    this.file.value = '';
  }

  /// What the program has found in a file; the first one is taken.
  hear({name, palettes}) {
    const entries = palettes.map(palette => entryOf(palette, name));
    this.brought = [...entries, ...this.brought.filter(entry => entry.detail !== name)];
    this.order = 'as listed';
    this.arrange();
    if (entries.length) this.take(entries[0].colors);
  }

  arrange() {
    this.sorted.show(this.order);
    const compare = orders.find(([word]) => word === this.order)[2];
    const entries = [...this.brought, ...this.own];
    if (compare) entries.sort(compare);
    this.sorted.hidden = entries.length < 2;
    if (!entries.length)
      return this.list.replaceChildren(make(
          'p', {class: 'hint'}, 'No palette library is installed (--palettes FILE names one).'));
    const list = searchList('Palettes', entries, entry => this.take(entry.colors));
    list.dataset.attribute = 'palette';
    return this.list.replaceChildren(list);
  }
}

/// Of a picture that the browser can read: a small one, as RGBA.
async function pixelsOf(file) {
  if (!file.type.startsWith('image/')) return undefined;
  const image = await createImageBitmap(file).catch(() => undefined);
  if (!image) return undefined;
  const scale = Math.min(1, pictureSidePx / Math.max(image.width, image.height));
  const [width, height] =
      [image.width, image.height].map(px => Math.max(1, Math.round(px * scale)));
  const paint = new OffscreenCanvas(width, height).getContext('2d');
  paint.fillRect(0, 0, width, height);
  paint.imageSmoothingQuality = 'high';
  paint.drawImage(image, 0, 0, width, height);
  return {width, pixels: base64(paint.getImageData(0, 0, width, height).data)};
}

function entryOf({name, number, colors: hex}, file) {
  const colors = colorsOf(hex);
  return {
    name: name || String(number),
    detail: file,
    element: strip(colors),
    colors,
    ...measured(colors)
  };
}

/// hue: of the mean color, as a share of the circle, red in the middle of its part; -1: gray. warmth:
/// from blue, -1, to red, 1. light: 0 .. 1.
function measured(colors) {
  const [r, g, b] = [0, 1, 2].map(
      channel => colors.reduce((sum, color) => sum + color[channel], 0) / colors.length / 255);
  const most = Math.max(r, g, b), range = most - Math.min(r, g, b);
  const sixth = most === r ? (g - b) / range :
      most === g           ? 2 + (b - r) / range :
                             4 + (r - g) / range;
  const isGray = range < least * most || range === 0;
  return {
    hue: isGray ? -1 : (sixth / 6 + 1 + 1 / 12) % 1,
    warmth: most ? (r - b) / most : 0,
    light: 0.2126 * r + 0.7152 * g + 0.0722 * b
  };
}

const byName = (p, q) => p.name.localeCompare(q.name, undefined, {numeric: true});
const orders = [
  ['as listed', 'In the order of the file'], ['name', 'From A to Z', byName],
  [
    'color', 'By hue; gray ones last',
    (p, q) => (p.hue < 0) - (q.hue < 0) || p.hue - q.hue || q.light - p.light
  ],
  ['warmth', 'The warmest first', (p, q) => q.warmth - p.warmth],
  ['light', 'The lightest first', (p, q) => q.light - p.light]
];

/// A small picture of the colors, painted when it comes into sight: libraries have hundreds.
function strip(colors) {
  const canvas = make('canvas', {class: 'swatch', width: 1, height: 1});
  painter.observe(canvas);
  colorsOfCanvas.set(canvas, colors);
  return canvas;
}

const colorsOfCanvas = new WeakMap();
const painter = new IntersectionObserver(seen => {
  for (const {isIntersecting, target} of seen) {
    if (!isIntersecting) continue;
    paintStrip(target, colorsOfCanvas.get(target));
    painter.unobserve(target);
  }
});
