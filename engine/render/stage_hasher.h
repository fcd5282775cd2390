// Hashes of what the stages of a picture left in the device's memory, by which kiln compare tells
// where two pictures part. SHA-256 over width, height and channels (32-bit integers), then the values
// row by row, as they are in memory: the same on every device, since the values are. They come back
// in pieces, so that it takes no memory; a picture of 1920 x 1080 has 130 MB of them.
#pragma once

#include <optional>

#include "engine/base/sha256.h"
#include "engine/render/picture_buffers.h"
#include "engine/render/progress_report.h"

namespace kiln {

/// Of a picture that is made whole. Does nothing where nobody wants the hashes.
class StageHasher {
 public:
  StageHasher(Device& device, const OutputPlan& plan, const PictureBuffers& buffers,
              StageHashes* hashes)
      : device_(device), plan_(plan), buffers_(buffers), hashes_(hashes) {}

  /// The sums of a pass, before they become light: passes follow each other in one hash.
  void histogram();
  /// The light of all passes, without the margin: how much of that is made is the filter's matter.
  void light();
  /// For DevelopStage::run: `hear`, and the filtered picture when it comes to tone mapping.
  HearStage filtered(HearStage hear);

 private:
  /// The head of a hash.
  static Sha256 begun(int width, int height, int channels);
  void add(const void* memory, std::size_t bytes, Sha256& sha);

  Device& device_;
  const OutputPlan& plan_;
  const PictureBuffers& buffers_;
  StageHashes* const hashes_;   // null: not wanted
  std::optional<Sha256> sums_;  // of the passes so far
};

}  // namespace kiln
