// SPDX-License-Identifier: MIT
// The attributes of <flame>, a row each, in the order in which files have them: what each means to
// the reader, the writer, --set, the blend between key flames, `kiln grade`, the page of `kiln view`,
// Python and the help, which all read this table. A new attribute is a row here and its use;
// tests/unit/flame_attributes_test.cpp tells what is forgotten.
#pragma once

#include <array>
#include <bit>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>

#include "engine/model/flame.h"

namespace kiln {

// Words, in the order of their enumerations.
constexpr std::string_view filter_shape_words[] = {
    "gaussian", "hermite", "box",     "triangle", "bell",     "bspline",  "mitchell",
    "blackman", "catrom",  "hanning", "hamming",  "lanczos3", "lanczos2", "quadratic"};
constexpr std::string_view filter_kernel_words[] = {
    "none",    "GAUSSIAN", "MITCHELL_SMOOTH", "MITCHELL",  "BOX",      "BELL",     "QUADRATIC",
    "BSPLINE", "TRIANGLE", "HERMITE",         "CATROM",    "LANCZOS2", "LANCZOS3", "HANNING",
    "HAMMING", "BLACKMAN", "SINEPOW5",        "SINEPOW10", "SINEPOW15"};
constexpr std::string_view background_type_words[] = {"SINGLE_COLOR", "GRADIENT_2X2",
                                                      "GRADIENT_2X2_C"};
constexpr std::string_view temporal_filter_words[] = {"box", "gaussian", "exp"};
constexpr std::string_view projection_words[] = {"plane", "sphere", "dome", "stereo"};
constexpr std::string_view palette_mode_words[] = {"step", "linear"};
constexpr std::string_view interpolation_words[] = {"linear", "smooth"};
constexpr std::string_view interpolation_type_words[] = {"linear", "log", "old", "older"};
constexpr std::string_view palette_interpolation_words[] = {"hsv", "sweep", "hsv_circular", "rgb"};

using AttributeWords = std::span<const std::string_view>;
constexpr AttributeWords words_of(FilterShape) { return filter_shape_words; }
constexpr AttributeWords words_of(FilterKernel) { return filter_kernel_words; }
constexpr AttributeWords words_of(BackgroundType) { return background_type_words; }
constexpr AttributeWords words_of(TemporalFilter) { return temporal_filter_words; }
constexpr AttributeWords words_of(Projection) { return projection_words; }
constexpr AttributeWords words_of(PaletteMode) { return palette_mode_words; }
constexpr AttributeWords words_of(Interpolation) { return interpolation_words; }
constexpr AttributeWords words_of(InterpolationType) { return interpolation_type_words; }
constexpr AttributeWords words_of(PaletteInterpolation) { return palette_interpolation_words; }

/// Two members that one attribute says: size="W H".
template <class Number>
struct MemberPair {
  Number Flame::*first;
  Number Flame::*second;
};

/// The member that holds an attribute's value. std::monostate: none, or not as the file says it.
using FlameMember = std::variant<
    std::monostate, double Flame::*, int Flame::*, double DepthCamera::*, MemberPair<double>,
    MemberPair<int>, std::array<double, 3> Flame::*, std::string Flame::*, FilterShape Flame::*,
    FilterKernel Flame::*, TemporalFilter Flame::*, PaletteMode Flame::*, Interpolation Flame::*,
    InterpolationType Flame::*, PaletteInterpolation Flame::*, Easing Flame::*, Bloom Effects::*,
    Glare Effects::*, CurveMix Flame::*, Projection DepthCamera::*, BackgroundType Flame::*>;

/// The range of a number, or of each of several.
struct AttributeRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool above = false;  // above `low`, not at it
};

