// SPDX-License-Identifier: MIT
// The flame that is played with: what hands and sliders do to it, and undo. Its states are XML.
import {ask, at, hear, paint} from './base.js';

const MOST_STATES = 200;
const STILL_MS = 250;  // without a change until the picture is made as it shall be

let states = [];  // that were, the open one last
let undone = [];
let open = null;     // what the renderer says of the open flame
let gesture = null;  // {from, wanted}: a change that goes on, and the flame before it
let waits = 0;       // for so many sketches
let asked = 0;       // when the last one was
let next = [];       // what is done when they are there, in its order
let later = false;   // another change came meanwhile
let stillTimer = 0;
let begin = () => {};  // makes the picture as it shall be
let changed = () => {};

export const flame = () => open;

function tellUndo() {
  at('undo').disabled = states.length < 2;
  at('redo').disabled = undone.length === 0;
}

/// A flame that was opened: nothing of those before is left.
export function started() {
  states = [];
  undone = [];
  gesture = null;
  later = false;
  next = [];
  clearTimeout(stillTimer);
}

function keep(xml) {
  if (states.at(-1) === xml) return;
  states.push(xml);
  if (states.length > MOST_STATES) states.shift();
  undone = [];
  tellUndo();
}

/// Does it when what was asked for before is there. Of several of one name the last one counts.
function afterwards(work, name) {
  if (waits === 0) return work();
  if (name && next.at(-1)?.name === name) next.pop();
  next.push({work, name});
}

/// The hand lets go.
const release = () => afterwards(finish);

/// Opens this XML as a step.
export function become(xml) {
  release();
  afterwards(() => {
    alter({xml});
    keep(xml);
    soon();
  });
}

function soon() {
  clearTimeout(stillTimer);
  stillTimer = setTimeout(() => {
    if (waits) return soon();
    if (gesture && !(gesture.name in shown) && fingers.size === 0) finish();
    begin();
  }, STILL_MS);
}

function alter(wanted) {
  ++waits;
  asked = performance.now();
  at('picture').setAttribute('aria-busy', true);
  ask('change', {wanted});
}

function send() {
  later = false;
  alter({...gesture.wanted, xml: gesture.from});
}

/// Changes the flame as it was when the gesture began.
function change(name, wanted) {
  if (!open) return;
  if (gesture?.name !== name || gesture.ended) {
    finish();
    if (gesture) return afterwards(() => change(name, wanted), name);
    gesture = {name, from: states.at(-1), wanted: {}};
  }
  Object.assign(gesture.wanted, wanted);
  soon();
  waits ? later = true : send();
}

/// The gesture is a step of undo. Its last change may not be there yet.
function finish() {
  if (!gesture) return;
  gesture.ended = true;
  if (waits === 0) end();
}

function end() {
  keep(open.xml);
  gesture = null;
  tellSliders();
}

function undo(from, to) {
  release();
  afterwards(() => {
    if (from === states ? states.length < 2 : undone.length === 0) return;
    to.push(from.pop());
    alter({xml: states.at(-1)});
    tellUndo();
    soon();
  });
}

/// A sketch is there, or could not be made.
function sketched() {
  waits = Math.max(0, waits - 1);
  if (waits) return;
  if (later && gesture) return send();
  if (gesture?.ended) end();
  while (waits === 0 && next.length > 0) next.shift().work();
}

const shown = {
  brightness: (value) => Math.max(-2, Math.min(8, Math.log2(Math.max(value, 0.25)))),
  gamma: (value) => value,
  hue: () => 0,
  zoom: () => 0,
  turn: (value) => value,
};
const wanted = {
  brightness: (value) => ({brightness: 2 ** value}),
  gamma: (value) => ({gamma: value}),
  hue: (value) => ({hue: value}),
  zoom: (value) => ({zoom: [2 ** value, 0.5, 0.5]}),
  turn: (value, base) => ({turn: value - base}),
};
const said = {
  strength: (value) => `${Math.round(value * 100)} %`,
  brightness: (value) => (2 ** value).toPrecision(2),
  gamma: (value) => value.toFixed(2),
  hue: (value) => `${Math.round(value * 360)}°`,
  zoom: (value) => `${(2 ** value).toPrecision(2)}×`,
  turn: (value) => `${Math.round(value)}°`,
};

function tell(id) {
  const slider = at(id), text = said[id](Number(slider.value));
  slider.parentElement.querySelector('output').textContent = text;
  slider.setAttribute('aria-valuetext', text);
}

