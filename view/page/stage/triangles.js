// SPDX-License-Identifier: MIT
// The affines as triangles over the picture. The chosen one has handles: its corners, its inside
// (moves it whole), and a ring outside of its long side that turns and enlarges it. Shift: it is
// enlarged alone, also by the corners X and Y; Alt: turned alone; Ctrl: it snaps to 15 degrees and
// a grid. What is chosen beside it moves, turns and grows with it, about what pivot.js says. The
// others can be chosen by their corner O, their lines and a click inside; of several the nearest, and
// the next one with each further click. Of a camera with depth they lie where z = 0 is seen.

import {shownColor} from '../base/colors.js';
import {byId, makeSvg} from '../base/elements.js';
import {angleBetween, angleOf, at, corners, distance, gridStep, isClick, scaledTo, snapped, turnedAbout, withCorner} from '../base/geometry.js';

import {spread} from './labels.js';
import {Pivot} from './pivot.js';

const leastDepth = 0.02;  // nearer to the camera nothing can be drawn
const ringShare = 0.72;   // of the way from O over the middle of the long side
const mostLetters = 16;   // of a name
const snapDegrees = 15;
const snapPx = 12;  // the grid is not finer

export class Triangles {
  constructor(editor, picture) {
    this.editor = editor;
    this.picture = picture;
    this.overlay = byId('overlay');
    this.shown = true;
    this.held = null;  // the finger that drags a part, and how it is stopped
    this.pivot = new Pivot(editor, picture);
    for (const name of ['flame', 'change', 'choose', 'sight'])
      editor.addEventListener(name, () => this.draw());
    new ResizeObserver(() => this.draw()).observe(picture.stage);
    this.overlay.addEventListener('pointerdown', event => this.onDown(event));
    picture.clicked = event => this.chooseAt(event);
    picture.takeOver = () => this.giveUp();
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
      drawTriangle(group, plane, this.shownAffine(xform, i));
      group.classList.toggle('chosen', i === chosen);
      group.classList.toggle('beside', this.editor.beside.has(i));
      group.classList.toggle('muted-one', flame.isMuted(xform));
      group.classList.toggle('post', i === chosen && this.editor.affineName === 'post');
      group.style.setProperty('--own', shownColor(colors, flame.number('color', 0, xform)));
    });
    this.nameAll(plane);
    this.pivot.draw();
    this.overlay.append(this.groups[chosen + 1], this.pivot.element);  // over the others
  }

  shownAffine(xform, i) {
    const {flame, chosen, affineName} = this.editor;
    return flame.affine(xform, i === chosen ? affineName : 'coefs');
  }

  /// The chosen one's name has its place first.
  nameAll(plane) {
    const {flame, chosen} = this.editor;
    const labels = flame.all.map((xform, i) => {
      const {c, f} = this.shownAffine(xform, i);
      const text = [flame.signOf(xform), shortened(flame.nameOf(xform))].filter(Boolean).join(' ');
      return {...at(plane, c, f), text, element: this.groups[i + 1].querySelector('.label')};
    });
    labels.unshift(...labels.splice(chosen, 1));
    const [, x, y] = seenCorners(plane, this.shownAffine(flame.all[chosen], chosen));
    spread(labels, [x, y]).forEach(({x, y}, i) => {
      const {element, text} = labels[i];
      element.textContent = text;
      element.setAttribute('x', x);
      element.setAttribute('y', y);
    });
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
    if (this.held || this.picture.fingers.size) return;  // a second finger: two of them pinch
    event.preventDefault();
    event.stopPropagation();  // not the camera
    this.picture.stage.focus({preventScroll: true});
    if (event.shiftKey && part !== 'ring' && index !== this.editor.chosen)
      return this.editor.chooseBeside(index);
    const isBeside = this.editor.beside.has(index);
    if (isBeside)
      this.editor.lead(index);
    else if (index !== this.editor.chosen)
      this.editor.choose(index);
    return this.follow(event, part, isBeside);
  }

  pointOf({clientX, clientY}) {
    const {left, top} = this.overlay.getBoundingClientRect();
    return {x: clientX - left, y: clientY - top};
  }

  /// Of the triangles that a point lies in the one whose middle is nearest; again at the same place:
  /// the next one.
  chooseAt(event) {
    const {editor, last} = this, point = this.pointOf(event), plane = this.picture.stageFromPlane;
    if (!this.shown) return;
    const found = editor.flame.all
                      .map((xform, index) => {
                        const points = seenCorners(plane, this.shownAffine(xform, index));
                        const off = distance(point, middleOf(points));
                        return {index, off, isHit: isInside(point, points)};
                      })
                      .filter(({isHit}) => isHit)
                      .sort((one, other) => one.off - other.off)
                      .map(({index}) => index);
    if (!found.length) return;
    if (event.shiftKey) return editor.chooseBeside(found[0]);
    const isAgain = last && isClick(last.event, event) && found.includes(last.index);
    const index = found[isAgain ? (found.indexOf(last.index) + 1) % found.length : 0];
    this.last = {event, index};
    if (index !== editor.chosen || editor.beside.size) editor.choose(index);
    return undefined;
  }

  /// wasBeside: of several that are chosen; a click without a drag leaves it alone.
  follow(event, part, wasBeside) {
    const {editor, overlay} = this, name = editor.affineName;
    const planeAt = moved => {
      const {x, y} = this.pointOf(moved);
      return at(this.picture.stageFromPlane.inverse(), x, y);
    };
    const begin = {affine: editor.flame.affine(editor.xform, name), point: planeAt(event)};
    const about = this.pivot.place;
    const others = editor.picked.filter(xform => xform !== editor.xform)
                       .map(xform => [xform, editor.flame.affine(xform, name)]);
    let gesture = 0;
    const onMove = moved => {
      if (moved.pointerId !== event.pointerId) return;
      if (!gesture && isClick(event, moved)) return;
      gesture ||= editor.begin();
      this.held.at = moved;
      const affine = dragged(begin, part, planeAt(moved), moved, this.grid, about);
      editor.change(flame => {
        flame.setAffine(editor.xform, name, affine);
        for (const [xform, own] of others)
          flame.setAffine(xform, name, alike(own, begin.affine, affine, part, about));
      }, gesture);
    };
    const onEnd = ended => {
      if (ended.pointerId !== event.pointerId) return;
      this.held = null;
      if (!gesture && ended.type === 'pointerup') {
        if (part === 'inside')
          this.chooseAt(ended);
        else if (wasBeside)
          editor.choose(editor.chosen);
      }
      overlay.removeEventListener('pointermove', onMove);
      for (const end of ['pointerup', 'pointercancel']) overlay.removeEventListener(end, onEnd);
    };
    const giveUp = () => {
      if (gesture)
        editor.change(flame => {
          for (const [xform, own] of [[editor.xform, begin.affine], ...others])
            flame.setAffine(xform, name, own);
        }, gesture);
      onEnd({pointerId: event.pointerId});
    };
    this.held = {at: event, giveUp};
    overlay.setPointerCapture(event.pointerId);
    overlay.addEventListener('pointermove', onMove);
    for (const end of ['pointerup', 'pointercancel']) overlay.addEventListener(end, onEnd);
  }

  /// A second finger came: what the first one moved goes back, and where that finger is is given.
  giveUp() {
    const {held} = this;
    held?.giveUp();
    return held?.at;
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

  /// Each direction is a step of its own.
  turn(what, factor, degrees) {
    const about = this.pivot.place;
    this.edit(
        `${what} ${factor} ${degrees}`, affine => turnedAbout(affine, factor, degrees, about));
  }

  edit(what, work) {
    const {editor} = this, name = editor.affineName;
    if (!editor.xform) return;
    editor.change(flame => {
      for (const xform of editor.picked)
        flame.setAffine(xform, name, work(flame.affine(xform, name)));
    }, editor.beginOrGoOn(what));
  }

  /// The step of the grid, in the plane.
  get grid() {
    const {stageFromPlane} = this.picture, {c, f} = this.editor.flame.affine(this.editor.xform);
    return gridStep(
        snapPx / Math.max(1e-9, distance(at(stageFromPlane, c, f), at(stageFromPlane, c + 1, f))));
  }
}

