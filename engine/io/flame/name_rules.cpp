#include "engine/io/flame/name_rules.h"

#include <tinyxml2.h>

#include <charconv>
#include <string>

#include "engine/base/text.h"
#include "engine/io/flame/dialect.h"
#include "engine/model/variation_names.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

/// The numbers behind the last dash: "EMBER-WIN-24.24.12"; 0 where there are none.
std::array<int, 3> numbers_of(std::string_view version) {
  std::array<int, 3> numbers = {};
  const char* at = version.data() + (version.rfind('-') + 1);  // npos + 1 is the beginning
  const char* const end = version.data() + version.size();
  for (int& number : numbers) {
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) {
      number = 0;
      break;
    }
    if (next == end || *next != '.') break;
    at = next + 1;
  }
  return numbers;
}

/// Whether kiln wrote it: then its names are kiln's own.
bool is_kilns(const tinyxml2::XMLElement& flame) {
  return flame.Attribute(dialect_attribute) != nullptr ||
         std::string_view(flame.Attribute("version") ? flame.Attribute("version") : "")
             .starts_with("kiln ");
}

bool shows_depth(const DepthCamera& camera) {
  return camera.perspective != 0 || camera.pitch_rad != 0 || camera.blur != 0;
}

/// Whether an xform inside uses a variation whose place in the plane depends on depth.
bool uses_depth(const tinyxml2::XMLElement& element) {
  for (const auto* child = element.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    for (const auto* a = child->FirstAttribute(); a != nullptr; a = a->Next()) {
      const auto form = find_form(a->Name());
      if (form && variations()[std::size_t(form->variation)].traits.reads_depth) return true;
    }
    if (std::string_view(child->Name()) == "layer" && uses_depth(*child)) return true;
  }
  return false;
}

Meaning meaning_of(const tinyxml2::XMLElement& element, const Flame& flame,
                   const std::array<int, 3>& version) {
  if (is_kilns(element)) return Meaning::flam3;
  switch (flame.dialect) {
    case Dialect::flam3:
      return Meaning::flam3;
    case Dialect::fractorium:
      return version >= first_own_version ? Meaning::fractorium : Meaning::fractorium_as_flam3;
    case Dialect::apophysis:  // 2.0x has plug-ins in place of what 7X has built in
      return in_small_letters(flame.version).find("apophysis 2") == std::string::npos
                 ? Meaning::apophysis
                 : Meaning::flam3;
    case Dialect::jwildfire:
      return Meaning::jwildfire;
  }
  return Meaning::flam3;
}

}  // namespace

NameRules name_rules(const tinyxml2::XMLElement& element, const Flame& flame,
                     std::optional<Meaning> asked) {
  NameRules rules;
  if (asked) {
    const bool of_fractorium =
        *asked == Meaning::flam3 && flame.dialect == Dialect::fractorium && !is_kilns(element);
    rules.meaning = of_fractorium ? Meaning::fractorium_as_flam3 : *asked;
  } else {
    const std::array<int, 3> version = numbers_of(flame.version);
    rules.meaning = meaning_of(element, flame, version);
    if (rules.meaning == Meaning::fractorium) rules.version = version;
  }
  if (rules.meaning == Meaning::apophysis || rules.meaning == Meaning::jwildfire)
    rules.deep = shows_depth(flame.depth_camera) || uses_depth(element);
  return rules;
}

std::optional<Meaning> meaning_named(std::string_view name) {
  if (name == "flam3") return Meaning::flam3;
  if (name == "ember") return Meaning::fractorium;
  if (name == "apophysis") return Meaning::apophysis;
  return std::nullopt;
}

}  // namespace kiln
