// <symmetry kind="N"/>: flam3 turns it into extra xforms at the point of the document where it
// stands.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/flame.h"

namespace kiln {

/// The kind that flam3's rules for kind 0 draw; seed decides which.
int random_symmetry_kind(std::uint64_t seed);

/// Adds the xforms of a symmetry: |kind| - 1 rotations for |kind| >= 2, a reflection first if kind
/// < 0.
void append_symmetry(int kind, Flame& flame);

}  // namespace kiln
