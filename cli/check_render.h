// kiln check --render: a random share of the frames rendered again. With a manifest the whole
// command that made them is read again (key flames, motion blur and all); without, a picture repeats
// itself from its genome and record, which is the same picture unless it has motion blur.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/check_frames.h"
#include "engine/api/kiln/render_options.h"

namespace kiln::cli {

struct RenderedAgain {
  std::string path;
  std::optional<int> frame;
  bool same_pixels = false, same_bytes = false;
  std::string skipped;  // why it could not be judged; empty: it was
};

/// `count` different places below `all`, by the seed alone, ascending.
std::vector<std::size_t> random_places(std::size_t all, std::size_t count, std::uint64_t seed);

/// Frames rendered from their own genomes and records, by this backend with so many threads. Throws
/// Error where the device fails.
std::vector<RenderedAgain> render_from_pictures(const std::vector<const CheckedFrame*>& frames,
                                                const RenderOptions& machine);

/// Frames rendered as the words of `kiln animate` say. Throws Error for words and key flames that
/// cannot be read here.
std::vector<RenderedAgain> render_from_words(const std::vector<const CheckedFrame*>& frames,
                                             const std::vector<std::string>& words,
                                             const RenderOptions& machine);

}  // namespace kiln::cli
