// SPDX-License-Identifier: MIT
#include "engine/model/saved_sums.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/stop.h"
#include "engine/base/text.h"

namespace kiln {
namespace {

/// The difference of two that are not of one picture, in words; else null.
const char* difference(const SavedSums& a, const SavedSums& b) {
  if (a.shape.width != b.shape.width || a.shape.height != b.shape.height ||
      a.shape.supersample != b.shape.supersample)
    return "another size";
  if (a.shape.halves != b.shape.halves)
    return "sums in halves where others are whole, or whole ones";
  if (a.shape != b.shape) return "another flame, seed or camera";
  if (a.genome != b.genome) return "another look or quality";
  if (a.record != b.record) return "other settings (bits, background, crop ...)";
  return nullptr;
}

}  // namespace

void add_sums(const SavedSums& part, const std::string& name, SavedSums& all,
              const std::stop_token& stop) {
  constexpr std::size_t at_once = 1 << 20;
  if (const char* other = difference(part, all))
    fail(
        ErrorKind::input,
        "{}: has {} than the states before it; merge the shards of one render, made by one command",
        printable_whole(name), other);
  if (const std::optional<UnitRange> both = part.done.shared_with(all.done)) {
    fail(ErrorKind::input,
         "{}: units {} are in a state before it already; give every shard once, and no state that "
         "holds others",
         printable_whole(name), in_words(UnitSet(*both)));
  }
  for (std::size_t h = 0; h < all.histograms.size(); ++h) {
    KILN_CHECK(part.histograms[h].size() == all.histograms[h].size(), "{} and {} sums",
               part.histograms[h].size(), all.histograms[h].size());
    for (std::size_t i = 0; i < all.histograms[h].size(); ++i) {
      if (i % at_once == 0) check_stop(stop);
      all.histograms[h][i] += part.histograms[h][i];
    }
  }
  for (const auto& [chain, pool] : part.pools) all.pools[chain] = pool;
  all.done.add(part.done);
  all.bad_values += part.bad_values;
}

void UnitSet::add(const UnitRange& range) {
  if (range.first >= range.end) return;
  // the ranges from `from` on touch the new one, up to `to`
  auto from =
      std::lower_bound(ranges_.begin(), ranges_.end(), range.first,
                       [](const UnitRange& one, std::uint64_t first) { return one.end < first; });
  auto to = from;
  UnitRange whole = range;
  for (; to != ranges_.end() && to->first <= range.end; ++to) {
    whole.first = std::min(whole.first, to->first);
    whole.end = std::max(whole.end, to->end);
  }
  if (from == to) {
    ranges_.insert(from, whole);
    return;
  }
  *from = whole;
  ranges_.erase(from + 1, to);
}

void UnitSet::add(const UnitSet& other) {
  for (const UnitRange& range : other.ranges_) add(range);
}

std::uint64_t UnitSet::count() const {
  std::uint64_t sum = 0;
  for (const UnitRange& range : ranges_) sum += range.count();
  return sum;
}

bool UnitSet::contains(const UnitRange& range) const {
  if (range.first >= range.end) return true;
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), range.first,
                       [](std::uint64_t first, const UnitRange& one) { return first < one.first; });
  return after != ranges_.begin() && std::prev(after)->end >= range.end;
}

std::optional<UnitRange> UnitSet::shared_with(const UnitSet& other) const {
  auto a = ranges_.begin(), b = other.ranges_.begin();
  while (a != ranges_.end() && b != other.ranges_.end()) {
    const UnitRange both{std::max(a->first, b->first), std::min(a->end, b->end)};
    if (both.first < both.end) return both;
    a->end < b->end ? ++a : ++b;
  }
  return {};
}

UnitSet UnitSet::missing_of(const UnitRange& range) const {
  UnitSet missing;
  std::uint64_t at = range.first;
  for (const UnitRange& here : ranges_) {
    if (here.end <= at) continue;
    if (here.first >= range.end) break;
    missing.add({at, std::max(at, here.first)});
    at = here.end;
  }
  missing.add({at, std::max(at, range.end)});
  return missing;
}

std::string in_words(const UnitSet& units) {
  constexpr std::size_t most = 8;
  std::string words;
  for (std::size_t i = 0; i < units.ranges().size(); ++i) {
    if (i == most) return words + " and others";
    const UnitRange& range = units.ranges()[i];
    words += (i ? ", " : "") + std::to_string(range.first);
    if (range.count() > 1) words += "-" + std::to_string(range.end - 1);
  }
  return words;
}

}  // namespace kiln
