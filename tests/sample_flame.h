// SPDX-License-Identifier: MIT
// A flame of flames/, small, for tests that render it.
#pragma once

#include <string>

#include "engine/io/flame/flame_reader.h"
#include "tests/places.h"

namespace kiln::test {

/// The same part of the plane at that width.
inline Flame sample_flame(const std::string& name, int width, double quality) {
  ReaderOptions options;
  options.warn = [](const std::string&) {};
  Flame flame =
      read_flames(std::string(source_dir()) + "/flames/" + name + ".flam3", options).flames.at(0);
  flame.scale *= double(width) / flame.width;
  flame.height = flame.height * width / flame.width;
  flame.width = width;
  flame.quality = quality;
  return flame;
}

}  // namespace kiln::test
