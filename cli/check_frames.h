// What kiln check finds out about the frames of an animation: each file alone (is it whole, are its
// pixels those of its record), then all together (what is missing, twice there, made otherwise, or
// far from its neighbours).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/talk.h"
#include "engine/animation/frame_manifest.h"
#include "engine/io/picture/image_reader.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/picture_record.h"
#include "engine/measure/outliers.h"

namespace kiln::cli {

/// Something wrong. `kind` is one word of problem_kinds.
struct FrameProblem {
  std::string kind, file;
  std::optional<int> frame;
  std::string message;
};

/// In the order of their meaning: what --ignore takes.
inline constexpr const char* problem_kinds[] = {"missing",   "truncated", "unrecorded", "changed",
                                                "unlisted",  "duplicate", "settings",   "black",
                                                "one-color", "outlier",   "rendered"};

/// A file as it was found.
struct CheckedFrame {
  std::string path;
  std::optional<int> frame;  // its number: of the record, of a manifest, at last that of its name
  std::optional<FrameProblem> problem;  // of the file alone; what follows may then be empty
  std::optional<PictureRecord> record;
  PictureFileTexts texts;
  std::string hash;       // of its pixels
  std::string made_with;  // version, size and settings that all frames share
  Thumbnail thumbnail;
};

/// Decodes a file. Never throws for what is in it.
CheckedFrame check_frame_file(const std::string& path, const ImageLimits& limits);

/// Compares a file with what a manifest says of it.
void check_row(CheckedFrame& frame, const ManifestRow& row, const std::string& manifest);

/// Those of all frames together. `expected`: numbers that have to be there; if empty, what lies
/// between the first and the last at their usual step.
std::vector<FrameProblem> check_together(const std::vector<CheckedFrame>& frames,
                                         const std::vector<int>& expected);

}  // namespace kiln::cli
