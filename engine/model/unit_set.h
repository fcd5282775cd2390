// Which units of a picture's work are done (kernels/pool.h), as ranges: a state file's ledger.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// The units first .. end - 1.
struct UnitRange {
  std::uint64_t first = 0, end = 0;

  std::uint64_t count() const { return end - first; }
  bool operator==(const UnitRange&) const = default;
};

/// Ranges in rising order, none of them empty, with a gap between any two.
class UnitSet {
 public:
  UnitSet() = default;
  explicit UnitSet(const UnitRange& range) { add(range); }

  /// Units may be there already; an empty range adds none.
  void add(const UnitRange& range);
  void add(const UnitSet& other);

  const std::vector<UnitRange>& ranges() const { return ranges_; }
  std::uint64_t count() const;
  /// One past the last unit, 0 where there is none.
  std::uint64_t end() const { return ranges_.empty() ? 0 : ranges_.back().end; }
  bool contains(const UnitRange& range) const;
  /// The first stretch that both have.
  std::optional<UnitRange> shared_with(const UnitSet& other) const;
  /// Those of `range` that are not here.
  UnitSet missing_of(const UnitRange& range) const;
  bool operator==(const UnitSet&) const = default;

 private:
  std::vector<UnitRange> ranges_;
};

/// "0-39, 64-99", shortened where there are many.
std::string in_words(const UnitSet& units);

}  // namespace kiln
