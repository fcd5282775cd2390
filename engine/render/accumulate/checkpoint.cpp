#include "engine/render/accumulate/checkpoint.h"

#include <algorithm>

namespace kiln {

UnitSet units_of_shard(std::uint64_t whole_units, std::uint64_t chains, const Shard& shard) {
  const auto part_of = [&](std::uint64_t all) {
    const std::uint64_t of = std::uint64_t(shard.of), number = std::uint64_t(shard.number);
    return UnitRange{all * (number - 1) / of, all * number / of};  // units are below 2^32
  };
  if (chains == 0 || whole_units <= chains) return UnitSet(part_of(whole_units));
  UnitSet units;
  const UnitRange part = part_of(chains);
  for (std::uint64_t turn = 0; turn < whole_units; turn += chains)
    units.add({turn + part.first, std::min(turn + part.end, whole_units)});
  return units;
}

}  // namespace kiln
