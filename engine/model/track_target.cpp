// SPDX-License-Identifier: MIT
#include "engine/model/track_target.h"

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "engine/model/exact_math.h"
#include "engine/model/formula.h"
#include "engine/model/meanings.h"
#include "engine/model/palette.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

using Numbers = std::span<const double>;

// ---- attributes of <flame> ----

/// Whether it means something at a time: not who made the flame, nor what lies between key flames.
bool can_move(const FlameAttribute& row) {
  if (std::holds_alternative<std::monostate>(row.member) || row.name == "size") return false;
  if (row.has(FlameAttribute::nothing_seen)) return false;
  if (row.has(FlameAttribute::frames) && !row.has(FlameAttribute::blends)) return false;
  const std::string_view type = attribute_type(row);
  return type != "text" && type != "special";
}

/// Calls use(number) for each number of a value, as each_number does, to be changed.
template <class Value, class Use>
void change_numbers(Value&& value, Use use) {
  using Type = std::remove_cvref_t<Value>;
  if constexpr (std::is_arithmetic_v<Type> || std::is_enum_v<Type>) {
    use(value);
  } else if constexpr (std::is_same_v<Type, Bloom>) {
    use(value.strength), use(value.radius), use(value.threshold);
  } else if constexpr (std::is_same_v<Type, Glare>) {
    use(value.points), use(value.angle_deg), use(value.strength);
  } else if constexpr (requires { std::tuple_size<Type>::value; }) {
    std::apply([&](auto&... numbers) { (use(numbers), ...); }, value);
  }
}

std::vector<double> numbers_of(const FlameAttribute& row, const Flame& flame) {
  std::vector<double> numbers;
  row.with_member([&](auto get) {
    const auto& value = get(flame);
    if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(value)>>)
      numbers.push_back(double(value));
    else
      each_number(value, [&](auto number) { numbers.push_back(double(number)); });
  });
  return numbers;
}

void put_numbers(const FlameAttribute& row, Numbers numbers, Flame& flame) {
  row.with_member([&](auto get) {
    std::size_t n = 0;
    change_numbers(get(flame), [&](auto& place) {
      using Type = std::remove_cvref_t<decltype(place)>;
      if (n >= numbers.size()) return;
      const double low = row.range.above ? row.range.low + least_above : row.range.low;
      const double number = std::clamp(numbers[n++], low, row.range.high);
      if constexpr (std::is_floating_point_v<Type>)
        place = number;
      else
        place = Type(int(std::rint(std::clamp(number, -2e9, 2e9))));
    });
  });
}

/// Light cannot be spread twice, and stars have even points.
void tame(Effects& effects) {
  Bloom& bloom = effects.bloom;
  Glare& glare = effects.glare;
  bloom.strength = std::clamp(bloom.strength, 0.0, 1.0);
  bloom.radius = std::clamp(bloom.radius, 0.01, 100.0);
  bloom.threshold = std::clamp(bloom.threshold, 0.0, 1e6);
  glare.points = std::clamp(glare.points, 0, 16) / 2 * 2;
  glare.angle_deg = std::clamp(glare.angle_deg, -36000.0, 36000.0);
  glare.strength = std::clamp(glare.strength, 0.0, 1 - bloom.strength);
}

/// The palette turns along, as it does where a file of key flames has been read.
void turn_to_hue(double hue, Flame& flame) {
  if (hue != flame.hue) flame.palette = turned(flame.palette, hue - flame.hue);
  flame.hue = hue;
}

void show_depth(Flame& flame) { flame.depth_camera.perspective = flame.depth_camera.blur = 1; }

TrackTarget target_of(const FlameAttribute& row) {
  TrackTarget target;
  target.name = row.name;
  target.attribute = &row;
  target.words = attribute_words(row);
  target.low = std::max(target.low, row.range.low);
  target.high = std::min(target.high, row.range.high);
  target.above = row.range.above;
  target.least = target.most = numbers_of(row, Flame{}).size();
  target.get = [&row](const Flame& flame) { return numbers_of(row, flame); };
  if (row.name == "hue") {
    target.put = [](Flame& flame, Numbers value) { turn_to_hue(value[0], flame); };
  } else {
    target.put = [&row](Flame& flame, Numbers value) {
      put_numbers(row, value, flame);
      tame(flame.effects);
    };
  }
  if (row.name.starts_with("cam_")) target.widen = show_depth;
  return target;
}

// ---- xforms ----

template <class AnyFlame>
auto& xform_in(AnyFlame& flame, int xform) {
  return xform == track_of_final ? *flame.final_xform : flame.xforms.at(std::size_t(xform));
}

