// SPDX-License-Identifier: MIT
#include "engine/io/flame/xform_parts.h"

#include <algorithm>
#include <charconv>

#include "engine/base/text.h"
#include "engine/io/flame/attributes.h"
#include "engine/io/flame/form_place.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/flame/track_reader.h"
#include "engine/model/track_target.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

constexpr int every = PartName::every;

std::optional<int> index_in(std::string_view text) {
  if (text == "*") return every;
  int index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size() || index < 0) return {};
  return index;
}

std::string_view before_dot(std::string_view text) { return text.substr(0, text.find('.')); }
std::string_view behind_dot(std::string_view text) {
  const std::size_t dot = text.find('.');
  return dot == text.npos ? std::string_view() : text.substr(dot + 1);
}

/// Messages of the file's reader, for what is no file.
struct PartMessages {
  ReaderOptions options;
  Messages messages;
  explicit PartMessages(const std::string& place) : options(strict()), messages(place, options) {}
  static ReaderOptions strict() {
    ReaderOptions options;
    options.strict = true;
    return options;
  }
};

/// Runs `body`; what a file must not have is wrong usage here.
template <class Body>
auto part_as_usage(Body body) {
  try {
    return body();
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, error.what());
  }
}

// ---- what of an xform is no attribute of its own: position, size and turn ----

std::optional<TrackTarget> map_target(std::string_view name) {
  const auto target = find_track_target(0, name);
  const bool is_map = target && target->name == name && !find_form(name) &&
                      !find_form_parameter(name) && name != "chaos";
  return is_map ? target : std::nullopt;
}

/// A flame that has it lone_flame: targets find xforms by their number.
Flame lone_flame(const Xform& xform) {
  Flame flame;
  flame.xforms.push_back(xform);
  return flame;
}

// ---- one attribute of an xform ----

[[noreturn]] void refuse_xform_part(const Attribute& a) {
  std::vector<std::string> names = track_target_names(0);
  const std::vector<std::string>& more = xform_attribute_names();
  names.insert(names.end(), more.begin(), more.end());
  a.reject("an xform has no such attribute, variation or parameter{}", did_you_mean(a.name, names));
}

void set_part_of(const Attribute& a, XformRole role, const Flame& flame, Xform& xform) {
  if (a.name == "chaos" && role == XformRole::final) a.reject("a finalxform has no chaos");
  if (a.name == "var" || a.name == "var1" || a.name == "plotmode")
    a.reject("is of old files; set variations by their names, and opacity");
  if (set_xform_attribute(a, role, flame.dialect, xform)) {
    if (xform.chaos.size() > flame.xforms.size() && a.name == "chaos")
      a.reject("has {} entries for {} xforms", xform.chaos.size(), flame.xforms.size());
    std::erase_if(xform.notes, [](const auto& note) { return note.second.empty(); });
  } else if (double* const place = form_number(xform, a.name)) {
    *place = read_real(a);
  } else if (const auto target = map_target(a.name)) {
    Flame scratch = lone_flame(xform);
    target->put(scratch, read_track_value(a, *target));
    xform = std::move(scratch.xforms[0]);
  } else {
    refuse_xform_part(a);
  }
}

/// Whether it may be the name of a formula that the flame will bring along (engine/model/formula.h).
bool may_be_of_formula(std::string_view name) {
  const auto is_of_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  };
  const std::string word(before_dot(name));
  const std::vector<std::string>& known = xform_attribute_names();
  return !name.empty() && std::all_of(name.begin(), name.end(), is_of_name) && !find_form(word) &&
         !find_form_parameter(word) && !map_target(word) &&
         !std::binary_search(known.begin(), known.end(), word);
}

}  // namespace

PartName part_name(std::string_view text) {
  PartName part;
  const std::string_view first = before_dot(text), rest = behind_dot(text);
  if (first == "xform") {
    part.of = PartName::Of::xform;
    const auto index = index_in(before_dot(rest));
    if (!index)
      fail(ErrorKind::usage,
           "{}: which xform? xform.0 is the first, xform.* stands for all: xform.0.{}",
           printable(text), rest.empty() ? "julian" : printable(rest));
    part.index = *index;
    part.name = behind_dot(rest);
  } else if (first == "final" || first == "finalxform") {
    part.of = PartName::Of::final;
    const auto index = index_in(before_dot(rest));
    part.index = index.value_or(0);
    part.name = index ? behind_dot(rest) : rest;
  } else {
    part.name = text;
  }
  return part;
}

std::string xform_part_text(const Flame& flame, const PartName& part) {
  const Xform& xform = xform_at(flame, part);
  const bool is_final = part.of == PartName::Of::final;
  if (part.name.empty()) return xform_xml(xform, is_final);
  for (const auto& [name, text] : xform_attributes(xform, is_final))
    if (name == part.name) return text;
  Xform copy = xform;  // a form that it lacks has its usual values
  if (const double* const place = form_number(copy, part.name)) return shortest(*place);
  if (const auto target = map_target(part.name))
    return track_value_text(*target, target->get(lone_flame(xform)));
  if (part.name == "post") return "1 0 0 1 0 0";
  if (part.name == "var_color") return shortest(xform.direct_color);
  if (part.name == "animate") return shortest(xform.animate);
  if (part.name == "chaos" || part.name == "name" || part.name == "kiln_opacity") return "";
  if (part.name == "weight") return "0";  // of a final one
  PartMessages words("get");
  const std::string owner = part.owner(part.index);
  part_as_usage([&] { refuse_xform_part({words.messages, owner, part.name, "", 0}); });
  return "";
}

void set_xform_part(Flame& flame, const PartName& part, std::string_view text,
                    const std::string& place) {
  PartMessages words(place);
  std::vector<Xform*> chosen = pointers_to(flame, part);
  if (part.index != every) chosen = {&xform_at(flame, part)};
  std::vector<Xform> changed;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    changed.push_back(*chosen[i]);
    const std::string owner = part.owner(part.index == every ? int(i) : part.index);
    part_as_usage([&] {
      set_part_of({words.messages, owner, part.name, text, 0}, part.role(), flame, changed.back());
    });
  }
  for (std::size_t i = 0; i < chosen.size(); ++i) *chosen[i] = std::move(changed[i]);
}

void check_part(std::string_view option, const AttributeSetting& setting) {
  PartName part = part_name(setting.name);
  if (part.name == "chaos") return;  // as long as the flame has xforms
  if (may_be_of_formula(part.name)) return;
  if (part.name.empty())
    fail(ErrorKind::usage, "{} {}: is all of an xform; name a part, such as {}.julian", option,
         printable(setting.name), printable(setting.name));
  Flame trial;
  Xform& bare = trial.xforms.emplace_back();
  bare.variations.assign(std::size_t(variation_count()), 0.0);
  bare.parameters = default_parameters();
  trial.final_xform = bare;
  part.index = 0;
  set_xform_part(trial, part, setting.value, std::string(option));
}

void apply_parts(const std::vector<AttributeSetting>& settings, Flame& flame) {
  for (const AttributeSetting& setting : settings) {
    if (!setting.is_of_xform()) continue;
    try {
      set_xform_part(flame, part_name(setting.name), setting.value, flame.source);
    } catch (const Error& error) {
      const std::string what = error.what();
      fail(ErrorKind::usage, "--set: {}{}",
           what.starts_with(flame.source) ? "" : flame.place() + ": ", what);
    }
  }
}

}  // namespace kiln
