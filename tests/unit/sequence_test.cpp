// SPDX-License-Identifier: MIT
// Sequences of turns and transitions: how many flames, when, and that a loop has no seam.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "engine/animation/film.h"
#include "engine/animation/frame_at.h"
#include "engine/animation/frame_manifest.h"
#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/base/sha256.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "tests/places.h"

namespace kiln {
namespace {

constexpr double tight = 1e-12;

// The first flame has a motion element, the second an xform more that does not turn.
constexpr const char* two_flames = R"(<f>
  <flame time="3" size="20 10" rotate="10">
    <xform weight="0.5" color="0.25" linear="1" coefs="0.5 0.1 -0.2 0.6 0.3 0.1">
      <motion motion_frequency="1" motion_function="sin" coefs="0.1 0 0 0 0 0" weight="0.2"/>
    </xform>
    <palette count="2" format="RGB">ff000000ff00</palette>
  </flame>
  <flame time="7" size="20 10" rotate="20" palette_interpolation="rgb">
    <xform weight="0.5" color="0.75" color_speed="1" spherical="1"
      coefs="0.5 0.1 -0.2 0.6 0.3 0.1"/>
    <xform weight="0.2" linear="1" coefs="0.3 0.1 -0.2 0.6 0.3 0.1" animate="0"/>
    <palette count="2" format="RGB">ff000000ff00</palette>
  </flame></f>)";

std::vector<Flame> keys() { return parse_flames(two_flames, "keys", {}).flames; }
std::vector<Flame> first_key() { return {keys()[0]}; }

SequenceOptions options(int nframes, int loops = 1) {
  SequenceOptions result;
  result.nframes = nframes;
  result.loops = loops;
  return result;
}

/// Angle of the first column of xform `index`, in turns.
double turns_of(const Flame& flame, std::size_t index = 0) {
  const AffineD& m = flame.xforms.at(index).coefs;
  return std::atan2(m.d, m.a) / (2 * std::acos(-1.0));
}
double step_in_turns(const Flame& before, const Flame& after) {
  const double step = turns_of(after) - turns_of(before);
  return step - std::floor(step);
}

void expect_coefs(const Xform& xform, const AffineD& expected, double tolerance) {
  EXPECT_NEAR(xform.coefs.a, expected.a, tolerance);
  EXPECT_NEAR(xform.coefs.d, expected.d, tolerance);
  EXPECT_NEAR(xform.coefs.b, expected.b, tolerance);
  EXPECT_NEAR(xform.coefs.e, expected.e, tolerance);
  EXPECT_NEAR(xform.coefs.c, expected.c, tolerance);
  EXPECT_NEAR(xform.coefs.f, expected.f, tolerance);
}

std::vector<Flame> all_of(const FilmKeys& keys) {
  std::vector<Flame> all;
  keys.each([&](const Flame& key) { all.push_back(key); });
  return all;
}

bool same_but_for_time(Flame first, const Flame& second) {
  first.time = second.time;
  return genome_xml(first) == genome_xml(second);
}

Error error_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorKind::device, "no error");
}

TEST(sequence, turns_then_a_transition_then_the_last_flame) {
  const std::vector<Flame> flames = make_sequence(keys(), options(4));
  ASSERT_EQ(flames.size(), 13u);
  for (std::size_t i = 0; i < flames.size(); ++i) EXPECT_EQ(flames[i].time, double(i));
  EXPECT_EQ(flames[3].xforms.size(), 1u);
  EXPECT_EQ(flames[4].xforms.size(), 1u);  // the first flame itself, not aligned
  EXPECT_EQ(flames[5].xforms.size(), 2u);
  EXPECT_NEAR(flames[4].rotate_deg, 10, tight);
  EXPECT_NEAR(flames[6].rotate_deg, 15, tight);
  EXPECT_NEAR(flames[8].rotate_deg, 20, tight);
  EXPECT_NEAR(flames[5].rotate_deg, 10 + 10 * (3 / 16.0 - 2 / 64.0), tight);  // 3b^2 - 2b^3
  EXPECT_EQ(flames[12].xforms[0].coefs, keys()[1].xforms[0].coefs);
}

TEST(sequence, loops_are_turns_each) {
  EXPECT_EQ(make_sequence(keys(), options(4, 0)).size(), 5u);
  EXPECT_EQ(make_sequence(keys(), options(4, 3)).size(), 29u);
  const std::vector<Flame> flames = make_sequence(first_key(), options(5, 2));
  ASSERT_EQ(flames.size(), 11u);
  EXPECT_TRUE(same_but_for_time(flames[0], flames[10]));
  EXPECT_EQ(flames[2].xforms[0].coefs, flames[7].xforms[0].coefs);
}

