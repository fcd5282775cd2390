// SPDX-License-Identifier: MIT
#include "engine/render/stages/density/density_stage.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/base/error.h"
#include "engine/fft/jobs.h"
#include "engine/model/exact_math.h"
#include "engine/render/stages/density/density_load.h"
#include "engine/render/stages/stages.h"

namespace kiln {

DensityStage::DensityStage(Device& device, const OutputPlan& plan, double unit, FarPlan far)
    : device_(device), plan_(plan), far_(std::move(far)), unit_(unit) {
  products_a_bucket = far_.worth_products();
  const std::size_t sources = std::size_t(source_count(plan.density_grid)),
                    cells = std::size_t(cell_count(plan.density_grid));
  thresholds_ = DeviceArray<std::uint64_t>(device, density_thresholds(plan.density, unit));
  std::vector<DensityKernel> kernels = plan.density.kernels;
  // GatherDensity asks for the reach of the first near width: there may be none
  kernels.push_back({0, 0});
  kernels_ = DeviceArray<DensityKernel>(device, kernels);
  coefficients_ = DeviceArray<float>(device, plan.density.coefficients);
  scaled_ = DeviceArray<Vec4>(device, sources);
  widths_ = DeviceArray<std::uint16_t>(device, sources);
  cell_widths_ = DeviceArray<std::uint16_t>(device, cells);
  if (!far_.active()) return;
  cell_near_ = DeviceArray<std::uint16_t>(device, cells);
  cell_far_ = DeviceArray<std::uint16_t>(device, cells);
  totals_ = DeviceArray<std::uint64_t>(device, 4);
}

void DensityStage::set(double unit) {
  if (far_.active()) far_.trusted = trusted_light(plan_, far_.split, unit, far_.exact);
  if (unit == unit_) return;
  unit_ = unit;
  const std::vector<std::uint64_t> thresholds = density_thresholds(plan_.density, unit);
  device_.upload(thresholds_.data(), thresholds.data(), thresholds.size() * sizeof thresholds[0]);
}

std::uint64_t DensityStage::bytes(const OutputPlan& plan, const FarPlan& far) {
  if (!plan.density.active()) return 0;
  const DensityGrid grid = density_grid(plan.density, plan.geometry.width,
                                        plan.largest_band().height, plan.hidden_buckets());
  const std::uint64_t cells = std::uint64_t(cell_count(grid));
  std::uint64_t bytes = std::uint64_t(source_count(grid)) * (sizeof(Vec4) + 2) + cells * 2 +
                        plan.density.coefficients.size() * sizeof(float);
  if (far.active()) bytes += cells * 5 + far.bytes();
  return bytes;
}

/// True if summing the far sources of this pass directly takes more than the transforms are worth.
bool DensityStage::worth_transforms() {
  std::uint64_t products = 0;
  device_.download(&products, totals_.data(), sizeof products);
  const std::uint64_t buckets =
      std::uint64_t(plan_.geometry.width) * std::uint64_t(plan_.geometry.height);
  return products > products_a_bucket * buckets;
}

void DensityStage::add_far(const DensityGrid& grid, Vec4* far, const HearStage& hear) {
  if (!field_) {
    field_ = std::make_unique<FarField>(device_, far_);
    spans_ = DeviceArray<MaskFar::Span>(device_, far_.spans);
    unsure_ =
        DeviceArray<std::uint8_t>(device_, std::size_t(grid.tiles_x) * std::size_t(grid.tiles_y));
  }
  const auto so_far = [&](double done) {
    if (hear) hear(RenderStage::far, done);
  };
  so_far(0);
  const FarField::Light light =
      field_->run(grid, coefficients_, scaled_.data(), widths_.data(), far, so_far);
  MaskFar mask;
  mask.grid = grid;
  mask.split = far_.split;
  mask.spans = spans_.data();
  mask.widths = widths_.data();
  mask.cell_widths = cell_widths_.data();
  mask.cell_far = cell_far_.data();
  mask.most_sources = far_.most_sources;
  mask.totals = totals_.data();
  mask.trusted = far_.trusted;
  mask.coarse = light.coarse;
  mask.fine = light.fine;
  mask.far = far;
  mask.unsure = unsure_.data();
  device_.launch(mask, mask.block_count());
}

void DensityStage::run(const Buckets& histogram, Vec4* light, bool accumulate,
                       const HearStage& hear) {
  const DensityGrid& grid = plan_.density_grid;
  const DensityTable table{thresholds_.data(), kernels_.data(), coefficients_.data(),
                           plan_.density.last};
  SelectWidth select{histogram,
                     grid,
                     table,
                     plan_.log_curve,
                     plan_.geometry.supersample,
                     scaled_.data(),
                     widths_.data(),
                     cell_widths_.data()};
  if (far_.active()) {
    totals_.clear();
    select.split = far_.split;
    select.cell_near = cell_near_.data();
    select.cell_far = cell_far_.data();
    select.totals = totals_.data();
  }
  device_.launch(select, select.block_count());

  GatherDensity gather{grid,  table,     scaled_.data(), widths_.data(), cell_widths_.data(),
                       light, accumulate};
  used_fft_ = far_.active() && worth_transforms();
  if (used_fft_) {
    Vec4* far = light;
    if (accumulate) {
      if (!far_light_.data()) {
        far_light_ = DeviceArray<Vec4>(
            device_, std::size_t(plan_.geometry.width) * std::size_t(plan_.geometry.height));
      }
      far = far_light_.data();
    }
    add_far(grid, far, hear);
    gather.split = far_.split;
    gather.cell_near = cell_near_.data();
    gather.far = far;
    gather.unsure = unsure_.data();
  }
  if (hear) hear(RenderStage::gather, 0);
  device_.launch(gather, gather.block_count());
}

namespace {

/// [1 3 3 1]/8 once for every halving of the grid, one filter after the other.
std::vector<float> halving_taps(int step) {
  std::vector<float> taps = {1};
  for (int gap = 1; gap < step; gap *= 2) {
    std::vector<float> next(taps.size() + 3 * std::size_t(gap));
    for (std::size_t i = 0; i < taps.size(); ++i) {
      for (std::size_t k = 0; k < 4; ++k)
        next[i + k * std::size_t(gap)] += taps[i] * (k == 1 || k == 2 ? 0.375f : 0.125f);
    }
    taps = next;
  }
  return taps;
}

/// The estimator of a picture in bands: those of a height have one, one after the other.
class DensityBands : public LightMaker {
 public:
  explicit DensityBands(const LightSource& source) : source_(source), unit_(source.unit) {
    stage_of(source.plan.largest_band());
  }

