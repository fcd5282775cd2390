#include "engine/render/stages/clean/clean_stage.h"

#include "engine/model/exact_math.h"
#include "engine/render/accumulate/chaos_game.h"

namespace kiln {
namespace {

constexpr std::uint32_t probe_samples = 1 << 18;  // a unit: 0.3 % of error

CleanPlanes planes_of(const BufferGeometry& buffer) {
  return {nullptr, buffer.width, buffer.height};
}
std::uint64_t values_of(const CleanPlanes& planes) {
  return std::uint64_t(planes.cells()) * CleanPlanes::count;
}

/// `hit`: what an independent one adds to the sums.
void fill(Device& device, const Buckets& histogram, double hit, const CleanPlanes& planes) {
  TakeCounts take{histogram, float(1 / hit), planes};
  take.histogram.unit = 1;
  device.launch(take, take.block_count());
  const SumPatches sum{planes};
  device.launch(sum, sum.block_count());
}

void set_nearness(CleanLight& clean) {
  for (int square = 0; square <= CleanPlanes::window * CleanPlanes::window; ++square)
    clean.nearness[square] = float(exact::exp(-square / 20.0));
}

}  // namespace

ClumpSums& ClumpSums::operator+=(const ClumpSums& more) {
  squares += more.squares;
  hits += more.hits;
  return *this;
}

double ClumpSums::factor() const {
  constexpr double usual =
      16 * double(MeasureClumps::one);  // hits by themselves, where few are seen
  return (double(squares) + usual) / (double(hits) + usual);
}

ClumpSums measure_clumps(Device& device, const PreparedFrame& frame, const RenderOptions& options,
                         const std::uint16_t* permutations, PictureBuffers& buffers) {
  CompiledFlame flame = frame.compiled;
  // Units of one game have parts of its time: what moves would be another picture in each, and count
  // as clumps. So in motion both are games of their own, as long as the frame.
  const bool moves = flame.program.time_sample_count > 1;
  flame.sample_count = (moves ? 1 : 2) * probe_samples;
  flame.passes = 1;
  flame.time_sample_ends.clear();
  Accumulator game(device, flame, options.max_memory_bytes, permutations, probe_samples);
  const auto begin = [&](std::uint32_t number) {
    game.number(number);
    game.begin(options.seed, 0, flam3_fuse(options));
  };
  begin(frame.number);

  const BufferGeometry& buffer = frame.plan.geometry;
  const float a_hit = float(flame.unit / 255);
  const Buckets histogram{buffers.histogram.data(), buffer.width, buffer.height,
                          flame.table.opaque ? 4 : 5, 1};
  DeviceArray<std::uint64_t> totals(device, 2);
  buffers.histogram.clear();
  totals.clear();
  GameTotals ignored;
  game.launch({0, 1}, buffers.histogram.data(), ignored, [] {});
  const KeepHits keep{histogram, a_hit, buffers.light.data()};
  device.launch(keep, keep.block_count());
  if (moves) begin(~frame.number);  // no frame has it
  const std::uint64_t second = moves ? 0 : 1;
  game.launch({second, second + 1}, buffers.histogram.data(), ignored, [] {});
  MeasureClumps measure{histogram, a_hit, buffers.light.data()};
  measure.left = buffer.gutter;
  measure.top = buffer.gutter + buffer.rows_above;
  measure.columns = buffer.supersample * frame.plan.width;
  measure.rows = buffer.supersample * frame.plan.height;
  measure.totals = totals.data();
  device.launch(measure, measure.block_count());
  const std::vector<std::uint64_t> sums = totals.download();
  return {sums[0], sums[1]};
}

CleanStage::CleanStage(Device& device, const OutputPlan& plan, double unit, double clumps)
    : device_(device),
      share_(plan.clean),
      unit_(unit),
      clumps_(clumps),
      planes_(planes_of(plan.geometry)),
      room_(device, std::size_t(values_of(planes_))) {
  planes_.values = room_.data();
}

std::uint64_t CleanStage::bytes(const OutputPlan& plan) {
  return plan.clean > 0 ? values_of(planes_of(plan.geometry)) * sizeof(float) : 0;
}

void CleanStage::run(const Buckets& histogram, const LogCurve& curve, Vec4* light,
                     bool accumulate) {
  const double hit = 255 * clumps_ / unit_;  // what an independent one adds to the sums
  fill(device_, histogram, hit, planes_);
  CleanLight clean{planes_, histogram, curve};
  clean.scale = float(hit * double(histogram.unit));
  clean.share = float(share_);
  set_nearness(clean);
  clean.light = light;
  clean.accumulate = accumulate;
  device_.launch(clean, clean.block_count());
}

CleanWindow::CleanWindow(Device& device, const OutputPlan& plan)
    : device_(device),
      planes_(planes_of(plan.geometry)),
      room_(device, std::size_t(places * values_of(planes_))) {
  planes_.values = room_.data();
}

std::uint64_t CleanWindow::bytes(const OutputPlan& plan) {
  return places * values_of(planes_of(plan.geometry)) * sizeof(float);
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

void CleanWindow::take(int place, const Buckets& histogram, double unit, double clumps,
                       const LogCurve& curve) {
  CleanPlanes planes = planes_;
  planes.values += place * std::int64_t(values_of(planes));
  const double hit = 255 * clumps / unit;
  fill(device_, histogram, hit, planes);
  scales_[std::size_t(place)] = {hit * double(histogram.unit), curve};
}

void CleanWindow::run(int own, const std::vector<int>& others, double share, Vec4* light) {
  const Scale& scale = scales_[std::size_t(own)];
  CleanPlanes planes = planes_;
  planes.values += own * std::int64_t(values_of(planes));
  CleanLight clean{planes, {}, scale.curve};
  clean.scale = float(scale.hit);
  clean.share = float(share);
  set_nearness(clean);
  clean.light = light;
  for (const int other : others) {
    // where the one has twice the samples of the other, each counts half as much
    const Scale& its = scales_[std::size_t(other)];
    const double gain = its.hit * double(its.curve.k2) / (scale.hit * double(scale.curve.k2));
    clean.others[clean.other_count++] = {(other - own) * std::int64_t(values_of(planes)),
                                         float(gain)};
  }
  device_.launch(clean, clean.block_count());
}

}  // namespace kiln
