// SPDX-License-Identifier: MIT
// What a render takes of memory, known before any of it is taken: the same sums for the check
// before a render, for `kiln info` and for --dry-run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "engine/device/device.h"
#include "engine/render/accumulate/checkpoint.h"
#include "engine/render/plan/prepared_frame.h"

namespace kiln {

/// Bytes. On the CPU the device's memory is the program's own.
struct MemoryNeed {
  std::uint64_t picture = 0;  // on the device: histogram, light, estimator, effects
  std::uint64_t perhaps =
      0;  // of all of these: what the estimator takes where it goes through the FFT, and
          // frames of a film that wait beside this one
  std::uint64_t game = 0;     // on the device: pools and tables of the chaos game
  std::uint64_t records = 0;  // points that wait for their tile; on the CPU none outside of the
                              // picture, and gone before there are pixels
  std::uint64_t pixels = 0;   // in the program: as packed, and the compressed file
  std::uint64_t program = 0;  // itself, its libraries and small tables

  /// The most that the render takes.
  std::uint64_t most() const { return picture + game + std::max(records, pixels) + program; }
  /// The bytes that the render takes without `perhaps`.
  std::uint64_t usual() const { return most() - perhaps; }
};

/// The need of one frame with these options, but for the game's, which depends on the device.
MemoryNeed memory_need(const PreparedFrame& frame, const RenderOptions& options);
/// All of it, on this device, with so many bytes `beside` of the program's. Throws Error (device)
/// where the device cannot play the flame.
MemoryNeed memory_need(const PreparedFrame& frame, const RenderOptions& options, Device& device,
                       std::uint64_t beside = 0);

/// Bytes that it takes to keep a picture's sums, beside the picture: the copy that is written, the
/// second half of two, and probes of them.
std::uint64_t kept_bytes(const PreparedFrame& frame, const Checkpoint& checkpoint);

/// Bytes of the counts of a film's frames, beside the frame that is cleaned with them.
std::uint64_t bytes_of_window(const PreparedFrame& frame, const RenderOptions& options);

/// The program, its libraries and small tables, measured on a picture of 64 x 36 pixels; builds are of several sizes.
constexpr std::uint64_t program_bytes = 24'000'000;
/// The part of a program's limit that libraries and gaps of the allocator may take.
constexpr std::uint64_t spare_of(std::uint64_t bytes) { return 1'500'000 + bytes / 40; }
/// Bytes that --max-memory leaves to the game beside a picture of so many bytes; 0: no limit.
std::uint64_t room_for_game(const PreparedFrame& frame, std::uint64_t picture_bytes,
                            const RenderOptions& options, Device& device);

/// The most bytes that a picture may take of the device's memory.
std::uint64_t memory_limit(const RenderOptions& options, const Device& device);
/// Throws Error (device) where sizes alone say that a still does not fit, not even in stripes:
/// before seconds and a gigabyte go into its tables.
void check_least_memory(const Frame& still, const RenderOptions& options, const Device& device);

/// The reason why a picture that needs so much is refused, and what would fit. `why_whole`: the one
/// why stripes (stripes.h) do not help.
std::string refusal_of_memory(const Flame& flame, const MemoryNeed& need, const Device& device,
                              const RenderOptions& options, const std::string& why_whole);

}  // namespace kiln
