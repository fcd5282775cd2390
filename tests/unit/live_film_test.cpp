// SPDX-License-Identifier: MIT
// Films under a hand: what is opened as one, what an edit makes of it, and that neither keys that come nor
// times beyond the keys move anything.
#include "engine/live/live_film.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "engine/animation/film.h"
#include "engine/animation/frame_at.h"
#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/live/live_flame.h"
#include "engine/model/easing_halves.h"
#include "tests/sample_flame.h"

namespace kiln {
namespace {

Flame flame_of(double time, double brightness, Easing easing = {}) {
  Flame flame = test::sample_flame("conch", 160, 20);
  flame.source = "film.flam3";
  flame.time = time;
  flame.brightness = brightness;
  flame.easing = easing;
  return flame;
}

/// Of the flame, or of an xform.
Track track_of(const std::string& name, std::vector<TrackKey> keys, int xform = track_of_flame) {
  Track track;
  track.xform = xform;
  track.name = name;
  track.keys = std::move(keys);
  return track;
}
TrackKey key_of(double time, double value, Easing easing = {}) {
  TrackKey key;
  key.time = time;
  key.value = {value};
  key.easing = easing;
  return key;
}

/// Two keys, brightness 4 and 8, with these tracks.
std::shared_ptr<const LiveFilm> film_of(std::vector<Track> tracks, Easing easing = {}) {
  std::vector<Flame> keys = {flame_of(0, 4, easing), flame_of(60, 8)};
  keys[0].tracks = std::move(tracks);
  return live_film(std::move(keys));
}

std::vector<double> times_of(const LiveFilm& film) {
  std::vector<double> times;
  for (const Flame& key : film.keys) times.push_back(key.time);
  return times;
}

using Times = std::vector<double>;

// ---- what is opened as one ----

std::vector<LiveDocument> opened(std::vector<Flame> flames, std::string* warned = nullptr) {
  for (std::size_t i = 0; i < flames.size(); ++i)
    if (flames[i].index == 0) flames[i].index = int(i);
  return documents_of(std::move(flames), [&](const std::string& text) {
    if (warned)
      *warned += text;
    else
      ADD_FAILURE() << text;
  });
}

TEST(LiveDocuments, flames_of_one_file_whose_times_rise_are_a_film) {
  const auto documents = opened({flame_of(0, 4), flame_of(30, 5), flame_of(60, 6)});
  ASSERT_EQ(documents.size(), 1u);
  ASSERT_TRUE(documents[0].film);
  EXPECT_EQ(times_of(*documents[0].film), (Times{0, 30, 60}));
  EXPECT_EQ(frames_of(*documents[0].film), 60);
  EXPECT_EQ(documents[0].flame.source, "film.flam3");
}

TEST(LiveDocuments, of_several_files_each_is_its_own) {
  std::vector<Flame> flames = {flame_of(0, 4), flame_of(30, 5), flame_of(60, 6), flame_of(90, 7)};
  flames[2].source = flames[3].source = "other.flam3";
  auto documents = opened(flames);
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(times_of(*documents[1].film), (Times{60, 90}));
  flames = {flame_of(0, 4), flame_of(30, 5), flame_of(40, 6)};
  flames[0].source = "still.flam3";
  documents = opened(flames);
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_FALSE(documents[0].film);
  EXPECT_TRUE(documents[1].film);
}

TEST(LiveDocuments, a_file_that_is_named_twice_is_two) {
  std::vector<Flame> flames;
  for (int i = 0; i < 4; ++i) {
    flames.push_back(flame_of(i % 2, 4));
    flames.back().index = i % 2;
  }
  const auto documents = documents_of(flames, [](const std::string& text) { FAIL() << text; });
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(times_of(*documents[1].film), (Times{0, 1}));
}

TEST(LiveDocuments, packs_and_stills_stay_flames) {
  EXPECT_EQ(opened({flame_of(0, 4), flame_of(0, 5), flame_of(0, 6)}).size(), 3u);
  EXPECT_EQ(opened({flame_of(0, 4), flame_of(9, 5), flame_of(9, 6)}).size(), 3u);
  EXPECT_FALSE(opened({flame_of(7, 4)})[0].film);
  std::vector<Flame> one = {flame_of(0, 4)};
  one[0].tracks = {track_of("zoom", {key_of(0, 0), key_of(20, 1)})};
  const auto documents = opened(one);
  ASSERT_TRUE(documents[0].film) << "one flame with a track is a film";
  EXPECT_EQ(frames_of(*documents[0].film), 20);
}

TEST(LiveDocuments, what_can_be_no_film_stays_flames_and_says_why) {
  std::vector<Flame> flames = {flame_of(0, 4), flame_of(0, 5)};
  flames[0].tracks = {track_of("zoom", {key_of(0, 0)})};
  std::string warned;
  const auto documents = opened(flames, &warned);
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_FALSE(documents[0].film);
  EXPECT_TRUE(
      warned.starts_with("film.flam3: opened as 2 flames, as no film can be made of them: "))
      << warned;
}

/// A page says a flame as a text, which has no place for it: what is shown at first would be another picture than
/// what is edited, kept, saved and rendered.
TEST(LiveDocuments, pixels_of_pictures_that_are_opened_become_square_and_that_is_said) {
  std::vector<Flame> flames = {flame_of(0, 4), flame_of(0, 5)};
  flames[1].pixel_aspect = 2;
  std::string warned;
  const auto documents = opened(flames, &warned);
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(documents[1].flame.pixel_aspect, 1);
  EXPECT_EQ(warned,
            "film.flam3: its pixels are square here; kiln render --pixel-aspect 2 has their shape");
}

TEST(LiveDocuments, a_film_is_one_place_of_the_shelf_and_closed_as_one) {
  std::vector<LiveDocument> documents = opened({flame_of(0, 4), flame_of(60, 8)});
  documents.push_back({test::sample_flame("coral", 160, 20), nullptr});
  const auto shelf = shelf_of(documents, {});
  ASSERT_EQ(shelf->flames.size(), 2u);
  EXPECT_EQ(shelf->flames[0].document(), documents[0].film->text);
  EXPECT_EQ(shelf->flames[0].undo_steps(), 0);
  EXPECT_EQ(shelf->flames[0].flame().brightness, 4);
  EXPECT_FALSE(shelf->flames[1].place().film);
}

// ---- edits ----

TEST(LiveFilm, an_edit_of_a_tracked_number_makes_a_key_of_its_track_and_nothing_else) {
  for (const double time : {30.0, 60.0, 75.0, -5.0}) {
    const auto film = film_of({track_of("brightness", {key_of(0, 4), key_of(60, 8)})});
    Flame flame = moment_of(*film, time);
    flame.brightness = 11;
    const auto edited = with_key(*film, flame, time);
    EXPECT_EQ(times_of(*edited), (Times{0, 60})) << time;
    for (int k = 0; k < 2; ++k) {
      Flame before = film->keys[std::size_t(k)], after = edited->keys[std::size_t(k)];
      before.tracks.clear();
      after.tracks.clear();
      EXPECT_EQ(genome_xml(after), genome_xml(before)) << "key flames stay as they are";
    }
    const Track& track = edited->keys[0].tracks[0];
    EXPECT_EQ(value_at(track, time, false), std::vector<double>{11}) << time;
    EXPECT_EQ(moment_of(*edited, time).brightness, 11);
  }
}

TEST(LiveFilm, of_maps_too_whose_numbers_a_page_has_rounded) {
  const auto film = film_of({track_of("turn", {key_of(0, 0), key_of(60, 90)}, 0),
                             track_of("size", {key_of(0, 0.5), key_of(60, 0.7)}, 1)});
  Flame flame = moment_of(*film, 20);
  AffineD& m = flame.xforms[0].coefs;
  const AffineD before = m;
  const double c = std::cos(0.1), s = std::sin(0.1);  // 0.1 rad: what the ring of a triangle does
  m.a = before.a * c - before.d * s, m.d = before.a * s + before.d * c;
  m.b = before.b * c - before.e * s, m.e = before.b * s + before.e * c;
  for (double* number : {&m.a, &m.b, &m.c, &m.d, &m.e, &m.f})
    *number = std::round(*number * 1e9) / 1e9;
  const auto edited = with_key(*film, flame, 20);
  EXPECT_EQ(times_of(*edited), (Times{0, 60}));
  EXPECT_EQ(edited->keys[0].tracks[0].keys.size(), 3u);
  EXPECT_EQ(edited->keys[0].tracks[1].keys.size(), 2u);
  m.c += 0.1;  // which no track moves
  EXPECT_EQ(times_of(*with_key(*film, flame, 20)), (Times{0, 20, 60}));
}

TEST(LiveFilm, of_hue_by_which_the_palette_has_turned) {
  const auto film = film_of({track_of("hue", {key_of(0, 0), key_of(60, 0.5)})});
  Flame flame = moment_of(*film, 30);
  ASSERT_EQ(flame.hue, 0.25);
  flame.hue = 0.3;
  EXPECT_EQ(times_of(*with_key(*film, flame, 30)), (Times{0, 60}));
}

TEST(LiveFilm, an_edit_of_both_makes_both) {
  const auto film = film_of({track_of("brightness", {key_of(0, 4), key_of(60, 8)})});
  Flame flame = moment_of(*film, 30);
  flame.brightness = 11;
  flame.gamma = 2;
  const auto edited = with_key(*film, flame, 30);
  EXPECT_EQ(times_of(*edited), (Times{0, 30, 60}));
  EXPECT_EQ(edited->keys[0].tracks[0].keys.size(), 3u);
  EXPECT_EQ(edited->keys[1].gamma, 2);
}

TEST(LiveFilm, a_turn_goes_on_from_where_its_track_is) {  // not from the angle as it is read, 25
  for (const double turns : {1.0, -2.0}) {
    const double at = 360 * turns + 20;
    const auto film = film_of({track_of("turn", {key_of(0, 0), key_of(60, at)}, 0)});
    Flame flame = moment_of(*film, 60);
    find_track_target(0, "turn")->put(flame, std::vector<double>{25});
    const auto edited = with_key(*film, flame, 60);
    EXPECT_NEAR(edited->keys[0].tracks[0].keys[1].value[0], at + 5, 1e-6);
  }
}

TEST(LiveFilm, a_key_beyond_the_ends_of_a_repeating_track_is_one_of_its_round) {
  Track track = track_of("brightness", {key_of(0, 4), key_of(20, 6)});
  track.ends = TrackEnds::cycle;
  const auto film = film_of({track});
  Flame flame = moment_of(*film, 45);
  EXPECT_EQ(flame.brightness, 4.5);
  flame.brightness = 11;
  const auto edited = with_key(*film, flame, 45);
  const std::vector<TrackKey>& keys = edited->keys[0].tracks[0].keys;
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(keys[1].time, 5) << "it stays a round of 20";
  EXPECT_EQ(keys[1].value, std::vector<double>{11});
}

TEST(LiveFilm, an_edit_at_a_key_leaves_its_way_name_and_motion) {
  std::vector<Flame> keys = {flame_of(0, 4), flame_of(30, 5), flame_of(60, 6)};
  keys[1].easing = {EasingKind::bounce, {}};
  keys[0].interpolation = keys[1].interpolation = Interpolation::smooth;
  keys[1].name = "middle";
  keys[1].xforms[0].motions.resize(1);
  keys[1].xforms[0].motions[0].color = 0.25;
  const auto film = live_film(keys);
  Flame flame = moment_of(*film, 30);
  flame.brightness = 9;
  const Flame& key = with_key(*film, flame, 30)->keys[1];
  EXPECT_EQ(key.brightness, 9);
  EXPECT_EQ(key.easing.kind, EasingKind::bounce);
  EXPECT_EQ(key.interpolation, Interpolation::smooth);
  EXPECT_EQ(key.name, "middle");
  EXPECT_EQ(key.xforms[0].motions.size(), 1u);
}

TEST(LiveFilm, keys_of_another_shape_fit_into_the_frame_as_in_a_film) {
  std::vector<Flame> keys = {flame_of(0, 4), flame_of(60, 8)};
  for (Flame& key : keys) key.scale = 100;
  keys[0].width = 320, keys[0].height = 180;
  keys[1].width = 100, keys[1].height = 200;
  const auto film = live_film(keys);
  frame_alike(keys);
  EXPECT_EQ(keys[1].scale, 90) << "by its height";
  for (const std::size_t k : {0, 1}) {
    EXPECT_EQ(film->keys[k].scale, keys[k].scale);
    EXPECT_EQ(film->keys[k].width, 320);
    EXPECT_EQ(film->keys[k].height, 180);
  }
}

TEST(LiveFilm, an_edit_at_a_key_leaves_its_tracks) {
  const auto film = film_of({track_of("brightness", {key_of(0, 4), key_of(60, 8)})});
  Flame flame = moment_of(*film, 0);
  flame.gamma = 2;
  const auto edited = with_key(*film, flame, 0);
  EXPECT_EQ(times_of(*edited), (Times{0, 60}));
  EXPECT_EQ(edited->keys[0].gamma, 2);
  ASSERT_EQ(edited->keys[0].tracks.size(), 1u);
  EXPECT_EQ(moment_of(*edited, 30).brightness, 6);
}

/// The way to the next key is of the film, whatever flame comes in the place of the key.
TEST(LiveFilm, another_flame_at_a_key_leaves_its_way) {
  std::vector<Flame> keys = {flame_of(0, 4), flame_of(30, 5), flame_of(60, 6), flame_of(90, 7)};
  keys[1].interpolation = Interpolation::smooth;
  const auto film = with_key(*live_film(keys), test::sample_flame("coral", 160, 20), 30);
  EXPECT_EQ(times_of(*film), (Times{0, 30, 60, 90}));
  EXPECT_EQ(film->keys[1].interpolation, Interpolation::smooth);
  EXPECT_EQ(film->keys[0].interpolation, Interpolation::linear);
}

// ---- beyond the keys ----

TEST(LiveFilm, beyond_its_keys_the_hand_sees_the_first_and_the_last_as_they_are) {
  const auto film = film_of({});
  for (const auto& [time, key] :
       {std::pair{61.0, 1}, {500.0, 1}, {-0.5, 0}, {-90.0, 0}, {60.0, 1}}) {
    Flame expected = film->keys[std::size_t(key)];
    expected.time = time;
    EXPECT_EQ(genome_xml(moment_of(*film, time)), genome_xml(expected)) << time;
  }
  Flame flame = moment_of(*film, 120);
  flame.gamma = 2;
  const auto edited = with_key(*film, flame, 120);
  EXPECT_EQ(times_of(*edited), (Times{0, 60, 120}));
  EXPECT_EQ(edited->keys[2].brightness, 8) << "it begins from the last key";
}

TEST(LiveFilm, tracks_go_on_beyond_the_keys_as_they_say) {
  Track track = track_of("gamma", {key_of(0, 3), key_of(20, 5)});
  track.ends = TrackEnds::cycle;
  const auto film = film_of({track, track_of("zoom", {key_of(0, 0), key_of(100, 1)})});
  EXPECT_EQ(moment_of(*film, 90).gamma, 4);
  EXPECT_EQ(moment_of(*film, 90).zoom, 0.9);
}

TEST(LiveFilm, frames_beyond_its_keys_stand_still_and_others_are_what_they_were) {
  std::vector<Flame> keys;
  for (int k = 0; k < 4; ++k) {
    keys.push_back(flame_of(20 * k, 4 + k * k));
    keys.back().interpolation = Interpolation::smooth;
  }
  const auto film = live_film(keys);
  EXPECT_EQ(held_film(film, 0, 60), film);
  const auto held = held_film(film, -30, 200);
  for (const double time : {-30.0, 61.0, 200.0}) {
    const double brightness = time < 0 ? 4 : 13;
    EXPECT_EQ(flame_at(held->keys, time).brightness, brightness) << time;
    const Frame frame = frame_at(held->keys, {int(time), time});
    frame.moving->visit([&](const Flame& flame) { EXPECT_EQ(flame.brightness, brightness); });
  }
  for (const double time : {0.0, 7.0, 20.0, 33.0, 50.0, 60.0})
    EXPECT_EQ(flame_at(held->keys, time).brightness, flame_at(film->keys, time).brightness) << time;
  // where one end alone is beyond them, too
  EXPECT_EQ(flame_at(held_film(film, -30, 50)->keys, -30).brightness, 4);
  EXPECT_EQ(flame_at(held_film(film, 10, 200)->keys, 200).brightness, 13);
  const auto many = live_film([&] {
    std::vector<Flame> most;
    for (std::size_t k = 0; k < LiveFilm::most_keys; ++k) most.push_back(flame_of(double(k), 4));
    return most;
  }());
  EXPECT_EQ(held_film(many, 0, 2000)->keys.size(), LiveFilm::most_keys + 2);
}

TEST(LiveFilm, behind_a_key_to_which_it_jumps_it_stands_still_by_itself) {
  std::vector<Flame> keys{flame_of(0, 4), flame_of(20, 5), flame_of(60, 13)};
  keys[1].easing = {EasingKind::hold, {}};
  const auto film = live_film(keys);
  EXPECT_EQ(held_film(film, 0, 200), film);
  for (const double time : {60.5, 100.0, 200.0})
    frame_at(film->keys, {int(time), time}).moving->visit([&](const Flame& flame) {
      EXPECT_EQ(flame.brightness, 13) << time;
    });
}

TEST(LiveFilm, of_frames_beyond_its_keys_is_copied_once) {
  const auto film = film_of({}), other = film_of({});
  HeldFilm holds;
  EXPECT_EQ(holds.of(film, 30, 30), film);
  const auto held = holds.of(film, 61, 61);
  EXPECT_EQ(flame_at(held->keys, 61).brightness, 8);
  EXPECT_EQ(holds.of(film, 120, 120), held);
  EXPECT_EQ(holds.of(film, 60, 60), film);
  EXPECT_EQ(holds.of(film, -5, -5), held);
  EXPECT_NE(holds.of(other, 61, 61), held);
  EXPECT_NE(holds.of(other, 61, 61), other);
}

/// Where a flame is tried that becomes no key the film is the same one all the time.
TEST(FlameHistory, a_film_that_many_steps_have_counts_once) {
  std::vector<Flame> keys;
  for (int k = 0; k < 200; ++k) keys.push_back(flame_of(2 * k, 4));
  const auto film = live_film(std::move(keys));
  constexpr int steps = 40;
  ASSERT_GT(steps * LiveFilm::weight * film->text.size(), FlameHistory::most_bytes);
  ASSERT_LT(2 * LiveFilm::weight * film->text.size(), FlameHistory::most_bytes);
  FlameHistory history(film->keys[0], {});
  history.see({film, 1, true});
  for (int i = 0; i < steps; ++i) {
    Flame flame = history.flame();
    flame.brightness = 5 + i;
    history.edit(std::move(flame), 0, false);
  }
  EXPECT_EQ(history.place().film, film);
  EXPECT_EQ(history.undo_steps(), steps);
}

TEST(LiveFlame, a_frame_beyond_the_keys_is_settled_with_the_flame_that_is_held) {
  FlameHistory history(flame_of(0, 4), {});
  history.see({film_of({}), 0, true});
  history.scrub(120);
  EXPECT_EQ(history.flame().brightness, 8);
  Flame page = history.flame();
  page.time = 7;  // a page does not say when an edit is, the hand does
  page.gamma = 2;
  history.edit(page, 0);
  EXPECT_EQ(times_of(*history.place().film), (Times{0, 60, 120}));
  EXPECT_EQ(history.flame().time, 120);
}

// ---- keys by which nothing moves ----

constexpr EasingKind ways[] = {EasingKind::linear,   EasingKind::hold,        EasingKind::ease_in,
                               EasingKind::ease_out, EasingKind::ease_in_out, EasingKind::curve};
const std::array<double, 4> curves[] = {
    {0.3, 0, 0.2, 1}, {0, 0.7, 1, -0.3}, {0.9, 0.1, 0.9, 1.4}, {0.75, 0, 0.25, 1}};

std::vector<Easing> splittable() {
  std::vector<Easing> all;
  for (const EasingKind kind : ways)
    if (kind != EasingKind::curve) all.push_back({kind, {}});
  for (const auto& curve : curves) all.push_back({EasingKind::curve, curve});
  return all;
}

TEST(Easings, halves_are_the_way_that_they_are_of) {
  for (const Easing& easing : splittable()) {
    for (const double share : {0.01, 0.25, 0.5, 0.83, 0.99}) {
      const auto [first, second] = halves(easing, share);
      const double middle = eased(easing, share);
      for (int i = 0; i <= 40; ++i) {
        const double t = i / 40.0;
        const std::string what = easing_text(easing) + " at " + std::to_string(share);
        EXPECT_NEAR(middle * eased(first, t), eased(easing, share * t), 1e-9) << what;
        if (t == 1) continue;  // a hold jumps
        EXPECT_NEAR(middle + (1 - middle) * eased(second, t),
                    eased(easing, share + (1 - share) * t), 1e-9)
            << what;
      }
      EXPECT_TRUE(easing_named(easing_text(first))) << "files can have it: " << easing_text(first);
      EXPECT_TRUE(easing_named(easing_text(second))) << easing_text(second);
    }
  }
}

TEST(Easings, halves_that_are_no_curves_can_be_written_too) {
  const Easing steep{EasingKind::curve, {1, 0, 0, 1}}, back{EasingKind::curve, {0.2, -40, 0.3, 60}};
  for (const Easing& easing : {steep, back, Easing{EasingKind::bounce, {}}}) {
    for (int i = 0; i <= 100; ++i) {
      const auto [first, second] = halves(easing, i / 100.0);
      EXPECT_TRUE(easing_named(easing_text(first))) << easing_text(first);
      EXPECT_TRUE(easing_named(easing_text(second))) << easing_text(second);
    }
  }
  EXPECT_EQ(halves({EasingKind::bounce, {}}, 0.5).second.kind, EasingKind::bounce);
}

TEST(LiveFilm, a_key_of_what_is_there_moves_nothing) {
  for (const Easing& easing : splittable()) {
    const auto film = film_of({}, easing);
    for (const double time : {15.0, 30.0, 52.0}) {
      const auto split = with_key(*film, time);
      ASSERT_EQ(times_of(*split), (Times{0, time, 60}));
      for (double t = 0; t < 60; t += 3.5)
        EXPECT_NEAR(moment_of(*split, t).brightness, moment_of(*film, t).brightness, 1e-8)
            << easing_text(easing) << ", key at " << time << ", seen at " << t;
    }
    EXPECT_EQ(times_of(*with_key(*film, 60)), (Times{0, 60})) << "one is there";
  }
}

/// A file with such a key could not be opened.
TEST(LiveFilm, no_key_has_what_no_flame_may_have) {
  const auto film = film_of({});
  const auto with = [&](double scale, int passes) {
    Flame flame = flame_at(film->keys, 30);
    flame.scale = scale;
    flame.passes = passes;
    return with_key(*film, flame, 30);
  };
  for (const auto& [scale, passes, name] :
       {std::tuple(-3.0, 1, "scale=\"-3\""), {0.0, 1, "scale=\"0\""}, {10.0, 0, "passes=\"0\""}})
    try {
      with(scale, passes);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input);
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  EXPECT_EQ(live_film(with(0.5, 1000)->text, {})->keys.at(1).scale, 0.5);
}

/// Nor by a link, whose number is what it is at each key.
TEST(LiveFilm, no_key_is_refused_by_what_its_numbers_are_together) {
  const auto film = film_of({});
  Flame flame = moment_of(*film, 0);
  flame.estimator_radius = 9;
  flame.links = {{"estimator_curve", "6 - brightness"}};
  try {
    with_key(*film, flame, 0);  // 2 here, -2 at the other key
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("the key at 60 would have estimator_radius=\"9\""),
              std::string::npos)
        << error.what();
  }
}

/// A flame may have such a color, a track of it may not.
TEST(LiveFilm, no_key_of_a_track_has_what_no_track_may_have) {
  std::vector<Flame> keys = {flame_of(0, 4), flame_of(60, 8)};
  keys[0].xforms[1].color = keys[1].xforms[1].color = 5;
  const auto film = live_film(keys);
  try {
    with_track_key(*film, 1, "color", -2);  // where the first key is seen as it is
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the key of color at -2 would be 5"),
              std::string::npos)
        << error.what();
  }
  EXPECT_EQ(with_track_key(*film, 0, "color", -2)->keys[0].tracks.size(), 1u);
}

