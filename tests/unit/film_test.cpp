// SPDX-License-Identifier: MIT
// Films: easings and tracks as numbers, what of a flame they move, motion blur on them, and how files
// have them.
#include "engine/animation/film.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/animation/frame_at.h"
#include "engine/animation/frame_manifest.h"
#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/image.h"
#include "engine/model/palette.h"
#include "engine/model/variations.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/renderer.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using test::two_keys;

std::string with_tracks(std::string xml, const std::string& tracks) {
  return xml.replace(xml.find("</flame>"), 0, tracks);
}
std::vector<Flame> read(const std::string& xml) {
  return parse_flames(xml, "film.flam3", {}).flames;
}
std::vector<Flame> film(const std::string& tracks, const std::string& more = "") {
  return read(with_tracks(two_keys(more), tracks));
}
/// One flame alone.
std::vector<Flame> solo(const std::string& tracks, const std::string& attributes = "") {
  return read(test::triangle(attributes, tracks));
}
std::string track(const std::string& head, const std::string& keys) {
  return "<kiln_track " + head + ">" + keys + "</kiln_track>";
}
std::string key(const std::string& time, const std::string& value, const std::string& easing = "") {
  return "<key time=\"" + time + "\" value=\"" + value + "\"" +
         (easing.empty() ? "" : " easing=\"" + easing + "\"") + "/>";
}
std::string ramp(const std::string& head, const std::string& from, const std::string& to) {
  return track(head, key("0", from) + key("10", to));
}

std::string refusal(const std::string& xml) {
  try {
    read(xml);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    return error.what();
  }
  return "taken";
}

std::string refused_play(const std::vector<Flame>& keys) {
  try {
    between_keys(keys, {});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    return error.what();
  }
  return "taken";
}

// ---- easings ----

Easing named(const char* text) { return easing_named(text).value(); }

TEST(Easings, begin_and_end_where_the_keys_are) {
  for (const char* text : {"linear", "hold", "ease-in", "ease-out", "ease-in-out", "bounce",
                           "0.4 0 0.2 1", "cubic-bezier(0, 2, 1, -1)"}) {
    EXPECT_EQ(eased(named(text), 0), 0) << text;
    EXPECT_EQ(eased(named(text), 1), 1) << text;
    const bool goes_on = std::string(text) == "linear";
    EXPECT_EQ(eased(named(text), -0.5), goes_on ? -0.5 : 0) << text;
    EXPECT_EQ(eased(named(text), 1.5), goes_on ? 1.5 : 1) << text;
    EXPECT_EQ(easing_named(easing_text(named(text))), named(text)) << text;
  }
}

TEST(Easings, are_these_curves) {
  EXPECT_EQ(eased(named("hold"), 0.999), 0);
  EXPECT_EQ(eased(named("ease-in"), 0.25), 0.0625);
  EXPECT_EQ(eased(named("ease-out"), 0.25), 0.4375);
  EXPECT_EQ(eased(named("ease-in-out"), 0.25), 0.15625);
  EXPECT_NEAR(eased(named("bounce"), 1 / 2.75 - 1e-9), 1, 1e-7);  // the first time at the floor
  EXPECT_NEAR(eased(named("bounce"), 1.5 / 2.75), 0.75, 1e-12);   // and as high as it springs back
  EXPECT_NEAR(eased(named("bounce"), 2.25 / 2.75), 0.9375, 1e-12);
  EXPECT_NEAR(eased(named("0.3 0.3 0.7 0.7"), 0.37), 0.37, 1e-15);
  EXPECT_NEAR(eased(named("0.25 0.1 0.25 1"), 0.5), 0.802403387584857, 1e-14);  // CSS' "ease"
  EXPECT_GT(eased(named("0.3 0 0.3 1.6"), 0.6), 1);      // swings beyond the key
  EXPECT_NEAR(eased(named("1 0 0 1"), 0.5), 0.5, 1e-5);  // as steep as one can be
}

TEST(Easings, other_texts_are_none) {
  for (const char* text : {"", "ease", "0.1 0 0.2", "0.1 0 0.2 1 2", "-0.1 0 0.2 1", "0.1 0 1.2 1",
                           "0 1e9 1 1", "0 nan 1 1", "cubic-bezier(0.1, 0, 0.2", "0.1 0 x 1"})
    EXPECT_FALSE(easing_named(text)) << text;
}

