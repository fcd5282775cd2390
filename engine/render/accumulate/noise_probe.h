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

// When a still is looked at whose noise decides how many samples it gets. Probes come after units of
// work that are the same for everybody, and say the same on every device, so the picture does not
// show where or by how many threads it was rendered, nor whether it was stopped in between.
//
// A probe costs three pictures without their samples, so few are made: the first at quality 8, then,
// as noise falls by the root of the samples, where the last probe promises enough; but not more than
// eight times as far, and while that is far not the whole way, since noise of few samples follows
// no law. Units are even, so that both halves have as many, and of the form 2 m 2^e with m from 16
// to 31, so that two ways to one picture end at the same number: noise comes out at most 3 % lower
// than it had to.

/// The first number of units, from `units` on, at which there may be a probe.
std::uint64_t probe_from(std::uint64_t units);

/// The first probe of a picture of so many pixels of which `units` are done.
std::uint64_t first_probe(std::uint64_t pixels, std::uint64_t units);

/// Whether the picture is surely (97.5 %) no further from its limit than `goal`.
bool is_enough(const PictureNoise& noise, double goal);

/// Units that it takes to get from `noise` after `units` of them to the goal.
double units_for(std::uint64_t units, const PictureNoise& noise, double goal);

/// By which power of the samples noise falls, as two probes tell: by the root at most, by less where
/// density estimation or cleaning spreads light less the more of it there is.
double fall_of(std::uint64_t units_before, const PictureNoise& before, std::uint64_t units,
               const PictureNoise& noise);

/// What bars expect, where noise falls by that power: units at the goal, and of so many pixels
/// before any probe, about (what flames usually take).
double expected_units(std::uint64_t units, const PictureNoise& noise, double goal, double fall);
double usual_units(std::uint64_t pixels, double goal);

/// How many probes are to come from the one at `next` on, as far as a probe after `units` tells.
int probes_to_come(std::uint64_t next, std::uint64_t units, const PictureNoise& noise, double goal,
                   double fall);

/// The number of units to probe at next, after a probe at `units` that found too much noise.
std::uint64_t next_probe(std::uint64_t units, const PictureNoise& noise, double goal);

/// The probes of one still.
class ProbeSchedule {
 public:
  /// `goal` 0: it is never probed. `blurs`: density estimation spreads its light far.
  ProbeSchedule(double goal, std::uint64_t pixels, bool blurs)
      : goal_(goal), pixels_(pixels), fall_(blurs ? 0.25 : 0.5) {}

  /// The units after which to probe next, even where they are more than the picture's; 0: nobody
  /// knows yet. A state has it.
  std::uint64_t next() const { return next_; }
  void next(std::uint64_t units) { next_ = units; }
  /// Units from `first` on are to be played.
  void begin(std::uint64_t first);
  /// Whether the noise of so many units is enough; where not, there will be a next probe.
  bool judge(std::uint64_t units, const PictureNoise& noise);
  /// What bars expect: units at the goal, and probes to come.
  double expected_units() const { return expected_; }
  int probes_to_come() const;

 private:
  double goal_;
  std::uint64_t pixels_, next_ = 0;
  double fall_, expected_ = 0;
  std::uint64_t units_ = 0;  // at the last probe; 0: there was none
  PictureNoise noise_;
};

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
  /// What that is of the device's, for sums of so many bytes.
  static std::uint64_t bytes(const OutputPlan& plan, std::uint64_t sums_bytes);
  /// Measures the noise of sums in halves, which stay. The light of the buffers is used up.
  PictureNoise operator()(Accumulation& sums);
  /// What all probes took, and how many they were.
  double seconds() const { return seconds_; }
  int count() const { return count_; }
  /// The light stage is that of a still with so many units from now on.
  void set_light(std::uint64_t units);

 private:
  /// From sums that count `more` times to a packed picture.
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
