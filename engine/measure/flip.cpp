// SPDX-License-Identifier: MIT
#include "engine/measure/flip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "engine/base/error.h"
#include "engine/model/exact_math.h"
#include "engine/model/transfer.h"

namespace kiln {
namespace {

using Plane = std::vector<float>;  // [H, W]
using Taps = std::vector<double>;  // [2 radius + 1]

struct Size {
  int width, height;
  std::size_t pixels() const { return std::size_t(width) * std::size_t(height); }
};

/// The plane with `across` along rows, then `down` along columns; beyond the edge the last pixel
/// goes on.
Plane filtered(const Plane& plane, Size size, const Taps& across, const Taps& down) {
  const int radius_across = int(across.size()) / 2, radius_down = int(down.size()) / 2;
  const auto at = [&](int x, int y) {
    return std::size_t(y) * std::size_t(size.width) + std::size_t(x);
  };
  Plane rows(plane.size()), result(plane.size());
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      double sum = 0;
      for (int k = -radius_across; k <= radius_across; ++k)
        sum += across[std::size_t(k + radius_across)] *
               double(plane[at(std::clamp(x + k, 0, size.width - 1), y)]);
      rows[at(x, y)] = float(sum);
    }
  }
  std::vector<double> sums(static_cast<std::size_t>(size.width));
  for (int y = 0; y < size.height; ++y) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (int k = -radius_down; k <= radius_down; ++k) {
      const float* row = rows.data() + at(0, std::clamp(y + k, 0, size.height - 1));
      for (std::size_t x = 0; x < sums.size(); ++x)
        sums[x] += down[std::size_t(k + radius_down)] * double(row[x]);
    }
    for (std::size_t x = 0; x < sums.size(); ++x) result[at(0, y) + x] = float(sums[x]);
  }
  return result;
}

// ---- what the eye resolves ----

/// A term a exp(-b f^2) of a contrast sensitivity, f in cycles per degree (the paper's table 1).
struct Sensitivity {
  double a, b;
};
constexpr Sensitivity achromatic = {1, 0.0047}, red_green = {1, 0.0053};
constexpr std::array<Sensitivity, 2> blue_yellow = {{{34.1, 0.04}, {13.5, 0.025}}};

/// sqrt(pi / b) exp(-pi^2 d^2 / b) at the distances d of pixels, not normalized: the transform of
/// exp(-b f^2).
Taps sensitivity_taps(double b, double pixels_per_degree) {
  constexpr double widest = 0.04;  // the largest b: all filters have its radius
  const int radius = int(std::ceil(
      3 * std::sqrt(widest / (2 * std::numbers::pi * std::numbers::pi)) * pixels_per_degree));
  Taps taps;
  for (int k = -radius; k <= radius; ++k) {
    const double degrees = k / pixels_per_degree;
    taps.push_back(exact::exp(-std::numbers::pi * std::numbers::pi * degrees * degrees / b));
  }
  return taps;
}

double sum_of(const Taps& taps) {
  double sum = 0;
  for (const double tap : taps) sum += tap;
  return sum;
}

Taps scaled(Taps taps, double factor) {
  for (double& tap : taps) tap *= factor;
  return taps;
}

Plane seen(const Plane& plane, Size size, Sensitivity s, double pixels_per_degree) {
  const Taps taps = sensitivity_taps(s.b, pixels_per_degree);
  const Taps whole = scaled(taps, 1 / sum_of(taps));
  return filtered(plane, size, whole, whole);
}

/// Two Gaussians together, their sum normalized.
Plane seen_blue_yellow(const Plane& plane, Size size, double pixels_per_degree) {
  std::array<double, 2> share{};
  for (std::size_t i = 0; i < 2; ++i) {
    const double area = sum_of(sensitivity_taps(blue_yellow[i].b, pixels_per_degree));
    share[i] = blue_yellow[i].a * std::sqrt(std::numbers::pi / blue_yellow[i].b) * area * area;
  }
  Plane result = seen(plane, size, blue_yellow[0], pixels_per_degree);
  const Plane other = seen(plane, size, blue_yellow[1], pixels_per_degree);
  const double first = share[0] / (share[0] + share[1]);
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = float(first * double(result[i]) + (1 - first) * double(other[i]));
  return result;
}

using Planes = std::array<Plane, 3>;

