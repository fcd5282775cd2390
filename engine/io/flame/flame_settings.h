// SPDX-License-Identifier: MIT
// `--set`: an attribute of <flame> or a part of its xforms (flame_parts.h), as option.
#pragma once

#include <string_view>

#include "engine/io/flame/flame_file.h"

namespace kiln {

/// "gamma=3" or "xform.0.julian=0.5" as name and value. Throws Error (usage) where there is no such
/// attribute (with the nearest name) or its value cannot be taken; `option` names the option in messages.
AttributeSetting parse_setting(std::string_view option, std::string_view text);

}  // namespace kiln
