// SPDX-License-Identifier: MIT
// The picture on the stage, and the camera by mouse, touch and wheel. Until the program's next
// picture is there, the last one is moved to where the camera sees it now, so that the hand never
// waits. Ctrl, the middle button and a locked camera look closer at the picture as it is (sight.js).

import {byId} from '../base/elements.js';
import {angleBetween, at, distance, isClick, movedCamera, pictureFromPlane, seenFromPlane, similarity, stageFromPicture, wrappedDegrees} from '../base/geometry.js';

import {Sight} from './sight.js';

const marginPx = 20;
const wideShare = 0.6;      // of the picture on the stage, where there has to be room around it
const repeatsShare = 0.36;  // of one among copies, of which three fit and a bit more
const wheelPerPx = 0.0015;  // log of the enlargement
const pinchFactor = 6;      // of wheels that are two fingers on a pad: browsers say Ctrl
const wheelPx = 40;         // less than a notch of a wheel
const tiltPerPx = 0.4;      // degrees
const leastDepth = 0.2, mostStretch = 4;  // of a picture that is bent until the next one comes
const sharpDots = 2;                      // of a pixel: from there on its edges are shown
const keptCameras = 64;                   // of edits whose pictures may still come

export class Picture {
  constructor(editor, connection) {
    this.editor = editor;
    this.connection = connection;
    this.stage = byId('stage');
    this.canvas = byId('picture');
    this.frame = byId('frame');
    this.paint = this.canvas.getContext('2d', {alpha: true});
    this.wide = false;
    this.repeats = false;  // it lies among copies of itself (repeats.js)
    this.sight = new Sight();
    this.locked = false;       // the hand moves the sight, not the camera
    this.budgetMs = 33;        // for a picture while things move
    this.cameras = new Map();  // number of an edit -> the camera that its pictures are made with
    this.drawnCamera = null;   // of the picture that the canvas holds
    this.fingers = new Map();  // pointer -> where it is
    this.pressed = null;       // what may become a click
    this.clicked = () => {};   // where nothing was dragged
    this.takeOver = () => {};  // gives where a finger is that drags something else, which it leaves
    this.listen();
  }

  get camera() {
    return this.editor.flame.camera;
  }

  /// All of the picture.
  get fit() {
    const {clientWidth, clientHeight} = this.stage;
    const margin = document.body.classList.contains('alone') ? 0 : marginPx;
    const share = this.repeats ? repeatsShare : this.wide ? wideShare : 1;
    return stageFromPicture(this.camera, clientWidth, clientHeight, margin, share);
  }

  get stageFromPicture() {
    return this.sight.over(this.fit, this.camera, this.stage);
  }

  get stageFromPlane() {
    return this.stageFromPicture.multiply(pictureFromPlane(this.camera))
        .multiply(seenFromPlane(this.editor.flame.depth));
  }

  listen() {
    const {stage, editor} = this;
    stage.addEventListener('pointerdown', event => this.onDown(event));
    stage.addEventListener('pointermove', event => this.onMove(event));
    for (const name of ['pointerup', 'pointercancel'])
      stage.addEventListener(name, event => this.onUp(event));
    stage.addEventListener('wheel', event => this.onWheel(event), {passive: false});
    stage.addEventListener('contextmenu', event => event.preventDefault());
    stage.addEventListener('mousedown', event => event.button === 1 && event.preventDefault());
    new ResizeObserver(() => this.onResize()).observe(stage);
    editor.addEventListener('change', () => this.place());
    editor.addEventListener('flame', () => this.onResize());
  }

  // ---- pictures ----

  /// The camera with its depth.
  get seen() {
    return {...this.camera, depth: this.editor.flame.depth};
  }

  /// The camera of the pictures of this edit.
  remember(number) {
    this.cameras.set(number, this.seen);
    if (this.cameras.size > keptCameras) this.cameras.delete(this.cameras.keys().next().value);
  }

