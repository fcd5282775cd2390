// SPDX-License-Identifier: MIT
#include "engine/io/flame/motion_curves.h"

#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/base/text.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr std::size_t longest_curve_name = 200;  // so that a hostile one costs little
constexpr int most_points = 1000, most_on = 64, most_frames = 10000;

/// A property and the attribute that says it.
struct Property {
  std::string_view name, attribute;
  double factor;  // from the curve's unit to the attribute's
};
constexpr double radians = exact::pi / 180;
constexpr Property properties[] = {
    {"brightness", "brightness", 1},
    {"contrast", "contrast", 1},
    {"gamma", "gamma", 1},
    {"gammaThreshold", "gamma_threshold", 1},
    {"vibrancy", "vibrancy", 1},
    {"saturation", "saturation", 1},
    {"whiteLevel", "white_level", 1},
    {"lowDensityBrightness", "low_density_brightness", 1},
    {"balancingRed", "balancing_red", 1},
    {"balancingGreen", "balancing_green", 1},
    {"balancingBlue", "balancing_blue", 1},
    {"pixelsPerUnit", "scale", 1},
    {"camZoom", "cam_zoom", 1},
    {"camPitch", "cam_pitch", radians},
    {"camYaw", "cam_yaw", radians},
    {"camPerspective", "cam_persp", 1},
};

/// The affine map of an xform whose coefficients have curves of this name: xyCoeff00, 01, 10, 11, 20, 21.
struct Map {
  std::string_view name, attribute;
};
constexpr Map maps[] = {{"xyCoeff", "coefs"},   {"xyPostCoeff", "post"},
                        {"yzCoeff", "yzCoefs"}, {"yzPostCoeff", "yzPost"},
                        {"zxCoeff", "zxCoefs"}, {"zxPostCoeff", "zxPost"}};

const Attribute* find(const std::vector<Attribute>& attributes, std::string_view name) {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [name](const Attribute& a) { return a.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

double catmull_rom(double a, double b, double c, double d, double u) {
  return b + u / 2 * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)));
}

/// The y where a piece's x, which grows, is `time`.
template <class PieceX, class PieceY>
double y_of_piece(double time, PieceX x, PieceY y) {
  double low = 0, high = 1;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (x(middle) < time ? low : high) = middle;
  }
  return y(low);
}

/// The time of the last point of an element's curves that are on, and of those within it; below 0: none is on.
double last_time(const tinyxml2::XMLElement& element) {
  constexpr std::string_view on = "_enabled";
  double last = -1;
  for (const auto* a = element.FirstAttribute(); a; a = a->Next()) {
    const std::string_view name = a->Name(), value = a->Value();
    if (!name.ends_with(on) || (value != "true" && value != "1")) continue;
    const std::string of(name.substr(0, std::min(name.size() - on.size(), longest_curve_name)));
    const int count = element.IntAttribute((of + "_point_count").c_str());
    if (count < 1) continue;
    const std::string time = fmt::format("{}_x{}", of, std::min(count, most_points) - 1);
    last = std::max({last, 0.0, element.DoubleAttribute(time.c_str())});
  }
  for (const auto* e = element.FirstChildElement(); e; e = e->NextSiblingElement())
    last = std::max(last, last_time(*e));
  return last;
}

}  // namespace

int frames_of_curves(const tinyxml2::XMLElement& flame) {
  const double last = last_time(flame);
  if (last < 0) return 0;
  const int said = flame.IntAttribute("frame_count");
  return said > 1 ? std::min(said, most_frames)
                  : int(std::clamp(std::ceil(last), 1.0, double(most_frames)));
}

double MotionCurves::Points::at(double time) const {
  const std::size_t n = x.size();
  if (n == 0) return 0;
  if (n == 1 || time <= x[0]) return y[0];
  if (time >= x[n - 1]) return y[n - 1];
  std::size_t i = 0;  // the piece from i to i + 1
  while (i + 2 < n && x[i + 1] <= time) ++i;
  if (n == 2 || interpolation == "LINEAR") {
    const double length = x[i + 1] - x[i];
    return length > 0 ? y[i] + (y[i + 1] - y[i]) * (time - x[i]) / length : y[i + 1];
  }
  if (interpolation == "BEZIER") {
    const auto middle = [](const std::vector<double>& v, std::size_t k) {
      return (v[k] + v[k + 1]) / 2;
    };
    std::size_t k = 0;  // the piece about point k, between the middles of the lines beside it
    while (k + 1 < n && middle(x, k) <= time) ++k;
    const auto piece = [&](const std::vector<double>& v) {
      const double from = k == 0 ? v[0] : middle(v, k - 1), to = k + 1 == n ? v[k] : middle(v, k);
      return [=, &v](double u) {
        return (1 - u) * (1 - u) * from + 2 * u * (1 - u) * v[k] + u * u * to;
      };
    };
    return y_of_piece(time, piece(x), piece(y));
  }
  const auto piece = [&](const std::vector<double>& v) {
    const double before = v[i == 0 ? 0 : i - 1], after = v[std::min(i + 2, n - 1)];
    return [=, &v](double u) { return catmull_rom(before, v[i], v[i + 1], after, u); };
  };
  return y_of_piece(time, piece(x), piece(y));
}

