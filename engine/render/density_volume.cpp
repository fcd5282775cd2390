// SPDX-License-Identifier: MIT
#include "engine/render/density_volume.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/render/points.h"

namespace kiln {
namespace {

static_assert(std::endian::native == std::endian::little);

/// The flame's extent along one axis: of its middle, and more, since depth has few points that are far away.
struct Extent {
  double low, high;
};

Extent extent_of(std::vector<float>& values) {
  const auto at = [&](std::size_t i) {
    std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(i), values.end());
    return double(values[i]);
  };
  const std::size_t out = values.size() / 50;
  const double low = at(out), high = at(values.size() - 1 - out);
  const double more = (high - low) / 4;
  return {low - more, high + more};
}

DensityVolume box_of(const Flame& flame, PointOptions options) {
  constexpr std::uint64_t looked_at = 1'000'000;
  options.count = std::min(options.count, looked_at);
  std::vector<float> values[3];
  play_points(
      flame, options,
      [](const PointColumns& points, std::string& bytes) {
        bytes.assign(reinterpret_cast<const char*>(points.places), points.count * 16);
      },
      [&](const std::string& bytes, std::uint64_t count) {
        float place[4];
        for (std::uint64_t i = 0; i < count; ++i) {
          std::memcpy(place, bytes.data() + 16 * i, sizeof place);
          for (int axis = 0; axis < 3; ++axis) values[axis].push_back(place[axis]);
        }
      });
  Extent extents[3];
  double longest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    extents[axis] = extent_of(values[axis]);
    longest = std::max(longest, extents[axis].high - extents[axis].low);
  }
  if (!(longest > 0) || !std::isfinite(longest))
    fail(ErrorKind::input, "{}: all of its points are one; there is no volume", flame.place());
  DensityVolume volume{};
  volume.side = longest / options.cells;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto& [low, high] = extents[axis];
    volume.cells[axis] =
        std::clamp(int(std::ceil((high - low) / volume.side - 1e-9)), 1, options.cells);
    volume.low[axis] = (low + high) / 2 - volume.side * volume.cells[axis] / 2;
  }
  return volume;
}

}  // namespace

DensityVolume density_of(const Flame& flame, const PointOptions& options) {
  if (options.cells < 2 || options.cells > most_volume_cells)
    fail(ErrorKind::usage, "{} cells: a side of a volume has 2 to {}", options.cells,
         most_volume_cells);
  if (options.count > most_points_of_volume)
    fail(ErrorKind::usage, "{} points: a volume counts {} at most", options.count,
         most_points_of_volume);
  DensityVolume volume = box_of(flame, options);
  const std::size_t width = std::size_t(volume.cells[0]), height = std::size_t(volume.cells[1]);
  const std::size_t cells = width * height * std::size_t(volume.cells[2]);
  if (cells * sizeof volume.counts[0] > available_memory_bytes())
    fail(ErrorKind::device, "{}: a volume of {} cells takes {} of memory; fewer --cells take less",
         flame.place(), cells, byte_size(cells * sizeof volume.counts[0]));
  volume.counts.resize(cells);
  const double scale = 1 / volume.side;
  play_points(
      flame, options,
      [&](const PointColumns& points, std::string&) {
        std::uint64_t beyond = 0;
        for (std::size_t i = 0; i < points.count; ++i) {
          const float* const place = points.places + 4 * i;
          double cell[3];
          bool is_inside = true;
          for (std::size_t axis = 0; axis < 3; ++axis) {
            cell[axis] = std::floor((double(place[axis]) - volume.low[axis]) * scale);
            is_inside &= cell[axis] >= 0 && cell[axis] < volume.cells[axis];
          }
          beyond += !is_inside;
          if (!is_inside) continue;
          const std::size_t at =
              (std::size_t(cell[2]) * height + std::size_t(cell[1])) * width + std::size_t(cell[0]);
          __atomic_fetch_add(&volume.counts[at], 1, __ATOMIC_RELAXED);
        }
        __atomic_fetch_add(&volume.beyond, beyond, __ATOMIC_RELAXED);
      },
      [](const std::string&, std::uint64_t) {});
  return volume;
}

bool is_volume_name(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == ".nrrd" || ending == ".npy";
}

std::string head_of_volume(const std::string& path, const DensityVolume& volume,
                           const std::string& comment) {
  const auto [width, height, depth] = volume.cells;
  if (ending_of(path) == ".nrrd")  // teem.sourceforge.net/nrrd/format.html
    return fmt::format(
        "NRRD0004\n# {0}\ntype: uint32\ndimension: 3\nspace dimension: 3\nsizes: {1} {2} {3}\n"
        "space directions: ({4},0,0) (0,{4},0) (0,0,{4})\nspace origin: ({5},{6},{7})\n"
        "kinds: domain domain domain\nendian: little\nencoding: raw\n\n",
        comment, width, height, depth, volume.side, volume.low[0] + volume.side / 2,
        volume.low[1] + volume.side / 2, volume.low[2] + volume.side / 2);
  if (ending_of(path) != ".npy")
    fail(ErrorKind::usage, "{}: a volume is .nrrd or .npy", printable_whole(path));
  std::string words = fmt::format(
      "{{'descr': '<u4', 'fortran_order': False, 'shape': ({}, {}, {}), }}", depth, height, width);
  constexpr std::size_t unit = 64, fixed = 10;  // numpy's format, version 1.0
  words.append(unit - (fixed + words.size() + 1) % unit, ' ');
  words += '\n';
  std::string head("\x93NUMPY\x01\x00", 8);
  head += char(words.size() & 255);
  head += char(words.size() >> 8);
  return head + words;
}

}  // namespace kiln
