// The affines as triangles over the picture. The chosen one has handles: its corners, its inside
// (moves it whole), and a ring outside of its long side that turns and enlarges it (Shift: turns
// alone, Ctrl: enlarges alone). The others can be chosen by their corner O, their lines and a click
// inside. Of a camera with depth they lie where the plane z = 0 is seen.

import {shownColor} from './colors.js';
import {byId, makeSvg} from './elements.js';
import {angleBetween, at, corners, distance, turned, withCorner} from './geometry.js';
import {isClick} from './picture.js';

const leastDepth = 0.02;  // nearer to the camera nothing can be drawn
const ringShare = 0.72;   // of the way from O over the middle of the long side

export class Triangles {
  constructor(editor, picture) {
    this.editor = editor;
    this.picture = picture;
    this.overlay = byId('overlay');
    this.shown = true;
    for (const name of ['flame', 'change', 'choose'])
      editor.addEventListener(name, () => this.draw());
    new ResizeObserver(() => this.draw()).observe(picture.stage);
    this.overlay.addEventListener('pointerdown', event => this.onDown(event));
    picture.clicked = event => this.chooseAt(event);
  }

  show(shown) {
    this.shown = shown;
    this.draw();
  }

  /// While a handle is dragged its element has to stay: only numbers of the old elements change then.
  draw() {
    const {flame, chosen} = this.editor;
    this.overlay.toggleAttribute('hidden', !this.shown || !flame);
    if (!this.shown || !flame) return;
    const plane = this.picture.stageFromPlane;
    const all = flame.all, colors = flame.colors;
    if (this.groups?.length !== all.length + 1) this.makeGroups(all.length);
    drawTriangle(this.groups[0], plane, {a: 1, b: 0, c: 0, d: 0, e: 1, f: 0});
    all.forEach((xform, i) => {
      const group = this.groups[i + 1];
      const affine = flame.affine(xform, i === chosen ? this.editor.affineName : 'coefs');
      drawTriangle(group, plane, affine, flame.isFinal(xform) ? 'F' : String(i + 1));
      group.classList.toggle('chosen', i === chosen);
      group.classList.toggle('post', i === chosen && this.editor.affineName === 'post');
      group.style.setProperty('--own', shownColor(colors, flame.number('color', 0, xform)));
    });
    this.overlay.append(this.groups[chosen + 1]);  // over the others
  }

  makeGroups(count) {
    this.groups =
        [makeGroup('unit'), ...Array.from({length: count}, (_, i) => makeGroup('affine', i))];
    this.overlay.replaceChildren(...this.groups);
  }

  // ---- drag ----

  onDown(event) {
    const part = event.target.dataset.part, index = Number(event.target.parentNode.dataset.xform);
    if (!part || event.button !== 0 || event.shiftKey && part === 'inside') return;
    event.preventDefault();
    event.stopPropagation();  // not the camera
    this.picture.stage.focus({preventScroll: true});
    if (index !== this.editor.chosen) this.editor.choose(index);
    this.follow(event, part);
  }

  pointOf({clientX, clientY}) {
    const {left, top} = this.overlay.getBoundingClientRect();
    return {x: clientX - left, y: clientY - top};
  }

  /// Of the triangles that a point lies in the one whose middle is nearest.
  chooseAt(event) {
    const {editor} = this, point = this.pointOf(event), plane = this.picture.stageFromPlane;
    if (!this.shown) return;
    let nearest = -1, least = Infinity;
    editor.flame.all.forEach((xform, i) => {
      const name = i === editor.chosen ? editor.affineName : 'coefs';
      const points = seenCorners(plane, editor.flame.affine(xform, name));
      const off = distance(point, middleOf(points));
      if (isInside(point, points) && off < least) [nearest, least] = [i, off];
    });
    if (nearest >= 0 && nearest !== editor.chosen) editor.choose(nearest);
  }

  follow(event, part) {
    const {editor, overlay} = this, name = editor.affineName;
    const planeAt = moved => {
      const {x, y} = this.pointOf(moved);
      return at(this.picture.stageFromPlane.inverse(), x, y);
    };
    const begin = {affine: editor.flame.affine(editor.xform, name), point: planeAt(event)};
    let gesture = 0;
    const onMove = moved => {
      if (moved.pointerId !== event.pointerId) return;
      if (!gesture && isClick(event, moved)) return;
      gesture ||= editor.begin();
      const affine = dragged(begin, part, planeAt(moved), moved);
      editor.change(flame => flame.setAffine(editor.xform, name, affine), gesture);
    };
    const onEnd = ended => {
      if (ended.pointerId !== event.pointerId) return;
      if (!gesture && part === 'inside' && ended.type === 'pointerup') this.chooseAt(ended);
      overlay.removeEventListener('pointermove', onMove);
      for (const end of ['pointerup', 'pointercancel']) overlay.removeEventListener(end, onEnd);
    };
    overlay.setPointerCapture(event.pointerId);
    overlay.addEventListener('pointermove', onMove);
    for (const end of ['pointerup', 'pointercancel']) overlay.addEventListener(end, onEnd);
  }

