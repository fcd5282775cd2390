// The algorithm, top to bottom: compile the flame (prepared_frame.cpp), play the chaos game into an
// integer histogram, log scale it, estimate densities, filter, spread light, tone map, pack.
// docs/algorithm.md has the mathematics; each stage's arithmetic is in kernels/<stage>.h.
#include "engine/render/renderer.h"

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/base/ranks.h"
#include "engine/base/resources.h"
#include "engine/device/device_kind.h"
#include "engine/model/crop_marks.h"
#include "engine/model/image.h"
#include "engine/program/compile.h"
#include "engine/render/accumulate/accumulation.h"
#include "engine/render/accumulate/chaos_game.h"
#include "engine/render/accumulate/checkpointed_game.h"
#include "engine/render/accumulate/clumps.h"
#include "engine/render/accumulate/device_group.h"
#include "engine/render/accumulate/noise_probe.h"
#include "engine/render/develop/develop_stage.h"
#include "engine/render/light/light_stage.h"
#include "engine/render/plan/picture_buffers.h"
#include "engine/render/plan/progress_report.h"
#include "engine/render/stages/stages.h"
#include "engine/render/stripes.h"

namespace kiln {
namespace {

std::uint64_t samples_of(const PreparedFrame& frame) {
  std::uint64_t samples = 0;
  for (int pass = 0; pass < frame.flame.passes; ++pass)
    samples += frame.compiled.samples_of_pass(pass);
  return samples;
}

/// Samples of a unit at most.
std::uint32_t unit_most(const PreparedFrame& frame, const Device& device) {
  if (!frame.quick) return std::uint32_t(unit_samples);
  constexpr std::uint64_t least = 16 * pool_slots;  // or warming up is all that is done
  const int units = frame.quick_units > 0 ? frame.quick_units : device.units_at_once();
  const std::uint64_t equal = samples_of(frame) / std::uint64_t(units) + 1;
  return std::uint32_t(std::clamp<std::uint64_t>(equal, least, unit_samples));
}

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

}  // namespace

class Renderer::Implementation {
 public:
  /// `device`: null: the one that the options ask for.
  Implementation(const RenderOptions& options, std::unique_ptr<Device> device)
      : options_(options),
        group_(options),
        device_(device ? std::move(device) : open_device(options)),
        permutations_(*device_, pool_permutations()),
        develop_(*device_) {
    device_->choose_game(options.game);
  }
  void change(const RenderOptions& options) {
    if (options.backend != options_.backend || options.device != options_.device ||
        options.threads != options_.threads || options.helpers != options_.helpers)
      fail(ErrorKind::usage, "the device is open: backend, numbers and threads stay");
    if (options.game != options_.game) device_->choose_game(options.game);
    options_ = options;
    forget_window();
  }
  /// `checkpoint`: null where nobody keeps the sums. `window`: null, or that of this frame.
  std::optional<Image> render(const PreparedFrame& frame, Checkpoint* checkpoint,
                              RenderStatistics* statistics, const FilmWindow* window = nullptr);
  void check_fits(const Frame& still) const {
    device_->use();  // another thread may have opened it, or this one another GPU
    check_least_memory(still, options_, *device_);
  }
  PreparedFrame prepare(const Frame& still) const {
    device_->watch(options_.stop);
    return kiln::prepare(still, options_, device_.get());
  }
  void render_into(DevicePicture* place) { place_ = place; }
  const Device& device() const { return *device_; }

 private:
  /// What a render says of itself.
  struct Account {
    ProgressReport progress;
    RenderStatistics totals;
    Clock::time_point start = {}, histogram_done = {};  // of the first pass, of the last one
  };
  std::optional<Image> make(const PreparedFrame& whole, Checkpoint* checkpoint, Account& account);
  Image make(const FilmWindow& window, Account& account);
  void forget_window() {
    window_.reset();
    played_ = {};
  }
  int place_in_window(const std::shared_ptr<const PreparedFrame>& frame) const;
  void play_into_window(const std::shared_ptr<const PreparedFrame>& frame, std::uint64_t beside,
                        Account& account);
  double clumps_of(const PreparedFrame& whole, const MemoryPlan& memory);
  PassOfGame pass_of(const PreparedFrame& frame, const Checkpoint* checkpoint,
                     std::uint64_t room) const;
  bool accumulate_pass(Accumulator& game, const PassOfGame& pass, Checkpoint* checkpoint,
                       LightStage& light, PictureBuffers& buffers, Account& account);
  bool accumulate_kept(Accumulator& game, const PreparedFrame& frame, Checkpoint& checkpoint,
                       LightStage& light, PictureBuffers& buffers, Account& account);
  void expect_stages(const PreparedFrame& frame, const PictureBuffers& buffers, double more,
                     Account& account);
  void put_away(const PreparedFrame& whole, const Stripe& stripe, Image rows, Image& picture) const;