TEST(Easings, of_a_key_flame_shape_the_way_to_the_next) {
  const auto brightness = [](const char* easing, double time) {
    std::vector<Flame> keys = film("", std::string("kiln_easing=\"") + easing + "\"");
    keys[1].brightness = keys[0].brightness + 8;
    return flame_at(keys, time).brightness - keys[0].brightness;
  };
  EXPECT_NEAR(brightness("linear", 2.5), 2, 1e-12);
  EXPECT_NEAR(brightness("ease-in", 2.5), 0.5, 1e-12);
  EXPECT_EQ(brightness("hold", 9.99), 0);
  EXPECT_NEAR(brightness("hold", 10), 8, 1e-12);
  EXPECT_NEAR(brightness("ease-in-out", 5), 4, 1e-12);
  EXPECT_NEAR(brightness("linear", 12), 9.6, 1e-12);  // as flam3 goes on
  EXPECT_NEAR(brightness("ease-out", 12), 8, 1e-12);  // has arrived
  EXPECT_EQ(flame_at(film("", "kiln_easing=\"bounce\""), 3).easing, Easing{});
}

// ---- tracks ----

double number_at(const std::string& head, const std::string& keys, double time) {
  return value_at(film(track("name=\"zoom\" " + head, keys))[0].tracks[0], time, false).at(0);
}

TEST(Tracks, hold_begin_anew_or_go_back_beyond_their_keys) {
  const std::string keys = key("2", "1") + key("4", "5");
  for (const auto& [ends, values] :
       std::map<std::string, std::vector<double>>{{"hold", {1, 1, 3, 5, 5, 5}},
                                                  {"cycle", {3, 1, 3, 1, 3, 2}},
                                                  {"ping-pong", {3, 1, 3, 5, 3, 4}}}) {
    const std::string head = "ends=\"" + ends + "\"";
    std::vector<double> got;
    for (const double time : {-3.0, 2.0, 3.0, 4.0, 5.0, 2.5 + 6 - (ends == "ping-pong" ? 1 : 0)})
      got.push_back(number_at(head, keys, time));
    EXPECT_EQ(got, values) << ends;
  }
  EXPECT_EQ(number_at("ends=\"cycle\"", key("3", "7"), 100), 7);
}

TEST(Tracks, loops_have_no_seam) {
  const Track turn =
      film(track("name=\"zoom\" ends=\"cycle\"",
                 key("0", "0", "0.3 0 0.6 1.2") + key("7", "2", "bounce") + key("30", "0")))[0]
          .tracks[0];
  for (const double time : {0.0, 0.5, 6.75, 7.0, 29.5})
    for (const double rounds : {-1.0, 1.0, 2.0, 1000.0})
      EXPECT_EQ(value_at(turn, time, false), value_at(turn, time + 30 * rounds, false)) << time;
}

TEST(Tracks, smooth_passes_its_keys_without_a_kink) {
  const std::string keys = key("0", "0", "smooth") + key("2", "3", "smooth") +
                           key("5", "-1", "smooth") + key("6", "0", "smooth");
  for (const std::string head : {"", "ends=\"cycle\"", "ends=\"ping-pong\""}) {
    for (const auto& [time, value] : std::map<double, double>{{0, 0}, {2, 3}, {5, -1}, {6, 0}}) {
      EXPECT_NEAR(number_at(head, keys, time), value, 1e-12) << head << time;
      constexpr double step = 1e-5;
      const double before =
          (number_at(head, keys, time) - number_at(head, keys, time - step)) / step;
      const double after =
          (number_at(head, keys, time + step) - number_at(head, keys, time)) / step;
      EXPECT_NEAR(before, after, 1e-3) << head << time;
    }
  }
  EXPECT_NEAR(
      number_at("", key("0", "0") + key("2", "3", "smooth") + key("5", "-1") + key("6", "0"),
                2.001) -
          3,
      -0.001 / 5, 1e-5);  // (-1 - 0) / 5: from the key before to the one after
  // a round that begins anew comes from its last keys, one that is held begins at rest
  EXPECT_NEAR(number_at("ends=\"cycle\"", keys, 1e-4) / 1e-4, 4 / 3.0, 1e-3);
  EXPECT_NEAR(number_at("", keys, 1e-4) / 1e-4, 0, 1e-3);
}

