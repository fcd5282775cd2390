// SPDX-License-Identifier: MIT
// State files (.kiln): what a still has come to, so that its render goes on, is shared out, or gets
// another look. docs/reference/kiln-file.md describes the format for everybody else. Numbers are little-endian.
//
//   signature, u32 version, then sections: 4 letters, u32 CRC-32 of the payload, u64 its length,
//   the payload.
//   HEAD  numbers of SumsShape, the bad values, the next look, the digest
//   FLAM  the flame as XML        RECD  the settings as JSON
//   DONE  pairs of u64: the ranges of units
//   POOL  of flames whose points settle slowly, one a chain that began: u32 chain, the pool
//   SUMS  one a row of tiles, of one histogram after the other: of each tile u32 length, the tile
//   After the last row of tiles the file ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "engine/io/file/atomic_file.h"
#include "engine/io/picture/picture_record.h"
#include "engine/model/saved_sums.h"

namespace kiln {

/// Writes the file whole or not at all; of the histogram no second copy is made. Throws Error of
/// kind output, or stopped.
void write_state(const std::string& path, const SavedSums& state,
                 AtomicFile::Existing existing = AtomicFile::Existing::replace,
                 const std::stop_token& stop = {});

/// The bytes of such a file.
std::string state_bytes(const SavedSums& state);

// Reads state files (docs/reference/kiln-file.md). A file may come from anywhere: nothing that it promises is
// believed before it was looked at, memory is taken only within `most_bytes`, and every checksum is
// compared before its section is used.

/// Whether the file begins as a state file does; false for what cannot be read.
bool is_state_file(const std::string& path);

/// The whole state. Histograms larger than `most_bytes`, all together, are refused. Throws Error
/// of kind input with the place in the file, device where the memory is not there, or stopped.
SavedSums read_state(const std::string& path, std::uint64_t most_bytes,
                     const std::stop_token& stop = {});

/// Reads a state whose bytes after the signature come from `read`; `name` is for messages.
SavedSums read_state(const ReadBytes& read, const std::string& name, std::uint64_t most_bytes);

/// Reads flame and settings, under the keys that pictures have; the rest is not read.
PictureTexts read_state_texts(const ReadBytes& read, const std::string& name);

inline constexpr std::string_view state_signature{"\x89KILN\r\n\x1a", 8};
constexpr std::uint32_t state_version = 1;

constexpr std::size_t section_head_bytes = 16;
constexpr std::size_t state_numbers = 9;  // of 32 bits, in the order of SumsShape
constexpr std::size_t head_bytes = state_numbers * 4 + 3 * 8 + 32;

// Limits of what a file may promise, before memory is taken for it.
constexpr std::uint64_t most_genome_bytes = 64u << 20, most_record_bytes = 1u << 16;
constexpr std::uint64_t most_done_bytes = 16u << 20;  // a million ranges
constexpr std::uint32_t most_state_chains = 4096, most_pool_bytes = 1u << 17;
constexpr std::uint64_t most_units = std::uint64_t(1) << 32;

}  // namespace kiln