  void set(double unit) override {
    unit_ = unit;
    band_plan_.log_curve = source_.plan.log_curve;
    stage_->set(unit);
  }

  void run(const Buckets& histogram, const LogCurve&, Vec4* light, bool accumulate,
           const HearStage& hear) override {
    const std::vector<Stripe>& bands = source_.plan.bands;
    const double part = 1 / double(bands.size());
    double before = 0;  // share of the bands
    for (const Stripe& band : bands) {
      Buckets rows = histogram;
      rows.sums += std::int64_t(band.top) * histogram.width * histogram.channels;
      if (rows.row_weights) rows.row_weights += band.top;
      rows.height = band.height;
      const bool is_last = &band == &bands.back();
      stage_of(band).run(rows, light, accumulate, [&](RenderStage stage, double done) {
        if (hear && (is_last || stage == RenderStage::far)) hear(stage, before + part * done);
      });
      light += std::int64_t(band.height) * histogram.width;
      before += part;
    }
  }

 private:
  DensityStage& stage_of(const Stripe& band) {
    if (!source_.plan.has_bands) {
      if (!stage_) stage_.emplace(source_.device, source_.plan, unit_, source_.far);
    } else if (!stage_ || band_plan_.geometry.height != band.height) {
      stage_.reset();  // before the next one takes memory
      band_plan_ = plan_of(source_.plan, band);
      stage_.emplace(source_.device, band_plan_, unit_,
                     plan_far(band_plan_, unit_, source_.far.exact));
    }
    return *stage_;
  }

