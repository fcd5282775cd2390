// A state file as one side of a comparison: its picture, made on the CPU from the sums as they are;
// their light and how sure it is, where they are in halves; and the settings of its look, since two
// states with the same light and another gamma are no more noise than two pictures.
#pragma once

#include <cstdint>
#include <string>

#include "cli/picture_pair.h"

namespace kiln::cli {

/// The state at `path`; its sums take at most `most_bytes`. Throws Error.
Compared read_compared_state(const std::string& path, std::uint64_t most_bytes);

}  // namespace kiln::cli
