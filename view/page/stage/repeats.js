// SPDX-License-Identifier: MIT
// A picture that repeats (kiln_tile) among copies of itself: whether a seam is seen. The copies are the picture that is shown,
// as a background of the stage; it lies in their middle, and is edited there.

import {byId} from '../base/elements.js';
import {at} from '../base/geometry.js';

const around = 2;  // copies on each side: three by three are seen, and more in a wide window

export class Repeats {
  constructor(editor, picture) {
    this.editor = editor;
    this.picture = picture;
    this.element = byId('repeats');
    this.shown = false;
    this.changed = () => {};
    this.making = false;
    for (const name of ['flame', 'change', 'sight'])
      editor.addEventListener(name, () => this.place());
    editor.addEventListener('shown', () => this.copy());
    new ResizeObserver(() => this.place()).observe(picture.stage);
  }

  show(shown) {
    if (shown === this.shown) return;
    this.shown = shown;
    this.element.hidden = !shown;
    this.picture.setRepeats(shown);
    this.copy();
    this.changed();
  }

  place() {
    if (!this.shown || !this.editor.flame) return;
    const {camera, stageFromPicture} = this.picture, {style} = this.element;
    const corner = at(stageFromPicture, 0, 0);
    const width = stageFromPicture.a * camera.width, height = stageFromPicture.a * camera.height;
    style.left = `${corner.x - around * width}px`;
    style.top = `${corner.y - around * height}px`;
    style.width = `${(2 * around + 1) * width}px`;
    style.height = `${(2 * around + 1) * height}px`;
    style.backgroundSize = `${width}px ${height}px`;
  }

  /// Of the newest picture; those that come meanwhile wait.
  copy() {
    if (!this.shown) return;
    if (this.making) {
      this.isOld = true;
      return;
    }
    this.making = true;
    this.isOld = false;
    this.picture.canvas.toBlob(blob => {
      this.making = false;
      if (blob) this.put(URL.createObjectURL(blob));
      if (this.isOld) this.copy();
    });
  }

  put(url) {
    const before = this.url;
    this.url = url;
    this.element.style.backgroundImage = `url("${url}")`;
    this.place();
    if (before) setTimeout(() => URL.revokeObjectURL(before), 1000);
  }
}
