// SPDX-License-Identifier: MIT
// The renderer beside the page: the WebAssembly module (web.cpp) in a thread of its own, which plays on in short steps between
// which it hears what the page wants.
'use strict';

const SHORTEST_MS = 60, LONGEST_MS = 400;  // of a step
const LATER = 2;                           // as much time has gone by at the next picture, times
const names = ['relaxed', 'simd128'];      // modules, the faster one first

let kiln = null;
let job = 0;          // what the page asked for last; steps of an older one end
let developMs = 0;    // that the last picture took
let lastPicture = 0;  // when it was made

/// The module of that name; null where the browser does not know its vectors, or the processor has no a b + c in one rounding.
async function open(name) {
  try {
    importScripts(`kiln_${name}.js`);
    const module = await self.kilnModule();
    const a = 1 + 2 ** -12;
    return name === 'simd128' || module._kiln_fuses(a, a, -(1 + 2 ** -11)) ? module : null;
  } catch {
    return null;
  }
}

/// What a function of web.cpp gives back. Throws what it says is wrong.
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

function showPicture(began) {
  const start = performance.now();
  const {at, width, height, ...rest} = ask('kiln_picture');
  lastPicture = performance.now();
  developMs = lastPicture - start;
  const pixels = bytesAt(at, 4 * width * height);
  tell(
      {is: 'picture', width, height, pixels, seconds: (lastPicture - began) / 1000, ...rest},
      [pixels]);
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

function begin({index, width, quality, bits}) {
  const size =
      ask('kiln_begin', ['number', 'number', 'number', 'number'], [index, width, quality, bits]);
  tell({is: 'begun', ...size});
  setTimeout(play, 0, job, SHORTEST_MS, performance.now());
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

onmessage = async ({data}) => {
  await opened;
  if (!kiln) return;
  job = data.job;
  answered(() => {
    if (data.does === 'load') tell({is: 'loaded', name: data.name, ...load(data)});
    if (data.does === 'begin') begin(data);
    if (data.does === 'png') {
      const {at, bytes} = ask('kiln_png');
      tell({is: 'png', file: bytesAt(at, bytes)});
    }
  });
};
