#include "engine/model/unit_set.h"

#include <algorithm>

namespace kiln {

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
