// SPDX-License-Identifier: MIT
// The stages after the histogram, each on its own, give the same bits with every instruction set
// and on a GPU. Each stage gets the output of the first device's stage before it, so that a failure
// names the stage that differs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <type_traits>

#include "engine/render/stages/background/background_stage.h"
#include "engine/render/stages/clean/clean_stage.h"
#include "engine/render/stages/curves/curves_stage.h"
#include "engine/render/stages/filter/filter_stage.h"
#include "engine/render/stages/output_plan.h"
#include "kernels/curves.h"
#include "kernels/density.h"
#include "kernels/tonemap.h"
#include "tests/devices.h"
#include "tests/kernels/output_reference.h"

namespace kiln::test {
namespace {

using namespace kiln::testing;

template <class T>
std::string bits_differ(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return fmt::format("{} and {} elements", a.size(), b.size());
  std::size_t count = 0, first = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto *p = reinterpret_cast<const char*>(&a[i]), *q = reinterpret_cast<const char*>(&b[i]);
    if (!std::equal(p, p + sizeof(T), q) && count++ == 0) first = i;
  }
  return count ? fmt::format("{} of {} elements, the first is number {}", count, a.size(), first)
               : "";
}

/// Runs a kernel on each device with its own copy of the inputs, compares the outputs with the
/// first device's, and gives those back.
class Stages {
 public:
  Stages() : devices_(open_every_arithmetic()) {}

  /// run(device) returns the output of one device.
  template <class T>
  std::vector<T> same(const char* stage, const std::function<std::vector<T>(Device&)>& run) const {
    const std::vector<T> first = run(*devices_[0]);
    for (std::size_t i = 1; i < devices_.size(); ++i) {
      EXPECT_EQ(bits_differ(first, run(*devices_[i])), "")
          << stage << ": " << devices_[0]->describe() << " and " << devices_[i]->describe();
    }
    return first;
  }

