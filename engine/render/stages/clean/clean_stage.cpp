// SPDX-License-Identifier: MIT
#include "engine/render/stages/clean/clean_stage.h"

#include "engine/model/exact_math.h"
#include "engine/render/stages/stages.h"

namespace kiln {
namespace {

CleanPlanes planes_of(const BufferGeometry& buffer) {
  return {nullptr, buffer.width, buffer.height};
}
std::uint64_t values_of(const CleanPlanes& planes) {
  return std::uint64_t(planes.cells()) * CleanPlanes::count;
}
std::uint64_t bytes_of_planes(const OutputPlan& plan) {
  return values_of(planes_of(plan.geometry)) * sizeof(float);
}
std::size_t buckets_of(const OutputPlan& plan) {
  return std::size_t(plan.geometry.width) * std::size_t(plan.geometry.height);
}

/// `hit`: what an independent one adds to the sums.
void fill(Device& device, const Buckets& histogram, double hit, const CleanPlanes& planes) {
  TakeCounts take{histogram, float(1 / hit), planes};
  take.histogram.unit = 1;
  device.launch(take, take.block_count());
  const SumPatches sum{planes};
  device.launch(sum, sum.block_count());
}

void set_nearness(CleanSums& clean) {
  for (int square = 0; square <= CleanPlanes::window * CleanPlanes::window; ++square)
    clean.nearness[square] = float(exact::exp(-square / 20.0));
}

}  // namespace

CleanStage::CleanStage(Device& device, const OutputPlan& plan, double unit, double clumps)
    : device_(device),
      share_(plan.clean),
      unit_(unit),
      clumps_(clumps),
      planes_(planes_of(plan.geometry)),
      room_(device, std::size_t(values_of(planes_))),
      cleaned_(device, buckets_of(plan)) {
  planes_.values = room_.data();
}

void CleanStage::run(const Buckets& histogram, const LogCurve& curve, Vec4* light, bool accumulate,
                     const HearStage& hear) {
  if (hear) hear(RenderStage::gather, 0);
  const double hit = 255 * clumps_ / unit_;  // what an independent one adds to the sums
  fill(device_, histogram, hit, planes_);
  const float scale = float(hit * double(histogram.unit));
  CleanSums clean{planes_, histogram, scale};
  set_nearness(clean);
  clean.cleaned = cleaned_.data();
  device_.launch(clean, clean.block_count());
  const LineLight lines{planes_, clean.cleaned, curve, scale, float(share_), light, accumulate};
  device_.launch(lines, lines.block_count());
}

CleanWindow::CleanWindow(Device& device, const OutputPlan& plan)
    : device_(device),
      planes_(planes_of(plan.geometry)),
      room_(device, std::size_t(slots * values_of(planes_))),
      cleaned_(device, buckets_of(plan)) {
  planes_.values = room_.data();
}

bool CleanWindow::holds(const OutputPlan& plan) const {
  return plan.geometry.width == planes_.width && plan.geometry.height == planes_.height;
}

bool CleanWindow::are_alike(const OutputPlan& a, const OutputPlan& b) {
  constexpr float most = 1.25f;
  const float more = b.log_curve.k2 / a.log_curve.k2;
  const BufferGeometry &p = a.geometry, &q = b.geometry;
  return p.width == q.width && p.height == q.height && p.gutter == q.gutter &&
         p.supersample == q.supersample && more < most && more * most > 1;
}

void CleanWindow::take(int slot, const Buckets& histogram, double unit, double clumps,
                       const LogCurve& curve) {
  CleanPlanes planes = planes_;
  planes.values += slot * std::int64_t(values_of(planes));
  const double hit = 255 * clumps / unit;
  fill(device_, histogram, hit, planes);
  scales_[std::size_t(slot)] = {hit * double(histogram.unit), curve};
}

void CleanWindow::run(int own, const std::vector<int>& others, const OutputPlan& plan,
                      Vec4* light) {
  const Scale& scale = scales_[std::size_t(own)];
  CleanPlanes planes = planes_;
  planes.values += own * std::int64_t(values_of(planes));
  CleanSums clean{planes, {}, float(scale.hit)};
  set_nearness(clean);
  clean.cleaned = cleaned_.data();
  for (const int other : others) {
    // where the one has twice the samples of the other, each counts half as much
    const Scale& its = scales_[std::size_t(other)];
    const double gain = its.hit * double(its.curve.k2) / (scale.hit * double(scale.curve.k2));
    clean.others[clean.other_count++] = {(other - own) * std::int64_t(values_of(planes)),
                                         float(gain)};
  }
  device_.launch(clean, clean.block_count());
  const LineLight lines{planes,           clean.cleaned,     scale.curve,
                        float(scale.hit), float(plan.clean), light};
  device_.launch(lines, lines.block_count());
}

constinit const PictureStage stages::clean = {
    .name = "clean",
    .kernel = kernel_id<CleanSums>,
    .is_wanted = [](const Flame& flame) { return flame.is_cleaned(); },
    .is_in = [](const OutputPlan& plan) { return plan.clean > 0; },
    .plan = [](const Flame& flame, const OutputSettings&,
               OutputPlan& plan) { plan.clean = flame.clean; },
    .reach = [](const OutputPlan&) { return CleanPlanes::margin + LineLight::margin; },
    .bytes = [](const PlannedPicture& picture) -> StageBytes {
      return {bytes_of_planes(picture.plan) + buckets_of(picture.plan) * sizeof(Vec4)};
    },
    .seconds =
        [](const StageWork& work, StageSeconds& seconds) {
          const double buckets = double(work.plan.geometry.width) * work.plan.geometry.height;
          seconds[std::size_t(RenderStage::select)] += buckets * 4e-9;
          seconds[std::size_t(RenderStage::gather)] += buckets * 405e-9;
        },
    .light = [](const LightSource& source) -> std::unique_ptr<LightMaker> {
      return std::make_unique<CleanStage>(source.device, source.plan, source.unit, source.clumps);
    },
    .needs_game = true,
    .window = {.make = [](Device& device, const OutputPlan& plan) -> std::unique_ptr<FrameWindow> {
                 return std::make_unique<CleanWindow>(device, plan);
               },
               .are_alike = CleanWindow::are_alike,
               .more_bytes =
                   [](const OutputPlan& plan) {
                     return (FrameWindow::slots - 1) * bytes_of_planes(plan);
                   },
               .why_whole =
                   "a film's frames are cleaned with two before and two after them, which are "
                   "never made in stripes; without --clean they can be"},
    .leave_out = [](Flame& flame) { flame.clean = 0; },
    // 0.33 to 0.5 of ten flames (docs/measurements/cleaning.md)
    .noise = {.blurs = true, .has_bias = true, .small_fall = 0.4},
    .hash = &StageHashes::light,
};

}  // namespace kiln