TEST(sequence, motion_moves_within_a_turn) {
  const std::vector<Flame> flames = make_sequence(first_key(), options(4));
  EXPECT_NEAR(flames[1].xforms[0].weight, 0.7, tight);
  EXPECT_NEAR(flames[3].xforms[0].weight, 0.3, tight);
  expect_coefs(flames[1].xforms[0], {-0.1, 0.6, -0.6, -0.2, 0.3, 0.1}, tight);
  EXPECT_TRUE(flames[1].xforms[0].motions.empty());
}

// flam3-genome 3.1.1: inter=keys frame=1 nframes=4. The second xform is padding on one side and
// still on the other, so its columns are unwound by references.
TEST(sequence, a_transition_as_flam3_makes_it) {
  const Flame flame = transition_at(keys()[0], keys()[1], 0.25, {});
  EXPECT_NEAR(flame.xforms[0].weight, 0.66875, tight);
  EXPECT_NEAR(flame.xforms[1].weight, 0.03125, tight);
  EXPECT_NEAR(flame.xforms[1].animate, 0.84375, tight);
  expect_coefs(flame.xforms[0], {-0.100221, 0.58319, -0.6, -0.2, 0.3, 0.1}, 6e-7);
  expect_coefs(flame.xforms[1], {0.161999, 0.819504, -0.913244, 0.18053, 0.046875, 0.015625}, 6e-7);
}

// The same program: inter=, frame=1..3 of nframes=4. In either xform one side turns and the other
// rests, so both columns are unwound to a reference.
TEST(sequence, a_resting_xform_keeps_the_direction_of_its_partner) {
  const std::vector<Flame> pair = parse_flames(R"(<f>
    <flame time="0">
      <xform weight="1" linear="1" coefs="0.5 0.1 -0.2 0.6 0.3 0.1"/>
      <xform weight="1" linear="1" coefs="0.4 0.3 0.2 -0.5 0 0" animate="0"/>
      <palette count="2" format="RGB">ff000000ff00</palette>
    </flame>
    <flame time="1">
      <xform weight="1" linear="1" coefs="-0.3 -0.5 0.6 -0.2 0 0" animate="0"/>
      <xform weight="1" linear="1" coefs="-0.2 0.7 -0.4 -0.3 0.1 0"/>
      <palette count="2" format="RGB">ff000000ff00</palette>
    </flame></f>)",
                                               "pair", {})
                                      .flames;
  constexpr AffineD first[] = {{-0.282295, 0.437538, -0.478773, -0.413251, 0.253125, 0.084375},
                               {-0.445714, -0.314103, 0.447214, -0.447214, 0.15, 0.05},
                               {-0.235507, -0.520173, 0.617045, -0.138763, 0.046875, 0.015625}};
  constexpr AffineD second[] = {{0.527812, 0.0505942, 0.217831, -0.485697, 0.015625, 0},
                                {0.571842, -0.192361, 0.499629, -0.140104, 0.05, 0},
                                {0.648259, 0.225936, -0.0563007, 0.502688, 0.084375, 0}};
  for (int k = 0; k < 3; ++k) {
    const Flame flame = transition_at(pair[0], pair[1], (k + 1) / 4.0, {});
    expect_coefs(flame.xforms[0], first[k], 6e-7);
    expect_coefs(flame.xforms[1], second[k], 6e-7);
  }
}

TEST(sequence, steady_transitions_and_stagger) {
  SequenceOptions steady = options(4);
  steady.smooth = false;
  EXPECT_NEAR(transition_at(keys()[0], keys()[1], 0.25, steady).rotate_deg, 12.5, tight);
  SequenceOptions staggered = options(4);
  staggered.stagger = 1;
  // Two xforms: each has half the time, the first one first.
  const Flame flame = transition_at(keys()[0], keys()[1], 0.5, staggered);
  EXPECT_NEAR(flame.xforms[0].color, 0.75, tight);
  EXPECT_NEAR(flame.xforms[1].weight, 0, tight);
}

