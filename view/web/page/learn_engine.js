// SPDX-License-Identifier: MIT
// kiln's engine for learn.html: one worker, which makes one picture after the other; of each step of the page the newest is wanted.
'use strict';

self.kilnEngine = (() => {
  const waiting = new Map();  // what is wanted, by step
  let worker = null;
  let job = 0;
  let now = null;    // what is made
  let refusal = '';  // why nothing can be

  function ended() {
    now = null;
    next();
  }

  const heard = {
    ready: ({module}) => self.kilnKeep(module),
    link: ({link}) => now.linked?.(link),
    picture: (picture) => {
      const mine = now;
      if (picture.settled) ended();
      mine.show(picture);
    },
    error: ({text}) => {
      const mine = now;
      if (mine) ended();
      mine?.failed(text);
    },
  };

  function fail(text) {
    refusal = text;
    for (const wanted of [now, ...waiting.values()]) wanted?.failed(text);
    waiting.clear();
    now = null;
  }

  function start() {
    if (location.protocol === 'file:') {
      const folder = decodeURIComponent(location.pathname).replace(/\/[^/]*$/, '');
      return fail(
          `Browsers do not let a page from disk render; steps 1 to 4 work here. For all of it, in a terminal: python3 -m http.server -d '${
              folder}' and then open http://localhost:8000/learn.html`);
    }
    worker = new Worker('worker.js');
    worker.onmessage = ({data}) => {
      if (data.is === 'error' && data.job === undefined) return fail(data.text);
      if (data.is === 'ready' || (now && data.job === job)) heard[data.is]?.(data);
    };
    worker.onerror = (event) => fail(`The renderer stopped: ${event.message}. Reload the page.`);
  }

  function next() {
    if (now || refusal) return;
    const [step, wanted] = waiting.entries().next().value ?? [];
    if (!wanted) return;
    waiting.delete(step);
    now = wanted;
    now.step = step;
    const bytes = new TextEncoder().encode(wanted.xml).buffer;
    const send = (does, what, moved = []) => worker.postMessage({does, job, ...what}, moved);
    ++job;
    send('load', {bytes, name: 'learned.flam3'}, [bytes]);
    send('take', {index: 0});
    if (wanted.linked) send('link', {base: ''});
    send('begin', {width: wanted.width, quality: wanted.quality, bits: 8});
  }

  /// Makes {xml, width, quality} for a step, in place of what it wanted before: show(picture), failed(text), linked(link).
  function render(step, wanted) {
    if (!worker && !refusal) start();
    if (refusal) return wanted.failed(refusal);
    drop(step);
    waiting.set(step, wanted);
    next();
  }

  function drop(step) {
    waiting.delete(step);
    if (now?.step !== step) return;
    ++job;  // its answers are not heard any more, and the worker goes on to the next one
    now = null;
  }

  /// The step wants no picture any more.
  function forget(step) {
    drop(step);
    next();
  }

  return {render, forget};
})();
