// SPDX-License-Identifier: MIT
// FLIP: how much of a difference somebody sees who flips between two pictures on one screen, 0 to 1
// for every pixel. P. Andersson, J. Nilsson, T. Akenine-Moeller, M. Oskarsson, K. Astroem,
// M. D. Fairchild, "FLIP: A Difference Evaluator for Alternating Images", Proc. ACM Comput. Graph.
// Interact. Tech. 3(2), 2020 (LDR-FLIP), written from its formulas:
//   colors    filtered by what the eye resolves (contrast sensitivity), distance HyAB in L*a*b*
//              with Hunt's adjustment, then stretched to 0..1
//   features   edges and points by derivatives of a Gaussian in luminance
//   together   color_difference ^ (1 - feature_difference): a new edge makes a difference count more
// All filters are separable: some 150 multiplications a pixel and picture.
#pragma once

#include <vector>

#include "engine/api/kiln/image.h"

namespace kiln {

// The color spaces between a screen and an eye: sRGB (IEC 61966-2-1), CIE XYZ as fractions of its
// white, L*a*b* (CIE 1976) and the linear opponent space YCxCz in which filters of an eye act.

struct Color3 {
  double x = 0, y = 0, z = 0;
};

/// Red, green, blue of a pixel, linear, 0..1, seen on black. What is no number is black.
Color3 shown_light(const Image& image, std::size_t pixel);

/// X/Xn, Y/Yn, Z/Zn of linear red, green and blue, and back.
Color3 xyz_of_light(const Color3& rgb);
Color3 light_of_xyz(const Color3& xyz);

/// Y 0..100 (with the -16 of L*), red-green, blue-yellow; linear in XYZ.
Color3 opponent_of_xyz(const Color3& xyz);
Color3 xyz_of_opponent(const Color3& color);

/// L* 0..100, a*, b*.
Color3 lab_of_xyz(const Color3& xyz);

struct Flip {
  double mean = 0;         // 0: nothing to be seen, 1: black instead of white everywhere
  std::vector<float> map;  // [H, W] 0..1
};

/// The paper's screen: 0.7 m wide with 3840 pixels, seen from 0.7 m.
inline constexpr double flip_pixels_per_degree = 3840 * 3.14159265358979323846 / 180;

/// Both pictures are of one size. Pixels are seen on black; linear light as a screen shows it,
/// cut at 1.
Flip flip(const Image& a, const Image& b, double pixels_per_degree = flip_pixels_per_degree);

}  // namespace kiln
