// SPDX-License-Identifier: MIT
// What a still picture has come to before its look is decided: the integer histogram, the units of
// work that are in it, and what it takes to go on. A state file (engine/io/state/state_file.h) is this
// and the flame. Only whole units count: the last one of a picture may be cut so that its quality
// is met to the sample, and is played anew whenever a picture is made, so that the same sums serve
// any higher quality.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kiln {

// Which units of a picture's work are done (kernels/pool.h), as ranges: a state file's ledger.

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
  /// The units of `range` that are not in this set.
  UnitSet missing_of(const UnitRange& range) const;
  bool operator==(const UnitSet&) const = default;

 private:
  std::vector<UnitRange> ranges_;
};

/// "0-39, 64-99", shortened where there are many.
std::string in_words(const UnitSet& units);

/// The identity of sums, and their layout. Sums of one shape, digest included, may be added.
struct SumsShape {
  std::uint32_t width = 0, height = 0;  // buckets
  std::uint32_t channels = 4;           // r g b a, and hits where a palette has alpha
  std::uint32_t supersample = 1;
  std::uint32_t gutter = 0;         // buckets on each side that no pixel shows
  std::uint32_t fraction_bits = 0;  // one count is 2^-this of flam3's bucket
  std::uint32_t halves = 0;         // 1: even units are in one histogram, odd ones in a second
  std::uint32_t chains = 0;         // pools that go on: unit u took up that of u - chains
  std::uint32_t pool_bytes = 0;     // of such a pool
  std::uint64_t unit_samples = 0;
  std::string digest;  // 64 hex digits: of all that decides a unit's sums (accumulation.h)

  std::size_t histograms() const { return halves ? 2 : 1; }
  std::size_t values() const { return std::size_t(width) * height * channels; }
  std::uint64_t bytes() const { return histograms() * values() * sizeof(std::uint64_t); }
  bool operator==(const SumsShape&) const = default;
};

struct SavedSums {
  SumsShape shape;
  std::string genome;  // the flame as XML
  std::string record;  // the settings, as pictures have them (engine/io/picture/picture_record.h)
  UnitSet done;
  std::uint64_t bad_values = 0;  // of the done units
  std::uint64_t next_look = 0;   // units at which noise is looked at next; 0: nobody knows yet
  std::vector<std::vector<std::uint64_t>> histograms;  // each [height][width][channels]
  std::map<std::uint32_t, std::vector<char>> pools;    // of a chain after its last done unit
};

/// Adds the sums of `part`, which came from the file `name`, to `all`. Throws Error (input) where the
/// two are not of one picture, or where units are in both.
void add_sums(const SavedSums& part, const std::string& name, SavedSums& all,
              const std::stop_token& stop = {});

}  // namespace kiln