Planes opponent_planes(const Image& image, Size size) {
  Planes planes;
  for (Plane& plane : planes) plane.resize(size.pixels());
  for (std::size_t i = 0; i < size.pixels(); ++i) {
    const Color3 color = opponent_of_xyz(xyz_of_light(shown_light(image, i)));
    planes[0][i] = float(color.x);
    planes[1][i] = float(color.y);
    planes[2][i] = float(color.z);
  }
  return planes;
}

/// L*a*b* with Hunt's adjustment: a dark color is less of a color.
Color3 perceived(const Color3& light) {
  const Color3 lab = lab_of_xyz(xyz_of_light(light));
  return {lab.x, 0.01 * lab.x * lab.y, 0.01 * lab.x * lab.z};
}

std::vector<Color3> perceived_colors(const Planes& opponent, Size size, double pixels_per_degree) {
  const Plane y = seen(opponent[0], size, achromatic, pixels_per_degree);
  const Plane x = seen(opponent[1], size, red_green, pixels_per_degree);
  const Plane z = seen_blue_yellow(opponent[2], size, pixels_per_degree);
  std::vector<Color3> colors(size.pixels());
  for (std::size_t i = 0; i < colors.size(); ++i) {
    Color3 light = light_of_xyz(xyz_of_opponent({y[i], x[i], z[i]}));
    for (double* part : {&light.x, &light.y, &light.z}) *part = std::clamp(*part, 0.0, 1.0);
    colors[i] = perceived(light);
  }
  return colors;
}

// ---- how far colors are apart ----

/// HyAB (Abasi and others, 2020), to the power 0.7.
double color_distance(const Color3& p, const Color3& q) {
  const double da = p.y - q.y, db = p.z - q.z;
  return exact::pow(std::fabs(p.x - q.x) + std::sqrt(da * da + db * db), 0.7);
}

/// The lower 40 % of what can be take 95 % of 0..1.
double stretched(double distance, double largest) {
  constexpr double knee = 0.4, at_knee = 0.95;
  const double cut = knee * largest;
  return distance < cut ? at_knee / cut * distance
                        : at_knee + (distance - cut) / (largest - cut) * (1 - at_knee);
}

// ---- edges and points ----

struct FeatureTaps {
  Taps smooth, edge, point;
};

/// Positive taps sum to 1, negative ones to -1.
Taps balanced(Taps taps) {
  double above = 0, below = 0;
  for (const double tap : taps) (tap > 0 ? above : below) += tap;
  for (double& tap : taps) tap /= tap > 0 ? above : -below;
  return taps;
}

/// A Gaussian and its first two derivatives; features are 0.082 degrees wide.
FeatureTaps feature_taps(double pixels_per_degree) {
  const double deviation = 0.5 * 0.082 * pixels_per_degree;
  const int radius = int(std::ceil(3 * deviation));
  FeatureTaps taps;
  for (int k = -radius; k <= radius; ++k) {
    const double t = k / deviation, bell = exact::exp(-t * t / 2);
    taps.smooth.push_back(bell);
    taps.edge.push_back(-k * bell);
    taps.point.push_back((t * t - 1) * bell);
  }
  taps.smooth = scaled(taps.smooth, 1 / sum_of(taps.smooth));
  taps.edge = balanced(taps.edge);
  taps.point = balanced(taps.point);
  return taps;
}

Plane lengths(const Plane& x, const Plane& y) {
  Plane length(x.size());
  for (std::size_t i = 0; i < length.size(); ++i) length[i] = std::sqrt(x[i] * x[i] + y[i] * y[i]);
  return length;
}

struct EdgesAndPoints {
  Plane edges, points;
};

EdgesAndPoints features(const Plane& achromatic_plane, Size size, const FeatureTaps& taps) {
  Plane luminance(achromatic_plane);
  for (float& value : luminance) value = (value + 16) / 116;
  const auto strength = [&](const Taps& derivative) {
    return lengths(filtered(luminance, size, derivative, taps.smooth),
                   filtered(luminance, size, taps.smooth, derivative));
  };
  return {strength(taps.edge), strength(taps.point)};
}

// From the chromaticities of sRGB's primaries and of D65 (0.3127, 0.3290), white as (1, 1, 1).
constexpr double xyz_from_rgb[3][3] = {
    {0.4123907992659595, 0.35758433938387796, 0.1804807884018343},
    {0.21263900587151036, 0.7151686787677559, 0.07219231536073371},
    {0.01933081871559185, 0.11919477979462599, 0.9505321522496606}};
constexpr double rgb_from_xyz[3][3] = {
    {3.2409699419045213, -1.5373831775700935, -0.4986107602930033},
    {-0.9692436362808798, 1.8759675015077206, 0.04155505740717561},
    {0.05563007969699361, -0.20397695888897657, 1.0569715142428786}};
