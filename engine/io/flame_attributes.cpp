#include "engine/io/flame_attributes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "engine/base/text.h"
#include "engine/io/curves_text.h"
#include "engine/io/dialect_attributes.h"
#include "engine/io/effects_text.h"
#include "engine/io/foreign_attributes.h"
#include "engine/io/nearest_name.h"

namespace kiln {
namespace {

constexpr int max_side = 1'000'000;
constexpr std::int64_t max_pixels = std::int64_t(1) << 34;
constexpr std::size_t flame_name_bytes = 256;

template <class Enum>
struct Choice {
  const char* name;
  Enum value;
};

constexpr Choice<FilterShape> filter_shapes[] = {
    {"gaussian", FilterShape::gaussian}, {"hermite", FilterShape::hermite},
    {"box", FilterShape::box},           {"triangle", FilterShape::triangle},
    {"bell", FilterShape::bell},         {"bspline", FilterShape::bspline},
    {"mitchell", FilterShape::mitchell}, {"blackman", FilterShape::blackman},
    {"catrom", FilterShape::catrom},     {"hanning", FilterShape::hanning},
    {"hamming", FilterShape::hamming},   {"lanczos3", FilterShape::lanczos3},
    {"lanczos2", FilterShape::lanczos2}, {"quadratic", FilterShape::quadratic}};
constexpr Choice<TemporalFilter> temporal_filters[] = {{"box", TemporalFilter::box},
                                                       {"gaussian", TemporalFilter::gaussian},
                                                       {"exp", TemporalFilter::exp}};
constexpr Choice<PaletteMode> palette_modes[] = {{"step", PaletteMode::step},
                                                 {"linear", PaletteMode::linear}};
constexpr Choice<Interpolation> interpolations[] = {{"linear", Interpolation::linear},
                                                    {"smooth", Interpolation::smooth}};
constexpr Choice<InterpolationType> interpolation_types[] = {{"linear", InterpolationType::linear},
                                                             {"log", InterpolationType::log},
                                                             {"old", InterpolationType::old},
                                                             {"older", InterpolationType::older}};
constexpr Choice<PaletteInterpolation> palette_interpolations[] = {
    {"hsv", PaletteInterpolation::hsv},
    {"sweep", PaletteInterpolation::sweep},
    {"hsv_circular", PaletteInterpolation::hsv_circular},
    {"rgb", PaletteInterpolation::rgb}};

// An unknown word leaves `field` as it is, with a warning, as in flam3.
template <class Enum, std::size_t N>
void choose(const Attribute& a, const Choice<Enum> (&choices)[N], Enum& field) {
  std::vector<std::string> names;
  for (const auto& [name, value] : choices) {
    if (a.value == name) {
      field = value;
      return;
    }
    names.emplace_back(name);
  }
  a.messages.ignored(a.line, std::string(a.name) + "=" + printable(a.value), [&] {
    return fmt::format("flame: {}=\"{}\" is unknown{}; it is ignored", a.name, printable(a.value),
                       did_you_mean(a.value, names));
  });
}

void take_size(Flame& flame, const Attribute& a) {
  const std::vector<std::string_view> words = split_at_blanks(a.value.substr(0, 200));
  if (words.size() != 2 || a.value.size() > 200) a.reject("needs two whole numbers: width height");
  const auto side = [&](std::string_view word) {
    const Attribute one{a.messages, a.owner, a.name, word, a.line};
    return read_integer(one, 1, max_side);
  };
  flame.width = side(words[0]);
  flame.height = side(words[1]);
  if (std::int64_t(flame.width) * flame.height > max_pixels) a.reject("has more than 2^34 pixels");
}

void take_center(Flame& flame, const Attribute& a) {
  const std::vector<double> values = read_reals(a, 2, "x y");
  flame.center_x = values[0];
  flame.center_y = values[1];
}

void take_background(Flame& flame, const Attribute& a) {
  const std::vector<double> values = read_reals(a, 3, "red green blue, 0 to 1");
  std::copy(values.begin(), values.end(), flame.background.begin());
}

/// Text for people: programs that claim UTF-8 may write Latin-1.
std::string text_of(const Attribute& a, Dialect dialect) {
  return dialect == Dialect::flam3 ? std::string(a.value) : as_utf8(a.value);
}

void take_name(Flame& flame, const Attribute& a) {
  flame.name = flame_name(text_of(a, flame.dialect));
}

/// Apophysis' older word for the perspective.
void take_camera_distance(Flame& flame, const Attribute& a) {
  const double distance = read_real(a);
  if (distance != 0) flame.depth_camera.perspective = 1 / distance;
}

void take_bloom(Flame& flame, const Attribute& a) {
  const std::string wrong = set_bloom(flame.effects, read_real_list(a));
  if (!wrong.empty()) a.reject("{}", wrong);
}

void take_glare(Flame& flame, const Attribute& a) {
  const std::string wrong = set_glare(flame.effects, read_real_list(a));
  if (!wrong.empty()) a.reject("{}", wrong);
}

// flam3 reads this one leniently: the leading number, or 0.
void take_highlight_power(Flame& flame, const Attribute& a) {
  const double power = leading_real(a.value);
  if (!(std::fabs(power) <= 1e38)) a.reject("is not a finite number");
  flame.highlight_power = power;
}

// One line per attribute; the macros only spare the parameter list.
using Setter = void (*)(Flame&, FlameOrders&, const Attribute&);
#define KILN_SET(field, expression) \
  [](Flame& f, FlameOrders&, const Attribute& a) { f.field = expression; }
#define KILN_CHOOSE(field, choices) \
  [](Flame& f, FlameOrders&, const Attribute& a) { choose(a, choices, f.field); }
#define KILN_CALL(function) [](Flame& f, FlameOrders&, const Attribute& a) { function(f, a); }
#define KILN_CURVE(number) \
  [](Flame& f, FlameOrders&, const Attribute& a) { take_curve(a, number, f); }

using Setters = std::unordered_map<std::string_view, Setter>;

/// The camera of pictures with depth.
Setters depth_setters() {
  return {
      {"cam_zpos", KILN_SET(depth_camera.z, read_real(a))},
      {"cam_persp", KILN_SET(depth_camera.perspective, read_real(a))},
      {"cam_perspective", KILN_SET(depth_camera.perspective, read_real(a))},
      {"cam_dist", KILN_CALL(take_camera_distance)},
      {"cam_pitch", KILN_SET(depth_camera.pitch_rad, read_real(a, -1e6, 1e6))},
      {"cam_yaw", KILN_SET(depth_camera.yaw_rad, read_real(a, -1e6, 1e6))},
      {"cam_dof", KILN_SET(depth_camera.blur, read_real(a))},
      {"blur_curve", KILN_SET(depth_camera.blur_curve, read_real(a))},
  };
}

Setters flat_setters() {
  return {
      {"time", KILN_SET(time, read_real(a))},
      {"name", KILN_CALL(take_name)},
      {"nick", KILN_SET(nick, text_of(a, f.dialect).substr(0, max_credit_bytes))},
      {"url", KILN_SET(url, text_of(a, f.dialect).substr(0, max_credit_bytes))},
      {"size", KILN_CALL(take_size)},
      {"center", KILN_CALL(take_center)},
      {"scale", KILN_SET(scale, read_positive(a))},
      {"zoom", KILN_SET(zoom, read_real(a, -64, 64))},
      {"rotate", KILN_SET(rotate_deg, read_real(a, -1e9, 1e9))},
      {"supersample", KILN_SET(supersample, read_integer(a, 1, 16))},
      {"oversample", KILN_SET(supersample, read_integer(a, 1, 16))},
      {"filter", KILN_SET(filter_radius_px, read_real(a, 0, 64))},
      {"filter_shape", KILN_CHOOSE(filter_shape, filter_shapes)},
      {"temporal_filter_type", KILN_CHOOSE(temporal_filter, temporal_filters)},
      {"temporal_filter_width", KILN_SET(temporal_filter_width, read_real(a))},
      {"temporal_filter_exp", KILN_SET(temporal_filter_exp, read_real(a))},
      {"palette_mode", KILN_CHOOSE(palette_mode, palette_modes)},
      {"quality", KILN_SET(quality, (read_positive(a), read_real(a, 0, 1e9)))},
      {"passes", KILN_SET(passes, read_integer(a, 1, 1000))},
      {"temporal_samples", KILN_SET(temporal_samples, read_integer(a, 1, 100000))},
      {"background", KILN_CALL(take_background)},
      {"brightness", KILN_SET(brightness, read_real(a))},
      {"gamma", KILN_SET(gamma, read_positive(a))},
      {"highlight_power", KILN_CALL(take_highlight_power)},
      {"vibrancy", KILN_SET(vibrancy, read_real(a))},
      {"hue", KILN_SET(hue, read_real(a) - std::trunc(read_real(a)))},  // = fmod(hue, 1), exactly
      {"estimator_radius", KILN_SET(estimator_radius, read_real(a, 0, 512))},
      {"estimator_minimum", KILN_SET(estimator_minimum, read_real(a, 0, 512))},
      {"estimator_curve", KILN_SET(estimator_curve, read_real(a))},
      {"gamma_threshold", KILN_SET(gamma_threshold, read_real(a))},
      {"logscale_k2", KILN_SET(logscale_k2, read_real(a, 0, 1e15))},
      {"interpolation", KILN_CHOOSE(interpolation, interpolations)},
      {"interpolation_type", KILN_CHOOSE(interpolation_type, interpolation_types)},
      {"interpolation_space", KILN_CHOOSE(interpolation_type, interpolation_types)},
      {"palette_interpolation", KILN_CHOOSE(palette_interpolation, palette_interpolations)},
      {"hsv_rgb_palette_blend", KILN_SET(hsv_rgb_palette_blend, read_real(a))},
      {"kiln_bloom", KILN_CALL(take_bloom)},
      {"kiln_glare", KILN_CALL(take_glare)},
      {"overall_curve", KILN_CURVE(0)},
      {"red_curve", KILN_CURVE(1)},
      {"green_curve", KILN_CURVE(2)},
      {"blue_curve", KILN_CURVE(3)},
      {"curves", [](Flame& f, FlameOrders&, const Attribute& a) { take_curves(a, f); }},
      {"kiln_curves", [](Flame& f, FlameOrders&, const Attribute& a) { take_curve_mix(a, f); }},
      {"palette",
       [](Flame&, FlameOrders& orders, const Attribute& a) {
         const int number = read_integer(a, -(1 << 30), 1 << 30);
         orders.library_palette = number == -1 ? std::nullopt : std::optional<int>(number);
       }},
      {"soloxform",
       [](Flame&, FlameOrders& orders, const Attribute& a) {
         orders.solo_xform = int(std::clamp(read_real(a), -1.0, 1e6));
       }},
  };
}

const Setters& setters() {
  static const Setters table = [] {
    Setters all = flat_setters();
    all.merge(depth_setters());
    return all;
  }();
  return table;
}
#undef KILN_SET
#undef KILN_CHOOSE
#undef KILN_CALL
#undef KILN_CURVE

void report_unknown(const Attribute& a, Flame& flame) {
  const Foreign foreign = foreign_in_flame(a.name, a.value, flame.dialect);
  if (foreign == Foreign::harmless) return;
  const std::string name = printable(a.name);
  if (foreign == Foreign::missing && flame.dialect != Dialect::flam3 && !is_camera(a.name))
    return note_left_out(a);
  if (foreign == Foreign::missing) {
    flame.missing.push_back({"setting " + name, a.owner, a.line});
    return;
  }
  a.messages.ignored(a.line, "flame " + name, [&] {
    return fmt::format("flame: unknown attribute {}{}; it is ignored", name,
                       did_you_mean(a.name, flame_attribute_names()));
  });
}

void check_xforms(const Flame& flame, const Messages& messages) {
  if (flame.xforms.empty())
    messages.error(flame.line,
                   "the flame has no xform: there is nothing to iterate; add an <xform>");
  double sum = 0;
  bool has_chaos = false;
  for (const Xform& xform : flame.xforms) {
    sum += xform.weight;
    has_chaos |= !xform.chaos.empty();
  }
  if (!(sum > 0))
    messages.error(flame.line,
                   "all xforms have weight 0: none can be chosen; give at least one a weight");
  if (!has_chaos || flame.dialect != Dialect::flam3) return;  // the others go to the first xform
  for (std::size_t i = 0; i < flame.xforms.size(); ++i) {
    const std::vector<double>& chaos = flame.xforms[i].chaos;
    double row = 0;
    for (std::size_t j = 0; j < flame.xforms.size(); ++j)
      row += flame.xforms[j].weight * (j < chaos.size() ? chaos[j] : 1);
    if (!(row > 0))
      messages.error(flame.xforms[i].line,
                     "xform {}: chaos leaves no xform to go to (every weight times chaos is 0); "
                     "give one of its entries a value above 0",
                     i + 1);
  }
}

}  // namespace

void take_flame_attribute(const Attribute& attribute, Flame& flame, FlameOrders& orders) {
  take_mildly(attribute, [&] {
    if (take_dialect_attribute(attribute, flame, orders)) return;
    const auto found = setters().find(attribute.name);
    if (found == setters().end()) return report_unknown(attribute, flame);
    found->second(flame, orders, attribute);
  });
}

std::vector<std::string> flame_attribute_names() {
  std::vector<std::string> names;
  for (const auto& [name, setter] : setters()) names.emplace_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

std::string flame_name(std::string_view text) {
  std::string name(text.substr(0, flame_name_bytes));
  const auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  std::replace_if(name.begin(), name.end(), is_blank, '_');
  return name;
}

void check_flame(const Flame& flame, const Messages& messages) {
  check_xforms(flame, messages);
  check_attributes(flame, messages);
}

void check_attributes(const Flame& flame, const Messages& messages) {
  // 2^zoom between these two powers; pixels per unit must stay in single precision with room for
  // products
  const int whole = int(std::floor(flame.zoom));
  if (std::ldexp(flame.scale, whole) < 1e-15 || std::ldexp(flame.scale, whole + 1) > 1e15)
    messages.error(flame.line,
                   "flame: scale {} with zoom {} is outside of 1e-15 to 1e15 pixels per unit",
                   flame.scale, flame.zoom);
  if (const char* reason = refusal(flame.effects)) messages.error(flame.line, "flame: {}", reason);
  if (flame.estimator_radius > 0) {
    if (flame.estimator_minimum > flame.estimator_radius)
      messages.error(flame.line, "flame: estimator_minimum {} is larger than estimator_radius {}",
                     flame.estimator_minimum, flame.estimator_radius);
    if (!(flame.estimator_curve > 0))
      messages.error(
          flame.line,
          "flame: estimator_curve {} must be greater than 0 (or set estimator_radius=\"0\")",
          flame.estimator_curve);
  }
}

}  // namespace kiln