  RenderOptions options_;
  DeviceGroup group_;  // opens its devices meanwhile
  const std::unique_ptr<Device> device_;
  const DeviceArray<std::uint16_t> permutations_;
  DevelopStage develop_;
  double slowness_ = 0;             // slowness_of(*device_), once it was asked for
  DevicePicture* place_ = nullptr;  // of pixels; null: the image

  /// A frame that is played, at its place in the window.
  struct Played {
    std::shared_ptr<const PreparedFrame> frame;  // null: the place is free
    DeviceArray<float> hits;                     // PictureBuffers::hits
    std::uint64_t samples = 0, bad_values = 0;
    double iterate_s = 0, gather_s = 0;
  };
  std::unique_ptr<FrameWindow> window_;
  std::array<Played, FrameWindow::places> played_;
};

std::optional<Image> Renderer::Implementation::render(const PreparedFrame& frame,
                                                      Checkpoint* checkpoint,
                                                      RenderStatistics* statistics,
                                                      const FilmWindow* window) {
  check_together(frame, options_, checkpoint);
  device_->use();  // as in check_fits()
  if (!window) forget_window();
  device_->watch(options_.stop);
  Account account{{options_, samples_of(frame)}, {}};
  account.totals.quality = frame.flame.quality;
  const Listening listening(*device_, account.progress);
  std::optional<Image> picture;
  try {
    picture = window ? make(*window, account) : make(frame, checkpoint, account);
  } catch (const Error& error) {  // stopped after the game: what it came to is saved
    forget_window();
    if (!checkpoint || error.kind != ErrorKind::stopped) throw;
    if (checkpoint->unsaved) std::rethrow_exception(checkpoint->unsaved);
    if (!checkpoint->saved) throw;
    checkpoint->stopped = true;
  }
  account.totals.device = device_->describe() + group_.describe();
  account.totals.warning = resolution_warning(frame.compiled);
  if (!group_.losses().empty())
    account.totals.warning += (account.totals.warning.empty() ? "" : "; ") + group_.losses();
  account.totals.peak_memory_bytes = peak_memory_bytes();
  if (statistics) *statistics = account.totals;
  return picture;
}

/// The algorithm, a sentence and a call a stage. Nothing where the sums that are kept are no picture
/// yet, or another rank has it.
std::optional<Image> Renderer::Implementation::make(const PreparedFrame& whole,
                                                    Checkpoint* checkpoint, Account& account) {
  // Memory is asked for once: the answer is the whole picture, stripes of it, or a refusal.
  const std::uint64_t beside = checkpoint ? kept_bytes(whole, *checkpoint) : 0;
  const char* const why_whole =
      checkpoint ? "sums that are kept are never made in stripes" : nullptr;
  const MemoryPlan memory = plan_memory(whole, options_, *device_, beside, why_whole).or_throw();
  const int stripes = int(memory.stripes.size()), passes = whole.flame.passes;
  account.progress.plan(whole.plan);
  account.progress.samples(std::uint64_t(stripes) * samples_of(whole));
  account.progress.parts(stripes * passes);
  develop_.render_into(memory.is_whole() && !checkpoint ? place_ : nullptr);
  const bool is_first_rank = !options_.ranks || options_.ranks->is_first();
  RenderStatistics& totals = account.totals;

  // Some stages need a game of their own before: cleaning has to know how much hits come in clumps, in the
  // whole picture.
  const double clumps = clumps_of(whole, memory);
  std::optional<Image> picture;
  for (const Stripe& stripe : memory.stripes) {
    if (!memory.is_whole()) device_->free_waiting();  // the first and the last have other sizes
    std::optional<PreparedFrame> part;
    const PreparedFrame& frame = memory.is_whole() ? whole : part.emplace(frame_of(whole, stripe));
    PictureBuffers buffers(*device_, frame, options_.linear);
    LightStage light(*device_, frame, buffers, clumps);
    StageHasher hasher(*device_, frame.plan, buffers, options_.stages ? &totals.stages : nullptr);
    if (stripe.first_row == 0) account.start = Clock::now();
    expect_stages(frame, buffers, 0, account);
    const std::uint64_t taken = memory_need(frame, options_).picture +
                                (memory.is_whole() ? beside : bytes_of_rows(whole, options_));
    PassOfGame pass = pass_of(frame, checkpoint, room_for_game(frame, taken, options_, *device_));
    std::optional<Accumulator> game(std::in_place, *device_, frame.compiled, pass.room,
                                    permutations_.data(), pass.unit_most);
    for (pass.number = 0; pass.number < passes; ++pass.number) {
      // The chaos game fills the histogram with integer sums.
      const bool complete = accumulate_pass(*game, pass, checkpoint, light, buffers, account);
      if (!complete) return std::nullopt;
      // From here on this histogram has all units of the pass, those of other devices too; that of
      // another rank is of no more use.
      if (!is_first_rank) continue;
      // The logarithm and density estimation make light of it, beside that of the passes before.
      expect_stages(frame, buffers, 1, account);
      const auto start = Clock::now();
      account.progress.at(RenderStage::select, 0);
      hasher.histogram();
      light.run(pass.number, buffers, account.progress.listener());
      if (pass.number + 1 == passes) hasher.light();
      totals.output_s += seconds_since(start);
      if (pass.number + 1 < passes) account.progress.next_part();
    }
    game.reset();
    if (!is_first_rank) continue;
    // Nobody needs the sums any more, and their memory serves what makes pixels of light: filter,
    // bloom and glare, tone mapping, packing.
    totals.iterate_s = seconds_since(account.start) - totals.output_s;
    const auto start = Clock::now();
    Image rows = develop_.run(frame.picture(), buffers, account.histogram_done, totals,
                              hasher.filtered(account.progress.listener()));
    account.progress.next_part();
    totals.output_s += seconds_since(start);
    put_away(whole, stripe, std::move(rows), picture ? *picture : picture.emplace());
  }
  totals.samples /= std::uint64_t(stripes);  // the same ones each time
  totals.bad_values /= std::uint64_t(stripes);
  return picture;
}

/// A frame of a film that is cleaned: it is played two frames before it is light, and its counts stay
/// until two frames after it.
Image Renderer::Implementation::make(const FilmWindow& window, Account& account) {
  const PreparedFrame& own = *window.frames[window.own];
  const std::uint64_t beside = bytes_of_window(own, options_);
  KILN_CHECK(window.frames.size() <= played_.size(), "{} frames", window.frames.size());
  develop_.render_into(place_);
  if (window_ && !window_->holds(own.plan)) window_.reset();
  for (Played& played : played_)
    if (!window_ ||
        std::find(window.frames.begin(), window.frames.end(), played.frame) == window.frames.end())
      played = {};
  if (!window_) {  // its own memory is no longer free afterwards
    plan_window(own, options_, *device_).or_throw();
    window_ = light_stage(own.plan).window.make(*device_, own.plan);
  }

  account.progress.plan(own.plan);
  std::uint64_t samples = 0;
  for (const auto& frame : window.frames)
    if (place_in_window(frame) < 0) samples += samples_of(*frame);
  account.progress.samples(samples);
  account.start = account.histogram_done = Clock::now();
  std::vector<int> others;
  for (const auto& frame : window.frames) {
    if (place_in_window(frame) < 0) play_into_window(frame, beside, account);
    if (frame.get() != &own) others.push_back(place_in_window(frame));
  }
  RenderStatistics& totals = account.totals;
  const auto start = Clock::now();
  Played& played = played_[std::size_t(place_in_window(window.frames[window.own]))];
  PictureBuffers buffers(*device_, own, false);
  StageHasher hasher(*device_, own.plan, buffers, options_.stages ? &totals.stages : nullptr);
  account.progress.at(RenderStage::gather, 0);
  window_->run(int(&played - played_.data()), others, own.plan, buffers.light.data());
  hasher.light();
  std::swap(buffers.hits, played.hits);
  Image picture = develop_.run(own.picture(), buffers, account.histogram_done, totals,
                               hasher.filtered(account.progress.listener()));
  std::swap(buffers.hits, played.hits);
  account.progress.next_part();
  totals.output_s = seconds_since(start);
  totals.samples = played.samples;
  totals.bad_values = played.bad_values;
  totals.iterate_s = played.iterate_s;
  totals.gather_s = played.gather_s;
  Image whole;
  put_away(own, {0, own.plan.height, 0, own.plan.geometry.height}, std::move(picture), whole);
  return whole;
}

/// -1: it is not played.
int Renderer::Implementation::place_in_window(
    const std::shared_ptr<const PreparedFrame>& frame) const {
  for (std::size_t place = 0; place < played_.size(); ++place)
    if (played_[place].frame == frame) return int(place);
  return -1;
}

void Renderer::Implementation::play_into_window(const std::shared_ptr<const PreparedFrame>& frame,
                                                std::uint64_t beside, Account& account) {
  const int place = place_in_window(nullptr);
  Played& played = played_[std::size_t(place)];
  PictureBuffers buffers(*device_, *frame, options_.linear);
  const double clumps =
      measure_clumps(*device_, *frame, options_, permutations_.data(), buffers).factor();
  LightStage light(*device_, *frame, buffers, 0);
  expect_stages(*frame, buffers, 0, account);
  const std::uint64_t taken = memory_need(*frame, options_).picture + beside;
  const PassOfGame pass =
      pass_of(*frame, nullptr, room_for_game(*frame, taken, options_, *device_));
  Accumulator game(*device_, frame->compiled, pass.room, permutations_.data(), pass.unit_most);
  RenderStatistics& totals = account.totals;
  const RenderStatistics before = totals;
  const auto start = Clock::now();
  accumulate_pass(game, pass, nullptr, light, buffers, account);
  light.take(buffers, place, clumps, *window_);
  played = {frame,
            std::move(buffers.hits),
            totals.samples - before.samples,
            totals.bad_values - before.bad_values,
            seconds_since(start),
            totals.gather_s - before.gather_s};
}

double Renderer::Implementation::clumps_of(const PreparedFrame& whole, const MemoryPlan& memory) {
  if (!light_stage(whole.plan).needs_game) return 1;
  if (whole.clumps > 0) return whole.clumps;
  ClumpSums sums;
  for (const Stripe& stripe : memory.stripes) {
    std::optional<PreparedFrame> part;
    const PreparedFrame& frame = memory.is_whole() ? whole : part.emplace(frame_of(whole, stripe));
    PictureBuffers buffers(*device_, frame, false);
    sums += measure_clumps(*device_, frame, options_, permutations_.data(), buffers);
  }
  return sums.factor();
}

PassOfGame Renderer::Implementation::pass_of(const PreparedFrame& frame,
                                             const Checkpoint* checkpoint,
                                             std::uint64_t room) const {
  const bool in_parts = checkpoint != nullptr;
  const std::uint32_t stride = in_parts && checkpoint->sums.shape.halves ? 2 : 1;
  return {frame,   options_.seed, 0, flam3_fuse(options_), stride, room, unit_most(frame, *device_),
          in_parts};
}

/// True where with this the histogram of a pass is complete.
bool Renderer::Implementation::accumulate_pass(Accumulator& game, const PassOfGame& pass,
                                               Checkpoint* checkpoint, LightStage& light,
                                               PictureBuffers& buffers, Account& account) {
  game.number(pass.frame.number);
  game.begin(pass.seed, pass.number, pass.flam3_fuse, pass.stride);
  group_.begin(*device_, game, pass);
  if (checkpoint) return accumulate_kept(game, pass.frame, *checkpoint, light, buffers, account);
  Accumulation sums(*device_, buffers.histogram);
  sums.clear();
  RenderStatistics& totals = account.totals;
  const std::uint64_t all = pass.frame.compiled.samples_of_pass(pass.number);
  std::uint64_t next_look = all / 20;  // of so few the picture's light can be told
  const auto ask = [&](std::uint64_t samples) {
    account.progress.iterated(totals.samples + samples, sums.launch * unit_samples);
    if (samples <= next_look || !group_.is_empty() || account.progress.is_young(*device_)) return;
    next_look = samples * 4;
    expect_stages(pass.frame, buffers, double(all) / double(samples), account);
  };
  const Shard mine =
      options_.ranks ? Shard{options_.ranks->rank() + 1, options_.ranks->count()} : Shard{};
  Player& player = group_.is_empty() ? static_cast<Player&>(game) : group_;
  accumulate(player, units_of_shard(game.units(), game.chains(), mine), sums, ask);
  group_.sum_ranks(*device_, buffers.histogram, sums.totals);
  totals.samples += sums.totals.samples;
  totals.bad_values += sums.totals.bad_values;
  totals.gather_s += group_.gather_s();
  account.histogram_done = Clock::now();
  return true;
}

/// The same of sums that are kept; false where it was stopped or they are a shard.
bool Renderer::Implementation::accumulate_kept(Accumulator& game, const PreparedFrame& frame,
                                               Checkpoint& checkpoint, LightStage& light,
                                               PictureBuffers& buffers, Account& account) {
  NoiseProbe probe(frame, options_, buffers, *device_, light, develop_);
  if (checkpoint.sums.shape.halves) probe.make_room(buffers.histogram.size());
  Player& player = group_.is_empty() ? static_cast<Player&>(game) : group_;
  CheckpointedGame kept(*device_, game, player, frame, options_, checkpoint, buffers.histogram,
                        std::ref(probe));
  bool complete = kept.play([&](std::uint64_t samples) {
    account.progress.samples(kept.samples_to_play());
    account.progress.looks(probe.count(), probe.seconds(), kept.probes_to_come());
    account.progress.iterated(samples - kept.earlier().samples,
                              kept.units_launched() * unit_samples);
  });
  GameTotals totals = kept.totals();
  if (options_.ranks && checkpoint.stopped) options_.ranks->give_up();
  const bool is_shard_of_ranks = options_.ranks && !checkpoint.stopped && !complete;
  if (is_shard_of_ranks) {
    group_.sum_ranks(*device_, buffers.histogram, totals);
    complete = options_.ranks->is_first();
    if (complete) kept.play_partial_unit(totals);
  }
  if (checkpoint.quality > 0)
    probe.set_light(totals.samples / unit_samples);
  else if (checkpoint.noise)
    light.set(frame.plan.log_curve, 1);
  RenderStatistics& said = account.totals;
  said.samples = totals.samples;
  said.bad_values = totals.bad_values;
  said.earlier_samples = kept.earlier().samples;
  said.gather_s = group_.gather_s();
  if (checkpoint.noise) {
    said.noise = checkpoint.noise->rms;
    said.noise_error = checkpoint.noise->error;
  }
  if (checkpoint.end != Checkpoint::End::quality)
    said.ended_by = checkpoint.end == Checkpoint::End::noise ? "noise" : "time";
  if (checkpoint.quality > 0) said.quality = checkpoint.quality;
  account.histogram_done = Clock::now();
  if (checkpoint.stop.stop_possible()) device_->watch(checkpoint.stop);
  return complete;
}

/// What the stages will take, by a histogram that will be `more` times as much; 0: there is none. Of a young
/// picture it is not read: for that a GPU takes as long as for a quarter of a film's frame, and its other stages
/// are soon over anyway.
void Renderer::Implementation::expect_stages(const PreparedFrame& frame,
                                             const PictureBuffers& buffers, double more,
                                             Account& account) {
  if (!account.progress.is_wanted()) return;
  const bool is_young = account.progress.is_young(*device_);
  if (is_young && !is_cpu(*device_)) return;
  if (slowness_ == 0) slowness_ = slowness_of(*device_);
  const double samples = double(account.progress.samples());
  const DensityLoad load =
      more > 0 && !is_young
          ? density_load(frame.plan, frame.compiled, *device_, buffers.histogram.data(), more)
          : even_load(frame.plan, frame.compiled);
  StageSeconds seconds = stage_costs(frame, samples, load, far_work(frame.plan, frame.far));
  for (double& stage : seconds) stage *= slowness_ * account.progress.contention(*device_);
  account.progress.expect(seconds);
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
std::string Renderer::device() const { return implementation_->device().describe(); }
void Renderer::render_into(DevicePicture* place) { implementation_->render_into(place); }
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
  return implementation_->render(frame, nullptr, statistics).value_or(Image{});
}
Image Renderer::render(const FilmWindow& window, RenderStatistics* statistics) {
  const PreparedFrame& own = *window.frames.at(window.own);
  const bool is_alone = window.frames.size() == 1;
  return implementation_->render(own, nullptr, statistics, is_alone ? nullptr : &window)
      .value_or(Image{});
}
std::optional<Image> Renderer::render(const PreparedFrame& frame, Checkpoint& checkpoint,
                                      RenderStatistics* statistics) {
  return implementation_->render(frame, &checkpoint, statistics);
}

Image render(const Flame& flame, const RenderOptions& options, RenderStatistics* statistics) {
  return Renderer(options).render(Frame{flame, {}, {}, 0}, statistics);
}

}  // namespace kiln
