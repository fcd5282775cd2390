// "Did you mean ...": the known name that is the fewest edits away from a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The one of `known` that begins with the name, or the closest, by insertions, deletions, replacements and swaps of neighbors, case
/// ignored; empty if none is close.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// ` (did you mean "...")` or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace kiln
