// SPDX-License-Identifier: MIT
// Elements of the page from plain data. Whatever comes from files or the program goes in as text
// or as an attribute, never as HTML.

const svgSpace = 'http://www.w3.org/2000/svg';
const holdMs = 500;

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function')
      element.addEventListener(name, value);
    else if (value === true)
      element.setAttribute(name, '');
    else if (value !== undefined && value !== false && value !== null)
      element.setAttribute(name, value);
  }
  element.append(...children.filter(child => child !== undefined && child !== null));
  return element;
}

/// make('button', {class: 'quiet', click: act}, 'Take it'): attributes, listeners, children.
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function makeSvg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(svgSpace, tag), attributes, children);
}

/// One of the signs that index.html draws.
export function sign(name) {
  return makeSvg(
      'svg', {class: 'sign', 'aria-hidden': 'true', viewBox: '0 0 20 20'},
      makeSvg('use', {href: '#sign-' + name}));
}

/// A button that shows a sign and says its name to those who cannot see it.
export function signButton(name, says, act, attributes = {}) {
  return make(
      'button',
      {type: 'button', class: 'quiet', title: says, 'aria-label': says, click: act, ...attributes},
      sign(name));
}

/// A small button with words.
export function textButton(says, act, attributes = {}) {
  return make('button', {type: 'button', class: 'small', click: act, ...attributes}, says);
}

/// The click of a finger that is lifted is nothing any more, whatever lies under it by then.
function takeNoClick() {
  const take = event => event.detail > 0 && (event.stopPropagation(), event.preventDefault());
  addEventListener('click', take, {capture: true});
  addEventListener(
      'pointerdown', () => removeEventListener('click', take, {capture: true}),
      {capture: true, once: true});
}

/// Listeners of what a finger that stays on it does: not every browser has a menu there to replace.
export function held(act) {
  let timer = 0;
  const stop = () => clearTimeout(timer);
  const holds = () => {
    takeNoClick();
    act();
  };
  return {
    pointerdown: ({pointerType}) => {
      if (pointerType !== 'mouse') timer = setTimeout(holds, holdMs);
    },
    pointerup: stop,
    pointercancel: stop,
    pointerleave: stop,
    contextmenu: event => event.pointerType !== 'mouse' && event.preventDefault()
  };
}

/// Word by word what a select offers; `value` is the chosen one.
export function choice(label, words, act) {
  const select = make(
      'select', {'aria-label': label, change: () => act(select.value)},
      ...words.map(word => make('option', {value: word}, word)));
  return select;
}

/// Buttons of which one is pressed; act(value) on a press. Returns the element; show(value) marks one.
export function segments(label, entries, act) {
  const buttons = entries.map(
      ([value, says, title]) => make(
          'button', {type: 'button', 'data-value': value, title, click: () => act(value)}, says));
  const group = make('div', {class: 'segments', role: 'group', 'aria-label': label}, ...buttons);
  group.show = value => {
    for (const button of buttons)
      button.setAttribute('aria-pressed', button.dataset.value === String(value));
  };
  return group;
}

export const byId = id => document.getElementById(id);
