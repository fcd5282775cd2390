// SPDX-License-Identifier: MIT
// The algorithm, top to bottom: compile the flame (prepared_frame.cpp), play the chaos game into an
// integer histogram, log scale it, estimate densities, filter, spread light, tone map, pack.
// docs/inside/algorithm.md has the mathematics; each stage's arithmetic is in kernels/<stage>.h.
#include "engine/render/renderer.h"

#include "engine/base/error.h"
#include "engine/base/ranks.h"
#include "engine/base/resources.h"
#include "engine/model/crop_marks.h"
#include "engine/model/image.h"
#include "engine/program/compile.h"
#include "engine/render/accumulate/noise_probe.h"
#include "engine/render/combinations.h"
#include "engine/render/develop/develop_stage.h"
#include "engine/render/film_frames.h"
#include "engine/render/memory_need.h"
#include "engine/render/picture_game.h"
#include "engine/render/picture_sums.h"
#include "engine/render/render_account.h"
#include "engine/render/stages/stages.h"
#include "engine/render/stages/tone/tone_stage.h"
#include "engine/render/stripes.h"

namespace kiln {
namespace {

/// The device tells it how far a launch has come, until this is gone.
class Listening {
 public:
  Listening(Device& device, ProgressReport& progress) : device_(device) {
    if (progress.is_wanted())
      device.hear([&](int kernel, double done) { progress.hear(kernel, done); });
  }
  ~Listening() { device_.hear({}); }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  Device& device_;
};

/// The device looks at a token, and `briefly`: until this is gone.
class Watching {
 public:
  Watching(Device& device, const std::stop_token& stop, bool briefly)
      : device_(device), briefly_(briefly) {
    device.watch(stop);
  }
  ~Watching() {
    if (briefly_) device_.watch({});
  }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

 private:
  Device& device_;
  const bool briefly_;
};

using Develop = RenderWork::Develop;

}  // namespace

class Renderer::Implementation {
 public:
  /// `device`: null: the one that the options ask for.
  Implementation(const RenderOptions& options, std::unique_ptr<Device> device)
      : options_(options),
        group_(options),
        device_(device ? std::move(device) : open_device(options)),
        develop_(*device_),
        develop_small_(*device_),
        film_(*device_),
        game_(options_, *device_, group_,
              [this](const MeasuredWork& work, PictureSums& sums) { make_measured(work, sums); }) {
    device_->choose_game(options.game);
  }
  void change(const RenderOptions& options) {
    if (options.backend != options_.backend || options.device != options_.device ||
        options.threads != options_.threads || options.helpers != options_.helpers)
      fail(ErrorKind::usage, "the device is open: backend, numbers and threads stay");
    if (options.game != options_.game) device_->choose_game(options.game);
    options_ = options;
    film_.forget_all();
  }
  std::optional<Image> make(const RenderWork& work, RenderStatistics* statistics);
  std::unique_ptr<PictureSums> begin(PreparedFrame& frame);
  double measure_clumps(PictureSums& sums) { return game_.measure_clumps_amid(sums); }
  void check_fits(const Frame& still) const {
    device_->use();  // another thread may have opened it, or this one another GPU
    check_least_memory(still, options_, *device_);
  }
  PreparedFrame prepare(const Frame& still) const {
    device_->watch(options_.stop);
    return kiln::prepare(still, options_, device_.get());
  }
  std::string device() const { return device_->describe(); }
  std::string devices() const { return device_->describe() + group_.describe(); }

 private:
  DevelopStage& develop_of(const RenderWork& work) {
    return work.divide > 1 ? develop_small_ : develop_;
  }
  bool is_first_rank() const { return !options_.ranks || options_.ranks->is_first(); }