  show(head, stripes) {
    if (this.canvas.width !== head.width || this.canvas.height !== head.height) {
      this.canvas.width = head.width;
      this.canvas.height = head.height;
    }
    this.paint.globalCompositeOperation = 'copy';  // of the first stripe: it empties the canvas
    let y = 0;
    for (const stripe of stripes) {
      this.paint.drawImage(stripe, 0, y);
      this.paint.globalCompositeOperation = 'source-over';
      y += stripe.height;
      stripe.close();
    }
    this.drawnCamera = this.cameras.get(head.number) ?? this.drawnCamera ?? this.seen;
    this.place();
    this.editor.tell('shown');
  }

  /// Puts frame and canvas where the camera sees them.
  place() {
    if (!this.editor.flame) return;
    const {camera, frame, canvas} = this;
    const stageFromNow = this.stageFromPicture;
    const corner = at(stageFromNow, 0, 0), scale = stageFromNow.a;
    frame.style.left = corner.x + 'px';
    frame.style.top = corner.y + 'px';
    frame.style.width = scale * camera.width + 'px';
    frame.style.height = scale * camera.height + 'px';
    const drawn = this.drawnCamera ?? this.seen;
    const frameFromCanvas =
        new DOMMatrix()
            .scaleSelf(scale, scale)
            .multiplySelf(nowFromDrawn(this.seen, drawn))
            .scaleSelf(drawn.width / canvas.width, drawn.height / canvas.height);
    canvas.style.transform = frameFromCanvas.toString();
    const isLarge = this.sight.scale * (globalThis.devicePixelRatio || 1) >= sharpDots;
    canvas.classList.toggle('sharp', isLarge && canvas.width === camera.width);
  }

  /// The program makes no larger pictures than the stage shows, while things move.
  onResize() {
    if (!this.editor.flame) return;
    const {camera, fit} = this, screen = globalThis.devicePixelRatio || 1;
    const dots = Math.min(this.stageFromPicture.a * screen, Math.max(1, fit.a * screen));
    const view = [Math.ceil(camera.width * dots), Math.ceil(camera.height * dots)];
    if (String([...view, this.budgetMs]) !== this.sentView)
      this.connection.setView(...view, this.budgetMs);
    this.sentView = String([...view, this.budgetMs]);
    this.place();
  }

  setBudget(ms) {
    this.budgetMs = ms;
    this.onResize();
  }

  setWide(wide) {
    this.wide = wide;
    this.sight.whole();
    this.looked();
  }

  setRepeats(repeats) {
    this.repeats = repeats;
    this.sight.whole();
    this.looked();
  }

  /// The picture lies elsewhere on the stage.
  looked() {
    this.onResize();
    this.editor.tell('sight');
  }

  /// Of the middle of the stage, or of a place of it: closer by `factor`.
  lookCloser(factor, about = this.middleOfStage) {
    this.look(similarity(about, factor, 0));
  }

  get middleOfStage() {
    const {clientWidth, clientHeight} = this.stage;
    return at(this.stageFromPicture.inverse(), clientWidth / 2, clientHeight / 2);
  }

  /// As a similarity of the picture says; turns are left out.
  look(similar) {
    const {middleOfStage: {x, y}, stageFromPicture: now, fit, camera} = this;
    const scale = now.a * Math.hypot(similar.a, similar.b);
    this.sight.to(scale, at(similar.inverse(), x, y), fit, camera);
    this.looked();
  }

  // ---- the camera ----

  /// A point of the screen in pixels of the picture.
  pictureAt({clientX, clientY}) {
    const {left, top} = this.stage.getBoundingClientRect();
    return at(this.stageFromPicture.inverse(), clientX - left, clientY - top);
  }

  move(similar, gesture, looks = this.locked) {
    if (looks) return this.look(similar);
    return this.editor.change(flame => {
      flame.camera = movedCamera(flame.camera, similar);
    }, gesture);
  }

  /// By keys: about the middle of the picture; dx and dy as shares of its height.
  moveMiddle(what, {dx = 0, dy = 0, factor = 1, degrees = 0}) {
    const {width, height} = this.camera;
    const similar =
        similarity({x: width / 2, y: height / 2}, factor, degrees, dx * height, dy * height);
    this.move(similar, this.editor.beginOrGoOn(what));
  }

