// SPDX-License-Identifier: MIT
// The page: what is dropped, chosen and asked goes to the renderer, what it answers is shown.
import {ask, at, clearErrors, hear, offer, paint, say} from './base.js';
import {flame, preparePlay, started} from './play.js';
import {samples} from './samples.js';
import {linked, prepareSend} from './send.js';
import {prepareWall} from './wall.js';

const MOST_WIDTH = 1280, MOST_PIXELS = 1280 * 720,
      MOST_QUALITY = 100;  // that are rendered without being asked for

let flames = [];
let title = '';     // of the flame, for its files
let isNew = false;  // the sizes are not asked for yet
let size = null;    // of the picture that is made

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
  let answer = null;
  try {
    answer = await fetch(`samples/${name}.flam3`);
  } catch {
    return say(`samples/${name}.flam3 is not here: there is no network`, true);
  }
  if (answer.ok)
    open(await answer.arrayBuffer(), `${name}.flam3`);
  else
    say(`samples/${name}.flam3: the server says ${answer.status}; the folder is not complete`,
        true);
}

/// Opens what the address says behind its #: a link's flame, or the name of a sample.
function openAddress() {
  const link = linked();
  if (link) {
    at('sample').value = '';
    return open(new TextEncoder().encode(link).buffer, 'link');
  }
  const name = location.hash.slice(1) || 'conch';
  at('sample').value = name;
  if (samples.includes(name)) return openSample(name);
  say(`#${name}: there is no sample of this name; links to flames have f1= in them`, true);
  openSample('conch');
}

/// What is wrong with a field, by its name; empty: nothing.
function wrongIn(id, label, least, most, whole) {
  const field = at(id), value = Number(field.value);
  const isFine = field.value !== '' && field.validity.badInput === false && value >= least &&
      value <= most && (!whole || Number.isInteger(value));
  field.setAttribute('aria-invalid', !isFine);
  const given = field.value === '' ? 'what stands there is no number' : `not ${field.value}`;
  return isFine ?
      '' :
      `${label} must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}; ${given}`;
}

function begin() {
  clearErrors();
  const wrong = [
    wrongIn('width', 'Width', 1, 20000, true), wrongIn('quality', 'Quality', 0.01, 1000000, false)
  ].filter((text) => text);
  for (const text of wrong) say(text, true);
  if (!flame() || wrong.length > 0) return;
  at('save').disabled = true;
  at('hash-line').hidden = true;
  at('stop').disabled = false;
  at('state').textContent = 'The points settle ...';
  at('picture').style.setProperty('--width', at('width').value);
  size = {
    width: Number(at('width').value),
    quality: Number(at('quality').value),
    bits: Number(at('bits').value)
  };
  ask('begin', size);
}

function stop() {
  ask('stop');
  at('stop').disabled = true;
  at('state').textContent =
      `Stopped at ${Math.floor(100 * at('progress').value)} %; Render goes on.`;
}

/// The command that makes the same picture.
function command() {
  const word = /^[\w.,+-]+$/.test(title) ? title : `'${title.replaceAll('\'', '\'\\\'\'')}'`;
  const number = flames.length > 1 && isOfFile ? ` --flame ${at('flame').value}` : '';
  return `kiln render ${word}${number} --width ${size.width} --quality ${size.quality}${
      size.bits === 16 ? ' --bits 16' : ''}`;
}

let fileName = '';     // of the flames
let isOfFile = false;  // the flame is as its file has it
let fileXml = '';      // how that is

const stem = () => title.replace(/\.(flam3|flame|xml|png|kiln)$/i, '');

let isChosen = false;  // the width, by hand
let shape = 0;         // of the flame

/// A width of which a browser makes a picture in some seconds.
const widthFor = ({width, height}) =>
    Math.min(width, MOST_WIDTH, Math.max(1, Math.round(Math.sqrt(MOST_PIXELS * width / height))));

/// Another flame is open, or the same one changed.
function opened(state) {
  if (isNew) {
    fileXml = state.xml;
    isChosen = false;
    at('quality').value = Math.min(state.quality, MOST_QUALITY);
  }
  if (isNew || (shape !== state.width / state.height && !isChosen))
    at('width').value = widthFor(state);
  shape = state.width / state.height;
  const width = Number(at('width').value) || state.width;
  at('picture').style.setProperty('--width', width);
  at('picture').style.setProperty('--shape', shape);
  isOfFile = state.xml === fileXml;
  if (!isOfFile) at('sample').value = '';
  title = isOfFile ? fileName : `${state.name || 'flame'}.flam3`;
  document.title = `${stem()} - kiln`;
  at('send').disabled = at('save-flame').disabled = false;
  at('save').disabled = true;
  at('hash-line').hidden = true;
  at('link-line').hidden = true;
  at('progress').value = 0;
  if (isNew) begin();
  isNew = false;
}

hear({
  ready: ({module}) => {
    document.body.dataset.module = module;
    self.kilnKeep(module);
  },
  loaded: (answer) => {
    flames = answer.flames;
    fileName = answer.title ? `${answer.title}.flam3` : answer.name;
    for (const warning of answer.warnings) say(warning);
    fill(at('flame'), flames.map((flame, index) => flame.name || `flame ${index + 1}`));
    at('flame-label').hidden = flames.length < 2;
    choose();
  },
  begun: ({width, height, done}) => {
    at('picture').setAttribute('aria-label', `The picture, ${width} by ${height} pixels`);
    at('progress').value = done;
  },
  progress: ({done, seconds}) => {
    const gone = done - at('progress').value;
    at('progress').value = done;
    const rest =
        done > 0 && gone > 0 ? `, about ${Math.ceil(seconds * (1 - done) / done)} s to go` : '';
    at('state').textContent = `${Math.floor(100 * done)} % after ${seconds.toFixed(1)} s${rest}`;
  },
  picture: ({settled, hash, samples: count, seconds, ...picture}) => {
    paint(at('picture'), picture);
    if (!settled) return;
    at('picture').setAttribute('aria-busy', false);
    const {width, height} = picture;
    at('state').textContent = `Settled after ${seconds.toFixed(1)} s: ${width} by ${
        height} pixels, ${(count / 1e6).toFixed(1)} million samples.`;
    at('settled').textContent = `The picture is finished, ${width} by ${height} pixels`;
    at('hash').textContent = hash;
    at('command').textContent = command();
    at('hash-line').hidden = false;
    at('save').disabled = false;
    at('stop').disabled = true;
  },
  png: ({file}) => offer(file, `${stem()}.png`, 'image/png'),
  error: ({text}) => {
    at('state').textContent = '';
    at('stop').disabled = true;
    say(text, true);
  },
});

function choose() {
  isNew = true;
  started();
  ask('take', {index: Number(at('flame').value)});
}

preparePlay(begin, opened);
prepareWall();
prepareSend(stem);

at('file').onchange = () => openFile(at('file').files[0]);
at('sample').onchange = () => at('sample').value && openSample(at('sample').value);
at('flame').onchange = choose;
at('form').onsubmit = (event) => {
  event.preventDefault();
  begin();
};
at('width').oninput = () => isChosen = true;
at('stop').onclick = stop;
at('save').onclick = () => ask('png');
at('save-flame').onclick = () =>
    offer(`<flames>\n${flame().xml}</flames>\n`, `${stem()}.flam3`, 'application/xml');
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
addEventListener('hashchange', openAddress);

at('sample').replaceChildren(new Option('', ''), ...samples.map((name) => new Option(name, name)));
if (location.protocol !== 'file:')
  openAddress();  // disk.js says what to do; Firefox runs this there