TEST(sequence, padding_turns_where_the_flame_that_leaves_says_log) {
  Flame from = keys()[1], to = keys()[0];  // two xforms, then one
  from.xforms[1].coefs = {0.5, 0, 0, 0.5, 0, 0};
  to.xforms[0].motions.clear();
  from.interpolation_type = InterpolationType::linear;
  to.interpolation_type = InterpolationType::log;
  constexpr double share = 0.15625;  // smooth, of a quarter
  const double side = 0.5 * (1 - share) + share;
  expect_coefs(transition_at(from, to, 0.25, {}).xforms[1], {side, 0, 0, side, 0, 0}, tight);
  std::swap(from.interpolation_type, to.interpolation_type);
  EXPECT_GT(std::fabs(transition_at(from, to, 0.25, {}).xforms[1].coefs.d), 0.05);
}

TEST(loop, of_one_flame_has_no_seam) {
  const std::vector<Flame> flames = loop_flames(first_key(), options(12));
  ASSERT_EQ(flames.size(), 13u);
  EXPECT_TRUE(same_but_for_time(flames[0], flames[12]));
  EXPECT_FALSE(same_but_for_time(flames[0], flames[11]));
  Flame key = first_key()[0];
  key.xforms[0].motions.clear();  // what is left must turn evenly, across the seam as elsewhere
  const std::vector<Flame> even = loop_flames({key}, options(12));
  for (std::size_t i = 0; i < 12; ++i)
    EXPECT_NEAR(step_in_turns(even[i], even[i + 1]), 1 / 12.0, tight) << i;
}

TEST(loop, of_several_flames_comes_back_to_the_first) {
  const std::vector<Flame> flames = loop_flames(keys(), options(8));
  ASSERT_EQ(flames.size(), 33u);
  EXPECT_EQ(flames[32].time, 32);
  EXPECT_EQ(flames[32].xforms[0].coefs, flames[0].xforms[0].coefs);
  EXPECT_TRUE(flames[32].palette == flames[0].palette);
  // The flame before the end is close to it, as far as the last step goes: 1/8 turn.
  EXPECT_NEAR(flames[31].rotate_deg, 10, 10 * 3 / 64.0);
  EXPECT_LT(flames[31].xforms[1].weight, 0.2 * 3 / 64.0);
  EXPECT_NEAR(step_in_turns(flames[31], flames[32]), 1 / 8.0, 0.02);
}

TEST(loop, between_its_flames_the_blur_is_smooth_as_well) {
  const std::vector<Flame> flames = loop_flames(first_key(), options(12));
  const Flame before = interpolate(flames, -0.25), after = interpolate(flames, 0.25);
  EXPECT_NEAR(step_in_turns(before, flames[0]), 1 / 48.0, 0.005);
  EXPECT_NEAR(step_in_turns(flames[0], after), 1 / 48.0, 0.005);
}

TEST(loop, comes_again_after_its_last_frame) {
  FrameSpan span;
  span.end = 13;  // of 12 frames, 0 to 11
  const KeyFrames turn = in_sequence(first_key(), options(12), true, span);
  ASSERT_EQ(turn.frames.size(), 14u);
  const auto samples = [&](double time) {
    std::string all = genome_xml(frame_at(turn.keys, {0, time}).flame);
    frame_at(turn.keys, {0, time}).moving->visit([&](const Flame& one) { all += genome_xml(one); });
    return all;
  };
  EXPECT_EQ(turn.frames[12].number, 12);
  EXPECT_TRUE(samples(turn.frames[12].time) ==
              samples(0));  // the one that would be next is the first
  EXPECT_TRUE(samples(turn.frames[13].time) == samples(1));
  EXPECT_FALSE(samples(turn.frames[11].time) == samples(0));  // none is there twice
  const Flame last = flame_at(turn.keys, turn.frames[11].time);
  EXPECT_NEAR(step_in_turns(last, flame_at(turn.keys, 0)), 1 / 12.0, 0.005);  // and none is lost
}

TEST(sequence, holds_each_flame_before_it_becomes_the_next) {
  SequenceOptions held = options(4);
  held.hold = 3;
  const std::vector<Flame> flames = make_sequence(keys(), held);
  ASSERT_EQ(flames.size(), 4u + 3 + 4 + 4 + 3 + 1);
  for (const std::size_t i : {4u, 5u, 6u})
    EXPECT_TRUE(same_but_for_time(flames[i], flames[0])) << i;
  EXPECT_FALSE(same_but_for_time(flames[3], flames[0]));
  EXPECT_FALSE(same_but_for_time(flames[8], flames[0]));
  for (const std::size_t i : {15u, 16u, 17u})
    EXPECT_TRUE(same_but_for_time(flames[i], flames[18])) << i;
  for (std::size_t i = 0; i < flames.size(); ++i) EXPECT_EQ(flames[i].time, double(i));
}

