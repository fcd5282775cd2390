// SPDX-License-Identifier: MIT
// Reads the attributes of <flame> itself, which engine/model/flame_attributes.h lists, and checks what
// needs several of them. flam3-format.md section 2.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/flame/attributes.h"
#include "engine/model/flame.h"

namespace kiln {

/// Bytes that are kept of who made a flame and where more of it is.
inline constexpr std::size_t max_credit_bytes = 1024;

/// Puts one attribute into the flame. What kiln does not have goes into Flame::missing, what nobody
/// knows is reported.
void set_flame_attribute(const Attribute& attribute, Flame& flame, DeferredAttributes& deferred);

/// Throws Error for a flame that cannot be rendered: nothing to iterate, sizes and radii that
/// contradict each other.
void check_flame(const Flame& flame, const Messages& messages);

/// Leaves out what xaos has beyond the last xform, with a warning.
void cut_chaos(Flame& flame, Messages& messages);

/// The part of it that looks at attributes alone.
void check_attributes(const Flame& flame, const Messages& messages);

// Attributes of <flame>, as if they stood in the file: `--set gamma=3`. The reader takes them after
// the file's own, so that everything that follows from an attribute follows here too (library
// palettes, soloxform, the way rotations unwind): the picture is that of the edited file.

/// Throws Error (usage) for an attribute whose value cannot be taken; `option` names the option in messages.
void check_setting(std::string_view option, const AttributeSetting& setting);

/// Puts them into the flame, which has the file's attributes. Throws Error (usage) if they make
/// numbers contradict each other that did not before.
void apply_settings(const std::vector<AttributeSetting>& settings, Flame& flame,
                    DeferredAttributes& deferred);

}  // namespace kiln