TEST(Tracks, put_their_value_in_the_place_of_what_lies_between_the_keys) {
  const std::vector<Flame> keys = film(
      ramp("name=\"brightness\"", "3", "7") + ramp("name=\"center\"", "0 1", "1 3") +
      track("name=\"palette_mode\"", key("0", "step") + key("4", "linear")) +
      ramp("name=\"background\"", "0 0 0", "1 0.5 0") + ramp("name=\"filter\"", "1", "2") +
      ramp("xform=\"2\" name=\"weight\"", "1", "3") + ramp("xform=\"3\" name=\"swirl\"", "0", "1") +
      ramp("xform=\"3\" name=\"julian_power\"", "2", "4") +
      ramp("xform=\"1\" name=\"pre_crop_left\"", "-2", "0") +
      ramp("xform=\"1\" name=\"pre_crop\"", "0.5", "1.5") +
      ramp("xform=\"2\" name=\"chaos\"", "1 0", "3 1"));
  const Flame plain = interpolate(film(""), 5), got = frame_at(keys, {5, 5}).flame;
  EXPECT_EQ(got.brightness, 5);
  EXPECT_EQ(got.center_x, 0.5);
  EXPECT_EQ(got.center_y, 2);
  EXPECT_EQ(got.palette_mode, PaletteMode::linear);
  EXPECT_EQ(frame_at(keys, {3, 3}).flame.palette_mode, PaletteMode::step);
  EXPECT_EQ(got.background, (std::array<double, 3>{0.5, 0.25, 0}));
  EXPECT_EQ(got.filter_radius_px, 1.5);
  EXPECT_EQ(got.xforms[1].weight, 2);
  EXPECT_EQ(got.xforms[2].variations[std::size_t(*find_variation("swirl"))], 0.5);
  EXPECT_EQ(got.xforms[2].parameters[std::size_t(*find_parameter("julian_power"))], 3);
  ASSERT_EQ(got.xforms[0].staged.size(), 1u);
  EXPECT_EQ(got.xforms[0].staged[0].weight, 1);
  EXPECT_EQ(got.xforms[0].staged[0].parameters[0], -1);
  EXPECT_EQ(got.xforms[1].chaos, (std::vector<double>{2, 0.5, 1}));
  EXPECT_EQ(got.gamma, plain.gamma);  // and nothing else
  EXPECT_EQ(got.xforms[0].coefs, plain.xforms[0].coefs);
  EXPECT_TRUE(got.tracks.empty());
}

TEST(Tracks, of_maps_move_position_size_and_turn_apart) {
  const auto at = [](const std::string& tracks, double time) {
    return flame_at(
               read(with_tracks(
                   R"(<flame time="0"><xform weight="1" linear="1" coefs="0.6 0.8 0.4 -0.3 1 2"/><color index="0" rgb="9 9 9"/></flame>)",
                   tracks)),
               time)
        .xforms[0];
  };
  const auto near = [](const AffineD& got, const AffineD& wanted) {
    for (const auto member :
         {&AffineD::a, &AffineD::d, &AffineD::b, &AffineD::e, &AffineD::c, &AffineD::f})
      EXPECT_NEAR(got.*member, wanted.*member, 1e-14);
  };
  near(at(ramp("xform=\"1\" name=\"position\"", "0 0", "4 -2"), 5).coefs,
       {0.6, 0.8, 0.4, -0.3, 2, -1});
  near(at(ramp("xform=\"1\" name=\"size\"", "1", "3"), 5).coefs, {1.2, 1.6, 0.8, -0.6, 1, 2});
  near(at(ramp("xform=\"1\" name=\"size\"", "1 1", "3 1"), 5).coefs, {1.2, 1.6, 0.8, -0.6, 1, 2});
  near(at(ramp("xform=\"1\" name=\"turn\"", "0", "180"), 5).coefs, {0, 1, 0.5, 0, 1, 2});
  const Xform post = at(ramp("xform=\"1\" name=\"post_turn\"", "0", "180") +
                            ramp("xform=\"1\" name=\"post_position\"", "0 0", "0 1"),
                        5);
  near(post.post, {0, 1, -1, 0, 0, 0.5});
  near(post.coefs, {0.6, 0.8, 0.4, -0.3, 1, 2});
}

