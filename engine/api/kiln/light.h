// SPDX-License-Identifier: MIT
// Whose light lies in a place of a picture: which xforms made it, and by which ways.
#pragma once

#include <array>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace kiln {

struct LightOptions {
  double x = 0, y = 0;     // pixels of the picture, from its upper left corner
  double radius = 0;       // of the place around it, in pixels; 0: a hundredth of the shorter side
  std::uint64_t seed = 0;  // that of the picture
  std::uint64_t enough = 10000;      // points in the place that end the search
  std::uint64_t count = 30'000'000;  // points of the flame that end it, to 100 000 000 000
  /// Seconds that end it; 0: none. With a limit the same question may have other numbers.
  double seconds = 0;
  int map_width = 0;          // columns of the maps; 0: none are made
  int threads = 0;            // 0: all cores
  std::stop_token stop = {};  // ends it with Error (stopped)
};

/// The part that an xform, or a way of several, has in the place.
struct LightShare {
  /// The xforms that made it, the last one first: 2 1 is xform 2 of what xform 1 made.
  std::vector<int> xforms;
  std::uint64_t points = 0;       // in the place
  std::uint64_t by_symmetry = 0;  // of them those that symmetry has carried there
  double hits = 0, light = 0;     // shares of all in the place, 0 to 1: of points, of light
  std::array<double, 3> color = {0, 0, 0};  // of the light: red green blue, 0 to 1
  /// [rows][columns] How much of what lies there is its own, 255: all; empty: no map.
  std::vector<std::uint8_t> map;
};

/// The light of a place by who made it; no shares where nothing is there.
struct LightAt {
  std::vector<LightShare> xforms;  // an xform each, the one with most light first
  std::vector<LightShare> ways;    // of two xforms, likewise; empty where they cannot be told apart
  std::uint64_t points = 0;        // in the place
  std::uint64_t played = 0;        // of the flame
  double x = 0, y = 0, radius = 0;
  int map_width = 0, map_height = 0;
};

}  // namespace kiln
