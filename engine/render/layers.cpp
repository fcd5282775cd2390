// SPDX-License-Identifier: MIT
#include "engine/render/layers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/render/points.h"
#include "engine/render/share_levels.h"

namespace kiln {
namespace {

/// A point in the picture, on its way to the sums.
struct Hit {
  std::uint32_t pixel;
  float distance;
  std::uint16_t layer;
};

constexpr double parts_of_depth = 1 << 16;  // sums of it are whole numbers

class LayerSums {
 public:
  explicit LayerSums(const Flame& flame)
      : flame_(flame),
        camera_(compile_for_points(flame)),
        by_symmetry_(xforms_of_symmetry(flame)),
        own_(std::size_t(std::count(by_symmetry_.begin(), by_symmetry_.end(), 0))) {
    layers_ = own_ + (own_ < flame.xforms.size());
    shares_ = {flame.width, flame.height, {}};
    const std::uint64_t need = layers_bytes(shares_.pixels(), layers_);
    if (need > available_memory_bytes())
      fail(ErrorKind::usage, "{} layers of {} x {} pixels need {} MB of memory; lower --width",
           layers_ + 2, flame.width, flame.height, need >> 20);
    shares_.counts.resize(layers_ * shares_.pixels());
    depth_.resize(shares_.pixels());
  }

  /// The points of the picture, as bytes.
  void pack(const PointColumns& points, std::string& bytes) const {
    bytes.clear();
    for (std::size_t i = 0; i < points.count; ++i) {
      const PointCamera::Place at = camera_.place(points.places + 4 * i);
      if (!camera_.is_inside(at)) continue;
      const Hit hit{std::uint32_t(at.y) * std::uint32_t(flame_.width) + std::uint32_t(at.x),
                    std::clamp(at.distance, -1e6f, 1e6f), layer_of(points.xforms[i])};
      bytes.append(reinterpret_cast<const char*>(&hit), sizeof hit);
    }
  }
  void add(const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(Hit)) {
      Hit hit;
      std::memcpy(&hit, bytes.data() + at, sizeof hit);
      ++shares_.counts[hit.layer * shares_.pixels() + hit.pixel];
      depth_[hit.pixel] += std::int64_t(double(hit.distance) * parts_of_depth);
    }
  }

  /// Once: the sums are used up by it.
  std::vector<PixelLayer> layers() && {
    std::vector<PixelLayer> made{{"Z", std::vector<float>(shares_.pixels(), nothing_there)},
                                 {"hits.X", std::vector<float>(shares_.pixels())}};
    for (std::size_t layer = 0; layer < layers_; ++layer)
      for (std::size_t i = 0; i < shares_.pixels(); ++i)
        made[1].values[i] += float(shares_.counts[layer * shares_.pixels() + i]);
    for (std::size_t i = 0; i < shares_.pixels(); ++i)
      if (made[1].values[i] > 0)
        made[0].values[i] = float(double(depth_[i]) / parts_of_depth / double(made[1].values[i]));
    depth_ = {};
    for (std::size_t layer = 0; layer < layers_; ++layer)
      made.push_back({layer < own_ ? fmt::format("xform{}.X", number_of(layer)) : "symmetry.X",
                      std::vector<float>(shares_.pixels())});
    fill_shares(made);
    return made;
  }

 private:
  std::uint16_t layer_of(std::uint16_t xform) const {
    if (xform >= by_symmetry_.size() || by_symmetry_[xform]) return std::uint16_t(own_);
    return std::uint16_t(std::count(by_symmetry_.begin(), by_symmetry_.begin() + xform, 0));
  }
  /// The xform of a layer.
  std::size_t number_of(std::size_t layer) const {
    for (std::size_t f = 0; f < by_symmetry_.size(); ++f)
      if (!by_symmetry_[f] && layer-- == 0) return f;
    return 0;
  }
  /// Shares of pixels, and where there are no points those of the smallest surroundings that have some.
  void fill_shares(std::vector<PixelLayer>& made) {
    std::vector<ShareLevel> levels;
    levels.push_back(std::move(shares_));
    while (levels.back().width > 1 || levels.back().height > 1)
      levels.push_back(half_of(levels.back(), layers_));
    for (int y = 0; y < flame_.height; ++y)
      for (int x = 0; x < flame_.width; ++x) {
        std::size_t level = 0, at = 0;
        std::uint64_t all = 0;
        for (; level < levels.size(); ++level) {
          const ShareLevel& one = levels[level];
          at = std::size_t(y >> level) * std::size_t(one.width) + std::size_t(x >> level);
          all = 0;
          for (std::size_t layer = 0; layer < layers_; ++layer)
            all += one.counts[layer * one.pixels() + at];
          if (all > 0) break;
        }
        if (all == 0) continue;
        const std::size_t pixel = std::size_t(y) * std::size_t(flame_.width) + std::size_t(x);
        for (std::size_t layer = 0; layer < layers_; ++layer)
          made[2 + layer].values[pixel] = float(
              double(levels[level].counts[layer * levels[level].pixels() + at]) / double(all));
      }
  }

  const Flame& flame_;
  const PointCamera camera_;
  const std::vector<char> by_symmetry_;  // [xforms]
  const std::size_t own_;
  std::size_t layers_ = 0;
  ShareLevel shares_;
  std::vector<std::int64_t> depth_;
};

}  // namespace

std::vector<PixelLayer> flame_layers(const Flame& flame, const LayerOptions& options) {
  if (flame.depth_camera.projection != Projection::plane)
    fail(ErrorKind::usage, "{}: layers are those of a plane; leave --projection out",
         flame.place());
  const double wanted = flame.quality * double(flame.width) * double(flame.height);
  if (wanted > double(most_points_of_all))
    fail(ErrorKind::usage,
         "quality {:g} at {} x {} pixels is {:.3g} points, and layers are made of {:g} at most; "
         "lower "
         "--quality or --width",
         flame.quality, flame.width, flame.height, wanted, double(most_points_of_all));
  PointOptions points;
  points.count = std::uint64_t(std::max(1.0, wanted));
  points.seed = options.seed;
  points.threads = options.threads;
  points.stop = options.stop;
  LayerSums sums(flame);
  play_points(
      flame, points,
      [&](const PointColumns& columns, std::string& bytes) { sums.pack(columns, bytes); },
      [&](const std::string& bytes, std::uint64_t) { sums.add(bytes); });
  return std::move(sums).layers();
}

}  // namespace kiln
