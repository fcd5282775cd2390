// SPDX-License-Identifier: MIT
#include "engine/render/schedule/still_schedule.h"

#include <algorithm>

namespace kiln {
namespace {

/// Whether they are the first units, without a gap: only those make a picture.
bool is_picture(const UnitSet& done) { return done.ranges().size() == 1 && done.contains({0, 1}); }

}  // namespace

StillSchedule::Work StillSchedule::next(const UnitSet& done) {
  const std::vector<UnitRange>& shard = goals_.shard.ranges();
  UnitSet missing;
  while (complete_ < shard.size() && (missing = done.missing_of(shard[complete_])).count() == 0)
    ++complete_;
  if (end_ != End::quality || missing.count() == 0) return {Kind::finish};
  UnitRange units = missing.ranges().front();
  probes_.begin(units.first);
  if (goals_.noise > 0 && probes_.next() == units.first) {
    if (is_picture(done)) return {Kind::measure};
    probes_.next(probe_from(probes_.next() + 1));  // units behind a gap are there already
  }
  if (probes_.next() > units.first) units.end = std::min(units.end, probes_.next());
  return {Kind::play, units};
}

void StillSchedule::judge(const UnitSet& done, const PictureNoise& noise) {
  measured_ = done.count();
  if (end_ == End::quality && goals_.noise > 0 && probes_.judge(measured_, noise))
    end_ = End::noise;
}

StillSchedule::After StillSchedule::launched(const UnitSet& done, double seconds,
                                             Checkpoint::Request request, bool is_saving) {
  if (request == Checkpoint::Request::stop) return After::stop;
  const bool is_late = goals_.time_limit_s > 0 && seconds >= goals_.time_limit_s;
  if (is_late && is_picture(done) && !done.contains({0, goals_.whole_units})) {
    end_ = End::time;
    return After::finish;
  }
  wants_save_ |= request == Checkpoint::Request::save;
  if (!wants_save_ || is_saving) return After::go_on;
  wants_save_ = false;
  return After::save;
}

bool StillSchedule::is_complete(const UnitSet& done) const {
  return end_ != End::quality || done.contains({0, goals_.whole_units});
}

bool StillSchedule::wants_last_measure(const UnitSet& done) const {
  return is_picture(done) && done.count() > 1 && measured_ != done.count();
}

std::uint64_t StillSchedule::units_of_run(const UnitSet& done, std::uint64_t earlier) const {
  if (goals_.noise <= 0) {
    std::uint64_t missing = 0;
    for (const UnitRange& wanted : goals_.shard.ranges())
      missing += done.missing_of(wanted).count();
    return std::max<std::uint64_t>(missing, 1);
  }
  const double next = double(std::max(probes_.next(), done.count() + 1));
  const double units = std::max(probes_.expected_units(), next);
  return std::uint64_t(std::min(units, double(goals_.all_units)) - double(earlier));
}

}  // namespace kiln
