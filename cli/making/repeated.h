// SPDX-License-Identifier: MIT
// A picture of kiln is its own project: rendered again it takes the settings that it was made with,
// where the command line does not say otherwise.
#pragma once

#include <string>

#include "cli/options/picture_options.h"
#include "cli/says/console.h"
#include "engine/io/flame/flame_reader.h"

namespace kiln::cli {

/// The settings with which the pictures of a file are made.
struct Making {
  RenderOptions options;
  ExrForm exr;
  Credits credits;
  bool was_linear = false;  // the picture of the record
  std::string made_before;  // hash of the pixels if nothing but names may differ
  bool repeats = false;     // the settings of a record
};

/// The options, and where they are silent the record of the picture `file`; says in one line what
/// is repeated. Throws Error of kind usage where something is missing that the record only names.
Making making_of(const PictureOptions& args, const FlameFile& file, Console& console);

}  // namespace kiln::cli
