// SPDX-License-Identifier: MIT
// Songs: what is heard in those that are made here, whose beats and bands are known.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/base/platform/process.h"
#include "engine/io/file/input_file.h"
#include "engine/sound/song.h"
#include "engine/sound/tracks.h"
#include "tests/cli/program.h"
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
    std::printf(
        "%-22s beats %3zu of %3zu, missed by %5.1f ms, wrong by %5.1f ms, tempo %6.2f (%6.2f to "
        "%6.2f)\n",
        known.name.c_str(), found.size(), known.beats.size(), 1e3 * furthest(known.beats, found),
        1e3 * furthest(found, known.beats), song.rhythm().bpm, song.rhythm().least_bpm,
        song.rhythm().most_bpm);
  }
}

SongSamples drums(double seconds = 10) {
  MadeSong song(seconds);
  for (int beat = 0; 0.5 * beat + 0.5 < seconds; ++beat)
    song.kick(0.25 + 0.5 * beat, beat % 4 == 0 ? 0.9 : 0.6);
  return song.samples();
}

/// The largest difference of a series from a value between two times.
double off(const Song& song, SoundPart part, double begin, double end, double wanted) {
  const std::vector<double> levels = song.levels(part);
  double most = 0;
  for (auto i = std::size_t(begin * band_rate); i < std::size_t(end * band_rate); ++i)
    most = std::max(most, std::fabs(levels[i] - wanted));
  return most;
}

