// Plays a still whose sums are kept (keeping.h).
#pragma once

#include <future>

#include "engine/render/chaos_game.h"
#include "engine/render/keeping.h"
#include "engine/render/prepared_frame.h"

namespace kiln {

/// Throws Error (usage) where sums of this frame cannot be kept: several passes, motion, cross-checks.
void check_keeping(const PreparedFrame& frame, const RenderOptions& options);

/// Memory beside the picture's: the copy that is written, and the second half of two.
std::uint64_t kept_bytes(const PreparedFrame& frame, const Keeping& keeping);

class KeptGame {
 public:
  /// `histogram` is the picture's, [height][width][channels]. Throws Error (usage) where the sums
  /// that are there are not of this picture.
  KeptGame(Device& device, GameRunner& game, const PreparedFrame& frame,
           const RenderOptions& options, Keeping& keeping, std::uint64_t* histogram);

  /// Samples that this run has to play for a picture.
  std::uint64_t samples_to_play() const;
  /// Plays what is missing of the share, and saves it. True if with that all whole units are there;
  /// then the cut one is played too, and the histogram is the picture's. on_progress gets the
  /// samples played.
  bool play(const std::function<void(std::uint64_t)>& on_progress);

  /// Plays the cut unit, when all whole ones are in the histogram, those of other shares by other
  /// hands: then it is the picture's. Adds the unit's counts to `totals`.
  void complete(GameTotals& totals);

  /// Samples and bad values of all units that are in the histogram, and the samples among them that
  /// were there before.
  GameTotals totals() const;
  std::uint64_t earlier_samples() const { return earlier_ * unit_samples; }

 private:
  UnitRange whole() const { return {0, game_.whole_units()}; }
  void check_shape() const;
  void restore();
  bool play_range(UnitRange range, const std::function<void(std::uint64_t)>& on_progress);
  void copy_sums();
  void start_saving();
  /// Waits for a save under way; `last`: its failure is the render's.
  void finish_saving(bool last);
  bool is_saving() const;
  /// The histogram of the picture from the halves.
  void join_halves();

  Device& device_;
  GameRunner& game_;
  const RenderOptions& options_;
  Keeping& keeping_;
  SumsShape shape_;
  std::vector<std::uint64_t*> histograms_;  // the picture's, then that of odd halves
  DeviceArray<std::uint64_t> odd_half_;
  UnitSet done_;
  std::uint64_t earlier_ = 0, earlier_bad_values_ = 0;
  GameTotals played_;
  bool wants_save_ = false;
  std::future<void> saving_;  // last: reads keeping_.sums
};

}  // namespace kiln
