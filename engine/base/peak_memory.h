// The most memory that this program has held at once.
#pragma once

#include <cstdint>

namespace kiln {

/// Bytes, resident. Of this program alone: what getrusage() says counts also what the process held
/// before it became this program, such as the pages of a large parent.
std::uint64_t peak_memory_bytes();

}  // namespace kiln
