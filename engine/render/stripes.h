// SPDX-License-Identifier: MIT
// A picture that does not fit into memory, or has more tiles than a GPU can sort points by, is made
// in stripes, from the top to the bottom: for each the whole game is played again, and only the
// stripe's rows are plotted, with as many around them as filter and density estimation reach. The
// game is the same each time and every later stage looks at a neighborhood alone, so the picture is
// the one that would have been made whole, to the last bit. The cost is the game once a stripe;
// records are not kept between stripes, since they take more than the sums that do not fit.
//
// Density estimation with wide kernels is made in bands of a fixed number of rows (output_plan.h): stripes
// are some of these. What looks at the whole picture at once cannot be had in stripes: bloom, glare, the
// picture of a point, hashes of stages.
#pragma once

#include <string>
#include <vector>

#include "engine/render/memory_need.h"

namespace kiln {

/// The way to make a picture in the memory there is: the one answer of a render, kiln info and
/// --dry-run.
struct MemoryPlan {
  std::vector<Stripe> stripes;  // from the top to the bottom; one: the whole picture; none: refused
  std::string refusal;          // why, and what would help

  bool is_whole() const { return stripes.size() == 1; }
  /// Throws Error (device) where the picture is refused.
  const MemoryPlan& or_throw() const;
};

/// The whole picture, whether it fits or not.
MemoryPlan whole_of(const OutputPlan& plan);
/// The whole picture where it fits into the device's memory and --max-memory with `beside` bytes of
/// the caller's, and the device can sort its tiles; else stripes, unless there is a reason
/// `why_whole` for it to be made at once.
MemoryPlan plan_memory(const PreparedFrame& frame, const RenderOptions& options, Device& device,
                       std::uint64_t beside = 0, const char* why_whole = nullptr);

/// The reason for a picture whose sums are kept (kept_bytes()).
inline constexpr const char* why_kept_sums_are_whole =
    "sums that are kept are never made in stripes";

/// The plan for a frame of a film that is cleaned with those around it.
MemoryPlan plan_window(const PreparedFrame& frame, const RenderOptions& options, Device& device);

/// The memory that the whole picture takes, also where it is refused, or that of its middle stripe.
MemoryNeed memory_need(const MemoryPlan& plan, const PreparedFrame& frame,
                       const RenderOptions& options, Device& device);

/// The stripe as a frame.
PreparedFrame frame_of(const PreparedFrame& frame, const Stripe& stripe);

/// Bytes of finished rows, which wait for all others while the next stripe is made.
std::uint64_t bytes_of_rows(const PreparedFrame& whole, const RenderOptions& options);

/// Puts the rows of a stripe below those that `picture`, of so many rows when it is whole, has.
void append_rows(const Image& rows, int height, Image& picture);

}  // namespace kiln
