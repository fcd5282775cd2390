// SPDX-License-Identifier: MIT
/// How two genomes differ, number by number, as far as six written digits can tell.
#pragma once
#include <string>
#include <vector>

#include "engine/model/flame.h"

namespace conformance {

/// "xform 2 coefs: 0.25 instead of 0.5" for every number of `ours` that is not `theirs` to five
/// digits. Not compared: names and what flam3-genome does not write (hue, parameters of variations
/// of weight 0, weight and animate of a final xform).
std::vector<std::string> differences(const kiln::Flame& ours, const kiln::Flame& theirs);

}  // namespace conformance
