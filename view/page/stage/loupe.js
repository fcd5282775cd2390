// SPDX-License-Identifier: MIT
// A round glass that follows the hand: the pixels of the picture as they are, or three times as
// large where the stage shows them already.

import {byId} from '../base/elements.js';

const sizePx = 220, enlarged = 3;
const fingerPx = 130;  // above a finger, which would hide it

export class Loupe {
  constructor(editor, picture) {
    this.picture = picture;
    this.shown = false;
    this.canvas = byId('loupe');
    this.at = null;  // of the hand: the last event over the stage
    picture.stage.addEventListener('pointermove', event => this.follow(event));
    picture.stage.addEventListener('pointerdown', event => this.follow(event));
    picture.stage.addEventListener('pointerleave', () => {
      this.at = null;
      this.draw();
    });
    for (const name of ['shown', 'sight']) editor.addEventListener(name, () => this.draw());
  }

  /// What is under the hand, in pixels of the picture.
  get place() {
    return this.at && this.picture.pictureAt(this.at);
  }

  show(shown) {
    this.shown = shown;
    this.draw();
  }

  follow(event) {
    this.at = event;
    this.draw();
  }

  draw() {
    const {canvas, picture} = this;
    canvas.hidden = !this.shown || !this.at || !picture.editor.flame;
    if (canvas.hidden) return;
    const dots = globalThis.devicePixelRatio || 1, size = Math.round(sizePx * dots);
    const {left, top} = picture.stage.getBoundingClientRect();
    const up = this.at.pointerType === 'touch' ? fingerPx : 0;
    canvas.style.left = this.at.clientX - left - sizePx / 2 + 'px';
    canvas.style.top = this.at.clientY - top - up - sizePx / 2 + 'px';
    if (canvas.width !== size) canvas.width = canvas.height = size;
    const factor = picture.stageFromPicture.a * dots < 0.75 ? 1 : enlarged;
    const {x, y} = this.place, drawn = picture.canvas;
    const [across, down] =
        [drawn.width / picture.camera.width, drawn.height / picture.camera.height];
    const paint = canvas.getContext('2d'), reach = size / factor;
    paint.imageSmoothingEnabled = false;
    paint.clearRect(0, 0, size, size);
    paint.drawImage(
        drawn, (x - reach / 2) * across, (y - reach / 2) * down, reach * across, reach * down, 0, 0,
        size, size);
  }
}