  // ---- keys ----

  /// By pixels of the screen, as the eye counts them.
  nudge(dx, dy) {
    const {stageFromPlane} = this.picture;
    this.edit('nudge', affine => {
      const o = at(stageFromPlane, affine.c, affine.f);
      return withCorner(affine, 'o', at(stageFromPlane.inverse(), o.x + dx, o.y + dy));
    });
  }

  edit(what, work) {
    const {editor} = this, name = editor.affineName;
    if (!editor.xform) return;
    editor.change(
        flame => flame.setAffine(editor.xform, name, work(flame.affine(editor.xform, name))),
        editor.beginOrGoOn(what));
  }
}

/// The affine after the pointer went from where it began to `to`.
function dragged({affine, point}, part, to, keys) {
  const shifted = (x, y) => ({x: x + to.x - point.x, y: y + to.y - point.y});
  if (part === 'inside' || part === 'grip')
    return withCorner(affine, 'o', shifted(affine.c, affine.f));
  if (part !== 'ring') {
    const corner = corners(affine)[part];
    return withCorner(affine, part, shifted(corner.x, corner.y));
  }
  const {o} = corners(affine);
  const factor = distance(o, to) / Math.max(distance(o, point), 1e-9);
  return turned(affine, keys.shiftKey ? 1 : factor, keys.ctrlKey ? 0 : angleBetween(o, point, to));
}

function makeGroup(kind, index) {
  const part = (tag, name, more = {}) =>
      makeSvg(tag, {class: name, 'data-part': kind === 'affine' ? name : undefined, ...more});
  const handle = (name, letter) =>
      [part('circle', name, {r: 13, class: 'reach'}),
       makeSvg('circle', {class: 'dot ' + name, r: 5}),
       makeSvg('text', {class: 'letter ' + name}, letter)];
  const label = makeSvg('text', {class: 'label'});
  if (kind === 'unit') return makeSvg('g', {class: kind}, makeSvg('polygon', {class: 'inside'}));
  return makeSvg(
      'g', {class: kind, 'data-xform': index}, part('polygon', 'grip'), part('polygon', 'inside'),
      makeSvg('polygon', {class: 'line'}), makeSvg('line', {class: 'stalk'}),
      part('circle', 'ring', {r: 13, class: 'reach'}),
      makeSvg('circle', {class: 'dot ring', r: 4.5}), ...handle('o', ''), ...handle('x', 'X'),
      ...handle('y', 'Y'), label);
}

/// O, X and Y on the stage.
function seenCorners(stageFromPlane, affine) {
  return Object.values(corners(affine)).map(({x, y}) => at(stageFromPlane, x, y));
}

const middleOf = points => ({
  x: points.reduce((sum, {x}) => sum + x, 0) / points.length,
  y: points.reduce((sum, {y}) => sum + y, 0) / points.length
});

/// On the same side of all three sides.
function isInside(point, points) {
  const sides = points.map((from, i) => {
    const to = points[(i + 1) % points.length];
    return Math.sign((to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x));
  });
  return sides[0] !== 0 && sides.every(side => side === sides[0]);
}

function drawTriangle(group, stageFromPlane, affine, name) {
  const [o, x, y] = seenCorners(stageFromPlane, affine);
  const points = [o, x, y].map(p => `${p.x},${p.y}`).join(' ');
  group.classList.toggle('behind', [o, x, y].some(p => p.depth < leastDepth));
  for (const polygon of group.querySelectorAll('polygon')) polygon.setAttribute('points', points);
  if (name === undefined) return;
  const middle = {x: (x.x + y.x) / 2, y: (x.y + y.y) / 2};
  const ring = {
    x: o.x + (middle.x - o.x) * ringShare * 2,
    y: o.y + (middle.y - o.y) * ringShare * 2
  };
  for (const [part, point] of Object.entries({o, x, y, ring})) putHandle(group, part, point, o);
  const stalk = {x1: middle.x, y1: middle.y, x2: ring.x, y2: ring.y};
  for (const [end, value] of Object.entries(stalk))
    group.querySelector('.stalk').setAttribute(end, value);
  const label = group.querySelector('.label');
  label.textContent = name;
  label.setAttribute('x', o.x - 11);
  label.setAttribute('y', o.y - 9);
}

function putHandle(group, part, point, o) {
  for (const circle of group.querySelectorAll(`circle[data-part=${part}], circle.dot.${part}`)) {
    circle.setAttribute('cx', point.x);
    circle.setAttribute('cy', point.y);
  }
  const letter = group.querySelector(`text.${part}`), away = Math.max(distance(o, point), 1);
  if (!letter) return;
  letter.setAttribute('x', point.x + 14 * (point.x - o.x) / away - 4);
  letter.setAttribute('y', point.y + 14 * (point.y - o.y) / away + 4);
}
