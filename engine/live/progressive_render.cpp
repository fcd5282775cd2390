// SPDX-License-Identifier: MIT
#include "engine/live/progressive_render.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "engine/base/error.h"
#include "engine/render/accumulate/accumulation.h"
#include "engine/render/picture_sums.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/stages/stages.h"

namespace kiln {

/// The sums of a flame, and a copy of them as they were.
struct ProgressiveRender::Sums {
  PreparedFrame frame;
  SumsShape shape;  // of the flame as it is before its points settle, which is soon known
  std::unique_ptr<PictureSums> picture;
  DeviceArray<std::uint64_t> half;    // a copy of the histogram with its first units
  std::uint64_t half_units = 0;       // how many; 0: none
  std::uint64_t pictured_units = 0;   // of the last picture that was made of the sums; 0: none
  std::optional<PreparedFrame> look;  // of the light of passes that are over

  std::uint64_t units() const { return picture->played.done.end(); }
};

namespace {

RenderOptions preview_options(RenderOptions options) {
  options.bits = 8;
  options.game = Game::permutation;
  options.compat_flam3 = options.earlyclip = options.linear = false;
  options.crop.reset();
  options.crop_marks = 0;
  options.on_progress = nullptr;
  return options;
}

}  // namespace

ProgressiveRender::ProgressiveRender(const RenderOptions& options)
    : options_(preview_options(options)), renderer_(options_) {}
ProgressiveRender::~ProgressiveRender() = default;

/// The light of the passes before has its look.
bool ProgressiveRender::is_in_first_pass_of(const Flame& flame) const {
  if (!sums_ || !sums_->picture->game || sums_->picture->pass > 0 || is_of_film_) return false;
  return flame.quality == flame_.quality && flame.passes == flame_.passes;
}

/// The shape of a flame's sums, without the tables of its look, which take longer than the rest.
SumsShape ProgressiveRender::shape_of(const Flame& flame) const {
  return sums_shape(prepare_for_shape(flame, options_), options_);
}

bool ProgressiveRender::lends(const Flame& flame) const {
  if (!is_in_first_pass_of(flame)) return false;
  const auto reach = [](auto& of) {  // what decides how far it reaches
    return std::tie(of.estimator_radius, of.estimator_minimum, of.filter_radius_px, of.filter_shape,
                    of.filter_supersample);
  };
  if (reach(flame) == reach(flame_)) return false;
  Flame like = flame;
  reach(like) = reach(flame_);
  return shape_of(like) == sums_->shape;
}

bool ProgressiveRender::restyle(const Flame& flame) {
  if (!is_in_first_pass_of(flame)) return false;
  if (shape_of(flame) != sums_->shape) return false;
  flame_ = flame;
  sums_->pictured_units = 0;  // that had another look
  sums_->look.reset();
  return true;
}

void ProgressiveRender::show(const Flame& flame) {
  if (restyle(flame)) return;
  begin(Frame{flame, {}, {}, 0}, false);
}

void ProgressiveRender::show(const Frame& frame) { begin(frame, true); }

void ProgressiveRender::begin(const Frame& wanted, bool is_of_film) {
  sums_.reset();
  is_of_film_ = is_of_film;
  mean_weight_ = wanted.weights.empty() ? 1 : mean_weight(wanted.weights);
  auto sums = std::make_unique<Sums>();
  sums->frame = renderer_.prepare(wanted);
  sums->shape = shape_of(wanted.flame);
  sums->picture = renderer_.begin(sums->frame);
  sums_ = std::move(sums);
  flame_ = is_of_film ? sums_->frame.flame : wanted.flame;
}

void ProgressiveRender::grow(double quality, const std::function<bool()>& stop, Halves halves) {
  KILN_CHECK(sums_, "no flame");
  const auto is_enough = [&] { return sums_->picture->pass == 0 && this->quality() >= quality; };
  bool stopped = false;
  RenderWork work = work_of(sums_->frame);
  work.develop = RenderWork::Develop::none;
  work.goes_on = [&] { return !(stopped = stop()) && !is_enough(); };
  if (flame_.passes > 1 && !is_of_film_) {
    if (!sums_->look) set_clumps(sums_->look.emplace(preview_plan(flame_.quality, flame_.passes)));
    work.frame = &*sums_->look;
  }
  const auto play_half_of = [&](double whole) {
    work.units = half_of(whole);
    if (work.units <= sums_->half_units) return;
    if (work.units > sums_->units() && !stopped && !is_enough()) renderer_.make(work);
    if (sums_->units() >= work.units && 3 * sums_->units() <= 4 * work.units) keep_half();
  };
  if (halves == Halves::next) play_half_of(quality);
  if (halves != Halves::none) play_half_of(flame_.quality);
  work.units = RenderWork().units;
  if (!stopped && !complete() && !is_enough()) renderer_.make(work);
}

/// The half of the units that the picture of a quality has; 0 where it has no halves, or light of
/// several passes. The halves of a frame in motion are of different times: what moves is no noise.
std::uint64_t ProgressiveRender::half_of(double quality) const {
  const bool is_moving = !sums_->frame.passes.empty();
  if (!sums_->picture->game || is_moving || flame_.passes > 1 || options_.transparent) return 0;
  const double share = std::min(1.0, quality / flame_.quality) / 2;
  const double samples = share * double(sums_->frame.compiled.sample_count);
  const auto half = std::max<std::uint64_t>(1, std::uint64_t(samples / unit_samples + 0.5));
  return half < sums_->picture->game->units() ? half : 0;
}

/// Copies the sums as the half to measure noise with; not where there is no memory for them.
void ProgressiveRender::keep_half() {
  const DeviceArray<std::uint64_t>& histogram = sums_->picture->buffers.histogram;
  Device& device = sums_->picture->device;
  try {
    if (sums_->half.size() == 0) sums_->half = {device, histogram.size()};
  } catch (const Error&) {
    return;
  }
  device.copy_sums(sums_->half.data(), device, histogram.data(), histogram.size());
  sums_->half_units = sums_->units();
}

double ProgressiveRender::quality() const {
  if (!sums_) return 0;
  if (complete()) return flame_.quality;
  const double of_pass = double(sums_->frame.compiled.sample_count);
  const double played = std::min(1.0, double(sums_->units()) * double(unit_samples) / of_pass);
  return flame_.quality * (sums_->picture->pass + played) / flame_.passes;
}

bool ProgressiveRender::complete() const {
  return sums_ && sums_->picture->is_last_pass() && sums_->picture->is_pass_over();
}

/// The flame's look as the picture of so many samples a pixel in so many passes, of sums that count
/// `more` times as much.
PreparedFrame ProgressiveRender::preview_plan(double quality, int passes, double more) const {
  PreparedFrame preview;
  preview.flame = flame_;
  preview.flame.quality = quality;
  preview.flame.passes = passes;
  preview.compiled = sums_->frame.compiled;
  preview.compiled.unit *= more;
  OutputSettings settings = output_settings(options_, mean_weight_);
  settings.gutter = sums_->frame.plan.geometry.gutter;
  plan_look(settings, preview);
  return preview;
}

PreparedFrame ProgressiveRender::plan_so_far(double more) const {
  if (is_of_film_ && complete() && more == 1) return sums_->frame;
  return complete() ? preview_plan(flame_.quality, flame_.passes, more)
                    : preview_plan(quality(), 1, more);
}

/// The clumps of a picture of these sums where its light needs them, as a render measures them.
void ProgressiveRender::set_clumps(PreparedFrame& look) {
  if (!light_stage(look.plan).needs_game) return;
  if (sums_->frame.clumps <= 0)  // cleaning was switched on amid the game
    sums_->frame.clumps = renderer_.measure_clumps(*sums_->picture);
  last_clumps_ = sums_->frame.clumps;
  look.clumps = last_clumps_ * (look.compiled.unit / sums_->frame.compiled.unit);
}

RenderWork ProgressiveRender::work_of(const PreparedFrame& look) {
  RenderWork work;
  work.frame = &look;
  work.sums = sums_->picture.get();
  work.develop = RenderWork::Develop::so_far;
  work.stop = stop_;
  return work;
}

/// Develops the sums that stand in the histogram's place; they stay.
Image ProgressiveRender::develop(PreparedFrame& look, DevicePicture* place,
                                 RenderStatistics* statistics) {
  sums_->pictured_units = 0;
  set_clumps(look);
  RenderWork work = work_of(look);
  work.to = place;
  return renderer_.make(work, statistics).value();
}

Image ProgressiveRender::picture(DevicePicture* place, int bits) {
  KILN_CHECK(sums_ && sums_->units() > 0, "no samples");
  KILN_CHECK(sums_->picture->pass == 0 || complete(), "pass {} of {}", sums_->picture->pass,
             flame_.passes);
  PreparedFrame look = plan_so_far();
  look.plan.bits = bits;
  Image image = develop(look, place, &statistics_);
  sums_->pictured_units = sums_->units();
  return image;
}

/// The small picture has the samples of the large one, so that its brightness and its estimator are
/// those of a render of its size.
Image ProgressiveRender::glance(const Flame& flame, int side, DevicePicture* place, bool cleans) {
  KILN_CHECK(sums_ && sums_->units() > 0 && side > 1, "no samples, or {} as a side", side);
  const double buckets = double(side) * sums_->frame.plan.geometry.supersample;
  PreparedFrame small;
  small.flame = flame;
  small.flame.width = std::max(1, flame.width / side);
  small.flame.height = std::max(1, flame.height / side);
  small.flame.scale /= side;
  small.flame.supersample = small.flame.passes = 1;
  small.flame.quality = quality() * side * side;
  small.flame.logscale_k2 /= buckets * buckets;
  if (!cleans && flame.is_cleaned()) leave_out_light(small.flame);
  small.compiled = sums_->frame.compiled;
  small.clumps = last_clumps_;
  plan_look(output_settings(options_, mean_weight_), small);
  RenderWork work = work_of(small);
  work.divide = side;
  work.to = place;
  return renderer_.make(work).value();
}

/// The first part shows the whole with the noise of what the other part lacks: its square is that
/// of the whole times the other's share of the first. For a cleaned picture this leaves most of the
/// bias out: a seventh is added, as much as MeasureNoise finds there on average.
std::optional<ProgressiveRender::Noise> ProgressiveRender::noise() {
  constexpr double least = 1.3, most = 4;  // of the whole to its part: else no half to speak of
  if (!sums_ || sums_->half_units == 0) return {};
  const std::uint64_t units = sums_->units();
  const double all =
      std::min(double(units) * double(unit_samples), double(sums_->frame.compiled.sample_count));
  const double ratio = all / (double(sums_->half_units) * double(unit_samples));
  if (ratio < least || ratio > most) return {};
  PreparedFrame whole_plan = plan_so_far(), plan = plan_so_far(ratio);
  whole_plan.plan.bits = plan.plan.bits = 16;
  const Image whole = [&] {
    if (sums_->pictured_units != units) return develop(whole_plan, nullptr, nullptr);
    RenderWork work = work_of(whole_plan);
    work.develop = RenderWork::Develop::again;
    return renderer_.make(work).value();
  }();
  const Image part = [&] {
    const Exchange exchange(sums_->picture->buffers.histogram, sums_->half);
    return develop(plan, nullptr, nullptr);
  }();
  const bool is_cleaned = light_stage(flame_).noise.has_bias;
  const double scale = (is_cleaned ? 1.15 : 1) / std::sqrt(ratio - 1);
  NoiseMap map = noise_map(part, whole, scale);
  const PictureNoise of_all =
      noise_of(map.sums, std::uint64_t(whole.width) * std::uint64_t(whole.height), is_cleaned);
  Noise noise{of_all, std::move(map), units};
  noise.of_all.rms *= scale;
  noise.of_all.error *= scale;
  return noise;
}

}  // namespace kiln
