// SPDX-License-Identifier: MIT
// The digests by which --resume knows a frame: each thing that decides its pixels, alone.
#include <gtest/gtest.h>

#include "engine/animation/frame_manifest.h"

namespace kiln {
namespace {

std::vector<Flame> keys() {
  std::vector<Flame> two(2);
  two[1].time = 10;
  return two;
}

TEST(frame_record, every_key_and_option_is_in_the_digest) {
  const std::string usual = animation_digest(keys(), {});
  EXPECT_EQ(animation_digest(keys(), {}), usual);
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<Flame> changed = keys();
    changed[i].brightness = 5;
    EXPECT_NE(animation_digest(changed, {}), usual) << i;
  }
  EXPECT_NE(animation_digest(std::vector{keys()[0]}, {}), usual);
  RenderOptions options;
  options.seed = 1;
  EXPECT_NE(animation_digest(keys(), options), usual);
  options = {};
  options.bits = 16;
  EXPECT_NE(animation_digest(keys(), options), usual);
}

TEST(frame_record, a_song_is_known_by_its_bytes_wherever_it_lies) {
  std::vector<Flame> with_song = keys();
  FilmSound& sound = with_song[0].sound.emplace();
  sound.file = "song.wav";
  sound.sha256 = std::string(64, '1');
  const std::string usual = animation_digest(with_song, {});
  EXPECT_NE(animation_digest(keys(), {}), usual);
  sound.file = "/music/song.wav";
  EXPECT_EQ(animation_digest(with_song, {}), usual);
  sound.sha256 = std::string(64, '2');
  EXPECT_NE(animation_digest(with_song, {}), usual);
}

TEST(frame_record, a_frames_number_and_time_are_in_its_digest) {
  const std::string all = animation_digest(keys(), {});
  const std::string usual = frame_digest(all, {3, 1.5});
  EXPECT_EQ(frame_digest(all, {3, 1.5}), usual);
  EXPECT_NE(frame_digest(all, {4, 1.5}), usual);
  EXPECT_NE(frame_digest(all, {3, 1.25}), usual);
  EXPECT_NE(frame_digest(animation_digest(std::vector{keys()[0]}, {}), {3, 1.5}), usual);
}

}  // namespace
}  // namespace kiln