TEST(sequence, parts_begin_at_the_frame_next_to_their_beat) {
  SequenceOptions beats = options(100);
  beats.part_frames = 30 * 60 / 128.0;  // 14.0625
  std::vector<Flame> many;
  for (int i = 0; i < 9; ++i)
    for (const Flame& flame : keys()) many.push_back(flame);
  const std::vector<Flame> flames = make_sequence(many, beats);
  ASSERT_EQ(flames.size(), 35 * 14 + 2 + 1u);  // 492.1875, and the last flame
  for (std::size_t turn = 0; turn < 18; ++turn) {
    const std::size_t frame = std::size_t(std::floor(double(2 * turn) * beats.part_frames + 0.5));
    EXPECT_TRUE(same_but_for_time(flames[frame], loop_at(many[turn], 0))) << turn;
  }
}

TEST(sequence, transitions_go_as_their_easing_says) {
  const auto gamma = [](const std::string& easing, int frame) {
    std::vector<Flame> flames = keys();
    flames[1].gamma = flames[0].gamma + 1;
    SequenceOptions only = options(4, 0);
    only.easing = easing;
    return make_sequence(flames, only).at(std::size_t(frame)).gamma - flames[0].gamma;
  };
  EXPECT_NEAR(gamma("", 1), 0.15625, tight);
  EXPECT_NEAR(gamma("ease-in-out", 1), 0.15625, tight);
  EXPECT_NEAR(gamma("ease-in", 1), 0.0625, tight);
  EXPECT_NEAR(gamma("0 0 1 1", 1), 0.25, tight);
  EXPECT_NEAR(gamma("hold", 3), 0, tight);  // a cut
  EXPECT_NEAR(gamma("hold", 4), 1, tight);
}

TEST(sequence, of_cuts_shows_the_last_flame_as_long_as_the_others) {
  std::vector<Flame> flames = keys();
  flames[1].gamma = flames[0].gamma + 1;
  for (const int loops : {0, 1}) {
    SequenceOptions cuts = options(4, loops);
    cuts.easing = "hold";
    const KeyFrames film = in_sequence(flames, cuts, false, {});
    const std::size_t each = 4 * (std::size_t(loops) + 1);
    ASSERT_EQ(film.frames.size(), 2 * each) << loops;
    const std::vector<Flame> made = all_of(film.keys);
    for (std::size_t i = 0; i < 2 * each; ++i)
      EXPECT_NEAR(made[i].gamma - flames[0].gamma, i < each ? 0 : 1, tight) << loops << i;
  }
}

TEST(sequence, has_each_flame_as_its_own_picture_shows_it) {
  std::vector<Flame> flames = keys();
  flames[0].width = 64;
  flames[0].height = 32;
  flames[0].scale = 10;
  flames[1].width = 300;
  flames[1].height = 300;
  flames[1].scale = 90;
  const KeyFrames film = in_sequence(flames, options(4, 0), false, {});
  const Flame last = all_of(film.keys).back();
  EXPECT_EQ(last.width, 64);
  EXPECT_EQ(last.height, 32);
  EXPECT_NEAR(last.scale, 90 * 32 / 300.0, tight);  // its 300 rows in 32
  EXPECT_EQ(film.keys.front().scale, 10);
  flames[1].width = 3000;
  flames[1].height = 300;
  EXPECT_NEAR(all_of(in_sequence(flames, options(4, 0), false, {}).keys).back().scale,
              90 * 64 / 3000.0, tight);
}

/// A frame and all its time samples, as XML.
template <class Keys>
std::string samples_of(const Keys& keys, double time) {
  const Frame frame = frame_at(keys, {0, time});
  std::string all = genome_xml(frame.flame);
  for (const double weight : frame.weights) all += " " + std::to_string(weight);
  if (frame.moving) frame.moving->visit([&](const Flame& one) { all += genome_xml(one); });
  return all;
}