TEST(LiveFilm, a_key_of_a_track_moves_nothing_of_it) {
  for (const Easing& easing : splittable()) {
    const auto film = film_of({track_of("gamma", {key_of(0, 2, easing), key_of(60, 6)})});
    const auto split = with_track_key(*film, track_of_flame, "gamma", 22);
    ASSERT_EQ(split->keys[0].tracks[0].keys.size(), 3u);
    for (double t = 0; t < 60; t += 3.5)
      EXPECT_NEAR(moment_of(*split, t).gamma, moment_of(*film, t).gamma, 1e-8)
          << easing_text(easing) << " at " << t;
  }
}

TEST(LiveFilm, a_key_between_two_has_the_way_that_goes_on) {
  for (const EasingKind kind : {EasingKind::hold, EasingKind::bounce}) {
    const auto film = film_of({}, {kind, {}});
    Flame flame = moment_of(*film, 30);
    flame.gamma = 2;
    const auto edited = with_key(*film, flame, 30);
    EXPECT_EQ(edited->keys[0].easing.kind, kind);
    EXPECT_EQ(edited->keys[1].easing.kind, kind);
    EXPECT_EQ(edited->keys[2].easing.kind, EasingKind::linear);
  }
  const auto film = film_of({});
  Flame flame = moment_of(*film, -10);
  flame.gamma = 2;
  EXPECT_EQ(with_key(*film, flame, -10)->keys[0].easing.kind, EasingKind::linear);
}