/// Sliders stand where the flame is, but those that a hand has.
function tellSliders() {
  const values = {brightness: open.brightness, gamma: open.gamma, turn: open.rotate};
  for (const id of Object.keys(shown)) {
    if (gesture?.name !== id) at(id).value = shown[id](values[id] ?? 0);
    tell(id);
  }
  at('colors').style.background = `linear-gradient(90deg, ${open.palette})`;
}

// ---- by hand, on the picture ----

const fingers = new Map();
let held = null;  // how the fingers were when their number changed last

const middle = (points) => ({
  x: points.reduce((sum, p) => sum + p.x, 0) / points.length,
  y: points.reduce((sum, p) => sum + p.y, 0) / points.length,
});

function hold() {
  const points = [...fingers.values()];
  finish();
  if (points.length === 0) return held = null;
  const [a, b] = points;
  held = {
    middle: middle(points.slice(0, 2)),
    distance: b ? Math.hypot(b.x - a.x, b.y - a.y) : 0,
    angle: b ? Math.atan2(b.y - a.y, b.x - a.x) : 0,
    number: (held?.number ?? 0) + 1,
  };
}

function drag() {
  const box = at('picture').getBoundingClientRect();
  const points = [...fingers.values()].slice(0, 2);
  const now = middle(points), [a, b] = points;
  const what = {pan: [(now.x - held.middle.x) / box.width, (now.y - held.middle.y) / box.height]};
  if (b && held.distance > 0) {
    const factor = Math.hypot(b.x - a.x, b.y - a.y) / held.distance;
    what.zoom = [
      Math.min(100, Math.max(0.01, factor)), (now.x - box.x) / box.width,
      (now.y - box.y) / box.height
    ];
    what.turn = (Math.atan2(b.y - a.y, b.x - a.x) - held.angle) * 180 / Math.PI;
  }
  change(`fingers ${held.number}`, what);
}

function takeHand(canvas) {
  canvas.onpointerdown = (event) => {
    if (!open || event.button > 0) return;
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    hold();
  };
  canvas.onpointermove = (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    drag();
  };
  canvas.onpointerup = canvas.onpointercancel = (event) =>
      fingers.delete(event.pointerId) && hold();
  let wheeled = null;
  canvas.addEventListener('wheel', (event) => {
    if (!open) return;
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    if (gesture?.name !== 'wheel' || gesture.ended) wheeled = null;
    wheeled ??= {
      steps: 0,
      x: (event.clientX - box.x) / box.width,
      y: (event.clientY - box.y) / box.height
    };
    wheeled.steps = Math.max(-24, Math.min(24, wheeled.steps - Math.sign(event.deltaY) / 4));
    change('wheel', {zoom: [2 ** wheeled.steps, wheeled.x, wheeled.y]});
  }, {passive: false});
  const keys = {
    ArrowLeft: {pan: [0.05, 0]},
    ArrowRight: {pan: [-0.05, 0]},
    ArrowUp: {pan: [0, 0.05]},
    ArrowDown: {pan: [0, -0.05]},
    '+': {zoom: [1.2, 0.5, 0.5]},
    '-': {zoom: [1 / 1.2, 0.5, 0.5]},
    '[': {turn: -5},
    ']': {turn: 5},
  };
  let presses = 0;
  canvas.onkeydown = (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    release();
    change(`key ${++presses}`, keys[event.key]);
  };
}

/// `makes`: the picture as it shall be; `tells`: that another flame is open.
export function preparePlay(makes, tells) {
  begin = makes;
  changed = tells;
  for (const id of Object.keys(shown)) {
    let base = 0;
    at(id).onpointerdown = release;
    at(id).oninput = () => {
      if (gesture?.name !== id || gesture.ended) base = open?.rotate ?? 0;
      change(id, wanted[id](Number(at(id).value), base));
      tell(id);
    };
    at(id).onchange = release;
  }
  at('strength').oninput = () => tell('strength');
  tell('strength');
  at('palette').onclick = () => {
    release();
    change('palette', {palette: Math.floor(Math.random() * 2 ** 40)});
    release();
  };
  at('undo').onclick = () => undo(states, undone);
  at('redo').onclick = () => undo(undone, states);
  addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
    if (event.target.matches('input[type=text], input[type=number]')) return;
    event.preventDefault();
    event.shiftKey ? undo(undone, states) : undo(states, undone);
  });
  takeHand(at('picture'));
  hear({
    open: (answer) => {
      open = answer;
      if (states.length === 0) keep(open.xml);
      tellSliders();
      changed(open);
    },
    sketch: (picture) => {
      paint(at('picture'), picture);
      document.body.dataset.sketchMs = Math.round(performance.now() - asked);
      sketched();
    },
    unsketched: sketched,
  });
}