struct FlameAttribute {
  enum Trait : unsigned {
    // What it decides; exactly one, or sums and look.
    nothing_seen = 1,
    sums = 2,    // of the chaos game: another value needs another game, or more of it
    look = 4,    // what becomes of the sums: `kiln grade` needs no new ones
    frames = 8,  // pictures of an animation alone
    // Between key flames; exactly one.
    blends = 16,  // the weighted sum of the keys' numbers
    mixes = 32,   // engine/animation has code of its own for it
    stays = 64,   // that of the first key, or of none
    // In files.
    if_unusual = 128,    // left out where it has its usual value
    own_reader = 256,    // engine/io/flame/attribute_reader.cpp has code of its own for it
    own_writer = 512,    // engine/io/flame/genome_writer.cpp has
    only_read = 1024,    // another attribute says the same
    only_written = 2048  // for other programs: the table is not how it is read
  };

  std::string_view name;
  FlameMember member;
  unsigned traits;
  std::string_view help;
  AttributeRange range = {};    // that the reader takes
  AttributeRange offered = {};  // within which an editor stays
  std::string_view alias = {};  // another name, which is read and not written

  bool has(Trait trait) const { return (traits & trait) != 0; }

  /// Whether the row says what the attribute decides, what becomes of it between keys, and its help.
  constexpr bool is_complete() const {
    const unsigned seen = traits & (nothing_seen | sums | look | frames);
    return (std::has_single_bit(seen) || seen == (sums | look)) &&
           std::has_single_bit(traits & (blends | mixes | stays)) && !name.empty() && !help.empty();
  }

  /// Calls use(get), where get(flame) is a reference to the value, or a tuple of two; not where
  /// there is no member.
  template <class Use>
  void with_member(Use use) const;
};

std::span<const FlameAttribute> flame_attributes();

/// The row of an attribute that files may have, by its name or its alias; null if there is none.
const FlameAttribute* find_flame_attribute(std::string_view name);

/// All these names and aliases, in alphabetical order.
std::vector<std::string> flame_attribute_names();

/// "number", "whole", "word", "text", "numbers", "wholes", or "special" for what has no such form.
std::string_view attribute_type(const FlameAttribute& attribute);

/// The words that it may be; none if it is no word.
AttributeWords attribute_words(const FlameAttribute& attribute);

/// The value as a file has it, with all digits; empty if it has no such form.
std::string value_text(const FlameAttribute& attribute, const Flame& flame);

/// Whether it is as in a Flame that nobody has changed; what has no member always is.
bool has_usual_value(const FlameAttribute& attribute, const Flame& flame);

void copy_attribute(const FlameAttribute& attribute, const Flame& from, Flame& to);

/// The rows of those names as JSON: [{"name", "type", "default" as text, "help", and where there
/// are such "min", "max" for editors, "words"}, ...].
std::string flame_attributes_json();

// ---- values ----

template <class AnyFlame, class Value>
auto& value_in(AnyFlame& flame, Value Flame::*member) {
  return flame.*member;
}
template <class AnyFlame, class Value>
auto& value_in(AnyFlame& flame, Value DepthCamera::*member) {
  return flame.depth_camera.*member;
}
template <class AnyFlame, class Value>
auto& value_in(AnyFlame& flame, Value Effects::*member) {
  return flame.effects.*member;
}
template <class AnyFlame, class Number>
auto value_in(AnyFlame& flame, MemberPair<Number> pair) {
  return std::tie(flame.*pair.first, flame.*pair.second);
}

template <class Use>
void FlameAttribute::with_member(Use use) const {
  std::visit(
      [&](auto member_of) {
        if constexpr (!std::is_same_v<decltype(member_of), std::monostate>)
          use([member_of](auto& flame) -> decltype(auto) { return value_in(flame, member_of); });
      },
      member);
}

/// Calls use(number) for each number of a value, in the order in which attributes have them; for none
/// where it is a word, a text or a curve.
template <class Value, class Use>
void each_number(const Value& value, Use use) {
  if constexpr (std::is_arithmetic_v<Value>) {
    use(value);
  } else if constexpr (std::is_same_v<Value, Bloom>) {
    for (const double number : {value.strength, value.radius, value.threshold}) use(number);
  } else if constexpr (std::is_same_v<Value, Glare>) {
    for (const double number : {double(value.points), value.angle_deg, value.strength}) use(number);
  } else if constexpr (requires { std::tuple_size<Value>::value; }) {
    std::apply([&](const auto&... numbers) { (use(numbers), ...); }, value);
  }
}

}  // namespace kiln