struct XformNumber {
  std::string_view name;
  double XformValues::*member;
  double low = -1e38, high = 1e38;
};
constexpr XformNumber xform_numbers[] = {{"weight", &XformValues::weight, 0},
                                         {"color", &XformValues::color, 0, 1},
                                         {"color_speed", &XformValues::color_speed, -1, 1},
                                         {"var_color", &XformValues::direct_color},
                                         {"animate", &XformValues::animate},
                                         {"opacity", &XformValues::opacity}};

TrackTarget of_member(int xform, const XformNumber& number) {
  TrackTarget target;
  target.name = number.name;
  target.low = number.low;
  target.high = number.high;
  target.get = [xform, number](const Flame& flame) {
    return std::vector<double>{xform_in(flame, xform).*number.member};
  };
  target.put = [xform, number](Flame& flame, Numbers value) {
    xform_in(flame, xform).*number.member = std::clamp(value[0], number.low, number.high);
  };
  return target;
}

TrackTarget of_chaos(int xform) {
  constexpr std::size_t most_xforms = 4096;
  TrackTarget target;
  target.name = "chaos";
  target.most = most_xforms;
  target.low = 0;
  target.get = [xform](const Flame& flame) {
    std::vector<double> row = xform_in(flame, xform).chaos;
    row.resize(flame.xforms.size(), 1.0);
    return row;
  };
  target.put = [xform](Flame& flame, Numbers value) {
    std::vector<double>& row = xform_in(flame, xform).chaos;
    row.assign(flame.xforms.size(), 1.0);
    for (std::size_t i = 0; i < std::min(row.size(), value.size()); ++i)
      row[i] = std::max(0.0, value[i]);
  };
  target.widen = [xform](Flame& flame) {
    xform_in(flame, xform).chaos.assign(flame.xforms.size(), 2.0);
  };
  return target;
}

double length_of(double x, double y) { return std::sqrt(x * x + y * y); }

double degrees_of(const AffineD& m) {
  return (length_of(m.a, m.d) > 0 ? exact::atan2(m.d, m.a)
                                  : exact::atan2(m.e, m.b) - exact::pi / 2) /
         exact::two_pi * 360;
}

/// Turns both axes by as much as brings the first to that angle; shape and translation stay.
void turn_to(double degrees, AffineD& m) {
  const double turn = degrees - degrees_of(m), whole = turn - 360 * std::floor(turn / 360);
  const exact::SinCos by = exact::sincos(whole / 360 * exact::two_pi);
  const AffineD before = m;
  m.a = before.a * by.c - before.d * by.s;
  m.d = before.a * by.s + before.d * by.c;
  m.b = before.b * by.c - before.e * by.s;
  m.e = before.b * by.s + before.e * by.c;
}

/// An axis of that length in its direction; where it has none, in that of (x, y).
void lengthen(double length, double x, double y, double& ax, double& ay) {
  const double before = length_of(ax, ay);
  ax = before > 0 ? ax * (length / before) : x * length;
  ay = before > 0 ? ay * (length / before) : y * length;
}

/// One number: the length of the first axis, the other one keeping its share; two: of each.
void size_to(Numbers size, AffineD& m) {
  const double first = length_of(m.a, m.d), second = length_of(m.b, m.e);
  lengthen(size[0], 1, 0, m.a, m.d);
  const double share = first > 0 ? second / first : 1;
  lengthen(size.size() > 1 ? size[1] : size[0] * share, 0, 1, m.b, m.e);
}

/// position, size and turn; nothing for other names.
std::optional<TrackTarget> of_map(int xform, std::string_view name) {
  constexpr std::string_view post = "post_";
  const bool is_post = name.starts_with(post);
  const std::string_view part = is_post ? name.substr(post.size()) : name;
  const auto member = is_post ? &XformValues::post : &XformValues::coefs;
  TrackTarget target;
  target.name = name;
  if (part == "position") {
    target.least = target.most = 2;
    target.get = [=](const Flame& flame) {
      const AffineD& m = xform_in(flame, xform).*member;
      return std::vector<double>{m.c, m.f};
    };
    target.put = [=](Flame& flame, Numbers value) {
      AffineD& m = xform_in(flame, xform).*member;
      m.c = value[0];
      m.f = value[1];
    };
  } else if (part == "size") {
    target.most = 2;
    target.low = 0;
    target.get = [=](const Flame& flame) {
      const AffineD& m = xform_in(flame, xform).*member;
      return std::vector<double>{length_of(m.a, m.d), length_of(m.b, m.e)};
    };
    target.put = [=](Flame& flame, Numbers value) {
      size_to(value, xform_in(flame, xform).*member);
    };
  } else if (part == "turn") {
    target.low = -1e9;
    target.high = 1e9;
    target.get = [=](const Flame& flame) {
      return std::vector<double>{degrees_of(xform_in(flame, xform).*member)};
    };
    target.put = [=](Flame& flame, Numbers value) {
      turn_to(value[0], xform_in(flame, xform).*member);
    };
  } else {
    return {};
  }
  return target;
}

