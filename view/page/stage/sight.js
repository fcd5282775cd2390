// SPDX-License-Identifier: MIT
// How the picture is looked at, apart from the flame's camera: the whole of it, a pixel of it on a
// pixel of the screen, or anything between. Nothing of this is in the flame.

const most = 64;         // pixels of the screen that a pixel of the picture has
const leastOfFit = 0.1;  // of the size that fits
const inside = share => Math.min(1, Math.max(0, share));

export class Sight {
  constructor() {
    this.scale = null;               // CSS pixels a pixel of the picture; null: as large as fits
    this.center = {x: 0.5, y: 0.5};  // what is in the middle of the stage, as shares of the picture
  }

  /// Of the matrix `fit` that shows all of it: the one that shows what is looked at.
  over(fit, camera, stage) {
    if (this.scale === null) return fit;
    const {scale, center} = this, dots = globalThis.devicePixelRatio || 1;
    const toDot = value => Math.round(value * dots) / dots;  // pixels lie on pixels at 1:1
    return new DOMMatrix()
        .translateSelf(
            toDot(stage.clientWidth / 2 - scale * center.x * camera.width),
            toDot(stage.clientHeight / 2 - scale * center.y * camera.height))
        .scaleSelf(scale, scale);
  }

  whole() {
    this.scale = null;
    this.center = {x: 0.5, y: 0.5};
  }

  /// In place of the matrix `now`: at another scale, `middle` of the picture in the middle.
  to(scale, middle, fit, camera) {
    this.scale = Math.min(most, Math.max(leastOfFit * fit.a, scale));
    this.center = {x: inside(middle.x / camera.width), y: inside(middle.y / camera.height)};
  }
}