 private:
  std::vector<std::unique_ptr<Device>> devices_;
};

BackgroundGradient several_colors(const OutputPlan& plan) {
  Flame flame;
  flame.background_type = BackgroundType::gradient_2x2_c;
  double tone = 0;
  for (const auto part : background_parts) flame.*part = {tone += 0.17, 1 - tone, tone / 3};
  return plan_gradient(flame, plan.width, plan.height).value();
}

CurveMix bent_curves() {
  ColorCurves curves;
  curves.curves = {{{{0, 0}, {0.3, 0.6}, {1, 1}}, {{0, 0.2}, {1, 0.9}}, {}, {{0, 1}, {1, 0}}}};
  return mix_of(curves);
}

AntialiasPlan jwildfires_moves() {
  Flame flame;
  flame.dialect = Dialect::jwildfire;
  flame.antialias_amount = 0.25;
  flame.antialias_radius = 0.5;
  flame.low_density_brightness = 0.24;
  return plan_antialias(flame);
}

FilterPlan jwildfires_filter() {
  Flame flame;
  flame.dialect = Dialect::jwildfire;
  flame.filter_kernel = FilterKernel::mitchell_smooth;
  flame.filter_radius_px = 0.75;
  return plan_filter(flame);
}

void compare_stages(const Stages& stages, Flame flame, int channels, unsigned seed,
                    bool transparent, bool earlyclip) {
  flame.vignette = 0.7;
  const OutputPlan plan = plan_output(flame, {transparent, earlyclip, 16});
  const TestHistogram h =
      random_histogram(plan.geometry.width, plan.geometry.height, channels, 1 / 256.0f, seed);
  const std::size_t buckets = std::size_t(h.width) * std::size_t(h.height);
  const auto view = [&](const DeviceArray<u64>& sums) {
    return Buckets{sums.data(), h.width, h.height, channels, h.unit};
  };

  std::vector<Vec4> light = stages.same<Vec4>("LogScale", [&](Device& device) {
    const DeviceArray<u64> sums(device, h.sums);
    const DeviceArray<Vec4> out(device, buckets);
    const LogScale kernel{view(sums), plan.log_curve, out.data(), 0};
    device.launch(kernel, kernel.block_count());
    return out.download();
  });

  stages.same<Vec4>("MovedLight", [&](Device& device) {
    const DeviceArray<u64> sums(device, h.sums);
    const AntialiasPlan moves = jwildfires_moves();
    const DeviceArray<float> shares(device, moves.shares);
    const DeviceArray<Vec4> out(device, buckets);
    const MovedLight kernel{view(sums),
                            plan.log_curve,
                            shares.data(),
                            moves.radius,
                            float(moves.glow * plan.log_curve.k2),
                            float(moves.samples),
                            out.data(),
                            0};
    device.launch(kernel, kernel.block_count());
    return out.download();
  });

  if (plan.clean > 0) {
    light = stages.same<Vec4>("Clean", [&](Device& device) {
      const DeviceArray<u64> sums(device, h.sums);
      const DeviceArray<Vec4> out(device, light);
      CleanStage(device, plan, double(h.unit), 1.3)
          .run(view(sums), plan.log_curve, out.data(), true);
      return out.download();
    });
  }
  if (plan.density.active()) {
    const DensityGrid& grid = plan.density_grid;
    const std::size_t sources = std::size_t(source_count(grid)),
                      cells = std::size_t(cell_count(grid));
    const auto thresholds = density_thresholds(plan.density, h.unit);
    std::vector<u16> widths, cell_widths;
    std::vector<Vec4> scaled;
    const auto select = [&](Device& device, int which, auto& out) {
      const DeviceArray<u64> sums(device, h.sums), limits(device, thresholds);
      const DeviceArray<DensityKernel> kernels(device, plan.density.kernels);
      const DeviceArray<float> coefficients(device, plan.density.coefficients);
      const DeviceArray<Vec4> s(device, sources);
      const DeviceArray<u16> w(device, sources), c(device, cells);
      const SelectWidth kernel{
          view(sums),
          grid,
          {limits.data(), kernels.data(), coefficients.data(), plan.density.last},
          plan.log_curve,
          plan.geometry.supersample,
          s.data(),
          w.data(),
          c.data()};
      device.launch(kernel, kernel.block_count());
      if constexpr (std::is_same_v<std::decay_t<decltype(out)>, std::vector<Vec4>>) {
        out = s.download();
      } else {
        out = which == 0 ? w.download() : c.download();
      }
    };
    scaled = stages.same<Vec4>("SelectWidth, light", [&](Device& device) {
      std::vector<Vec4> out;
      select(device, 0, out);
      return out;
    });
    for (int which : {0, 1}) {
      (which == 0 ? widths : cell_widths) = stages.same<u16>(
          which == 0 ? "SelectWidth, widths" : "SelectWidth, cells", [&](Device& device) {
            std::vector<u16> out;
            select(device, which, out);
            return out;
          });
    }
    light = stages.same<Vec4>("GatherDensity", [&](Device& device) {
      const DeviceArray<u64> limits(device, thresholds);
      const DeviceArray<DensityKernel> kernels(device, plan.density.kernels);
      const DeviceArray<float> coefficients(device, plan.density.coefficients);
      const DeviceArray<Vec4> s(device, scaled), out(device, light);
      const DeviceArray<u16> w(device, widths), c(device, cell_widths);
      const GatherDensity kernel{
          grid,     {limits.data(), kernels.data(), coefficients.data(), plan.density.last},
          s.data(), w.data(),
          c.data(), out.data(),
          1};
      device.launch(kernel, kernel.block_count());
      return out.download();
    });
  }

  const auto tone_mapped = [&](const std::vector<Vec4>& from) {
    return stages.same<Vec4>("ToneMap", [&](Device& device) {
      const DeviceArray<Vec4> buffer(device, from);
      const ToneMap kernel{buffer.data(), buffer.data(), i64(from.size()), plan.tone};
      device.launch(kernel, kernel.block_count());
      return buffer.download();
    });
  };
  if (earlyclip) light = tone_mapped(light);
  const std::vector<Vec4> rows = stages.same<Vec4>("SpatialFilter, rows", [&](Device& device) {
    const DeviceArray<Vec4> from(device, light);
    const DeviceArray<float> taps(device, plan.filter.x);
    const DeviceArray<Vec4> out(device, std::size_t(plan.filter_rows()) * std::size_t(plan.width));
    const SpatialFilter kernel = filter_rows(plan, from.data(), taps.data(), out.data());
    device.launch(kernel, kernel.block_count());
    return out.download();
  });
  std::vector<Vec4> picture = stages.same<Vec4>("SpatialFilter, columns", [&](Device& device) {
    const DeviceArray<Vec4> from(device, rows);
    const DeviceArray<float> taps(device, plan.filter.y);
    const DeviceArray<Vec4> out(device, std::size_t(plan.width) * std::size_t(plan.height));
    const SpatialFilter kernel = filter_columns(plan, from.data(), taps.data(), out.data());
    device.launch(kernel, kernel.block_count());
    return out.download();
  });
  OutputPlan own = plan;
  own.filter = jwildfires_filter();
  stages.same<Vec4>("TableFilter", [&](Device& device) {
    const DeviceArray<Vec4> from(device, light);
    const DeviceArray<float> table(device, own.filter.table);
    DeviceArray<Vec4> out(device, std::size_t(plan.width) * std::size_t(plan.height));
    TableFilter kernel = filter_table(own, from.data(), table.data(), out.data());
    kernel.height = std::max(0, plan.height - own.filter.size);  // of the rows that this buffer has
    kernel.width = std::max(0, plan.width - own.filter.size);
    out.clear();
    if (kernel.block_count() > 0) device.launch(kernel, kernel.block_count());
    return out.download();
  });
  stages.same<Vec4>("DimCorners", [&](Device& device) {
    const DeviceArray<Vec4> buffer(device, picture);
    const DimCorners kernel{buffer.data(), plan.width, plan.height, plan.vignette};
    device.launch(kernel, kernel.block_count());
    return buffer.download();
  });
  if (!earlyclip) picture = tone_mapped(picture);
  picture = stages.same<Vec4>("AddBackground", [&](Device& device) {
    const DeviceArray<Vec4> buffer(device, picture);
    const AddBackground kernel{buffer.data(), plan.width, plan.height, several_colors(plan)};
    device.launch(kernel, kernel.block_count());
    return buffer.download();
  });
  picture = stages.same<Vec4>("ApplyCurves", [&](Device& device) {
    const DeviceArray<Vec4> buffer(device, picture);
    const DeviceArray<float> tables(device, plan_curves(bent_curves()));
    const ApplyCurves kernel{buffer.data(), tables.data(), i64(picture.size())};
    device.launch(kernel, kernel.block_count());
    return buffer.download();
  });
  const std::vector<u16> packed = stages.same<u16>("Pack16", [&](Device& device) {
    const DeviceArray<Vec4> from(device, picture);
    const DeviceArray<u16> out(device, picture.size() * 4);
    const Pack16 kernel{from.data(), out.data(), i64(picture.size()), plan.transparent};
    device.launch(kernel, kernel.block_count());
    return out.download();
  });
  stages.same<u16>("Saturate16", [&](Device& device) {
    const DeviceArray<u16> pixels(device, packed);
    const Saturate16 kernel{pixels.data(), i64(picture.size()), {0.3f}};
    device.launch(kernel, kernel.block_count());
    return pixels.download();
  });
  stages.same<u8>("Saturate8", [&](Device& device) {
    const DeviceArray<Vec4> from(device, picture);
    const DeviceArray<u8> pixels(device, picture.size() * 4);
    const Pack8 pack{from.data(), pixels.data(), i64(picture.size()), plan.transparent};
    device.launch(pack, pack.block_count());
    const Saturate8 kernel{pixels.data(), i64(picture.size()), {-0.4f}};
    device.launch(kernel, kernel.block_count());
    return pixels.download();
  });
  const std::vector<u16> turned(packed.rbegin(), packed.rend());
  stages.same<NoiseSums>("MeasureNoise", [&](Device& device) {
    const DeviceArray<u16> whole(device, packed), half(device, turned);
    MeasureNoise kernel{half.data(), half.data() + 4, whole.data() + 4,
                        plan.width,  plan.width - 1,  plan.height};
    const DeviceArray<NoiseSums> out(device, std::size_t(kernel.block_count()));
    kernel.sums = out.data();
    kernel.bias = MeasureNoise::bias_of_cleaning;
    device.launch(kernel, kernel.block_count());
    return out.download();
  });
}

TEST(OutputParity, every_stage_gives_the_same_bits_on_every_device) {
  const Stages stages;
  Flame flame;
  flame.width = 83;
  flame.height = 59;
  flame.quality = 20;
  {
    SCOPED_TRACE("no density estimation");
    flame.estimator_radius = 0;
    flame.vibrancy = 0.6;
    compare_stages(stages, flame, 4, 1, false, false);
  }
  {
    SCOPED_TRACE("density estimation");
    flame.estimator_radius = 9;
    flame.highlight_power = 0.7;
    compare_stages(stages, flame, 4, 2, false, false);
  }
  {
    SCOPED_TRACE("wide, with a minimum");
    flame.estimator_radius = 20;
    flame.estimator_minimum = 2;
    compare_stages(stages, flame, 5, 3, true, false);
  }
  {
    SCOPED_TRACE("cleaned");
    flame.clean = 0.7;
    compare_stages(stages, flame, 4, 5, false, false);
    compare_stages(stages, flame, 5, 6, false, false);
    flame.clean = 0;
  }
  {
    SCOPED_TRACE("supersample 3, earlyclip, a filter with negative lobes");
    flame.estimator_radius = 5;
    flame.estimator_minimum = 0;
    flame.supersample = 3;
    flame.filter_shape = FilterShape::lanczos2;
    flame.filter_radius_px = 1.4;
    compare_stages(stages, flame, 4, 4, false, true);
  }
}

}  // namespace
}  // namespace kiln::test