/// All that a song gives, as text: another machine must say the same.
std::string digest_of(const Song& song) {
  std::string all;
  for (const SoundPart part : {SoundPart::loudness, SoundPart::bass, SoundPart::low, SoundPart::mid,
                               SoundPart::high, SoundPart::centroid, SoundPart::beat}) {
    SoundDrive drive;
    drive.part = part;
    for (const float value : song.course(drive, 4)->values)
      all.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  for (const double beat : song.rhythm().beats)
    all.append(reinterpret_cast<const char*>(&beat), sizeof beat);
  return bytes_hash(all);
}

TEST(Sound, numbers_are_the_same_on_every_machine) {
  MadeSong made(6, 22050);
  for (int beat = 0; beat < 11; ++beat) made.kick(0.25 + 0.5 * beat);
  made.tone(1, 3, 440, 0.2);
  made.hiss(0.01);
  const SongSamples samples = made.samples();
  const std::string bytes = wav_of(samples);
  EXPECT_EQ(bytes_hash(bytes), "b1db5aa2b650317cf296d43abf2409436ff074e6e840481c50ab6284da391ec6");
  EXPECT_EQ(digest_of(Song(samples)),
            "88885690f468e0b0ce1fc2f0f2e3ab5b601324af636041e947ebf36d106dcbdb");
}

TEST(Sound, tones_are_in_their_bands) {
  MadeSong made(8);
  made.tone(0, 2, 60, 0.5);
  made.tone(2, 2, 300, 0.5);
  made.tone(4, 2, 1000, 0.5);
  made.tone(6, 2, 5000, 0.5);
  const Song song(made.samples());
  const SoundPart parts[] = {SoundPart::bass, SoundPart::low, SoundPart::mid, SoundPart::high};
  for (int part = 0; part < 4; ++part)
    for (int tone = 0; tone < 4; ++tone)
      EXPECT_LT(off(song, parts[part], 2 * tone + 0.2, 2 * tone + 1.8, part == tone ? 1 : 0), 0.1)
          << part << " " << tone;
  EXPECT_LT(off(song, SoundPart::loudness, 0.2, 7.8, 1), 0.15);
  const std::vector<double> own = song.band_levels(800, 1300);
  EXPECT_GT(own[500], 0.95);
  EXPECT_LT(own[300], 0.1);
  EXPECT_NEAR(song.centroids()[500], 1000, 60);
  EXPECT_NEAR(song.centroids()[700], 5000, 300);
  EXPECT_TRUE(song.rhythm().beats.empty());
  EXPECT_EQ(song.rhythm().bpm, 0);
}

TEST(Sound, silence_is_silent) {
  MadeSong made(4);
  made.tone(1, 1, 500, 0.5);
  const Song song(made.samples());
  EXPECT_EQ(off(song, SoundPart::silence, 0, 0.9, 1), 0);
  EXPECT_EQ(off(song, SoundPart::silence, 1.1, 1.9, 0), 0);
  EXPECT_EQ(off(song, SoundPart::silence, 2.1, 4, 1), 0);
  EXPECT_LT(off(song, SoundPart::high, 1.2, 1.8, 0), 0.2);
  const Song nothing(MadeSong(1).samples());
  EXPECT_EQ(off(nothing, SoundPart::loudness, 0, 1, 0), 0);
  EXPECT_TRUE(nothing.rhythm().onsets.empty());
  EXPECT_TRUE(nothing.loudest(3, 1).empty());
  SongSamples one;
  one.mono = {1000};
  EXPECT_NEAR(Song(one).seconds(), 1.0 / 44100, 1e-9);
}

TEST(Sound, bars_begin_where_the_drum_is_loudest) {
  MadeSong made(12);
  for (int beat = 0; beat < 23; ++beat) made.kick(0.25 + 0.5 * beat, beat % 4 == 2 ? 0.9 : 0.4);
  const Song song(made.samples());
  const std::vector<double> bars = song.bars(4);
  ASSERT_EQ(bars.size(), 6u);
  EXPECT_NEAR(bars[0], 1.25, 0.02);
  EXPECT_NEAR(bars[1], 3.25, 0.02);
  EXPECT_GE(song.bars(3).size(), 7u);
  EXPECT_EQ(song.bars(1), song.rhythm().beats);
}

/// Where no beat is louder than the others the song's first one begins a bar.
TEST(Sound, bars_of_even_beats_begin_with_the_first) {
  MadeSong made(12);
  for (int beat = 0; beat < 23; ++beat) made.kick(0.25 + 0.5 * beat, 0.6);
  const Song song(made.samples());
  for (const int beats : {2, 3, 4, 7})
    EXPECT_EQ(song.bars(beats)[0], song.rhythm().beats[0]) << beats;
}

TEST(Sound, loudest_moments_come_first) {
  MadeSong made(9);
  made.tone(0, 9, 200, 0.05);
  made.tone(2, 0.5, 200, 0.3);
  made.tone(6, 0.5, 200, 0.7);
  const std::vector<double> loud = Song(made.samples()).loudest(2, 1);
  ASSERT_EQ(loud.size(), 2u);
  EXPECT_NEAR(loud[0], 6.25, 0.3);
  EXPECT_NEAR(loud[1], 2.25, 0.3);
}

SoundDrive drive_of(SoundPart part, SoundEvent each = SoundEvent::none,
                    SoundShape shape = SoundShape::decay) {
  SoundDrive drive;
  drive.part = part;
  drive.each = each;
  drive.shape = shape;
  return drive;
}

TEST(Sound, drives_fall_stay_and_go_in_steps) {
  const Song song(drums());
  SoundDrive decay = drive_of(SoundPart::beat);
  decay.release_s = 0.1;
  const auto falls = song.course(decay, 4);
  EXPECT_NEAR(falls->at(1.26), 0.95, 0.06);
  EXPECT_NEAR(falls->at(1.35), std::exp(-1.0), 0.05);
  EXPECT_LT(falls->at(1.7), 0.02);
  EXPECT_EQ(falls->at(-1), 0);
  EXPECT_EQ(falls->at(1000), 0);

  SoundDrive steps = drive_of(SoundPart::beat, SoundEvent::none, SoundShape::steps);
  const auto counts = song.course(steps, 4);
  EXPECT_EQ(counts->at(0.1), 0);
  EXPECT_EQ(counts->at(0.5), 1);
  EXPECT_EQ(counts->at(1.0), 2);
  EXPECT_EQ(counts->at(1000), double(song.rhythm().beats.size()));
  steps.attack_s = 0.2;
  EXPECT_NEAR(song.course(steps, 4)->at(0.35), 0.5, 0.08);

  // held: the level of the beat until the next; the first of four is louder
  const auto held = song.course(drive_of(SoundPart::bass, SoundEvent::beat, SoundShape::held), 4);
  EXPECT_NEAR(held->at(0.4), held->at(0.7), 1e-6);
  EXPECT_GT(held->at(0.4), held->at(0.9) + 0.1);
  SoundDrive loud = drive_of(SoundPart::bass, SoundEvent::beat, SoundShape::steps);
  loud.threshold = 0.93;
  EXPECT_EQ(song.course(loud, 4)->at(1000), 5);  // each fourth

  // a beat that stays below the threshold takes the level back
  SoundDrive some = drive_of(SoundPart::bass, SoundEvent::beat, SoundShape::held);
  some.threshold = 0.93;
  EXPECT_GT(song.course(some, 4)->at(0.4), 0.1);
  EXPECT_EQ(song.course(some, 4)->at(0.9), 0);
  EXPECT_GT(song.course(some, 4)->at(2.4), 0.1);

  // a level that is followed, and what is below a threshold
  SoundDrive bass = drive_of(SoundPart::bass);
  const auto follows = song.course(bass, 4);
  EXPECT_GT(follows->at(0.3), 0.8);
  EXPECT_LT(follows->at(0.72), 0.4);
  bass.threshold = 0.5;
  EXPECT_LT(song.course(bass, 4)->at(0.72), follows->at(0.72));
  bass.release_s = 2;
  EXPECT_GT(song.course(bass, 4)->at(0.72), 0.5);
  EXPECT_EQ(song.course(bass, 4), song.course(bass, 4)) << "made once";
  EXPECT_EQ(song.course(drive_of(SoundPart::bar), 4)->values.size(), follows->values.size() + 80);
}

TEST(Sound, a_minute_takes_less_than_a_third_of_its_share) {
  MadeSong made(60);
  for (int beat = 0; beat < 119; ++beat) made.kick(0.25 + 0.5 * beat);
  const SongSamples samples = made.samples();
  const double begin = thread_seconds();
  const Song song(samples);
  for (const SoundPart part :
       {SoundPart::loudness, SoundPart::bass, SoundPart::high, SoundPart::beat})
    song.course(drive_of(part), 4);
  EXPECT_LT(thread_seconds() - begin, 5.0 / 3);  // 3 minutes: 5 s
}

TEST(Sound, wav_is_read_whatever_its_channels_and_never_beyond_its_end) {
  const SongSamples samples = drums(0.5);
  for (int channels : {1, 2, 6}) {
    const std::string wav = wav_of(samples, channels);
    const SongSamples again = samples_of_wav(wav, "song");
    EXPECT_EQ(again.rate, samples.rate);
    EXPECT_TRUE(again.mono == samples.mono) << channels;
    for (std::size_t size : {0u, 3u, 11u, 12u, 20u, 30u, 43u})
      EXPECT_THROW(samples_of_wav(wav.substr(0, size), "song"), Error) << size;
    EXPECT_LE(samples_of_wav(wav.substr(0, 1001), "song").mono.size(), 479u);
  }
  std::string pipe = wav_of(samples);
  for (int i = 40; i < 44; ++i) pipe[std::size_t(i)] = char(255);  // its length is not known
  EXPECT_TRUE(samples_of_wav(pipe, "song").mono == samples.mono);
  // any byte of the head changed: samples or a message
  for (std::size_t at = 0; at < 44; ++at)
    for (int value : {0, 1, 127, 255}) {
      std::string odd = wav_of(drums(0.01));
      odd[at] = char(value);
      try {
        samples_of_wav(odd, "song");
      } catch (const Error& error) {
        EXPECT_EQ(error.kind, ErrorKind::input);
      }
    }
}

TEST(Sound, channels_that_differ_are_heard_as_their_mean) {
  SongSamples samples;
  samples.rate = 44100;
  samples.mono = {1000, -2000, 30000};
  std::string wav = wav_of(samples, 2);
  for (std::size_t i = 0; i < 3; ++i)
    wav[44 + 4 * i + 2] = wav[44 + 4 * i + 3] = 0;  // the right one
  EXPECT_EQ(samples_of_wav(wav, "song").mono, (std::vector<std::int16_t>{500, -1000, 15000}));
}

/// Parts of a WAV file begin at even places, whatever their length.
TEST(Sound, what_else_a_wav_says_is_skipped) {
  const SongSamples samples = drums(0.1);
  for (const std::size_t size : {0u, 3u, 4u}) {
    std::string wav = wav_of(samples);
    wav.insert(12, "LIST" + std::string{char(size), 0, 0, 0} + std::string(size + size % 2, 'x'));
    EXPECT_TRUE(samples_of_wav(wav, "song").mono == samples.mono) << size;
  }
  const std::string wav = wav_of(samples);
  EXPECT_TRUE(samples_of_wav(wav + "LIST" + std::string(40, '\1'), "song").mono == samples.mono);
}

/// A program that runs for long hears what lies there now.
TEST(Sound, a_song_that_was_replaced_is_heard_anew) {
  const ScratchFolder folder;
  const std::string path = folder / "song.wav";
  const auto put = [&](std::int16_t level, int seconds) {
    SongSamples samples;
    samples.rate = 44100;
    samples.mono.assign(22050, level);
    write_file(path, wav_of(samples));
    const auto time = std::filesystem::file_time_type::clock::now() - std::chrono::seconds(seconds);
    std::filesystem::last_write_time(path, time);
    return bytes_hash(wav_of(samples));
  };
  if (!has_program("ffmpeg")) GTEST_SKIP() << "no ffmpeg";
  const std::string first = put(100, 90);
  const auto song = hear(path);
  EXPECT_EQ(song->sha256(), first);
  EXPECT_EQ(hear(path), song) << "twice";
  const std::string second = put(200, 50);  // of the same size
  EXPECT_EQ(hear(path)->sha256(), second);
}

TEST(Sound, tables_have_a_row_for_each_frame) {
  const Song song(drums());
  ListenOptions options;
  options.fps = 25;
  const SongTracks tracks = tracks_of(song, options);
  EXPECT_EQ(tracks.frames, 250);
  EXPECT_EQ(tracks.columns.size(), 11u);
  double beats = 0;
  for (const auto& [name, values] : tracks.columns) {
    EXPECT_EQ(values.size(), 250u) << name;
    if (name == "beat")
      for (const float one : values) beats += double(one);
  }
  EXPECT_EQ(beats, double(tracks.beats.size()));
  for (const double fps : {0.0, -1.0, 1e9, std::nan("")}) {
    options.fps = fps;
    EXPECT_THROW(tracks_of(song, options), Error) << fps;
  }
}

}  // namespace
}  // namespace kiln
