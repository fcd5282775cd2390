// SPDX-License-Identifier: MIT
#include "engine/render/light_at.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/render/plan/burn_in.h"
#include "engine/render/point_game.h"
#include "engine/render/points.h"

namespace kiln {
namespace {

constexpr std::uint64_t light_pools = 32;
constexpr std::size_t light_piece = 1 << 14;
constexpr double finest_light = 1 << 16;  // sums of light are whole numbers
constexpr int most_xforms_of_ways = 700;  // two digits of more do not fit into a float's 24 bits
constexpr int most_map_columns = 512;
constexpr std::size_t most_maps = 8;

/// Digits of colors. Those of a number lie in the middle half of its share, so that no rounding takes them to the next.
class Addresses {
 public:
  explicit Addresses(std::size_t xforms) : xforms_(double(xforms)) {}
  void give(XformValues& values, std::size_t xform) const {
    const double pull = (double(xform) + 0.25) / xforms_;
    values.color_speed = 1 - 0.5 / xforms_;
    values.color = pull / values.color_speed;
  }
  /// Takes the first digit off; -1 where there is none.
  int take(double& address) const {
    const double digits = address * xforms_, digit = std::floor(digits), rest = digits - digit;
    if (!(digit >= 0 && digit < xforms_ && rest > 0.2 && rest < 0.8)) return -1;
    address = 2 * rest - 0.5;
    return int(digit);
  }

 private:
  const double xforms_;
};

void keep_color(XformValues& values) {
  values.color_speed = 0;
  values.direct_color = 0;
}

/// The flame with addresses for colors. Its points are those of the flame itself.
Flame addressed(Flame flame, const std::vector<int>& owners, const Addresses& addresses) {
  const auto without_motion = [](Xform& xform) {
    keep_color(xform);
    for (Motion& motion : xform.motions)
      motion.color = motion.color_speed = motion.direct_color = 0;
  };
  for (std::size_t f = 0; f < flame.xforms.size(); ++f) {
    without_motion(flame.xforms[f]);
    if (owners[f] >= 0) addresses.give(flame.xforms[f], std::size_t(owners[f]));
  }
  if (flame.final_xform) without_motion(*flame.final_xform);
  for (Xform& xform : flame.more_finals) without_motion(xform);
  return flame;
}

/// Sums of points in the place.
struct Sum {
  std::uint64_t points = 0, by_symmetry = 0;
  std::array<std::uint64_t, 3> light = {0, 0, 0};  // red green blue, finest_light for 1

  void add(const Sum& other) {
    points += other.points;
    by_symmetry += other.by_symmetry;
    for (int c = 0; c < 3; ++c) light[std::size_t(c)] += other.light[std::size_t(c)];
  }
  double luminance() const {
    return (0.2126 * double(light[0]) + 0.7152 * double(light[1]) + 0.0722 * double(light[2])) /
           finest_light;
  }
};

/// The counts of a worker: whole numbers, so that no order of adding matters.
struct Tally {
  std::vector<Sum> xforms;                  // by owner
  std::map<std::pair<int, int>, Sum> ways;  // by the last one and the one before
  std::vector<std::uint32_t> map;           // [rows][columns][owners]
  std::uint64_t points = 0, played = 0, without_way = 0;
};

/// Marks the xforms that carry light and do not make it: symmetry's, also where a file has them written out.
std::vector<char> only_carry(const Flame& flame) {
  std::vector<char> found = xforms_of_symmetry(flame);
  for (std::size_t f = 0; f < found.size(); ++f)
    found[f] = found[f] || (flame.xforms[f].color_speed == 0 && flame.xforms[f].animate == 0 &&
                            flame.xforms[f].motions.empty());
  if (std::find(found.begin(), found.end(), 0) == found.end()) found.assign(found.size(), 0);
  return found;
}

class LightSearch {
 public:
  LightSearch(const Flame& flame, const LightOptions& options)
      : flame_(flame),
        options_(options),
        radius_(options.radius > 0 ? options.radius
                                   : std::max(2.0, 0.01 * std::min(flame.width, flame.height))),
        owners_(owners_of(flame)),
        addresses_(numbers_.size()),
        device_(options.threads),
        game_(device_, compiled(flame), light_pools, options.seed, {}),
        colors_(flame, game_.compiled()),
        camera_(game_.compiled()),
        tallies_(std::size_t(device_.threads())) {
    device_.watch(options.stop);
    if (numbers_.size() <= most_xforms_of_ways) {
      CompiledFlame same = compile_for_points(addressed(flame, owners_, addresses_));
      same.burn_in_steps = game_.compiled().burn_in_steps;
      second_ = std::make_unique<PointGame>(device_, std::move(same), light_pools, options.seed,
                                            std::nullopt);
    }
    if (options.map_width > 0) {
      map_width_ = std::min(options.map_width, flame.width);
      const double rows = std::round(double(map_width_) * flame.height / flame.width);
      map_height_ = int(std::clamp(rows, 1.0, double(std::min(flame.height, most_map_columns))));
    }
    for (Tally& tally : tallies_) {
      tally.xforms.resize(numbers_.size());
      tally.map.resize(std::size_t(map_width_) * std::size_t(map_height_) * numbers_.size());
    }
    for (int worker = 0; worker < device_.threads(); ++worker) {
      first_pieces_.emplace_back(light_piece);
      second_pieces_.emplace_back(light_piece);
    }
  }

