// SPDX-License-Identifier: MIT
// Twelve flames to choose from, made by workers of their own beside the picture, as many as the machine has cores for.
import {at, paint, say} from './base.js';
import {become, flame} from './play.js';

const TILES = 12, WIDTH = 160, MOST_WORKERS = 3;

const workers = [];
let wall = 0;   // the newest
let left = [];  // tiles of it that nobody makes yet
let done = 0;
let began = 0;
let seed = Math.floor(Math.random() * 2 ** 40);
let breeding = false;

function next(worker) {
  worker.busy = left.length > 0;
  if (worker.busy) worker.postMessage({does: 'tile', job: wall, ...left.shift()});
}

function show(answer) {
  const button = at('wall').children[answer.place];
  const canvas = document.createElement('canvas');
  paint(canvas, answer);
  button.replaceChildren(canvas);
  button.setAttribute('aria-label', `Flame ${answer.place + 1}: ${answer.name}`);
  button.disabled = false;
  button.onclick = () => choose(button, answer.xml);
  if (++done < TILES) return;
  at('wall').dataset.ms = Math.round(performance.now() - began);
  at('wall-said').textContent = breeding ?
      'Choose the other parent.' :
      'Choose one; Mutate shows twelve like it, Breed children of it and of another.';
}

function hire() {
  const worker = new Worker('worker.js');
  worker.onmessage = ({data}) => {
    if (data.is === 'ready' || (data.is === 'error' && data.job === undefined)) return;
    if (data.job === wall && data.is === 'tile') show(data);
    if (data.job === wall && data.is === 'error') {
      say(data.text, true);
      ++done;
    }
    next(worker);
  };
  workers.push(worker);
}

/// A wall of flames, each of what `wanted` says and a seed.
function fill(wanted, text) {
  const count = Math.max(1, Math.min(MOST_WORKERS, (navigator.hardwareConcurrency || 2) - 1));
  while (workers.length < count) hire();
  ++wall;
  done = 0;
  began = performance.now();
  delete at('wall').dataset.ms;
  at('wall-said').textContent = text;
  at('wall').replaceChildren(...Array.from({length: TILES}, (_, place) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.disabled = true;
    button.setAttribute('aria-label', `Flame ${place + 1} is made`);
    return button;
  }));
  left = Array.from(
      {length: TILES}, (_, place) => ({place, wanted: {...wanted, width: WIDTH, seed: seed++}}));
  for (const worker of workers)
    if (!worker.busy) next(worker);
}

function setBreeding(on) {
  breeding = on;
  at('breed').setAttribute('aria-pressed', on);
}

function choose(button, xml) {
  if (breeding) {
    setBreeding(false);
    return fill({xml: flame().xml, mate: xml}, 'Twelve children of the two ...');
  }
  for (const other of at('wall').children) other.removeAttribute('aria-pressed');
  button.setAttribute('aria-pressed', true);
  become(xml);
}

export function prepareWall() {
  at('random').onclick = () => {
    setBreeding(false);
    fill({}, 'Twelve flames by chance ...');
  };
  at('mutate').onclick = () => {
    if (!flame()) return;
    setBreeding(false);
    fill({xml: flame().xml, strength: Number(at('strength').value)}, 'Twelve flames like this ...');
  };
  at('breed').onclick = () => {
    if (!flame()) return;
    setBreeding(!breeding);
    if (breeding && at('wall').children.length === 0)
      fill({}, 'Flames to choose the other parent from ...');
    else
      at('wall-said').textContent = breeding ? 'Choose the other parent.' : '';
  };
}