// A film of a sequence holds a few of its flames at a time: each frame is what it is between all of them.
TEST(sequence, of_a_film_is_made_where_a_frame_needs_it) {
  std::vector<Flame> flames = keys();
  for (Flame& flame : flames) flame.temporal_samples = 3;
  SequenceOptions held = options(3, 1);
  held.hold = 1.5;
  for (const double width : {0.3, 1.2, 9.0}) {
    for (Flame& flame : flames) flame.temporal_filter_width = width;
    for (const bool loop : {false, true}) {
      const KeyFrames film = in_sequence(flames, held, loop, {});
      const std::vector<Flame> all = all_of(film.keys);
      ASSERT_EQ(film.keys.size(), all.size());
      for (double time = -2; time < double(all.size()) + 2; time += 0.5) {
        EXPECT_TRUE(samples_of(film.keys, time) == samples_of(all, time)) << loop << " " << time;
        EXPECT_TRUE(genome_xml(flame_at(film.keys, time)) == genome_xml(flame_at(all, time)));
      }
      EXPECT_EQ(sample_estimates(film.keys, film.frames), sample_estimates(all, film.frames));
      EXPECT_EQ(animation_digest(film.keys, {}), animation_digest(all, {}));
      EXPECT_LE(film.keys.around(3.5, 3.5)->size(), 3u);
      EXPECT_LT(2 * bytes_of(film.keys), bytes_of(all));
    }
  }
}

TEST(sequence, of_a_film_is_changed_where_it_is_made) {
  KeyFrames film = in_sequence(keys(), options(4), true, {});
  const KeyFrames copy = film;
  film.keys.change([](Flame& key) { key.quality = 7 * key.quality; });
  for (const double time : {-1.0, 0.0, 2.5, 13.0})
    EXPECT_EQ(flame_at(film.keys, time).quality, 7 * flame_at(copy.keys, time).quality) << time;
  film.keys.change([](Flame& key) { key.clean = 1; });
  EXPECT_TRUE(is_cleaned(film.keys));
  EXPECT_FALSE(is_cleaned(copy.keys));
}

TEST(sequence, of_a_film_says_what_any_of_its_flames_lacks) {
  std::vector<Flame> flames = keys();
  flames[0].missing.push_back({"one", "flame", 1});
  flames[1].missing.push_back({"two", "flame", 2});
  using Names = std::vector<std::string>;
  for (const bool loop : {false, true}) {
    const KeyFrames film = in_sequence(flames, options(4), loop, {});
    EXPECT_EQ(animation_digest(film.keys, {}), animation_digest(all_of(film.keys), {})) << loop;
  }
  for (const double time : {0.0, 6.0, 15.0}) {
    EXPECT_EQ(
        missing_names(frame_at(in_sequence(flames, options(4), false, {}).keys, {0, time}).flame),
        (Names{"one", "two"}));
    EXPECT_EQ(
        missing_names(frame_at(in_sequence(flames, options(4), true, {}).keys, {0, time}).flame),
        (Names{"two", "one"}));  // which of a loop has a flame before its first
  }
}

TEST(sequence, whose_list_comes_again_is_that_of_the_longer_list) {
  std::vector<Flame> twice = keys();
  for (const Flame& flame : keys()) twice.push_back(flame);
  const std::vector<Flame> wanted = make_sequence(twice, options(3));
  const Sequence made(keys(), options(3), Sequence::Ending::last, 2);
  ASSERT_EQ(made.end() + 1, int(wanted.size()));
  for (int i = 0; i <= made.end(); ++i)
    EXPECT_TRUE(genome_xml(made.at(i)) == genome_xml(wanted[std::size_t(i)])) << i;
}

TEST(loop, closes_at_steps_below_one) {
  for (const auto& [step, count] : {std::pair{1.0, 12u}, {0.5, 24u}, {0.25, 48u}, {2.0, 6u}}) {
    FrameSpan span;
    span.step = step;
    const KeyFrames turn = in_sequence(first_key(), options(12), true, span);
    EXPECT_EQ(turn.frames.size(), count) << step;
    EXPECT_EQ(turn.frames.back().time, 12 - step);
    if (step <= 1) {
      EXPECT_EQ(between_keys(keys(), span).frames.back().time, 7 - step);
    }
  }
}

TEST(in_betweens, keys_as_they_are_and_flames_between) {
  const std::vector<Flame> flames = in_betweens(keys(), 3, 8);
  ASSERT_EQ(flames.size(), 6u);
  EXPECT_EQ(flames[0].xforms.size(), 1u);
  EXPECT_TRUE(flames[0].xforms[0].motions.empty());
  EXPECT_EQ(flames[0].xforms[0].weight, 0.5);  // without its motion
  EXPECT_EQ(flames[1].xforms.size(), 2u);
  EXPECT_NEAR(flames[2].rotate_deg, 15, tight);
  EXPECT_NEAR(flames[5].rotate_deg, 22.5, tight);
  const auto type = [&](std::size_t i) { return flames[i].interpolation_type; };
  EXPECT_EQ(type(0), InterpolationType::log);
  EXPECT_EQ(type(1), InterpolationType::linear);
  EXPECT_EQ(type(3), InterpolationType::log);  // before the second key
  EXPECT_EQ(type(4), InterpolationType::log);
  EXPECT_EQ(type(5), InterpolationType::linear);
}