TEST(Tracks, of_hue_turn_the_palette) {
  std::vector<Flame> keys = solo(
      track("name=\"hue\" ends=\"cycle\"", key("0", "0.25") + key("12", "1.25")), "hue=\"0.25\"");
  EXPECT_EQ(flame_at(keys, 3).palette, turned(keys[0].palette, 0.25));
  EXPECT_EQ(flame_at(keys, 12).palette, keys[0].palette);
  const Frame frame = frame_at(keys, {0, 4});
  int samples = 0;
  frame.moving->visit([&](const Flame& sample) {
    EXPECT_EQ(sample.palette, turned(keys[0].palette, sample.hue - 0.25));
    ++samples;
  });
  EXPECT_EQ(samples, 1000);
}

TEST(Tracks, can_move_all_that_is_a_number_at_a_time) {
  Flame flame = film("")[0];
  flame.final_xform = flame.xforms[0];
  std::set<std::string> flames;
  for (const std::string& name : track_target_names(track_of_flame)) flames.insert(name);
  for (const FlameAttribute& row : flame_attributes()) {
    const bool moves = row.has(FlameAttribute::blends) && row.name != "size";
    if (moves) {
      EXPECT_TRUE(flames.contains(std::string(row.name))) << row.name;
    }
    if (row.has(FlameAttribute::nothing_seen)) {
      EXPECT_FALSE(flames.contains(std::string(row.name))) << row.name;
    }
  }
  EXPECT_TRUE(flames.contains("kiln_bloom") && flames.contains("palette_mode") &&
              !flames.contains("time"));
  for (const int xform : {track_of_flame, 1, track_of_final}) {
    for (const std::string& name : track_target_names(xform)) {
      const std::optional<TrackTarget> target = find_track_target(xform, name);
      ASSERT_TRUE(target) << name;
      EXPECT_EQ(target->name, name);
      std::vector<double> value = target->get(flame);
      ASSERT_GE(value.size(), target->least) << name;
      const auto wanted = [&](double now, double step) {
        return now + step <= target->high ? now + step : now - step;
      };
      const bool is_whole =
          target->attribute && attribute_type(*target->attribute).starts_with("whole");
      for (double& number : value)
        number = target->words.empty() ? wanted(number, is_whole ? 1 : 0.5) : 1 - number;
      if (name == "kiln_glare") value = {6, 30, 0.5};
      if (name == "filter_shape") value = {3};
      Flame moved = flame;
      target->put(moved, value);
      const std::vector<double> got = target->get(moved);
      ASSERT_EQ(got.size(), value.size()) << name;
      for (std::size_t n = 0; n < got.size(); ++n) EXPECT_NEAR(got[n], value[n], 1e-9) << name;
      EXPECT_FALSE(genome_xml(moved) == genome_xml(flame)) << name;
    }
  }
}

// ---- frames ----

RenderOptions on_cpu() {
  RenderOptions options;
  options.backend = Backend::cpu;
  options.threads = 2;
  return options;
}

