#include "engine/render/stage_clock.h"

#include <algorithm>

namespace kiln {
namespace {

/// What is left of a stage that took longer than it was to: so much of it.
constexpr double never_less = 0.02;

}  // namespace

const char* name_of(RenderStage stage) {
  switch (stage) {
    case RenderStage::iterate:
      return "iterate";
    case RenderStage::select:
    case RenderStage::far:
    case RenderStage::gather:
      return "density estimation";
    default:
      return "filter";
  }
}

void StageClock::pass(double now) {
  spent_[std::size_t(stage_)] += std::max(0.0, now - now_);
  now_ = std::max(now_, now);
}

void StageClock::looks(double spent, double to_come) {
  const double more = std::max(0.0, spent - looked_s_);
  spent_[0] = std::max(0.0, spent_[0] - more);
  if (limit_ > 0) limit_ = std::max(limit_ - more, 1e-9);
  looked_s_ = std::max(looked_s_, spent);
  looks_s_ = to_come;
}

void StageClock::at(RenderStage stage, double done, double now) {
  pass(now);
  stage_ = stage;
  const std::size_t s = std::size_t(stage);
  done_[s] = std::clamp(done, 0.0, 1.0);
  spent_when_said_[s] = spent_[s];
}

/// How many times as long as expected the stages after the game take here.
double StageClock::correction() const {
  double expected = 0, spent = 0, all = 0;
  for (std::size_t s = 1; s < stage_count; ++s) {
    all += expected_[s];
    expected += done_[s] * expected_[s];
    spent += done_[s] > 0 ? spent_when_said_[s] : 0;
  }
  const double trust = 0.1 * all;  // in what was expected: of little nothing follows
  return all > 0 ? (spent + trust) / (expected + trust) : 1;
}

/// All of a stage.
double StageClock::seconds_of(RenderStage stage) const {
  // pieces of the far part are unlike each other
  const double enough = stage == RenderStage::far ? 0.3 : 0.05;
  const std::size_t s = std::size_t(stage);
  const double expected = expected_[s] * (stage == RenderStage::iterate ? 1 : correction());
  if (done_[s] <= 0) return expected;
  const double measured = spent_when_said_[s] / done_[s], weight = std::min(1.0, done_[s] / enough);
  return weight * measured + (1 - weight) * expected;
}

double StageClock::remaining() const {
  double sum = 0;
  for (std::size_t s = 0; s < stage_count; ++s) {
    if (done_[s] >= 1) continue;
    const double left = seconds_of(RenderStage(s)) * (1 - done_[s]);
    const double since = spent_[s] - spent_when_said_[s];
    double seconds = std::max(left - since, never_less * left);
    if (limit_ > 0 && RenderStage(s) == RenderStage::iterate)
      seconds = std::min(seconds, std::max(0.0, limit_ - spent_[s]));
    sum += seconds;
  }
  if (stage_ == RenderStage::iterate) sum += looks_s_;
  return sum;
}

double StageClock::done() {
  const double left = remaining();
  const double share = now_ + left > 0 ? now_ / (now_ + left) : 0;
  return most_done_ = std::max(most_done_, share);
}

}  // namespace kiln
