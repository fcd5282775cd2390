// SPDX-License-Identifier: MIT
#include "engine/io/flame/attribute_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "engine/base/text.h"
#include "engine/io/flame/dialect.h"
#include "engine/io/flame/effects_text.h"
#include "engine/io/flame/unsupported.h"
#include "engine/model/flame_attributes.h"

namespace kiln {
namespace {

constexpr std::int64_t max_pixels = std::int64_t(1) << 34;

// ---- values by their type ----

void read(const Attribute& a, const AttributeRange& range, double& number) {
  if (range.above) read_positive(a);
  number = std::isfinite(range.high) ? read_real(a, range.low, range.high) : read_real(a);
}

void read(const Attribute& a, const AttributeRange& range, int& number) {
  number = read_integer(a, int(range.low), int(range.high));
}

// An unknown word leaves the value as it is, with a warning, as in flam3; one of kiln's own attributes is
// refused, as its numbers are.
template <class Enum>
requires std::is_enum_v<Enum>
void read(const Attribute& a, const AttributeRange&, Enum& value) {
  const AttributeWords words = words_of(value);
  const auto found = std::find(words.begin(), words.end(), a.value);
  if (found != words.end()) {
    value = Enum(found - words.begin());
    return;
  }
  if (a.name.starts_with("kiln_"))
    a.reject("is unknown{}; there are {}", did_you_mean(a.value, {words.begin(), words.end()}),
             joined({words.begin(), words.end()}, ", "));
  a.messages.ignored(a.line, std::string(a.name) + "=" + printable(a.value), [&] {
    return fmt::format("flame: {}=\"{}\" is unknown{}; it is ignored", a.name, printable(a.value),
                       did_you_mean(a.value, {words.begin(), words.end()}));
  });
}

void read(const Attribute& a, const AttributeRange&, Easing& easing) {
  easing = read_easing(a, flame_easing_words);
}

/// Sides of a picture.
void read(const Attribute& a, const AttributeRange& range, std::tuple<int&, int&> size) {
  const std::vector<std::string_view> words = split_at_blanks(a.value.substr(0, 200));
  if (words.size() != 2 || a.value.size() > 200) a.reject("needs two whole numbers: width height");
  auto& [width, height] = size;
  read(Attribute{a.messages, a.owner, a.name, words[0], a.line}, range, width);
  read(Attribute{a.messages, a.owner, a.name, words[1], a.line}, range, height);
  if (std::int64_t(width) * height > max_pixels) a.reject("has more than 2^34 pixels");
}

void read(const Attribute& a, const AttributeRange&, std::tuple<double&, double&> point) {
  const std::vector<double> values = read_reals(a, 2, "x y");
  point = std::tie(values[0], values[1]);
}

void read(const Attribute& a, const AttributeRange&, std::array<double, 3>& color) {
  const std::vector<double> values = read_reals(a, 3, "red green blue, 0 to 1");
  std::copy(values.begin(), values.end(), color.begin());
}

void read(const Attribute& a, const AttributeRange&, Bloom& bloom) {
  const std::string wrong = set_bloom(bloom, read_real_list(a));
  if (!wrong.empty()) a.reject("{}", wrong);
}

void read(const Attribute& a, const AttributeRange&, Glare& glare) {
  const std::string wrong = set_glare(glare, read_real_list(a));
  if (!wrong.empty()) a.reject("{}", wrong);
}

void read(const Attribute& a, const AttributeRange&, std::string& text) { text = a.value; }

void read(const Attribute&, const AttributeRange&, CurveMix&) {}  // has own_reader

// ---- code of its own ----

/// Text for people: programs that claim UTF-8 may write Latin-1.
std::string text_of(const Attribute& a, Dialect dialect) {
  return dialect == Dialect::flam3 ? std::string(a.value) : as_utf8(a.value);
}

// flam3 reads this one leniently: the leading number, or 0.
void read_highlight_power(const Attribute& a, Flame& flame) {
  const double power = leading_real(a.value);
  if (!(std::fabs(power) <= 1e38)) a.reject("is not a finite number");
  flame.highlight_power = power;
}

/// Apophysis' older word for the perspective.
void read_camera_distance(const Attribute& a, Flame& flame) {
  const double distance = read_real(a);
  if (distance != 0) flame.depth_camera.perspective = 1 / distance;
}

// One line an attribute; the macro only spares the parameter list.
using OwnReader = void (*)(const Attribute&, Flame&, DeferredAttributes&);
#define KILN_SET(work)                                                                        \
  [](const Attribute& a, [[maybe_unused]] Flame& f, [[maybe_unused]] DeferredAttributes& o) { \
    work;                                                                                     \
  }
const std::map<std::string_view, OwnReader> own_readers = {
    {"name", KILN_SET(f.name = flame_name(text_of(a, f.dialect)))},
    {"nick", KILN_SET(f.nick = text_of(a, f.dialect).substr(0, max_credit_bytes))},
    {"url", KILN_SET(f.url = text_of(a, f.dialect).substr(0, max_credit_bytes))},
    {"cam_dist", KILN_SET(read_camera_distance(a, f))},
    {"highlight_power", KILN_SET(read_highlight_power(a, f))},
    {"hue", KILN_SET(f.hue = read_real(a) - std::trunc(read_real(a)))},  // = fmod(hue, 1), exactly
    {"overall_curve", KILN_SET(set_curve(a, 0, f))},
    {"red_curve", KILN_SET(set_curve(a, 1, f))},
    {"green_curve", KILN_SET(set_curve(a, 2, f))},
    {"blue_curve", KILN_SET(set_curve(a, 3, f))},
    {"curves", KILN_SET(set_curves(a, f))},
    {"kiln_curves", KILN_SET(set_curve_mix(a, f))},
    {"palette", KILN_SET(o.library_palette = read_integer(a, -(1 << 30), 1 << 30);
                         if (o.library_palette == -1) o.library_palette.reset())},
    {"soloxform", KILN_SET(o.solo_xform = int(std::clamp(read_real(a), -1.0, 1e6)))},
};
#undef KILN_SET

/// Attributes of JWildfire that others have had with another meaning: there they are read, and do nothing.
bool is_of_another_dialect(std::string_view name, Dialect dialect) {
  return name == "contrast" && dialect != Dialect::jwildfire;
}

void tell_of_another(const Attribute& a) {
  if (to_real(a.value) == 1.0) return;
  a.messages.warn_once(a.line, "flame " + std::string(a.name), [&] {
    return fmt::format("flame: {}=\"{}\" is of JWildfire's light alone; it is ignored", a.name,
                       printable(a.value));
  });
}

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

void set_flame_attribute(const Attribute& attribute, Flame& flame, DeferredAttributes& deferred) {
  read_mildly(attribute, [&] {
    if (set_dialect_attribute(attribute, flame, deferred)) return;
    const FlameAttribute* row = find_flame_attribute(attribute.name);
    if (!row) return report_unknown(attribute, flame);
    if (is_of_another_dialect(attribute.name, flame.dialect)) tell_of_another(attribute);
    if (row->has(FlameAttribute::own_reader))
      return own_readers.at(row->name)(attribute, flame, deferred);
    row->with_member([&](auto get) { read(attribute, row->range, get(flame)); });
  });
}

void cut_chaos(Flame& flame, Messages& messages) {
  for (std::size_t i = 0; i < flame.xforms.size(); ++i) {
    Xform& xform = flame.xforms[i];
    if (xform.chaos.size() <= flame.xforms.size()) continue;
    messages.warn(xform.line,
                  fmt::format("xform {}: chaos has {} entries for {} xforms; the rest is ignored",
                              i + 1, xform.chaos.size(), flame.xforms.size()));
    xform.chaos.resize(flame.xforms.size());
  }
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

namespace {

const std::string owner = "flame";

/// Messages that begin with the option, and refuse what a file would only be warned of.
struct Strict {
  ReaderOptions options;
  Messages messages;
  explicit Strict(const std::string& place) : options{strict_options()}, messages(place, options) {}

  static ReaderOptions strict_options() {
    ReaderOptions options;
    options.strict = true;
    return options;
  }
};

/// Runs `take`; what it refuses is wrong usage. `place` stands before the message.
template <class Take>
void as_usage(const char* place, Take take) {
  try {
    take();
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, std::string(place) + error.what());
  }
}

bool contradicts_itself(const Flame& flame, const Messages& messages) {
  try {
    check_attributes(flame, messages);
    return false;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

void check_setting(std::string_view option, const AttributeSetting& setting) {
  Strict strict{std::string(option)};
  Flame flame;
  DeferredAttributes deferred;
  as_usage("", [&] {
    set_flame_attribute({strict.messages, owner, setting.name, setting.value, 0}, flame, deferred);
  });
}

void apply_settings(const std::vector<AttributeSetting>& settings, Flame& flame,
                    DeferredAttributes& deferred) {
  if (settings.empty()) return;
  Strict strict(flame.source);
  const bool was_wrong = contradicts_itself(flame, strict.messages);
  as_usage("--set: ", [&] {
    for (const AttributeSetting& setting : settings)
      if (!setting.is_of_xform())
        set_flame_attribute({strict.messages, owner, setting.name, setting.value, 0}, flame,
                            deferred);
    if (!was_wrong) check_attributes(flame, strict.messages);
  });
}

}  // namespace kiln