TEST(Film, motion_blur_sees_tracks_at_every_time_sample) {
  std::vector<Flame> keys =
      film(ramp("name=\"zoom\"", "0", "8") + ramp("xform=\"1\" name=\"turn\"", "0", "900") +
           track("xform=\"2\" name=\"julian\"",
                 key("0", "0") + key("4.9", "0", "hold") + key("5", "0.7")) +
           track("xform=\"3\" name=\"post_bubble\" ends=\"cycle\"",
                 key("0", "0", "hold") + key("5", "1", "hold") + key("10", "0")) +
           ramp("xform=\"1\" name=\"chaos\"", "1 1", "0 2") +
           ramp("xform=\"3\" name=\"post_turn\"", "0", "90") +
           ramp("name=\"cam_pitch\"", "-0.5", "0.5") +
           ramp("xform=\"1\" name=\"ztranslate\"", "-1", "1"));
  for (Flame& one : keys) one.temporal_samples = 40;
  const Frame moving = frame_at(keys, {5, 5});
  Frame listed{moving.flame, {}, moving.weights, moving.number};
  for (const TemporalStep& step : temporal_steps(moving.flame)) {
    listed.samples.push_back(flame_at(keys, 5 + step.time_offset));
    listed.samples.back().pixel_aspect = keys[0].pixel_aspect;
  }
  std::size_t i = 0;
  for (int round = 0; round < 2; ++round) {  // as often as it is asked
    i = 0;
    moving.moving->visit([&](const Flame& sample) {
      EXPECT_TRUE(genome_xml(sample) == genome_xml(listed.samples.at(i))) << i;
      ++i;
    });
  }
  ASSERT_EQ(i, 40u);
  EXPECT_NE(listed.samples[0].zoom, listed.samples[39].zoom);
  Renderer renderer(on_cpu());
  EXPECT_EQ(pixel_hash(renderer.render(moving)), pixel_hash(renderer.render(listed)));
  Frame still = frame_at(keys, {5, 5}, MotionBlur::without);
  EXPECT_NE(pixel_hash(renderer.render(moving)), pixel_hash(renderer.render(still)));
}

TEST(Film, of_one_flame_lasts_as_long_as_its_tracks) {
  const std::vector<Flame> keys =
      solo(track("xform=\"1\" name=\"turn\" ends=\"cycle\"", key("0", "0") + key("24", "360")));
  const KeyFrames frames = between_keys(keys, {});
  EXPECT_EQ(frames.frames.size(), 24u);
  Renderer renderer(on_cpu());
  std::vector<std::string> hashes;
  for (const double time : {0.0, 1.0, 24.0})
    hashes.push_back(
        pixel_hash(renderer.render(frame_at(frames.keys, {0, time}, MotionBlur::without))));
  EXPECT_NE(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);  // the frame that would come next is the first
  EXPECT_TRUE(frame_at(frames.keys, {3, 3}).in_motion());
  EXPECT_EQ(frame_at(frames.keys, {3, 3}).flame.time, 3);
}

TEST(Film, shows_a_last_key_that_it_jumps_to_as_long_as_the_one_before) {
  const auto three = [](const std::string& second, const std::string& first = "linear") {
    return read("<flames>" + test::triangle("time=\"0\" kiln_easing=\"" + first + "\"") +
                test::triangle("time=\"4\" kiln_easing=\"" + second + "\"") +
                test::triangle("time=\"7\" brightness=\"9\"") + "</flames>");
  };
  const auto last = [](const std::vector<Flame>& keys, const FrameSpan& span) {
    return between_keys(keys, span).frames.back().time;
  };
  const std::vector<Flame> cut = three("hold");
  EXPECT_EQ(last(cut, {}), 9);
  EXPECT_EQ(last(cut, {{}, {}, 0.5}), 9.5);
  EXPECT_EQ(last(cut, {{}, 6}), 6);
  EXPECT_EQ(between_keys(cut, {{}, {}, 1, 20}).frames.back().time, 9.5);  // of 10, in 20
  for (const double time : {7, 8, 9}) EXPECT_EQ(flame_at(cut, time).brightness, 9) << time;
  EXPECT_EQ(last(three("linear", "hold"), {}), 6);
  EXPECT_EQ(last(three("ease-in"), {}), 6);
}

// Frames that are cleaned with their neighbors are others where these are: --resume makes them again.
TEST(Film, that_a_track_cleans_has_its_neighbors_in_its_digests) {
  for (const bool cleans : {true, false}) {
    KeyFrames film;
    film.keys =
        cleans ? solo(ramp("name=\"clean\"", "0", "1")) : solo(ramp("name=\"zoom\"", "0", "1"));
    film.frames = frame_times(0, 9, 1);
    EXPECT_EQ(is_cleaned(film.keys), cleans);
    KeyFrames shorter = film;
    shorter.frames.resize(7);
    const FrameTime fifth = film.frames[5], third = film.frames[3];
    const FrameDigests whole(film, {}), part(shorter, {});
    EXPECT_EQ(whole.of(fifth) != part.of(fifth), cleans);  // its second neighbor is not there
    EXPECT_EQ(whole.of(third), part.of(third));
    EXPECT_EQ(whole.of_film(), part.of_film());
  }
}

