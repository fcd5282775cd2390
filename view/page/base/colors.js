// SPDX-License-Identifier: MIT
// Colors of palettes: strips of them, the one of an xform, and what a gradient is made of.

/// Paints a strip of colors, as wide as the canvas has pixels.
export function paintStrip(canvas, colors) {
  canvas.width = colors.length || 1;
  canvas.height = 1;
  const paint = canvas.getContext('2d');
  const pixels = paint.createImageData(canvas.width, 1);
  colors.forEach((color, i) => pixels.data.set([...color, 255], 4 * i));
  paint.putImageData(pixels, 0, 0);
}

/// Colors of "RRGGBB...", [r, g, b] from 0 to 255 each (8 digits: of "RRGGBBAA...", without alpha).
export function colorsOf(hex, digits = 6) {
  const colors = [];
  for (let i = 0; i + digits <= hex.length; i += digits) {
    colors.push([0, 2, 4].map(at => Number.parseInt(hex.slice(i + at, i + at + 2), 16) || 0));
  }
  return colors;
}

export const css = ([r, g, b]) => `rgb(${Math.round(r)} ${Math.round(g)} ${Math.round(b)})`;

/// "#rrggbb", as color inputs want it.
export const hexOf = color => '#' + color.map(twoDigits).join('');
export const twoDigits = value =>
    Math.round(Math.min(255, Math.max(0, value))).toString(16).padStart(2, '0');

const mixed = (from, to, share) => from.map((value, i) => value + (to[i] - value) * share);

/// The color at a place of the palette, from 0 to 1, light enough to be seen on black.
export function shownColor(colors, at) {
  const place = Math.min(1, Math.max(0, at));
  const color = colors[Math.round(place * (colors.length - 1))] ?? [160, 160, 160];
  const light = 0.3 * color[0] + 0.6 * color[1] + 0.1 * color[2];
  return css(light < 150 ? mixed(color, [255, 255, 255], (150 - light) / (255 - light)) : color);
}

/// The same colors from another one on, around the circle; a share of a color mixes two.
export function rotated(colors, by) {
  const count = colors.length, whole = Math.floor(by), share = by - whole;
  const at = i => colors[((i % count) + count) % count];
  return colors.map((_, i) => mixed(at(i + whole), at(i + whole + 1), share));
}

// ---- hue, saturation, lightness: as CSS has them, each from 0 to 1 ----

function hslOf([r, g, b]) {
  const most = Math.max(r, g, b) / 255, least = Math.min(r, g, b) / 255, range = most - least,
        light = (most + least) / 2;
  if (range === 0) return [0, 0, light];
  const saturation = range / (1 - Math.abs(2 * light - 1));
  const [x, y, z] = [r, g, b].map(value => value / 255);
  const sixth = most === x ? (y - z) / range :
      most === y           ? 2 + (z - x) / range :
                             4 + (x - y) / range;
  return [(sixth / 6 + 1) % 1, saturation, light];
}

function ofHsl([hue, saturation, light]) {
  const reach = saturation * Math.min(light, 1 - light);
  return [0, 8, 4].map(n => {
    const k = (n + hue * 12) % 12;
    return 255 * (light - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  });
}

const within = value => Math.min(1, Math.max(0, value));

/// Turned by a share of the circle of hues; saturation and lightness times a factor.
export function toned(colors, {hue = 0, saturation = 1, light = 1}) {
  return colors.map(color => {
    const [h, s, l] = hslOf(color);
    return ofHsl([((h + hue) % 1 + 1) % 1, within(s * saturation), within(l * light)]);
  });
}

// ---- a gradient: stops, and straight lines of color between them ----

const farthest = (p, q) => Math.max(...p.map((value, i) => Math.abs(value - q[i])));

/// The entry between two stops that is furthest from the line between them.
function worstBetween(colors, from, to) {
  let worst = {index: -1, error: 0};
  for (let i = from + 1; i < to; ++i) {
    const error = farthest(colors[i], mixed(colors[from], colors[to], (i - from) / (to - from)));
    if (error > worst.error) worst = {index: i, error};
  }
  return worst;
}

/// Entries at which stops say most of these colors: the ends, then always where most is missing.
export function stopsOf(colors, most, tolerance) {
  const stops = [0, colors.length - 1];
  while (stops.length < most) {
    const worst = stops.slice(1)
                      .map((to, i) => worstBetween(colors, stops[i], to))
                      .reduce((a, b) => (b.error > a.error ? b : a));
    if (worst.error <= tolerance) break;
    stops.push(worst.index);
    stops.sort((a, b) => a - b);
  }
  return stops;
}

/// Straight lines from stop to stop for the entries from..to, the rest as it was.
export function filled(colors, stops, from, to) {
  const result = colors.map(color => [...color]);
  for (let i = 0; i + 1 < stops.length; ++i) {
    const [left, right] = [stops[i], stops[i + 1]];
    if (left.index < from || right.index > to) continue;
    for (let k = left.index; k <= right.index; ++k)
      result[k] = mixed(
          left.color, right.color,
          right.index === left.index ? 0 : (k - left.index) / (right.index - left.index));
  }
  return result;
}
