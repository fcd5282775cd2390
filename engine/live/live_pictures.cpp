// SPDX-License-Identifier: MIT
#include "engine/live/live_pictures.h"

#include <utility>

#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/device/device_picture.h"
#include "engine/io/picture/picture_record.h"

namespace kiln {
namespace {

using Kind = LiveWork::Kind;

/// The work, unless somebody asks for its end.
template <class Result>
std::optional<Result> unless_stopped(ProgressiveRender& render, const std::stop_token& stop,
                                     const std::function<Result()>& work) {
  struct Watching {
    ProgressiveRender& render;
    ~Watching() { render.watch({}); }
  } watching{render};
  render.watch(stop);
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind != ErrorKind::stopped) throw;
    return {};
  }
}

}  // namespace

LivePictures::~LivePictures() {
  if (place_) place_->clear();
}

/// A sketch, a glance or the whole picture.
LivePictures::Picture LivePictures::make(const LiveWork& work, const Flame& flame, bool is_quick) {
  const auto start = Clock::now();
  Picture preview;
  if (work.kind == Kind::sketch) {
    preview.image = renderer_.sketch(flame, work.size.pixels, work.size.samples, place_,
                                     work.cleans ? progressive_.last_clumps() : 0);
    preview.quality = work.size.samples / (double(preview.image.width) * preview.image.height);
    preview.seconds = seconds_since(start);
    schedule_.sketched(work, preview.seconds, renderer_.statistics().output_s);
    return preview;
  }
  const bool is_whole = work.kind == Kind::whole;
  preview.image = is_whole ? progressive_.picture(place_)
                           : progressive_.glance(flame, work.side, place_, work.cleans);
  preview.quality = progressive_.quality();
  preview.settled = is_whole && !is_quick && progressive_.complete();
  preview.seconds = seconds_since(start);
  if (is_whole) schedule_.developed(flame, seen(), preview.seconds, is_quick);
  return preview;
}

LivePictures::Picture LivePictures::quick(const Flame& flame, double most_pixels, double budget_s,
                                          bool is_of_film) {
  auto sums = LiveSchedule::Sums::others;
  if (!is_of_film && progressive_.quality() >= 1)
    sums = progressive_.restyle(flame) ? LiveSchedule::Sums::own
           : progressive_.lends(flame) ? LiveSchedule::Sums::lent
                                       : LiveSchedule::Sums::others;
  return make(schedule_.quick(flame, most_pixels, budget_s, sums, seen()), flame, true);
}

LivePictures::Picture LivePictures::sketch(const Flame& flame, double most_pixels,
                                           double budget_s) {
  return make(schedule_.sketch(flame, most_pixels, budget_s), flame, true);
}

std::optional<LivePictures::Picture> LivePictures::better(const Flame& flame,
                                                          const std::function<bool()>& stop,
                                                          const std::stop_token& edited,
                                                          const std::function<Frame()>& frame) {
  while (const std::optional<LiveWork> work = schedule_.better(flame, bool(frame), seen())) {
    if (work->kind == Kind::show) {
      frame ? progressive_.show(frame()) : progressive_.show(flame);
      schedule_.showed();
      if (stop()) return {};
      continue;
    }
    if (work->kind == Kind::grow) {
      const auto start = Clock::now();
      progressive_.grow(work->quality, stop, work->halves);
      schedule_.grew(seen(), seconds_since(start));
    }
    if (progressive_.quality() == 0 || (stop() && !progressive_.complete())) {
      schedule_.interrupted();
      return {};
    }
    if (work->kind != Kind::grow)
      return unless_stopped<Picture>(progressive_, edited,
                                     [&] { return make(*work, flame, false); });
  }
  return {};
}

std::optional<LivePictures::Noise> LivePictures::noise(const Flame& flame,
                                                       const std::stop_token& edited) {
  schedule_.measured(true);  // or it fails
  const auto found = unless_stopped<std::optional<ProgressiveRender::Noise>>(
      progressive_, edited, [&] { return progressive_.noise(); });
  schedule_.measured(bool(found));  // stopped: later, if the picture stays
  if (!found || !*found) return {};
  const ProgressiveRender::Noise& now = **found;
  const double quality = progressive_.quality();
  return Noise{now.of_all,
               now.map,
               quality,
               schedule_.clean_quality(flame, {now.units, now.of_all}, quality),
               schedule_.seconds_a_quality(),
               counts_grain_alone(flame)};
}

}  // namespace kiln
