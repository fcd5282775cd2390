// The compiled flame on a device.
#pragma once

#include <cstdint>

#include "engine/device/device.h"
#include "engine/program/compiled_flame.h"

namespace kiln {

class LoadedFlame {
 public:
  LoadedFlame(Device& device, const CompiledFlame& flame);
  const Program& program() const { return program_; }
  const PaletteTable& table() const { return table_; }
  /// CompiledFlame::time_sample_ends in device memory; null: equal shares.
  const std::uint64_t* time_sample_ends() const { return time_sample_ends_.data(); }

 private:
  DeviceArray<XformData> xforms_;
  DeviceArray<VariationTerm> terms_;
  DeviceArray<float> parameters_;
  DeviceArray<std::uint32_t> cumulative_, hits_;
  DeviceArray<SymmetryElement> symmetry_;
  DeviceArray<Affine> cameras_;
  DeviceArray<DepthView> views_;
  DeviceArray<std::uint64_t> time_sample_ends_;
  DeviceArray<Increment> palette_;
  Program program_;
  PaletteTable table_;
};

}  // namespace kiln
