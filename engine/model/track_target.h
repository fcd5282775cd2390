// SPDX-License-Identifier: MIT
// What the tracks of a film move: every attribute of <flame> that has numbers or words and means
// something at one time, and of an xform its own attributes, every variation, form and parameter by the
// names of kiln's files, and its maps by what people turn at: position, size and turn, of the post
// affine post_position, post_size and post_turn. All of it is found in the tables that the reader reads.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/flame.h"
#include "engine/model/flame_attributes.h"

namespace kiln {

/// What is put in the place of a value that must be above a limit and is not, above that limit.
inline constexpr double least_above = 1e-6;

struct TrackTarget {
  std::string name;                 // as kiln writes it
  std::size_t least = 1, most = 1;  // numbers of a value; fewer than `most` leave the others out
  AttributeWords words = {};        // not empty: a value is the place of one of them
  double low = -1e38, high = 1e38;  // of each number that a key may have
  bool above = false;               // above `low`
  const FlameAttribute* attribute = nullptr;  // of <flame>; null: of an xform

  /// The flame's value there. The flame has that xform.
  std::function<std::vector<double>(const Flame&)> get;
  /// Puts a value there, within what the flame can have.
  std::function<void(Flame&, std::span<const double>)> put;
  /// Gives the flame all that any value of the track can need of a program (engine/program/structure.h).
  std::function<void(Flame&)> widen = [](Flame&) {};
};

/// `xform`: from 0, or track_of_flame, track_of_final. Nothing where there is no such thing to move.
std::optional<TrackTarget> find_track_target(int xform, std::string_view name);

/// All names that tracks of <flame>, or of an xform, may have, in alphabetical order; for messages and
/// lists to choose from.
std::vector<std::string> track_target_names(int xform);

/// "brightness", "turn of xform 2", "weight of finalxform".
std::string track_label(const Track& track);

/// The text of a value in a file.
std::string track_value_text(const TrackTarget& target, const std::vector<double>& value);

/// Whether the flame has what the track moves.
bool has_xform(const Flame& flame, int xform);

}  // namespace kiln