TEST(Film, in_betweens_are_its_flames) {
  const std::vector<Flame> keys =
      film(ramp("name=\"brightness\"", "3", "7") + ramp("xform=\"2\" name=\"swirl\"", "0", "1"),
           "kiln_easing=\"ease-in\"");
  const std::vector<Flame> flames = in_betweens(keys, 0, 10);
  Flame wanted = flame_at(keys, 4);
  wanted.interpolation_type = flames.at(4).interpolation_type;
  EXPECT_TRUE(genome_xml(flames[4]) == genome_xml(wanted));
  for (const Flame& flame : flames) {
    EXPECT_EQ(flame.brightness, flame_at(keys, flame.time).brightness);
    EXPECT_EQ(genome_xml(flame).find("kiln_"), std::string::npos);
  }
  EXPECT_EQ(flames[5].brightness, 5);
}

TEST(Film, sequences_are_made_of_its_flames_alone) {
  for (const Flame& flame :
       make_sequence(film(ramp("name=\"zoom\"", "0", "1"), "kiln_easing=\"hold\""), {3})) {
    EXPECT_TRUE(flame.tracks.empty());
    EXPECT_EQ(flame.easing, Easing{});
  }
}

// ---- files ----

TEST(FilmFile, comes_back_as_it_was) {
  const std::vector<Flame> keys =
      film(track("name=\"brightness\" ends=\"ping-pong\"",
                 key("-1.5", "3", "0.1 0 0.30000000000000004 1") + key("2.25", "7")) +
               track("xform=\"final\" name=\"swirl\"", key("0", "0.1", "smooth") + key("9", "1")) +
               track("name=\"oversample\"", key("0", "1", "hold") + key("9", "2")) +
               track("name=\"palette_mode\"", key("0", "linear") + key("9", "step")) +
               track("xform=\"2\" name=\"size\"", key("0", "1 2", "bounce") + key("9", "2 1")),
           "kiln_easing=\"ease-in-out\"");
  std::string xml = "<flames>";
  for (const Flame& flame : keys) xml += genome_xml(flame);
  const std::vector<Flame> again = read(xml + "</flames>");
  ASSERT_EQ(again.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(again[i].tracks, keys[i].tracks);
    EXPECT_EQ(again[i].easing, keys[i].easing);
    EXPECT_TRUE(genome_xml(again[i]) == genome_xml(keys[i]));
  }
  EXPECT_EQ(keys[0].tracks.size(), 5u);
  EXPECT_EQ(keys[0].tracks[2].name, "supersample");
  EXPECT_EQ(genome_xml(film("")[0]).find("kiln_"), std::string::npos);  // others say nothing of it
}