  LightAt search() {
    const std::vector<XformData>& xforms = game_.compiled().xforms;
    if (std::all_of(xforms.begin(), xforms.end(),
                    [](const XformData& xform) { return xform.palette_row < 0; }))
      return result();  // nothing is seen
    game_.settle();
    if (second_) second_->settle();
    while (true) {
      device_.in_pieces(int(light_pools), [&](int first, int last, void* scratch, int worker) {
        for (int pool = first; pool < last; ++pool) play(pool, scratch, worker);
      });
      std::uint64_t found = 0, played = 0;
      for (const Tally& tally : tallies_) {
        found += tally.points;
        played += tally.played;
      }
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
      // without a point after thousands of steps those that are seen are never drawn
      if (found >= options_.enough || played >= options_.count || played == 0 ||
          (options_.seconds > 0 && spent.count() >= options_.seconds))
        return result();
    }
  }

 private:
  /// Numbers the xforms that are the flame's own; -1: symmetry's.
  std::vector<int> owners_of(const Flame& flame) {
    const std::vector<char> by_symmetry = only_carry(flame);
    std::vector<int> owners(flame.xforms.size(), -1);
    for (std::size_t f = 0; f < flame.xforms.size(); ++f) {
      if (by_symmetry[f]) continue;
      owners[f] = int(numbers_.size());
      numbers_.push_back(int(f));
    }
    return owners;
  }
  CompiledFlame compiled(const Flame& flame) {
    CompiledFlame made = compile_for_points(flame);
    plan_burn_in(made, &device_);
    return made;
  }

  void play(int pool, void* scratch, int worker) {
    PointList first = first_pieces_[std::size_t(worker)].list();
    game_.play(pool, first, scratch);
    PointList second = second_pieces_[std::size_t(worker)].list();
    if (second_) second_->play(pool, second, scratch);
    count(first, second_ && second.count == first.count ? &second : nullptr,
          tallies_[std::size_t(worker)]);
  }

