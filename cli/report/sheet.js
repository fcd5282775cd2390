// SPDX-License-Identifier: MIT
'use strict';
// The wall of kiln sheet. Pictures come into the page when they come into sight. Text of flames goes in as
// text alone.

const flames = JSON.parse(document.getElementById('flames').textContent);
const orders = JSON.parse(document.getElementById('orders').textContent);

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

const titleOf = (flame) => flame.name || `${flame.file} ${flame.index}`;
const header = document.querySelector('header');
const wall = document.querySelector('main');
const footer = document.querySelector('footer');

// ---- one flame ----

const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const image = entry.target.querySelector('img');
    if (entry.isIntersecting && !image.src) {
      image.src = `data:image/png;base64,${flames[entry.target.dataset.number].png}`;
    }
  }
}, {rootMargin: '600px'});

const tiles = flames.map((flame, number) => {
  const image = make('img', {alt: titleOf(flame), width: flame.width, height: flame.height});
  image.style.aspectRatio = `${flame.width} / ${flame.height}`;
  image.style.height = 'auto';
  const tile = make(
      'figure', {tabIndex: -1, title: titleOf(flame)}, image,
      make('figcaption', {textContent: titleOf(flame)}));
  tile.dataset.number = number;
  if (flame.twin !== undefined) tile.classList.add('twin');
  tile.addEventListener('focus', () => tell(flame));
  tile.addEventListener('dblclick', () => enlarge(flame));
  seen.observe(tile);
  return tile;
});

const copy = async (flame, button) => {
  try {
    await navigator.clipboard.writeText(flame.xml);
  } catch {  // a page that was opened as a file may not
    const area = make('textarea', {value: flame.xml});
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  button.textContent = 'Copied';
};

function tell(flame) {
  const button = make('button', {type: 'button', textContent: 'Copy the flame (c)'});
  button.addEventListener('click', () => copy(flame, button));
  footer.replaceChildren(
      make('b', {textContent: titleOf(flame)}),
      make('span', {textContent: `${flame.file}, flame ${flame.index}`}),
      make('span', {textContent: `${flame.width} x ${flame.height}, quality ${flame.quality}`}),
      make('span', {textContent: `${flame.xforms} xforms: ${flame.variations.join(', ')}`}),
      button);
  if (flame.twin !== undefined) {
    footer.append(make('span', {
      className: 'note',
      textContent: `${flame.how} ${titleOf(flames[flame.twin])}`,
    }));
  }
}

function enlarge(flame) {
  const dialog = make(
      'dialog', {}, make('img', {src: `data:image/png;base64,${flame.png}`, alt: titleOf(flame)}));
  dialog.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// ---- which, and in which order ----

const keys = {
  name: (flame) => titleOf(flame),
  brightness: (flame) => -flame.light,
  color: (flame) => flame.hue,
  xforms: (flame) => flame.xforms,
};

const orderBy = (how) => {
  const numbers = flames.map((flame, number) => number);
  if (how === orders.first) return orders.order;
  if (how === 'similarity') return orders.similarity;
  if (!keys[how]) return numbers;
  const key = keys[how];
  return numbers.sort((a, b) => {
    const [x, y] = [key(flames[a]), key(flames[b])];
    return x < y ? -1 : x > y ? 1 : a - b;
  });
};

const search = make('input', {type: 'search', placeholder: 'Name, file or variation  (/)'});
const order = make(
    'select', {title: 'Order'},
    ...['file', 'name', 'brightness', 'color', 'similarity', 'xforms'].map(
        (how) => make(
            'option', {value: how, textContent: `by ${how}`, selected: how === orders.first})));
const twins = make('input', {type: 'checkbox', checked: true});
const side =
    make('input', {type: 'range', min: 80, max: 500, value: 200, title: 'Size of pictures'});
const count = make('span');
header.append(search, order, make('label', {}, twins, ' twins'), side, count);

const fits = (flame, words) => {
  const text = `${flame.name} ${flame.file} ${flame.variations.join(' ')}`.toLowerCase();
  return words.every((word) => text.includes(word)) && (twins.checked || flame.twin === undefined);
};

function show() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = orderBy(order.value).filter((number) => fits(flames[number], words));
  wall.replaceChildren(...shown.map((number) => tiles[number]));
  count.textContent = `${shown.length} of ${flames.length}`;
  for (const tile of tiles) tile.tabIndex = -1;
  if (wall.firstChild) wall.firstChild.tabIndex = 0;
}

search.addEventListener('input', show);
order.addEventListener('change', show);
twins.addEventListener('change', show);
side.addEventListener(
    'input', () => document.documentElement.style.setProperty('--side', `${side.value}px`));

// ---- keys ----

const columns = () => getComputedStyle(wall).gridTemplateColumns.split(' ').length;

document.addEventListener('keydown', (event) => {
  if (document.querySelector('dialog') || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === search) {
    if (event.key === 'Escape' || event.key === 'Enter') wall.firstChild?.focus();
    return;
  }
  if (event.key === '/') {
    event.preventDefault();
    search.focus();
    return;
  }
  const shown = [...wall.children];
  const at = shown.indexOf(document.activeElement);
  const steps = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns(),
    ArrowUp: -columns(),
    Home: -shown.length,
    End: shown.length
  };
  if (event.key in steps && event.target.tagName !== 'SELECT' && event.target !== side) {
    event.preventDefault();
    const to = Math.min(Math.max(at + steps[event.key], 0), shown.length - 1);
    shown[to]?.focus();
    return;
  }
  if (at < 0) return;
  const flame = flames[shown[at].dataset.number];
  if (event.key === 'Enter') enlarge(flame);
  if (event.key === 'c') copy(flame, footer.querySelector('button'));
});

show();
