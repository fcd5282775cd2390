// SPDX-License-Identifier: MIT
// Numbers of a flame by the names that tracks have, for what moves a live flame from elsewhere: a microphone, a
// control, OSC. Their addresses are "/kiln/zoom" of the flame, "/kiln/xform/2/turn" and "/kiln/final/weight" of an xform;
// xforms count from 1, as in files. docs/use/music.md has them for users.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/flame.h"

namespace kiln {

struct NamedNumber {
  int xform = track_of_flame;  // as Track has it
  std::string name;
  std::vector<double> value;  // as many numbers as a track of it would have
};

/// The number with this address, without a value; nothing where no flame has one there.
std::optional<NamedNumber> number_at(std::string_view address);
std::string address_of(int xform, std::string_view name);

/// Puts the values into the flame, each within what the flame can have; of those that come twice the last one counts.
/// Throws Error (usage) for one that it has not, before anything is changed.
void put_numbers(Flame& flame, const std::vector<NamedNumber>& numbers);

/// Tells what of a flame is another number than it was.
class ChangedNumbers {
 public:
  /// Since the flame before; of the first one nothing.
  std::vector<NamedNumber> since_last(const Flame& flame);

 private:
  std::map<int, std::string> texts_;  // of each xform, and of the flame without them
  std::map<std::string, std::vector<double>> values_;
  bool has_begun_ = false;
};

}  // namespace kiln