constexpr double white_x = 0.9504559270516716, white_z = 1.0890577507598784;  // sums of the rows

Color3 times(const double (&m)[3][3], const Color3& v) {
  return {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z,
          m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
          m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
}

double within_screen(double light) {
  return light > 0 ? std::min(light, 1.0) : 0;  // also what is no number
}

/// Light of every 8-bit value: most pictures ask for nothing else.
const std::array<double, 256>& light_of_bytes() {
  static const std::array<double, 256> table = [] {
    std::array<double, 256> light{};
    for (std::size_t i = 0; i < light.size(); ++i) light[i] = light_of_srgb(double(i) / 255);
    return light;
  }();
  return table;
}

double lab_curve(double t) {
  constexpr double d = 6.0 / 29;
  return t > d * d * d ? exact::pow(t, 1.0 / 3) : t / (3 * d * d) + 4.0 / 29;
}

}  // namespace

Flip flip(const Image& a, const Image& b, double pixels_per_degree) {
  KILN_CHECK(a.width == b.width && a.height == b.height && a.width > 0 && a.height > 0,
             "{} x {} and {} x {}", a.width, a.height, b.width, b.height);
  const Size size{a.width, a.height};
  const Planes opponent_a = opponent_planes(a, size), opponent_b = opponent_planes(b, size);
  const FeatureTaps taps = feature_taps(pixels_per_degree);
  const EdgesAndPoints features_a = features(opponent_a[0], size, taps);
  const EdgesAndPoints features_b = features(opponent_b[0], size, taps);
  const std::vector<Color3> colors_a = perceived_colors(opponent_a, size, pixels_per_degree);
  const std::vector<Color3> colors_b = perceived_colors(opponent_b, size, pixels_per_degree);
  const double largest = color_distance(perceived({0, 1, 0}), perceived({0, 0, 1}));
  Flip result;
  result.map.resize(size.pixels());
  for (std::size_t i = 0; i < size.pixels(); ++i) {
    const double color = stretched(color_distance(colors_a[i], colors_b[i]), largest);
    const double feature =
        std::max(std::fabs(double(features_a.edges[i]) - double(features_b.edges[i])),
                 std::fabs(double(features_a.points[i]) - double(features_b.points[i])));
    const double feature_difference = std::sqrt(feature / std::sqrt(2.0));
    const double error = color > 0 ? exact::pow(color, 1 - std::min(feature_difference, 1.0)) : 0;
    result.map[i] = float(std::min(error, 1.0));
    result.mean += double(result.map[i]);
  }
  result.mean /= double(size.pixels());
  return result;
}

Color3 shown_light(const Image& image, std::size_t pixel) {
  const std::size_t i = pixel * 4;
  if (image.bits() == 32) {
    const std::vector<float>& v = image.linear().rgba;
    return {within_screen(v[i]), within_screen(v[i + 1]), within_screen(v[i + 2])};
  }
  if (image.bits() == 16) {
    const Words& v = image.pixels16();
    const double alpha = v[i + 3] / 65535.0;
    const auto light = [&](std::size_t c) { return alpha * light_of_srgb(v[i + c] / 65535.0); };
    return {light(0), light(1), light(2)};
  }
  const Bytes& v = image.pixels8();
  const double alpha = v[i + 3] / 255.0;
  const auto& light = light_of_bytes();
  return {alpha * light[v[i]], alpha * light[v[i + 1]], alpha * light[v[i + 2]]};
}

Color3 xyz_of_light(const Color3& rgb) {
  const Color3 xyz = times(xyz_from_rgb, rgb);
  return {xyz.x / white_x, xyz.y, xyz.z / white_z};
}

Color3 light_of_xyz(const Color3& xyz) {
  return times(rgb_from_xyz, {xyz.x * white_x, xyz.y, xyz.z * white_z});
}

Color3 opponent_of_xyz(const Color3& xyz) {
  return {116 * xyz.y - 16, 500 * (xyz.x - xyz.y), 200 * (xyz.y - xyz.z)};
}

Color3 xyz_of_opponent(const Color3& color) {
  const double y = (color.x + 16) / 116;
  return {y + color.y / 500, y, y - color.z / 200};
}

Color3 lab_of_xyz(const Color3& xyz) {
  const double x = lab_curve(xyz.x), y = lab_curve(xyz.y), z = lab_curve(xyz.z);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

}  // namespace kiln
