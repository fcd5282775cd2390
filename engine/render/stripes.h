// A picture that does not fit into memory, or has more tiles than a GPU can sort points by, is made
// in stripes, from the top to the bottom: for each the whole game is played again, and only the
// stripe's rows are plotted, with as many around them as filter and density estimation reach. The
// game is the same each time and every later stage looks at a neighbourhood alone, so the picture is
// the one that would have been made whole, to the last bit. The cost is the game once a stripe;
// records are not kept between stripes, since they take more than the sums that do not fit.
//
// What looks at the whole picture at once cannot be had in stripes: bloom, glare, the picture of a
// point, and density estimation where it goes through the FFT.
#pragma once

#include <vector>

#include "engine/render/memory_need.h"

namespace kiln {

/// Rows of a picture that are made together.
struct Stripe {
  int first_row = 0, rows = 0;
  int top = 0, height = 0;  // the rows of the buffer that they need, whole cells but for the last
};

/// What is made at a time: one stripe where the whole picture fits into the device's memory and
/// --max-memory, and the device can sort its tiles. Throws Error (device) with the remedy where
/// stripes do not help.
std::vector<Stripe> plan_stripes(const PreparedFrame& frame, const RenderOptions& options,
                                 Device& device);

/// The memory of a picture while this stripe of it is made.
MemoryNeed memory_need_of(const Stripe& stripe, const PreparedFrame& frame,
                          const RenderOptions& options, Device& device);

/// The stripe as a frame.
PreparedFrame frame_of(const PreparedFrame& frame, const Stripe& stripe);

/// Puts the rows of a stripe below those that `picture`, of so many rows when it is whole, has.
void append_rows(const Image& rows, int height, Image& picture);

}  // namespace kiln
