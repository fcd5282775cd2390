// Reads state files (docs/kiln-file.md). A file may come from anywhere: nothing that it promises is
// believed before it was looked at, memory is taken only within `most_bytes`, and every checksum is
// compared before its section is used.
#pragma once

#include <stop_token>
#include <string>

#include "engine/io/picture/png_texts.h"
#include "engine/model/saved_sums.h"

namespace kiln {

/// Whether the file begins as a state file does; false for what cannot be read.
bool is_state_file(const std::string& path);

/// The whole state. Histograms larger than `most_bytes`, all together, are refused. Throws Error
/// of kind input with the place in the file, device where the memory is not there, or stopped.
SavedSums read_state(const std::string& path, std::uint64_t most_bytes,
                     const std::stop_token& stop = {});

/// The same of the bytes after the signature, which come from `read`; `name` is for messages.
SavedSums read_state(const ReadBytes& read, const std::string& name, std::uint64_t most_bytes);

/// Its flame and settings under the keys that pictures have them under; the rest is not read.
PictureTexts read_state_texts(const ReadBytes& read, const std::string& name);

}  // namespace kiln
