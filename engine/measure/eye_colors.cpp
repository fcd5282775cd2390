#include "engine/measure/eye_colors.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/model/exact_math.h"

namespace kiln {
namespace {

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

double light_of_srgb(double value) {
  return value <= 0.04045 ? value / 12.92 : exact::pow((value + 0.055) / 1.055, 2.4);
}

double srgb_of_light(double light) {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * exact::pow(light, 1 / 2.4) - 0.055;
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
