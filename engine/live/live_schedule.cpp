// SPDX-License-Identifier: MIT
#include "engine/live/live_schedule.h"

#include "engine/render/schedule/probe_schedule.h"
#include "engine/render/stages/stages.h"

namespace kiln {
namespace {

using Kind = LiveWork::Kind;

/// The true picture in another look may take so long where it is too small for a part of it: longer than the fog that
/// a sketch of it would be.
constexpr double look_s = 0.15;
/// The share of a whole picture that summing its buckets takes.
constexpr double binning_share = 0.06;

double pixels_of(const Flame& flame) { return double(flame.width) * flame.height; }

/// The side of the squares of pixels that become one of the stage.
int side_of_stage(const Flame& flame, double stage_pixels) {
  return stage_pixels > 0 ? int(std::sqrt(pixels_of(flame) / stage_pixels)) : 1;
}

LiveWork glance(int side, bool cleans) {
  LiveWork work;
  work.kind = Kind::glance;
  work.side = side;
  work.cleans = cleans;
  return work;
}

}  // namespace

LiveWork LiveSchedule::quick(const Flame& flame, double most_pixels, double budget_s, Sums sums,
                             Seen seen) {
  shows_flame_ = sums == Sums::own;
  has_noise_ = false;
  shown_quality_ = -1;
  glanced_quality_ = lent_quality_ = 0;
  stage_pixels_ = most_pixels;
  after_.reset();
  measured_.reset();
  if (shows_flame_ && develop_s_ <= budget_s) return {};
  if (sums != Sums::others) {
    if (const int side = glance_side(flame, most_pixels, budget_s); side > 0) {
      if (!shows_flame_) lent_quality_ = seen.quality;
      return glance(side, seconds_of_glance(side) <= budget_s);
    }
  }
  if (shows_flame_ && develop_s_ <= look_s) return {};
  return sketch(flame, most_pixels, budget_s);
}

LiveWork LiveSchedule::sketch(const Flame& flame, double most_pixels, double budget_s) {
  budget_s_ = budget_s;
  sketch_pixels_ = std::min(most_pixels, pixels_of(flame));
  const double cleaned = flame.is_cleaned() ? cleaning_.pixels(budget_s, sketch_pixels_) : 0;
  LiveWork work;
  work.kind = Kind::sketch;
  work.cleans = cleaned > 0;
  work.size = budgets_[work.cleans].size(sketch_pixels_);
  if (work.cleans) work.size.pixels = std::min(work.size.pixels, cleaned);
  return work;
}

void LiveSchedule::sketched(const LiveWork& work, double seconds, double output_s) {
  budgets_[work.cleans].spent(seconds, budget_s_, sketch_pixels_);
  cleaning_.spent(work.size.pixels, work.cleans, output_s);
}

double LiveSchedule::seconds_of_glance(int side) const {
  return develop_s_ * (binning_share + 1.0 / (side * side));
}

/// 0 where the whole picture is hardly larger than what has to be left of it.
int LiveSchedule::glance_side(const Flame& flame, double most_pixels, double limit_s) const {
  const double all = pixels_of(flame);
  const double least = PreviewBudget::least_pixels(std::min(most_pixels, all));
  const auto pixels = [&](int side) { return all / (side * side); };
  int side = 2;
  while (seconds_of_glance(side) > limit_s && pixels(side + 1) >= least) ++side;
  return pixels(side) < least ? 0 : side;
}

std::optional<LiveWork> LiveSchedule::better(const Flame& flame, bool is_of_film, Seen seen) {
  if (after_) {
    const LiveWork work = *after_;
    after_.reset();
    return work;
  }
  has_noise_ = false;
  LiveWork work;
  if (!shows_flame_) {
    work.kind = Kind::show;
    return work;
  }
  if (seen.complete && shown_quality_ == seen.quality) return {};
  // sums that a new look has taken over are shown as they are before more is added
  if (shown_quality_ <= 0 && seen.quality != glanced_quality_) return work;
  grown_from_ = seen.quality;
  if (const double goal = is_of_film ? 0 : glance_goal(flame); goal > 0) {
    after_ = glance(side_of_stage(flame, stage_pixels_), false);
    work.kind = Kind::grow;
    work.quality = goal;
    return work;
  }
  after_ = work;
  return grow(flame, seen.quality);
}

/// The quality of the next glance of the stage's size: at 4, 16 ... samples a pixel of it. 0: none is
/// wanted any more.
double LiveSchedule::glance_goal(const Flame& flame) const {
  constexpr double first = 4, later = 4;
  const int side = side_of_stage(flame, stage_pixels_);
  if (side < 2 || flame.passes > 1 || shown_quality_ > 0) return 0;
  const double goal = std::max(first / (double(side) * side), later * glanced_quality_);
  return 2 * goal < std::min(1.0, flame.quality / 4) ? goal : 0;
}

/// Grows sums to the next look. Lent sums that were shown are not followed by less than a quarter of their quality.
LiveWork LiveSchedule::grow(const Flame& flame, double quality) const {
  constexpr double long_s = 0.5;  // beside which a copy of the sums is nothing
  const double least = std::max({1.0, 2 * quality, std::min(lent_quality_, flame.quality) / 4});
  double goal = flame.quality;
  while (goal / 4 >= least) goal /= 4;
  const bool is_long = (goal - quality) * seconds_a_quality_ > long_s;
  LiveWork work;
  work.kind = Kind::grow;
  work.quality = goal;
  work.halves = !measures_ ? Halves::none : is_long ? Halves::next : Halves::last;
  return work;
}

void LiveSchedule::showed() {
  shows_flame_ = true;
  develop_s_ = unknown_s;
}

void LiveSchedule::grew(Seen seen, double seconds) {
  if (after_ && after_->kind == Kind::glance) {
    glanced_quality_ = seen.quality;
    return;
  }
  step_s_ = seconds;
  const double grown = seen.quality - grown_from_;
  if (grown > 0) seconds_a_quality_ = step_s_ / grown;
}

void LiveSchedule::developed(const Flame& flame, Seen seen, double seconds, bool is_quick) {
  // what took longer was often disturbed, and the first one finds cold memory
  const double more = seconds - develop_s_;
  develop_s_ += (more > 0 ? 0.1 : 1) * more;
  if (flame.is_cleaned())
    cleaning_.developed(pixels_of(flame) * flame.supersample * flame.supersample, seconds);
  // better() settles what was complete once nobody edits
  shown_quality_ = is_quick && seen.complete ? -1 : seen.quality;
  if (!is_quick) has_noise_ = measures_ && (seen.complete || develop_s_ < 0.08 * step_s_);
}

double LiveSchedule::clean_quality(const Flame& flame, const Measure& now, double quality) {
  double fall = light_stage(flame).noise.blurs ? 0.25 : 0.5;  // as ProbeSchedule has it
  if (measured_ && measured_->units < now.units)
    fall = fall_of(measured_->units, measured_->noise, now.units, now.noise);
  measured_ = now;
  return quality * (expected_units(now.units, now.noise, unseen, fall) / double(now.units));
}

}  // namespace kiln
