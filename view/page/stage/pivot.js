// SPDX-License-Identifier: MIT
// What triangles turn and grow about: each its own O, the middle of all that are chosen, or a point
// that is dragged over the picture and rests at corners and the origin when it comes near.

import {makeSvg, segments} from '../base/elements.js';
import {at, corners, distance, isClick} from '../base/geometry.js';


const nearPx = 9;
const kinds = [
  ['o', 'O', 'Each about its own O'],
  ['middle', 'middle', 'About the middle of all that are chosen'],
  ['point', 'point', 'About a point of the picture: drag it; double-click: its own O again']
];

export class Pivot {
  constructor(editor, picture) {
    this.editor = editor;
    this.picture = picture;
    this.kind = 'o';
    this.point = {x: 0, y: 0};
    this.choice = segments('Turns about', kinds, kind => this.set(kind));
    this.choice.show(this.kind);
    this.element = makeSvg(
        'g',
        {class: 'pivot', pointerdown: event => this.onDown(event), dblclick: () => this.set('o')},
        makeSvg('circle', {class: 'reach', r: 14}), makeSvg('circle', {r: 6}),
        makeSvg('path', {d: 'M-11 0H11M0 -11V11'}));
  }

  set(kind) {
    this.kind = kind;
    this.choice.show(kind);
    this.editor.tell('sight');
  }

  next() {
    const names = kinds.map(([name]) => name);
    this.set(names[(names.indexOf(this.kind) + 1) % names.length]);
  }

  /// Of the plane; undefined: the O of each.
  get place() {
    const {editor, kind} = this;
    if (kind === 'point') return this.point;
    if (kind === 'o' || editor.picked.length < 2) return undefined;
    const all = editor.picked.map(xform => editor.flame.affine(xform, editor.affineName));
    const mean = name => all.reduce((sum, one) => sum + one[name], 0) / all.length;
    return {x: mean('c'), y: mean('f')};
  }

  draw() {
    const {place} = this;
    this.element.toggleAttribute('hidden', !place);
    if (!place) return;
    const {x, y} = at(this.picture.stageFromPlane, place.x, place.y);
    this.element.setAttribute('transform', `translate(${x} ${y})`);
  }

  onDown(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();                     // neither triangles nor the camera
    const stays = this.element.ownerSVGElement;  // while triangles are put anew
    const follow = moved => {
      if (!stays.hasPointerCapture(event.pointerId)) {
        if (isClick(event, moved)) return;
        stays.setPointerCapture(event.pointerId);  // now: a double-click is the marker's
      }
      this.point = this.rest(moved);
      if (this.kind !== 'point') this.set('point');
      this.draw();
    };
    const end = () => {
      stays.removeEventListener('pointermove', follow);
      for (const name of ['pointerup', 'pointercancel']) stays.removeEventListener(name, end);
    };
    stays.addEventListener('pointermove', follow);
    for (const name of ['pointerup', 'pointercancel']) stays.addEventListener(name, end);
  }

  /// A point of the screen in the plane, or the corner that is next to it.
  rest({clientX, clientY}) {
    const {editor, picture} = this, {left, top} = picture.stage.getBoundingClientRect();
    const hand = {x: clientX - left, y: clientY - top}, plane = picture.stageFromPlane;
    const places = editor.flame.all.flatMap(
        xform => Object.values(corners(editor.flame.affine(xform, editor.affineName))));
    const near =
        [{x: 0, y: 0}, ...places].find(({x, y}) => distance(hand, at(plane, x, y)) < nearPx);
    return near ?? at(plane.inverse(), hand.x, hand.y);
  }
}
