// SPDX-License-Identifier: MIT
// All variations against flam3 and against their formulas in double: the registry, single points,
// and distributions of the random ones. Rows: vectors.txt, made by
// scripts/make_variation_vectors.py.
#include "engine/model/variations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "kernels/variations/all.h"
#include "tests/devices.h"
#include "tests/evaluate_xforms.h"
#include "tests/variations/evaluate.h"
#include "tests/variations/vectors.h"

namespace kiln::test {
namespace {

constexpr std::uint64_t seed =
    20261121;  // of scripts/make_variation_vectors.py: its rows hold the draws of this seed

/// A flame of one xform, of one variation.
Flame flame_of(const std::string& name, double linear_part) {
  Xform xform;
  xform.weight = 1;
  xform.coefs = {linear_part, 0, 0, 1, 0, 0};
  xform.variations.assign(std::size_t(variation_count()), 0.0);
  xform.variations[std::size_t(*find_variation(name))] = 1;
  xform.parameters = default_parameters();
  Flame flame;
  flame.xforms = {xform};
  return flame;
}

// ---- the registry ----

TEST(VariationRegistry, HasFlam3sNamesParametersAndDefaults) {
  ASSERT_EQ(ExtendedVariations::size, int(vectors().table.size()));  // JWildfire's come behind them
  int offset = 0;
  for (const TableRow& row : vectors().table) {
    const VariationInfo& info = variations().at(row.index);
    EXPECT_EQ(info.name, row.name);
    EXPECT_EQ(find_variation(row.name), row.index);
    EXPECT_EQ(info.first_parameter, offset) << row.name;
    ASSERT_EQ(info.parameters.size(), row.parameters.size()) << row.name;
    for (std::size_t i = 0; i < row.parameters.size(); ++i, ++offset) {
      const auto& [name, value] = row.parameters[i];
      EXPECT_EQ(info.parameters[i].name, name);
      EXPECT_EQ(float(info.parameters[i].default_value), float(value)) << name;
      EXPECT_EQ(default_parameters().at(offset), info.parameters[i].default_value) << name;
      EXPECT_EQ(find_parameter(name), offset) << name;
    }
  }
  EXPECT_EQ(variations().at(std::size_t(ExtendedVariations::size)).first_parameter, offset);
}

TEST(VariationRegistry, KnowsAlternativeSpellings) {
  for (const char* end : {"separation", "frequency", "amplitude", "damping"}) {
    ASSERT_TRUE(find_parameter(std::string("oscilloscope_") + end)) << end;
    EXPECT_EQ(find_parameter(std::string("oscope_") + end),
              find_parameter(std::string("oscilloscope_") + end));
  }
  for (const char letter : {'a', 'b', 'c', 'd'}) {
    for (const char* part : {"re", "im"}) {
      const std::string spelled =
          std::string(part[0] == 'r' ? "Re_" : "Im_") + char(letter - 'a' + 'A');
      const auto canonical = find_parameter(std::string("mobius_") + part + "_" + letter);
      ASSERT_TRUE(canonical) << spelled;
      EXPECT_EQ(find_parameter(spelled), canonical) << spelled;
    }
  }
  EXPECT_FALSE(find_parameter("Re_E"));
  EXPECT_FALSE(find_parameter("oscope_phase"));
  EXPECT_FALSE(find_parameter("linear"));
  EXPECT_FALSE(find_variation("Linear"));
  EXPECT_FALSE(find_variation(""));
}

TEST(VariationRegistry, MarksThoseThatDraw) {
  std::set<int> drawing;
  for (const SpreadRow& row : vectors().spreads) drawing.insert(row.evaluation.variation);
  for (int i = 0; i < Flam3Variations::size; ++i) {
    EXPECT_EQ(variations()[i].random, drawing.contains(i)) << variations()[i].name;
  }
}

/// Without the mark no generator is taken up. New ones have no rows of spreads.
TEST(VariationRegistry, MarksWhatFollowsTheGenerator) {
  const std::vector<Vec2> points(16, Vec2{0.3f, -0.4f});
  const auto devices = open_every_device();
  int following = 0;
  for (const VariationInfo& info : variations()) {
    const auto results = evaluate_xforms(*devices[0], flame_of(info.name, 1), {points}, seed).at(0);
    std::set<u32> different;
    for (const EvaluatedPoint& p : results) different.insert(bits_of(p.x));
    following += different.size() > 1;
    EXPECT_TRUE(different.size() == 1 || info.random) << info.name;
  }
  EXPECT_GT(following, 10);
}

// ---- single points ----

/// The sine of a phase beyond 1e5 (waves with c = 0: y / 1e-10) is not determined by a point in
/// float: rounding alone moves the output by more than a hundredth of its size. Then only good and
/// bad are compared.
bool is_determined(const PointRow& row) {
  const double size = std::max({std::abs(row.out[0]), std::abs(row.out[1]), 1e-3});
  return std::max(row.spread[0], row.spread[1]) * 0x1p-24 <= 0.01 * size;
}

/// 16 ulp of the value and of what rounding the inputs to float does to it. Kiln
/// keeps coordinates 2^-56 away from 0 (kernels/xform.h).
double tolerance(double out, double spread) {
  return 16 * std::numeric_limits<float>::epsilon() * (std::abs(out) + spread) + 0x1p-56;
}

void compare_points(bool from_flam3) {
  std::vector<Evaluation> evaluations;
  for (const PointRow& row : vectors().points) evaluations.push_back(row.evaluation);
  const std::vector<Result> results = evaluate(evaluations, 1, seed);
  int undetermined = 0;
  std::map<std::string, double> worst;  // of each variation: error over tolerance
  for (std::size_t i = 0; i < results.size(); ++i) {
    const PointRow& row = vectors().points[i];
    if (row.from_flam3 != from_flam3) continue;
    const Result& got = results[i];
    const std::string& name = variations().at(row.evaluation.variation).name;
    EXPECT_EQ(got.bad, row.bad) << name << ": " << row.line << "\n  kiln: " << got.x << " "
                                << got.y;
    if (got.bad || row.bad) continue;
    if (!is_determined(row)) {
      ++undetermined;
      continue;
    }
    const double error_x = std::abs(got.x - row.out[0]), error_y = std::abs(got.y - row.out[1]);
    const double limit_x = tolerance(row.out[0], row.spread[0]),
                 limit_y = tolerance(row.out[1], row.spread[1]);
    EXPECT_LE(error_x, limit_x) << name << ": " << row.line << "\n  kiln: " << got.x << " "
                                << got.y;
    EXPECT_LE(error_y, limit_y) << name << ": " << row.line << "\n  kiln: " << got.x << " "
                                << got.y;
    worst[name] = std::max({worst[name], error_x / limit_x, error_y / limit_y});
  }
  EXPECT_GE(int(worst.size()), from_flam3 ? 78 : 97);  // the default rows of a few are all bad
  EXPECT_LE(undetermined, from_flam3 ? 16 : 0);        // 14 of waves, 2 of wedge_sph at the origin
  for (const auto& [name, ratio] : worst) {
    if (ratio > 0.25) std::printf("%-16s worst error %.2f of the tolerance\n", name.c_str(), ratio);
  }
}

TEST(Variations, AgreeWithFlam3AtItsPoints) { compare_points(true); }
TEST(Variations, AgreeWithTheirFormulasAtRandomPoints) { compare_points(false); }

// ---- sides ----

/// flam3's sin(pi r) is above 0 up to r = 1 and at 1 too, then below, and so on: each side of the
/// y axis keeps its points, or exchanges them, by it.
TEST_ON_EVERY_DEVICE(Variations, DiscChangesSidesAfterWholeRadii) {
  std::vector<Vec2> points;
  for (int radius = 1; radius <= 8; ++radius) {
    for (int places = -8; places < 8; ++places) {
      const float r = float_of(bits_of(float(radius)) + u32(places));
      points.push_back({r, 0});
      points.push_back({-r, 0});
    }
  }
  const auto results = evaluate_xforms(device, flame_of("disc", 1), {points}, seed).at(0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double r = std::abs(points[i].x);
    EXPECT_EQ(results[i].x * points[i].x > 0, std::sin(M_PI * r) > 0) << points[i].x;
  }
}

/// Points beside the y axis go round the circle, for ever inside it and on their side.
TEST_ON_EVERY_DEVICE(Variations, DiscKeepsItsHalfPlanes) {
  std::vector<Vec2> points;
  for (int i = 0; i < 256; ++i)
    points.push_back({float(std::pow(10, -i / 16.0) * (i % 2 == 0 ? -0.5 : 0.5)),
                      float((i % 4 < 2 ? -1 : 1) * (0.5 + i / 600.0))});
  const std::vector<Vec2> first = points;
  for (int step = 0; step < 24; ++step) {  // every third time nearer to the axis
    const Flame flame = flame_of(step % 3 == 2 ? "linear" : "disc", step % 3 == 2 ? 1e-5 : 1);
    const auto results = evaluate_xforms(device, flame, {points}, seed).at(0);
    for (std::size_t i = 0; i < points.size(); ++i) {
      points[i] = {results[i].x, results[i].y};
      ASSERT_GT(points[i].x * first[i].x, 0)
          << "step " << step << " of " << first[i].x << ' ' << first[i].y;
    }
  }
}

// ---- borders of parameters ----

/// cropn crops what is outside where its power is above 0; with 0 as with a negative one, inside.
TEST_ON_EVERY_DEVICE(Variations, CropNOfPowerZeroCropsTheInside) {
  const VariationInfo& info = variations().at(std::size_t(find_variation("cropn").value()));
  const std::size_t first = std::size_t(info.first_parameter);
  for (const double power : {-2.0, 0.0, 0.5, 2.0}) {
    Flame flame = flame_of("cropn", 1);
    flame.xforms[0].parameters[first] = power;
    flame.xforms[0].parameters[first + 3] = 1;  // what is cropped goes to the origin
    const auto results =
        evaluate_xforms(device, flame, {std::vector<Vec2>{{0.25f, 0.125f}, {3, 0.5f}}}, seed).at(0);
    EXPECT_EQ(results[0].x, power > 0 ? 0.25f : 0) << power;
    EXPECT_EQ(results[1].x, power > 0 ? 0 : 3.0f) << power;
  }
}

// ---- distributions of the random ones ----

constexpr int draws = 200'000;
constexpr double moment_draws = 1e6, quantile_draws = 4e5, outcome_draws = 1e5;  // of the rows
constexpr double sigmas =
    6;  // some 4000 comparisons; the seed is fixed, so this is about the margin, not about luck

/// Standard deviation of the difference of two sample means, for a quantity of this variance.
double noise(double variance, double row_draws) {
  return std::sqrt(variance * (1 / double(draws) + 1 / row_draws));
}

/// Float rounding of numbers of the size of `scale`.
double rounding(double scale) { return 1e-5 * scale + 1e-12; }

/// Outputs of one row's variation; bad ones left out.
struct Sample {
  std::array<std::vector<double>, 2> coordinates;
  double bad_fraction = 0, scale = 0;  // scale: the largest coordinate of the row's quantiles
};

Sample sample_of(const SpreadRow& row) {
  Sample sample;
  for (const Result& result : evaluate({row.evaluation}, draws, seed)) {
    sample.bad_fraction += result.bad ? 1.0 / draws : 0;
    if (result.bad) continue;
    sample.coordinates[0].push_back(result.x);
    sample.coordinates[1].push_back(result.y);
  }
  for (const auto& quantiles : row.quantiles) {
    for (const double q : quantiles) sample.scale = std::max(sample.scale, std::abs(q));
  }
  return sample;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / double(values.size());
}

/// Products of the deviations of u and v from their means.
std::vector<double> products(const std::vector<double>& u, const std::vector<double>& v) {
  const double mean_u = mean_of(u), mean_v = mean_of(v);
  std::vector<double> out(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) out[i] = (u[i] - mean_u) * (v[i] - mean_v);
  return out;
}

double variance_of(const std::vector<double>& values) { return mean_of(products(values, values)); }

void expect_moments(const SpreadRow& row, const Sample& sample) {
  const double size = sample.scale;
  for (int axis = 0; axis < 2; ++axis) {
    const std::vector<double>& values = sample.coordinates[axis];
    const std::vector<double> squares = products(values, values);
    EXPECT_NEAR(mean_of(values), row.mean[axis],
                sigmas * noise(variance_of(values), moment_draws) + rounding(size));
    EXPECT_NEAR(mean_of(squares), row.var[axis],
                sigmas * noise(variance_of(squares), moment_draws) + rounding(size * size));
  }
  const std::vector<double> crossed = products(sample.coordinates[0], sample.coordinates[1]);
  EXPECT_NEAR(mean_of(crossed), row.cov,
              sigmas * noise(variance_of(crossed), moment_draws) + rounding(size * size));
}

/// Each quantile of the row has about the right share of the sample on its sides; values within
/// rounding count for both.
void expect_quantiles(const SpreadRow& row, const Sample& sample) {
  for (int axis = 0; axis < 2; ++axis) {
    const std::vector<double>& values = sample.coordinates[axis];
    const auto share_below = [&](double q) {
      return double(std::count_if(values.begin(), values.end(), [q](double v) { return v < q; })) /
             double(values.size());
    };
    for (std::size_t i = 0; i < row.p.size(); ++i) {
      const double q = row.quantiles[axis][i], p = row.p[i];
      const double limit = sigmas * noise(p * (1 - p), quantile_draws);
      EXPECT_LE(share_below(q - rounding(sample.scale)), p + limit)
          << "axis " << axis << ", p = " << p;
      EXPECT_GE(share_below(q + rounding(sample.scale)), p - limit)
          << "axis " << axis << ", p = " << p;
    }
  }
}

/// Every result is one of the listed positions, each as often as listed.
void expect_outcomes(const SpreadRow& row, const Sample& sample) {
  std::vector<double> counts(row.outcomes.size());
  double unlisted = 0;
  for (std::size_t i = 0; i < sample.coordinates[0].size(); ++i) {
    const auto found =
        std::find_if(row.outcomes.begin(), row.outcomes.end(), [&](const ListedOutcome& o) {
          return std::abs(sample.coordinates[0][i] - o.x) <= rounding(sample.scale) &&
                 std::abs(sample.coordinates[1][i] - o.y) <= rounding(sample.scale);
        });
    ++(found == row.outcomes.end() ? unlisted : counts[found - row.outcomes.begin()]);
  }
  EXPECT_EQ(unlisted, 0);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double p = row.outcomes[i].p;
    EXPECT_NEAR(counts[i] / draws, p, sigmas * noise(p * (1 - p), outcome_draws))
        << "outcome " << i;
  }
}

TEST(Variations, RandomOnesHaveFlam3sDistribution) {
  const std::set<std::string> heavy_tailed = {"arch", "rays",
                                              "twintrian"};  // their moments do not settle
  ASSERT_EQ(vectors().spreads.size(), 144u);
  int with_outcomes = 0;
  for (const SpreadRow& row : vectors().spreads) {
    const std::string& name = variations().at(row.evaluation.variation).name;
    SCOPED_TRACE(name + ": " + row.line);
    const Sample sample = sample_of(row);
    const double p = std::max(row.bad_fraction, 1 / moment_draws);
    EXPECT_NEAR(sample.bad_fraction, row.bad_fraction, sigmas * noise(p * (1 - p), moment_draws));
    ASSERT_FALSE(sample.coordinates[0].empty());
    if (!heavy_tailed.contains(name)) expect_moments(row, sample);
    expect_quantiles(row, sample);
    if (!row.outcomes.empty()) expect_outcomes(row, sample);
    with_outcomes += !row.outcomes.empty();
  }
  EXPECT_GT(with_outcomes, 40);
}

}  // namespace
}  // namespace kiln::test
