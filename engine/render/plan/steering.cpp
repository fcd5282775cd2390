// SPDX-License-Identifier: MIT
// A pilot plays the plain game. Its points say how much light is where, and so how much the picture as it is
// shown changes by one more point there: the slope of log scale and tone curve, which is steep where it is
// dark. What a pair of a cell and an xform is worth is the mean of that over the points that follow, the
// later ones less: worth(cell, xform) = mean of (use of the next point + fading * worth of its cell), some
// sweeps of it. Sums are integers, so that threads may add in any order.
#include "engine/render/plan/steering.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/render/plan/steering_trial.h"
#include "engine/render/point_game.h"
#include "engine/render/points.h"
#include "kernels/steered_deal.h"

namespace kiln {
namespace {

constexpr std::uint64_t steering_pools = 4, steering_seed = 0x57ee12;
constexpr std::uint64_t least_pilot = 1 << 19, most_pilot = 1 << 21;  // points
constexpr std::uint64_t samples_a_pilots_point = 16, points_a_square = 16;
constexpr std::uint64_t points_a_trials_point = 4;
constexpr std::size_t piece_points = 8 * pool_slots;  // stay in the cache
constexpr double most_use = 1 << 24;                  // uses are whole numbers
constexpr double least_use = 1e-5;                    // of the most: what is white already
constexpr double known_points = 2;  // as many as what is known of a pair's neighbors counts
constexpr int coarse_cells = 4;     // neighbors: so many cells across

/// The reach of a table: some points where a flame forgets at once, more where it mixes slowly.
struct LookAhead {
  int sweeps;
  double fading;
};
constexpr LookAhead look_aheads[] = {{3, 0.8}, {20, 0.9}};

/// The steps of one of the pilot's pools, one after the other.
struct PilotPool {
  std::vector<std::uint16_t> pairs;    // cell that a step leaves, and xform
  std::vector<std::uint16_t> cells;    // that it goes to
  std::vector<std::uint32_t> squares;  // where it is seen; one more for all that is outside
};
static_assert(steered_cells * most_steered_xforms <= 65536);

/// The place and color of a step.
struct SeenStep {
  std::uint32_t pixel;  // of the trial
  std::uint16_t color;  // entry of the palette table; of a long one without the last digits
};

/// Middle and width of numbers: half of what lies between a sixth and five sixths of them.
std::array<double, 2> middle_and_width(std::vector<float> values) {
  const auto at = [&](double part) {
    const auto nth = values.begin() + std::ptrdiff_t(part * double(values.size() - 1));
    std::nth_element(values.begin(), nth, values.end());
    return double(*nth);
  };
  const double middle = at(0.5);
  return {middle, std::max((at(5.0 / 6) - at(1.0 / 6)) / 2, 1e-12 + 1e-6 * std::fabs(middle))};
}

class SteeringPilot {
 public:
  SteeringPilot(const OutputPlan& plan, int threads, CompiledFlame& flame)
      : flame_(flame),
        device_(threads),
        curve_(plan),
        xforms_(std::size_t(flame.program.xform_count)),
        share_(std::clamp(flame.sample_count / samples_a_pilots_point, least_pilot, most_pilot) /
               steering_pools),
        grid_(flame.program.width, flame.program.height),
        squares_(grid_, side_of_squares()),
        plot_(grid_),
        pools_(steering_pools) {
    while (flame.palette.size() >> color_shift_ > 65536) ++color_shift_;
    for (int x = 0; x < flame.program.width; ++x)
      columns_.push_back(
          {std::uint32_t(x / grid_.side), std::uint32_t(x / grid_.side / squares_.side)});
    for (int y = 0; y < flame.program.height; ++y)
      rows_.push_back({std::uint32_t(y / grid_.side * grid_.columns),
                       std::uint32_t(y / grid_.side / squares_.side * squares_.columns)});
  }

