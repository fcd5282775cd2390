// SPDX-License-Identifier: MIT
// The compiled flame on a device.
#pragma once

#include <cstdint>

#include "engine/base/error.h"
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
  DeviceArray<SteeringTable> steering_;
  DeviceArray<SymmetryElement> symmetry_;
  DeviceArray<Affine> cameras_;
  DeviceArray<DepthView> views_;
  DeviceArray<FineXform> fine_xforms_;
  DeviceArray<FineTerm> fine_terms_;
  DeviceArray<FineCamera> fine_cameras_;
  DeviceArray<std::uint64_t> time_sample_ends_;
  DeviceArray<Increment> palette_;
  Program program_;
  PaletteTable table_;
};

inline LoadedFlame::LoadedFlame(Device& device, const CompiledFlame& flame)
    : xforms_(device, flame.xforms),
      terms_(device, flame.terms),
      parameters_(device, flame.parameters),
      cumulative_(device, flame.cumulative),
      hits_(device, flame.hits),
      steering_(device, flame.steering),
      symmetry_(device, flame.symmetry),
      cameras_(device, flame.cameras),
      views_(device, flame.views),
      fine_xforms_(device, flame.fine_xforms),
      fine_terms_(device, flame.fine_terms),
      fine_cameras_(device, flame.fine_cameras),
      palette_(device, flame.palette),
      program_(flame.program),
      table_(flame.table) {
  if (!flame.time_sample_ends.empty())
    time_sample_ends_ = DeviceArray<std::uint64_t>(device, flame.time_sample_ends);
  program_.xforms = xforms_.data();
  program_.terms = terms_.data();
  program_.parameters = parameters_.data();
  program_.cumulative = cumulative_.data();
  program_.steering = flame.steering.empty() ? nullptr : steering_.data();
  program_.symmetry = symmetry_.data();
  program_.cameras = cameras_.data();
  program_.views = flame.views.empty() ? nullptr : views_.data();
  if (flame.program.fine) {
    KILN_CHECK(flame.fine_xforms.size() == flame.xforms.size() &&
                   flame.fine_cameras.size() == flame.cameras.size(),
               "{} xforms, {} fine ones", flame.xforms.size(), flame.fine_xforms.size());
    program_.fine_xforms = fine_xforms_.data();
    program_.fine_terms = fine_terms_.data();
    program_.fine_cameras = fine_cameras_.data();
  }
  table_.entries = palette_.data();
  table_.hits = hits_.data();
}

}  // namespace kiln
