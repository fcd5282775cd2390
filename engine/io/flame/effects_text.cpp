// SPDX-License-Identifier: MIT
#include "engine/io/flame/effects_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/attributes.h"

namespace kiln {

std::string set_bloom(Bloom& result, const std::vector<double>& numbers) {
  if (numbers.empty() || numbers.size() > 3)
    return "needs one to three numbers: strength, radius in per cent of the height, threshold";
  Bloom bloom;
  bloom.strength = numbers[0];
  if (numbers.size() > 1) bloom.radius = numbers[1];
  if (numbers.size() > 2) bloom.threshold = numbers[2];
  if (!(bloom.strength >= 0 && bloom.strength <= 1))
    return fmt::format("strength {} must be 0 to 1", bloom.strength);
  if (!(bloom.radius >= 0.01 && bloom.radius <= 100))
    return fmt::format("radius {} must be 0.01 to 100 per cent of the height", bloom.radius);
  if (!(bloom.threshold >= 0 && bloom.threshold <= 1e6))
    return fmt::format("threshold {} must be 0 to 1e6", bloom.threshold);
  result = bloom;
  return {};
}

std::string set_glare(Glare& result, const std::vector<double>& numbers) {
  if (numbers.empty() || numbers.size() > 3)
    return "needs one to three numbers: points, angle in degrees, strength";
  Glare glare;
  const bool in_range = numbers[0] >= 0 && numbers[0] <= 16;
  if (!in_range || 2 * int(numbers[0] / 2) != numbers[0]) {
    return fmt::format(
        "a star of {} points: must be 0 (off), 2, 4, ... 16; light spreads to both sides of an "
        "edge, so their number is even",
        numbers[0]);
  }
  glare.points = int(numbers[0]);
  if (numbers.size() > 1) glare.angle_deg = numbers[1];
  if (numbers.size() > 2) glare.strength = numbers[2];
  if (!(std::fabs(glare.angle_deg) <= 36000))
    return fmt::format("angle {} must be -36000 to 36000 degrees", glare.angle_deg);
  if (!(glare.strength >= 0 && glare.strength <= 1))
    return fmt::format("strength {} must be 0 to 1", glare.strength);
  result = glare;
  return {};
}

namespace {

constexpr std::size_t most_points = 4096;  // of one curve
constexpr std::size_t most_sets = 64;      // of kiln_curves
constexpr std::size_t corner_points = 4;   // of a curve in `curves`
const CurvePoints bezier_identity = {{0, 0}, {0, 0}, {1, 1}, {1, 1}};

std::vector<double> numbers_of(const Attribute& attribute, std::size_t most) {
  std::vector<double> numbers = read_real_list(attribute);
  if (numbers.size() > most && attribute.messages.is_mild()) numbers.resize(most);
  if (numbers.size() > most) attribute.reject("has more than {} numbers", most);
  return numbers;
}

/// The curves that the flame has so far, to be changed and put back.
ColorCurves curves_of(const Flame& flame, CurveKind kind) {
  const bool fits = flame.curves.size() == 1 && flame.curves[0].curves.kind == kind;
  return fits ? flame.curves[0].curves : ColorCurves{kind, {}};
}

CurvePoints bezier_points(CurvePoints points) {
  if (is_bezier_identity(points)) points.clear();
  return points;
}

std::string list(const CurvePoints& points, bool with_weights) {
  std::string text;
  for (const CurvePoint& point : points) {
    text += (text.empty() ? "" : " ") + shortest(point.x) + " " + shortest(point.y);
    if (with_weights) text += " " + shortest(point.weight);
  }
  return text;
}

std::string mix_text(const CurveMix& mix) {
  std::string text;
  for (const CurveShare& part : mix) {
    text += (text.empty() ? "" : " ") + shortest(part.share);
    text += part.curves.kind == CurveKind::spline ? " spline" : " bezier";
    for (const CurvePoints& curve : part.curves.curves) {
      text += fmt::format(" {}", curve.size());
      if (!curve.empty()) text += " " + list(curve, true);
    }
  }
  return text;
}

/// Reads the words of kiln_curves one after the other.
class MixReader {
 public:
  explicit MixReader(const Attribute& attribute)
      : attribute_(attribute), words_(split_at_blanks(attribute.value)) {}

  bool at_end() const { return at_ >= words_.size(); }

