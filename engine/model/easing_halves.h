// SPDX-License-Identifier: MIT
// Where a key comes onto a way: the way to it and the way from it, which together are what was there.
#pragma once

#include <utility>

#include "engine/model/track.h"

namespace kiln {

/// The way before and the way after a new key at share `t` of the time that lies on it, so that nothing
/// moves otherwise than before. Of a curve that is nearly upright in its middle, whose handles reach past
/// each other, a half may be none that a file can have: then its handles are cut. A bounce is itself on
/// both sides, and so is smooth, which goes through the new key.
std::pair<Easing, Easing> halves(const Easing& easing, double t);

}  // namespace kiln