TEST(FilmFile, says_what_is_wrong_where_and_what_to_do) {
  const auto of = [](const std::string& tracks) {
    return refusal(with_tracks(two_keys(), "\n\n" + tracks));
  };
  const std::string one = key("0", "1");
  for (const auto& [tracks, wanted] : std::vector<std::pair<std::string, std::string>>{
           {track("name=\"brightnes\"", one),
            "film.flam3:3: kiln_track: name=\"brightnes\": nothing of <flame> has this name (did "
            "you mean \"brightness\"?)"},
           {track("xform=\"1\"", one), "says not what it moves; add name="},
           {track("name=\"turn\"", one), "is of an xform; say which: xform=\"1\""},
           {track("xform=\"1\" name=\"gamma\"", one), "is of <flame>; leave xform out"},
           {track("name=\"time\"", one), "has no value that a track could move"},
           {track("name=\"size\"", one), "is of an xform"},
           {track("name=\"interpolation\"", one), "has no value that a track could move"},
           {track("name=\"overall_curve\"", one), "has no value that a track could move"},
           {track("xform=\"1\" name=\"coefs\"", one), "move position, size and turn"},
           {track("xform=\"1\" name=\"post\"", one), "move post_position, post_size and post_turn"},
           {track("xform=\"final\" name=\"weight\"", one),
            "nothing of the finalxform has this name"},
           {track("xform=\"0\" name=\"turn\"", one), "xform=\"0\""},
           {track("xform=\"1e9\" name=\"turn\"", one), "xform=\"1e9\""},
           {track("name=\"gamma\" ends=\"loop\"", one), "must be hold, cycle or ping-pong"},
           {track("name=\"gamma\" speed=\"2\"", one), "it knows xform, name and ends"},
           {track("name=\"gamma\"", ""), "has no key; add <key"},
           {track("name=\"gamma\"", "<point time=\"0\"/>"), "a track has <key> elements"},
           {track("name=\"gamma\"", "<key time=\"0\"/>"),
            "a key needs time=\"...\" and value=\"...\""},
           {track("name=\"gamma\"", "<key value=\"2\"/>"), "a key needs time"},
           {track("name=\"gamma\"", "<key time=\"0\" value=\"2\" hold=\"1\"/>"),
            "it knows time, value and easing"},
           {track("name=\"gamma\"", key("0", "0")), "gamma must be above 0"},
           {track("name=\"gamma\"", key("0", "x")), "is not a number"},
           {track("name=\"gamma\"", key("0", "nan")), "finite"},
           {track("name=\"gamma\"", key("0", "1 2")), "has 2 numbers where gamma has 1"},
           {track("name=\"gamma\"", key("1e12", "1")), "time=\"1e12\""},
           {track("name=\"gamma\"", key("0", "1", "fast")),
            "must be linear, hold, ease-in, ease-out, ease-in-out, bounce, smooth, or a curve"},
           {track("name=\"gamma\"", key("0", "1", "2 0 0 1")), "each x 0 to 1"},
           {track("name=\"supersample\"", key("0", "1.5")), "supersample=\"1.5\""},
           {track("name=\"kiln_glare\"", key("0", "3 0 0.1")), "even"},
           {track("name=\"palette_mode\"", key("0", "smooth")), "must be one of step, linear"},
           {track("name=\"gamma\"", key("5", "1") + "\n" + key("5", "2")),
            "film.flam3:4: track of gamma: time=\"5\" does not come after the time=\"5\" of the "
            "key before; sort"},
           {track("xform=\"1\" name=\"size\"", key("5", "1") + key("6", "2 1")),
            "this key has 2 numbers, the one before 1"},
           {track("xform=\"1\" name=\"color\"", key("5", "1.5")),
            "color must be at least 0 and at most 1"}})
    EXPECT_NE(of(tracks).find(wanted), std::string::npos) << tracks << "\n" << of(tracks);
  EXPECT_NE(refusal(two_keys("kiln_easing=\"smooth\"")).find("interpolation=\"smooth\" is that"),
            std::string::npos);
  EXPECT_NE(refusal(two_keys("kiln_easing=\"eas-in\"")).find("did you mean \"ease-in\""),
            std::string::npos);
}

TEST(FilmFile, with_tracks_of_what_is_not_there_is_not_played) {
  const std::string turn = ramp("xform=\"4\" name=\"turn\"", "0", "1"),
                    zoom = ramp("name=\"zoom\"", "0", "1");
  EXPECT_EQ(
      refused_play(film("\n" + turn)),
      "film.flam3:2: track of turn of xform 4: the key flames have 3 xforms; take one of these, or "
      "remove the track");
  EXPECT_NE(refused_play(film(ramp("xform=\"final\" name=\"swirl\"", "0", "1")))
                .find("no key flame has a finalxform"),
            std::string::npos);
  EXPECT_NE(refused_play(film(zoom + zoom))
                .find("track of zoom: there is one already; put the keys of both into one"),
            std::string::npos);
  EXPECT_EQ(refused_play(film(zoom)), "taken");
}

