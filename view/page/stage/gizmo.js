// SPDX-License-Identifier: MIT
// The camera in space as a small globe in a corner of the stage: the plane of the flame as a disc with
// its axes, as the camera sees them. A drag turns it, the wheel changes the perspective, a
// double-click lays it flat. It is there while the page of the camera is, or the camera is tilted.

import {byId, makeSvg} from '../base/elements.js';

const radius = 34, keyDegrees = 5, degreesPerPx = 0.6, perspectivePerNotch = 0.02;
const degree = Math.PI / 180;

export class Gizmo {
  constructor(editor, picture) {
    this.editor = editor;
    this.picture = picture;
    this.disc = makeSvg('path', {class: 'disc'});
    this.axes = ['x', 'y', 'z'].map(
        name =>
            [makeSvg('line', {class: `axis ${name}`}),
             makeSvg('text', {class: `axis ${name}`}, name.toUpperCase())]);
    this.says = makeSvg('text', {class: 'says', y: radius + 22});
    this.element = byId('gizmo');
    this.element.append(makeSvg(
        'svg', {viewBox: '-48 -44 96 104', 'aria-hidden': 'true'},
        makeSvg('circle', {class: 'globe', r: radius + 6}), this.disc, ...this.axes.flat(),
        this.says));
    const acts = {
      pointerdown: event => this.onDown(event),
      wheel: event => this.onWheel(event),
      dblclick: () => this.flatten(),
      keydown: event => this.onKey(event)
    };
    for (const [name, act] of Object.entries(acts))
      this.element.addEventListener(name, act, {passive: false});
    for (const name of ['flame', 'change']) editor.addEventListener(name, () => this.draw());
  }

  /// Points of space on the globe, as kernels/program.h turns them.
  seen(x, y, z) {
    const {pitch, yaw} = this.editor.flame.depth;
    const h = y * Math.cos(yaw) - x * Math.sin(yaw);
    return [
      radius * (x * Math.cos(yaw) + y * Math.sin(yaw)),
      radius * (h * Math.cos(pitch) - z * Math.sin(pitch)),
      h * Math.sin(pitch) + z * Math.cos(pitch)  // toward the camera
    ];
  }

  draw() {
    const {pitch, yaw, perspective} = this.editor.flame.depth;
    const isTilted = pitch !== 0 || yaw !== 0 || perspective !== 0;
    this.element.classList.toggle('tilted', isTilted);
    const around = Array.from({length: 49}, (_, i) => {
      const [x, y] = this.seen(Math.cos(i * Math.PI / 24), Math.sin(i * Math.PI / 24), 0);
      return `${x.toFixed(1)} ${y.toFixed(1)}`;
    });
    this.disc.setAttribute('d', `M${around.join('L')}Z`);
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]].forEach((end, i) => {
      const [x, y, toward] = this.seen(...end), [line, letter] = this.axes[i];
      line.setAttribute('x2', x);
      line.setAttribute('y2', y);
      letter.setAttribute('x', 1.18 * x);
      letter.setAttribute('y', 1.18 * y + 3.5);
      for (const part of [line, letter]) part.classList.toggle('away', toward < -0.01);
    });
    const text = `${Math.round(pitch / degree)}° ${Math.round(yaw / degree)}°`;
    this.says.textContent = text;
    this.element.setAttribute('aria-valuetext', `pitch and yaw ${text}`);
    this.element.setAttribute('aria-valuenow', Math.round(pitch / degree));
  }

  turn(yaw, pitch, gesture) {
    if (this.editor.flame) this.picture.tilt(yaw, pitch, gesture);
  }

  flatten() {
    this.editor.change(flame => {
      for (const name of ['cam_pitch', 'cam_yaw', 'cam_persp', 'cam_dist'])
        flame.element.removeAttribute(name);
    });
  }

  onDown(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    const {element, editor} = this, gesture = editor.begin();
    let last = event;
    const follow = moved => {
      this.turn(
          (moved.clientX - last.clientX) * degreesPerPx,
          (last.clientY - moved.clientY) * degreesPerPx, gesture);
      last = moved;
    };
    element.focus();
    element.setPointerCapture(event.pointerId);
    element.addEventListener('pointermove', follow);
    element.addEventListener(
        'lostpointercapture', () => element.removeEventListener('pointermove', follow),
        {once: true});
  }

  onWheel(event) {
    event.preventDefault();
    const {perspective} = this.editor.flame.depth;
    const to = Math.max(0, perspective - Math.sign(event.deltaY) * perspectivePerNotch);
    this.editor.change(flame => {
      flame.element.removeAttribute('cam_dist');
      flame.set('cam_persp', to);
    }, this.editor.beginOrGoOn(this));
  }

  onKey(event) {
    const [yaw, pitch] =
        {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key] ??
        [];
    if (yaw !== undefined)
      this.turn(yaw * keyDegrees, pitch * keyDegrees, this.editor.beginOrGoOn(this));
    else if (event.key === 'Home')
      this.flatten();
    else
      return;
    event.preventDefault();
    event.stopPropagation();
  }
}
