// SPDX-License-Identifier: MIT
// A pilot plays the plain game. Its points say how much light is where, and so how much the picture as it is
// shown changes by one more point there: the slope of log scale and tone curve, which is steep where it is
// dark. What a pair of a cell and an xform is worth is the mean of that over the points that follow, the
// later ones less: worth(cell, xform) = mean of (use of the next point + fading * worth of its cell), some
// sweeps of it. Sums are integers, so that threads may add in any order.
#include "engine/render/plan/steering.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "engine/model/exact_math.h"
#include "engine/render/point_game.h"
#include "engine/render/points.h"
#include "kernels/steered_deal.h"

namespace kiln {
namespace {

constexpr std::uint64_t steering_pools = 32, steering_seed = 0x57ee12;
constexpr std::uint64_t least_pilot = 1 << 19, most_pilot = 1 << 21;  // points
constexpr std::uint64_t samples_a_pilots_point = 16, points_a_square = 16;
constexpr double most_use = 1 << 24;  // uses are whole numbers
constexpr double least_use = 1e-5;    // of the most: what is white already
constexpr double known_points = 2;    // as many as what is known of a pair's neighbors counts
constexpr int coarse_cells = 4;       // neighbors: so many cells across

/// The reach of a table: some points where a flame forgets at once, more where it mixes slowly.
struct LookAhead {
  int sweeps;
  double fading;
};
constexpr LookAhead look_aheads[] = {{3, 0.8}, {20, 0.9}};

/// One step of the pilot.
struct SteeredWay {
  std::uint32_t pair;   // cell that it leaves, and xform
  std::uint32_t place;  // square of the picture; the last one is outside
  std::uint16_t to;     // cell
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
      : plan_(plan),
        flame_(flame),
        device_(threads),
        xforms_(std::size_t(flame.program.xform_count)),
        share_(std::size_t(
            std::clamp(flame.sample_count / samples_a_pilots_point, least_pilot, most_pilot) /
            steering_pools)),
        ways_(steering_pools) {
    const Program& program = flame.program;
    const double buckets = double(program.width) * program.height;
    const double squares = double(steering_pools * share_ / points_a_square);
    side_ = std::max(1, int(std::ceil(std::sqrt(buckets / squares))));
    columns_ = (program.width + side_ - 1) / side_;
    rows_ = (program.height + side_ - 1) / side_;
  }

  /// Tries tables and takes the best, if it gains enough.
  void steer(double least_gain) {
    play();
    for (const std::vector<SteeredWay>& ways : ways_) points_ += ways.size();
    if (points_ == 0 || !find_uses()) return;
    double least = noise_of(light_of_pilot()) / least_gain;
    std::vector<SteeringTable> best;
    for (const LookAhead& ahead : look_aheads) {
      find_worths(ahead);
      choose_levels();
      const double noise = noise_of(light_of_table());
      if (noise < least) {
        least = noise;
        best = flame_.steering;
      }
      flame_.steering.clear();
    }
    flame_.steering = std::move(best);
  }

 private:
  using Integers = std::vector<std::uint64_t>;

  /// body(pool, integers) for all pools, each worker with integers of its own, which are added up.
  template <class Body>
  Integers add_up(std::size_t count, const Body& body) {
    std::vector<Integers> of_worker(std::size_t(device_.threads()));
    device_.in_pieces(int(steering_pools), [&](int first, int last, void*, int worker) {
      Integers& mine = of_worker[std::size_t(worker)];
      mine.resize(count);
      for (int pool = first; pool < last; ++pool) body(ways_[std::size_t(pool)], mine);
    });
    Integers all(count);
    for (const Integers& some : of_worker)
      for (std::size_t i = 0; i < some.size(); ++i) all[i] += some[i];
    return all;
  }

