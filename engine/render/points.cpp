// SPDX-License-Identifier: MIT
#include "engine/render/points.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <vector>

#include "engine/base/error.h"
#include "engine/device/cpu/device.h"
#include "engine/model/variations.h"
#include "engine/program/compile.h"
#include "engine/render/plan/burn_in.h"
#include "engine/render/plan/loaded_flame.h"
#include "kernels/formula_list.h"
#include "kernels/iterate_batch.h"
#include "kernels/lane_run.h"
#include "kernels/variations/extended.h"

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

/// Colors of records, as bytes: the palette once for each opacity.
class ColorBytes {
 public:
  ColorBytes(const Flame& flame, const CompiledFlame& compiled) : index_(compiled.program.color) {
    const std::size_t entries = std::size_t(index_.max) + 1, fractions = std::size_t(1)
                                                                         << index_.fraction_bits;
    for (const XformData& xform : compiled.xforms)
      begin_.push_back(std::size_t(std::max(xform.palette_row, 0)) * entries);
    for (const std::uint32_t hits : compiled.hits) {
      const double opacity = hits * compiled.unit / 255;
      for (std::size_t i = 0; i < entries; ++i) {
        const Rgba& low = flame.palette[std::min(i / fractions, flame.palette.size() - 1)];
        const Rgba& high = flame.palette[std::min(i / fractions + 1, flame.palette.size() - 1)];
        const double part = double(i % fractions) / double(fractions);
        const auto byte = [&](double a, double b, double factor) {
          const double level = (a + part * (b - a)) * factor;
          return std::uint32_t(std::clamp(level * 255 + 0.5, 0.0, 255.0));
        };
        table_.push_back(byte(low.r, high.r, 1) | byte(low.g, high.g, 1) << 8 |
                         byte(low.b, high.b, 1) << 16 | byte(low.a, high.a, opacity) << 24);
      }
    }
  }
  /// palette_index() has it so, but for the rounding of its fma, which a plain processor takes long for.
  void look_up(const PointList& list, std::uint32_t* colors) const {
    const float scale = index_.scale, offset = index_.offset, last = index_.max;
    for (std::uint32_t i = 0; i < list.count; ++i) {
      const float at = list.points[4 * std::size_t(i) + 3] * scale + offset;
      const float place = at > 0 ? std::min(at, last) : 0.0f;
      colors[i] = table_[begin_[list.xforms[i]] + std::size_t(std::int32_t(place))];
    }
  }

 private:
  const ColorIndex index_;
  std::vector<std::size_t> begin_;    // [xforms]
  std::vector<std::uint32_t> table_;  // [rows][entries]
};

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

/// Room for a piece.
struct PointPiece {
  std::vector<float> places = std::vector<float>(4 * (piece_points + pool_slots));
  std::vector<std::uint32_t> colors = std::vector<std::uint32_t>(piece_points + pool_slots);
  std::vector<std::uint16_t> xforms = std::vector<std::uint16_t>(piece_points + pool_slots);

  PointList list() {
    return {places.data(), xforms.data(), std::uint32_t(piece_points + pool_slots), 0};
  }
  PointColumns first(std::size_t count) const {
    return {places.data(), colors.data(), xforms.data(), count};
  }
};

const CpuGameKernels& kernels_of(const CpuCode& code, const Program& program) {
  if (program.extended == of_formulas_list) return code.formula_game;
  if (program.extended == of_jwildfires_list) return code.jwildfire_game;
  return program.extended ? code.extended_game : program.fine ? code.fine_game : code.plain_game;
}

class PointGame {
 public:
  PointGame(const Flame& flame, const PointOptions& options)
      : options_(options),
        pools_(options.inside ? most_point_pools
                              : std::clamp<std::uint64_t>(options.count / least_points_of_pool, 1,
                                                          most_point_pools)),
        device_(options.threads),
        compiled_(compiled(flame)),
        loaded_(device_, compiled_),
        kernels_(kernels_of(device_.code(), compiled_.program)),
        colors_(flame, compiled_),
        camera_(compiled_),
        points_(pools_ * pool_slots),
        random0_(pools_ * pool_lanes),
        random1_(random0_.size()),
        step_(pools_),
        recorded_(pools_),
        bad_(pools_),
        more_(points_.size() * std::size_t(compiled_.program.more_numbers())),
        pieces_(options.inside ? pools_ : std::size_t(device_.threads())) {
    device_.watch(options.stop);
    game_.program = loaded_.program();
    game_.state = {points_.data(),   random0_.data(), random1_.data(), step_.data(),
                   recorded_.data(), bad_.data(),     nullptr,         more_.data()};
    game_.permutations = pool_permutations().data();
    game_.seed = options.seed;
    constexpr std::uint32_t without_end = ~std::uint32_t(0);
    game_.unit_most =
        options.inside ? without_end : std::uint32_t((options.count + pools_ - 1) / pools_);
    game_.total_samples = options.inside ? pools_ * without_end : options.count;
    game_.time_samples.count = 1;
    // recorded steps begin where the strata of the offsets do (kernels/pool.h)
    const std::uint32_t more = compiled_.burn_in_steps - warm_up_steps;
    game_.recorded_from = warm_up_steps + (more + unit_steps - 1) / unit_steps * unit_steps;
    game_.first_step = game_.recorded_from - compiled_.burn_in_steps;
    game_.hidden_until = game_.recorded_from;
  }

  void settle() {
    device_.in_pieces(int(pools_), [&](int first, int last, void* scratch, int) {
      kernels_.warm_up(&game_, first, last, scratch, nullptr);
    });
  }

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
        kernels_.points(&game_, pool, &list, scratch);
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
  CompiledFlame compiled(const Flame& flame) {
    CompiledFlame made = compile_for_points(flame);
    plan_burn_in(made, &device_);
    return made;
  }
  static void pack_piece(const PointPiece& piece, const PackPoints& pack, std::size_t pool,
                         Packed& packed) {
    if (packed.points[pool] > 0)
      pack(piece.first(std::size_t(packed.points[pool])), packed.bytes[pool]);
  }

  const PointOptions options_;
  const std::uint64_t pools_;
  CpuDevice device_;
  const CompiledFlame compiled_;
  const LoadedFlame loaded_;
  const CpuGameKernels& kernels_;
  const ColorBytes colors_;
  const PointCamera camera_;
  std::vector<Point> points_;
  std::vector<std::uint32_t> random0_, random1_, step_, recorded_;
  std::vector<std::uint64_t> bad_;
  std::vector<float> more_;
  std::vector<PointPiece> pieces_;  // of workers, or of pools
  ChaosGame game_{};
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
  PointGame game(flame, options);
  game.settle();
  PointGame::Packed packed[2];
  std::future<void> taking;
  int empty = 0;
  for (std::uint64_t done = 0, launch = 0; done < options.count; ++launch) {
    PointGame::Packed& now = packed[launch % 2];
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
