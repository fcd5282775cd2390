#include "engine/io/unknown_attributes.h"

#include <algorithm>
#include <optional>

#include "engine/io/foreign_attributes.h"
#include "engine/io/nearest_name.h"
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

void UnknownAttributes::judge(const XformValues& values, std::vector<Missing>& missing) const {
  for (const Attribute* a : settings_) {
    if (a->messages.is_mild()) {
      note_left_out(*a);
    } else {
      missing.push_back({"setting " + printable(a->name), a->owner, a->line});
    }
  }
  for (const Attribute* a : others_) judge(*a, values, missing);
}

void UnknownAttributes::judge(const Attribute& a, const XformValues& values,
                              std::vector<Missing>& missing) const {
  if (is_parameter_of_unknown(a.name) || changes_nothing(a, values)) return;
  if (is_of_mobius_strip(a.name.substr(0, longest_name), values))
    return missing.push_back({"variation mobius_strip", a.owner, a.line});
  const std::optional<double> value = to_real(a.value);
  if (!value || *value == 0) return report(a);  // no variation, or one that adds nothing
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

void UnknownAttributes::report(const Attribute& a) const {
  a.messages.ignored(a.line, "xform " + printable(a.name), [&] {
    return fmt::format("{}: unknown attribute {}{}; it is ignored", a.owner, printable(a.name),
                       did_you_mean(a.name, known_));
  });
}

}  // namespace kiln
