// Looks at a still in mid-render: how noisy it would be if it ended now. Both halves of its sums and
// their sum become pictures by the same stages as the picture itself, of 16 bits on its
// background, whatever the picture will be; noise_of_halves compares them.
//
// Costs three times everything after the chaos game. The sums come from the host and take the place
// of the picture's histogram, so no memory of the device is taken for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/measure/picture_noise.h"
#include "engine/render/accumulate/accumulation.h"
#include "engine/render/develop/develop_stage.h"
#include "engine/render/light/light_stage.h"

namespace kiln {

class NoiseLook {
 public:
  NoiseLook(const PreparedFrame& frame, const RenderOptions& options, PictureBuffers& buffers,
            Device& device, LightStage& light, DevelopStage& develop)
      : frame_(frame),
        options_(options),
        buffers_(buffers),
        device_(device),
        light_(light),
        develop_(develop) {}

  /// Of sums [2][height, width, channels] of even and odd units, of which `units` are done. The
  /// histogram of the buffers is used up, and the light stage is that of a still with so many units.
  PictureNoise operator()(const std::vector<std::vector<std::uint64_t>>& halves,
                          std::uint64_t units);
  /// What all looks took, and how many they were.
  double seconds() const { return seconds_; }
  int count() const { return count_; }
  /// The light stage for a picture of so many units.
  void take(std::uint64_t units, double more = 1);

 private:
  Image picture(const std::vector<std::uint64_t>& sums, std::uint64_t units, double more);

  const PreparedFrame& frame_;
  const RenderOptions& options_;
  PictureBuffers& buffers_;
  Device& device_;
  LightStage& light_;
  DevelopStage& develop_;
  double seconds_ = 0;
  int count_ = 0;
};

}  // namespace kiln
