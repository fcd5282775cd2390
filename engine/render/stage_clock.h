// How much of a render is done and how long the rest takes, from what its stages are expected to
// take (stage_costs.h) and what those took that are under way or over. It asks no clock: whoever
// calls says when it is.
//
// What a stage takes follows, once a twentieth of it is done, from what that took; until then from
// what was expected of it, which all stages after the game that are over correct: they run on the
// same machine. The share that is done is one of time, so bar and time to go say the same.
#pragma once

#include <array>
#include <cstddef>
#include <functional>

namespace kiln {

/// In the order of a picture in one pass; of a picture in several passes or stripes each comes
/// several times.
enum class RenderStage { iterate, select, far, gather, filter, effects, tone };
constexpr std::size_t stage_count = 7;

/// Of each RenderStage, of all passes and stripes together.
using StageSeconds = std::array<double, stage_count>;

/// Hears that so much of a stage is done, 0..1, and that those before it are over.
using HearStage = std::function<void(RenderStage, double done)>;

/// As Progress::stage has it.
const char* name_of(RenderStage stage);

class StageClock {
 public:
  explicit StageClock(const StageSeconds& expected) : expected_(expected) {}

  /// What a stage that is not over is expected to take, where it turns out to be something else.
  void expect(RenderStage stage, double seconds) { expected_[std::size_t(stage)] = seconds; }
  /// The game ends after so many seconds, if it has not before.
  void limit(double seconds) { limit_ = seconds; }
  /// Before the game ends its picture will be looked at for so long; for `spent` it was, in what the
  /// game took.
  void looks(double spent, double to_come);
  /// `done` of the stage, 0..1, is behind, and it is under way: so it is `now`, in seconds since the
  /// render began.
  void at(RenderStage stage, double done, double now);
  /// The stage under way goes on; how far it is nobody says.
  void pass(double now);

  RenderStage stage() const { return stage_; }
  /// Seconds that a stage took until now.
  double spent(RenderStage stage) const { return spent_[std::size_t(stage)]; }
  double remaining() const;
  /// Share of the time, 0..1; never less than it was.
  double done();

 private:
  double correction() const;
  double seconds_of(RenderStage stage) const;

  StageSeconds expected_;
  StageSeconds spent_{}, spent_when_said_{};  // until now; when `done_` was said
  StageSeconds done_{};
  RenderStage stage_ = RenderStage::iterate;
  double now_ = 0, limit_ = 0, looked_s_ = 0, looks_s_ = 0, most_done_ = 0;
};

}  // namespace kiln
