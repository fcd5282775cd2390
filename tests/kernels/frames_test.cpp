// SPDX-License-Identifier: MIT
// Frames of an animation: a renderer that stays open gives every frame as if it were the only one;
// which of a frame's genomes decides what.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/animation/frame_at.h"
#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/model/image.h"
#include "engine/model/temporal.h"
#include "engine/model/variations.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/renderer.h"
#include "tests/devices.h"
#include "tests/kernels/game.h"

namespace kiln::test {
namespace {

/// A bright disc-like cloud that `t` moves, and a dim one that stays.
Flame scene(double t) {
  Flame flame = flame_over(96, 64, -1.5, -1, 32);
  flame.quality = 60;
  flame.estimator_radius = 3;
  flame.xforms = {contraction(1, 0.5, -0.4 + t, 0.1), contraction(1, 0.5, -0.5 + t, -0.2),
                  contraction(1, 0.5, 0.3 + t, 0.2), contraction(0.2, 0, 0.9, 0.7)};
  flame.xforms[1].color = 1;
  for (int i = 0; i < 256; ++i) flame.palette[std::size_t(i)] = {1, i / 255.0, 0.5, 1};
  return flame;
}

Frame frame_at(double t, int samples, double blur = 0.3, int passes = 1,
               TemporalFilter filter = TemporalFilter::box) {
  Frame frame;
  frame.flame = scene(t);
  frame.flame.temporal_samples = samples;
  frame.flame.temporal_filter = filter;
  frame.flame.passes = passes;
  for (const TemporalStep& step : temporal_steps(frame.flame)) {
    frame.samples.push_back(scene(t + blur * step.time_offset));
    frame.samples.back().passes = passes;
    frame.weights.push_back(step.weight);
  }
  return frame;
}

Frame still_frame(const Flame& flame, std::uint32_t number = 0) { return {flame, {}, {}, number}; }

RenderOptions on_cpu(int threads = 2) {
  RenderOptions options;
  options.backend = Backend::cpu;
  options.threads = threads;
  return options;
}

/// Mean of the color channels, 0..255.
double brightness(const Image& image) {
  double sum = 0;
  for (std::size_t i = 0; i < image.pixels8().size(); ++i)
    sum += i % 4 == 3 ? 0 : image.pixels8()[i];
  return sum / (0.75 * double(image.pixels8().size()));
}
double brightness_of_columns(const Image& image, int first, int last) {
  double sum = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = first; x < last; ++x) sum += image.pixels8()[std::size_t(y * image.width + x) * 4];
  }
  return sum;
}

TEST(Frames, a_frame_without_samples_or_with_one_is_the_still) {
  Renderer renderer(on_cpu());
  const std::string still = pixel_hash(render(scene(0), on_cpu()));
  EXPECT_EQ(pixel_hash(renderer.render(still_frame(scene(0)))), still);
  EXPECT_EQ(pixel_hash(renderer.render(frame_at(0, 1))), still);
}

TEST(Frames, keep_nothing_of_the_frame_before) {
  Frame large = frame_at(0.1, 40, 0.3, 2, TemporalFilter::gaussian);
  large.flame.width = 200;
  Frame empty = still_frame(scene(0));
  empty.flame.xforms.clear();
  const Frame moving = frame_at(0.2, 100);
  const std::string alone = pixel_hash(Renderer(on_cpu()).render(moving));
  Renderer renderer(on_cpu());
  EXPECT_EQ(pixel_hash(renderer.render(moving)), alone);
  const std::string large_hash = pixel_hash(renderer.render(large));
  EXPECT_THROW(renderer.render(empty), Error);
  EXPECT_EQ(pixel_hash(renderer.render(moving)), alone);
  EXPECT_EQ(pixel_hash(renderer.render(large)), large_hash);
  EXPECT_EQ(pixel_hash(Renderer(on_cpu(1)).render(moving)), alone);
}

TEST(Frames, the_number_changes_the_noise_and_nothing_else) {
  Renderer renderer(on_cpu());
  const Image first = renderer.render(still_frame(scene(0), 0));
  const Image second = renderer.render(still_frame(scene(0), 1));
  EXPECT_NE(pixel_hash(first), pixel_hash(second));
  EXPECT_NEAR(brightness(first), brightness(second), 0.01 * brightness(first));
  EXPECT_EQ(pixel_hash(renderer.render(still_frame(scene(0), 1))), pixel_hash(second));
}

TEST(Frames, a_filter_does_not_change_the_brightness_of_what_stands_still) {
  Renderer renderer(on_cpu());
  const double expected = brightness(renderer.render(still_frame(scene(0))));
  EXPECT_GT(expected, 5);
  for (TemporalFilter filter :
       {TemporalFilter::box, TemporalFilter::gaussian, TemporalFilter::exp}) {
    for (int passes : {1, 2}) {
      Frame frame = frame_at(0, 60, 0, passes, filter);
      EXPECT_NEAR(brightness(renderer.render(frame)), expected, 0.02 * expected)
          << int(filter) << " " << passes;
    }
  }
}

TEST(Frames, the_filter_weighs_the_moments) {
  // exp with a large exponent: only the end of the shutter counts, where the cloud is on the right
  Frame late = frame_at(0, 60, 0.8, 1, TemporalFilter::exp);
  late.flame.temporal_filter_exp = 6;
  const std::vector<TemporalStep> steps = temporal_steps(late.flame);
  for (std::size_t i = 0; i < steps.size(); ++i) late.weights[i] = steps[i].weight;
  Frame even = frame_at(0, 60, 0.8);
  Renderer renderer(on_cpu());
  const Image late_image = renderer.render(late), even_image = renderer.render(even);
  const double late_share = brightness_of_columns(late_image, 0, 32) / brightness(late_image);
  const double even_share = brightness_of_columns(even_image, 0, 32) / brightness(even_image);
  EXPECT_LT(late_share, 0.8 * even_share);  // logarithms: a tenth of the light shows
}