MotionCurves::MotionCurves(const std::vector<Attribute>& attributes) {
  constexpr std::string_view on = "_enabled";
  for (const Attribute& a : attributes) by_name_.emplace(a.name, &a);
  for (const Attribute& a : attributes) {
    if (!a.name.ends_with(on)) continue;
    const std::string_view property = a.name.substr(0, a.name.size() - on.size());
    if (by_name_.contains(std::string(property.substr(0, longest_curve_name)) + "_point_count"))
      is_on_[property] = a.value == "true" || a.value == "1";
  }
}

std::optional<std::string_view> MotionCurves::property(std::string_view name) const {
  const auto is_part = [](std::string_view part) {
    constexpr std::string_view parts[] = {
        "enabled",       "view_xmin",    "view_xmax", "view_ymin",   "view_ymax",
        "interpolation", "selected_idx", "locked",    "point_count", "parent_curve"};
    const bool is_point =
        part.size() > 1 && (part[0] == 'x' || part[0] == 'y') &&
        std::all_of(part.begin() + 1, part.end(), [](char c) { return c >= '0' && c <= '9'; });
    return is_point || std::find(std::begin(parts), std::end(parts), part) != std::end(parts);
  };
  if (is_on_.empty()) return {};
  name = name.substr(0, longest_curve_name);
  for (std::size_t end = name.find('_'); end != name.npos; end = name.find('_', end + 1))
    if (is_on_.contains(name.substr(0, end)) && is_part(name.substr(end + 1)))
      return name.substr(0, end);
  return {};
}

double MotionCurves::number(const std::string& name) const {
  const auto a = by_name_.find(name);
  return a == by_name_.end() ? 0 : to_real(a->second->value).value_or(0);
}

MotionCurves::Points MotionCurves::points_of(std::string_view property) const {
  const std::string of(property.substr(0, longest_curve_name));
  Points points;
  const int count = int(std::clamp(number(of + "_point_count"), 0.0, double(most_points)));
  for (int i = 0; i < count && by_name_.contains(fmt::format("{}_x{}", of, i)); ++i) {
    points.x.push_back(number(fmt::format("{}_x{}", of, i)));
    points.y.push_back(number(fmt::format("{}_y{}", of, i)));
  }
  const auto kind = by_name_.find(of + "_interpolation");
  points.interpolation = kind == by_name_.end() ? "SPLINE" : kind->second->value;
  return points;
}

/// Replaces an attribute, or adds it; `like`: where it stands.
void MotionCurves::put(std::vector<Attribute>& attributes, const Attribute& like, std::string name,
                       std::string value) {
  const std::string_view own_name = texts_.emplace_back(std::move(name));
  const std::string_view own_value = texts_.emplace_back(std::move(value));
  std::vector<Attribute> others;
  bool is_there = false;
  for (const Attribute& a : attributes) {
    const bool is_this = a.name == own_name;
    is_there |= is_this;
    others.push_back({a.messages, a.owner, a.name, is_this ? own_value : a.value, a.line});
  }
  if (!is_there) others.push_back({like.messages, like.owner, own_name, own_value, like.line});
  attributes.swap(others);
}

std::vector<Attribute> MotionCurves::applied(const std::vector<Attribute>& attributes,
                                             CurveOwner owner, double time,
                                             std::vector<Missing>& missing) {
  constexpr std::string_view ending = "Curve", amount = "_amount";
  std::vector<Attribute> result;
  for (const Attribute& a : attributes)
    if (!has(a.name)) result.push_back(a);
  int on = 0;
  for (const auto& [property, is_on] : is_on_) {
    if (!is_on) continue;
    const Attribute& like = *find(attributes, std::string(property) + "_enabled");
    if (++on > most_on) {
      missing.push_back({fmt::format("more than {} curves", most_on), like.owner, like.line});
      break;
    }
    const double value = points_of(property).at(time);
    std::string_view name = property;
    const bool ends = name.ends_with(ending);
    if (ends) name.remove_suffix(ending.size());
    const auto known = std::find_if(std::begin(properties), std::end(properties),
                                    [&](const Property& one) { return one.name == name; });
    const auto map = std::find_if(std::begin(maps), std::end(maps), [&](const Map& one) {
      return name.size() == one.name.size() + 2 && name.starts_with(one.name);
    });
    if (owner == CurveOwner::flame && ends && known != std::end(properties)) {
      put(result, like, std::string(known->attribute), shortest(value * known->factor));
    } else if (owner == CurveOwner::xform && ends && map != std::end(maps)) {
      const int row = name[name.size() - 2] - '0', column = name.back() - '0';
      const Attribute* const there = find(result, map->attribute);
      std::vector<std::string> numbers = {"1", "0", "0", "1", "0", "0"};
      const auto words = split_at_blanks(there ? there->value : "");
      for (std::size_t i = 0; i < std::min(words.size(), numbers.size()); ++i)
        numbers[i] = std::string(words[i].substr(0, longest_curve_name));
      if (row < 0 || row > 2 || column < 0 || column > 1) continue;
      numbers[std::size_t(2 * row + column)] = shortest(value);
      put(result, like, std::string(map->attribute), joined(numbers, " "));
    } else if (owner == CurveOwner::xform && ends &&
               (name == "weight" || name == "color" || name == "opacity")) {
      // a curve may swing below the weight of nothing
      put(result, like, std::string(name),
          shortest(name == "weight" ? std::max(value, 0.0) : value));
    } else if (owner == CurveOwner::xform && (!ends || name.ends_with(amount))) {
      if (ends) name.remove_suffix(amount.size());
      put(result, like, std::string(name), shortest(value));
    } else {
      missing.push_back({"curve " + printable(property), like.owner, like.line});
    }
  }
  return result;
}

}  // namespace kiln
