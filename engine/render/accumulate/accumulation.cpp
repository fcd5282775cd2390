#include "engine/render/accumulate/accumulation.h"

#include <algorithm>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/stop.h"

namespace kiln {

Accumulation::Accumulation(Device& device, DeviceArray<std::uint64_t>& histogram, bool halves)
    : device_(device), histogram_(histogram) {
  if (halves) odd_ = {device, histogram.size()};
}

void Accumulation::clear() {
  for (std::size_t i = 0; i < halves(); ++i) half(i).clear();
  done = {};
  totals = earlier = {};
}

void Accumulation::restore(SavedSums& saved) {
  for (std::size_t i = 0; i < halves(); ++i) {
    const std::vector<std::uint64_t>& from = saved.histograms[i];
    KILN_CHECK(from.size() == half(i).size(), "{} sums", from.size());
    device_.upload(half(i).data(), from.data(), from.size() * sizeof(std::uint64_t));
  }
  saved.histograms.clear();
  done = saved.done;
  totals = earlier = {done.count() * unit_samples, saved.bad_values};
}

constexpr std::size_t values_at_once = 1 << 23;  // 64 MB: between two looks at `stop`

void Accumulation::make_room(SavedSums& saved, const std::stop_token& stop) const {
  saved.histograms.resize(halves());
  for (std::vector<std::uint64_t>& half : saved.histograms) {
    half.reserve(values());
    while (half.size() < values()) {
      check_stop(stop);
      half.resize(std::min(half.size() + values_at_once, values()));
    }
  }
}

void Accumulation::copy_to(SavedSums& saved, const std::stop_token& stop) const {
  saved.histograms.resize(halves());
  for (std::size_t i = 0; i < halves(); ++i) {
    const DeviceArray<std::uint64_t>& from = i ? odd_ : histogram_;
    std::vector<std::uint64_t>& to = saved.histograms[i];
    to.reserve(from.size());
    for (std::size_t at = 0; at < from.size(); at += values_at_once) {
      check_stop(stop);
      const std::size_t end = std::min(at + values_at_once, from.size());
      to.resize(std::max(to.size(), end));  // memory is touched as it goes on
      device_.download(to.data() + at, from.data() + at, (end - at) * sizeof(std::uint64_t));
    }
  }
  saved.done = done;
  saved.bad_values = totals.bad_values;
}

void Accumulation::join(const SavedSums& copied, const std::stop_token& stop) {
  const std::vector<std::uint64_t> sum = sum_of(copied.histograms, stop);
  device_.upload(histogram_.data(), sum.data(), sum.size() * sizeof(std::uint64_t));
}

std::vector<std::uint64_t> sum_of(const std::vector<std::vector<std::uint64_t>>& halves,
                                  const std::stop_token& stop) {
  constexpr std::size_t values_in_a_row = 1 << 20;  // between two looks at `stop`: milliseconds
  const std::vector<std::uint64_t>&even = halves[0], &odd = halves[1];
  std::vector<std::uint64_t> sum;
  sum.reserve(even.size());
  for (std::size_t i = 0; i < even.size(); ++i) {
    if (i % values_in_a_row == 0) check_stop(stop);
    sum.push_back(even[i] + odd[i]);
  }
  return sum;
}

void Pace::took(std::uint64_t played, double seconds) {
  // a launch that was smaller than it might have been says nothing of larger ones
  if (seconds < seconds_ / 2 && played == units_) units_ *= 2;
  if (seconds > seconds_ * 2) units_ = std::max(least_, units_ / 2);
}

bool accumulate(Player& player, const UnitSet& wanted, Accumulation& sums, const Player::Ask& ask,
                const std::function<bool()>& goes_on, Pace* pace) {
  for (const UnitRange& range : wanted.ranges()) {
    const UnitSet lacking = sums.done.missing_of(range);
    for (UnitRange missing : lacking.ranges()) {
      while (missing.count() > 0) {
        UnitRange part = missing;
        if (pace) part.end = std::min(part.end, part.first + pace->units());
        const auto start = Clock::now();
        const std::uint64_t played = player.play(part, sums, ask);
        if (pace) pace->took(played, seconds_since(start));
        missing.first += played;
        ask(sums.totals.samples);
        if (goes_on && !goes_on()) return false;
      }
    }
  }
  return true;
}

}  // namespace kiln
