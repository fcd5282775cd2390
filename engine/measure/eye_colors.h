// The color spaces between a screen and an eye: sRGB (IEC 61966-2-1), CIE XYZ as fractions of its
// white, L*a*b* (CIE 1976) and the linear opponent space YCxCz in which filters of an eye act.
#pragma once

#include "engine/api/kiln/image.h"

namespace kiln {

struct Color3 {
  double x = 0, y = 0, z = 0;
};

/// Red, green, blue of a pixel, linear, 0..1, seen on black. What is no number is black.
Color3 shown_light(const Image& image, std::size_t pixel);

/// An sRGB value 0..1 as light 0..1, and back.
double light_of_srgb(double value);
double srgb_of_light(double light);

/// X/Xn, Y/Yn, Z/Zn of linear red, green and blue, and back.
Color3 xyz_of_light(const Color3& rgb);
Color3 light_of_xyz(const Color3& xyz);

/// Y 0..100 (with the -16 of L*), red-green, blue-yellow; linear in XYZ.
Color3 opponent_of_xyz(const Color3& xyz);
Color3 xyz_of_opponent(const Color3& color);

/// L* 0..100, a*, b*.
Color3 lab_of_xyz(const Color3& xyz);

}  // namespace kiln
