// SPDX-License-Identifier: MIT
// Numbers and names of triangles where nothing else is written: of several places beside its point
// each takes the first that is free.

const letterPx = 6.6, linePx = 13, dotPx = 6, cornerPx = 14;
const nearPx = 10, farPx = 22;

/// Corners of a label's box at a place around a point: left, top.
function placesOf({x, y, width}) {
  const places = [];
  for (const off of [nearPx, farPx]) {
    const left = x - off - width, right = x + off, above = y - off - linePx / 2,
          below = y + off - linePx / 2;
    places.push(
        [left + nearPx / 2, above], [right - nearPx / 2, above], [left + nearPx / 2, below],
        [right - nearPx / 2, below], [left, y - linePx / 2], [right, y - linePx / 2],
        [x - width / 2, above - nearPx / 2], [x - width / 2, below + nearPx / 2]);
  }
  return places.map(([left, top]) => ({left, top, right: left + width, bottom: top + linePx}));
}

const overlap = (one, other) => one.left < other.right && other.left < one.right &&
    one.top < other.bottom && other.top < one.bottom;

/// labels: [{x, y: of its point, text}], the most important first; corners: others that have letters
/// of their own. The left end and the base line of each label.
export function spread(labels, corners) {
  const around = ({x, y}, px) => ({left: x - px, right: x + px, top: y - px, bottom: y + px});
  const taken = [
    ...labels.map(label => around(label, dotPx)), ...corners.map(corner => around(corner, cornerPx))
  ];
  return labels.map(({x, y, text}) => {
    const places = placesOf({x, y, width: letterPx * text.length});
    const free = places.find(place => !taken.some(other => overlap(place, other))) ?? places[0];
    taken.push(free);
    return {x: free.left, y: free.bottom - 3};
  });
}
