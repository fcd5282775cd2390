// SPDX-License-Identifier: MIT
// The room of the panel: its width (upright: its height), whether it is there, and which of its
// sections are folded. The browser keeps all of it for the next time.

import {byId, make} from '../base/elements.js';

const upright = matchMedia('(max-width: 820px) and (orientation: portrait)');
const leastPx = 150, keyPx = 20;
const least = {
  width: 264,
  height: 170
};

export class Layout {
  /// pressed(name, on) marks a button.
  constructor(pressed) {
    this.pressed = pressed;
    this.panel = byId('panel');
    this.sash = make('div', {
      id: 'sash',
      role: 'separator',
      tabindex: 0,
      title: 'Drag: more or less room; double-click: as it was at first',
      pointerdown: event => this.onDown(event),
      dblclick: () => this.forget(),
      keydown: event => this.onKey(event)
    });
    this.panel.prepend(this.sash);
    this.folds = new Folds(byId('pages'));
    for (const side of ['width', 'height']) this.put(side, localStorage.getItem(`panel-${side}`));
    upright.addEventListener('change', () => this.say());
    this.show(localStorage.getItem('panel') !== 'off');
  }

  get side() {
    return upright.matches ? 'height' : 'width';
  }

  get most() {
    return upright.matches ? 0.75 * innerHeight : 0.6 * innerWidth;
  }

  get size() {
    return this.panel.getBoundingClientRect()[this.side];
  }

  put(side, px) {
    if (px) document.body.style.setProperty(`--panel-${side}`, `${px}px`);
    this.say();
  }

  say() {
    const {side, sash} = this;
    sash.setAttribute('aria-orientation', side === 'width' ? 'vertical' : 'horizontal');
    sash.setAttribute('aria-label', `${side === 'width' ? 'Width' : 'Height'} of the panel`);
    sash.setAttribute('aria-valuenow', Math.round(this.size));
  }

  resize(px) {
    const {side} = this, inside = Math.round(Math.min(this.most, Math.max(least[side], px)));
    this.put(side, inside);
    localStorage.setItem(`panel-${side}`, inside);
  }

  forget() {
    for (const side of ['width', 'height']) {
      localStorage.removeItem(`panel-${side}`);
      document.body.style.removeProperty(`--panel-${side}`);
    }
    this.say();
  }

  show(shown) {
    document.body.classList.toggle('no-panel', !shown);
    this.pressed('panel', shown);
    localStorage.setItem('panel', shown ? 'on' : 'off');
  }

  /// At least so wide; what it was comes back with forget() or a drag of its edge.
  widen(px) {
    this.show(true);
    if (this.side === 'width' && this.size < px) this.resize(px);
  }

  toggle() {
    this.show(document.body.classList.contains('no-panel'));
  }

  // ---- hand and keys ----

  /// Far over its edge it goes; the button brings it back.
  onDown(event) {
    event.preventDefault();
    const {sash} = this, {bottom, right} = this.panel.getBoundingClientRect();
    const follow = moved => {
      const px = this.side === 'height' ? bottom - moved.clientY : right - moved.clientX;
      this.show(px > leastPx);
      if (px > leastPx) this.resize(px);
    };
    sash.setPointerCapture(event.pointerId);
    sash.addEventListener('pointermove', follow);
    sash.addEventListener(
        'lostpointercapture', () => sash.removeEventListener('pointermove', follow), {once: true});
  }

  onKey(event) {
    const step = {ArrowLeft: 1, ArrowUp: 1, ArrowRight: -1, ArrowDown: -1}[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    this.resize(this.size + step * keyPx);
  }
}

/// Headings of the panel's pages fold what is below them. Pages are built anew at any time, so what
/// comes is looked at; a fold is known by its page and its words.
class Folds {
  constructor(pages) {
    this.folded = new Set(JSON.parse(localStorage.getItem('folds') ?? '[]'));
    new MutationObserver(() => this.arrange(pages))
        .observe(pages, {childList: true, subtree: true});
    pages.addEventListener('reveal', event => this.reveal(event.target));
    this.arrange(pages);
  }

  arrange(pages) {
    for (const head of pages.querySelectorAll('h3:not(:has(> .fold))')) {
      const words = [...head.childNodes].find(node => node.nodeType === Node.TEXT_NODE);
      if (!words) continue;
      const button = make(
          'button', {type: 'button', class: 'fold', click: () => this.toggle(head)}, words.data);
      words.replaceWith(button);
    }
    for (const head of pages.querySelectorAll('h3:has(> .fold)')) this.apply(head);
  }

  nameOf(head) {
    return `${head.closest('[role=tabpanel]').id} ${head.querySelector('.fold').textContent}`;
  }

  /// What is below a heading, up to the next one.
  partsOf(head) {
    const parts = [];
    for (let part = head.nextElementSibling; part; part = part.nextElementSibling) {
      if (part.matches('h3') || part.querySelector('h3')) break;
      parts.push(part);
    }
    return parts;
  }

  apply(head) {
    const isFolded = this.folded.has(this.nameOf(head));
    head.querySelector('.fold').setAttribute('aria-expanded', String(!isFolded));
    for (const part of this.partsOf(head)) part.classList.toggle('folded', isFolded);
  }

  toggle(head) {
    const name = this.nameOf(head);
    if (!this.folded.delete(name)) this.folded.add(name);
    localStorage.setItem('folds', JSON.stringify([...this.folded]));
    this.apply(head);
  }

  /// A field that is looked for is shown.
  reveal(element) {
    const heads = [...byId('pages').querySelectorAll('h3:has(> .fold)')];
    const head = heads.find(one => this.partsOf(one).some(part => part.contains(element)));
    if (head && this.folded.has(this.nameOf(head))) this.toggle(head);
  }
}
