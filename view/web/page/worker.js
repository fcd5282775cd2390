// SPDX-License-Identifier: MIT
// The renderer beside the page: the WebAssembly module (web.cpp, play.cpp) in a thread of its own, which plays on in short steps
// between which it hears what the page wants. The page has one for its picture, and others that make small pictures.
'use strict';

const SHORTEST_MS = 60, LONGEST_MS = 400;  // of a step
const LATER = 2;                           // as much time has gone by at the next picture, times
const SKETCH_MS = 70;                      // of a picture under the hand
const SKETCH_QUALITY = 12;                 // its samples a pixel
const names = ['relaxed', 'simd128'];      // modules, the faster one first

let kiln = null;
let job = 0;               // what the page asked for last; steps of an older one end
let developMs = 0;         // that the last picture took
let lastPicture = 0;       // when it was made
let sketchPixels = 60000;  // as many as are made in SKETCH_MS, about

/// The module of that name; null where the browser does not know its vectors, or the processor has no a b + c in one rounding.
async function open(name) {
  try {
    importScripts('kiln.js');
    const module = await self.kilnModule({locateFile: () => `kiln_${name}.wasm`});
    const a = 1 + 2 ** -12;
    return name === 'simd128' || module._kiln_fuses(a, a, -(1 + 2 ** -11)) ? module : null;
  } catch {
    return null;
  }
}

/// What a function of the module gives back. Throws what it says is wrong.
function ask(name, types = [], values = []) {
  const answer = JSON.parse(kiln.ccall(name, 'string', types, values));
  if (answer.error) throw new Error(answer.error);
  return answer;
}

/// An answer to what the page asked for last.
const tell = (message, moved = []) => postMessage({job, ...message}, moved);

/// A copy of the module's bytes, which travels without another one.
const bytesAt = (at, count) => kiln.HEAPU8.slice(at, at + count).buffer;

function load({bytes, name}) {
  const at = kiln._malloc(bytes.byteLength + 1);
  kiln.HEAPU8.set(new Uint8Array(bytes), at);
  try {
    return ask('kiln_load', ['number', 'number', 'string'], [at, bytes.byteLength, name]);
  } finally {
    kiln._free(at);
  }
}

/// Texts of any length: those of ccall lie on the stack.
function askWith(name, text) {
  const bytes = new TextEncoder().encode(text);
  const at = kiln._malloc(bytes.length + 1);
  kiln.HEAPU8.set(bytes, at);
  kiln.HEAPU8[at + bytes.length] = 0;
  try {
    return ask(name, ['number'], [at]);
  } finally {
    kiln._free(at);
  }
}

function pixelsOf({at, width, height, ...rest}) {
  const pixels = bytesAt(at, 4 * width * height);
  return {width, height, pixels, ...rest};
}

function showPicture(began) {
  const start = performance.now();
  const {pixels, ...rest} = pixelsOf(ask('kiln_picture'));
  lastPicture = performance.now();
  developMs = lastPicture - start;
  tell({is: 'picture', pixels, seconds: (lastPicture - began) / 1000, ...rest}, [pixels]);
  return rest.settled;
}

/// Plays a little, shows the picture where that is worth its time, and comes again.
function play(mine, ms, began) {
  if (mine !== job) return;
  answered(() => {
    const step = ask('kiln_step', ['number'], [ms]);
    const now = performance.now();
    tell({is: 'progress', done: step.done, seconds: (now - began) / 1000});
    const due = lastPicture < began || now - began > LATER * (lastPicture - began) + 3 * developMs;
    if ((step.complete || (due && step.done > 0)) && showPicture(began)) return;
    setTimeout(play, 0, mine, Math.min(LONGEST_MS, 1.3 * ms), began);
  });
}

function begin({width, quality, bits}) {
  const size = ask('kiln_begin', ['number', 'number', 'number'], [width, quality, bits]);
  tell({is: 'begun', ...size});
  setTimeout(play, 0, job, SHORTEST_MS, performance.now());
}

/// A picture at once, about as large as fits the time for it.
function sketch() {
  const start = performance.now();
  const {pixels, width, height} = pixelsOf(
      ask('kiln_sketch', ['number', 'number'], [sketchPixels, SKETCH_QUALITY * sketchPixels]));
  const ms = performance.now() - start;
  sketchPixels = Math.min(250000, Math.max(12000, sketchPixels * Math.min(1.5, SKETCH_MS / ms)));
  tell({is: 'sketch', width, height, pixels, ms}, [pixels]);
}

/// A change by hand. The page waits for its sketch, which may fail.
function change({wanted}) {
  try {
    tell({is: 'open', ...askWith('kiln_change', JSON.stringify(wanted))});
    sketch();
  } catch (error) {
    tell({is: 'unsketched'});
    throw error;
  }
}

function tile({wanted, place}) {
  const {pixels, ...rest} = pixelsOf(askWith('kiln_tile', JSON.stringify(wanted)));
  tell({is: 'tile', place, pixels, ...rest}, [pixels]);
}

/// Does it; what is wrong goes to the page.
function answered(work) {
  try {
    work();
  } catch (error) {
    tell({is: 'error', text: error.message});
  }
}

const opened = (async () => {
  for (const name of names) {
    kiln = await open(name);
    if (kiln) return postMessage({is: 'ready', module: name});
  }
  postMessage({
    is: 'error',
    text: 'This browser has no WebAssembly with SIMD and exceptions; a newer one has.'
  });
})();

const does = {
  load: (data) => tell({is: 'loaded', name: data.name, ...load(data)}),
  take: ({index}) => tell({is: 'open', ...ask('kiln_take', ['number'], [index])}),
  change,
  begin,
  stop: () => {},
  link: ({base}) => tell({is: 'link', ...ask('kiln_link', ['string'], [base])}),
  png: () => {
    const {at, bytes} = ask('kiln_png');
    tell({is: 'png', file: bytesAt(at, bytes)});
  },
  tile,
};

onmessage = async ({data}) => {
  await opened;
  if (!kiln) return;
  job = data.job;
  answered(() => does[data.does](data));
};
