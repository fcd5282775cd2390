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
#include <functional>

#include "engine/base/resources.h"
#include "engine/measure/noise.h"
#include "engine/render/accumulate/accumulation.h"
#include "engine/render/plan/prepared_frame.h"
#include "kernels/log_scale.h"

namespace kiln {

/// Packed pictures on a device, [height, width, 4] of 16 bits.
struct HalvesAndWhole {
  const std::uint16_t *first, *second, *whole;
};

/// The noise of a picture that is so wide from pictures of two halves of its samples and of all,
/// each as bright as the whole, in a window of it.
PictureNoise measure_noise(Device& device, const HalvesAndWhole& pictures, int width,
                           const Window& window, bool is_cleaned = false);

/// A picture of a still amid its game that noise is measured of: of sums that stay, of 16 bits on
/// the flame's background, whatever the picture will be.
struct MeasuredWork {
  const std::uint64_t* sums = nullptr;        // laid out as the histogram
  LogCurve log_curve = {};                    // of a still with as many samples
  double more = 1;                            // times that each of the sums counts
  const DeviceArray<std::uint64_t>& scratch;  // as large as the histogram; used up
  std::uint16_t* packed = nullptr;            // [H, W, 4] on the device
};

/// The log scale of a still that has so many units.
LogCurve log_curve_of(Flame flame, std::uint64_t units);

class NoiseProbe {
 public:
  using Make = std::function<void(const MeasuredWork&)>;

  /// `make`: the renderer's way to such a picture of the frame.
  NoiseProbe(const PreparedFrame& frame, const RenderOptions& options, Device& device, Make make)
      : frame_(frame), options_(options), device_(device), make_(std::move(make)) {}

  /// Takes the memory of probes of sums in halves of so many values each.
  void make_room(std::size_t values);
  /// Device memory that make_room() takes, for sums of so many bytes.
  static std::uint64_t bytes(const OutputPlan& plan, std::uint64_t sums_bytes);
  /// Measures the noise of sums in halves, which stay.
  PictureNoise operator()(Accumulation& sums);
  /// The seconds that all probes took, and their number.
  double seconds() const { return seconds_; }
  int count() const { return count_; }

 private:
  const PreparedFrame& frame_;
  const RenderOptions& options_;
  Device& device_;
  const Make make_;
  DeviceArray<std::uint64_t> scratch_;  // [BH, BW, channels] the whole, then what developing takes
  DeviceArray<std::uint16_t> packed_;   // [2][H, W, 4] the whole and a half
  double seconds_ = 0;
  int count_ = 0;
};

}  // namespace kiln