/// The affine after the pointer went from where it began to `to`.
function dragged({affine, point}, part, to, keys, grid, about) {
  const toGrid = ({x, y}) => (keys.ctrlKey ? {x: snapped(x, grid), y: snapped(y, grid)} : {x, y});
  const shifted = ({x, y}) => toGrid({x: x + to.x - point.x, y: y + to.y - point.y});
  const all = corners(affine), {o} = all;
  if (['inside', 'grip', 'o'].includes(part)) return withCorner(affine, 'o', shifted(o));
  if (part !== 'ring') {
    const corner = shifted(all[part]);
    return keys.shiftKey ? scaledTo(affine, part, corner) : withCorner(affine, part, corner);
  }
  const middle = about ?? o;
  let factor = distance(middle, to) / Math.max(distance(middle, point), 1e-9);
  let turn = keys.shiftKey ? 0 : angleBetween(middle, point, to);
  if (keys.altKey) factor = 1;
  if (keys.ctrlKey) turn = snapped(angleOf(affine) + turn, snapDegrees) - angleOf(affine);
  return turnedAbout(affine, factor, turn, about);
}

/// What happened to the chosen triangle, to another: its shift, or its turn and growth about the
/// pivot or its own O.
function alike(own, before, after, part, about) {
  if (part === 'x' || part === 'y') return own;
  if (part !== 'ring')
    return {...own, c: own.c + after.c - before.c, f: own.f + after.f - before.f};
  const factor = Math.hypot(after.a, after.d) / Math.max(Math.hypot(before.a, before.d), 1e-9);
  return turnedAbout(own, factor, angleOf(after) - angleOf(before), about);
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
      makeSvg('polygon', {class: 'line'}), makeSvg('line', {class: 'axis x'}),
      makeSvg('line', {class: 'axis y'}), makeSvg('line', {class: 'stalk'}),
      part('circle', 'ring', {r: 13, class: 'reach'}),
      makeSvg('circle', {class: 'dot ring', r: 4.5}), ...handle('o', ''), ...handle('x', 'X'),
      ...handle('y', 'Y'), label);
}

