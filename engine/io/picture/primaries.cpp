// SPDX-License-Identifier: MIT
#include "engine/io/picture/primaries.h"

#include <fmt/format.h>

namespace kiln {
namespace {

using Triple = std::array<double, 3>;

constexpr std::array<double, 2> d65 = {0.3127, 0.3290};
constexpr std::array<double, 2> d50 = {0.345702915,
                                       0.358538597};  // X 0.9642, Z 0.8249, as ICC has it
constexpr Chromaticities known[] = {
    {{{0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}, d65}},        // BT.709
    {{{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}, d65}},  // BT.2020
    {{{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}, d65}},  // SMPTE EG 432-1, P3 with D65
    {{{0.713, 0.293}, {0.165, 0.830}, {0.128, 0.044}, {0.32168, 0.33767}}}};  // S-2014-004, AP1

ColorMatrix product(const ColorMatrix& a, const ColorMatrix& b) {
  ColorMatrix c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  return c;
}

Triple product(const ColorMatrix& m, const Triple& v) {
  Triple r{};
  for (std::size_t i = 0; i < 3; ++i) r[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return r;
}

/// The inverse, by cofactors.
ColorMatrix inverse(const ColorMatrix& m) {
  ColorMatrix r{};
  const auto minor_of = [&](std::size_t i, std::size_t j) {
    const std::size_t a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
    return m[a][c] * m[b][d] - m[a][d] * m[b][c];
  };
  const double determinant =
      m[0][0] * minor_of(0, 0) + m[0][1] * minor_of(0, 1) + m[0][2] * minor_of(0, 2);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) r[j][i] = minor_of(i, j) / determinant;
  return r;
}

/// XYZ at luminance 1.
Triple xyz(const std::array<double, 2>& c) { return {c[0] / c[1], 1, (1 - c[0] - c[1]) / c[1]}; }

/// SMPTE RP 177: columns are the primaries, as much of each as makes white.
ColorMatrix to_xyz(const Chromaticities& c) {
  ColorMatrix m{};
  for (std::size_t j = 0; j < 3; ++j) {
    const Triple column = xyz(c[j]);
    for (std::size_t i = 0; i < 3; ++i) m[i][j] = column[i];
  }
  const Triple share = product(inverse(m), xyz(c[3]));
  for (auto& row : m)
    for (std::size_t j = 0; j < 3; ++j) row[j] *= share[j];
  return m;
}

/// K. M. Lam, 1985, as CIE 160 prints it.
ColorMatrix bradford(const std::array<double, 2>& from, const std::array<double, 2>& to) {
  constexpr ColorMatrix cones = {
      {{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}};
  const Triple before = product(cones, xyz(from)), after = product(cones, xyz(to));
  ColorMatrix scaled = cones;
  for (std::size_t i = 0; i < 3; ++i)
    for (double& value : scaled[i]) value *= after[i] / before[i];
  return product(inverse(cones), scaled);
}

}  // namespace

const std::vector<std::string> exr_compressions = {"none",  "rle", "zips", "zip",  "piz",
                                                   "pxr24", "b44", "b44a", "dwaa", "dwab"};
const std::vector<std::string> primaries_names = {"rec709", "rec2020", "p3", "acescg"};

std::string ExrForm::text() const {
  if (hdr_peak > 0) return fmt::format("PQ, {} cd/m2", hdr_peak);
  std::string words = precision == ExrPrecision::single_float ? "float" : "half";
  if (compression != ExrCompression::zip)
    words += ", " + exr_compressions[std::size_t(compression)];
  if (primaries != Primaries::rec709) words += ", " + primaries_names[std::size_t(primaries)];
  return words;
}

const Chromaticities& chromaticities_of(Primaries primaries) {
  return known[static_cast<std::size_t>(primaries)];
}

ColorMatrix adaptation_to_d50(const Chromaticities& c) { return bradford(c[3], d50); }

ColorMatrix colorants_at_d50(const Chromaticities& c) {
  return product(adaptation_to_d50(c), to_xyz(c));
}

ColorMatrix color_matrix(const Chromaticities& from, const Chromaticities& to) {
  const ColorMatrix light = to_xyz(from), back = inverse(to_xyz(to));
  return product(back, from[3] == to[3] ? light : product(bradford(from[3], to[3]), light));
}

}  // namespace kiln
