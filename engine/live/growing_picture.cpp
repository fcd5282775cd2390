#include "engine/live/growing_picture.h"

#include <algorithm>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/program/compile.h"
#include "engine/render/chaos_game.h"
#include "engine/render/develop_stage.h"
#include "engine/render/light_stage.h"
#include "engine/render/memory_need.h"
#include "engine/render/prepared_frame.h"
#include "engine/render/sums_digest.h"

namespace kiln {

/// A flame's histogram and the game that fills it.
struct GrowingPicture::Sums {
  PreparedFrame frame;
  SumsShape shape;  // of the flame as it is before its points settle, which is soon known
  PictureBuffers buffers;
  DeviceArray<std::uint64_t> scratch;  // as large as the histogram: developing uses it up
  GameRunner game;
  DevelopStage develop;
  int pass = 0;
  std::uint64_t next_unit = 0;  // of the pass
  GameTotals totals;

  Sums(Device& device, const std::uint16_t* permutations, PreparedFrame prepared,
       SumsShape quick_shape, const RenderOptions& options)
      : frame(std::move(prepared)),
        shape(std::move(quick_shape)),
        buffers(device, frame, false),
        scratch(device, buffers.histogram.size()),
        game(device, frame.compiled, 0, permutations),
        develop(device) {
    buffers.histogram.clear();
    game.begin(options.seed, 0, 0);
  }
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

MemoryNeed need_of(const PreparedFrame& frame, const RenderOptions& options) {
  MemoryNeed need = memory_need(frame, options);
  const std::uint64_t channels = frame.compiled.table.opaque ? 4 : 5;
  need.picture += std::uint64_t(frame.plan.geometry.width) *
                  std::uint64_t(frame.plan.geometry.height) * channels * sizeof(std::uint64_t);
  return need;
}

}  // namespace

GrowingPicture::GrowingPicture(const RenderOptions& options)
    : options_(usual(options)),
      device_(open_device(options_)),
      permutations_(*device_, pool_permutations()),
      launch_units_(std::uint64_t(device_->units_at_once())) {
  device_->choose_game(options_.game);
}
GrowingPicture::~GrowingPicture() = default;

bool GrowingPicture::restyle(const Flame& flame) {
  if (!sums_ || sums_->pass > 0) return false;  // the light of the passes before has its look
  if (flame.quality != flame_.quality || flame.passes != flame_.passes) return false;
  if (sums_shape(prepare_quickly(flame, options_), options_) != sums_->shape) return false;
  flame_ = flame;
  return true;
}

void GrowingPicture::show(const Flame& flame) {
  if (restyle(flame)) return;
  sums_.reset();
  PreparedFrame frame = prepare(Frame{flame, {}, {}, 0}, options_);
  check_memory(flame, need_of(frame, options_), *device_, options_);
  sums_ = std::make_unique<Sums>(*device_, permutations_.data(), std::move(frame),
                                 sums_shape(prepare_quickly(flame, options_), options_), options_);
  flame_ = flame;
}

void GrowingPicture::grow(double quality, const std::function<bool()>& stop) {
  KILN_CHECK(sums_, "no flame");
  while (!complete() && (sums_->pass > 0 || this->quality() < quality)) {
    if (sums_->next_unit == sums_->game.units()) begin_next_pass();
    const auto start = Clock::now();
    const std::uint64_t end = std::min(sums_->next_unit + launch_units_, sums_->game.units());
    const std::uint64_t played = sums_->game.play_some(
        {sums_->next_unit, end}, sums_->buffers.histogram.data(), sums_->totals, [] {});
    sums_->next_unit += played;
    const double took = seconds_since(start);
    // a launch that was smaller than it might have been says nothing of larger ones
    if (took < moment_s / 2 && played == launch_units_) launch_units_ *= 2;
    if (took > moment_s * 2)
      launch_units_ = std::max(std::uint64_t(device_->units_at_once()), launch_units_ / 2);
    if (stop()) return;
  }
}

double GrowingPicture::quality() const {
  if (!sums_) return 0;
  if (complete()) return flame_.quality;
  const double of_pass = double(sums_->frame.compiled.sample_count);
  const double played = std::min(1.0, double(sums_->next_unit) * double(unit_samples) / of_pass);
  return flame_.quality * (sums_->pass + played) / flame_.passes;
}

bool GrowingPicture::complete() const {
  return sums_ && sums_->pass + 1 == flame_.passes && sums_->next_unit == sums_->game.units();
}

/// The flame's look as the picture of so many samples a pixel in so many passes.
PreparedFrame GrowingPicture::look(double quality, int passes) const {
  PreparedFrame look;
  look.flame = flame_;
  look.flame.quality = quality;
  look.flame.passes = passes;
  look.compiled = sums_->frame.compiled;
  OutputSettings settings;
  settings.transparent = options_.transparent;
  settings.psf = options_.psf.get();
  settings.max_memory_bytes = options_.max_memory_bytes;
  settings.gutter = sums_->frame.plan.geometry.gutter;
  look.plan = plan_output(look.flame, settings);
  return look;
}

/// The sums of the pass become light beside that of the passes before.
void GrowingPicture::add_light(const PreparedFrame& look) {
  LightStage light(*device_, look, sums_->buffers, options_.exact_density);
  light.run(sums_->pass, sums_->buffers);
}

void GrowingPicture::begin_next_pass() {
  add_light(look(flame_.quality, flame_.passes));
  sums_->buffers.histogram.clear();
  sums_->next_unit = 0;
  sums_->game.begin(options_.seed, ++sums_->pass, 0);
}

Image GrowingPicture::picture(DevicePicture* place) {
  KILN_CHECK(sums_ && sums_->next_unit > 0, "no samples");
  KILN_CHECK(sums_->pass == 0 || complete(), "pass {} of {}", sums_->pass, flame_.passes);
  const PreparedFrame look =
      complete() ? this->look(flame_.quality, flame_.passes) : this->look(quality(), 1);
  add_light(look);
  const auto histogram_done = Clock::now();
  std::swap(sums_->buffers.histogram, sums_->scratch);
  sums_->develop.leave_pixels_in(place);
  Image image;
  try {
    image = sums_->develop.run(look.plan, sums_->buffers, histogram_done, statistics_);
  } catch (...) {
    std::swap(sums_->buffers.histogram, sums_->scratch);
    throw;
  }
  std::swap(sums_->buffers.histogram, sums_->scratch);
  image.pixel_aspect = flame_.pixel_aspect;
  statistics_.samples = sums_->totals.samples;
  statistics_.bad_values = sums_->totals.bad_values;
  statistics_.device = device_->describe();
  return image;
}

}  // namespace kiln
