// SPDX-License-Identifier: MIT
// Points that JWildfire's crops hide: a game goes on from them, but nothing is plotted. An xform says so by its color, to which
// it adds a mark; between steps it is a bit of Point::meta. Flames without such variations have none of this
// in their kernels.
#pragma once

#include "kernels/math.h"

KILN_BEGIN

constexpr Real mark_of_hidden = 4096,
               mark_of_shown = 8192;  // far beyond colors; 11 bits of them stay
constexpr u32 meta_hidden_bit = 1u << 31;

template <class Code>
constexpr bool may_hide_points = requires {
  requires Code::hides_points;
};

/// Takes the bit of hidden points out of their meta words.
template <class Run, class Words>
KILN_FN void take_hidden(const Run& run, Words& meta, Words& hidden) {
  run.each([&](int i) KILN_INLINE {
    hidden[i] = meta[i] & meta_hidden_bit;
    meta[i] &= ~meta_hidden_bit;
  });
}
/// An xform's word on its points, added to their colors.
template <class Run, class Reals>
KILN_FN void mark_color(const Run& run, const Reals& mark, Reals& color) {
  run.each([&](int i) KILN_INLINE { color[i] += mark[i]; });
}
/// Takes it out again. Points without a mark stay what they were, hidden or not.
template <class Run, class Reals, class Words>
KILN_FN void take_marks(const Run& run, Reals& color, Words& hidden) {
  run.each([&](int i) KILN_INLINE {
    const bool shown = color[i] >= Real(6144), hides = (color[i] >= Real(2048)) & !shown;
    hidden[i] = hides ? meta_hidden_bit : shown ? 0u : hidden[i];
    color[i] -= shown ? mark_of_shown : hides ? mark_of_hidden : Real(0);
  });
}

KILN_END