  /// see(pool, list) of the points of the pools from .. to - 1.
  template <class See>
  void play_pools(const PointGame& game, std::size_t from, std::size_t to, const See& see) {
    const std::size_t room = share_ + pool_slots;
    device_.in_pieces(int(to - from), [&](int first, int last, void* scratch, int) {
      for (std::size_t pool = from + std::size_t(first); pool < from + std::size_t(last); ++pool) {
        std::vector<float> places(4 * room), ways(4 * room);
        std::vector<std::uint16_t> xforms(room);
        PointList list{places.data(), xforms.data(), std::uint32_t(room), 0, ways.data()};
        game.play(int(pool), list, scratch);
        see(pool, list);
      }
    });
  }
  void play() {
    PointGame game(device_, flame_, steering_pools, steering_seed, steering_pools * share_);
    const PointCamera camera(game.compiled());
    game.settle();
    play_pools(game, 0, 1, [&](std::size_t, const PointList& list) {
      find_plane(list);
      keep(list, camera, ways_[0]);
    });
    play_pools(game, 1, steering_pools,
               [&](std::size_t pool, const PointList& list) { keep(list, camera, ways_[pool]); });
  }
  /// [pools][squares] the light of each, and behind it all of it.
  std::vector<Integers> light_of_pilot() {
    std::vector<Integers> light(steering_pools, Integers(squares() + 1));
    for (std::size_t pool = 0; pool < steering_pools; ++pool) {
      for (const SteeredWay& way : ways_[pool]) ++light[pool][way.place];
      light[pool].back() = ways_[pool].size();
    }
    return light;
  }
  /// Plays a game that the flame's table steers; its light, likewise.
  std::vector<Integers> light_of_table() {
    PointGame game(device_, flame_, steering_pools, steering_seed + 1, steering_pools * share_);
    const PointCamera camera(game.compiled());
    game.settle();
    std::vector<Integers> light(steering_pools, Integers(squares() + 1));
    play_pools(game, 0, steering_pools, [&](std::size_t pool, const PointList& list) {
      for (std::uint32_t i = 0; i < list.count; ++i) {
        const auto mine = std::uint64_t(list.ways[4 * std::size_t(i)]);
        light[pool][square_of(list, i, camera)] += mine;
        light[pool].back() += mine;
      }
    });
    return light;
  }
  /// Measures by what two halves of the pools differ in, their light being equal, as the picture is shown.
  double noise_of(const std::vector<Integers>& light) const {
    std::array<std::vector<double>, 2> halves;
    for (std::size_t half = 0; half < 2; ++half) {
      halves[half].resize(squares() + 1);
      for (std::size_t pool = half; pool < steering_pools; pool += 2)
        for (std::size_t i = 0; i <= squares(); ++i) halves[half][i] += double(light[pool][i]);
    }
    double sum = 0;
    for (std::size_t i = 0; i + 1 < squares(); ++i) {  // the last one is outside
      const double off = halves[0][i] / halves[0].back() - halves[1][i] / halves[1].back();
      sum += off * off * double(uses_[i]) * double(uses_[i]);
    }
    return sum;
  }
  void find_plane(const PointList& list) {
    if (list.count == 0) return;
    std::vector<float> x, y;
    for (std::uint32_t i = 0; i < list.count; i += 8) {
      x.push_back(list.ways[4 * i]);
      y.push_back(list.ways[4 * i + 1]);
    }
    constexpr double cells_of_the_middle = 0.6;
    const std::array<double, 2> across = middle_and_width(x), down = middle_and_width(y);
    const double scale = cells_of_the_middle / std::max(across[1], down[1]);
    plane_.scale = float(scale);
    plane_.x = float(-across[0] * scale);
    plane_.y = float(-down[0] * scale);
  }
  void keep(const PointList& list, const PointCamera& camera, std::vector<SteeredWay>& ways) const {
    ways.reserve(list.count);
    for (std::uint32_t i = 0; i < list.count; ++i) {
      const float* const way = list.ways + 4 * std::size_t(i);
      ways.push_back({std::uint32_t(plane_.cell_of(way[0], way[1]) * xforms_ + list.xforms[i]),
                      square_of(list, i, camera), std::uint16_t(plane_.cell_of(way[2], way[3]))});
    }
  }
  std::uint32_t square_of(const PointList& list, std::uint32_t i, const PointCamera& camera) const {
    const PointCamera::Place at = camera.place(list.points + 4 * std::size_t(i));
    if (!camera.is_inside(at)) return std::uint32_t(squares() - 1);
    return std::uint32_t(int(at.y) / side_ * columns_ + int(at.x) / side_);
  }
  std::size_t squares() const { return std::size_t(columns_) * std::size_t(rows_) + 1; }

  /// The slope of the picture's brightness by samples of a bucket, of so many.
  double slope(double samples) const {
    const double step = 0.01 * samples;
    return (brightness(samples + step) - brightness(samples - step)) / (2 * step);
  }
  double brightness(double samples) const {
    const double k1 = plan_.log_curve.k1, k2 = plan_.log_curve.k2;
    const double light = k1 * exact::log1p(k2 * 255 * samples) / 255;
    return std::min(1.0, double(plan_.tone.opacity(float(light))));
  }

