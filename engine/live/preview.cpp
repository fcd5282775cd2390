#include "engine/live/preview.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/device/device_picture.h"
#include "engine/model/exact_math.h"
#include "engine/program/compile.h"
#include "engine/render/accumulate/accumulation.h"
#include "engine/render/accumulate/device_group.h"
#include "engine/render/develop/develop_stage.h"
#include "engine/render/light/light_stage.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/stripes.h"

namespace kiln {
namespace {

/// The true picture in another look may take longer than the fog that a sketch of it would be.
constexpr double look_s = 0.15;

}  // namespace

PreviewScheduler::~PreviewScheduler() {
  if (place_) place_->clear();
}

PreviewScheduler::Preview PreviewScheduler::developed() {
  const auto start = Clock::now();
  Preview preview;
  preview.image = progressive_.picture(place_);
  preview.quality = shown_quality_ = progressive_.quality();
  preview.settled = progressive_.complete();
  preview.seconds = develop_s_ = seconds_since(start);
  return preview;
}

PreviewScheduler::Preview PreviewScheduler::quick(const Flame& flame, double most_pixels,
                                                  double budget_s) {
  shows_flame_ = false;
  shown_quality_ = -1;
  if (progressive_.quality() >= 1 && progressive_.restyle(flame)) {
    shows_flame_ = true;
    if (develop_s_ <= std::max(budget_s, look_s)) {
      Preview preview = developed();
      if (preview.settled) shown_quality_ = -1;  // better() settles it once nobody edits
      preview.settled = false;
      return preview;
    }
  }
  return sketch(flame, most_pixels, budget_s);
}

PreviewScheduler::Preview PreviewScheduler::sketch(const Flame& flame, double most_pixels,
                                                   double budget_s) {
  const auto start = Clock::now();
  const double pixels = std::min(most_pixels, double(flame.width) * flame.height);
  const PreviewBudget::Size size = budget_.size(pixels);
  Preview preview;
  preview.image = renderer_.sketch(flame, size.pixels, size.samples, place_);
  preview.quality = size.samples / (double(preview.image.width) * preview.image.height);
  preview.seconds = seconds_since(start);
  budget_.spent(preview.seconds, budget_s, pixels);
  return preview;
}

std::optional<PreviewScheduler::Preview> PreviewScheduler::better(
    const Flame& flame, const std::function<bool()>& stop) {
  if (!shows_flame_) {
    progressive_.show(flame);
    shows_flame_ = true;
    if (stop()) return {};
  }
  if (progressive_.complete() && shown_quality_ == progressive_.quality()) return {};
  // sums that a new look has taken over are shown as they are before more is added
  const bool shows_sums = shown_quality_ > 0 || progressive_.quality() == 0;
  if (shows_sums) progressive_.grow(std::max(1.0, 4 * progressive_.quality()), stop);
  if (progressive_.quality() == 0 || (stop() && !progressive_.complete())) return {};
  return developed();
}

/// A flame's histogram and the game that fills it.
struct ProgressiveRender::Sums {
  PreparedFrame frame;
  SumsShape shape;  // of the flame as it is before its points settle, which is soon known
  PictureBuffers buffers;
  DeviceArray<std::uint64_t> scratch;  // as large as the histogram: developing uses it up
  Accumulator game;
  Accumulation sums;
  DevelopStage develop;
  int pass = 0;
  GameTotals before;  // of earlier passes