TEST(frame_with_neighbors, three_times) {
  const auto turn = frame_with_neighbors(first_key(), 0, options(4));
  EXPECT_EQ(turn[0].time, -1);
  EXPECT_EQ(turn[2].time, 1);
  expect_coefs(turn[1].xforms[0], {0.5, 0.1, -0.2, 0.6, 0.3, 0.1}, tight);
  EXPECT_NEAR(turn[0].xforms[0].weight, 0.3, tight);
  const auto transition = frame_with_neighbors(keys(), 2, options(4));
  EXPECT_NEAR(transition[1].rotate_deg, 15, tight);
}

TEST(sequence, options_out_of_range) {
  EXPECT_EQ(error_of([] { make_sequence(keys(), options(0)); }).kind, ErrorKind::usage);
  EXPECT_EQ(error_of([] { make_sequence(keys(), options(4, -1)); }).kind, ErrorKind::usage);
  EXPECT_EQ(error_of([] { make_sequence(keys(), options(1 << 15, 3)); }).kind, ErrorKind::usage);
  EXPECT_EQ(error_of([] { loop_flames(first_key(), options(4, 0)); }).kind, ErrorKind::usage);
  EXPECT_EQ(error_of([] { make_sequence({}, {}); }).kind, ErrorKind::input);
  for (const char* easing : {"smooth", "eas-in", "1 2 3"}) {
    SequenceOptions wrong = options(4);
    wrong.easing = easing;
    EXPECT_EQ(error_of([&] { make_sequence(keys(), wrong); }).kind, ErrorKind::usage) << easing;
  }
  for (const auto& [hold, part] :
       std::vector<std::pair<double, double>>{{-1, 0}, {1e9, 0}, {0, 0.5}, {0, 1e9}}) {
    SequenceOptions wrong = options(4);
    wrong.hold = hold;
    wrong.part_frames = part;
    EXPECT_EQ(error_of([&] { make_sequence(keys(), wrong); }).kind, ErrorKind::usage)
        << hold << part;
  }
  const Error many =
      error_of([] { Sequence(keys(), options(1 << 15), Sequence::Ending::last, 3); });
  EXPECT_NE(std::string(many.what()).find("of 6 flames make"), std::string::npos) << many.what();
  SequenceOptions far = options(4);
  far.stagger = std::nan("");
  EXPECT_EQ(error_of([&] { make_sequence(keys(), far); }).kind, ErrorKind::usage);
  constexpr int most = std::numeric_limits<int>::max();
  EXPECT_EQ(error_of([] { in_betweens(keys(), most - 2, most); }).kind, ErrorKind::usage);
  EXPECT_EQ(error_of([] { in_betweens(keys(), -100000, 0); }).kind, ErrorKind::usage);
  EXPECT_EQ(error_of([] { frame_with_neighbors(keys(), most, {}); }).kind, ErrorKind::usage);
  const Error three = error_of([] {
    std::vector<Flame> flames = keys();
    flames.push_back(flames[0]);
    frame_with_neighbors(flames, 1, options(4));
  });
  EXPECT_EQ(three.kind, ErrorKind::usage);
}

// The same bits with every compiler and on every machine: what is rendered follows from them.
TEST(sequence, is_the_same_everywhere) {
  const std::string folder = std::string(source_dir()) + "/flames/";
  std::vector<Flame> flames;
  for (const char* name : {"rosewindow.flam3", "halo.flam3", "nautilus.flam3"})
    flames.push_back(read_flames(folder + name, {}).flames.at(0));
  SequenceOptions few = options(3);
  few.stagger = 0.5;
  Sha256 digest;
  for (const Flame& flame : loop_flames(flames, few)) {
    const std::string xml = genome_xml(flame);
    const std::size_t start = xml.find("time=");  // behind the version
    digest.add(xml.data() + start, xml.size() - start);
  }
  EXPECT_EQ(digest.hex(), "86bfe3f7bc249234eef155fb90a88adf80f3f902cf1bdff46489d1cf0a9f4c8b");
}

}  // namespace
}  // namespace kiln
