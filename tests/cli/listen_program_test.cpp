// SPDX-License-Identifier: MIT
// kiln listen and films with a song from outside: what they say, tables, one set of frames however a film is made, and
// what is no song.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>

#include "engine/api/kiln.h"
#include "engine/api/kiln_c.h"
#include "engine/io/file/input_file.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/picture_format.h"
#include "engine/sound/samples.h"
#include "tests/cli/program.h"
#include "tests/unit/made_songs.h"

namespace kiln {
namespace {

using namespace test;
using Names = std::vector<std::string>;

std::string drums(double seconds = 4) {
  MadeSong made(seconds, 22050);
  for (int beat = 0; 0.5 * beat + 0.4 < seconds; ++beat)
    made.kick(0.25 + 0.5 * beat, beat % 4 == 0 ? 0.9 : 0.5);
  return wav_of(made.samples(), 2);
}

class listen_program : public testing::Test {
 protected:
  listen_program() { write_file(folder / "song.wav", drums()); }
  void SetUp() override {
    if (!has_program("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed (Debian: ffmpeg)";
  }
  Outcome kiln(const Names& arguments, const std::string& programs = "") const {
    const auto prepare = [&] {
      if (!programs.empty()) setenv("PATH", programs.c_str(), 1);
    };
    return run_program(arguments, {folder.path(), "", {}, prepare});
  }
  /// The message of a run that fails with this code.
  std::string failure(int code, const Names& arguments, const std::string& programs = "") const {
    const Outcome outcome = kiln(arguments, programs);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  }
  void done(const Names& arguments) const {
    const Outcome outcome = kiln(arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  void make_film(const std::string& sound = "<kiln_sound file=\"song.wav\" fps=\"10\"/>") const {
    write_file(
        folder / "film.flam3",
        triangle(
            "temporal_samples=\"3\"",
            sound +
                "<kiln_track name=\"zoom\" sound=\"bass\" from=\"0\" to=\"0.6\" release=\"0.3\"/>"
                "<kiln_track xform=\"1\" name=\"turn\" sound=\"beat\" shape=\"steps\" from=\"0\" "
                "to=\"30\" "
                "attack=\"0.1\"/>"));
  }
  void animate(const std::string& input, const std::string& output, Names more = {}) const {
    more.insert(more.begin(), {"animate", input, "--backend", "cpu", "-q", "-o", output});
    done(more);
  }
  std::string bytes(const std::string& name) const { return read_file(folder / name); }
  Bytes pixels(const std::string& name) const { return read_picture(folder / name).pixels8(); }

  ScratchFolder folder;
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST_F(listen_program, says_what_it_hears_and_writes_tables) {
  const Outcome lines = kiln({"listen", "song.wav"});
  EXPECT_EQ(lines.code, 0) << lines.err;
  EXPECT_TRUE(has(lines.out, "song.wav: 0:04.00, 4.00 s, 120 frames at 30 a second")) << lines.out;
  EXPECT_TRUE(has(lines.out, "120.0") && has(lines.out, "8 beats, the first at 0.25 s, 2 bars"))
      << lines.out;
  EXPECT_TRUE(has(lines.out, bytes_hash(bytes("song.wav"))));
  const Outcome json = kiln({"listen", "song.wav", "--json"});
  EXPECT_TRUE(has(json.out, "\"frames\":120") && has(json.out, "\"beats\":[0.25")) << json.out;
  for (const char* table : {"t.csv", "t.json", "t.xml"})
    done({"listen", "song.wav", "-o", table, "--fps", "25"});
  const std::string csv = bytes("t.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 101);
  EXPECT_EQ(csv.find("frame,seconds,loudness,bass,low,mid,high,centroid,silence,centroid_hz,onset,"
                     "beat,bar\n0,0,"),
            0u);
  EXPECT_TRUE(has(bytes("t.json"), "\"tracks\":{\"loudness\":[0"));
  EXPECT_TRUE(has(bytes("t.xml"), "<track name=\"bass\">0"));
  done({"listen", "song.wav", "-o", "t.csv", "--fps", "25"});
  EXPECT_TRUE(bytes("t.csv") == csv);
}

/// A clock has no minute of 60 seconds.
TEST_F(listen_program, almost_a_minute_is_one) {
  MadeSong made(59.998, 8000);
  made.tone(59, 0.99, 440, 0.5);
  write_file(folder / "minute.wav", wav_of(made.samples()));
  const Outcome lines = kiln({"listen", "minute.wav"});
  EXPECT_EQ(lines.code, 0) << lines.err;
  EXPECT_TRUE(has(lines.out, "minute.wav: 1:00.00, 60.00 s")) << lines.out;
  EXPECT_TRUE(has(lines.out, "loudest at 0:59.")) << lines.out;
}

TEST_F(listen_program, a_film_has_the_same_frames_whole_in_chunks_resumed_and_converted) {
  make_film();
  animate("film.flam3", "whole-##.png", {"--manifest", "frames.tsv"});
  EXPECT_TRUE(std::filesystem::exists(folder / "whole-39.png") &&
              !std::filesystem::exists(folder / "whole-40.png"));
  for (const char* chunk : {"1/3", "2/3", "3/3"})
    animate("film.flam3", "chunk-##.png", {"--chunk", chunk, "--threads", "1"});
  animate("film.flam3", "part-##.png", {"--begin", "12", "--end", "20"});
  for (int frame = 0; frame < 40; ++frame) {
    const std::string number = fmt::format("{:02}.png", frame);
    EXPECT_TRUE(bytes("chunk-" + number) == bytes("whole-" + number)) << frame;
    if (frame >= 12 && frame <= 20) {
      EXPECT_TRUE(bytes("part-" + number) == bytes("whole-" + number)) << frame;
    }
  }
  EXPECT_FALSE(pixels("whole-02.png") == pixels("whole-03.png")) << "a beat is at 0.25 s";
  done({"check", "--manifest", "frames.tsv", "--render", "0.1", "--backend", "cpu"});
  // resumed: what is whole is kept, and with another song all is made anew
  const std::string seventh = bytes("whole-07.png");
  write_file(folder / "whole-07.png", seventh.substr(0, 90));
  const Outcome resumed = kiln(
      {"animate", "film.flam3", "--backend", "cpu", "-o", "whole-##.png", "--resume", "--json"});
  EXPECT_TRUE(has(resumed.out, "\"kept\":39")) << resumed.out << resumed.err;
  EXPECT_TRUE(bytes("whole-07.png") == seventh);
  done({"convert", "film.flam3", "-o", "again.flam3"});
  animate("again.flam3", "again-##.png", {"--frames", "7"});
  EXPECT_TRUE(pixels("again-07.png") == pixels("whole-07.png"));
  // as key flames it needs no song
  done({"sequence", "film.flam3", "--in-betweens", "--begin", "0", "--end", "39", "-o",
        "baked.flam3"});
  animate("film.flam3", "still-##.png", {"--frames", "7", "--temporal-samples", "1"});
  animate("baked.flam3", "baked-##.png", {"--frames", "7", "--temporal-samples", "1"});
  EXPECT_TRUE(pixels("baked-07.png") == pixels("still-07.png"));
  EXPECT_FALSE(has(bytes("baked.flam3"), "kiln_"));
  write_file(folder / "song.wav", drums(4.1));
  const Outcome other = kiln(
      {"animate", "film.flam3", "--backend", "cpu", "-o", "whole-##.png", "--resume", "--json"});
  EXPECT_EQ(other.code, 0) << other.err;
  EXPECT_FALSE(has(other.out, "\"kept\":"))
      << "frames of the song before are no frames of this one";
}

TEST_F(listen_program, a_film_says_when_its_song_is_another_or_gone) {
  make_film("<kiln_sound file=\"song.wav\" sha256=\"" + bytes_hash(drums()) + "\" fps=\"10\"/>");
  animate("film.flam3", "a-##.png", {"--frames", "7"});
  write_file(folder / "song.wav", drums(4.2));
  const Names frames = {"animate", "film.flam3", "--backend", "cpu", "-o", "b-##.png"};
  EXPECT_TRUE(has(failure(3, frames), "another song lies there"));
  std::filesystem::remove(folder / "song.wav");
  const std::string gone = failure(3, frames);
  EXPECT_TRUE(has(gone, "film.flam3:") && has(gone, "song.wav: cannot be opened: No such file"))
      << gone;
  failure(3, {"sequence", "film.flam3", "--in-betweens", "-o", "x.flam3"});
  write_file(folder / "song.wav", drums());
  for (const char* start : {"4", "9"}) {
    make_film(std::string("<kiln_sound file=\"song.wav\" fps=\"10\" start=\"") + start + "\"/>");
    EXPECT_TRUE(has(failure(3, frames), "the song ends at 4 s")) << start;
  }
  std::filesystem::remove(folder / "song.wav");
  make_film("<kiln_sound file=\"song.wav\" sha256=\"" + bytes_hash(drums()) + "\" fps=\"10\"/>");
  // nothing is needed of it where the file is only looked at
  const Outcome info = kiln({"info", "film.flam3"});
  EXPECT_EQ(info.code, 0);
  EXPECT_TRUE(has(info.out, "song: song.wav, 10 units of time a second; it is not there"))
      << info.out;
  EXPECT_TRUE(has(info.out, "track of zoom: driven by bass of the song")) << info.out;
  const Outcome json = kiln({"info", "film.flam3", "--json"});
  EXPECT_TRUE(has(json.out, "\"is_there\":false") && has(json.out, "\"sound\":\"bass\""))
      << json.out;
  done({"validate", "film.flam3"});
  done({"convert", "film.flam3", "-o", "kept.flam3"});
  EXPECT_TRUE(has(bytes("kept.flam3"), "<kiln_sound file=\"song.wav\" sha256=\""));
  EXPECT_TRUE(has(bytes("kept.flam3"), "sound=\"bass\""));
  done({"render", "film.flam3", "-o", "still.png", "--backend", "cpu", "-q"});
  done({"genome", "clone", "film.flam3", "-o", "genome.flam3"});
  done({"sheet", "film.flam3", "-o", "sheet.png", "--size", "24x24", "--quality", "2"});
  done({"mutate", "film.flam3", "-o", "mutants.flam3", "--count", "1"});
  EXPECT_FALSE(has(bytes("mutants.flam3"), "kiln_sound"));
  EXPECT_EQ(kiln({"find", "xforms=3", "film.flam3"}).code, 0);
}

TEST_F(listen_program, drives_write_a_film_that_needs_no_song) {
  write_file(folder / "keys.flam3", triangle("temporal_samples=\"3\""));
  const Names drives = {"--drive", "zoom=bass,0..0.6,release=0.3", "--drive",
                        "xform.1.turn=beat,0..30,shape=steps,attack=0.1"};
  const auto listen = [&](const std::string& output, Names more) {
    more.insert(more.begin(),
                {"listen", "song.wav", "--fps", "10", "--film", "keys.flam3", "-o", output});
    more.insert(more.end(), drives.begin(), drives.end());
    done(more);
  };
  listen("keyed.flam3", {});
  std::filesystem::create_directory(folder / "deep");
  listen("deep/live.flam3", {"--live"});
  EXPECT_FALSE(has(bytes("keyed.flam3"), "sound"));
  EXPECT_TRUE(has(bytes("deep/live.flam3"), "<kiln_sound file=\"../song.wav\" sha256=\""))
      << bytes("deep/live.flam3");
  // a film that begins before the song's second 0, and keys at other times than 0
  write_file(folder / "keys.flam3",
             "<film>" + triangle("time=\"-12\"") + triangle("time=\"8\"") + "</film>");
  listen("early.flam3", {"--start", "2"});
  listen("early-live.flam3", {"--start", "2", "--live"});
  for (const char* film : {"early", "early-live"})
    animate(std::string(film) + ".flam3", std::string(film) + "/#.png",
            {"--temporal-samples", "1"});
  EXPECT_TRUE(pixels("early/-3.png") == pixels("early-live/-3.png"));
  EXPECT_FALSE(pixels("early/-12.png") == pixels("early/-3.png"));
  write_file(folder / "keys.flam3", triangle("temporal_samples=\"3\""));
  const Names one = {"--temporal-samples", "1", "--end", "38"};
  animate("keyed.flam3", "keyed-##.png", one);
  animate("deep/live.flam3", "live-##.png", one);
  make_film();
  animate("film.flam3", "film-##.png", one);
  for (int frame = 0; frame < 39; frame += 3) {
    const std::string number = fmt::format("{:02}.png", frame);
    EXPECT_TRUE(pixels("keyed-" + number) == pixels("film-" + number)) << frame;
    EXPECT_TRUE(pixels("live-" + number) == pixels("film-" + number)) << frame;
  }
  const auto refused = [&](const std::string& drive) {
    return failure(
        2, {"listen", "song.wav", "--film", "keys.flam3", "-o", "x.flam3", "--drive", drive});
  };
  EXPECT_TRUE(has(refused("zoom"), "says not what it moves"));
  EXPECT_TRUE(has(refused("zoom=bass"), "from where to where"));
  EXPECT_TRUE(has(refused("zoom=bas,0..1"), "did you mean \"bass\""));
  EXPECT_TRUE(has(refused("zom=bass,0..1"), "did you mean \"zoom\""));
  EXPECT_TRUE(has(refused("zoom=bass,0..1,loud"), "no NAME=VALUE"));
  EXPECT_TRUE(has(refused("zoom=bass,0..1,from=2"), "says from twice"));
  EXPECT_TRUE(has(refused("xform.x.turn=bass,0..1"), "xform=\"x\""));
  EXPECT_TRUE(has(refused("a.turn=bass,0..1"), "xform.NUMBER.NAME"));
  EXPECT_TRUE(has(refused("zoom=\"><bass,0..1"), "characters"));
  EXPECT_TRUE(has(failure(3, {"listen", "song.wav", "--film", "keys.flam3", "-o", "x.flam3",
                              "--drive", "xform.9.turn=bass,0..1"}),
                  "3 xforms"));
  EXPECT_TRUE(
      has(failure(2, {"listen", "song.wav", "--film", "keys.flam3", "-o", "x.flam3"}), "--drive"));
  // its end itself is too late
  for (const char* start : {"4", "5"})
    EXPECT_TRUE(has(failure(2, {"listen", "song.wav", "--film", "keys.flam3", "-o", "x.flam3",
                                "--drive", "zoom=bass,0..1", "--start", start}),
                    "the song ends at 4"))
        << start;
  failure(2, {"listen", "song.wav", "--film", "keys.flam3", "-o", "keys.flam3", "--drive",
              "zoom=bass,0..1"});
  make_film();  // of 10 frames a second
  EXPECT_TRUE(has(failure(2, {"listen", "song.wav", "--film", "film.flam3", "-o", "x.flam3",
                              "--drive", "brightness=high,1..4"}),
                  "has 10 frames a second by its own song; add --fps 10"));
  done({"listen", "song.wav", "--film", "film.flam3", "-o", "x.flam3", "--drive",
        "brightness=high,1..4", "--fps", "10"});
  failure(2, {"listen", "song.wav", "-o", "x.flam3"});
  failure(2, {"listen", "song.wav", "-o", "song.wav"});
  failure(2, {"listen", "song.wav", "--fps", "0"});
}

TEST_F(listen_program, a_film_in_any_folder_finds_the_song_beside_it) {
  std::string deep = "a\nb";  // no name that a line of a message could have
  for (int i = 0; i < 3; ++i) deep += "/" + std::string(100, char('c' + i));
  std::filesystem::create_directories(folder / deep);
  make_film();
  std::filesystem::copy(folder / "film.flam3", folder / (deep + "/film.flam3"));
  std::filesystem::copy(folder / "song.wav", folder / (deep + "/song.wav"));
  animate(deep + "/film.flam3", "deep-##.png", {"--end", "3"});
  animate("film.flam3", "near-##.png", {"--end", "3"});
  EXPECT_TRUE(pixels("deep-03.png") == pixels("near-03.png"));
}

TEST_F(listen_program, what_is_no_song_is_said) {
  const auto said = [&](const std::string& name) { return failure(3, {"listen", name}); };
  EXPECT_TRUE(has(said("none.wav"), "none.wav: cannot be opened: No such file"));
  EXPECT_TRUE(has(said("."), "is a folder"));
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(has(said("pipe"), "is a pipe or device"));
  EXPECT_TRUE(has(said("/dev/null"), "is a pipe or device"));
  write_file(folder / "film.flam3", triangle());
  EXPECT_TRUE(has(said("film.flam3"), "perhaps of flames"));
  write_file(folder / "empty", "");
  EXPECT_TRUE(has(said("empty"), "is empty"));
  write_file(folder / "list.txt", "ffconcat version 1.0\nfile song.wav\n");
  EXPECT_TRUE(has(said("list.txt"), "names other files"));
  write_file(folder / "list.m3u8", "#EXTM3U\n#EXTINF:4,\nsong.wav\n");
  EXPECT_TRUE(has(said("list.m3u8"), "names other files"));
  write_file(folder / "odd", std::string(5000, 'x'));
  EXPECT_TRUE(has(said("odd"), "ffmpeg cannot read it"));
  write_file(folder / "cut.wav", drums().substr(0, 44));
  EXPECT_TRUE(has(said("cut.wav"), "no sound in it"));
  done({"render", "film.flam3", "-o", "picture.png", "--backend", "cpu", "-q"});
  EXPECT_TRUE(has(said("picture.png"), "there is no sound in it"));
  EXPECT_TRUE(has(failure(5, {"listen", "song.wav"}, "/nowhere"), "needs the program ffmpeg"));
}

/// Programs in the place of ffmpeg that break in the middle: a message, never a crash or a hang.
TEST_F(listen_program, broken_pipes_are_messages) {
  const std::filesystem::path programs = folder / "programs";
  std::filesystem::create_directory(programs);
  const auto with = [&](const std::string& script) {
    write_file((programs / "ffmpeg").string(), "#!/bin/sh\n" + script + "\n");
    chmod((programs / "ffmpeg").c_str(), 0700);
    return kiln({"listen", "song.wav"}, programs.string() + ":/usr/bin:/bin");
  };
  for (const char* script :
       {"exit 1", "kill -9 $$", "head -c 20 song.wav", "head -c 43 song.wav; exit 3",
        "head -c 50000 song.wav; kill -11 $$", "yes no | head -c 300000 >&2; exit 1",
        "head -c 300000 /dev/zero", "printf 'RIFF\\377\\377\\377\\377WAVEfmt '",
        "printf 'RIFFxxxxWAVEdata\\001\\000\\000\\000'", "echo hello",
        "exec >&-; exec 2>&-; exit 0"}) {
    const Outcome outcome = with(script);
    EXPECT_EQ(outcome.code, 3) << script << "\n" << outcome.err;
    EXPECT_TRUE(has(outcome.err, "song.wav: ")) << script << outcome.err;
    EXPECT_LT(outcome.err.size(), 600u) << script;
  }
  // complaints beside a sound that is there are none of ours
  const Outcome loud = with("yes odd | head -c 300000 >&2; cat song.wav");
  EXPECT_EQ(loud.code, 0) << loud.err;
  EXPECT_TRUE(has(loud.out, "8 beats"));
}

TEST_F(listen_program, a_video_has_the_song_as_its_sound) {
  if (!has_program("ffprobe")) GTEST_SKIP() << "ffprobe is not installed (Debian: ffmpeg)";
  make_film();
  const auto probed = [&](const std::string& name, const std::string& what) {
    const std::string log = folder / "log";
    const std::string command = "cd " + folder.path() + " && ffprobe -v error -show_entries " +
                                what + " -of csv=p=0 " + name + " >" + log + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return read_file(log);
  };
  done({"animate", "film.flam3", "--backend", "cpu", "-q", "--video", "film.mkv"});
  EXPECT_TRUE(has(probed("film.mkv", "stream=codec_type"), "audio"));
  EXPECT_TRUE(has(probed("film.mkv", "stream=r_frame_rate"), "10/1"));
  EXPECT_NEAR(std::stod(probed("film.mkv", "format=duration")), 4, 0.15);
  // a part of it begins where it is in the song: the first second is silent in this one
  MadeSong late(4, 22050);
  late.tone(1, 3, 440, 0.5);
  write_file(folder / "song.wav", wav_of(late.samples()));
  done({"animate", "film.flam3", "--backend", "cpu", "-q", "--video", "part.mkv", "--begin", "10"});
  EXPECT_TRUE(has(kiln({"listen", "part.mkv", "--json"}).out, "\"onsets\":[0"));
  done({"listen", "part.mkv", "-o", "part.csv", "--fps", "10"});
  EXPECT_TRUE(has(bytes("part.csv"), "\n2,0.2,1,")) << bytes("part.csv").substr(0, 300);
  done({"animate", "film.flam3", "--backend", "cpu", "-q", "--video",
        "mute.gif"});  // has no sound: none is asked for
  // fewer frames of the same film: they go as much slower, so that the song stays with them
  for (const auto& [dtime, rate] : {std::pair{"2", "5/1"}, {"0.5", "20/1"}}) {
    done({"animate", "film.flam3", "--backend", "cpu", "-q", "--video", "step.mkv", "--dtime",
          dtime});
    EXPECT_TRUE(has(probed("step.mkv", "stream=r_frame_rate"), rate)) << dtime;
    EXPECT_NEAR(std::stod(probed("step.mkv", "format=duration")), 4, 0.25) << dtime;
  }
  const Outcome fast = kiln({"animate", "film.flam3", "--backend", "cpu", "-q", "--video",
                             "fast.mkv", "--fps", "20", "--frames", "0-3"});
  EXPECT_EQ(fast.code, 0) << fast.err;
}

TEST_F(listen_program, a_film_never_replaces_its_song) {
  make_film();
  const std::string before = read_file(folder / "song.wav");
  std::filesystem::rename(folder / "song.wav", folder / "song.mkv");
  make_film("<kiln_sound file=\"song.mkv\" fps=\"10\"/>");
  EXPECT_NE(failure(2, {"animate", "film.flam3", "--video", "song.mkv", "--frames", "0-1", "-q"})
                .find("is read and would be replaced"),
            std::string::npos);
  EXPECT_EQ(read_file(folder / "song.mkv"), before);
}

/// A picture that goes back has no song that goes forward.
TEST_F(listen_program, a_film_that_goes_back_says_that_it_is_silent) {
  make_film();
  for (const char* way : {"--reverse", "--ping-pong"}) {
    const Outcome outcome =
        kiln({"animate", "film.flam3", "--video", "back.mkv", "--frames", "0-3", way});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("the film has no sound"), std::string::npos) << way << outcome.err;
  }
  // nor has one that begins before the song's second 0
  const Outcome early =
      kiln({"animate", "film.flam3", "--video", "early.mkv", "--begin", "-3", "--end", "2"});
  EXPECT_EQ(early.code, 0) << early.err;
  EXPECT_TRUE(has(early.err, "the film has no sound")) << early.err;
}

TEST_F(listen_program, another_song_is_no_sound_of_a_film_either) {
  std::string keys;
  for (const char* time : {"0", "3"})
    keys += triangle(std::string("time=\"") + time + "\"",
                     time[0] == '0' ? "<kiln_sound file=\"song.wav\" sha256=\"" +
                                          std::string(64, '0') + "\" fps=\"10\"/>"
                                    : "");
  write_file(folder / "keys.flam3", "<film>" + keys + "</film>");
  EXPECT_NE(failure(3, {"animate", "keys.flam3", "--video", "k.mkv", "-q"}).find("another song"),
            std::string::npos);
}

TEST_F(listen_program, bpm_auto_is_the_tempo_of_the_sound) {
  write_file(folder / "two.flam3",
             "<flames>" + triangle() + triangle("rotate=\"90\"") + "</flames>");
  const Names video = {"animate",     "two.flam3", "--sequence", "--loops", "0",
                       "--beats",     "1",         "--easing",   "hold",    "--backend",
                       "cpu",         "--video",   "a.mkv",      "--audio", "song.wav",
                       "--fit-audio", "--fps",     "10",         "-o",      "a-##.png"};
  Names automatic = video, said = video;
  automatic.insert(automatic.end(), {"--bpm", "auto"});
  const Outcome outcome = kiln(automatic);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "120.0") && has(outcome.err, "beats a minute")) << outcome.err;
  EXPECT_FALSE(pixels("a-01.png") == pixels("a-06.png"));
  EXPECT_TRUE(
      has(failure(2, {"animate", "two.flam3", "--sequence", "--bpm", "auto", "-o", "x#.png"}),
          "--audio"));
  EXPECT_TRUE(
      has(failure(2, {"sequence", "two.flam3", "--bpm", "auto", "-o", "x.flam3"}), "--audio"));
  MadeSong tone(3, 22050);
  tone.tone(0, 3, 440, 0.5);
  write_file(folder / "song.wav", wav_of(tone.samples()));
  EXPECT_TRUE(has(failure(3, automatic), "no beat is heard"));
}

TEST_F(listen_program, doors_of_c_and_cpp_say_the_same) {
  const std::string path = folder / "song.wav";
  const SongTracks tracks = listen(path, {25, 0.01, 0.15, 4});
  kiln_song* song = nullptr;
  ASSERT_EQ(kiln_listen(path.c_str(), 25, &song), KILN_OK) << kiln_message();
  const kiln_song_facts facts = kiln_get_song_facts(song);
  EXPECT_EQ(facts.frames, 100);
  EXPECT_EQ(facts.beat_count, 8);
  EXPECT_EQ(std::vector<double>(facts.beats, facts.beats + facts.beat_count), tracks.beats);
  EXPECT_EQ(facts.sha256, tracks.sha256);
  for (const auto& [name, values] : tracks.columns)
    EXPECT_EQ(std::vector<float>(kiln_song_column(song, name.c_str()),
                                 kiln_song_column(song, name.c_str()) + facts.frames),
              values)
        << name;
  EXPECT_EQ(kiln_song_column(song, "treble"), nullptr);
  EXPECT_EQ(kiln_song_column(song, nullptr), nullptr);
  EXPECT_EQ(kiln_song_column(nullptr, "bass"), nullptr);
  EXPECT_EQ(kiln_get_song_facts(nullptr).frames, 0);
  kiln_free_song(song);
  kiln_free_song(nullptr);
  song = nullptr;
  EXPECT_EQ(kiln_listen(nullptr, 25, &song), KILN_USAGE);
  EXPECT_EQ(kiln_listen(path.c_str(), 25, nullptr), KILN_USAGE);
  EXPECT_EQ(kiln_listen(path.c_str(), -1, &song), KILN_USAGE);
  EXPECT_EQ(kiln_listen((folder / "none").c_str(), 25, &song), KILN_INPUT);
  EXPECT_EQ(song, nullptr);
  // a film by the library has the program's frames
  make_film();
  const Animation film(load_scenes(folder / "film.flam3"));
  EXPECT_EQ(film.frame_count(), 40);
  animate("film.flam3", "f-##.png", {"--frames", "7"});
  RenderOptions options;
  options.backend = Backend::cpu;
  Session session(options);
  EXPECT_TRUE(encode(session.render(film, 7)) == bytes("f-07.png"));
}

}  // namespace
}  // namespace kiln
