// SPDX-License-Identifier: MIT
// A still from options to pixels, for the library as for the program: played in one go, or with sums
// that come from files, are kept in one or are looked at on the way (checkpoint.h).
#pragma once

#include <future>
#include <string>
#include <vector>

#include "engine/io/picture/primaries.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/renderer.h"

namespace kiln {

/// Whether a still with these options is looked at before its quality is reached.
inline bool ends_early(const RenderOptions& options) {
  return options.until_noise > 0 || options.time_limit_s > 0;
}

/// Throws Error where a frame cannot be rendered with these options, before anything large is made.
/// Returns RenderStatistics::warning where its coordinates are too coarse.
std::string check_still(const Frame& still, const RenderOptions& options);

/// The noise of a picture of this signal to noise ratio, as a fraction of full scale.
double noise_at_psnr(double db);

struct Still {
  Flame flame;                          // out: with the quality that its picture came to
  std::vector<std::string> begin = {};  // state files with whose sums, put together, it begins
  std::string state = {};               // the file that keeps its sums; empty: none
  Checkpoint checkpoint =
      {};  // if its sums are of interest; they and how they are saved are made here
  std::future<PreparedFrame> ready = {};  // of prepare_ahead(), perhaps
  ExrForm form = {};  // of the file of its picture, and who made it: for its state
  Credits credits = {};
};

/// Prepares a still that begins with no sums, for Still::ready, while another one is rendered. What
/// fails is thrown when it is rendered. The future is invalid where this would take much memory
/// beside the other picture's.
std::future<PreparedFrame> prepare_ahead(const Flame& flame, const RenderOptions& options);

/// Renders it with these options, which are the renderer's; nothing where it was stopped or is a
/// shard (Renderer::make). Errors about the sums that it begins with name their file.
std::optional<Image> render_still(Renderer& renderer, const RenderOptions& options, Still& still,
                                  RenderStatistics* statistics);

/// The sums of these files together, which take at most `most_bytes`; 0: what there is. Throws Error.
SavedSums read_sums(const std::vector<std::string>& paths, std::uint64_t most_bytes,
                    const std::stop_token& stop = {});

}  // namespace kiln
