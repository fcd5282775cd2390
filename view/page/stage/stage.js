// SPDX-License-Identifier: MIT
// What the stage does beside showing the picture: all of it or pixel by pixel, the lock of the
// camera, lines to compose by, a loupe, and the picture alone on the screen. Lock and lines stay as
// they are for the next time.

import {byId} from '../base/elements.js';

import {Guides} from './guides.js';
import {Loupe} from './loupe.js';

const nearFit = 1.02;

export class Stage {
  /// pressed(name, on) marks a button.
  constructor(editor, picture, notice, pressed) {
    this.editor = editor;
    this.picture = picture;
    this.notice = notice;
    this.pressed = pressed;
    this.guides = new Guides(editor, picture);
    this.loupe = new Loupe(editor, picture);
    this.percent = byId('percent');
    for (const name of ['flame', 'change', 'sight'])
      editor.addEventListener(name, () => this.say());
    new ResizeObserver(() => this.say()).observe(picture.stage);
    document.addEventListener('fullscreenchange', () => {
      if (!document.fullscreenElement) this.leave();
    });
  }

  /// Buttons as they were left.
  begin() {
    this.setLock(localStorage.getItem('camera-lock') === 'on');
    this.setGuides(localStorage.getItem('guides') ?? '');
    for (const name of ['oneToOne', 'loupe', 'alone']) this.pressed(name, false);
  }

  // ---- how close ----

  get dots() {
    return this.picture.stageFromPicture.a * (globalThis.devicePixelRatio || 1);
  }

  say() {
    if (!this.editor.flame) return;
    const share = 100 * this.dots;
    this.percent.textContent = `${share < 10 ? share.toFixed(1) : Math.round(share)} %`;
    this.pressed('oneToOne', this.isOneToOne);
  }

  get isOneToOne() {
    return this.picture.sight.scale !== null && Math.abs(this.dots - 1) < 1e-6;
  }

  whole() {
    this.picture.sight.whole();
    this.picture.looked();
  }

  /// A pixel on a pixel of the screen, or all of it again. In the middle: what is under the mouse.
  oneToOne() {
    const {picture} = this;
    if (!this.editor.flame) return undefined;
    if (this.isOneToOne) return this.whole();
    return picture.lookCloser(1 / this.dots, this.loupe.place ?? picture.middleOfStage);
  }

  closer(factor) {
    const {picture} = this;
    if (!this.editor.flame) return;
    picture.lookCloser(factor);
    const ratio = picture.stageFromPicture.a / picture.fit.a;
    if (Math.max(ratio, 1 / ratio) < nearFit) this.whole();
  }

  // ---- switches ----

  lock() {
    this.setLock(!this.picture.locked);
    const says = this.picture.locked ?
        'The camera is locked: drag and wheel move what you see of the picture.' :
        'Drag and wheel move the camera again.';
    this.notice.say('info', says);
  }

  setLock(on) {
    this.picture.locked = on;
    this.picture.stage.classList.toggle('locked', on);
    this.pressed('lock', on);
    localStorage.setItem('camera-lock', on ? 'on' : 'off');
  }

  nextGuides() {
    this.setGuides(this.guides.next);
  }

  setGuides(kind) {
    this.guides.show(kind);
    this.pressed('guides', this.guides.kind !== '');
    byId('guides-name').textContent = this.guides.kind;
    localStorage.setItem('guides', this.guides.kind);
  }

  toggleLoupe() {
    this.loupe.show(!this.loupe.shown);
    this.pressed('loupe', this.loupe.shown);
  }

  // ---- the picture alone ----

  get isAlone() {
    return document.body.classList.contains('alone');
  }

  async alone() {
    if (this.isAlone) return this.leave();
    this.setAlone(true);
    try {
      await document.documentElement.requestFullscreen();
    } catch {  // a phone, say: it has the window at least
    }
    return undefined;
  }

  /// Also of the browser's own way out.
  leave() {
    if (document.fullscreenElement) document.exitFullscreen();
    if (this.isAlone) this.setAlone(false);
  }

  setAlone(on) {
    document.body.classList.toggle('alone', on);
    this.pressed('alone', on);
    this.picture.looked();
  }
}