  /// Tries tables and takes the best, if it gains so much.
  void steer(double least_gain) {
    play();
    for (const PilotPool& pool : pools_) points_ += double(pool.pairs.size());
    if (points_ == 0 || !find_uses()) return;
    GameTrial trial(curve_, grid_, squares_, plot_, double(flame_.sample_count));
    for (const SeenStep& step : seen_)
      trial.see_color(step.pixel, &flame_.palette[std::size_t(step.color) << color_shift_]);
    std::vector<SteeringTable> best;
    for (const LookAhead& ahead : look_aheads) {
      find_worths(ahead);
      choose_levels();
      TrialPlot plot(grid_);
      const double points = play_table(plot), gain = points > 0 ? trial.gain_of(plot, points) : 0;
      if (gain > least_gain) {
        least_gain = gain;
        best = flame_.steering;
      }
      flame_.steering.clear();
    }
    flame_.steering = std::move(best);
  }

 private:
  int side_of_squares() const {
    const double squares = double(steering_pools * share_) / points_a_square;
    return std::max(1, int(std::ceil(std::sqrt(double(grid_.pixels()) / squares))));
  }
  /// see(pool, list) of the points of the pools from .. to - 1, about `share` each.
  template <class See>
  void play_pools(const PointGame& game, std::size_t from, std::size_t to, std::uint64_t share,
                  const See& see) {
    device_.in_pieces(int(to - from), [&](int first, int last, void* scratch, int) {
      std::vector<float> places(4 * piece_points), ways(4 * piece_points);
      std::vector<std::uint16_t> xforms(piece_points);
      for (std::size_t pool = from + std::size_t(first); pool < from + std::size_t(last); ++pool) {
        // a steered game that has lost its light would play on and on
        for (std::uint64_t played = 0; played < share;) {
          PointList list{places.data(), xforms.data(), std::uint32_t(piece_points), 0, ways.data()};
          game.play(int(pool), list, scratch);
          if (list.count == 0) break;
          see(pool, list);
          played += list.count;
        }
      }
    });
  }
  void play() {
    PointGame game(device_, flame_, steering_pools, steering_seed, steering_pools * share_);
    const PointCamera camera(game.compiled());
    game.settle();
    play_pools(game, 0, 1, share_, [&](std::size_t, const PointList& list) {
      if (pools_[0].pairs.empty()) find_plane(list);
      keep(list, camera, 0);
    });
    play_pools(game, 1, steering_pools, share_,
               [&](std::size_t pool, const PointList& list) { keep(list, camera, pool); });
  }
  /// Plays a game that the flame's table steers. Returns the number of its points.
  double play_table(TrialPlot& plot) {
    const std::uint64_t share = share_ / points_a_trials_point;
    PointGame game(device_, flame_, steering_pools, steering_seed + 1, steering_pools * share);
    const PointCamera camera(game.compiled());
    game.settle();
    std::atomic<std::uint64_t> points = 0;
    play_pools(game, 0, steering_pools, share, [&](std::size_t pool, const PointList& list) {
      for (std::uint32_t i = 0; i < list.count; ++i)
        plot.add(pool % 2, place_of(list, i, camera).pixel,
                 std::uint32_t(list.ways[4 * std::size_t(i)]));
      points += list.count;
    });
    return double(points);
  }
  void find_plane(const PointList& list) {
    std::vector<float> x, y;
    for (std::uint32_t i = 0; i < list.count; ++i) {
      x.push_back(list.ways[4 * std::size_t(i)]);
      y.push_back(list.ways[4 * std::size_t(i) + 1]);
    }
    constexpr double cells_of_the_middle = 0.6;
    const std::array<double, 2> across = middle_and_width(x), down = middle_and_width(y);
    const double scale = cells_of_the_middle / std::max(across[1], down[1]);
    plane_.scale = float(scale);
    plane_.x = float(-across[0] * scale);
    plane_.y = float(-down[0] * scale);
  }
  void keep(const PointList& list, const PointCamera& camera, std::size_t pool) {
    PilotPool& steps = pools_[pool];
    const std::size_t first = steps.pairs.size(), room_for = share_ + piece_points;
    steps.pairs.reserve(room_for);
    steps.cells.reserve(room_for);
    steps.squares.reserve(room_for);
    if (pool == 0) seen_.reserve(room_for);
    steps.pairs.resize(first + list.count);
    steps.cells.resize(first + list.count);
    steps.squares.resize(first + list.count);
    for (std::uint32_t i = 0; i < list.count; ++i) {
      const float* const way = list.ways + 4 * std::size_t(i);
      const PlacePart at = place_of(list, i, camera);
      plot_.add(pool % 2, at.pixel, 1);
      steps.pairs[first + i] =
          std::uint16_t(plane_.cell_of(way[0], way[1]) * xforms_ + list.xforms[i]);
      steps.cells[first + i] = std::uint16_t(plane_.cell_of(way[2], way[3]));
      steps.squares[first + i] = at.square;
      if (pool == 0)  // enough to know colors
        seen_.push_back({at.pixel, std::uint16_t(entry_of(list, i) >> color_shift_)});
    }
  }
  /// The share of a bucket's column, or of its row, in the numbers of its pixel and square.
  struct PlacePart {
    std::uint32_t pixel, square;
  };
  PlacePart place_of(const PointList& list, std::uint32_t i, const PointCamera& camera) const {
    const PointCamera::Place at = camera.place(list.points + 4 * std::size_t(i));
    if (!camera.is_inside(at))
      return {std::uint32_t(grid_.pixels()), std::uint32_t(squares_.count())};
    const PlacePart &column = columns_[std::size_t(at.x)], &row = rows_[std::size_t(at.y)];
    return {column.pixel + row.pixel, column.square + row.square};
  }
  /// Its place in the palette table.
  std::size_t entry_of(const PointList& list, std::uint32_t i) const {
    const ColorIndex& index = flame_.program.color;
    const float at = list.points[4 * std::size_t(i) + 3] * index.scale + index.offset;
    const float inside = at > 0 ? std::min(at, float(index.max)) : 0.0f;
    const int row = std::max(flame_.xforms[list.xforms[i]].palette_row, 0);
    return (std::size_t(row) << (index.bits - index.fraction_bits)) +
           std::size_t(std::int32_t(inside) >> index.fraction_bits);
  }