  void count(const PointList& list, const PointList* second, Tally& tally) const {
    const float x = float(options_.x), y = float(options_.y), most = float(radius_ * radius_);
    const float columns = float(map_width_) / float(flame_.width);
    const float rows = float(map_height_) / float(flame_.height);
    tally.played += list.count;
    for (std::uint32_t i = 0; i < list.count; ++i) {
      const float* const point = list.points + 4 * std::size_t(i);
      const PointCamera::Place at = camera_.place(point);
      if (!camera_.is_inside(at)) continue;
      const bool is_near = (at.x - x) * (at.x - x) + (at.y - y) * (at.y - y) <= most;
      if (!is_near && map_width_ == 0) continue;
      // its own xforms alone say who made it, wherever symmetry has carried it
      const int of_step = owners_[list.xforms[i]];
      const float* const twin = second ? second->points + 4 * std::size_t(i) : nullptr;
      const bool is_same = twin && std::equal(twin, twin + 3, point);
      double address = is_same ? double(twin[3]) : -1;
      int last = addresses_.take(address);
      if (last < 0) last = of_step;
      if (last < 0) continue;  // a twin without address
      if (map_width_ > 0) {
        const auto column = std::min(std::size_t(at.x * columns), std::size_t(map_width_) - 1);
        const auto row = std::min(std::size_t(at.y * rows), std::size_t(map_height_) - 1);
        ++tally.map[(row * std::size_t(map_width_) + column) * numbers_.size() + std::size_t(last)];
      }
      if (!is_near) continue;
      const Sum one = sum_of(list.xforms[i], point[3], of_step < 0);
      ++tally.points;
      tally.xforms[std::size_t(last)].add(one);
      const int before = is_same ? addresses_.take(address) : -1;
      if (before < 0)
        ++tally.without_way;
      else
        tally.ways[{last, before}].add(one);
    }
  }
  Sum sum_of(std::uint16_t xform, float color, bool by_symmetry) const {
    const std::uint32_t bytes = colors_.at(colors_.place(xform, color));
    const CompiledFlame& compiled = game_.compiled();
    const auto row = std::size_t(std::max(compiled.xforms[xform].palette_row, 0));
    const double opacity = compiled.hits[row] * compiled.unit / 255;
    Sum sum{1, by_symmetry, {}};
    for (int c = 0; c < 3; ++c)
      sum.light[std::size_t(c)] =
          std::uint64_t(double(bytes >> (8 * c) & 255) / 255 * opacity * finest_light);
    return sum;
  }

