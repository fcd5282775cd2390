// Plays a still whose sums are kept (keeping.h).
#pragma once

#include <future>

#include "engine/base/clock.h"
#include "engine/render/chaos_game.h"
#include "engine/render/keeping.h"
#include "engine/render/prepared_frame.h"

namespace kiln {

/// Throws Error (usage) where sums of this frame cannot be kept: several passes, motion, cross-checks.
void check_keeping(const PreparedFrame& frame, const RenderOptions& options);

/// Memory beside the picture's: the copy that is written, the second half of two, and looks at them.
std::uint64_t kept_bytes(const PreparedFrame& frame, const Keeping& keeping);

class KeptGame {
 public:
  /// Measures sums in halves of which so many units are done; may use up the histogram.
  using Look =
      std::function<PictureNoise(const std::vector<std::vector<std::uint64_t>>&, std::uint64_t)>;

  /// `histogram` is the picture's, [height][width][channels]. Throws Error (usage) where the sums
  /// that are there are not of this picture.
  KeptGame(Device& device, GameRunner& game, const PreparedFrame& frame,
           const RenderOptions& options, Keeping& keeping, std::uint64_t* histogram, Look look);

  /// Samples that this run has to play for a picture, as far as is known.
  std::uint64_t samples_to_play() const;
  /// How often its noise will be looked at, as far as is known.
  int looks_to_come() const;
  /// Of the launch under way.
  std::uint64_t units_launched() const { return launch_; }
  /// Plays what is missing of the shard, and saves it. True if with that the picture is complete:
  /// good enough, out of time, or all whole units are there and the cut one is played too; then the
  /// histogram is the picture's. on_progress gets the samples played. Where the device fails, what
  /// is finished is saved if it can be had.
  bool play(const std::function<void(std::uint64_t)>& on_progress);

  /// Plays the cut unit, when all whole ones are in the histogram, those of other shares by other
  /// hands: then it is the picture's. Adds the unit's counts to `totals`.
  void play_cut_unit(GameTotals& totals);

  /// Samples and bad values of all units that are in the histogram, and the samples among them that
  /// were there before.
  GameTotals totals() const;
  std::uint64_t earlier_samples() const { return earlier_ * unit_samples; }

 private:
  using OnProgress = std::function<void(std::uint64_t)>;
  enum class Course { on, stopped, complete };

  UnitRange whole() const { return {0, game_.whole_units()}; }
  /// Whether what is done is a picture of so many units, and of none behind them.
  bool is_picture() const { return done_.ranges().size() == 1 && done_.contains({0, 1}); }
  void check_shape() const;
  void check_ends() const;
  void restore();
  Course play_shard(const OnProgress& on_progress);
  Course play_range(UnitRange range, const OnProgress& on_progress);
  /// Plays some of the first units of a range, and returns how many.
  std::uint64_t play_part(const UnitRange& part, const std::function<void()>& ask);
  Course after_part();
  bool noise_is_enough();
  void measure();
  bool finish();
  void rescue();
  double quality_now() const;
  void copy_sums();
  void start_saving();
  /// Waits for a save under way; `last`: its failure is the render's.
  void finish_saving(bool last);
  bool is_saving() const;
  /// The histogram of the picture from the halves, which were copied.
  void join_halves();

  Device& device_;
  GameRunner& game_;
  const PreparedFrame& frame_;
  const RenderOptions& options_;
  Keeping& keeping_;
  const Look look_;
  const Clock::time_point begun_ = Clock::now();
  SumsShape shape_;
  std::vector<std::uint64_t*> histograms_;  // the picture's, then that of odd halves
  DeviceArray<std::uint64_t> odd_half_;
  UnitSet done_;
  std::uint64_t earlier_ = 0, earlier_bad_values_ = 0;
  GameTotals played_;
  std::uint64_t next_look_ = 0;  // units; 0: no noise is asked for
  double expected_units_ = 0;    // by the last look, or what is usual
  double fall_ = 0.5;            // look_plan.h
  std::uint64_t launch_ = 0;     // units of the launch under way
  std::uint64_t measured_ = 0;   // units of keeping_.noise
  bool use_copies_ = false;      // the histogram serves something else; the copies are the sums
  bool wants_save_ = false;
  std::future<void> saving_;  // last: reads keeping_.sums
};

}  // namespace kiln