  const LightSource source_;
  double unit_;
  OutputPlan band_plan_;  // where there are several: of the band that the stage is made for
  std::optional<DensityStage> stage_;
};

/// The light of far sources that a later pass adds to that of the earlier ones.
std::uint64_t bytes_of_passes(const PlannedPicture& picture) {
  const OutputPlan& plan = picture.plan;
  if (picture.flame.passes == 1) return 0;
  return std::uint64_t(plan.geometry.width) * std::uint64_t(plan.largest_band().height) *
         sizeof(Vec4);
}

int gutter_of_density(const Flame& flame) {
  const int reach = int(std::ceil(flame.estimator_radius)) * flame.supersample;
  return reach > 0 ? reach + flame.supersample - 1 : 0;
}

void add_seconds(const StageWork& work, StageSeconds& seconds) {
  const double buckets = double(work.plan.geometry.width) * work.plan.geometry.height;
  const FarWork& far = work.far;
  const bool transforms = far.cells > 0 && work.load.far > far.worth_products;
  seconds[std::size_t(RenderStage::select)] += buckets * (far.cells > 0 ? 40e-9 : 24e-9);
  if (transforms) seconds[std::size_t(RenderStage::far)] += far.cells * 28e-9;
  const double products = work.load.near + (transforms ? 0 : work.load.far);
  seconds[std::size_t(RenderStage::gather)] += buckets * (25 + products) * 1e-9;
}

}  // namespace

FarField::FarField(Device& device, const FarPlan& plan) : device_(device), plan_(plan) {
  std::uint64_t work = 0;
  for (const auto& share : plan.shares) shares_.emplace_back(device, share);
  for (const FarLevel& level : plan.levels) {
    Room& room = rooms_.emplace_back();
    work = std::max(work, level.work_cells());
    if (level.step > 1)
      room.light = DeviceArray<Vec4>(device, std::size_t(level.whole.sources.cells()));
    if (level.count == 0) continue;
    room.rows.emplace(device, level.padded_width);
    room.columns.emplace(device, level.padded_height);
    if (level.step > 1) room.coefficients = DeviceArray<float>(device, level.coefficients);
    for (std::size_t i = 0; i < level.kept_spectra(); ++i)
      room.spectra.emplace_back(device, std::size_t(level.spectrum_bytes() / sizeof(float)));
  }
  work_ = DeviceArray<Vec4>(device, std::size_t(work));
}

Vec4* FarField::picture(const FarLevel& level, std::size_t i) const {
  return work_.data() + i * std::size_t(level.picture_cells());
}

void FarField::set_spectra(const FarLevel& level, Room& room, const float* coefficients,
                           std::size_t first, std::size_t count) {
  const bool stay = level.kept_spectra() == level.count;
  if (stay && first + count <= room.spectra_set) return;
  DeviceArray<float>* spectra = &room.spectra[stay ? first : 0];
  const i32 w = level.padded_width, h = level.padded_height, columns = level.half_columns();
  Complex* kernel_columns = reinterpret_cast<Complex*>(work_.data());  // [h, columns]
  Complex* kernel_rows = kernel_columns + i64(columns) * h;            // [reach + 1, w]
  for (std::size_t i = 0; i < count; i += 2) {
    const bool pair = i + 1 < count;
    PlaceKernels place;
    place.coefficients = coefficients;
    place.first = level.kernels[first + i];
    place.second = pair ? level.kernels[first + i + 1] : DensityKernel{0, -1};
    place.rows = kernel_rows;
    place.points = w;
    place.row_count = std::max(place.first.reach, place.second.reach) + 1;
    device_.launch(place, place.block_count());

    FftLines across = job_of(room.rows->line(), place.row_count, true, false);
    across.in[0] = kernel_rows;
    across.out = kernel_rows;
    across.from.outer_step = across.to.outer_step = w;
    device_.transform(across);
    const MirrorRows mirror{kernel_rows, kernel_columns, w, place.row_count, columns, h};
    device_.launch(mirror, mirror.block_count());

    FftLines down = job_of(room.columns->line(), columns, true, false);
    down.in[0] = kernel_columns;
    down.out = kernel_columns;
    down.from.inner = columns;
    down.from.inner_step = 1;
    down.from.point_step = columns;
    down.to = down.from;
    device_.transform(down);
    const SpreadSpectrum spread{kernel_columns,
                                spectra[i].data(),
                                pair ? spectra[i + 1].data() : nullptr,
                                float(1 / (double(w) * h)),
                                w,
                                columns,
                                h};
    device_.launch(spread, spread.block_count());
  }
  room.spectra_set = first + count;
}

void FarField::weigh(const FarLevel& level, const FarExtent& part, const Sources& sources,
                     std::size_t first, std::size_t count) {
  const auto fill = [&](auto kernel) {
    kernel.grid = sources.grid;
    kernel.scaled = sources.scaled;
    kernel.widths = sources.widths;
    kernel.split = plan_.split;
    kernel.terms = i32(count);
    kernel.pitch = level.padded_width;
    kernel.from_x = part.sources.x;
    kernel.from_y = part.sources.y;
    kernel.width = part.sources.width();
    kernel.height = part.sources.height();
    for (std::size_t i = 0; i < count; ++i) {
      kernel.shares[i] = shares_[level.first + first + i].data();
      kernel.pictures[i] = picture(level, i);
    }
    return kernel;
  };
  if (level.step == 1) {
    const WeighSources kernel = fill(WeighSources{});
    device_.launch(kernel, kernel.block_count());
    return;
  }
  WeighCoarse kernel = fill(WeighCoarse{});
  const std::vector<float> taps = halving_taps(level.step);
  kernel.step = level.step;
  kernel.tap_count = i32(taps.size());
  std::copy(taps.begin(), taps.end(), kernel.taps);
  device_.launch(kernel, kernel.block_count());
}

/// Transforms the weighed sources into the light of a part. The first group writes whole rows,
/// margins included, where that meets no other part.
void FarField::convolve(const FarLevel& level, Room& room, const FarExtent& part, std::size_t first,
                        std::size_t count, Target to) {
  const bool direct = first == 0 && !level.in_columns;
  const DeviceArray<float>* spectra =
      &room.spectra[level.kept_spectra() == level.count ? first : 0];
  const i32 w = level.padded_width, rows_of_sources = part.sources.height();
  FftLines columns = job_of(room.columns->line(), 2 * i64(w), true, true);
  columns.terms = i32(count);
  FftLines across = job_of(room.rows->line(), 2 * i64(rows_of_sources) * i64(count), true, false);
  across.in[0] = reinterpret_cast<const Complex*>(picture(level, 0));
  across.out = picture(level, 0);
  across.from = pixel_rows(w, part.sources.width());  // of one picture after the other
  across.from.middle = rows_of_sources;
  across.from.middle_step = across.from.outer_step;
  across.from.outer_step = 2 * i64(level.picture_cells());
  across.to = across.from;
  across.to.extent = w;
  device_.transform(across);
  for (std::size_t i = 0; i < count; ++i) {
    columns.in[i] = reinterpret_cast<const Complex*>(picture(level, i));
    columns.spectrum[i].real = spectra[i].data();
    columns.spectrum[i].share = 2;
    columns.spectrum[i].count = w;
    columns.spectrum[i].tile = SpreadSpectrum::tile;
  }
  columns.out = picture(level, 0);
  columns.from.inner = 2 * w;
  columns.from.inner_step = 1;
  columns.from.point_step = 2 * i64(w);
  columns.from.extent = rows_of_sources;
  columns.to = columns.from;
  device_.transform(columns);

  const FarRect& light = part.light;
  const i32 left = light.x - part.sources.x, top = light.y - part.sources.y;
  Vec4* rows_of_light = picture(level, 0) + i64(top) * w;
  FftLines rows = job_of(room.rows->line(), 2 * i64(light.height()), false, true);
  rows.in[0] = reinterpret_cast<const Complex*>(rows_of_light);
  rows.from = pixel_rows(w, w);
  rows.out = direct ? to.light - left : rows_of_light;
  rows.to = pixel_rows(direct ? to.pitch : w, part.sources.width());
  device_.transform(rows);
  if (direct) return;
  const AddLight add{
      rows_of_light + left, to.light, light.width(), light.height(), w, to.pitch, first > 0};
  device_.launch(add, add.block_count());
}

/// The place of a rectangle's light.
FarField::Target FarField::target(std::size_t l, FarRect light, Vec4* far, i32 far_pitch) const {
  if (plan_.levels[l].step == 1) return {far + i64(light.y) * far_pitch + light.x, far_pitch};
  const FarRect& all = plan_.levels[l].whole.sources;
  const i64 first = i64(light.y - all.y) * all.width() + light.x - all.x;
  return {rooms_[l].light.data() + first, all.width()};
}

/// The light of a level, on the grid of the next one; (x, y) counts from `corner` of that.
CoarseLight FarField::light_of(std::size_t l, FarRect corner) const {
  const FarRect& r = plan_.levels[l].whole.sources;
  return {rooms_[l].light.data(), 2 * r.x - corner.x, 2 * r.y - corner.y, r.width()};
}

FarField::Light FarField::run(const DensityGrid& grid, const DeviceArray<float>& coefficients,
                              const Vec4* scaled, const u16* widths, Vec4* far,
                              const std::function<void(double)>& so_far) {
  const Sources sources{grid, scaled, widths};
  // of each group: spectra, and for each part weighing and convolving, a third each
  double done = 0;
  const auto behind = [&](const FarLevel& level, double kernels_and_parts) {
    done += kernels_and_parts * double(level.padded_width) * double(level.padded_height) / 3;
    if (so_far) so_far(done / plan_.transformed_cells());
  };
  const std::size_t finest = plan_.levels.size() - 1;
  for (std::size_t l = 0; l <= finest; ++l) {
    const FarLevel& level = plan_.levels[l];
    Room& room = rooms_[l];
    const float* taps = l == finest ? coefficients.data() : room.coefficients.data();
    for (std::size_t first = 0; first < level.count; first += std::size_t(level.group)) {
      const std::size_t count = std::min(std::size_t(level.group), level.count - first);
      set_spectra(level, room, taps, first, count);
      behind(level, double(count) * double(level.parts.size()));
      for (const FarExtent& part : level.parts) {
        weigh(level, part, sources, first, count);
        behind(level, double(count));
        convolve(level, room, part, first, count, target(l, part.light, far, grid.width));
        behind(level, double(count));
      }
    }
    if (l == 0 || l == finest) continue;  // MaskFar brings down the last
    const FarRect& light = level.whole.light;
    const Target to = target(l, light, far, grid.width);
    const RefineLight refine{light_of(l - 1, light), to.light, light.width(),
                             light.height(),         to.pitch, level.count > 0};
    device_.launch(refine, refine.block_count());
  }
  if (finest == 0) return {{}, true};
  return {light_of(finest - 1, {}), plan_.levels[finest].count > 0};
}

DensityPlan plan_density(const Flame& flame, std::uint64_t max_memory_bytes, bool tables) {
  return plan_density(flame.is_estimated() ? flame.estimator_radius : 0, flame.estimator_minimum,
                      flame.estimator_curve, flame.supersample, max_memory_bytes, tables);
}

constinit const PictureStage stages::density = {
    .name = "density estimation",
    .kernel = kernel_id<GatherDensity>,
    .is_wanted = [](const Flame& flame) { return flame.is_estimated(); },
    .is_in = [](const OutputPlan& plan) { return plan.density.active(); },
    .plan =
        [](const Flame& flame, const OutputSettings& settings, OutputPlan& plan) {
          plan.density = plan_density(flame, settings.max_memory_bytes, settings.tables);
        },
    .gutter = gutter_of_density,
    .reach =
        [](const OutputPlan& plan) {
          return plan.geometry.gutter + plan.density.reach + 2 * plan.geometry.supersample;
        },
    .in_bands = [](const OutputPlan& plan) { return plan.density.widths[0] > gathered_width; },
    .bytes = [](const PlannedPicture& picture) -> StageBytes {
      const FarPlan& far = picture.far;
      const std::uint64_t of_passes = far.active() ? bytes_of_passes(picture) : 0;
      return {DensityStage::bytes(picture.plan, far) + of_passes,
              far.active() ? far.bytes() + of_passes : 0};
    },
    .seconds = add_seconds,
    .why_whole = [](const PlannedPicture& picture) -> const char* {
      if (!picture.far.active() || picture.plan.has_bands) return nullptr;
      return "with estimator_radius above 5 at least 2304 rows of buckets are made together, and "
             "the picture has no more; a lower estimator_radius can be had in smaller stripes";
    },
    .light = [](const LightSource& source) -> std::unique_ptr<LightMaker> {
      return std::make_unique<DensityBands>(source);
    },
    .leave_out = [](Flame& flame) { flame.estimator_radius = 0; },
    .noise = {.blurs = true},
    .hash = &StageHashes::light,
};

}  // namespace kiln