  /// The use of one more point by squares of the picture, and the ways that lead to it, by pairs.
  bool find_uses() {
    std::vector<double> light(squares_.count()), uses(squares_.count());
    squares_.each_pixel(
        [&](std::size_t pixel, std::size_t square) { light[square] += plot_.both(pixel); });
    const double side = double(squares_.side) * grid_.side;
    const double of_bucket = double(flame_.sample_count) / points_ / (side * side);
    std::vector<double> known(4096, -1);  // of sums of squares that lie inside: most are small
    double most = 0;
    for (std::size_t square = 0; square < uses.size(); ++square) {
      double sum = 0;
      int count = 0;
      squares_.around(square, [&](std::size_t near) {
        sum += light[near];
        ++count;
      });
      const auto slope = [&] { return curve_.slope((sum + 0.5) / count * of_bucket); };
      if (count < 9 || sum >= double(known.size())) {
        uses[square] = slope();
      } else {
        double& same = known[std::size_t(sum)];
        if (same < 0) same = slope();
        uses[square] = same;
      }
      most = std::max(most, uses[square]);
    }
    if (!(most > 0)) return false;
    const std::size_t pairs = steered_cells * xforms_;
    counts_.resize(pairs);
    uses_.resize(pairs);
    std::vector<std::uint32_t> whole(uses.size());
    for (std::size_t square = 0; square < uses.size(); ++square)
      whole[square] = std::uint32_t(std::max(uses[square] / most, least_use) * most_use);
    whole.push_back(0);  // outside
    for (const PilotPool& pool : pools_) {
      for (std::size_t i = 0; i < pool.pairs.size(); ++i) {
        ++counts_[pool.pairs[i]];
        uses_[pool.pairs[i]] += whole[pool.squares[i]];
      }
    }
    find_transitions();
    return true;
  }
  /// Steps that begin with one pair and end in one cell become one.
  void find_transitions() {
    std::vector<std::uint32_t> next(counts_.size());
    std::uint32_t all = 0;
    for (std::size_t pair = 0; pair < next.size(); ++pair) next[pair] = all += counts_[pair];
    std::vector<std::uint16_t> to(all);  // by pairs
    for (const PilotPool& pool : pools_)
      for (std::size_t i = 0; i < pool.pairs.size(); ++i) to[--next[pool.pairs[i]]] = pool.cells[i];
    std::vector<std::uint32_t> times(steered_cells);
    for (std::size_t pair = 0; pair < next.size(); ++pair) {
      const std::size_t first = transitions_.size();
      for (std::uint32_t i = 0; i < counts_[pair]; ++i) {
        const std::uint16_t cell = to[next[pair] + i];
        if (times[cell]++ == 0) transitions_.push_back({std::uint16_t(pair), cell, 0});
      }
      for (std::size_t i = first; i < transitions_.size(); ++i)
        transitions_[i].times = std::exchange(times[transitions_[i].to], 0);
    }
  }

