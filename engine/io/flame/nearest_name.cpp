#include "engine/io/flame/nearest_name.h"

#include <algorithm>
#include <cstdlib>

namespace kiln {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

// Three rows of the usual table of prefix distances; the oldest is only for swapped neighbors.
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = int(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = int(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// The shortest of `known` that begins with `name`, if that is more than a letter or two.
std::string begun_name(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t least_letters = 2;
  const std::size_t dashes = std::min(name.find_first_not_of('-'), name.size());
  std::string shortest;
  if (name.size() < dashes + least_letters) return shortest;
  for (const std::string& candidate : known) {
    const bool begins = candidate.size() > name.size() &&
                        std::equal(name.begin(), name.end(), candidate.begin(),
                                   [](char a, char b) { return lower(a) == lower(b); });
    if (begins && (shortest.empty() || candidate.size() < shortest.size())) shortest = candidate;
  }
  return shortest;
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 40;  // no name of the format is longer
  if (name.empty() || name.size() > longest) return "";
  const std::size_t letters = name.size() - std::min(name.find_first_not_of('-'), name.size());
  int best = letters < 4 ? 1 : 1 + int(letters) / 3;  // farther away it is another word, not a slip
  std::string nearest;
  for (const std::string& candidate : known) {
    if (std::abs(int(candidate.size()) - int(name.size())) > best) continue;
    const int distance = edit_distance(name, candidate);
    if (distance == 0) return candidate;
    if (distance < best || (distance == best && nearest.empty() && distance < int(name.size()))) {
      best = distance;
      nearest = candidate;
    }
  }
  const std::string begun = begun_name(name, known);
  return begun.empty() ? nearest : begun;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? "" : " (did you mean \"" + nearest + "\"?)";
}

}  // namespace kiln
