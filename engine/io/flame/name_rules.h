// Which program's meaning the names of a flame's variations have (engine/model/meanings.h): by the
// flame's dialect and the version of the program that wrote it, or as it is asked for.
#pragma once

#include <optional>
#include <string_view>

#include "engine/model/flame.h"
#include "engine/model/meanings.h"

namespace tinyxml2 {
class XMLElement;
}

namespace kiln {

/// The rules for the xforms of `element`, whose attributes `flame` has already; `asked`: what
/// `--meaning` says.
NameRules name_rules(const tinyxml2::XMLElement& element, const Flame& flame,
                     std::optional<Meaning> asked);

/// "flam3", "ember" or "apophysis"; nothing for any other text.
std::optional<Meaning> meaning_named(std::string_view name);

}  // namespace kiln
