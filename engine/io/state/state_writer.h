// State files (.kiln): what a still has come to, so that its render goes on, is shared out, or gets
// another look (docs/kiln-file.md).
#pragma once

#include <stop_token>
#include <string>

#include "engine/io/file/atomic_file.h"
#include "engine/model/saved_sums.h"

namespace kiln {

/// Writes the file whole or not at all; of the histogram no second copy is made. Throws Error of
/// kind output, or stopped.
void write_state(const std::string& path, const SavedSums& state,
                 AtomicFile::Existing existing = AtomicFile::Existing::replace,
                 const std::stop_token& stop = {});

/// The bytes of such a file.
std::string state_bytes(const SavedSums& state);

}  // namespace kiln
