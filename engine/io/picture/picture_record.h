// kiln's record of how a picture was made: a JSON object beside the genome in its PNG (text chunk
// `kiln_record`) or EXR (attribute of that name). With it a picture is its own project: `kiln
// render picture.png` makes the same pixels again. Members: docs/cli.md, "Same seed, same picture".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/api/kiln/render_options.h"
#include "engine/model/flame.h"

namespace kiln {

/// The key under which pictures carry their record.
inline constexpr std::string_view record_key = "kiln_record";

/// What a record says.
struct PictureRecord {
  std::string version;  // of the kiln that made it
  std::uint64_t samples = 0;
  RenderOptions options;  // what of picture_settings is in records; bits 32: linear light; of psf
                          // nothing but the hash
  double pixel_aspect = 1;
  bool single_float = false;  // of linear light: the file holds floats, not halves
  std::string pixel_hash;
  std::vector<std::string> approximate;  // what the flame asked for and the picture lacks
  std::optional<int> frame;              // its number, of an animation's frame
  double time = 0;                       // of the frame
  std::string frame_digest;              // of all that decides its pixels (frame_record.h)

  bool is_linear() const { return options.bits == 32; }
};

/// A JSON object with what it takes to make the same pixels again, their hash, and what is missing.
/// Nothing of it depends on the device.
std::string render_record(const Flame& flame, const RenderOptions& options,
                          const RenderStatistics& statistics, const std::string& pixel_hash);

/// What the record `json` of the picture `name` says. Nothing, and a warning, where it cannot be
/// understood: never throws for what stands in it.
std::optional<PictureRecord> parse_picture_record(
    std::string_view json, const std::string& name,
    const std::function<void(const std::string&)>& warn);

/// The options that repeat the picture; what a record does not hold (threads, device, limits, files)
/// stays as it is.
RenderOptions repeated(const PictureRecord& record, RenderOptions options);

/// What is repeated, in words: "seed 5, 16 bits, transparent".
std::string in_words(const PictureRecord& record);

/// Of the point spread function among the options; empty: none.
std::string psf_hash(const RenderOptions& options);

}  // namespace kiln