  CurveShare part() {
    CurveShare part;
    part.share = number();
    const std::string_view kind = word();
    if (kind != "spline" && kind != "bezier")
      attribute_.reject("\"{}\" is neither spline nor bezier", printable(kind));
    part.curves.kind = kind == "spline" ? CurveKind::spline : CurveKind::bezier;
    for (CurvePoints& points : part.curves.curves) points = curve(part.curves.kind);
    return part;
  }

 private:
  std::string_view word() {
    if (at_end()) attribute_.reject("ends in the middle of a curve");
    return words_[at_++];
  }
  double number() {
    const Attribute one{attribute_.messages, attribute_.owner, attribute_.name, word(),
                        attribute_.line};
    return read_real(one);
  }
  CurvePoints curve(CurveKind kind) {
    const double count = number();
    if (!(count >= 0 && count <= double(most_points)) || count != std::floor(count))
      attribute_.reject("a curve has 0 to {} points", most_points);
    CurvePoints points;
    for (int i = 0; i < int(count); ++i) {
      const double x = number(), y = number();
      points.push_back({x, y, number()});
    }
    if (points.empty()) return points;
    if (kind == CurveKind::spline) return spline_points(points);
    if (points.size() != corner_points) attribute_.reject("a bezier curve has 4 points");
    return bezier_points(points);
  }

  const Attribute& attribute_;
  const std::vector<std::string_view> words_;
  std::size_t at_ = 0;
};

}  // namespace

void set_curve(const Attribute& attribute, std::size_t number, Flame& flame) {
  const std::vector<double> numbers = numbers_of(attribute, 2 * most_points);
  if (numbers.size() % 2 != 0) attribute.unreadable("must be pairs of numbers: x y x y ...");
  CurvePoints points;
  for (std::size_t i = 0; i < numbers.size(); i += 2)
    points.push_back({numbers[i], numbers[i + 1]});
  ColorCurves curves = curves_of(flame, CurveKind::spline);
  curves.curves.at(number) = spline_points(std::move(points));
  flame.curves = mix_of(std::move(curves));
}

void set_curves(const Attribute& attribute, Flame& flame) {
  constexpr std::size_t numbers_a_point = 3, numbers_a_curve = corner_points * numbers_a_point;
  const std::vector<double> numbers = numbers_of(attribute, 4 * numbers_a_curve);
  if (numbers.size() % numbers_a_curve != 0)
    attribute.unreadable("has {} numbers; a curve is four points x y weight", numbers.size());
  const bool bezier = flame.dialect == Dialect::apophysis;
  ColorCurves curves{bezier ? CurveKind::bezier : CurveKind::spline, {}};
  for (std::size_t k = 0; k < numbers.size() / numbers_a_curve; ++k) {
    CurvePoints points;
    for (std::size_t p = 0; p < corner_points; ++p) {
      const double* point = &numbers[(k * corner_points + p) * numbers_a_point];
      points.push_back({point[0], point[1], point[2]});
    }
    curves.curves[k] = bezier ? bezier_points(points) : spline_points(points);
  }
  flame.curves = mix_of(std::move(curves));
}

void set_curve_mix(const Attribute& attribute, Flame& flame) {
  constexpr std::size_t longest = 1 << 20;
  if (attribute.value.size() > longest) attribute.reject("is longer than {} bytes", longest);
  CurveMix mix;
  for (MixReader reader(attribute); !reader.at_end();) {
    if (mix.size() >= most_sets) attribute.reject("has more than {} sets of curves", most_sets);
    mix.push_back(reader.part());
  }
  flame.curves = std::move(mix);
}

std::vector<std::pair<std::string, std::string>> curve_attributes(const Flame& flame) {
  if (flame.curves.empty()) return {};
  const ColorCurves& curves = flame.curves[0].curves;
  const bool alone = flame.curves.size() == 1 && flame.curves[0].share == 1;
  std::vector<std::pair<std::string, std::string>> texts;
  if (alone && curves.kind == CurveKind::spline) {
    for (std::size_t k = 0; k < curves.curves.size(); ++k)
      if (!curves.curves[k].empty())
        texts.emplace_back(curve_names[k], list(curves.curves[k], false));
  } else if (alone && flame.dialect == Dialect::apophysis) {
    std::string text;
    for (const CurvePoints& curve : curves.curves)
      text += (text.empty() ? "" : " ") + list(curve.empty() ? bezier_identity : curve, true);
    texts.emplace_back("curves", text);
  } else {
    texts.emplace_back("kiln_curves", mix_text(flame.curves));
  }
  return texts;
}

}  // namespace kiln
