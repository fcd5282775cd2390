// SPDX-License-Identifier: MIT
// Where things are: the plane of the flame, the picture in pixels of the flame's `size`, the stage
// in pixels of the screen. Matrices are named target_from_source, written targetFromSource.

const clickPx = 4;

/// A pixel of a point of the plane; y grows downwards, `rotate` turns clockwise (docs/inside/live-inside.md).
export function pictureFromPlane(camera) {
  const scale = camera.scale * 2 ** camera.zoom;
  return new DOMMatrix()
      .translateSelf(camera.width / 2, camera.height / 2)
      .scaleSelf(scale, scale)
      .rotateSelf(camera.rotate)
      .translateSelf(-camera.x, -camera.y);
}

/// Where the camera of pictures with depth sees a point of the plane z = 0 (kernels/program.h).
export function seenFromPlane({pitch, yaw, perspective, z}) {
  const [ps, pc, ys, yc] = [Math.sin(pitch), Math.cos(pitch), Math.sin(yaw), Math.cos(yaw)];
  return new DOMMatrix([
    yc, -ys * pc, 0, perspective * ys * ps,  // of x, column by column
    ys, yc * pc, 0, -perspective * yc * ps,  // of y
    0, 0, 1, 0,                              // of nothing: it is a plane
    0, z * ps, 0, 1 + perspective * z * pc
  ]);
}

/// The picture as large as the stage has room for, in the middle; `share` of that size.
export function stageFromPicture(camera, stageWidth, stageHeight, margin, share = 1) {
  const room = Math.min(
      (stageWidth - 2 * margin) / camera.width, (stageHeight - 2 * margin) / camera.height);
  const scale = Math.max(room, 0.01) * share;
  return new DOMMatrix()
      .translateSelf(
          (stageWidth - scale * camera.width) / 2, (stageHeight - scale * camera.height) / 2)
      .scaleSelf(scale, scale);
}

/// `depth`: at most 0 for what lies behind the camera.
export function at(matrix, x, y) {
  const point = matrix.transformPoint({x, y});
  return {x: point.x / point.w, y: point.y / point.w, depth: point.w};
}

/// Turn and enlargement of the picture about a point of it, then a shift.
export function similarity(about, factor, degrees, dx = 0, dy = 0) {
  return new DOMMatrix()
      .translateSelf(about.x + dx, about.y + dy)
      .rotateSelf(degrees)
      .scaleSelf(factor, factor)
      .translateSelf(-about.x, -about.y);
}

/// The camera that shows what a similarity of the picture would make of it.
export function movedCamera(camera, move) {
  const planeFromPicture = move.multiply(pictureFromPlane(camera)).inverse();
  const center = at(planeFromPicture, camera.width / 2, camera.height / 2);
  return {
    ...camera,
    x: center.x,
    y: center.y,
    scale: camera.scale * Math.hypot(move.a, move.b),
    rotate: wrappedDegrees(camera.rotate + Math.atan2(move.b, move.a) * 180 / Math.PI),
  };
}

/// From -180 to 180.
export function wrappedDegrees(degrees) {
  const turned = ((degrees + 180) % 360 + 360) % 360 - 180;
  return Math.abs(turned) < 1e-9 ? 0 : turned;
}

// ---- affines as triangles: O where the origin goes, X and Y where the unit points go ----

export const corners = ({a, b, c, d, e, f}) =>
    ({o: {x: c, y: f}, x: {x: a + c, y: d + f}, y: {x: b + c, y: e + f}});

/// The affine with one corner at a point; O takes the others with it.
export function withCorner(affine, corner, {x, y}) {
  const {c, f} = affine;
  if (corner === 'o') return {...affine, c: x, f: y};
  return corner === 'x' ? {...affine, a: x - c, d: y - f} : {...affine, b: x - c, e: y - f};
}

/// The affine after a turn and an enlargement of its triangle about O.
export function turned(affine, factor, degrees) {
  const cos = factor * Math.cos(degrees * Math.PI / 180),
        sin = factor * Math.sin(degrees * Math.PI / 180);
  const turn = (x, y) => [cos * x - sin * y, sin * x + cos * y];
  const [a, d] = turn(affine.a, affine.d), [b, e] = turn(affine.b, affine.e);
  return {...affine, a, d, b, e};
}

/// The same about any point: O goes along.
export function turnedAbout(affine, factor, degrees, point) {
  if (!point) return turned(affine, factor, degrees);
  const turn = turned({a: 0, d: 0, b: affine.c - point.x, e: affine.f - point.y}, factor, degrees);
  return {...turned(affine, factor, degrees), c: point.x + turn.b, f: point.y + turn.e};
}

/// The affine with one corner's direction kept and its distance from O that of a point: all of it
/// grows or shrinks.
export function scaledTo(affine, corner, to) {
  const {o, [corner]: from} = corners(affine);
  return turned(affine, distance(o, to) / Math.max(distance(o, from), 1e-9), 0);
}

/// Degrees of the side O X.
export const angleOf = ({a, d}) => Math.atan2(d, a) * 180 / Math.PI;

export const snapped = (value, step) => Math.round(value / step) * step;

/// A step of 1, 2 or 5 times a power of ten, not below `least`.
export function gridStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= least);
}

/// Mirrored about the line through O, left to right or top to bottom.
export const mirrored = (affine, upright) =>
    (upright ? {...affine, d: -affine.d, e: -affine.e} : {...affine, a: -affine.a, b: -affine.b});

/// Degrees from one point to another, seen from a third.
export function angleBetween(about, from, to) {
  const angle =
      Math.atan2(to.y - about.y, to.x - about.x) - Math.atan2(from.y - about.y, from.x - about.x);
  return wrappedDegrees(angle * 180 / Math.PI);
}

export const distance = (p, q) => Math.hypot(p.x - q.x, p.y - q.y);

/// Whether a pointer has hardly moved.
export const isClick = (from, to) =>
    distance({x: from.clientX, y: from.clientY}, {x: to.clientX, y: to.clientY}) < clickPx;