  LightShare share(std::vector<int> xforms, const Sum& sum, const Sum& all) const {
    LightShare made;
    for (const int one : xforms) made.xforms.push_back(numbers_[std::size_t(one)]);
    made.points = sum.points;
    made.by_symmetry = sum.by_symmetry;
    made.hits = double(sum.points) / double(all.points);
    const double light = all.luminance();
    made.light = light > 0 ? sum.luminance() / light : made.hits;
    std::uint64_t most = 1;
    for (const std::uint64_t part : sum.light) most = std::max(most, part);
    const double brightest = std::max(double(most), double(sum.points) * finest_light);
    for (std::size_t c = 0; c < 3; ++c) made.color[c] = double(sum.light[c]) / brightest;
    return made;
  }
  static void sort(std::vector<LightShare>& shares) {
    std::sort(shares.begin(), shares.end(), [](const LightShare& a, const LightShare& b) {
      return a.light != b.light     ? a.light > b.light
             : a.points != b.points ? a.points > b.points
                                    : a.xforms < b.xforms;
    });
  }
  LightAt result() const {
    Tally all;
    all.xforms.resize(numbers_.size());
    all.map.resize(tallies_[0].map.size());
    for (const Tally& tally : tallies_) {
      all.points += tally.points;
      all.played += tally.played;
      all.without_way += tally.without_way;
      for (std::size_t i = 0; i < all.xforms.size(); ++i) all.xforms[i].add(tally.xforms[i]);
      for (const auto& [way, sum] : tally.ways) all.ways[way].add(sum);
      for (std::size_t i = 0; i < all.map.size(); ++i) all.map[i] += tally.map[i];
    }
    Sum whole;
    for (const Sum& sum : all.xforms) whole.add(sum);
    LightAt made;
    made.points = all.points;
    made.played = all.played;
    made.x = options_.x;
    made.y = options_.y;
    made.radius = radius_;
    for (std::size_t i = 0; i < all.xforms.size(); ++i)
      if (all.xforms[i].points > 0) made.xforms.push_back(share({int(i)}, all.xforms[i], whole));
    sort(made.xforms);
    if (all.without_way * 100 <= all.points)  // else a part of them would pass for the whole
      for (const auto& [way, sum] : all.ways)
        made.ways.push_back(share({way.first, way.second}, sum, whole));
    sort(made.ways);
    if (map_width_ > 0) add_maps(all.map, made);
    return made;
  }
  void add_maps(const std::vector<std::uint32_t>& counts, LightAt& made) const {
    made.map_width = map_width_;
    made.map_height = map_height_;
    const std::size_t owners = numbers_.size(), cells = counts.size() / owners;
    for (std::size_t s = 0; s < std::min(made.xforms.size(), most_maps); ++s) {
      LightShare& one = made.xforms[s];
      const auto owner = std::size_t(owners_[std::size_t(one.xforms[0])]);
      for (std::size_t cell = 0; cell < cells; ++cell) {
        std::uint64_t all = 0;
        for (std::size_t o = 0; o < owners; ++o) all += counts[cell * owners + o];
        const std::uint64_t own = counts[cell * owners + owner];
        one.map.push_back(std::uint8_t(all == 0 ? 0 : 255 * own / all));
      }
    }
  }

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const Flame& flame_;
  const LightOptions options_;
  const double radius_;
  std::vector<int> numbers_;  // the flame's own xforms
  const std::vector<int> owners_;
  const Addresses addresses_;
  CpuDevice device_;
  PointGame game_;
  std::unique_ptr<PointGame> second_;
  const ColorBytes colors_;
  const PointCamera camera_;
  int map_width_ = 0, map_height_ = 0;
  std::vector<Tally> tallies_;                            // of workers
  std::vector<PointPiece> first_pieces_, second_pieces_;  // likewise
};

void check(const Flame& flame, const LightOptions& options) {
  if (flame.depth_camera.projection != Projection::plane)
    fail(ErrorKind::usage, "{}: light is looked for in a plane; leave --projection out",
         flame.place());
  if (!(options.x >= 0 && options.x <= flame.width && options.y >= 0 && options.y <= flame.height))
    fail(ErrorKind::usage, "{},{} is outside of the picture, which has {} x {} pixels",
         shortest(options.x), shortest(options.y), flame.width, flame.height);
  constexpr double most_radius = 1e6;
  if (!(options.radius >= 0 && options.radius <= most_radius))
    fail(ErrorKind::usage, "a radius of {} pixels: from 0 to {:g}", shortest(options.radius),
         most_radius);
  if (options.count < 1 || options.count > most_points_of_all || options.enough < 1)
    fail(ErrorKind::usage, "light of {} points: from 1 to {}", options.count, most_points_of_all);
  if (!(options.seconds >= 0))
    fail(ErrorKind::usage, "{} seconds: none or more", shortest(options.seconds));
  if (options.map_width < 0 || options.map_width > most_map_columns)
    fail(ErrorKind::usage, "a map of {} columns: from 0 to {}", options.map_width,
         most_map_columns);
}

/// A hexadecimal digit a cell.
std::string digits_of(const std::vector<std::uint8_t>& map) {
  std::string digits;
  for (const std::uint8_t share : map) digits += "0123456789abcdef"[share >> 4];
  return digits;
}

std::string shares_json(const std::vector<LightShare>& shares, bool of_ways) {
  JsonArray all;
  for (const LightShare& share : shares) {
    JsonObject one;
    if (of_ways) {
      JsonArray xforms;
      for (const int xform : share.xforms) xforms.add_json(std::to_string(xform));
      one.add_json("xforms", xforms.text());
    } else {
      one.add("xform", share.xforms[0]);
    }
    JsonArray color;
    for (const double part : share.color) color.add_json(shortest(part));
    one.add("light", share.light).add("hits", share.hits).add("points", share.points);
    one.add("by_symmetry", share.by_symmetry).add_json("color", color.text());
    if (!share.map.empty()) one.add("map", digits_of(share.map));
    all.add_json(one.text());
  }
  return all.text();
}

}  // namespace

LightAt light_at(const Flame& flame, const LightOptions& options) {
  check(flame, options);
  return LightSearch(flame, options).search();
}

std::string light_json(const LightAt& light) {
  JsonObject all;
  all.add("x", light.x).add("y", light.y).add("radius", light.radius);
  all.add("points", light.points).add("played", light.played);
  if (light.map_width > 0)
    all.add("map_width", light.map_width).add("map_height", light.map_height);
  return all.add_json("xforms", shares_json(light.xforms, false))
      .add_json("ways", shares_json(light.ways, true))
      .text();
}

}  // namespace kiln
