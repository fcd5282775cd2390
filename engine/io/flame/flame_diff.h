// SPDX-License-Identifier: MIT
// The differences between two flames: attributes by their table, xforms matched by likeness and not by their
// number alone, palettes, tracks. All is compared as files say it, so nothing is forgotten that they have.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/model/flame.h"

namespace kiln {

/// One part that differs; an empty text: only the other flame has it.
struct PartChange {
  std::string name, a, b;
  bool is_seen = true;  // false: pictures are the same all the same
};

/// An xform of each, which are alike, or one that the other flame has nothing like.
struct XformChange {
  std::optional<int> a, b;  // numbers from 0
  bool is_final = false;
  std::vector<PartChange> changes;
};

struct FlameDiff {
  std::vector<PartChange> attributes;
  std::vector<XformChange> xforms;  // those that differ or have another number
  std::optional<PartChange> palette;
  std::vector<PartChange> tracks;
  bool other_history = false;  // <edit> elements

  bool is_same() const {
    return attributes.empty() && xforms.empty() && !palette && tracks.empty() && !other_history;
  }
  /// Whether what a still shows is of one flame: nothing but names, films and history differ.
  bool looks_same() const;
};

FlameDiff diff_flames(const Flame& a, const Flame& b);

/// A line each: "gamma: 4, then 3"; "xform.1.julian: 1, then 0.5".
std::vector<std::string> in_words(const FlameDiff& diff);

/// One JSON object: same, looks_same, attributes, xforms, palette, tracks, history.
std::string diff_json(const FlameDiff& diff);

}  // namespace kiln
