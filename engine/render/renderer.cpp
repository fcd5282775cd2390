// The algorithm, top to bottom: compile the flame (prepared_frame.cpp), play the chaos game into an
// integer histogram, log scale it, estimate densities, filter, spread light, tone map, pack.
// docs/algorithm.md has the mathematics; each stage's arithmetic is in kernels/<stage>.h.
#include "engine/render/renderer.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/peak_memory.h"
#include "engine/base/ranks.h"
#include "engine/model/crop.h"
#include "engine/program/compile.h"
#include "engine/render/chaos_game.h"
#include "engine/render/develop_stage.h"
#include "engine/render/game_team.h"
#include "engine/render/kept_game.h"
#include "engine/render/light_stage.h"
#include "engine/render/memory_need.h"
#include "engine/render/noise_look.h"
#include "engine/render/progress_report.h"
#include "engine/render/stripes.h"
#include "engine/render/sums_digest.h"

namespace kiln {
namespace {

/// Throws Error (usage) for what no frame like this can have.
void check_frame(const PreparedFrame& frame, const RenderOptions& options) {
  if (options.game != Game::permutation && frame.compiled.program.wide) {
    fail(ErrorKind::usage,
         "cross-checks play flam3's variations only, and this flame has others, pre_ or post_ "
         "forms or depth; leave --strategy and --rng out");
  }
  if (options.game != Game::permutation && frame.compiled.program.moment_count > 1) {
    fail(ErrorKind::usage,
         "--strategy divergent and --rng mtgp32 play a flame at one moment; leave them out for "
         "flames in motion");
  }
  if (options.crop) check_window(*options.crop, frame.flame.width, frame.flame.height);
}

std::string warning_of(const PreparedFrame& frame) {
  if (!frame.compiled.beyond_float) return {};
  return fmt::format(
      "{}: pixels are {:.2g} apart, finer than float coordinates resolve here: expect blocks",
      frame.flame.place(), frame.compiled.pixel_pitch);
}

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
  const std::uint64_t equal = samples_of(frame) / std::uint64_t(device.units_at_once()) + 1;
  return std::uint32_t(std::clamp<std::uint64_t>(equal, least, unit_samples));
}

}  // namespace

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

}  // namespace

class Renderer::Implementation {
 public:
  explicit Implementation(const RenderOptions& options)
      : options_(options),
        team_(options),
        device_(open_device(options)),
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
  }
  /// `keeping`: null where nobody keeps the sums.
  std::optional<Image> render(const PreparedFrame& frame, Keeping* keeping,
                              RenderStatistics* statistics);
  void leave_pixels_in(DevicePicture* place) { place_ = place; }
  const RenderOptions& options() const { return options_; }
  const Device& device() const { return *device_; }

 private:
  /// What a render says of itself.
  struct Account {
    ProgressReport progress;
    RenderStatistics totals;
    Clock::time_point start, histogram_done;  // of the first pass, of the last one
  };
  std::optional<Image> render_kept(const PreparedFrame& frame, Keeping& keeping, Account& account);
  std::optional<Image> render_stripes(const PreparedFrame& frame, Account& account);
  void hand_on(const PreparedFrame& frame, int first_row, Image rows);
  /// All of the picture, or a stripe; `bytes`: of device memory that it needs.
  std::optional<Image> render_rows(const PreparedFrame& frame, std::uint64_t bytes,
                                   Keeping* keeping, Account& account);
  /// Both: whether the histogram is complete with it.
  void expect_stages(const PreparedFrame& frame, const LightStage& light,
                     const PictureBuffers& buffers, double more, Account& account);
  bool play_chaos_game(GameRunner& game, const PassOfGame& pass, LightStage& light,
                       PictureBuffers& buffers, Account& account);
  bool play_kept_game(GameRunner& game, const PreparedFrame& frame, Keeping& keeping,
                      PictureBuffers& buffers, LightStage& light, Account& account);
  void scale_and_estimate(LightStage& stage, int pass, const PictureBuffers& buffers,
                          Account& account) const;
  Image develop(const PreparedFrame& frame, PictureBuffers& buffers, Account& account);

  RenderOptions options_;
  GameTeam team_;  // opens its devices meanwhile
  const std::unique_ptr<Device> device_;
  const DeviceArray<std::uint16_t> permutations_;
  DevelopStage develop_;
  double slowness_ = 0;             // slowness_of(*device_), once it was asked for
  DevicePicture* place_ = nullptr;  // of pixels; null: the image
};

