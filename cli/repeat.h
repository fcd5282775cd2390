// A picture of kiln is its own project: rendered again it takes the settings that it was made with,
// where the command line does not say otherwise.
#pragma once

#include <string>

#include "cli/options/picture_options.h"
#include "cli/talk.h"
#include "engine/io/flame/flame_reader.h"

namespace kiln::cli {

/// How the pictures of a file are made.
struct Making {
  RenderOptions options;
  ExrPrecision precision = ExrPrecision::half_float;
  bool was_linear = false;  // the usual name is that of an OpenEXR picture
  std::string made_before;  // hash of the pixels if nothing but names may differ
};

/// The options, and where they are silent the record of the picture `file`; says in one line what
/// is repeated. Throws Error of kind usage where something is missing that the record only names.
Making making_of(const PictureOptions& args, const FlameFile& file, Talk& talk);

}  // namespace kiln::cli
