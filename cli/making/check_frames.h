// SPDX-License-Identifier: MIT
// What kiln check finds out about the frames of an animation: each file alone (is it whole, are its
// pixels those of its record), then all together (what is missing, twice there, made otherwise, or
// far from its neighbors).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/says/console.h"
#include "engine/animation/frame_manifest.h"
#include "engine/api/kiln/render_options.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/picture_record.h"
#include "engine/measure/distance.h"

namespace kiln::cli {

/// Something wrong. `kind` is one word of problem_kinds.
struct FrameProblem {
  std::string kind, file;
  std::optional<int> frame;
  std::string message;
};

/// The names of the problems, in the order of their enumeration; --ignore takes them.
inline constexpr const char* problem_kinds[] = {"missing",   "truncated", "unrecorded", "changed",
                                                "unlisted",  "duplicate", "settings",   "black",
                                                "one-color", "outlier",   "rendered"};

/// A file as it was found.
struct CheckedFrame {
  std::string path;
  std::optional<int> frame;  // its number: of the record, of a manifest, at last that of its name
  std::optional<FrameProblem> problem;  // of the file alone; what follows may then be empty
  std::optional<PictureRecord> record;
  const PictureFormat* format = nullptr;  // by the file's first bytes; null: of none
  PictureFileTexts texts;
  std::string hash;       // of its pixels
  std::string made_with;  // version, size and settings that all frames share
  std::string film;       // digest of its flames, all options applied; empty: not known
  Thumbnail thumbnail;
};

/// The last digits of a file's name as a number: all that is known of a file that cannot be read.
std::optional<int> number_in_name(const std::string& path);

/// The record in a picture; nothing where there is none.
std::optional<PictureRecord> record_in(const std::string& path);

/// The number that a frame's record has; nothing where there is none.
std::optional<int> recorded_number(const std::string& path);

/// Decodes a file. Never throws for what is in it.
CheckedFrame check_frame_file(const std::string& path, const ImageLimits& limits);

/// Compares a file with what a manifest says of it.
void check_row(CheckedFrame& frame, const ManifestRow& row, const std::string& manifest);

/// Finds the problems that only all frames together show. `expected`: the numbers that have to be
/// there; if empty, all between the first and the last, at the usual step.
std::vector<FrameProblem> check_together(const std::vector<CheckedFrame>& frames,
                                         const std::vector<int>& expected);

// kiln check --render: a random share of the frames rendered again. With a manifest the whole
// command that made them is read again (key flames, motion blur and all); without, a picture repeats
// itself from its genome and record, which is the same picture unless it has motion blur.

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
