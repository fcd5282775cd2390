// SPDX-License-Identifier: MIT
#include "cli/making/triangles.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/report/compare_report.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/model/exact_math.h"

namespace kiln::cli {
namespace {

constexpr double degree = exact::pi / 180;

struct SvgPoint {
  double x, y;
};

/// The way from the flame's plane to the pixels of its picture, as the renderer goes (engine/program/camera.cpp).
class PictureOfPlane {
 public:
  explicit PictureOfPlane(const Flame& flame)
      : flame_(flame),
        across_(flame.scale * exact::exp2(flame.zoom)),
        down_(across_ * flame.pixel_aspect),
        cos_(exact::sincos(flame.rotate_deg * degree).c),
        sin_(exact::sincos(flame.rotate_deg * degree).s) {}

  SvgPoint at(double x, double y) const {
    const double u = x - flame_.center_x, v = y - flame_.center_y;
    return {across_ * (u * cos_ - v * sin_) + 0.5 * flame_.width,
            down_ * (u * sin_ + v * cos_) + 0.5 * flame_.height};
  }

 private:
  const Flame& flame_;
  double across_, down_, cos_, sin_;
};

/// The places to which the map moves (0,0), (1,0) and (0,1).
std::array<SvgPoint, 3> corners_of(const AffineD& m) {
  return {SvgPoint{m.c, m.f}, {m.a + m.c, m.d + m.f}, {m.b + m.c, m.e + m.f}};
}

std::string color_at(const Palette& palette, double place) {
  const double last = double(palette.size() - 1);
  const Rgba& color = palette[std::size_t(std::lround(std::clamp(place, 0.0, 1.0) * last))];
  const auto byte = [](double level) {
    return int(std::lround(std::clamp(level, 0.0, 1.0) * 255));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(color.r), byte(color.g), byte(color.b));
}

/// The triangle, and the letters of its corners: O, X, Y, as Apophysis has them.
std::string triangle_of(const PictureOfPlane& picture, const AffineD& map,
                        const std::string& more) {
  std::string points;
  std::array<SvgPoint, 3> seen;
  const auto corners = corners_of(map);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    seen[i] = picture.at(corners[i].x, corners[i].y);
    points += fmt::format("{}{:.2f},{:.2f}", i == 0 ? "" : " ", seen[i].x, seen[i].y);
  }
  return fmt::format("    <polygon points=\"{}\"{}/>\n", points, more);
}

std::string group_of(const PictureOfPlane& picture, const Xform& xform, const std::string& label,
                     const std::string& color) {
  std::string text =
      fmt::format("  <g id=\"xform-{}\" stroke=\"{}\" fill=\"{}\">\n", label, color, color);
  const bool has_post = xform.post != AffineD();
  text += triangle_of(picture, xform.coefs, " fill-opacity=\"0.15\"");
  if (has_post) text += triangle_of(picture, xform.post, " fill=\"none\" stroke-dasharray=\"6 4\"");
  const SvgPoint origin = picture.at(xform.coefs.c, xform.coefs.f);
  text += fmt::format("    <text x=\"{:.2f}\" y=\"{:.2f}\" stroke=\"none\">{}</text>\n  </g>\n",
                      origin.x + 4, origin.y - 4, label);
  return text;
}

}  // namespace

std::string triangles_svg(const Flame& flame) {
  if (flame.depth_camera.projection != Projection::plane)
    fail(ErrorKind::usage, "{}: is seen on a sphere, where triangles are none; --projection plane",
         flame.place());
  const PictureOfPlane picture(flame);
  const double line = std::max(1.0, flame.width / 600.0);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" stroke-width=\"{2:.2f}\" stroke-linejoin=\"round\" font-family=\"sans-serif\" "
      "font-size=\"{3:.1f}\">\n  <title>{4}</title>\n",
      flame.width, flame.height, line, 12 * line, html(flame.name));
  text += "  <g id=\"identity\" stroke=\"#888888\" fill=\"none\">\n" +
          triangle_of(picture, AffineD(), "") + "  </g>\n";
  for (std::size_t i = 0; i < flame.xforms.size(); ++i)
    text += group_of(picture, flame.xforms[i], std::to_string(i),
                     color_at(flame.palette, flame.xforms[i].color));
  if (flame.final_xform) text += group_of(picture, *flame.final_xform, "final", "#ffffff");
  return text + "</svg>\n";
}

}  // namespace kiln::cli