/// A key with one xform less follows nothing of the one that it has not got: a file that says so is refused.
TEST(LiveFilm, a_key_has_those_of_the_films_links_that_it_has_the_numbers_of) {
  std::vector<Flame> keys = {flame_of(0, 4), flame_of(60, 8)};
  const std::size_t count = keys[0].xforms.size();
  ASSERT_GE(count, 2u);
  keys[1].xforms.pop_back();
  const auto film = live_film(std::move(keys));
  Flame edited = moment_of(*film, 0);
  edited.links = {{"brightness", "2 + 3"},
                  {"xform" + std::to_string(count) + ".color", "xform1.color / 2"}};
  const auto linked = with_key(*film, edited, 0);
  ASSERT_EQ(linked->keys.size(), 2u);
  EXPECT_EQ(linked->keys[0].links, edited.links);
  EXPECT_EQ(linked->keys[1].links, std::vector{edited.links[0]});
  const auto again = live_film(linked->text, {});
  EXPECT_EQ(links_of(again->keys), edited.links);
  EXPECT_EQ(moment_of(*linked, 30).links, edited.links);
  Flame last = moment_of(*linked, 60);
  EXPECT_EQ(last.links, std::vector{edited.links[0]});
  last.gamma = 2;
  const auto changed = with_key(*linked, last, 60);
  EXPECT_EQ(links_of(changed->keys), edited.links) << "the other one stays where it is";
  last.links.clear();
  EXPECT_EQ(links_of(with_key(*changed, last, 60)->keys), std::vector{edited.links[1]}) << "cut";
}

TEST(LiveFilm, a_minimum_may_be_as_large_as_its_radius) {
  const auto film = film_of({});
  Flame flame = moment_of(*film, 0);
  flame.estimator_radius = flame.estimator_minimum = 9;
  flame.estimator_curve = 0.4;
  EXPECT_NO_THROW(with_key(*film, flame, 0));
  flame.estimator_minimum = 9.5;
  EXPECT_THROW(with_key(*film, flame, 0), Error);
}

}  // namespace
}  // namespace kiln
