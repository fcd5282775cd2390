// SPDX-License-Identifier: MIT
#include "engine/render/points.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <optional>
#include <vector>

#include "engine/base/error.h"
#include "engine/device/cpu/device.h"
#include "engine/model/variations.h"
#include "engine/program/compile.h"
#include "engine/render/plan/burn_in.h"
#include "engine/render/point_game.h"
#include "kernels/lane_run.h"

namespace kiln {
namespace {

constexpr std::uint64_t most_point_pools = 32, least_points_of_pool = 1 << 18;
constexpr std::uint32_t piece_points = 1 << 16;
// launches in a row without a point, before the first one and after it, where it is known that there are some
constexpr int empty_launches_at_first = 64, empty_launches_later = 1024, empty_launches_of_all = 4;

bool makes_depth(const XformValues& xform) {
  for (std::size_t v = 0; v < xform.variations.size(); ++v)
    if (xform.variations[v] != 0 && info_of(int(v)).traits.makes_depth != makes_depth_never)
      return true;
  return std::any_of(xform.staged.begin(), xform.staged.end(), [&](const StagedVariation& one) {
    return info_of(one.variation).traits.makes_depth != makes_depth_never;
  });
}

/// The flame, whose game keeps depth where something makes it, though its own picture may not show it.
Flame with_depth(Flame flame) {
  constexpr double hardly = 1e-30;
  bool makes = flame.final_xform && makes_depth(*flame.final_xform);
  for (const Xform& xform : flame.xforms) makes = makes || makes_depth(xform);
  for (const Xform& xform : flame.more_finals) makes = makes || makes_depth(xform);
  if (makes && flame.depth_camera.pitch_rad == 0) flame.depth_camera.pitch_rad = hardly;
  return flame;
}

/// Leaves those of the picture.
void choose(const PointCamera& camera, PointList& list) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < list.count; ++i) {
    const float* const point = list.points + 4 * std::size_t(i);
    if (!camera.is_inside(camera.place(point))) continue;
    std::copy_n(point, 4, list.points + 4 * std::size_t(kept));
    list.xforms[kept++] = list.xforms[i];
  }
  list.count = kept;
}

/// The flame, and how many steps its points take to forget where they began.
CompiledFlame compiled_for(const Flame& flame, CpuDevice& device) {
  CompiledFlame made = compile_for_points(flame);
  plan_burn_in(made, &device);
  return made;
}

/// The pieces of pools, and what becomes of them.
class PiecesOfPoints {
 public:
  PiecesOfPoints(const Flame& flame, const PointOptions& options)
      : options_(options),
        pools_(options.inside ? most_point_pools
                              : std::clamp<std::uint64_t>(options.count / least_points_of_pool, 1,
                                                          most_point_pools)),
        device_(options.threads),
        game_(device_, compiled_for(flame, device_), pools_, options.seed,
              options.inside ? std::nullopt : std::optional(options.count)),
        colors_(flame, game_.compiled()),
        camera_(game_.compiled()),
        pieces_(options.inside ? pools_ : std::size_t(device_.threads()),
                PointPiece(piece_points)) {
    device_.watch(options.stop);
  }

  void settle() { game_.settle(); }

  /// A launch brings these, pool by pool.
  struct Packed {
    std::vector<std::string> bytes;
    std::vector<std::uint64_t> points;
    std::uint64_t all() const {
      std::uint64_t sum = 0;
      for (const std::uint64_t count : points) sum += count;
      return sum;
    }
  };

  /// The next piece of each pool, of all of them at most `most` points.
  void play(const PackPoints& pack, std::uint64_t most, Packed& packed) {
    packed.bytes.resize(pools_);
    packed.points.assign(pools_, 0);
    device_.in_pieces(int(pools_), [&](int first, int last, void* scratch, int worker) {
      for (int pool = first; pool < last; ++pool) {
        PointPiece& piece = pieces_[std::size_t(options_.inside ? pool : worker)];
        PointList list = piece.list();
        game_.play(pool, list, scratch);
        if (options_.inside) choose(camera_, list);
        colors_.look_up(list, piece.colors.data());
        packed.points[std::size_t(pool)] = list.count;
        if (!options_.inside) pack_piece(piece, pack, std::size_t(pool), packed);
      }
    });
    if (!options_.inside) return;
    for (std::uint64_t& count : packed.points) {
      count = std::min(count, most);
      most -= count;
    }
    device_.in_pieces(int(pools_), [&](int first, int last, void*, int) {
      for (int pool = first; pool < last; ++pool)
        pack_piece(pieces_[std::size_t(pool)], pack, std::size_t(pool), packed);
    });
  }