TEST(Frames, have_the_same_pixels_on_every_device) {
  const Frame frame = frame_at(0.2, 150, 0.5, 2, TemporalFilter::gaussian);
  std::string expected;
  for (const std::string& set : cpu_instruction_sets()) {
    const ForcedInstructionSet forced(set);
    const std::string hash = pixel_hash(Renderer(on_cpu()).render(frame));
    if (expected.empty()) expected = hash;
    EXPECT_EQ(hash, expected) << set;
  }
  if (open_every_device().size() > 1) {
    RenderOptions options;
    options.backend = Backend::cuda;
    Renderer renderer(options);
    for (int again = 0; again < 2; ++again) EXPECT_EQ(pixel_hash(renderer.render(frame)), expected);
  }
}

TEST(Frames, blended_on_the_way_are_those_blended_before) {
  std::vector<Flame> keys;
  for (int i = 0; i < 4; ++i) {
    keys.push_back(scene(0.2 * i));
    keys.back().time = i;
    keys.back().temporal_samples = 70;
    keys.back().temporal_filter_width = 1.5;  // beyond the key at each side
    keys.back().quality = 40 + 10 * i;
    keys.back().palette[7] = {0, 0.2 * i, 0, 1};
    keys.back().xforms[1].coefs = {0.4, 0.1 * i, -0.1 * i, 0.4, 0, 0.2};
    keys.back().xforms[2].variations[std::size_t(*find_variation("swirl"))] = i == 2 ? 0.3 : 0;
  }
  keys[1].interpolation = Interpolation::smooth;
  keys[3].final_xform = contraction(0, 0.9, 0.1, 0);
  keys[3].xforms.push_back(contraction(1, 0.3, 0, 0.5));
  for (double time : {0.0, 1.9, 2.5}) {
    const Frame moving = kiln::frame_at(keys, {5, time});
    Frame listed{moving.flame, {}, moving.weights, moving.number};
    for (const TemporalStep& step : temporal_steps(moving.flame))
      listed.samples.push_back(interpolate(keys, time + step.time_offset));
    ASSERT_TRUE(moving.moving && moving.samples.empty());
    Renderer renderer(on_cpu());
    RenderStatistics a, b;
    EXPECT_EQ(pixel_hash(renderer.render(moving, &a)), pixel_hash(renderer.render(listed, &b)));
    EXPECT_EQ(a.samples, b.samples);
    EXPECT_EQ(a.samples, std::uint64_t(96 * 64 * moving.flame.quality)) << time;
  }
}

TEST(Frames, without_samples_are_refused) {
  std::vector<Flame> keys = {scene(0), scene(0)};
  keys[1].time = 1;
  keys[1].quality = 10;  // falls by 50 a frame
  Renderer renderer(on_cpu());
  try {
    renderer.render(kiln::frame_at(keys, {3, 3.0}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("at time 3 the quality is -90"), std::string::npos)
        << error.what();
  }
}

TEST(Frames, the_filter_is_made_for_the_first_keys_supersample) {
  std::vector<Flame> keys = {scene(0), scene(0.2)};
  keys[1].time = 10;
  keys[1].supersample = 3;
  keys[1].filter_radius_px = 2;
  const Frame frame = kiln::frame_at(keys, {6, 6.0});
  EXPECT_EQ(frame.flame.supersample, 2);
  EXPECT_EQ(frame.flame.filter_supersample, 1);
  EXPECT_EQ(frame.flame.filter_radius_px, keys[0].filter_radius_px);
}

TEST(Frames, settings_come_from_flam3s_moments) {
  Frame frame = frame_at(0, 3, 0, 2);
  for (int i = 0; i < 6; ++i) {
    Flame& sample = frame.samples[std::size_t(i)];
    sample.vibrancy = 0.1 * i;
    sample.gamma = 2 + i;
    sample.background = {0.1 * i, 0, 0.6};
    sample.gamma_threshold = 0.01 * i;
    sample.brightness = 10 + i;
    sample.scale = 100 + i;
    sample.zoom = 0.1 * i;
    sample.estimator_radius = i;
    sample.estimator_minimum = 0.1 * i;
    sample.estimator_curve = 0.5 + 0.01 * i;
  }
  FrameSettings settings(frame.flame, frame.samples.size());
  for (const Flame& sample : frame.samples) settings.add(sample);
  const Flame all = settings.frame();
  EXPECT_NEAR(all.vibrancy, 0.25, 1e-12);
  EXPECT_NEAR(all.gamma, 4.5, 1e-12);
  EXPECT_NEAR(all.background[0], 0.25, 1e-12);
  EXPECT_NEAR(all.background[2], 0.6, 1e-12);
  EXPECT_EQ(all.gamma_threshold, 0.01 * 5);
  EXPECT_EQ(all.estimator_radius, 5);
  const Flame second = settings.passes().at(1).applied_to(all);
  EXPECT_EQ(second.brightness, 15);
  EXPECT_EQ(second.scale, 105);
  EXPECT_EQ(second.zoom, 0.1 * 5);
  EXPECT_EQ(second.estimator_radius, 3);
  EXPECT_EQ(second.estimator_minimum, 0.1 * 3);
  EXPECT_EQ(second.estimator_curve, 0.5 + 0.01 * 3);
  EXPECT_EQ(second.quality, frame.flame.quality);
}

}  // namespace
}  // namespace kiln::test