std::optional<Image> Renderer::Implementation::render(const PreparedFrame& frame, Keeping* keeping,
                                                      RenderStatistics* statistics) {
  check_frame(frame, options_);
  device_->use();  // another thread may have opened it, or this one another GPU
  device_->watch(options_.stop);
  Account account{{options_, samples_of(frame)}, {}, {}, {}};
  account.totals.quality = frame.flame.quality;
  const Listening listening(*device_, account.progress);
  account.progress.parts(frame.flame.passes);
  std::optional<Image> image =
      keeping ? render_kept(frame, *keeping, account) : render_stripes(frame, account);
  if (image) {
    image->pixel_aspect = frame.flame.pixel_aspect;
    if (options_.crop) crop(*image, *options_.crop);
  }
  account.totals.device = device_->describe() + team_.describe();
  account.totals.warning = warning_of(frame);
  if (!team_.losses().empty())
    account.totals.warning += (account.totals.warning.empty() ? "" : "; ") + team_.losses();
  account.totals.peak_memory_bytes = peak_memory_bytes();
  if (statistics) *statistics = account.totals;
  return image;
}

/// The picture of sums that are kept, or what they are stopped at: after the game they are saved.
std::optional<Image> Renderer::Implementation::render_kept(const PreparedFrame& frame,
                                                           Keeping& keeping, Account& account) {
  check_keeping(frame, options_);
  MemoryNeed need = memory_need(frame, options_);
  need.picture += kept_bytes(frame, keeping);
  check_memory(frame.flame, need, *device_, options_);
  try {
    return render_rows(frame, need.picture, &keeping, account);
  } catch (const Error& error) {
    if (error.kind != ErrorKind::stopped) throw;
    if (keeping.unsaved) std::rethrow_exception(keeping.unsaved);
    if (!keeping.all_saved) throw;
    keeping.stopped = true;
    return std::nullopt;
  }
}

/// The picture, in one go where it fits into memory.
std::optional<Image> Renderer::Implementation::render_stripes(const PreparedFrame& frame,
                                                              Account& account) {
  const std::vector<Stripe> stripes = plan_stripes(frame, options_, *device_);
  const std::uint64_t count = stripes.size();
  develop_.leave_pixels_in(count == 1 ? place_ : nullptr);
  if (count == 1) return render_rows(frame, memory_need(frame, options_).picture, nullptr, account);
  account.progress.samples(count * samples_of(frame));
  account.progress.parts(int(count) * frame.flame.passes);
  std::optional<Image> image;
  for (const Stripe& stripe : stripes) {
    device_->free_waiting();  // the first and the last one have other sizes
    const PreparedFrame part = frame_of(frame, stripe);
    std::optional<Image> made =
        render_rows(part, memory_need(part, options_).picture, nullptr, account);
    if (!made) continue;
    if (options_.on_rows)
      hand_on(frame, stripe.first_row, *std::move(made));
    else
      append_rows(*made, frame.plan.height, image ? *image : image.emplace());
  }
  account.totals.samples /= count;  // the same ones each time
  account.totals.bad_values /= count;
  return image;
}

/// Gives rows to who wants them while the picture is made.
void Renderer::Implementation::hand_on(const PreparedFrame& frame, int first_row, Image rows) {
  rows.pixel_aspect = frame.flame.pixel_aspect;
  if (options_.crop) crop_rows(rows, first_row, *options_.crop);
  const int height = options_.crop ? options_.crop->height : frame.plan.height;
  if (rows.height > 0) options_.on_rows({rows, height, samples_of(frame)});
}

