// SPDX-License-Identifier: MIT
// Films: key flames with easings and tracks, the moments and sequences that they make, and what a hand on a
// page's timeline makes of them. The first line says what is done: its bytes are numbers. What the reader takes
// must be written as it was, and be played or refused.
#include <algorithm>
#include <cmath>

#include "engine/animation/film.h"
#include "engine/animation/frame_at.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/live/live_film.h"
#include "tests/fuzz/fuzz.h"

using namespace kiln;

namespace {

void check_round_trip(const Flame& flame) {
  ReaderOptions options;
  options.strict = true;
  const std::string written = genome_xml(flame);
  fuzz::answered([&] {
    const Flame again = parse_flames(written, "written", options).flames.at(0);
    fuzz::expect(again.tracks.size() == flame.tracks.size(), "all tracks are written", written);
    fuzz::expect(genome_xml(again) ==
                     genome_xml(parse_flames(genome_xml(again), "twice", options).flames.at(0)),
                 "a written film reads back as itself", written);
  });
}

void check_moment(const Flame& flame) {
  fuzz::expect(std::isfinite(flame.time), "a time is finite");
  for (const Xform& xform : flame.xforms)
    fuzz::expect(!std::isnan(xform.weight) && !std::isnan(xform.coefs.a),
                 "numbers of a moment are numbers");
}

/// Easings by name and by numbers, as a sequence has them.
const char* easing(std::uint8_t which) {
  constexpr const char* all[] = {"",        "ease-in", "bounce", "hold", "0.4 0 0.2 1",
                                 "steps 3", "elastic", "?"};
  return all[which % std::size(all)];
}

void play_sequences(const std::vector<Flame>& keys, fuzz::Input& how) {
  SequenceOptions options;
  options.nframes = 1 + how.byte() % 5;
  options.loops = how.byte() % 3;
  options.stagger = how.byte() / 255.0;
  options.hold = how.byte() % 4 * 0.5;
  options.part_frames = how.byte() % 8 * 0.7;
  options.easing = easing(how.byte());
  fuzz::answered([&] {
    for (const Flame& flame : make_sequence(keys, options)) check_moment(flame);
  });
  fuzz::answered([&] {
    const std::vector<Flame> loop = loop_flames(keys, options);
    fuzz::expect(!loop.empty(), "a loop has frames");
    for (const Flame& flame : loop) check_moment(flame);
  });
}

/// Whether files may have all that the keys have: what a reader only warns of, it refuses if it is strict. Nor do numbers at
/// its limit, which turn a last digit further when they are written by their angle.
bool are_strict(const std::vector<Flame>& keys) {
  ReaderOptions options;
  options.strict = true;
  for (const Flame& key : keys)
    for (const Xform& xform : key.xforms)
      for (const double coef : {xform.coefs.a, xform.coefs.b, xform.coefs.c, xform.coefs.d,
                                xform.coefs.e, xform.coefs.f})
        if (std::abs(coef) > 1e30) return false;
  return fuzz::answered([&] { parse_flames(live_film(keys)->text, "keys", options); });
}

void move_hand(const std::vector<Flame>& keys, fuzz::Input& how) {
  if (!are_strict(keys)) return;
  fuzz::answered([&] {
    auto film = live_film(keys);
    for (int i = 0; i < 4; ++i) {
      const double time = how.byte() / 8.0 - 8;
      const Flame seen = flame_at(film->keys, time);
      check_moment(seen);
      constexpr const char* names[] = {"zoom", "rotate", "weight", "turn", "x",
                                       "y",    "color",  "clean",  "?"};
      const std::uint8_t what = how.byte();
      fuzz::answered([&] {
        film = what % 2 ? with_key(*film, seen, time)
                        : with_track_key(*film, what / 2 % 4 - 1,
                                         names[what / 8 % std::size(names)], time);
      });
      for (std::size_t k = 1; k < film->keys.size(); ++k)
        fuzz::expect(film->keys[k - 1].time < film->keys[k].time, "keys of a film rise",
                     film->text);
    }
    ReaderOptions options;
    options.strict = true;
    fuzz::expect(fuzz::answered([&] { live_film(film->text, options); }),
                 "the text of a film is a film", film->text);
  });
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::string_view line = input.line();
  fuzz::Input how(reinterpret_cast<const std::uint8_t*>(line.data()), line.size());
  ReaderOptions reading;
  reading.palettes_file = "/nowhere";
  reading.approximate = true;
  reading.warn = [](const std::string&) {};
  std::vector<Flame> keys;
  if (!fuzz::answered([&] { keys = parse_flames(input.rest(), "fuzz", reading).flames; })) return 0;
  keys.resize(std::min<std::size_t>(keys.size(), 4));
  for (Flame& key : keys) {
    if (key.xforms.size() > 40 || key.tracks.size() > 40) return 0;
    key.width = std::min(key.width, 64);
    key.height = std::min(key.height, 64);
    check_round_trip(key);
  }
  for (int i = 0; i < 4; ++i) {
    const double time = how.byte() / 8.0 - 8;
    fuzz::answered([&] { check_moment(flame_at(keys, time)); });
  }
  const bool rises = std::is_sorted(keys.begin(), keys.end(),
                                    [](const Flame& a, const Flame& b) { return a.time < b.time; });
  if (rises)
    fuzz::answered(
        [&] { fuzz::expect(film_end(keys) >= keys.at(0).time, "a film ends after it begins"); });
  play_sequences(keys, how);
  move_hand(keys, how);
  return 0;
}