  std::optional<Image> make_picture(const RenderWork& work, RenderAccount& account);
  MemoryPlan plan_memory_of(const RenderWork& work);
  void play_frame_of_film(const std::shared_ptr<const PreparedFrame>& frame,
                          RenderAccount& account);
  std::unique_ptr<PictureSums> sums_for(const RenderWork& work, const MemoryPlan& memory,
                                        const PreparedFrame& frame, double clumps,
                                        RenderAccount& account);
  bool play(const RenderWork& work, PictureSums& sums, StageHasher& hasher, RenderAccount& account);
  void make_light(const RenderWork& work, const PreparedFrame& look, PictureSums& sums,
                  StageHasher& hasher, RenderAccount& account);
  void make_light_of_film(const FilmWindow& window, PictureSums& sums, StageHasher& hasher,
                          RenderAccount& account);
  Image make_pixels(const RenderWork& work, const PreparedFrame& look, PictureSums& sums,
                    StageHasher& hasher, RenderAccount& account);
  void make_measured(const MeasuredWork& work, PictureSums& sums);
  void put_away(const PreparedFrame& whole, const Stripe& stripe, Image rows, Image& picture) const;

  void expect(const RenderWork& work, const MemoryPlan& memory, RenderAccount& account);

  RenderOptions options_;
  DeviceGroup group_;  // opens its devices meanwhile
  const std::unique_ptr<Device> device_;
  DevelopStage develop_, develop_small_;  // the latter of pictures that are divided
  FilmFrames film_;
  PictureGame game_;
  double slowness_ = 0;  // RenderAccount's
};

std::optional<Image> Renderer::Implementation::make(const RenderWork& work,
                                                    RenderStatistics* statistics) {
  KILN_CHECK(work.sums || (!work.goes_on && work.divide == 1 && work.develop == Develop::all),
             "a work for sums that stay");
  KILN_CHECK(!work.sums || (!work.window && !work.checkpoint),
             "sums that stay are of a still in memory");
  KILN_CHECK(!work.window ||
                 (!work.checkpoint && work.frame == work.window->frames.at(work.window->own).get()),
             "a window's frame is one of its own");
  if (!work.sums) check_together(*work.frame, options_, work.checkpoint);
  device_->use();  // as in check_fits()
  if (!work.window) film_.forget_all();
  const Watching watching(*device_, work.sums ? work.stop : options_.stop, work.sums != nullptr);
  RenderAccount account(options_, *device_, slowness_, samples_of(*work.frame));
  RenderStatistics& totals = account.totals;
  totals.quality = work.frame->flame.quality;
  const Listening listening(*device_, account.progress);
  std::optional<Image> picture;
  try {
    picture = make_picture(work, account);
  } catch (const Error& error) {  // stopped after the game: what it came to is saved
    film_.forget_all();
    if (!work.checkpoint || error.kind != ErrorKind::stopped) throw;
    if (work.checkpoint->unsaved) std::rethrow_exception(work.checkpoint->unsaved);
    if (!work.checkpoint->saved) throw;
    work.checkpoint->stopped = true;
  }
  if (!statistics) return picture;
  if (work.sums) {
    totals.samples = work.sums->totals().samples;
    totals.bad_values = work.sums->totals().bad_values;
  }
  totals.device = devices();
  totals.warning = resolution_warning(work.frame->compiled);
  if (!group_.losses().empty())
    totals.warning += (totals.warning.empty() ? "" : "; ") + group_.losses();
  totals.peak_memory_bytes = peak_memory_bytes();
  *statistics = totals;
  return picture;
}

/// The algorithm, a sentence and a call a stage. Returns none where no picture is asked for, the
/// sums are none yet, or another rank has it.
std::optional<Image> Renderer::Implementation::make_picture(const RenderWork& work,
                                                            RenderAccount& account) {
  // Memory is asked for once: the answer is the whole picture, stripes of it, or a refusal.
  const PreparedFrame& whole = *work.frame;
  const MemoryPlan memory = plan_memory_of(work).or_throw();
  expect(work, memory, account);

  // Some stages need a game of their own before: cleaning has to know how much hits come in clumps, in the
  // whole picture. In a film it needs the frames around this one, too.
  double clumps = whole.clumps > 0 ? whole.clumps : 1;
  if (!work.sums && !work.window && whole.clumps <= 0 && light_stage(whole.plan).needs_game)
    clumps = game_.measure_clumps(whole, memory);
  if (work.window)
    for (const auto& frame : work.window->frames) play_frame_of_film(frame, account);

  std::optional<Image> picture;
  for (const Stripe& stripe : memory.stripes) {
    if (!memory.is_whole()) device_->free_waiting();  // the first and the last have other sizes
    std::optional<PreparedFrame> part;
    const PreparedFrame& frame = memory.is_whole() ? whole : part.emplace(frame_of(whole, stripe));
    const std::unique_ptr<PictureSums> own = sums_for(work, memory, frame, clumps, account);
    PictureSums& sums = own ? *own : *work.sums;
    StageHasher hasher(*device_, frame.plan, sums.buffers,
                       options_.stages ? &account.totals.stages : nullptr);
    // The chaos game fills the histogram with integer sums; of several passes each becomes light before the next.
    if (!play(work, sums, hasher, account)) return std::nullopt;
    // From here on this histogram has all units of the last pass, those of other devices too; that of
    // another rank is of no more use.
    if (!is_first_rank()) continue;
    // The logarithm and density estimation make light of it, beside that of the passes before.
    make_light(work, frame, sums, hasher, account);
    // Sums of this work alone have served: their memory is for what makes pixels of light, which is
    // filter, bloom and glare, tone mapping, packing.
    if (own) own->game.reset();
    Image rows = make_pixels(work, frame, sums, hasher, account);
    put_away(whole, stripe, std::move(rows), picture ? *picture : picture.emplace());
  }
  account.totals.samples /= std::uint64_t(memory.stripes.size());  // the same ones each time
  account.totals.bad_values /= std::uint64_t(memory.stripes.size());
  return picture;
}

/// Sums that stay have theirs, and so have the frames of a film after the first.
MemoryPlan Renderer::Implementation::plan_memory_of(const RenderWork& work) {
  const PreparedFrame& frame = *work.frame;
  if (work.sums) return whole_of(frame.plan);
  if (work.window) {
    film_.keep(*work.window);
    if (!film_.has_room(frame.plan)) {
      plan_window(frame, options_, *device_).or_throw();
      film_.make_room(frame.plan);  // which is no longer free afterwards
    }
    return whole_of(frame.plan);
  }
  if (!work.checkpoint) return plan_memory(frame, options_, *device_);
  return plan_memory(frame, options_, *device_, kept_bytes(frame, *work.checkpoint),
                     why_kept_sums_are_whole);
}

/// The sums of a work alone: with light stage and game; of a film's frame without, it was played; of a smaller picture a copy
/// of those that stay. None where those that stay serve themselves.
std::unique_ptr<PictureSums> Renderer::Implementation::sums_for(const RenderWork& work,
                                                                const MemoryPlan& memory,
                                                                const PreparedFrame& frame,
                                                                double clumps,
                                                                RenderAccount& account) {
  if (work.sums) return work.divide > 1 ? divided(*work.sums, frame, work.divide) : nullptr;
  auto sums = std::make_unique<PictureSums>(*device_, frame, options_.linear && !work.window);
  if (work.window) return sums;  // that were played before
  sums->begin_light(frame, clumps);
  const std::uint64_t kept = work.checkpoint ? kept_bytes(frame, *work.checkpoint) : 0;
  if (account.start == Clock::time_point{}) account.start = Clock::now();
  account.expect_stages(frame, sums->buffers, 0);
  game_.begin(*sums, memory.is_whole() ? kept : bytes_of_rows(*work.frame, options_),
              work.checkpoint);
  return sums;
}

/// Plays what the work asks for; of several passes all but the last become light. False where no picture is made
/// of it now.
bool Renderer::Implementation::play(const RenderWork& work, PictureSums& sums, StageHasher& hasher,
                                    RenderAccount& account) {
  if (!work.plays()) return true;
  while (game_.play_pass(work, sums, account)) {
    if (sums.is_last_pass()) return work.develop == Develop::all;
    if (is_first_rank()) {
      make_light(work, work.sums ? *work.frame : sums.frame, sums, hasher, account);
      account.progress.next_part();
    }
    game_.begin_next_pass(sums, work.checkpoint);
  }
  return false;
}

/// Plays a frame of a film, two frames before its light is made, unless it was played.
void Renderer::Implementation::play_frame_of_film(const std::shared_ptr<const PreparedFrame>& frame,
                                                  RenderAccount& account) {
  if (film_.has(*frame)) return;
  const double clumps = game_.measure_clumps(*frame, whole_of(frame->plan));
  PictureSums sums(*device_, *frame, options_.linear);
  sums.begin_light(*frame, 0);
  account.expect_stages(*frame, sums.buffers, 0);
  RenderStatistics& totals = account.totals;
  const RenderStatistics before = totals;
  game_.begin(sums, bytes_of_window(*frame, options_));
  const auto start = Clock::now();
  game_.play_pass({.frame = frame.get()}, sums, account);
  film_.take(frame, clumps, sums,
             {totals.samples - before.samples, totals.bad_values - before.bad_values,
              seconds_since(start), totals.gather_s - before.gather_s});
}

/// `look`: whose light it is.
void Renderer::Implementation::make_light(const RenderWork& work, const PreparedFrame& look,
                                          PictureSums& sums, StageHasher& hasher,
                                          RenderAccount& account) {
  if (work.develop == Develop::again) return;
  if (work.window) return make_light_of_film(*work.window, sums, hasher, account);
  account.expect_stages(look, sums.buffers, 1);
  const auto start = Clock::now();
  account.progress.at(RenderStage::select, 0);
  hasher.histogram();
  if (work.sums) {  // they stay, and each picture of them has a look of its own
    sums.light.reset();
    sums.buffers.make_room(*device_, look.plan);  // another estimator may need more
    sums.begin_light(look, look.clumps > 0 ? look.clumps : 1);
  }
  sums.light->run(sums.pass, sums.buffers, account.progress.listener());
  if (work.sums) sums.light.reset();
  if (sums.is_last_pass()) hasher.light();
  account.totals.output_s += seconds_since(start);
}

/// Makes light of what the window's frames were played for.
void Renderer::Implementation::make_light_of_film(const FilmWindow& window, PictureSums& sums,
                                                  StageHasher& hasher, RenderAccount& account) {
  const auto start = Clock::now();
  account.progress.at(RenderStage::gather, 0);
  film_.make_light(window, sums.buffers);
  hasher.light();
  account.totals.output_s += seconds_since(start);
}

Image Renderer::Implementation::make_pixels(const RenderWork& work, const PreparedFrame& look,
                                            PictureSums& sums, StageHasher& hasher,
                                            RenderAccount& account) {
  RenderStatistics& totals = account.totals;
  DevelopStage& develop = develop_of(work);
  if (sums.light) totals.iterate_s = seconds_since(account.start) - totals.output_s;
  const auto start = Clock::now();
  std::optional<Exchange<std::uint64_t>> scratch;  // sums that stay are not used up
  if (sums.scratch.size() > 0) scratch.emplace(sums.buffers.histogram, sums.scratch);
  std::optional<Exchange<float>> hits;
  if (work.window) hits.emplace(sums.buffers.hits, film_.hits(look));
  const bool may_stay = &look == work.frame && !work.checkpoint;  // no stripe of the picture
  DevicePicture* const to = may_stay ? work.to : nullptr;
  Image rows = work.develop == Develop::again
                   ? develop.pack(look.plan, sums.buffers, to, account.histogram_done, totals)
                   : develop.run(look.picture(), sums.buffers, to, account.histogram_done, totals,
                                 hasher.filtered(account.progress.listener()));
  account.progress.next_part();
  totals.output_s += seconds_since(start);
  if (work.window) film_.tell(look, totals);
  return rows;
}

/// Makes a picture that stays on the device, amid the work whose sums they are: no account is kept of it.
void Renderer::Implementation::make_measured(const MeasuredWork& work, PictureSums& sums) {
  const DeviceArray<Vec4>& light = sums.buffers.light;
  sums.light->set(work.log_curve, work.more);
  sums.light->run_of(work.sums, light.data());
  RenderStatistics ignored;
  develop_.develop(sums.frame.picture(), plan_tone(sums.frame.flame, false), light, work.scratch,
                   ignored);
  pack(*device_, sums.frame.plan, light.data(), work.packed, false);
}

std::unique_ptr<PictureSums> Renderer::Implementation::begin(PreparedFrame& frame) {
  for (DevelopStage* const develop : {&develop_, &develop_small_}) develop->forget();
  const std::uint64_t scratch = sums_shape(frame, options_).bytes();
  plan_memory(frame, options_, *device_, scratch, "sums that are kept are never made in stripes")
      .or_throw();
  if (light_stage(frame.plan).needs_game)
    frame.clumps = game_.measure_clumps(frame, whole_of(frame.plan));
  auto sums = std::make_unique<PictureSums>(*device_, frame, false);
  sums->scratch = {*device_, sums->buffers.histogram.size()};
  game_.begin(*sums, scratch);
  return sums;
}

void Renderer::Implementation::expect(const RenderWork& work, const MemoryPlan& memory,
                                      RenderAccount& account) {
  account.progress.plan(work.frame->plan);
  const int stripes = int(memory.stripes.size());
  std::uint64_t samples = std::uint64_t(stripes) * samples_of(*work.frame);
  if (work.window) {
    samples = 0;
    for (const auto& frame : work.window->frames)
      if (!film_.has(*frame)) samples += samples_of(*frame);
  }
  account.progress.samples(samples);
  account.progress.parts(work.window ? 1 : stripes * work.frame->flame.passes);
}

/// Hands the rows of a stripe to options.on_rows, or puts them below the rows that `picture` has. A
/// whole picture is one stripe.
void Renderer::Implementation::put_away(const PreparedFrame& whole, const Stripe& stripe,
                                        Image rows, Image& picture) const {
  rows.pixel_aspect = whole.flame.pixel_aspect;
  rows.dpi = options_.dpi;
  if (options_.crop) crop_rows(rows, stripe.first_row, *options_.crop);
  if (options_.crop_marks > 0)
    add_crop_marks(rows, stripe.first_row, whole.plan.height, int(options_.crop_marks),
                   options_.dpi);
  const int height = options_.crop ? options_.crop->height
                     : options_.crop_marks > 0
                         ? whole.plan.height + 2 * crop_mark_margin(options_.dpi)
                         : whole.plan.height;
  if (stripe.rows == whole.plan.height)
    picture = std::move(rows);
  else if (rows.height == 0)
    return;
  else if (options_.on_rows)
    options_.on_rows({rows, height, samples_of(whole)});
  else
    append_rows(rows, height, picture);
}

Renderer::Renderer(const RenderOptions& options) : Renderer(options, nullptr) {}
Renderer::Renderer(const RenderOptions& options, std::unique_ptr<Device> device) {
  check_options(options);  // before a device is asked for what it cannot do
  implementation_ = std::make_unique<Implementation>(options, std::move(device));
}
Renderer::~Renderer() = default;
void Renderer::change(const RenderOptions& options) {
  check_options(options);
  implementation_->change(options);
}
std::string Renderer::device() const { return implementation_->device(); }
std::string Renderer::devices() const { return implementation_->devices(); }
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

void Renderer::check_fits(const Frame& still) const { implementation_->check_fits(still); }
PreparedFrame Renderer::prepare(const Frame& still) const {
  check_fits(still);
  return implementation_->prepare(still);
}
Image Renderer::render(const Frame& frame, RenderStatistics* statistics) {
  return render(prepare(frame), statistics);
}
Image Renderer::render(const PreparedFrame& frame, RenderStatistics* statistics) {
  return make({.frame = &frame}, statistics).value_or(Image{});
}
Image Renderer::render(const FilmWindow& window, RenderStatistics* statistics) {
  const RenderWork work{.frame = window.frames.at(window.own).get(),
                        .window = window.is_joined() ? &window : nullptr};
  return make(work, statistics).value_or(Image{});
}
std::optional<Image> Renderer::make(const RenderWork& work, RenderStatistics* statistics) {
  return implementation_->make(work, statistics);
}
std::unique_ptr<PictureSums> Renderer::begin(PreparedFrame& frame) {
  return implementation_->begin(frame);
}
double Renderer::measure_clumps(PictureSums& sums) { return implementation_->measure_clumps(sums); }

Image render(const Flame& flame, const RenderOptions& options, RenderStatistics* statistics) {
  return Renderer(options).render(Frame{flame, {}, {}, 0}, statistics);
}

}  // namespace kiln
