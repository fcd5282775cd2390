#include "engine/io/flame/dialect.h"

#include <tinyxml2.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "engine/base/printable.h"

namespace kiln {
namespace {

constexpr std::array names = {"flam3", "fractorium", "apophysis", "jwildfire"};
constexpr const char* jwildfire_root = "jwf-flame";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether `text` has `word` in it, capitals or not; `word` is in small letters.
bool contains(std::string_view text, std::string_view word) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

/// "0.16 (06.11.2011)": a number, then a date in brackets.
bool is_jwildfire_version(std::string_view version) {
  const std::size_t bracket = version.find('(');
  return bracket != version.npos && is_digit(version[0]) && bracket + 1 < version.size() &&
         is_digit(version[bracket + 1]);
}

std::optional<Dialect> dialect_of_version(std::string_view version) {
  if (contains(version, "ember")) return Dialect::fractorium;
  if (contains(version, "apophysis")) return Dialect::apophysis;
  if (contains(version, "flam3-")) return Dialect::flam3;
  if (is_jwildfire_version(version)) return Dialect::jwildfire;
  return {};
}

/// The first of these attributes that the flame has; null if it has none.
const char* first_of(const tinyxml2::XMLElement& flame, std::initializer_list<const char*> wanted) {
  for (const char* name : wanted)
    if (flame.Attribute(name) != nullptr) return name;
  return nullptr;
}

std::optional<DialectFound> dialect_of_marks(const tinyxml2::XMLElement& flame) {
  const auto by_attribute = [](Dialect dialect, const char* name) {
    return DialectFound{dialect, std::string("attribute ") + name};
  };
  if (std::string_view(flame.Name()) == jwildfire_root)
    return DialectFound{Dialect::jwildfire, std::string("element ") + jwildfire_root};
  if (const char* mark = first_of(flame, {"cam_dof_area", "white_level"}))
    return by_attribute(Dialect::jwildfire, mark);
  if (flame.FirstChildElement("layer") != nullptr)
    return DialectFound{Dialect::jwildfire, "element layer"};
  if (const char* mark = first_of(flame, {"new_linear", "plugins", "enable_de"}))
    return by_attribute(Dialect::apophysis, mark);
  if (first_of(flame, {"nick"}) != nullptr &&
      first_of(flame, {"temporal_samples", "passes", "brood", "parents"}) == nullptr)
    return by_attribute(Dialect::apophysis, "nick");
  return {};
}

}  // namespace

DialectFound dialect_of(const tinyxml2::XMLElement& flame) {
  const char* version = flame.Attribute("version");
  const char* own = flame.Attribute(dialect_attribute);
  if (own != nullptr) {
    if (const auto dialect = dialect_named(own)) return {*dialect, dialect_attribute};
  }
  if (version != nullptr) {
    const std::string reason = "version \"" + printable(version, 80) + "\"";
    if (const auto dialect = dialect_of_version(version)) return {*dialect, reason};
    if (std::string_view(version).starts_with("kiln ")) return {Dialect::flam3, reason};
  }
  return dialect_of_marks(flame).value_or(DialectFound{Dialect::flam3, "nothing else is said"});
}

const char* dialect_name(Dialect dialect) { return names.at(static_cast<std::size_t>(dialect)); }

std::optional<Dialect> dialect_named(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return {};
  return static_cast<Dialect>(found - names.begin());
}

bool is_flame(const tinyxml2::XMLElement& element) {
  const std::string_view name = element.Name();
  return name == "flame" || name == jwildfire_root;
}

}  // namespace kiln
