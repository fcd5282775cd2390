// SPDX-License-Identifier: MIT
// OpenEXR files of several parts: one of channels of floats, and pictures of linear light, each a part with a name. Compositors
// show both as layers.
#pragma once

#include <string>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/io/picture/picture_file.h"

namespace kiln {

struct ExrChannelValues {
  std::string name;
  const float* values;  // [height][width]
};
struct ExrPart {
  std::string name;
  const Image* light;  // R G B A, premultiplied
};

/// `texts` are those of the first part. Throws Error (output; usage where kiln was built without OpenEXR).
void write_exr_layers(const std::string& path, int width, int height,
                      const std::vector<ExrChannelValues>& channels,
                      const std::vector<ExrPart>& parts, const FileTexts& texts);

}  // namespace kiln
