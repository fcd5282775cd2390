// SPDX-License-Identifier: MIT
#include "engine/io/points_file.h"

#include <bit>
#include <cstring>
#include <iterator>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"

namespace kiln {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t ply_bytes = 18;

std::string ply_head(std::uint64_t count, const std::string& comment) {
  return fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment {}\nelement vertex {}\n"
      "property float x\nproperty float y\nproperty float z\n"
      "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n"
      "property ushort xform\nend_header\n",
      comment, count);
}

void pack_ply(const PointColumns& points, std::string& bytes) {
  bytes.resize(points.count * ply_bytes);
  char* at = bytes.data();
  for (std::size_t i = 0; i < points.count; ++i, at += ply_bytes) {
    std::memcpy(at, points.places + 4 * i, 12);
    std::memcpy(at + 12, points.colors + i, 4);
    std::memcpy(at + 16, points.xforms + i, 2);
  }
}

std::string csv_head(std::uint64_t, const std::string&) {
  return "x,y,z,red,green,blue,alpha,xform\n";
}

void pack_csv(const PointColumns& points, std::string& bytes) {
  bytes.clear();
  for (std::size_t i = 0; i < points.count; ++i) {
    const float* const place = points.places + 4 * i;
    const std::uint32_t color = points.colors[i];
    fmt::format_to(std::back_inserter(bytes), "{},{},{},{},{},{},{},{}\n", place[0], place[1],
                   place[2], color & 255, color >> 8 & 255, color >> 16 & 255, color >> 24,
                   points.xforms[i]);
  }
}

constexpr PointFormat point_formats[] = {{".ply", ply_head, pack_ply},
                                         {".csv", csv_head, pack_csv}};

}  // namespace

const PointFormat& point_format_named(const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending.empty() && !takes_rows(path)) return point_formats[0];
  for (const PointFormat& format : point_formats)
    if (ending == format.ending) return format;
  fail(ErrorKind::usage,
       "{}: points are written as PLY and CSV, their density as NRRD and NPY; name it .ply, .csv, "
       ".nrrd or .npy",
       printable_whole(path));
}

}  // namespace kiln
