// The picture on the stage, and the camera by mouse, touch and wheel. Until the program's next
// picture is there, the last one is moved to where the camera sees it now, so that the hand never
// waits.

import {byId} from './elements.js';
import {angleBetween, at, distance, movedCamera, pictureFromPlane, seenFromPlane, similarity, stageFromPicture} from './geometry.js';

const marginPx = 20;
const wideShare = 0.6;      // of the picture on the stage, where there has to be room around it
const wheelPerPx = 0.0015;  // log of the enlargement
const budgetMs = 33;
const clickPx = 4;
const keptCameras = 64;  // of edits whose pictures may still come

export class Picture {
  constructor(editor, connection) {
    this.editor = editor;
    this.connection = connection;
    this.stage = byId('stage');
    this.canvas = byId('picture');
    this.frame = byId('frame');
    this.paint = this.canvas.getContext('2d', {alpha: true});
    this.wide = false;
    this.cameras = new Map();  // number of an edit -> the camera that its pictures are made with
    this.drawnCamera = null;   // of the picture that the canvas holds
    this.fingers = new Map();  // pointer -> where it is
    this.pressed = null;       // what may become a click
    this.clicked = () => {};   // where nothing was dragged
    this.listen();
  }

  get camera() {
    return this.editor.flame.camera;
  }

  get stageFromPicture() {
    const {clientWidth, clientHeight} = this.stage;
    return stageFromPicture(
        this.camera, clientWidth, clientHeight, marginPx, this.wide ? wideShare : 1);
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
    new ResizeObserver(() => this.onResize()).observe(stage);
    editor.addEventListener('change', () => this.place());
    editor.addEventListener('flame', () => this.onResize());
  }

  // ---- pictures ----

  /// The camera of the pictures of this edit.
  remember(number) {
    this.cameras.set(number, this.camera);
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
    this.drawnCamera = this.cameras.get(head.number) ?? this.drawnCamera ?? this.camera;
    this.place();
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
    const drawn = this.drawnCamera ?? camera;
    const nowFromDrawn = pictureFromPlane(camera).multiply(pictureFromPlane(drawn).inverse());
    const frameFromCanvas =
        new DOMMatrix()
            .scaleSelf(scale, scale)
            .multiplySelf(nowFromDrawn)
            .scaleSelf(drawn.width / canvas.width, drawn.height / canvas.height);
    canvas.style.transform = frameFromCanvas.toString();
  }

  /// The program makes no larger pictures than the stage shows, while things move.
  onResize() {
    if (!this.editor.flame) return;
    const {camera, stageFromPicture: fit} = this, dots = fit.a * (globalThis.devicePixelRatio || 1);
    const view = [Math.ceil(camera.width * dots), Math.ceil(camera.height * dots)];
    if (String(view) !== String(this.sentView)) this.connection.setView(...view, budgetMs);
    this.sentView = view;
    this.place();
  }

  setWide(wide) {
    this.wide = wide;
    this.onResize();
    this.editor.tell('choose');
  }

  // ---- the camera ----

  /// A point of the screen in pixels of the picture.
  pictureAt({clientX, clientY}) {
    const {left, top} = this.stage.getBoundingClientRect();
    return at(this.stageFromPicture.inverse(), clientX - left, clientY - top);
  }

  move(similar, gesture) {
    this.editor.change(flame => {
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
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const factor = Math.exp(-event.deltaY * lines * wheelPerPx * (event.ctrlKey ? 6 : 1));
    this.move(similarity(this.pictureAt(event), factor, 0), this.editor.beginOrGoOn('wheel'));
  }

  onDown(event) {
    if (!this.editor.flame || this.playing) return;
    this.stage.focus({preventScroll: true});
    this.stage.setPointerCapture(event.pointerId);
    if (this.fingers.size === 0) this.gesture = null;
    this.fingers.set(event.pointerId, this.pictureAt(event));
    this.turns = event.button === 2 || event.shiftKey;
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
    this.fingers.set(event.pointerId, to);
    this.move(other ? pinch(other, from, to) : this.drag(from, to), this.gesture);
  }

  drag(from, to) {
    if (!this.turns) return similarity(from, 1, 0, to.x - from.x, to.y - from.y);
    const {width, height} = this.camera, middle = {x: width / 2, y: height / 2};
    return similarity(middle, 1, angleBetween(middle, from, to));
  }
}

/// Whether a pointer has hardly moved.
export const isClick = (from, to) =>
    distance({x: from.clientX, y: from.clientY}, {x: to.clientX, y: to.clientY}) < clickPx;

/// One finger rests, the other goes from one point to another.
function pinch(rest, from, to) {
  const before = Math.max(distance(rest, from), 1);
  return similarity(rest, Math.max(distance(rest, to), 1) / before, angleBetween(rest, from, to));
}
