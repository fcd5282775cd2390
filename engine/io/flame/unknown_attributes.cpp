#include "engine/io/flame/unknown_attributes.h"

#include <algorithm>
#include <optional>

#include "engine/io/flame/foreign_attributes.h"
#include "engine/io/flame/nearest_name.h"
#include "engine/model/variation_names.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

constexpr std::size_t longest_name = 200;  // so that a hostile one costs little
constexpr std::size_t most_hints = 8;      // as many as a message names

/// Weight of the variation of ours that `prefix` names; nothing if there is none.
std::optional<double> weight(std::string_view prefix, const XformValues& values) {
  const std::optional<int> variation = find_variation(prefix);
  if (!variation) return std::nullopt;
  return values.variations[std::size_t(*variation)];
}

/// What programs write beside the parameters from which it follows, and compute anew.
bool is_derived(std::string_view name) {
  constexpr std::string_view names[] = {
      "auger_half_scale", "rx_sin",       "rx_cos",       "ry_sin",       "ry_cos",
      "rz_sin",           "rz_cos",       "rotate_x_sin", "rotate_x_cos", "rotate_y_sin",
      "rotate_y_cos",     "rotate_z_sin", "rotate_z_cos"};
  for (const std::string_view stage : {"pre_", "post_"})
    if (name.starts_with(stage)) name.remove_prefix(stage.size());
  return std::find(std::begin(names), std::end(names), in_small_letters(name)) != std::end(names);
}

/// Variations that kiln lacks and whose names begin as if they were parameters of one that it has.
bool is_known_variation(std::string_view name) {
  constexpr std::string_view names[] = {"curl_sp",         "depth_blur",  "depth_gaussian",
                                        "depth_gaussian2", "depth_ngon",  "depth_ngon2",
                                        "depth_sine",      "depth_sine2", "flower_db",
                                        "mobius_strip",    "waves2_3d",   "waves2_radial"};
  const std::string small = in_small_letters(name);
  for (const std::string_view ending : {"_wf", "_js", "_bs"})
    if (small.ends_with(ending)) return true;
  return std::any_of(std::begin(names), std::end(names),
                     [&](std::string_view known) { return small.ends_with(known); });
}

bool is_parameter_of_ours(std::string_view name) { return name.ends_with("_fx_priority"); }

/// What flam3's variations have as parameters in other programs: at the value that flam3 has built
/// in, or of a variation that the xform has not.
bool changes_nothing(const Attribute& a, const XformValues& values) {
  const std::optional<double> value = to_real(a.value);
  constexpr std::string_view order = "_fx_priority";  // JWildfire: before, beside, after the others
  if (!a.name.ends_with(order)) return false;
  const std::string_view variation = a.name.substr(0, a.name.size() - order.size());
  return weight(variation, values) == 0 || value == (variation.starts_with("pre_") ? -1.0 : 0.0);
}

/// Another variation than Mobius' maps goes by their name, and is known by what else it has.
bool is_of_mobius_strip(std::string_view name, const XformValues& values) {
  constexpr std::string_view parameters[] = {"mobius_radius", "mobius_width",    "mobius_rect_x",
                                             "mobius_rect_y", "mobius_rotate_x", "mobius_rotate_y"};
  return std::find(std::begin(parameters), std::end(parameters), in_small_letters(name)) !=
             std::end(parameters) &&
         weight("mobius", values) != 0;
}

}  // namespace

void UnknownAttributes::add(const Attribute& a) {
  const Foreign foreign = foreign_in_xform(a.name, a.value);
  if (foreign == Foreign::missing) settings_.push_back(&a);
  if (foreign != Foreign::unknown) return;
  others_.push_back(&a);
  names_.insert(a.name);
}

void UnknownAttributes::judge(const XformValues& values, Dialect dialect,
                              std::vector<Missing>& missing) {
  for (const Attribute* a : settings_) {
    if (a->messages.is_mild()) {
      note_left_out(*a);
    } else {
      missing.push_back({"setting " + printable(a->name), a->owner, a->line});
    }
  }
  if (!others_.empty() && dialect != Dialect::jwildfire) find_given();
  for (const Attribute* a : others_) judge(*a, values, missing);
}

void UnknownAttributes::judge(const Attribute& a, const XformValues& values,
                              std::vector<Missing>& missing) const {
  if (is_parameter_of_unknown(a.name) || is_derived(a.name.substr(0, longest_name)) ||
      changes_nothing(a, values))
    return;
  if (is_of_mobius_strip(a.name.substr(0, longest_name), values))
    return missing.push_back({"variation mobius_strip", a.owner, a.line});
  const std::optional<double> value = to_real(a.value);
  if (!value || *value == 0) return report(a);  // no variation, or one that adds nothing
  if (const std::string owner = complete_without(a.name); !owner.empty())
    return a.messages.ignored(a.line, "xform " + printable(a.name), [&] {
      return fmt::format(
          "{}: {} is none of the parameters of {}, which has all of its own; it is "
          "ignored",
          a.owner, printable(a.name), owner);
    });
  const std::string nearest = missing.size() < most_hints ? nearest_name(a.name, known_) : "";
  missing.push_back(
      {(is_parameter_of_ours(a.name) ? "parameter " : "variation ") + printable(a.name), a.owner,
       a.line, nearest.empty() ? "" : "did you mean \"" + nearest + "\"?"});
}

bool UnknownAttributes::is_parameter_of_unknown(std::string_view name) const {
  name = name.substr(0, longest_name);
  for (std::size_t end = name.find('_'); end != name.npos; end = name.find('_', end + 1))
    if (names_.contains(name.substr(0, end))) return true;
  return false;
}

/// The variation of which it would be one more parameter, where all that kiln knows of are given:
/// then it is none that is misspelt. Not of JWildfire, whose variations have grown.
std::string UnknownAttributes::complete_without(std::string_view name) const {
  name = name.substr(0, longest_name);
  const std::string beginning = std::string(name) + "_";
  const auto parameter = names_.lower_bound(beginning);
  if (parameter != names_.end() && parameter->starts_with(beginning)) return "";
  if (is_known_variation(name)) return "";
  for (std::size_t end = name.find('_'); end != name.npos; end = name.find('_', end + 1)) {
    const std::optional<NamedForm> form = find_form(name.substr(0, end));
    if (!form) continue;
    const auto given = given_.find({form->stage, form->variation});
    const std::size_t count = variations()[std::size_t(form->variation)].parameters.size();
    if (given != given_.end() && count > 0 && given->second.size() == count)
      return form_name(form->stage, form->variation);
  }
  return "";
}

void UnknownAttributes::find_given() {
  for (const Attribute& a : all_) {
    const std::optional<NamedForm> form = find_form(a.name);
    if (form && to_real(a.value).value_or(0) != 0) given_[{form->stage, form->variation}];
  }
  for (const Attribute& a : all_) {
    const std::optional<NamedParameter> named = find_form_parameter(a.name);
    if (!named) continue;
    const auto form = given_.find({named->stage, named->variation});
    if (form != given_.end()) form->second.insert(named->parameter);
  }
}

void UnknownAttributes::report(const Attribute& a) const {
  a.messages.ignored(a.line, "xform " + printable(a.name), [&] {
    return fmt::format("{}: unknown attribute {}{}; it is ignored", a.owner, printable(a.name),
                       did_you_mean(a.name, known_));
  });
}

}  // namespace kiln