std::optional<Image> Renderer::Implementation::render_rows(const PreparedFrame& frame,
                                                           std::uint64_t bytes, Keeping* keeping,
                                                           Account& account) {
  PictureBuffers buffers(*device_, frame, options_.linear);
  LightStage light_stage(*device_, frame, buffers, options_.exact_density);
  if (account.totals.samples == 0) account.start = Clock::now();
  expect_stages(frame, light_stage, buffers, 0, account);
  const std::uint64_t room = room_for_game(bytes, options_, *device_);
  {
    const std::uint32_t samples_a_unit = unit_most(frame, *device_);
    GameRunner game(*device_, frame.compiled, room, permutations_.data(), samples_a_unit);
    game.number(frame.number);
    for (int pass = 0; pass < frame.flame.passes; ++pass) {
      // -> histogram
      const PassOfGame of_pass{frame, options_.seed, pass, flam3_fuse(options_),
                               room,  samples_a_unit};
      const bool complete =
          keeping ? play_kept_game(game, frame, *keeping, buffers, light_stage, account)
                  : play_chaos_game(game, of_pass, light_stage, buffers, account);
      if (!complete) return std::nullopt;
      if (options_.ranks && !options_.ranks->is_first()) continue;
      expect_stages(frame, light_stage, buffers, 1, account);
      scale_and_estimate(light_stage, pass, buffers, account);  // histogram -> light
      if (pass + 1 < frame.flame.passes) account.progress.next_part();
    }
  }
  if (options_.ranks && !options_.ranks->is_first()) return std::nullopt;
  return develop(frame, buffers, account);  // light -> pixels
}

/// What the stages will take, by a histogram that will be `more` times as much; 0: there is none.
void Renderer::Implementation::expect_stages(const PreparedFrame& frame, const LightStage& light,
                                             const PictureBuffers& buffers, double more,
                                             Account& account) {
  if (!account.progress.is_wanted()) return;
  if (slowness_ == 0) slowness_ = slowness_of(*device_);
  const double samples = double(account.progress.samples());
  const DensityLoad load =
      more > 0 ? density_load(frame.plan, frame.compiled, *device_, buffers.histogram.data(), more)
               : even_load(frame);
  StageSeconds seconds = stage_costs(frame, samples, load, light.far_work());
  for (double& stage : seconds) stage *= slowness_ * account.progress.contention(*device_);
  account.progress.expect(seconds);
}

bool Renderer::Implementation::play_chaos_game(GameRunner& game, const PassOfGame& pass,
                                               LightStage& light, PictureBuffers& buffers,
                                               Account& account) {
  RenderStatistics& totals = account.totals;
  buffers.histogram.clear();
  const std::uint64_t all = pass.frame.compiled.samples_of_pass(pass.number),
                      a_launch = std::uint64_t(game.units_of_a_launch()) * unit_samples;
  std::uint64_t next_look = all / 20;  // of so few the picture's light can be told
  const auto on_progress = [&](std::uint64_t samples) {
    account.progress.iterated(totals.samples + samples, a_launch);
    if (samples <= next_look || !team_.is_empty()) return;
    next_look = samples * 4;
    expect_stages(pass.frame, light, buffers, double(all) / double(samples), account);
  };
  const GameTotals played = team_.is_empty()
                                ? game.play(buffers.histogram.data(), pass.seed, pass.number,
                                            pass.flam3_fuse, on_progress)
                                : team_.play(*device_, game, pass, buffers.histogram, on_progress);
  totals.samples += played.samples;
  totals.bad_values += played.bad_values;
  totals.gather_s += team_.gather_s();
  account.histogram_done = Clock::now();
  return true;
}

