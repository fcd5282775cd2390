// SPDX-License-Identifier: MIT
// Looks at a still in mid-render: how noisy it would be if it ended now. Both halves of its sums and
// their sum become pictures by the same stages as the picture itself, of 16 bits on its
// background, whatever the picture will be; kernels/noise.h compares them on the device, which sums
// and pictures never leave.
//
// Costs three times everything after the chaos game, and memory for one more histogram and two
// packed pictures.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/measure/noise.h"
#include "engine/render/accumulate/accumulation.h"
#include "engine/render/develop/develop_stage.h"
#include "engine/render/light/light_stage.h"

namespace kiln {

/// Packed pictures on a device, [height, width, 4] of 16 bits.
struct HalvesAndWhole {
  const std::uint16_t *first, *second, *whole;
};

/// The noise of a picture that is so wide from pictures of two halves of its samples and of all,
/// each as bright as the whole, in a window of it.
PictureNoise measure_noise(Device& device, const HalvesAndWhole& pictures, int width,
                           const Window& window, bool is_cleaned = false);

class NoiseProbe {
 public:
  NoiseProbe(const PreparedFrame& frame, const RenderOptions& options,
             const PictureBuffers& buffers, Device& device, LightStage& light,
             DevelopStage& develop)
      : frame_(frame),
        options_(options),
        buffers_(buffers),
        device_(device),
        light_(light),
        develop_(develop) {}

  /// Takes the memory of probes of sums in halves of so many values each.
  void make_room(std::size_t values);
  /// Device memory that make_room() takes, for sums of so many bytes.
  static std::uint64_t bytes(const OutputPlan& plan, std::uint64_t sums_bytes);
  /// Measures the noise of sums in halves, which stay. The light of the buffers is used up.
  PictureNoise operator()(Accumulation& sums);
  /// The seconds that all probes took, and their number.
  double seconds() const { return seconds_; }
  int count() const { return count_; }
  /// The light stage is that of a still with so many units from now on.
  void set_light(std::uint64_t units);

 private:
  /// Makes a packed picture of sums, each of which counts `more` times.
  void develop(const std::uint64_t* sums, std::uint64_t units, double more, std::uint16_t* packed);

  const PreparedFrame& frame_;
  const RenderOptions& options_;
  const PictureBuffers& buffers_;
  Device& device_;
  LightStage& light_;
  DevelopStage& develop_;
  DeviceArray<std::uint64_t> scratch_;  // [BH, BW, channels] the whole, then what developing takes
  DeviceArray<std::uint16_t> packed_;   // [2][H, W, 4] the whole and a half
  double seconds_ = 0;
  int count_ = 0;
};

}  // namespace kiln
