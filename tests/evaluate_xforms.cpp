// SPDX-License-Identifier: MIT
#include "tests/evaluate_xforms.h"

#include <cmath>
#include <string>

#include "engine/base/error.h"
#include "engine/program/compile.h"
#include "engine/render/plan/loaded_flame.h"
#include "tests/evaluate_kernel.h"

namespace kiln {
namespace test {

// KILN_CPU_ISA_LIST, from CMake: KILN_ISA_ENTRY(v2) KILN_ISA_ENTRY(v3) ...
#define KILN_ISA_ENTRY(isa) void evaluate_on_##isa(const GivenPoints& given);
KILN_CPU_ISA_LIST
#undef KILN_ISA_ENTRY

}  // namespace test

namespace {

/// With the instruction set that the device has.
void evaluate(const Device& device, const test::GivenPoints& given) {
  const std::string name = device.describe();
#if KILN_TEST_CUDA
  if (name.starts_with("cuda")) return test::evaluate_on_cuda(given);
#endif
#define KILN_ISA_ENTRY(isa) \
  if (name.find("-" #isa) != std::string::npos) return test::evaluate_on_##isa(given);
  KILN_CPU_ISA_LIST
#undef KILN_ISA_ENTRY
  KILN_CHECK(false, "no evaluation for {}", name);
}

}  // namespace

std::vector<std::vector<EvaluatedPoint>> evaluate_xforms(
    Device& device, const Flame& flame, const std::vector<std::vector<ExtendedPoint>>& points,
    const std::vector<std::vector<Random>>& generators) {
  KILN_CHECK(points.size() == flame.xforms.size() && !points.empty(), "{} lists for {} xforms",
             points.size(), flame.xforms.size());
  KILN_CHECK(generators.size() == points.size(), "{} lists of generators for {} of points",
             generators.size(), points.size());
  const std::size_t each = points[0].size();
  KILN_CHECK(each > 0 && each <= std::size_t(test::most_points), "{} points", each);
  std::vector<float> x, y, z, color;
  std::vector<std::uint32_t> random0, random1;
  for (std::size_t f = 0; f < points.size(); ++f) {
    KILN_CHECK(points[f].size() == each && generators[f].size() == each,
               "xform {} has {} points and {} generators, not {}", f, points[f].size(),
               generators[f].size(), each);
    for (std::size_t i = 0; i < each; ++i) {
      x.push_back(points[f][i].x);
      y.push_back(points[f][i].y);
      z.push_back(points[f][i].z);
      color.push_back(points[f][i].color);
      random0.push_back(generators[f][i].s0);
      random1.push_back(generators[f][i].s1);
    }
  }
  const CompiledFlame compiled = compile(flame, PlotArea{1, 0, 64, 64}, Symmetry::iterated);
  const LoadedFlame loaded(device, compiled);
  const DeviceArray<float> device_x(device, x), device_y(device, y), device_z(device, z),
      device_color(device, color);
  const DeviceArray<std::uint32_t> device_random0(device, random0), device_random1(device, random1);
  const Program program = loaded.program();
  evaluate(device,
           {&program, int(points.size()), int(each), device_x.data(), device_y.data(),
            device_z.data(), device_color.data(), device_random0.data(), device_random1.data()});
  x = device_x.download();
  y = device_y.download();
  z = device_z.download();
  color = device_color.download();
  std::vector<std::vector<EvaluatedPoint>> out(points.size(), std::vector<EvaluatedPoint>(each));
  for (std::size_t i = 0; i < x.size(); ++i) {
    // false for NaN
    const bool good = std::fabs(x[i]) <= bad_value && std::fabs(y[i]) <= bad_value;
    out[i / each][i % each] = {x[i], y[i], !good, z[i], color[i]};
  }
  return out;
}

std::vector<std::vector<EvaluatedPoint>> evaluate_xforms(
    Device& device, const Flame& flame, const std::vector<std::vector<Vec2>>& points,
    const std::vector<std::vector<Random>>& generators) {
  std::vector<std::vector<ExtendedPoint>> wide(points.size());
  for (std::size_t f = 0; f < points.size(); ++f)
    for (const Vec2& point : points[f]) wide[f].push_back({point.x, point.y});
  return evaluate_xforms(device, flame, wide, generators);
}

std::vector<std::vector<EvaluatedPoint>> evaluate_xforms(
    Device& device, const Flame& flame, const std::vector<std::vector<Vec2>>& points,
    std::uint64_t seed) {
  std::vector<std::vector<Random>> generators(points.size());
  for (std::size_t f = 0; f < points.size(); ++f) {
    for (std::size_t i = 0; i < points[f].size(); ++i) {
      generators[f].push_back(lane_random(seed, 0, std::uint32_t(f), std::uint32_t(i)));
    }
  }
  return evaluate_xforms(device, flame, points, generators);
}

}  // namespace kiln