bool Renderer::Implementation::play_kept_game(GameRunner& game, const PreparedFrame& frame,
                                              Keeping& keeping, PictureBuffers& buffers,
                                              LightStage& light, Account& account) {
  NoiseLook look(frame, options_, buffers, *device_, light, develop_);
  KeptGame kept(*device_, game, frame, options_, keeping, buffers.histogram.data(), std::ref(look));
  bool complete = kept.play([&](std::uint64_t samples) {
    account.progress.samples(kept.samples_to_play());
    account.progress.looks(look.count(), look.seconds(), kept.looks_to_come());
    account.progress.iterated(samples, kept.units_launched() * unit_samples);
  });
  GameTotals totals = kept.totals();
  if (options_.ranks && keeping.stopped) options_.ranks->give_up();
  const bool is_shard_of_ranks = options_.ranks && !keeping.stopped && !complete;
  if (is_shard_of_ranks) {
    team_.sum_ranks(*device_, buffers.histogram, totals);
    complete = options_.ranks->is_first();
    if (complete) kept.play_cut_unit(totals);
  }
  if (keeping.quality > 0)
    look.take(totals.samples / unit_samples);
  else if (keeping.noise)
    light.take(frame.plan.log_curve, 1);
  account.totals.samples = totals.samples;
  account.totals.bad_values = totals.bad_values;
  account.totals.earlier_samples = kept.earlier_samples();
  if (keeping.noise) {
    account.totals.noise = keeping.noise->rms;
    account.totals.noise_error = keeping.noise->error;
  }
  if (keeping.end != Keeping::End::quality)
    account.totals.ended_by = keeping.end == Keeping::End::noise ? "noise" : "time";
  if (keeping.quality > 0) account.totals.quality = keeping.quality;
  account.histogram_done = Clock::now();
  if (keeping.stop.stop_possible()) device_->watch(keeping.stop);
  return complete;
}

void Renderer::Implementation::scale_and_estimate(LightStage& stage, int pass,
                                                  const PictureBuffers& buffers,
                                                  Account& account) const {
  const auto start = Clock::now();
  account.progress.at(RenderStage::select, 0);
  stage.run(pass, buffers, [&](RenderStage now, double done) { account.progress.at(now, done); });
  account.totals.output_s += seconds_since(start);
}

Image Renderer::Implementation::develop(const PreparedFrame& frame, PictureBuffers& buffers,
                                        Account& account) {
  RenderStatistics& totals = account.totals;
  totals.iterate_s = seconds_since(account.start) - totals.output_s;
  const auto start = Clock::now();
  Image image = develop_.run(frame.plan, buffers, account.histogram_done, totals,
                             [&](RenderStage now, double done) { account.progress.at(now, done); });
  account.progress.next_part();
  totals.output_s += seconds_since(start);
  return image;
}

Renderer::Renderer(const RenderOptions& options) {
  check_options(options);  // before a device is asked for what it cannot do
  implementation_ = std::make_unique<Implementation>(options);
}
Renderer::~Renderer() = default;
void Renderer::change(const RenderOptions& options) {
  check_options(options);
  implementation_->change(options);
}
std::string Renderer::device() const { return implementation_->device().describe(); }
void Renderer::leave_pixels_in(DevicePicture* place) { implementation_->leave_pixels_in(place); }
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

PreparedFrame Renderer::prepare(const Frame& still) const {
  check_least_memory(still, implementation_->options(), implementation_->device());
  return kiln::prepare(still, implementation_->options());
}
Image Renderer::render(const Frame& frame, RenderStatistics* statistics) {
  return render(prepare(frame), statistics);
}
Image Renderer::render(const PreparedFrame& frame, RenderStatistics* statistics) {
  return implementation_->render(frame, nullptr, statistics).value_or(Image{});
}
std::optional<Image> Renderer::render(const PreparedFrame& frame, Keeping& keeping,
                                      RenderStatistics* statistics) {
  return implementation_->render(frame, &keeping, statistics);
}

Image render(const Flame& flame, const RenderOptions& options, RenderStatistics* statistics) {
  return Renderer(options).render(Frame{flame, {}, {}, 0}, statistics);
}

}  // namespace kiln