  void find_worths(const LookAhead& ahead) {
    std::vector<std::uint32_t> later(steered_cells);  // what comes behind a cell
    for (int sweep = 0; sweep < ahead.sweeps; ++sweep) {
      std::vector<std::uint64_t> sums = uses_;
      for (const Transition& way : transitions_)
        sums[way.pair] += std::uint64_t(way.times) * later[way.to];
      find_means(sums);
      for (std::size_t cell = 0; cell < std::size_t(steered_cells); ++cell) {
        double worth = 0;
        for (std::size_t f = 0; f < xforms_; ++f)
          worth += double(share_of(flame_.cumulative.data(), int(xforms_), int(f))) * 0x1p-32 *
                   worths_[cell * xforms_ + f];
        later[cell] = std::uint32_t(ahead.fading * worth);
      }
    }
  }
  /// worths_ from the sums of the pairs: what a pair has few points of is taken from its neighbors, and from all pairs of
  /// the xform.
  void find_means(const std::vector<std::uint64_t>& sums) {
    struct Known {
      double sum = 0, points = 0;
      void add(const Known& more) {
        sum += more.sum;
        points += more.points;
      }
      double mean(double otherwise) const {
        return (sum + known_points * otherwise) / (points + known_points);
      }
    };
    constexpr std::size_t coarse_side = steered_side / coarse_cells;
    const auto coarse = [&](std::size_t pair) {
      const std::size_t cell = pair / xforms_;
      return (cell / steered_side / coarse_cells * coarse_side +
              cell % steered_side / coarse_cells) *
                 xforms_ +
             pair % xforms_;
    };
    std::vector<Known> of_xform(xforms_), around(coarse_side * coarse_side * xforms_);
    Known all;
    for (std::size_t pair = 0; pair < sums.size(); ++pair) {
      const Known mine{double(sums[pair]), double(counts_[pair])};
      of_xform[pair % xforms_].add(mine);
      around[coarse(pair)].add(mine);
      all.add(mine);
    }
    worths_.resize(sums.size());
    for (std::size_t pair = 0; pair < sums.size(); ++pair) {
      const double usual = of_xform[pair % xforms_].mean(all.sum / all.points);
      worths_[pair] =
          Known{double(sums[pair]), double(counts_[pair])}.mean(around[coarse(pair)].mean(usual));
    }
  }

  /// Levels whose light is, in the mean of the steered game's points, about that of a plain one.
  void choose_levels() {
    double mean = 0;
    for (std::size_t pair = 0; pair < worths_.size(); ++pair)
      mean += double(counts_[pair]) * worths_[pair] / points_;
    std::vector<std::uint32_t> levels(worths_.size());
    for (int round = 0; round < 6; ++round) {
      double drawn = 0;  // how much more often than by the plain game
      for (std::size_t pair = 0; pair < worths_.size(); ++pair) {
        levels[pair] = level_of(worths_[pair] / mean);
        drawn += double(counts_[pair]) * double(1u << levels[pair]) / double(1 << level_of_one);
      }
      mean *= drawn / points_;
    }
    SteeringTable& table = flame_.steering.emplace_back();
    table.plane = plane_;
    for (std::size_t pair = 0; pair < levels.size(); ++pair) {
      const std::size_t cell = pair / xforms_, f = pair % xforms_;
      table.levels[f / levels_of_a_word][cell] |= levels[pair] << (4 * (f % levels_of_a_word));
    }
  }
  static std::uint32_t level_of(double ratio) {
    constexpr double root_of_2 = 1.4142135623730951;
    int level = level_of_one;
    for (; ratio >= root_of_2 && level < weight_levels - 1; ratio /= 2) ++level;
    for (; ratio < 1 / root_of_2 && level > 0; ratio *= 2) --level;
    return std::uint32_t(level);
  }

