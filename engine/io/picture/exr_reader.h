// OpenEXR files as linear pictures, for compare: those of kiln, and any flat file of scan lines
// with R G B, or Y, with or without A.
#pragma once

#include <string>

#include "engine/io/picture/image_reader.h"

namespace kiln {

/// Colours and alpha of the data window as floats (without A: 1), and the layer hits.X if it is
/// there. Throws Error of kind input, or usage where kiln was built without OpenEXR.
Image read_exr(const std::string& path, const ImageLimits& limits = {});

}  // namespace kiln
