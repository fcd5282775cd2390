// SPDX-License-Identifier: MIT
// The chaos game of learn.html, as small as it can be said: maps, a point that they move, and what a renderer is told of them.
// Coordinates are those of flames, y grows downwards. A script and no module: browsers load no modules from disk.
'use strict';

self.kilnGame = (() => {
  const WIDTH = 640, HEIGHT = 480;
  const LOST = 1e10;  // a point beyond is begun anew
  const HIDDEN = 20;  // first steps that nobody sees: the point begins anywhere

  /// Numbers in [0, 1) by chance, the same ones from the same seed (mulberry32).
  function chance(seed) {
    return () => {
      seed = seed + 0x6D2B79F5 | 0;
      let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
      t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
      return ((t ^ t >>> 14) >>> 0) / 4294967296;
    };
  }

  /// How a map bends the plane after it has moved it, by flam3's names: gives x and y of the point to `to`.
  const bends = {
    linear: (x, y, to) => {
      to.x = x;
      to.y = y;
    },
    sinusoidal: (x, y, to) => {
      to.x = Math.sin(x);
      to.y = Math.sin(y);
    },
    spherical: (x, y, to) => {
      const r2 = x * x + y * y + 1e-10;
      to.x = x / r2;
      to.y = y / r2;
    },
    swirl: (x, y, to) => {
      const r2 = x * x + y * y, s = Math.sin(r2), c = Math.cos(r2);
      to.x = s * x - c * y;
      to.y = c * x + s * y;
    },
    horseshoe: (x, y, to) => {
      const r = 1 / Math.sqrt(x * x + y * y + 1e-10);
      to.x = (x - y) * (x + y) * r;
      to.y = 2 * x * y * r;
    },
    bubble: (x, y, to) => {
      const r = 4 / (x * x + y * y + 4);
      to.x = x * r;
      to.y = y * r;
    },
    julia: (x, y, to, random) => {
      const angle = Math.atan2(x, y) / 2 + (random() < 0.5 ? 0 : Math.PI);
      const r = Math.sqrt(Math.sqrt(x * x + y * y));
      to.x = r * Math.cos(angle);
      to.y = r * Math.sin(angle);
    },
  };

  /// A map that turns by so many degrees, shrinks, and moves to (x, y).
  function map(weight, color, angle, size, x, y, bend = 'linear', amount = 1) {
    const a = size * Math.cos(angle * Math.PI / 180), d = size * Math.sin(angle * Math.PI / 180);
    return {weight, color, coefs: [a, d, -d, a, x, y], bend, amount};
  }
  const free = (weight, color, coefs) => ({weight, color, coefs, bend: 'linear', amount: 1});

  const examples = {
    triangle: () =>
        [map(1, 0, 0, 0.5, 0, -0.5), map(1, 0.5, 0, 0.5, -0.55, 0.45),
         map(1, 1, 0, 0.5, 0.55, 0.45)],
    fern: () =>
        [free(8, 0.1, [0.85, 0.04, -0.04, 0.85, 0, -0.32]),
         free(1, 0.6, [0.2, -0.23, 0.26, 0.22, 0, -0.32]),
         free(1, 0.95, [-0.15, -0.26, -0.28, 0.24, 0, -0.09])],
    dragon: () =>
        [map(1, 0, -45, 0.7071, -0.25, -0.25), map(1, 0.6, -135, 0.7071, 0.75, -0.25),
         map(0, 1, 0, 0.3, 0.2, 0.3)],
    spiral: () =>
        [map(9, 0.15, 24, 0.93, 0, 0), map(1, 0.9, 0, 0.32, 0.85, -0.1),
         map(0.6, 0.6, 60, 0.3, -0.4, 0.75)],
    flame: () =>
        [map(5, 0.1, 32, 0.88, 0.1, -0.05), map(1.2, 0.55, -40, 0.45, 0.8, -0.35, 'spherical', 0.5),
         map(1, 0.95, 100, 0.6, -0.5, 0.5, 'swirl')],
  };

  /// Plays: calls see(x, y, map) for each of so many points.
  function play(maps, count, seed, see) {
    const random = chance(seed), point = {x: 2 * random() - 1, y: 2 * random() - 1};
    const sums = [];
    let all = 0;
    for (const {weight} of maps) sums.push(all += weight);
    if (!(all > 0)) return;
    for (let i = -HIDDEN; i < count; ++i) {
      const drawn = random() * all;
      let chosen = 0;
      while (chosen < maps.length - 1 && drawn >= sums[chosen]) ++chosen;
      const {coefs, bend, amount} = maps[chosen];
      const x = coefs[0] * point.x + coefs[2] * point.y + coefs[4];
      const y = coefs[1] * point.x + coefs[3] * point.y + coefs[5];
      bends[bend](x, y, point, random);
      point.x *= amount;
      point.y *= amount;
      if (!(Math.abs(point.x) < LOST && Math.abs(point.y) < LOST)) {
        point.x = 2 * random() - 1;
        point.y = 2 * random() - 1;
      }
      if (i >= 0) see(point.x, point.y, chosen);
    }
  }

  /// A camera that sees nearly all points.
  function fitted(maps) {
    const xs = [], ys = [];
    play(maps, 6000, 7, (x, y) => {
      xs.push(x);
      ys.push(y);
    });
    if (xs.length === 0) return {x: 0, y: 0, scale: 160};
    const span = (values) => {
      values.sort((a, b) => a - b);
      return [values[Math.floor(0.01 * values.length)], values[Math.floor(0.99 * values.length)]];
    };
    const [left, right] = span(xs), [top, bottom] = span(ys);
    const scale = Math.min(
        0.84 * WIDTH / Math.max(right - left, 1e-6), 0.84 * HEIGHT / Math.max(bottom - top, 1e-6),
        2000);
    return {x: (left + right) / 2, y: (top + bottom) / 2, scale};
  }

  /// 256 colors through some, each {at: 0..1, rgb}.
  const palettes = {
    ember: ['#05030a', '#3a0d24', '#a02b1d', '#f0852c', '#ffe9b8', '#f6b25e', '#6a2a4a', '#140a1e'],
    lagoon:
        ['#041019', '#0b3a53', '#1b8a8f', '#8fe3c4', '#f4f7d9', '#e8a35c', '#7a3b5e', '#120b22'],
    dawn: ['#1a1030', '#4a2a6a', '#b0486f', '#f08a66', '#fbe0a0', '#a9d6c4', '#3f7aa5', '#16233f'],
    meadow:
        ['#0c1408', '#2b5a1e', '#7fa832', '#e9e6a0', '#f5b74a', '#c9543a', '#54264a', '#100a16'],
    gray: ['#ffffff', '#ffffff'],
  };
  function colorsOf(name) {
    const stops =
        palettes[name].map((text) => [1, 3, 5].map((i) => Number(`0x${text.slice(i, i + 2)}`)));
    return Array.from({length: 256}, (_, i) => {
      const at = i / 255 * (stops.length - 1), k = Math.min(stops.length - 2, Math.floor(at));
      return stops[k].map((v, c) => Math.round(v + (at - k) * (stops[k + 1][c] - v)));
    });
  }

  const number = (value) => String(Number(value.toFixed(6)));

  /// The flame as a file has it.
  function xml(maps, camera, look) {
    const hex = (v) => v.toString(16).padStart(2, '0').toUpperCase();
    const rows = colorsOf(look.palette).map((rgb) => rgb.map(hex).join(''));
    const lines =
        Array.from({length: 16}, (_, i) => `    ${rows.slice(16 * i, 16 * i + 16).join('')}`);
    const xforms = maps.filter(({weight}) => weight > 0)
                       .map(
                           (m) => `  <xform weight="${number(m.weight)}" color="${
                               number(m.color)}" color_speed="0.5" ${m.bend}="${
                               number(m.amount)}" coefs="${m.coefs.map(number).join(' ')}"/>`);
    return `<flame name="learned" size="${WIDTH} ${HEIGHT}" center="${number(camera.x)} ${
        number(camera.y)}" scale="${number(camera.scale)}" quality="${
        number(look.quality)}" background="0 0 0" brightness="${number(look.brightness)}" gamma="${
        number(look.gamma)}" gamma_threshold="0.01" vibrancy="1" filter="0.5" estimator_radius="${
        number(look.radius)}" estimator_minimum="0" estimator_curve="0.4" palette_mode="linear">
${xforms.join('\n')}
  <palette count="256" format="RGB">
${lines.join('\n')}
  </palette>
</flame>
`;
  }

  return {WIDTH, HEIGHT, bends, examples, palettes, chance, play, fitted, colorsOf, xml};
})();