  bool find_uses() {
    const Integers counts =
        add_up(squares(), [](const std::vector<SteeredWay>& ways, Integers& sums) {
          for (const SteeredWay& way : ways) ++sums[way.place];
        });
    const double of_bucket =
        double(flame_.sample_count) / double(points_) / (double(side_) * side_);
    std::vector<double> uses(squares());
    double most = 0;
    for (int row = 0; row < rows_; ++row) {
      for (int column = 0; column < columns_; ++column) {
        double sum = 0.5, weight = 0;
        for (int y = std::max(0, row - 1); y <= std::min(rows_ - 1, row + 1); ++y) {
          for (int x = std::max(0, column - 1); x <= std::min(columns_ - 1, column + 1); ++x) {
            sum += double(counts[std::size_t(y * columns_ + x)]);
            ++weight;
          }
        }
        double& use = uses[std::size_t(row * columns_ + column)];
        use = slope(sum / weight * of_bucket);
        most = std::max(most, use);
      }
    }
    if (!(most > 0)) return false;
    uses_.resize(uses.size());
    for (std::size_t i = 0; i + 1 < uses.size(); ++i)
      uses_[i] = std::uint32_t(std::max(uses[i] / most, least_use) * most_use);
    return true;
  }

  void find_worths(const LookAhead& ahead) {
    const std::size_t pairs = steered_cells * xforms_;
    counts_ = add_up(pairs, [](const std::vector<SteeredWay>& ways, Integers& sums) {
      for (const SteeredWay& way : ways) ++sums[way.pair];
    });
    std::vector<std::uint32_t> later(steered_cells);  // what comes behind a cell
    for (int sweep = 0; sweep < ahead.sweeps; ++sweep) {
      const Integers sums = add_up(pairs, [&](const std::vector<SteeredWay>& ways, Integers& mine) {
        for (const SteeredWay& way : ways) mine[way.pair] += uses_[way.place] + later[way.to];
      });
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
  void find_means(const Integers& sums) {
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
      mean += double(counts_[pair]) * worths_[pair] / double(points_);
    std::vector<std::uint32_t> levels(worths_.size());
    for (int round = 0; round < 6; ++round) {
      double drawn = 0;  // how much more often than by the plain game
      for (std::size_t pair = 0; pair < worths_.size(); ++pair) {
        levels[pair] = level_of(worths_[pair] / mean);
        drawn += double(counts_[pair]) * double(1u << levels[pair]) / double(1 << level_of_one);
      }
      mean *= drawn / double(points_);
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

  const OutputPlan& plan_;
  CompiledFlame& flame_;
  CpuDevice device_;
  const std::size_t xforms_, share_;           // points of a pool
  std::vector<std::vector<SteeredWay>> ways_;  // [pools]
  std::uint64_t points_ = 0;
  SteeredPlane plane_{1, 0, 0, 0};
  int side_ = 1, columns_ = 0, rows_ = 0;  // squares of buckets
  std::vector<std::uint32_t> uses_;        // [squares]
  Integers counts_;                        // [cells][xforms]
  std::vector<double> worths_;             // [cells][xforms]
};

/// The table's rows once more for each level, by what a sample of it weighs. False if records cannot name so many.
bool add_levels(CompiledFlame& flame) {
  PaletteTable& table = flame.table;
  int row_bits = 0;
  while ((1 << row_bits) < table.rows * weight_levels) ++row_bits;
  constexpr double most_increment = 2147483648.0;
  if (flame.program.color.bits + row_bits > record_color_bits ||
      double(flame.largest_increment) * light_of_level(0) > most_increment)
    return false;
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
  return true;
}

}  // namespace

bool can_steer(const CompiledFlame& flame) {
  const Program& program = flame.program;
  return program.time_sample_count == 1 && flame.passes == 1 && !program.has_xaos &&
         !program.fine && program.more_finals == 0 && program.xform_count > 1 &&
         program.xform_count <= most_steered_xforms;
}

bool plan_steering(const OutputPlan& plan, int threads, CompiledFlame& flame, double least_gain) {
  if (!can_steer(flame) || flame.sample_count < 4 * least_pilot) return false;
  SteeringPilot(plan, threads, flame).steer(least_gain);
  if (!flame.steering.empty() && !add_levels(flame)) flame.steering.clear();
  flame.program.steering = flame.steering.empty() ? nullptr : flame.steering.data();
  return !flame.steering.empty();
}

}  // namespace kiln
