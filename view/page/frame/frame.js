// SPDX-License-Identifier: MIT
// What stands around the picture: the tabs of the panel, the line of the status, the notice.

import {byId, make} from '../base/elements.js';

import {cleanedAlone} from './proof.js';

const noticeMs = 5000;
const lateMs = 2000;  // for a picture after an edit

const roomy = matchMedia('(min-width: 1100px)');  // for two pages beside each other

/// Pages of the panel; arrow keys go from tab to tab.
export class Tabs {
  /// pages: [[name, element], ...]
  constructor(pages) {
    this.names = pages.map(([name]) => name);
    this.tabs = this.names.map(
        name => make(
            'button', {
              type: 'button',
              role: 'tab',
              id: 'tab-' + name,
              'aria-controls': 'page-' + name,
              click: () => this.show(name),
              keydown: event => this.onKey(event)
            },
            name));
    this.pages = pages.map(
        ([name, element]) => make(
            'div', {role: 'tabpanel', id: 'page-' + name, 'aria-labelledby': 'tab-' + name},
            element));
    byId('tabs').replaceChildren(...this.tabs);
    byId('pages').replaceChildren(...this.pages);
    const kept = sessionStorage.getItem('tab');  // of this browser's tab, over a reload
    this.stays = this.names.indexOf(localStorage.getItem('page-that-stays'));  // -1: none
    this.show(this.names.includes(kept) ? kept : this.names[0]);
  }

  get isTwo() {
    return this.stays >= 0;
  }

  /// This page stays beside the one that is chosen by the tabs, where the screen has the room; none: there is one page.
  stay(name) {
    this.stays = this.names.indexOf(name);
    localStorage.setItem('page-that-stays', name ?? '');
    const isIt = this.stays === this.index;
    this.show(this.names[isIt ? (this.index + 1) % this.names.length : this.index]);
  }

  show(name, focus = false) {
    const wanted = this.names.indexOf(name);
    if (wanted === this.stays && this.index !== undefined && this.index !== wanted && roomy.matches)
      return focus && this.tabs[wanted].focus();  // it is there already
    this.index = wanted;
    this.tabs.forEach((tab, i) => {
      tab.setAttribute('aria-selected', String(i === this.index));
      tab.classList.toggle('stays', i === this.stays);
      tab.tabIndex = i === this.index ? 0 : -1;
      this.pages[i].hidden = i !== this.index && i !== this.stays;
      this.pages[i].classList.toggle('stays', i === this.stays && i !== this.index);
    });
    byId('pages').classList.toggle('two', this.isTwo && this.index !== this.stays);
    sessionStorage.setItem('tab', name);
    return focus && this.tabs[this.index].focus();
  }

  onKey(event) {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const from = this.tabs.indexOf(event.currentTarget), count = this.names.length;
    this.show(this.names[(from + step + count) % count], true);
  }
}

/// How far the picture is, what it took, its hash when it is finished.
export class Status {
  welcome({device, version}) {
    byId('device').textContent = `${device} · kiln ${version}`;
  }

  /// Of the finished picture so much has come over a slow network.
  coming(share) {
    this.answered();
    this.quality = `finished, on its way: ${Math.floor(100 * share)} %`;
  }

  /// After an edit no older picture is the finished one.
  edited() {
    this.finished(false, '');
    if (this.quality.startsWith('finished')) this.quality = 'edited';
    this.await();
  }

  await() {
    this.late ??= setTimeout(() => this.notShown('no picture of it yet'), lateMs);
  }

  /// Why the picture is not that of the flame.
  notShown(reason) {
    this.answered();
    this.finished(false, '');
    this.quality = `not shown: ${reason}`;
    document.body.classList.add('not-shown');
  }

  gone() {
    this.answered();
    this.finished(false, '');
    this.quality = 'no answer from the program';
  }

  answered() {
    clearTimeout(this.late);
    this.late = undefined;
    document.body.classList.remove('not-shown');
  }

  get quality() {
    return byId('quality').textContent;
  }

  set quality(text) {
    byId('quality').textContent = byId('quality').title = text;
  }

  finished(settled, hash, alone = false) {
    document.body.classList.toggle('settled', settled);
    const place = byId('hash');
    place.textContent = hash.slice(0, 12);
    const of = alone ? cleanedAlone : 'as kiln render says it';
    place.title = hash && `hash of the pixels, ${of}: ${hash}`;
    place.dataset.hash = hash;
    place.dataset.alone = alone ? 'alone' : '';
  }

  /// The flame is again what it was when the newest picture came.
  again(newestEdit) {
    if (this.head) this.picture(this.head, newestEdit);
  }

  picture(head, newestEdit) {
    this.head = head;
    this.answered();
    if (head.number !== newestEdit) this.await();
    const settled = head.settled && head.number === newestEdit;
    this.finished(settled, settled ? head.hash ?? '' : '', settled && head.alone);
    this.quality = settled ? `finished, quality ${shown(head.of)}` :
                             `quality ${shown(head.quality)} of ${shown(head.of)}`;
    byId('progress').style.setProperty('--part', share(head));
    byId('time').textContent = `${head.width} × ${head.height} · ${duration(head.ms)}`;
  }
}

const duration = ms =>
    (ms < 10 ? `${ms.toFixed(1)} ms` :
         ms < 1000 ? `${Math.round(ms)} ms` :
                     `${(ms / 1000).toFixed(1)} s`);
const shown = quality => String(Number(quality.toPrecision(3)));

/// Qualities grow by factors, so the line grows with their logarithm.
const share = ({quality, of}) => (of <= 1 ? 1 : Math.min(1, Math.log1p(quality) / Math.log1p(of)));

/// One quiet line over the picture; what `stays` does until it is cleared or another one comes.
export class Notice {
  constructor(element) {
    this.element = element;
  }

  say(kind, text, stays = false) {
    clearTimeout(this.timer);
    this.element.textContent = text;
    this.element.className = kind;
    if (!stays) this.timer = setTimeout(() => this.clear(), noticeMs);
  }

  clear() {
    this.element.textContent = '';
  }
}