const shortened = name => (name.length > mostLetters ? name.slice(0, mostLetters) + '…' : name);

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

function drawTriangle(group, stageFromPlane, affine) {
  const [o, x, y] = seenCorners(stageFromPlane, affine);
  const points = [o, x, y].map(p => `${p.x},${p.y}`).join(' ');
  group.classList.toggle('behind', [o, x, y].some(p => p.depth < leastDepth));
  for (const polygon of group.querySelectorAll('polygon')) polygon.setAttribute('points', points);
  if (group.classList.contains('unit')) return;
  const middle = {x: (x.x + y.x) / 2, y: (x.y + y.y) / 2};
  const ring = {
    x: o.x + (middle.x - o.x) * ringShare * 2,
    y: o.y + (middle.y - o.y) * ringShare * 2
  };
  for (const [part, point] of Object.entries({o, x, y, ring})) putHandle(group, part, point, o);
  putLine(group.querySelector('.stalk'), middle, ring);
  putLine(group.querySelector('.axis.x'), o, x);
  putLine(group.querySelector('.axis.y'), o, y);
}

function putLine(line, from, to) {
  const ends = {x1: from.x, y1: from.y, x2: to.x, y2: to.y};
  for (const [end, value] of Object.entries(ends)) line.setAttribute(end, value);
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
