// SPDX-License-Identifier: MIT
// The time samples and color scales of a frame's temporal filter. Numbers: flam3-pipeline.md, "Temporal
// filters, 5 steps, width 1", printed by flam3.
#include "engine/model/temporal.h"

#include <gtest/gtest.h>

namespace kiln {
namespace {

Flame filtered(TemporalFilter filter, double exponent, int samples, int passes = 1) {
  Flame flame;
  flame.temporal_filter = filter;
  flame.temporal_filter_exp = exponent;
  flame.temporal_samples = samples;
  flame.passes = passes;
  return flame;
}

void expect_steps(const Flame& flame, const std::vector<double>& offsets,
                  const std::vector<double>& weights, double mean) {
  const std::vector<TemporalStep> steps = temporal_steps(flame);
  ASSERT_EQ(steps.size(), offsets.size());
  std::vector<double> all;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_NEAR(steps[i].time_offset, offsets[i], 1e-15) << i;
    EXPECT_NEAR(steps[i].weight, weights[i], 5e-10) << i;
    all.push_back(steps[i].weight);
  }
  EXPECT_NEAR(mean_weight(all), mean, 5e-13);
}

const std::vector<double> five_offsets = {-0.5, -0.25, 0, 0.25, 0.5};

TEST(Temporal, filters_are_flam3s) {
  expect_steps(filtered(TemporalFilter::box, 0, 5), five_offsets, {1, 1, 1, 1, 1}, 1);
  expect_steps(filtered(TemporalFilter::gaussian, 0, 5), five_offsets,
               {0.0132998835, 0.236927759, 1, 1, 0.236927759}, 0.497431080181);
  expect_steps(filtered(TemporalFilter::exp, 2, 5), five_offsets, {0.04, 0.16, 0.36, 0.64, 1},
               0.44);
  expect_steps(filtered(TemporalFilter::exp, -1.5, 5), five_offsets,
               {1, 0.715541753, 0.464758002, 0.252982213, 0.0894427191}, 0.504544937252);
}

TEST(Temporal, width_scales_the_offsets_and_one_step_has_none) {
  Flame flame = filtered(TemporalFilter::exp, 3, 2);
  flame.temporal_filter_width = 3;
  expect_steps(flame, {-1.5, 1.5}, {0.125, 1}, 0.5625);
  flame.temporal_samples = 1;
  expect_steps(flame, {0}, {1}, 1);
}

TEST(Temporal, passes_continue_the_filter) {
  const std::vector<TemporalStep> one = temporal_steps(filtered(TemporalFilter::gaussian, 0, 12));
  const std::vector<TemporalStep> three =
      temporal_steps(filtered(TemporalFilter::gaussian, 0, 4, 3));
  ASSERT_EQ(one.size(), three.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].time_offset, three[i].time_offset);
    EXPECT_EQ(one[i].weight, three[i].weight);
  }
}

}  // namespace
}  // namespace kiln