  Sums(Device& device, const std::uint16_t* permutations, PreparedFrame prepared,
       SumsShape quick_shape)
      : frame(std::move(prepared)),
        shape(std::move(quick_shape)),
        buffers(device, frame, false),
        scratch(device, buffers.histogram.size()),
        game(device, frame.compiled, 0, permutations),
        sums(device, buffers.histogram),
        develop(device) {}
  bool is_pass_over() const { return sums.done.end() == game.units(); }
};

namespace {

constexpr double moment_s = 0.08;  // a launch: what somebody who begins to drag may have to wait

RenderOptions usual(RenderOptions options) {
  options.bits = 8;
  options.game = Game::permutation;
  options.compat_flam3 = options.earlyclip = options.linear = false;
  options.crop.reset();
  options.on_progress = nullptr;
  return options;
}

}  // namespace

ProgressiveRender::ProgressiveRender(const RenderOptions& options)
    : options_(usual(options)),
      group_(std::make_unique<DeviceGroup>(options_)),
      device_(open_device(options_)),
      permutations_(*device_, pool_permutations()),
      pace_(moment_s, std::uint64_t(device_->units_at_once())) {
  device_->choose_game(options_.game);
}
ProgressiveRender::~ProgressiveRender() = default;

bool ProgressiveRender::restyle(const Flame& flame) {
  if (!sums_ || sums_->pass > 0) return false;  // the light of the passes before has its look
  if (flame.quality != flame_.quality || flame.passes != flame_.passes) return false;
  if (sums_shape(prepare_quickly(flame, options_), options_) != sums_->shape) return false;
  flame_ = flame;
  return true;
}

void ProgressiveRender::show(const Flame& flame) {
  if (restyle(flame)) return;
  sums_.reset();
  PreparedFrame frame = prepare(Frame{flame, {}, {}, 0}, options_, device_.get());
  const std::uint64_t scratch = sums_shape(frame, options_).bytes();
  plan_memory(frame, options_, *device_, scratch, "sums that are kept are never made in stripes")
      .or_throw();
  sums_ = std::make_unique<Sums>(*device_, permutations_.data(), std::move(frame),
                                 sums_shape(prepare_quickly(flame, options_), options_));
  flame_ = flame;
  begin_pass();
}

void ProgressiveRender::grow(double quality, const std::function<bool()>& stop) {
  KILN_CHECK(sums_, "no flame");
  const auto is_enough = [&] { return sums_->pass == 0 && this->quality() >= quality; };
  bool stopped = false;
  const auto goes_on = [&] { return !(stopped = stop()) && !is_enough(); };
  Player& player = group_->is_empty() ? static_cast<Player&>(sums_->game) : *group_;
  while (!stopped && !complete() && !is_enough()) {
    if (sums_->is_pass_over()) begin_next_pass();
    accumulate(
        player, UnitSet({0, sums_->game.units()}), sums_->sums, [](std::uint64_t) {}, goes_on,
        &pace_);
  }
}

double ProgressiveRender::quality() const {
  if (!sums_) return 0;
  if (complete()) return flame_.quality;
  const double of_pass = double(sums_->frame.compiled.sample_count);
  const double played =
      std::min(1.0, double(sums_->sums.done.end()) * double(unit_samples) / of_pass);
  return flame_.quality * (sums_->pass + played) / flame_.passes;
}

bool ProgressiveRender::complete() const {
  return sums_ && sums_->pass + 1 == flame_.passes && sums_->is_pass_over();
}

/// The flame's look as the picture of so many samples a pixel in so many passes.
PreparedFrame ProgressiveRender::preview_plan(double quality, int passes) const {
  PreparedFrame preview;
  preview.flame = flame_;
  preview.flame.quality = quality;
  preview.flame.passes = passes;
  preview.compiled = sums_->frame.compiled;
  OutputSettings settings;
  settings.transparent = options_.transparent;
  settings.psf = options_.psf.get();
  settings.max_memory_bytes = options_.max_memory_bytes;
  settings.gutter = sums_->frame.plan.geometry.gutter;
  preview.plan = plan_output(preview.flame, settings);
  preview.far = plan_far(preview.plan, preview.compiled.unit, options_.exact_density);
  return preview;
}

/// The sums of the pass become light beside that of the passes before.
void ProgressiveRender::add_light(const PreparedFrame& preview) {
  LightStage light(*device_, preview, sums_->buffers, options_.exact_density);
  light.run(sums_->pass, sums_->buffers);
}

void ProgressiveRender::begin_next_pass() {
  add_light(preview_plan(flame_.quality, flame_.passes));
  sums_->before += sums_->sums.totals;
  ++sums_->pass;
  begin_pass();
}

void ProgressiveRender::begin_pass() {
  sums_->sums.clear();
  sums_->game.begin(options_.seed, sums_->pass, 0);
  group_->begin(*device_, sums_->game, {sums_->frame, options_.seed, sums_->pass});
}

std::string ProgressiveRender::device() const { return device_->describe() + group_->describe(); }

Image ProgressiveRender::picture(DevicePicture* place) {
  KILN_CHECK(sums_ && sums_->sums.done.end() > 0, "no samples");
  KILN_CHECK(sums_->pass == 0 || complete(), "pass {} of {}", sums_->pass, flame_.passes);
  const PreparedFrame preview =
      complete() ? preview_plan(flame_.quality, flame_.passes) : preview_plan(quality(), 1);
  add_light(preview);
  const auto histogram_done = Clock::now();
  std::swap(sums_->buffers.histogram, sums_->scratch);
  sums_->develop.render_into(place);
  Image image;
  try {
    image = sums_->develop.run(preview.plan, sums_->buffers, histogram_done, statistics_);
  } catch (...) {
    std::swap(sums_->buffers.histogram, sums_->scratch);
    throw;
  }
  std::swap(sums_->buffers.histogram, sums_->scratch);
  image.pixel_aspect = flame_.pixel_aspect;
  GameTotals totals = sums_->before;
  totals += sums_->sums.totals;
  statistics_.samples = totals.samples;
  statistics_.bad_values = totals.bad_values;
  statistics_.device = device();
  return image;
}

}  // namespace kiln
