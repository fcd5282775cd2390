// SPDX-License-Identifier: MIT
#include "tests/variations/evaluate.h"

#include <cmath>

#include "engine/model/variations.h"
#include "tests/devices.h"
#include "tests/evaluate_kernel.h"
#include "tests/evaluate_xforms.h"

namespace kiln::test {
namespace {

constexpr std::size_t points_at_once = most_points;
constexpr std::size_t xforms_at_once = 256;

/// The evaluation's variation alone; beside pre_blur, whose result is the displaced point, linear
/// shows it.
Xform xform_of(const Evaluation& e) {
  const VariationInfo& info = variations().at(std::size_t(e.variation));
  Xform xform;
  xform.weight = 1;
  xform.coefs = {e.coefs.a, e.coefs.d, e.coefs.b, e.coefs.e, e.coefs.c, e.coefs.f};
  xform.variations.assign(std::size_t(variation_count()), 0.0);
  xform.variations[std::size_t(e.variation)] = e.weight;
  if (info.name == "pre_blur") xform.variations[std::size_t(*find_variation("linear"))] = 1;
  xform.parameters = default_parameters();
  for (std::size_t p = 0; p < info.parameters.size(); ++p) {
    xform.parameters[std::size_t(info.first_parameter) + p] = e.params.at(p);
  }
  return xform;
}

Random generator_of(std::size_t evaluation, int repeat, std::uint64_t seed) {
  const Words4 words = philox(u32(evaluation), u32(repeat), 0, 0, seed);
  return {words.w[0], words.w[1] | 1};
}

/// One launch: xforms of up to `points_at_once` repeats of one evaluation each, the same number for
/// all.
class Launch {
 public:
  explicit Launch(std::size_t repeats) : repeats_(repeats) {}

  void add(const std::vector<Evaluation>& evaluations, std::size_t i, int first_repeat,
           std::uint64_t seed) {
    const Evaluation& e = evaluations[i];
    flame_.xforms.push_back(xform_of(e));
    points_.emplace_back(repeats_, Vec2{e.x, e.y});
    generators_.emplace_back();
    for (std::size_t r = 0; r < repeats_; ++r)
      generators_.back().push_back(generator_of(i, first_repeat + int(r), seed));
  }
  bool is_full() const { return points_.size() == xforms_at_once; }
  std::size_t repeats() const { return repeats_; }

  /// Appends the results, in the order of add().
  void run(Device& device, std::vector<Result>& results) {
    if (points_.empty()) return;
    for (const auto& list : evaluate_xforms(device, flame_, points_, generators_)) {
      for (const EvaluatedPoint& p : list) results.push_back({p.x, p.y, p.bad});
    }
    *this = Launch(repeats_);
  }

 private:
  std::size_t repeats_;
  Flame flame_;
  std::vector<std::vector<Vec2>> points_;
  std::vector<std::vector<Random>> generators_;
};

std::vector<Result> evaluate_on(Device& device, const std::vector<Evaluation>& evaluations,
                                int repeats, std::uint64_t seed) {
  std::vector<Result> results;
  results.reserve(evaluations.size() * std::size_t(repeats));
  Launch launch(0);
  const auto add = [&](std::size_t i, int first, std::size_t count) {
    if (count != launch.repeats() || launch.is_full()) {
      launch.run(device, results);
      launch = Launch(count);
    }
    launch.add(evaluations, i, first, seed);
  };
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    for (int first = 0; first < repeats; first += int(points_at_once)) {
      add(i, first, std::min(points_at_once, std::size_t(repeats - first)));
    }
  }
  launch.run(device, results);
  return results;
}

bool same_bits(const Result& a, const Result& b) {
  const auto same = [](float u, float v) {
    return bits_of(u) == bits_of(v) || (std::isnan(u) && std::isnan(v));
  };
  return same(a.x, b.x) && same(a.y, b.y) && a.bad == b.bad;
}

}  // namespace

std::vector<Result> evaluate(const std::vector<Evaluation>& evaluations, int repeats,
                             std::uint64_t seed) {
  static const auto devices = open_every_device();
  const std::vector<Result> results = evaluate_on(*devices[0], evaluations, repeats, seed);
  for (std::size_t d = 1; d < devices.size(); ++d) {
    const std::vector<Result> others = evaluate_on(*devices[d], evaluations, repeats, seed);
    std::size_t different = 0;
    for (std::size_t i = 0; i < results.size(); ++i) different += !same_bits(results[i], others[i]);
    EXPECT_EQ(different, 0u) << "results of " << devices[d]->describe()
                             << " that are not those of the CPU";
  }
  return results;
}

}  // namespace kiln::test
