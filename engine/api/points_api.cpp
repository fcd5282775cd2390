// SPDX-License-Identifier: MIT
// Points of the public header: engine/render/points.h plays them, engine/io/points_file.h writes them, light_at.h asks them.
#include <cstring>

#include "engine/api/api_impl.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/points_file.h"
#include "engine/render/density_volume.h"
#include "engine/render/light_at.h"
#include "engine/render/points.h"

namespace kiln {

Points points(const Scene& scene, const PointOptions& options) {
  return guarded([&] {
    Points all;
    constexpr std::size_t bytes_of_point = 18;
    play_points(scene.impl().ready(), options, point_format_named("-").pack,
                [&](const std::string& bytes, std::uint64_t count) {
                  const std::size_t before = all.xforms.size(), after = before + std::size_t(count);
                  all.places.resize(3 * after);
                  all.colors.resize(4 * after);
                  all.xforms.resize(after);
                  const char* at = bytes.data();
                  for (std::size_t i = before; i < after; ++i, at += bytes_of_point) {
                    std::memcpy(&all.places[3 * i], at, 12);
                    std::memcpy(&all.colors[4 * i], at + 12, 4);
                    std::memcpy(&all.xforms[i], at + 16, 2);
                  }
                });
    return all;
  });
}

namespace {

void write_volume(const DensityVolume& volume, const std::string& path,
                  const std::string& comment) {
  AtomicFile file(path);
  const std::string head = head_of_volume(path, volume, comment);
  file.write(head.data(), head.size());
  file.write(volume.counts.data(), volume.counts.size() * sizeof volume.counts[0]);
  file.commit();
}

}  // namespace

void write_points(const Flame& flame, const std::string& path, const PointOptions& options) {
  guarded([&] {
    const std::string name = flame.name.empty() ? "a flame" : flame.name;
    const std::string comment =
        fmt::format("kiln " KILN_VERSION ", seed {}: {}", options.seed, printable(name));
    if (is_volume_name(path)) return write_volume(density_of(flame, options), path, comment);
    const PointFormat& format = point_format_named(path);
    AtomicFile file(path);
    const std::string head = format.head(options.count, comment);
    file.write(head.data(), head.size());
    play_points(flame, options, format.pack, [&](const std::string& bytes, std::uint64_t) {
      file.write(bytes.data(), bytes.size());
    });
    file.commit();
  });
}

LightAt light_at(const Scene& scene, const LightOptions& options) {
  return guarded([&] { return light_at(scene.impl().ready(), options); });
}

void save_points(const Scene& scene, const std::string& path, const PointOptions& options) {
  check_keeps_flames(path, "the points", "remove the file first");
  write_points(scene.impl().ready(), path, options);
}

}  // namespace kiln
