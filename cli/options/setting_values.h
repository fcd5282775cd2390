// Values of options that are more than a number: sizes, places, windows, colors. Everything throws
// Error (usage) that names the option and shows how such a value looks.
#pragma once

#include <array>
#include <string>

#include "engine/model/crop.h"

namespace kiln::cli {

/// Pixels.
struct Size {
  int width = 1, height = 1;
};

/// "1920x1080".
Size size_value(const std::string& option, const std::string& text);
/// "X,Y": a point of the flame's plane.
std::array<double, 2> point_value(const std::string& option, const std::string& text);
/// "X,Y,WxH"; whether the picture has it is seen when its size is known.
Window window_value(const std::string& option, const std::string& text);
/// "r,g,b" from 0 to 1, "#rrggbb", or a name: red, green and blue as 0 to 1.
std::array<double, 3> color_value(const std::string& option, const std::string& text);

}  // namespace kiln::cli
