// Attributes of <flame> given from outside, as if they stood in the file: `--set gamma=3`. The
// reader takes them after the file's own, so that everything that follows from an attribute follows
// here too (library palettes, soloxform, the way rotations unwind): the picture is that of the
// edited file. A wrong one is wrong usage, not bad input.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/io/flame/attribute_reader.h"
#include "engine/io/flame/flame_reader.h"

namespace kiln {

/// "gamma=3" as name and value. Throws Error (usage) where there is no such attribute (with the
/// nearest name) or its value cannot be taken; `option` names the option in messages.
AttributeSetting parse_setting(std::string_view option, std::string_view text);

/// Puts them into the flame, which has the file's attributes. Throws Error (usage) if they make
/// numbers contradict each other that did not before.
void take_settings(const std::vector<AttributeSetting>& settings, Flame& flame,
                   DeferredAttributes& deferred);

}  // namespace kiln