/// The form's place in an xform: its weight, or parameter number `parameter`.
template <class AnyXform>
auto& place_in(AnyXform& xform, const NamedForm& form, int parameter) {
  const std::size_t v = std::size_t(form.variation);
  if (parameter < 0) return xform.variations[v];
  return xform.parameters[std::size_t(info_of(form.variation).first_parameter + parameter)];
}

TrackTarget of_form(int xform, const NamedForm& form, int parameter) {
  TrackTarget target;
  target.name = parameter < 0 ? form_name(form.stage, form.variation)
                              : form_parameter_name(form.stage, form.variation, parameter);
  const StagedVariation like{form.stage, form.variation, 0, {}};
  const bool is_staged = form.stage != Stage::regular || is_formula(form.variation);
  target.get = [=](const Flame& flame) {
    const Xform& one = xform_in(flame, xform);
    if (!is_staged) return std::vector<double>{place_in(one, form, parameter)};
    std::vector<StagedVariation> forms = one.staged;
    const StagedVariation& staged = staged_form(forms, like);
    return std::vector<double>{parameter < 0 ? staged.weight
                                             : staged.parameters.at(std::size_t(parameter))};
  };
  const auto put = [=](Flame& flame, double value) {
    Xform& one = xform_in(flame, xform);
    if (!is_staged) {
      place_in(one, form, parameter) = value;
      return;
    }
    StagedVariation& staged = staged_form(one.staged, like);
    (parameter < 0 ? staged.weight : staged.parameters.at(std::size_t(parameter))) = value;
  };
  target.put = [put](Flame& flame, Numbers value) { put(flame, value[0]); };
  target.widen = [put](Flame& flame) { put(flame, 1); };
  return target;
}

std::optional<TrackTarget> of_xform(int xform, std::string_view name) {
  for (const XformNumber& number : xform_numbers) {
    if (number.name != name) continue;
    if (xform == track_of_final && name == "weight") return {};
    return of_member(xform, number);
  }
  if (name == "chaos")
    return xform == track_of_final ? std::nullopt : std::optional(of_chaos(xform));
  if (auto map = of_map(xform, name)) return map;
  if (const auto form = find_form(name)) return of_form(xform, *form, -1);
  if (const auto named = find_form_parameter(name))
    return of_form(xform, {named->stage, named->variation}, named->parameter);
  return {};
}

}  // namespace

std::optional<TrackTarget> find_track_target(int xform, std::string_view name) {
  if (xform != track_of_flame) return of_xform(xform, name);
  const FlameAttribute* row = find_flame_attribute(name);
  return row && can_move(*row) ? std::optional(target_of(*row)) : std::nullopt;
}

std::vector<std::string> track_target_names(int xform) {
  std::vector<std::string> names;
  if (xform == track_of_flame) {
    for (const FlameAttribute& row : flame_attributes())
      if (can_move(row)) names.emplace_back(row.name);
  } else {
    for (const XformNumber& number : xform_numbers) names.emplace_back(number.name);
    names.insert(names.end(),
                 {"chaos", "position", "size", "turn", "post_position", "post_size", "post_turn"});
    if (xform == track_of_final)
      std::erase_if(names,
                    [](const std::string& name) { return name == "weight" || name == "chaos"; });
    for (const VariationInfo& variation : variations()) {
      names.push_back(variation.name);
      for (const ParameterInfo& parameter : variation.parameters) names.push_back(parameter.name);
    }
    for (std::string& name : FormulaNames::all()) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string track_label(const Track& track) {
  if (track.xform == track_of_flame) return track.name;
  if (track.xform == track_of_final) return track.name + " of finalxform";
  return track.name + " of xform " + std::to_string(track.xform + 1);
}

std::string track_value_text(const TrackTarget& target, const std::vector<double>& value) {
  if (!target.words.empty()) return std::string(target.words[std::size_t(value.at(0))]);
  std::string text;
  for (const double number : value) text += (text.empty() ? "" : " ") + shortest(number);
  return text;
}

bool has_xform(const Flame& flame, int xform) {
  if (xform == track_of_flame) return true;
  if (xform == track_of_final) return flame.final_xform.has_value();
  return std::size_t(xform) < flame.xforms.size();
}

}  // namespace kiln
