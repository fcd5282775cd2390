// SPDX-License-Identifier: MIT
// What the steps of learn.html have in common: sliders, pictures that are painted by pixels, and things on them that a hand moves.
'use strict';

self.kilnTools = (() => {
  const {WIDTH, HEIGHT} = self.kilnGame;
  const at = (id) => document.getElementById(id);
  const COLORS = [[227, 164, 92], [102, 182, 196], [207, 134, 180]];  // of maps, as in learn.css
  const css = (rgb, alpha = 1) => `rgb(${rgb.join(' ')} / ${alpha})`;
  const count = (value) => Math.round(value).toLocaleString('en');

  /// A slider with its number; `says` tells the value, `changes` uses it.
  function slider(input, says, changes) {
    const tell = () => {
      const text = says(Number(input.value));
      input.parentElement.querySelector('output').textContent = text;
      input.setAttribute('aria-valuetext', text);
    };
    input.addEventListener('input', () => {
      tell();
      changes(Number(input.value));
    });
    tell();
    return (value) => {
      input.value = value;
      tell();
    };
  }

  function made(name, attributes = {}, ...inside) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...inside);
    return element;
  }

  const canvas = (step) => at(`${step}-view`).getContext('2d');

  /// A picture of which set(pixel, red, green, blue) paints pixels.
  function pixels(step, paint) {
    const image = new ImageData(WIDTH, HEIGHT), {data} = image;
    for (let i = 3; i < data.length; i += 4) data[i] = 255;
    paint((pixel, r, g, b) => {
      data[4 * pixel] = r;
      data[4 * pixel + 1] = g;
      data[4 * pixel + 2] = b;
    }, data);
    canvas(step).putImageData(image, 0, 0);
  }

  /// A thing on a picture that is moved by hand or by arrow keys, by pixels of the picture.
  function handle(step, name, color, kind, moves) {
    const button = made('button', {
      type: 'button',
      class: `handle map${color} ${kind}`,
      'aria-label': `${name}: arrow keys move it`
    });
    const view = at(`${step}-view`).parentElement;
    let from = null;
    button.onpointerdown = (event) => {
      button.setPointerCapture(event.pointerId);
      from = {x: event.clientX, y: event.clientY};
    };
    button.onpointermove = (event) => {
      if (!from) return;
      const scale = WIDTH / view.clientWidth;
      moves((event.clientX - from.x) * scale, (event.clientY - from.y) * scale);
      from = {x: event.clientX, y: event.clientY};
    };
    button.onpointerup = button.onpointercancel = () => from = null;
    button.onkeydown = (event) => {
      const way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [
                     0, 1
                   ]}[event.key];
      if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const far = event.shiftKey ? 24 : 6;
      moves(way[0] * far, way[1] * far);
    };
    view.append(button);
    return {
      button,
      put: (x, y) => {  // within reach even where it is outside
        button.style.left = `${Math.max(2, Math.min(98, 100 * x / WIDTH))}%`;
        button.style.top = `${Math.max(2, Math.min(98, 100 * y / HEIGHT))}%`;
      },
    };
  }

  return {at, canvas, COLORS, count, css, handle, made, pixels, slider};
})();
