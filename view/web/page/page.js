// SPDX-License-Identifier: MIT
// The page: what is dropped, chosen and asked goes to the worker, what it answers is shown.
import {samples} from './samples.js';

const at = (id) => document.getElementById(id);
const MOST_WIDTH = 1280, MOST_QUALITY = 100;  // that are rendered without being asked for

const worker = new Worker('worker.js');
let job = 0;  // what the worker was asked for last; answers to older ones are not heard
let flames = [];
let fileName = '';  // of the flames
let size = null;    // of the picture that is made

function ask(does, what, moved = []) {
  if (does !== 'png') ++job;
  worker.postMessage({does, job, ...what}, moved);
}

function say(text, isError) {
  const line = document.createElement('li');
  line.textContent = text;
  line.className = isError ? 'error' : '';
  at('messages').append(line);
}

function fill(select, names) {
  select.replaceChildren(...names.map((name, index) => new Option(name, index)));
}

function open(bytes, name) {
  at('messages').replaceChildren();
  ask('load', {bytes, name}, [bytes]);
}

async function openFile(file) {
  if (!file) return;
  at('sample').value = '';
  open(await file.arrayBuffer(), file.name);
}

async function openSample(name) {
  const answer = await fetch(`samples/${name}.flam3`);
  if (answer.ok)
    open(await answer.arrayBuffer(), `${name}.flam3`);
  else
    say(`samples/${name}.flam3: the server says ${answer.status}; the folder is not complete`,
        true);
}

/// The size and quality of a flame as its file has them, or what a browser makes in some seconds.
function propose() {
  const flame = flames[at('flame').value];
  at('width').value = Math.min(flame.width, MOST_WIDTH);
  at('quality').value = Math.min(flame.quality, MOST_QUALITY);
  begin();
}

function begin() {
  if (flames.length === 0 || !at('form').reportValidity()) return;
  at('save').disabled = true;
  at('hash-line').hidden = true;
  at('progress').value = 0;
  at('state').textContent = 'The points settle ...';
  for (const error of at('messages').querySelectorAll('.error')) error.remove();
  size = {
    index: Number(at('flame').value),
    width: Number(at('width').value),
    quality: Number(at('quality').value),
    bits: Number(at('bits').value)
  };
  ask('begin', size);
}

/// The command that makes the same picture.
function command() {
  const word =
      /^[\w.,+-]+$/.test(fileName) ? fileName : `'${fileName.replaceAll('\'', '\'\\\'\'')}'`;
  const number = flames.length > 1 ? ` --flame ${size.index}` : '';
  return `kiln render ${word}${number} --width ${size.width} --quality ${size.quality}${
      size.bits === 16 ? ' --bits 16' : ''}`;
}

function offer(file) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([file], {type: 'image/png'}));
  link.download = `${fileName.replace(/\.[^.]*$/, '')}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

const hears = {
  ready: ({module}) => {
    document.body.dataset.module = module;
  },
  loaded: (answer) => {
    flames = answer.flames;
    fileName = answer.name;
    for (const warning of answer.warnings) say(warning);
    fill(at('flame'), flames.map((flame, index) => flame.name || `flame ${index + 1}`));
    at('flame-label').hidden = flames.length < 2;
    propose();
  },
  begun: ({width, height}) => {
    at('picture').setAttribute('aria-label', `The picture, ${width} by ${height} pixels`);
  },
  progress: ({done, seconds}) => {
    at('progress').value = done;
    const rest = done > 0 ? `, about ${Math.ceil(seconds * (1 - done) / done)} s to go` : '';
    at('state').textContent = `${Math.floor(100 * done)} % after ${seconds.toFixed(1)} s${rest}`;
  },
  picture: ({width, height, pixels, settled, hash, samples: count, seconds}) => {
    const canvas = at('picture');
    canvas.width = width;
    canvas.height = height;
    canvas.getContext('2d').putImageData(
        new ImageData(new Uint8ClampedArray(pixels), width, height), 0, 0);
    if (!settled) return;
    at('state').textContent = `Settled after ${seconds.toFixed(1)} s: ${width} by ${
        height} pixels, ${(count / 1e6).toFixed(1)} million samples.`;
    at('hash').textContent = hash;
    at('command').textContent = command();
    at('hash-line').hidden = false;
    at('save').disabled = false;
  },
  png: ({file}) => offer(file),
  error: ({text}) => {
    at('state').textContent = '';
    say(text, true);
  },
};
worker.onmessage = ({data}) => (data.job ?? job) === job && hears[data.is](data);
worker.onerror = (event) => say(
    `The renderer stopped: ${event.message}. Reload the page; a smaller picture needs less memory.`,
    true);

at('file').onchange = () => openFile(at('file').files[0]);
at('sample').onchange = () => openSample(at('sample').value);
at('flame').onchange = propose;
at('form').onsubmit = (event) => {
  event.preventDefault();
  begin();
};
at('save').onclick = () => ask('png');
document.ondragover = (event) => {
  event.preventDefault();
  document.body.classList.add('dropping');
};
document.ondragleave = (event) => {
  if (!event.relatedTarget) document.body.classList.remove('dropping');
};
document.ondrop = (event) => {
  event.preventDefault();
  document.body.classList.remove('dropping');
  openFile(event.dataTransfer.files[0]);
};

at('sample').replaceChildren(new Option('', ''), ...samples.map((name) => new Option(name, name)));
at('sample').value = location.hash.slice(1) || 'conch';
openSample(at('sample').value);
