// SPDX-License-Identifier: MIT
// Pictures as a show of slides: each fitted into the size of the first and kept for a while, one fading into the next.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/command.h"

namespace kiln::cli {

/// A picture as a film has it: 16 bits a channel, [height, width, channels].
struct Slide {
  int width = 0, height = 0, channels = 3;
  std::vector<std::uint16_t> samples;
};

/// The slide in the middle of a picture of this size, as large as fits, with its own shape; the rest is black, or clear
/// where there is an alpha channel.
Slide fitted(const Slide& slide, int width, int height);

/// The mean of two slides of one size, `share` of it the second's.
std::vector<std::uint16_t> faded(const Slide& from, const Slide& to, double share);

/// --fade and --show of kiln video.
struct SlideWords {
  std::string fade, show;

  void add_to(Command& command);
  bool given() const { return !fade.empty() || !show.empty(); }
  /// Frames that a slide stands still, and that it fades. Throws Error (usage).
  struct Frames {
    int still = 0, fading = 0;
  };
  Frames frames(const std::string& fps) const;
};

}  // namespace kiln::cli
