// SPDX-License-Identifier: MIT
// The list of an animation's frames with their hashes, as tab-separated text: who gets the frames
// from another machine checks them against it (kiln check --manifest). A chunk of an animation has
// a manifest of its own. The lines:
//   # kiln frames 1
//   # made by<tab>["keys.flam3","-o","out/####.png"]    the command line of kiln animate, as JSON
//   # frame<tab>time<tab>pixel_hash<tab>frame_digest<tab>sha256<tab>file
//   0<tab>0<tab>...
// Files are named as seen from the manifest's folder; sha256 is of a file's bytes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/animation/frame_at.h"
#include "engine/api/kiln/render_options.h"
#include "engine/model/flame.h"

namespace kiln {

// How a frame on the disk is known again: its record (text chunk kiln_record) names the frame and
// holds a digest of everything that decides its pixels. A frame with another digest was made from
// other flames, with other options or by another version.

/// The digest that all frames between these keys share: SHA-256 of the keys as XML and of the
/// options that render_record() writes.
std::string animation_digest(const FilmKeys& keys, const RenderOptions& options);

/// The digest of one frame, as 64 hex digits.
std::string frame_digest(const std::string& animation_digest, const FrameTime& frame);

/// Digests of a film's frames; that of a frame that may be cleaned covers all frames that it takes.
class FrameDigests {
 public:
  /// `film` must outlive it.
  FrameDigests(const KeyFrames& film, const RenderOptions& options);

  std::string of(const FrameTime& frame) const;
  /// The digest that all frames share.
  const std::string& of_film() const { return animation_; }

 private:
  const KeyFrames& film_;
  const std::string animation_;
  const bool is_cleaned_;
};

/// render_record()'s JSON object with the frame's number, time and digest, and its film's.
std::string frame_record(const std::string& record, const FrameTime& frame,
                         const std::string& digest, const std::string& animation_digest);

/// Whether `path` is a whole PNG, with pixels and nothing behind its end, whose record has this
/// digest. Never throws for what it finds
/// there.
bool is_frame(const std::string& path, const std::string& digest);

struct ManifestRow {
  FrameTime frame;
  std::string pixel_hash, frame_digest, sha256, file;
};

struct FrameManifest {
  std::vector<std::string> words;  // of the command that made the frames, without "animate"
  std::vector<ManifestRow> rows;
};

/// The row of a frame's file; nothing if it is not there, not whole or has no record.
std::optional<ManifestRow> manifest_row(const std::string& path, const FrameTime& frame,
                                        const std::string& manifest);

/// Throws Error of kind output, or usage for a name with a tab or a line's end in it.
void write_manifest(const std::string& path, const FrameManifest& manifest);

/// Throws Error of kind input; the message names file and line.
FrameManifest read_manifest(const std::string& path);

/// The row's file as seen from here.
std::string path_of(const ManifestRow& row, const std::string& manifest);

}  // namespace kiln