// "internal error ... supersample -3": between key flames a curve swings out of what a number can be.
TEST(Film, says_where_an_easing_leaves_what_can_be) {
  std::vector<Flame> keys = film("", "kiln_easing=\"0.3 -8 0.7 9\"");
  const auto refused = [&] {
    try {
      prepare(frame_at(keys, {1, 1}), {});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input);
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(refused(), "taken");
  keys[1].supersample = 3;
  EXPECT_NE(refused().find("film.flam3:1: at time 1 the supersample is -"), std::string::npos)
      << refused();
  keys[1].supersample = 1;
  keys[1].quality = 500;
  EXPECT_NE(refused().find("film.flam3:1: at time 1 the quality is -"), std::string::npos);
}

// To plan a film with tracks took a blended flame for every frame.
TEST(Film, is_planned_by_a_bounded_number_of_its_flames) {
  const std::vector<Flame> keys =
      film(track("name=\"quality\"", key("0", "1", "ease-in") + key("10", "101")));
  const auto frames = [](int count) {
    std::vector<FrameTime> made;
    for (int i = 0; i < count; ++i) made.push_back({i, 10.0 * i / count});
    return made;
  };
  const auto kinks = [](const std::vector<double>& samples) {
    int count = 0;
    for (std::size_t i = 2; i < samples.size(); ++i)
      count += std::fabs(samples[i] - 2 * samples[i - 1] + samples[i - 2]) > 1e-6 * samples[i];
    return count;
  };
  const std::vector<double> many = sample_estimates(keys, frames(6400));
  ASSERT_EQ(many.size(), 6400u);
  EXPECT_LE(kinks(many), 63);
  EXPECT_GT(kinks(many), 55);
  for (const int i : {0, 17, 3210, 6399}) {
    const double share = i / 6400.0;
    EXPECT_NEAR(many[std::size_t(i)], 32 * 24 * (1 + 100 * share * share), 32 * 24 * 0.05) << i;
  }
  const std::vector<double> few = sample_estimates(keys, frames(20));
  ASSERT_EQ(few.size(), 20u);
  EXPECT_NEAR(few[10], 32 * 24 * 26, 1e-6);
  EXPECT_EQ(sample_estimates(keys, frames(1)).size(), 1u);
  EXPECT_TRUE(sample_estimates(keys, {}).empty());
}

TEST(FilmFile, that_is_hostile_is_refused_in_bounded_time) {
  std::string keys;
  for (int i = 0; i < (1 << 16) + 1; ++i) keys += key(std::to_string(i), "1");
  EXPECT_NE(refusal(with_tracks(two_keys(), track("name=\"gamma\"", keys)))
                .find("has more than 65536 keys"),
            std::string::npos);
  std::string tracks;
  for (int i = 0; i < 4097; ++i) tracks += track("name=\"gamma\"", key("0", "1"));
  EXPECT_NE(refusal(with_tracks(two_keys(), tracks)).find("has more than 4096 tracks"),
            std::string::npos);
  // values that swing far beyond their ranges, at times far away
  const std::vector<Flame> wild = film(
      track("name=\"gamma\" ends=\"cycle\"", key("0", "1", "0 -100 1 100") + key("1e-3", "2")) +
      track("name=\"quality\"", key("0", "5", "0 -100 1 100") + key("10", "5.1")) +
      track("name=\"kiln_bloom\"", key("0", "0.5 1 0", "0 -100 1 100") + key("10", "1 2 1")) +
      track("name=\"kiln_glare\"", key("0", "2 0 0", "0 -100 1 100") + key("10", "16 0 1")) +
      track("xform=\"1\" name=\"weight\"", key("0", "1", "0 -100 1 100") + key("10", "2")) +
      track("xform=\"2\" name=\"size\" ends=\"ping-pong\"", key("0", "0") + key("1", "1e30")));
  Renderer renderer(on_cpu());
  for (const double time : {1.0, 3.0, 9.0}) {
    const Flame flame = frame_at(wild, {1, time}).flame;
    EXPECT_GT(flame.gamma, 0);
    EXPECT_GT(flame.quality, 0);
    EXPECT_GE(flame.xforms[0].weight, 0);
    EXPECT_LE(flame.effects.bloom_strength() + flame.effects.glare_strength(), 1);
    EXPECT_NO_THROW(renderer.render(frame_at(wild, {1, time}))) << time;
  }
  for (const double time : {-1e9, 1e9}) EXPECT_GT(flame_at(wild, time).gamma, 0);
}

}  // namespace
}  // namespace kiln
