// SPDX-License-Identifier: MIT
// Songs: what is heard in those that are made here, whose beats and bands are known.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/io/file/input_file.h"
#include "engine/sound/song.h"
#include "engine/sound/tracks.h"
#include "tests/unit/made_songs.h"

namespace kiln {
namespace {

using namespace test;

double furthest(const std::vector<double>& these, const std::vector<double>& those) {
  double most = 0;
  for (const double t : these) {
    double nearest = 1e9;
    for (const double other : those) nearest = std::min(nearest, std::fabs(other - t));
    most = std::max(most, nearest);
  }
  return most;
}

TEST(Sound, beats_of_ten_songs_are_within_20_ms) {
  for (const KnownSong& known : ten_songs()) {
    const Song song(known.samples);
    const std::vector<double>& found = song.rhythm().beats;
    EXPECT_EQ(found.size(), known.beats.size()) << known.name;
    EXPECT_LT(furthest(known.beats, found), 0.02) << known.name << ": a beat is not heard";
    EXPECT_LT(furthest(found, known.beats), 0.02) << known.name << ": a beat is none";
    EXPECT_NEAR(song.rhythm().bpm, known.bpm, known.bpm * 0.03) << known.name;
    std::printf("%-22s beats %3zu of %3zu, missed by %5.1f ms, wrong by %5.1f ms, tempo %6.2f (%6.2f to %6.2f)\n",
                known.name.c_str(), found.size(), known.beats.size(), 1e3 * furthest(known.beats, found),
                1e3 * furthest(found, known.beats), song.rhythm().bpm, song.rhythm().least_bpm,
                song.rhythm().most_bpm);
  }
}

}  // namespace
}  // namespace kiln
