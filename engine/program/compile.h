// From the model to what the kernels read: xforms with their non-zero variations, cumulative
// shares, integer palettes, the camera.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/device/device.h"
#include "engine/model/flame.h"
#include "kernels/accumulate.h"
#include "kernels/program.h"

namespace kiln {

/// The supersampled buffer that the chaos game plots into.
struct PlotArea {
  int supersample = 1;
  int gutter = 0;             // buffer pixels on each side
  int width = 0, height = 0;  // supersample * picture + 2 * gutter
};

/// A flame ready for a device, still in host memory.
struct CompiledFlame {
  std::vector<XformData> xforms;
  std::vector<VariationTerm> terms;
  std::vector<float> parameters;
  std::vector<std::uint32_t> cumulative;
  std::vector<Increment> palette;   // [rows][256]
  std::vector<std::uint32_t> hits;  // [rows]
  Program program;                  // pointers unset
  PaletteTable table;               // pointers unset
  double unit = 1;  // one count of the histogram is this much of flam3's bucket (a power of two)
  std::uint64_t sample_count = 0;         // recorded samples of one pass
  std::uint32_t largest_increment = 255;  // what one sample can add to one channel, in units
  double pixel_pitch = 0;                 // flame units per buffer pixel
  bool beyond_float = false;              // the pixel pitch is below what float coordinates resolve
};

/// Throws Error (input) where the flame cannot be iterated: no weight at all, a xaos row without a
/// way on.
CompiledFlame compile(const Flame& flame, const PlotArea& area);

/// The compiled flame in device memory.
class LoadedFlame {
 public:
  LoadedFlame(Device& device, const CompiledFlame& flame);
  const Program& program() const { return program_; }
  const PaletteTable& table() const { return table_; }

 private:
  DeviceArray<XformData> xforms_;
  DeviceArray<VariationTerm> terms_;
  DeviceArray<float> parameters_;
  DeviceArray<std::uint32_t> cumulative_, hits_;
  DeviceArray<Increment> palette_;
  Program program_;
  PaletteTable table_;
};

/// The permutations of the pool: [permutation_count][permutation_stride], from the Mersenne Twister
/// (kernels/pool.h).
std::vector<std::uint16_t> make_permutations();

}  // namespace kiln