 private:
  static void pack_piece(const PointPiece& piece, const PackPoints& pack, std::size_t pool,
                         Packed& packed) {
    if (packed.points[pool] > 0)
      pack(piece.first(std::size_t(packed.points[pool])), packed.bytes[pool]);
  }

  const PointOptions options_;
  const std::uint64_t pools_;
  CpuDevice device_;
  PointGame game_;
  const ColorBytes colors_;
  const PointCamera camera_;
  std::vector<PointPiece> pieces_;  // of workers, or of pools
};

[[noreturn]] void give_up(const Flame& flame, const PointOptions& options, std::uint64_t done) {
  if (done > 0)
    fail(ErrorKind::input, "{}: {} of {} points were found, and then none for long; ask for fewer",
         flame.place(), done, options.count);
  fail(ErrorKind::input, "{}: {}; there are no points", flame.place(),
       options.inside ? "none of the first hundred millions of points falls into the picture"
                      : "every xform that is drawn is invisible");
}

}  // namespace

CompiledFlame compile_for_points(const Flame& flame) {
  return compile(with_depth(flame), PlotArea{1, 0, flame.width, flame.height}, Symmetry::iterated);
}

std::vector<char> xforms_of_symmetry(const Flame& flame) {
  std::vector<char> found;
  for (const Xform& xform : flame.xforms)
    found.push_back(xform.line == 0 && xform.color_speed == 0);
  if (std::find(found.begin(), found.end(), 0) == found.end()) found.assign(found.size(), 0);
  return found;
}

PointCamera::PointCamera(const CompiledFlame& compiled)
    : raster_(compiled.cameras.at(0)),
      width_(float(compiled.program.width)),
      height_(float(compiled.program.height)),
      has_view_(!compiled.views.empty()) {
  if (!has_view_) return;
  view_ = compiled.views[0];
  view_.blur = 0;
}

PointCamera::Place PointCamera::place(const float* point) const {
  Random none{1, 1};
  Vec2 at{point[0], point[1]};
  float distance = 0;
  if (has_view_) {
    const DepthPoint turned = turned_to(view_, point[0], point[1], point[2]);
    distance = view_.perspective == 0
                   ? -fma(fma(at.y, view_.yaw_cos, -(at.x * view_.yaw_sin)), view_.pitch_sin,
                          (point[2] - view_.z) * view_.pitch_cos)
                   : distance_of(view_, turned) / view_.perspective;
    at = seen_at(view_, point[0], point[1], point[2], none);
  }
  return {raster_.a * at.x + (raster_.b * at.y + raster_.c),
          raster_.d * at.x + (raster_.e * at.y + raster_.f), distance};
}

void play_points(const Flame& flame, const PointOptions& options, const PackPoints& pack,
                 const TakePoints& take) {
  if (options.count < 1 || options.count > most_points_of_all)
    fail(ErrorKind::usage, "{} points: from 1 to {} are made", options.count, most_points_of_all);
  PiecesOfPoints game(flame, options);
  game.settle();
  PiecesOfPoints::Packed packed[2];
  std::future<void> taking;
  int empty = 0;
  for (std::uint64_t done = 0, launch = 0; done < options.count; ++launch) {
    PiecesOfPoints::Packed& now = packed[launch % 2];
    game.play(pack, options.count - done, now);
    const std::uint64_t points = now.all();
    empty = points == 0 ? empty + 1 : 0;
    if (empty >= (!options.inside ? empty_launches_of_all
                  : done == 0     ? empty_launches_at_first
                                  : empty_launches_later))
      give_up(flame, options, done);
    done += points;
    if (taking.valid()) taking.get();
    taking = std::async(std::launch::async, [&take, &now] {
      for (std::size_t pool = 0; pool < now.bytes.size(); ++pool)
        if (now.points[pool] > 0) take(now.bytes[pool], now.points[pool]);
    });
  }
  taking.get();
}

}  // namespace kiln
