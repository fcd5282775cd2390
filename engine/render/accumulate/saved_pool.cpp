// A pool of a flame that settles slowly, as a state file has it: points, generators, and the depths
// of deep flames, as they lie in a device's memory.
#include <cmath>
#include <cstring>

#include "engine/base/error.h"
#include "engine/render/accumulate/chaos_game.h"

namespace kiln {
namespace {

constexpr std::size_t points_bytes = pool_slots * sizeof(Point);
constexpr std::size_t lanes_bytes = pool_lanes * sizeof(std::uint32_t);
constexpr std::size_t depths_bytes = pool_slots * sizeof(float);

/// What a point must not be: kernels look up tables by its last xform.
bool is_possible(const Point& point, int xform_count) {
  const std::uint32_t bad = point.meta >> meta_bad_shift;
  return std::isfinite(point.x) && std::isfinite(point.y) &&
         (point.meta & meta_last_mask) <= std::uint32_t(xform_count) && bad <= bad_limit;
}

}  // namespace

std::size_t GameRunner::pool_bytes() const {
  return points_bytes + 2 * lanes_bytes + (flame_.program.deep ? depths_bytes : 0);
}

std::vector<char> GameRunner::pool(std::uint64_t lineage) const {
  const PoolState state = pools_from(place_of(lineage));
  std::vector<char> bytes(pool_bytes());
  char* at = bytes.data();
  const auto take = [&](const void* from, std::size_t count) {
    device_.download(at, from, count);
    at += count;
  };
  take(state.points, points_bytes);
  take(state.random0, lanes_bytes);
  take(state.random1, lanes_bytes);
  if (flame_.program.deep) take(state.depths, depths_bytes);
  return bytes;
}

void GameRunner::restore_pool(std::uint64_t lineage, const std::vector<char>& bytes) {
  KILN_CHECK(bytes.size() == pool_bytes(), "a pool of {} bytes", bytes.size());
  for (std::size_t i = 0; i < std::size_t(pool_slots); ++i) {
    Point point;
    std::memcpy(&point, bytes.data() + i * sizeof point, sizeof point);
    if (!is_possible(point, flame_.program.xform_count))
      fail(
          ErrorKind::input,
          "point {} of lineage {} is none that this flame can have; use another copy of the state, "
          "or render it again",
          i, lineage);
  }
  const PoolState state = pools_from(place_of(lineage));
  const char* at = bytes.data();
  const auto give = [&](void* to, std::size_t count) {
    device_.upload(to, at, count);
    at += count;
  };
  give(state.points, points_bytes);
  give(state.random0, lanes_bytes);
  give(state.random1, lanes_bytes);
  if (flame_.program.deep) give(state.depths, depths_bytes);
}

}  // namespace kiln