  onWheel(event) {
    event.preventDefault();
    if (!this.editor.flame) return;
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const faster = event.ctrlKey && Math.abs(event.deltaY) < wheelPx ? pinchFactor : 1;
    const factor = Math.exp(-event.deltaY * lines * wheelPerPx * faster);
    const similar = similarity(this.pictureAt(event), factor, 0);
    const looks = this.locked || event.ctrlKey;
    this.move(similar, looks ? 0 : this.editor.beginOrGoOn('wheel'), looks);
  }

  onDown(event) {
    if (!this.editor.flame || this.playing) return;
    this.stage.focus({preventScroll: true});
    this.stage.setPointerCapture(event.pointerId);
    if (this.fingers.size === 0) this.gesture = null;
    const other = event.pointerType === 'touch' && this.takeOver();
    if (other) this.fingers.set(other.pointerId, this.pictureAt(other));
    this.fingers.set(event.pointerId, this.pictureAt(event));
    this.turns = event.button === 2 || event.shiftKey;
    this.looks = this.locked || event.button === 1 || event.ctrlKey;
    this.tilts = event.altKey && !this.locked;
    this.last = event;
    this.pressed = event.button === 0 && this.fingers.size === 1 ? event : null;
    this.stage.classList.add('held');
  }

  onUp(event) {
    if (!this.fingers.delete(event.pointerId)) return;
    if (this.fingers.size === 0) this.stage.classList.remove('held');
    if (this.pressed && event.type === 'pointerup') this.clicked(event);
    this.pressed = null;
  }

  onMove(event) {
    const from = this.fingers.get(event.pointerId);
    if (!from) return;
    if (this.pressed && isClick(this.pressed, event)) return;
    this.pressed = null;
    const to = this.pictureAt(event);
    if (to.x === from.x && to.y === from.y) return;
    this.gesture ??= this.editor.begin();
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    const {clientX, clientY} = this.last;
    this.last = event;
    if (this.tilts && !other)
      this.tilt(
          (event.clientX - clientX) * tiltPerPx, (clientY - event.clientY) * tiltPerPx,
          this.gesture);
    else
      this.move(other ? pinch(other, from, to) : this.drag(from, to), this.gesture, this.looks);
    this.fingers.set(
        event.pointerId, this.pictureAt(event));  // the picture may have moved under it
  }

  /// The camera in space, by degrees.
  tilt(yaw, pitch, gesture) {
    this.editor.change(flame => {
      const {depth} = flame;
      flame.set('cam_yaw', radians(wrappedDegrees(degrees(depth.yaw) + yaw)));
      flame.set('cam_pitch', radians(wrappedDegrees(degrees(depth.pitch) + pitch)));
    }, gesture);
  }

  drag(from, to) {
    if (!this.turns) return similarity(from, 1, 0, to.x - from.x, to.y - from.y);
    const {width, height} = this.camera, middle = {x: width / 2, y: height / 2};
    return similarity(middle, 1, angleBetween(middle, from, to));
  }
}

const degrees = angle => angle * 180 / Math.PI, radians = angle => angle * Math.PI / 180;

/// Where a pixel that was drawn is seen now: of a camera that has turned in space as the plane
/// z = 0 is. Of the same camera exactly where it was: rounding would choose other pixels at ties.
function nowFromDrawn(now, drawn) {
  if (JSON.stringify(now) === JSON.stringify(drawn)) return new DOMMatrix();
  const flat = pictureFromPlane(now).multiply(pictureFromPlane(drawn).inverse());
  if (JSON.stringify(now.depth) === JSON.stringify(drawn.depth)) return flat;
  const [to, from] =
      [now, drawn].map(one => pictureFromPlane(one).multiply(seenFromPlane(one.depth)));
  const bent = to.multiply(from.inverse()), {width, height} = drawn;
  const corners =
      [[0, 0], [width, 0], [0, height], [width, height]].map(([x, y]) => at(bent, x, y));
  const isNear = ({x, y, depth}) =>
      depth > leastDepth && Math.abs(x) < mostStretch * width && Math.abs(y) < mostStretch * height;
  return corners.every(isNear) ? bent : flat;
}

/// One finger rests, the other goes from one point to another.
function pinch(rest, from, to) {
  const before = Math.max(distance(rest, from), 1);
  return similarity(rest, Math.max(distance(rest, to), 1) / before, angleBetween(rest, from, to));
}
