// SPDX-License-Identifier: MIT
// kiln's record of how a picture was made: a JSON object beside the genome in its PNG (text chunk
// `kiln_record`) or EXR (attribute of that name). With it a picture is its own project: `kiln
// render picture.png` makes the same pixels again. Members: docs/reference/cli.md, "Same seed, same picture".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/api/kiln/render_options.h"
#include "engine/io/picture/primaries.h"
#include "engine/model/flame.h"

namespace kiln {

// The text chunks of a PNG: the genome that flam3 and kiln leave in their pictures (`flam3_genome`)
// and kiln's record of how it was made (`kiln_record`), as tEXt, zTXt or iTXt. The chunks are
// walked here, without libpng: pixels are never decoded, only their checksums are verified, so a
// picture of any size costs no memory and a damaged one is still refused. PNG specification, third
// edition, sections 5 and 11.3.3.

/// The eight bytes that every PNG begins with.
inline constexpr std::string_view png_signature{"\x89PNG\r\n\x1a\n", 8};

/// The key under which pictures carry their flame: flam3's name for it.
inline constexpr std::string_view genome_key = "flam3_genome";

/// Reads up to `count` bytes into `buffer`, returns how many there were.
using ReadBytes = std::function<std::size_t(char* buffer, std::size_t count)>;

/// Texts by their keywords, of each the first that stands in the file.
using PictureTexts = std::map<std::string, std::string, std::less<>>;

/// The key under which pictures carry their record.
inline constexpr std::string_view record_key = "kiln_record";

/// Whether readers keep a picture's text: others would fill memory with what nobody asks for.
bool is_kept_text(std::string_view key);

struct PngTexts {
  PictureTexts texts;
  bool has_pixels = false;  // there is an IDAT chunk
  bool ends_there = false;  // no byte follows IEND
  ExrForm form = {};        // what its colors are
};

/// Reads the kept texts of a PNG whose bytes after the signature come from `read`; `name`
/// is for messages. Throws Error of kind input unless the file is whole, to its last
/// checksum.
PngTexts read_png_texts(const ReadBytes& read, const std::string& name);

/// A record, taken apart.
struct PictureRecord {
  std::string version;  // of the kiln that made it
  std::uint64_t samples = 0;
  RenderOptions options;  // what of picture_settings is in records; bits 32: linear light; of psf
                          // nothing but the hash
  double pixel_aspect = 1;
  ExrForm exr;      // what the file has, not the record; of a state what its picture's shall have
  Credits credits;  // of a state: who made the picture
  bool asks_stages = false;  // of a state: its picture shall say them
  StageHashes stages;
  std::string pixel_hash;
  std::vector<std::string> approximate;  // what the flame asked for and the picture lacks
  std::optional<int> frame;              // its number, of an animation's frame
  double time = 0;                       // of the frame
  std::string frame_digest;              // of all that decides its pixels (frame_manifest.h)
  std::string film_digest;               // of what all frames of its film have in common

  bool is_linear() const { return options.bits == 32; }
};

/// A JSON object, a member a stage.
std::string stages_json(const StageHashes& stages);

/// Whether the noise of a still, if it is measured, is grain alone: density estimation also blurs.
bool counts_grain_alone(const Flame& flame);
/// The noise that is counted, in a word: "grain", or "all".
const char* counted_noise(const Flame& flame);

/// A JSON object with what it takes to make the same pixels again, their hash, and what is missing.
/// Nothing of it depends on the device.
std::string render_record(const Flame& flame, const RenderOptions& options,
                          const RenderStatistics& statistics, const std::string& pixel_hash);

/// The record of a state that says what the picture's file shall be, which sums do not: form and colors, who
/// made it, whether it has stages. What is usual is left out.
std::string record_of_state(const std::string& record, const ExrForm& form, const Credits& credits,
                            bool asks_stages);

/// Reads the record `json` of the picture `name`. Empty, with a warning, if it cannot be
/// understood: never throws for what stands in it.
std::optional<PictureRecord> parse_picture_record(
    std::string_view json, const std::string& name,
    const std::function<void(const std::string&)>& warn);

/// The options that repeat the picture; what a record does not hold (threads, device, limits, files)
/// stays as it is.
RenderOptions repeated(const PictureRecord& record, RenderOptions options);

/// The repeated settings in words: "seed 5, 16 bits, transparent".
std::string in_words(const PictureRecord& record);

/// The hash of the point spread function among the options; empty: they have none.
std::string psf_hash(const RenderOptions& options);

}  // namespace kiln
