// SPDX-License-Identifier: MIT
// Layers of JWildfire's flames: flames on top of each other, each with xforms and a palette of its own, whose samples are
// counted together. They become one flame: points stay in the layer that they begin in, by chaos, and a color says
// in which part of the palettes, one behind the other, it is.
#pragma once

#include <vector>

#include "engine/model/flame.h"

namespace kiln {

struct Layer {
  Flame part;      // its xforms and palette
  double weight;   // of its colors; what is counted stays
  double density;  // its square is the share of its samples that are there
  int number;      // from 1, in the file
};

/// Gives `flame` the xforms and palettes of its layers, of which there is one at least.
void join_layers(std::vector<Layer> layers, Flame& flame);

}  // namespace kiln
