// SPDX-License-Identifier: MIT
// What all parts of the page share: its elements, its messages, the renderer.
export const at = (id) => document.getElementById(id);

export function say(text, isError) {
  const line = document.createElement('li');
  line.textContent = text;
  line.className = isError ? 'error' : '';
  at('messages').append(line);
}

export function clearErrors() {
  for (const error of at('messages').querySelectorAll('.error')) error.remove();
}

const worker = new Worker('worker.js');
const beside = ['png', 'link'];  // leave the picture alone
const ordered =
    ['open', 'sketch', 'unsketched', 'link', 'png'];  // are heard however old, each in its turn
const listeners = {};
let job = 0;  // what the worker was asked for last; answers to older ones are not heard

export function ask(does, what = {}, moved = []) {
  if (!beside.includes(does)) ++job;
  worker.postMessage({does, job, ...what}, moved);
}

/// Listens to answers of the renderer, by what they are.
export const hear = (what) => Object.assign(listeners, what);

worker.onmessage = ({data}) => {
  if ((data.job ?? job) === job || ordered.includes(data.is)) listeners[data.is]?.(data);
};
worker.onerror = (event) => say(
    `The renderer stopped: ${event.message}. Reload the page; a smaller picture needs less memory.`,
    true);

export function paint(canvas, {width, height, pixels}) {
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d').putImageData(
      new ImageData(new Uint8ClampedArray(pixels), width, height), 0, 0);
}

export function offer(file, name, type) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([file], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