  struct Transition {
    std::uint16_t pair, to;
    std::uint32_t times;
  };

  CompiledFlame& flame_;
  CpuDevice device_;
  const BrightnessCurve curve_;
  const std::size_t xforms_;
  const std::uint64_t share_;  // points of a pool
  const TrialGrid grid_;
  const TrialSquares squares_;
  TrialPlot plot_;  // of the pilot
  std::vector<PilotPool> pools_;
  std::vector<SeenStep> seen_;             // of the first pool
  std::vector<PlacePart> columns_, rows_;  // of buckets
  double points_ = 0;
  SteeredPlane plane_{1, 0, 0, 0};
  int color_shift_ = 0;
  std::vector<std::uint32_t> counts_;  // [cells][xforms]
  std::vector<std::uint64_t> uses_;    // [cells][xforms] of all their points
  std::vector<Transition> transitions_;
  std::vector<double> worths_;  // [cells][xforms]
};

/// Whether records can name the rows of all levels, and entries of the heaviest fit.
bool has_room_for_levels(const CompiledFlame& flame) {
  int row_bits = 0;
  while ((1 << row_bits) < flame.table.rows * weight_levels) ++row_bits;
  constexpr double most_increment = 2147483648.0;
  return flame.program.color.bits + row_bits <= record_color_bits &&
         double(flame.largest_increment) * light_of_level(0) <= most_increment;
}

/// The table's rows once more for each level, by what a sample of it weighs.
void add_levels(CompiledFlame& flame) {
  PaletteTable& table = flame.table;
  // entries of at most 16 bits stay so: those of linear palettes lose digits that the lightest levels do not show
  int drop = 0;
  while (!table.wide && std::uint64_t(flame.largest_increment) * light_of_level(0) >> drop > 65535)
    ++drop;
  const auto weighed = [&](std::uint32_t entry, std::uint32_t light) {
    return std::uint32_t((std::uint64_t(entry) * light + (1u << drop >> 1)) >> drop);
  };
  const std::vector<Increment> palette = flame.palette;
  const std::vector<std::uint32_t> hits = flame.hits;
  flame.palette.clear();
  flame.hits.clear();
  for (std::uint32_t level = 0; level < std::uint32_t(weight_levels); ++level) {
    const std::uint32_t light = light_of_level(level);
    for (Increment entry : palette) {
      for (std::uint32_t& channel : entry.v) channel = weighed(channel, light);
      flame.palette.push_back(entry);
    }
    for (const std::uint32_t hit : hits) flame.hits.push_back(weighed(hit, light));
  }
  flame.steering[0].plane.rows = table.rows;
  table.rows *= weight_levels;
  table.narrow = 0;
  flame.unit *= double(1 << drop) / double(1 << light_bits);
  flame.largest_increment = weighed(flame.largest_increment, light_of_level(0));
  table.wide = flame.largest_increment > 65535;
}

}  // namespace

bool can_steer(const CompiledFlame& flame) {
  const Program& program = flame.program;
  return program.time_sample_count == 1 && flame.passes == 1 && !program.has_xaos &&
         !program.fine && program.more_finals == 0 && program.xform_count > 1 &&
         program.xform_count <= most_steered_xforms;
}

bool plan_steering(const OutputPlan& plan, int threads, CompiledFlame& flame, double least_gain) {
  if (!can_steer(flame) || !has_room_for_levels(flame) || flame.sample_count < 4 * least_pilot)
    return false;
  SteeringPilot(plan, threads, flame).steer(least_gain);
  if (!flame.steering.empty()) add_levels(flame);
  flame.program.steering = flame.steering.empty() ? nullptr : flame.steering.data();
  return !flame.steering.empty();
}

}  // namespace kiln
