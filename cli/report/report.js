// SPDX-License-Identifier: MIT
'use strict';
const make = (name, parent, properties) =>
    parent.appendChild(Object.assign(document.createElement(name), properties));
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
  const sizes = [
    ['fit', () => '100%'], ['1:1', () => below.naturalWidth / devicePixelRatio + 'px'],
    ['4:1', () => 4 * below.naturalWidth / devicePixelRatio + 'px']
  ];
  const buttons =
      sizes.map(([name, width]) => make('button', controls, {
                  textContent: name,
                  type: 'button',
                  onclick() {
                    sheet.style.width = width();
                    sheet.classList.toggle('sharp', name !== 'fit');
                    buttons.forEach(button => button.setAttribute('aria-pressed', button === this));
                  }
                }));
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
    figure.onkeydown = event => {
      if (event.key === 'Enter') show(i);
    };
  });
  slide();
  buttons[0].click();
}
for (const body of document.querySelectorAll('.body')) {
  const figures = body.querySelector('.figures'), details = body.parentElement;
  if (!figures || figures.children.length < 2) continue;
  const begin = () => {
    if (details.open && !body.querySelector('.stage')) stage(body, figures);
  };
  details.addEventListener('toggle', begin);
  begin();
}
