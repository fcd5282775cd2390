// A point spread function from a picture, for --psf.
#pragma once

#include <string>

#include "engine/model/effects.h"

namespace kiln {

/// "FILE.png[,STRENGTH[,SIZE%]]": the grey values of the file (the mean of r g b, times alpha) as
/// they are, without gamma. Throws Error: usage for the numbers, input for the file, also when it
/// is black or larger than 4096 pixels a side.
PointSpread read_point_spread(const std::string& option);

/// The FILE.png of it.
std::string point_spread_file(const std::string& option);

}  // namespace kiln
