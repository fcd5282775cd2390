#include "engine/model/saved_sums.h"

#include "engine/base/error.h"
#include "engine/base/stop.h"
#include "engine/base/text.h"

namespace kiln {
namespace {

/// What tells the two apart, if they are not of one picture.
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
  for (const auto& [lineage, pool] : part.pools) all.pools[lineage] = pool;
  all.done.add(part.done);
  all.bad_values += part.bad_values;
}

}  // namespace kiln
