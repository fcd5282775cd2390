// How the page of comparisons looks and what its script does: each case gets a stage, on which the
// first two pictures lie above each other with a movable cut, or any one of them alone.
#include "cli/report/compare_report.h"

namespace kiln::cli {

const char* const report_style = R"css(
:root { color-scheme: dark; --ink: #d9d6d0; --quiet: #8f8b84; --ground: #141312; --raised: #1d1b1a;
  --line: #302d2b; --good: #7fae86; --noise: #c9a95c; --bad: #d9775f; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1500px; padding: 2rem 1.5rem 4rem; background: var(--ground);
  color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.3rem; font-weight: 600; margin: 0; overflow-wrap: anywhere; }
header p { color: var(--quiet); margin: .2rem 0 1.5rem; }
.case { border-top: 1px solid var(--line); }
.case:last-child { border-bottom: 1px solid var(--line); }
summary { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; align-items: baseline; padding: .55rem .3rem;
  cursor: pointer; }
summary:hover { background: var(--raised); }
.verdict { flex: 0 0 9.5rem; font-weight: 600; color: var(--bad); }
.identical .verdict { color: var(--good); }
.same-distribution .verdict, .within-limits .verdict { color: var(--noise); }
.name { flex: 1 1 12rem; overflow-wrap: anywhere; }
.fact { min-width: 11rem; text-align: right; color: var(--quiet); font-variant-numeric: tabular-nums; }
.fact b { color: var(--ink); font-weight: 500; }
.body { padding: .3rem .3rem 1.6rem; }
.note { margin: 0 0 .8rem; }
table { border-collapse: collapse; margin-top: 1rem; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 400; color: var(--quiet); padding: .1rem 1.5rem .1rem 0; }
td { overflow-wrap: anywhere; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(170px, 1fr)); gap: .8rem; }
figure { margin: 0; }
figure img { display: block; width: 100%; background: #000; border: 1px solid var(--line); }
figcaption { color: var(--quiet); font-size: .85rem; padding-top: .2rem; overflow-wrap: anywhere; }
figure.pick { cursor: pointer; }
figure.pick:hover img, figure.shown img { border-color: var(--quiet); }
figure.shown figcaption { color: var(--ink); }
.stage { position: relative; overflow: auto; max-height: 78vh; background: #000; border: 1px solid var(--line); }
.sheet { position: relative; width: 100%; }
.sheet img { display: block; width: 100%; }
.sheet img + img { position: absolute; inset: 0; clip-path: inset(0 0 0 var(--cut)); }
.sheet .edge { position: absolute; top: 0; bottom: 0; left: var(--cut); width: 1px; background: #fffa; }
.alone img + img, .alone .edge { display: none; }
.sharp img { image-rendering: pixelated; }
.controls { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: center; padding: .5rem 0 1rem;
  color: var(--quiet); font-size: .9rem; }
.controls input { flex: 1 1 14rem; accent-color: var(--quiet); }
button { font: inherit; color: var(--ink); background: var(--raised); border: 1px solid var(--line);
  padding: .1rem .7rem; cursor: pointer; }
button[aria-pressed=true] { border-color: var(--quiet); }
)css";

const char* const report_script = R"js(
'use strict';
const make = (name, parent, properties) => parent.appendChild(Object.assign(document.createElement(name), properties));
function stage(body, figures) {
  const box = document.createElement('div'), controls = document.createElement('div');
  const pictures = [...figures.querySelectorAll('figure')];
  const labels = pictures.map(figure => figure.querySelector('img').alt);
  box.className = 'stage';
  controls.className = 'controls';
  figures.before(box, controls);
  const sheet = make('div', box, {className: 'sheet'});
  const below = make('img', sheet, {alt: ''}), above = make('img', sheet, {alt: ''});
  make('div', sheet, {className: 'edge'});
  make('span', controls, {textContent: labels[0]});
  const cut = make('input', controls, {type: 'range', min: 0, max: 100, step: 0.1, value: 50});
  cut.setAttribute('aria-label', 'cut between ' + labels[0] + ' and ' + labels[1]);
  make('span', controls, {textContent: labels[1]});
  const source = i => pictures[i].querySelector('img').src;
  function slide() {
    sheet.classList.remove('alone');
    below.src = source(0);
    above.src = source(1);
    sheet.style.setProperty('--cut', cut.value + '%');
    pictures.forEach((figure, k) => figure.classList.toggle('shown', k < 2));
  }
  function show(i) {
    sheet.classList.add('alone');
    below.src = source(i);
    pictures.forEach((figure, k) => figure.classList.toggle('shown', k === i));
  }
  const sizes = [['fit', () => '100%'], ['1:1', () => below.naturalWidth / devicePixelRatio + 'px'],
                 ['4:1', () => 4 * below.naturalWidth / devicePixelRatio + 'px']];
  const buttons = sizes.map(([name, width]) => make('button', controls, {textContent: name, type: 'button', onclick() {
    sheet.style.width = width();
    sheet.classList.toggle('sharp', name !== 'fit');
    buttons.forEach(button => button.setAttribute('aria-pressed', button === this));
  }}));
  cut.addEventListener('input', slide);
  box.addEventListener('pointermove', event => {
    if (!event.buttons || sheet.classList.contains('alone')) return;
    const frame = sheet.getBoundingClientRect();
    cut.value = 100 * (event.clientX - frame.left) / frame.width;
    slide();
  });
  box.addEventListener('dragstart', event => event.preventDefault());
  pictures.forEach((figure, i) => {
    figure.classList.add('pick');
    figure.tabIndex = 0;
    figure.onclick = () => show(i);
    figure.onkeydown = event => { if (event.key === 'Enter') show(i); };
  });
  slide();
  buttons[0].click();
}
for (const body of document.querySelectorAll('.body')) {
  const figures = body.querySelector('.figures'), details = body.parentElement;
  if (!figures || figures.children.length < 2) continue;
  const begin = () => { if (details.open && !body.querySelector('.stage')) stage(body, figures); };
  details.addEventListener('toggle', begin);
  begin();
}
)js";

}  // namespace kiln::cli
