// SPDX-License-Identifier: MIT
#include "engine/model/flame_attributes.h"

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"

namespace kiln {
namespace attribute_table {

using enum FlameAttribute::Trait;
using F = Flame;
using Camera = DepthCamera;
constexpr FlameMember none;
template <class Number>
constexpr MemberPair<Number> both(Number F::*first, Number F::*second) {
  return {first, second};
}
constexpr AttributeRange any;
constexpr AttributeRange within(double low, double high) { return {low, high}; }
constexpr AttributeRange from(double low) { return {low, any.high}; }
constexpr AttributeRange above(double low, double high = any.high) { return {low, high, true}; }
constexpr unsigned game = sums | blends, extra = game | if_unusual, tone = look | blends;
constexpr unsigned film = frames | blends, key = frames | stays;
constexpr unsigned curve = look | mixes | own_reader | own_writer;
constexpr unsigned names = nothing_seen | stays | if_unusual | own_reader;
constexpr unsigned for_others = nothing_seen | stays | own_writer | only_written;

constexpr FlameAttribute rows[] = {
    {"version", none, for_others, "Program that wrote the file"},
    {"kiln_dialect", none, for_others, "Whose meaning counts"},
    {"time", &F::time, frames | mixes, "When this key flame is reached, in frames"},
    {"name", &F::name, names, "Name, for people and files"},
    {"nick", &F::nick, names, "Who made it"},
    {"url", &F::url, names, "Where more of it is"},
    {"size", both(&F::width, &F::height), game, "Width and height in pixels; scale stays",
     within(1, 1'000'000), within(16, 16384)},
    {"center", both(&F::center_x, &F::center_y), game,
     "x and y of the point in the middle of the picture"},
    {"scale", &F::scale, game, "Pixels for a length of 1", above(0), from(0.01)},
    {"zoom", &F::zoom, extra, "2^zoom times closer, with 4^zoom times the samples",
     within(-64, 64)},
    {"rotate", &F::rotate_deg, game, "Degrees", within(-1e9, 1e9)},
    {"cam_zpos", &Camera::z, extra, "Depth of the plane in focus"},
    {"cam_persp", &Camera::perspective, extra, "How much nearer things are larger", any, any,
     "cam_perspective"},
    {"cam_dist", none, sums | stays | own_reader | only_read, "1 / cam_persp"},
    {"cam_pitch", &Camera::pitch_rad, extra, "Tilt of the camera in radians", within(-1e6, 1e6)},
    {"cam_yaw", &Camera::yaw_rad, extra, "Turn of the camera in radians", within(-1e6, 1e6)},
    {"cam_dof", &Camera::blur, extra, "Blur of what is out of focus"},
    {"blur_curve", &Camera::blur_curve, extra, "More of it towards the edges"},
    {"kiln_projection", &Camera::projection, sums | stays | if_unusual,
     "All around the eye (sphere: 360 degrees, dome: fisheye), or two eyes side by side"},
    {"kiln_dome", &Camera::dome_deg, extra, "Degrees from rim to rim of a dome", above(0, 360),
     within(0.1, 360)},
    {"kiln_eyes", &Camera::eyes, extra,
     "How far the eyes of a stereo picture are apart, 0: a thirtieth of 1 / cam_persp",
     within(0, 1e6), from(0)},
    {"kiln_tile", &F::tile, sums | stays | if_unusual,
     "1: what leaves the picture comes in on the other side, so that copies side by side have no "
     "seam",
     within(0, 1)},
    {"new_linear", none, for_others, "What is flat says flatten"},
    {"supersample", &F::supersample, game | look, "Buckets for each pixel and direction",
     within(1, 16), within(1, 4), "oversample"},
    {"filter", &F::filter_radius_px, tone, "Radius of the spatial filter in pixels", within(0, 64),
     from(0)},
    {"filter_shape", &F::filter_shape, look | stays, "Shape of the spatial filter"},
    {"filter_kernel", &F::filter_kernel, look | stays | if_unusual,
     "JWildfire's filter, in the place of filter_shape"},
    {"temporal_filter_type", &F::temporal_filter, key, "Weights of a frame's time samples"},
    {"temporal_filter_exp", &F::temporal_filter_exp, film | own_writer,
     "How fast the filter exp falls"},
    {"temporal_filter_width", &F::temporal_filter_width, film,
     "How long the shutter is open, in frames"},
    {"quality", &F::quality, game, "Samples for each pixel of the finished picture", above(0, 1e9),
     from(1)},
    {"passes", &F::passes, game, "Separately log-scaled histograms", within(1, 1000)},
    {"temporal_samples", &F::temporal_samples, film, "Moments of a frame's motion blur",
     within(1, 100000)},
    {"background", &F::background, tone, "Red, green and blue, 0 to 1"},
    {"background_type", &F::background_type, look | stays | if_unusual,
     "JWildfire: a gradient between the corners, or (_C) from them to the center"},
    {"background_ul", &F::background_ul, tone | if_unusual, "Its color in the upper left corner"},
    {"background_ur", &F::background_ur, tone | if_unusual, "Its color in the upper right corner"},
    {"background_ll", &F::background_ll, tone | if_unusual, "Its color in the lower left corner"},
    {"background_lr", &F::background_lr, tone | if_unusual, "Its color in the lower right corner"},
    {"background_cc", &F::background_cc, tone | if_unusual, "Its color in the center"},
    {"brightness", &F::brightness, tone, "Twice as much is twice as bright", any, from(0)},
    {"gamma", &F::gamma, tone, "Higher shows more of the faint parts", above(0), from(0.1)},
    {"highlight_power", &F::highlight_power, tone | own_reader,
     "How bright light keeps its hue; below 0: off", any, from(-1)},
    {"vibrancy", &F::vibrancy, tone, "1: gamma keeps hues; 0: it acts on each channel", any,
     within(0, 1)},
    {"hue", &F::hue, extra | own_reader, "Turns of the hues of palette"},
    {"enable_de", none, for_others, "Apophysis: estimator_radius counts"},
    {"estimator_radius", &F::estimator_radius, tone,
     "Radius of density estimation in pixels, 0: none", within(0, 512), from(0)},
    {"estimator_minimum", &F::estimator_minimum, tone, "Its radius where there is much light",
     within(0, 512), from(0)},
    {"estimator_curve", &F::estimator_curve, tone, "How fast the radius falls with the light", any,
     within(0.01, 2)},
    {"kiln_clean", &F::clean, tone | if_unusual,
     "Share of the light that is cleaned of noise, in the place of density estimation",
     within(0, 1), any, "clean"},
    {"gamma_threshold", &F::gamma_threshold, tone,
     "Below it gamma is a straight line: less noise in the dark", any, from(0)},
    {"saturation", &F::saturation, tone | if_unusual,
     "Of the finished pixels in HSL: so much more than 1 is added", any, within(0, 2)},
    {"white_level", &F::white_level, tone | if_unusual,
     "JWildfire: the higher, the darker full light", above(0, 1e6), within(1, 1000)},
    {"contrast", &F::contrast, tone | if_unusual, "JWildfire: brighter, and steeper in the dark",
     above(0, 1e6), within(0.1, 10)},
    {"fg_opacity", &F::fg_opacity, tone | if_unusual,
     "JWildfire: below 1 light covers the background sooner", any, within(0, 2)},
    {"antialias_amount", &F::antialias_amount, tone | if_unusual,
     "JWildfire: share of the samples that are moved", any, within(0, 1)},
    {"antialias_radius", &F::antialias_radius, tone | if_unusual,
     "JWildfire: how far, exp(radius ...) - 1 buckets", any, within(0, 1.5)},
    {"low_density_brightness", &F::low_density_brightness, tone | if_unusual,
     "JWildfire: glow of lone samples, of less quality the more", any, within(-1, 1)},
    {"preserve_z", &F::preserve_z, sums | stays | if_unusual,
     "JWildfire: 0: variations in the plane add no depth", within(0, 1)},
    {"logscale_k2", &F::logscale_k2, tone | if_unusual,
     "Fractorium's factor before the logarithm, 0: none", within(0, 1e15)},
    {"palette_mode", &F::palette_mode, sums | stays, "Between colors of the palette"},
    {"interpolation", &F::interpolation, key | if_unusual,
     "To the next key, smooth without a kink"},
    {"kiln_easing", &F::easing, key | if_unusual,
     "How the way to the next key is gone: a word, or the four numbers of a curve"},
    {"interpolation_type", &F::interpolation_type, key, "How maps blend, log turns them", any, any,
     "interpolation_space"},
    {"palette_interpolation", &F::palette_interpolation, key, "How palettes blend"},
    {"hsv_rgb_palette_blend", &F::hsv_rgb_palette_blend, key | if_unusual,
     "Share of rgb where palettes blend"},
    {"kiln_bloom", &Effects::bloom, look | mixes | if_unusual,
     "Glow: strength 0 to 1, radius in % of the height, threshold"},
    {"kiln_glare", &Effects::glare, look | mixes | if_unusual,
     "Star of light: points, angle in degrees, strength 0 to 1"},
    {"kiln_vignette", &F::vignette, tone | if_unusual,
     "Share of the light that the corners lose; below 0 they gain it", within(-1, 1), any,
     "vignette"},
    {"overall_curve", &F::curves, curve, "Curve over the picture: x y, x y ..."},
    {"red_curve", &F::curves, curve, "The same of red"},
    {"green_curve", &F::curves, curve, "The same of green"},
    {"blue_curve", &F::curves, curve, "The same of blue"},
    {"curves", &F::curves, curve, "Apophysis': four curves of four points x y weight"},
    {"kiln_curves", &F::curves, curve, "Curves between key flames, with their shares"},
    {"palette", none, sums | mixes | own_reader | only_read, "Number of a palette in a library"},
    {"soloxform", none, sums | stays | own_reader | only_read,
     "Number of the only xform that is seen"},
};

static_assert(std::all_of(std::begin(rows), std::end(rows),
                          [](const FlameAttribute& row) { return row.is_complete(); }));

}  // namespace attribute_table

namespace {

using attribute_table::rows;

std::string json_list(AttributeWords words) {
  JsonArray list;
  for (const std::string_view word : words) list.add_json(json_string(word));
  return list.text();
}

std::string number_text(double number) { return shortest(number); }
std::string number_text(int number) { return std::to_string(number); }

}  // namespace

std::span<const FlameAttribute> flame_attributes() { return rows; }

const FlameAttribute* find_flame_attribute(std::string_view name) {
  const auto found =
      std::find_if(std::begin(rows), std::end(rows), [name](const FlameAttribute& row) {
        return !row.has(FlameAttribute::only_written) &&
               (row.name == name || (row.alias == name && !name.empty()));
      });
  return found == std::end(rows) ? nullptr : found;
}

std::vector<std::string> flame_attribute_names() {
  std::vector<std::string> names;
  for (const FlameAttribute& row : rows) {
    if (row.has(FlameAttribute::only_written)) continue;
    names.emplace_back(row.name);
    if (!row.alias.empty()) names.emplace_back(row.alias);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string_view attribute_type(const FlameAttribute& attribute) {
  constexpr std::array types = {"special", "number", "whole", "number", "numbers", "wholes",
                                "numbers", "text",   "word",  "word",   "word",    "word",
                                "word",    "word",   "word",  "word",   "numbers", "numbers",
                                "special", "word",   "word"};
  static_assert(types.size() == std::variant_size_v<FlameMember>);
  return types[attribute.member.index()];
}

AttributeWords attribute_words(const FlameAttribute& attribute) {
  AttributeWords words;
  const Flame flame;
  attribute.with_member([&](auto get) {
    if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(get(flame))>>)
      words = words_of(get(flame));
    else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(get(flame))>, Easing>)
      words = flame_easing_words;
  });
  return words;
}

std::string value_text(const FlameAttribute& attribute, const Flame& flame) {
  std::string text;
  attribute.with_member([&](auto get) {
    const auto& value = get(flame);
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_enum_v<Value>) {
      text = words_of(value)[std::size_t(value)];
    } else if constexpr (std::is_same_v<Value, Easing>) {
      text = easing_text(value);
    } else if constexpr (std::is_same_v<Value, std::string>) {
      text = value;
    } else {
      each_number(value,
                  [&](auto number) { text += (text.empty() ? "" : " ") + number_text(number); });
    }
  });
  return text;
}

bool has_usual_value(const FlameAttribute& attribute, const Flame& flame) {
  static const Flame usual;
  bool same = true;
  attribute.with_member([&](auto get) { same = get(flame) == get(usual); });
  return same;
}

void copy_attribute(const FlameAttribute& attribute, const Flame& from, Flame& to) {
  attribute.with_member([&](auto get) { get(to) = get(from); });
}

std::string flame_attributes_json() {
  JsonArray all;
  const Flame usual;
  for (const FlameAttribute& row : rows) {
    if (row.has(FlameAttribute::only_written)) continue;
    JsonObject json;
    json.add("name", row.name)
        .add("type", attribute_type(row))
        .add("default", value_text(row, usual))
        .add("help", row.help);
    if (std::isfinite(row.offered.low)) json.add("min", row.offered.low);
    if (std::isfinite(row.offered.high)) json.add("max", row.offered.high);
    if (std::isfinite(row.range.low)) json.add("least", row.range.low);
    if (std::isfinite(row.range.high)) json.add("most", row.range.high);
    if (const AttributeWords words = attribute_words(row); !words.empty())
      json.add_json("words", json_list(words));
    all.add_json(json.text());
  }
  return all.text();
}

}  // namespace kiln
