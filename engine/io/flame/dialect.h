// Which program a flame comes from, and so what its names and numbers mean. The same attribute means
// different things in flam3, Fractorium (and Ember, its library), Apophysis (and Chaotica's export)
// and JWildfire, and each leaves out other attributes when they have its own usual value.
//
// `version` decides; without one, attributes that only one of the programs writes. `nick` alone is
// none of Apophysis where flam3's own are there: flam3 writes it too. What kiln writes says its
// dialect in kiln_dialect, since a flame keeps its meaning when it is written again.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/model/flame.h"

namespace tinyxml2 {
class XMLElement;
}

namespace kiln {

inline constexpr const char* dialect_attribute = "kiln_dialect";

struct DialectFound {
  Dialect dialect;
  std::string reason;  // `version "Apophysis 7X"`, `attribute plugins`, or "nothing else is said"
};

/// The dialect of a <flame>, by its attributes and children.
DialectFound dialect_of(const tinyxml2::XMLElement& flame);

/// "flam3", "fractorium", "apophysis" or "jwildfire".
const char* dialect_name(Dialect dialect);

/// The dialect of that name; nothing for any other text.
std::optional<Dialect> dialect_named(std::string_view name);

/// Whether the element is a flame: <flame>, or JWildfire's <jwf-flame>.
bool is_flame(const tinyxml2::XMLElement& element);

}  // namespace kiln
