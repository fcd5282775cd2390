// SPDX-License-Identifier: MIT
// kiln animate from outside: which frames there are, that a frame is the same picture however it
// was asked for, what stays after an interrupt, and the video.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "engine/io/picture/video_writer.h"
#include "tests/cli/pictures.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;
using Names = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class animate : public testing::Test {
 protected:
  animate() { write_file(folder / "keys.flame", two_keys()); }

  Outcome kiln(const Names& arguments, const std::function<void()>& prepare = {}) const {
    Names all = {"animate", "keys.flame", "--backend", "cpu"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_program(all, {folder.path(), "", {}, prepare});
  }
  Names in(const std::string& name) const {
    Names names;
    for (const auto& entry : std::filesystem::directory_iterator(folder / name))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  void make_folders(const Names& names) const {
    for (const std::string& name : names) std::filesystem::create_directory(folder / name);
  }
  std::string bytes(const std::string& name) const { return read_file(folder / name); }

  ScratchFolder folder;
};

TEST_F(animate, frames_are_those_of_flam3_animate) {  // first key .. last key - 1
  const Outcome outcome = kiln({"--width", "8"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::string names;
  for (int i = 0; i < 10; ++i) names += "keys_0000" + std::to_string(i) + ".png\n";
  EXPECT_EQ(outcome.out, names);
  EXPECT_TRUE(contains(outcome.err, "10 frames, ")) << outcome.err;
  EXPECT_EQ(kiln({"--width", "8", "-q", "--begin", "3", "--end", "8", "--dtime", "2"}).out,
            "keys_00003.png\nkeys_00005.png\nkeys_00007.png\n");
  EXPECT_EQ(kiln({"--width", "8", "-q", "-o", "{frame}.png", "--begin", "1", "--end", "2",
                  "--dtime", "0.5", "--frames", "1-2"})
                .out,
            "1.png\n2.png\n");
}

TEST_F(animate, a_frame_is_the_same_alone_in_chunks_and_in_the_whole) {
  make_folders({"whole", "alone", "chunks", "one"});
  ASSERT_EQ(kiln({"-q", "-o", "whole/##.png"}).code, 0);
  ASSERT_EQ(in("whole").size(), 10u);
  ASSERT_EQ(kiln({"-q", "-o", "alone/##.png", "--frames", "7"}).code, 0);
  EXPECT_EQ(bytes("alone/07.png"), bytes("whole/07.png"));
  EXPECT_NE(bytes("whole/06.png"), bytes("whole/07.png"));
  std::string reported;
  for (const char* part : {"1/3", "2/3"})
    reported += kiln({"-q", "-o", "chunks/##.png", "--chunk", part}).out;
  reported += kiln({"-q", "-o", "chunks/##.png", "--chunk", "auto"}, [] {
                setenv("SLURM_ARRAY_TASK_ID", "12", 1);
                setenv("SLURM_ARRAY_TASK_MIN", "10", 1);
                setenv("SLURM_ARRAY_TASK_MAX", "12", 1);
              }).out;
  std::string expected;
  for (const std::string& name : in("whole")) expected += "chunks/" + name + "\n";
  EXPECT_EQ(reported, expected);
  ASSERT_EQ(kiln({"-q", "-o", "one/##.png", "--threads", "1"}).code, 0);
  for (const std::string& name : in("whole")) {
    EXPECT_EQ(bytes("chunks/" + name), bytes("whole/" + name)) << name;
    EXPECT_EQ(bytes("one/" + name), bytes("whole/" + name)) << name;
  }
}

TEST_F(animate, more_chunks_than_frames_leave_some_empty) {
  const Outcome outcome = kiln({"--chunk", "1/20", "--width", "8"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(outcome.err, "0 frames, ")) << outcome.err;
}

TEST_F(animate, resume_makes_what_is_missing_damaged_or_different) {
  make_folders({"a", "b"});
  const Names usual = {"-o", "a/{frame}.png", "--resume", "-q"};
  ASSERT_EQ(kiln(usual).code, 0);
  for (const std::string& name : in("a"))
    std::filesystem::copy_file(folder / ("a/" + name), folder / ("b/" + name));
  std::filesystem::remove(folder / "a/1.png");
  write_file(folder / "a/2.png", bytes("b/2.png").substr(0, bytes("b/2.png").size() - 3));
  std::string damaged = bytes("b/3.png");
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  write_file(folder / "a/3.png", damaged);
  ASSERT_EQ(kiln({"-o", "a/{frame}.png", "-q", "--frames", "4", "--seed", "1"}).code, 0);
  ASSERT_EQ(kiln({"-o", "a/{frame}.png", "-q", "--frames", "5", "--quality", "21"}).code, 0);
  write_file(folder / "a/6.png", bytes("b/7.png"));
  EXPECT_EQ(kiln(usual).out, "a/1.png\na/2.png\na/3.png\na/4.png\na/5.png\na/6.png\n");
  for (const std::string& name : in("b")) EXPECT_EQ(bytes("a/" + name), bytes("b/" + name)) << name;
  const Outcome nothing = kiln({"-o", "a/{frame}.png", "--resume", "--json"});
  EXPECT_EQ(nothing.code, 0);
  EXPECT_TRUE(contains(nothing.out, "\"pictures\":[],\"failed\":[],\"kept\":10")) << nothing.out;
  // another key is another animation
  write_file(folder / "keys.flame", two_keys("brightness=\"5\""));
  EXPECT_EQ(std::count(nothing.out.begin(), nothing.out.end(), '\n'), 1);
  const std::string all = kiln(usual).out;
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 10) << all;
}

TEST_F(animate, resume_sees_another_last_key_and_another_step) {
  make_folders({"a"});
  const auto made = [&](const Names& more) {
    Names all = {"-o", "a/{frame}.png", "--resume", "-q", "--frames", "0-2"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = kiln(all);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return std::count(outcome.out.begin(), outcome.out.end(), '\n');
  };
  EXPECT_EQ(made({}), 3);
  EXPECT_EQ(made({}), 0);
  EXPECT_EQ(made({"--dtime", "0.5"}), 2);  // the first shows time 0 as before
  EXPECT_EQ(made({}), 2);
  std::string keys = two_keys();
  keys.insert(keys.rfind("<flame ") + 7, "brightness=\"5\" ");
  write_file(folder / "keys.flame", keys);
  EXPECT_EQ(made({}), 3);
}

/// Frames at the seam of a loop are those of the loop that begins elsewhere, motion blur included.
TEST_F(animate, blur_reaches_across_the_seam_of_a_loop) {
  make_folders({"a", "b"});
  const std::string wide = "temporal_filter_width=\"5\" temporal_samples=\"40\" quality=\"2000\"";
  std::string first = triangle(wide), second = triangle(wide);
  for (std::string* flame : {&first, &second}) flame->erase(flame->find("quality=\"5\" "), 12);
  const std::size_t coefs = second.find("0.5 0 0 0.5 0.25 0.5");
  second.replace(coefs, 20, "-0.2 0.3 -0.4 -0.3 1 0");
  const auto loop = [&](const std::string& keys, const char* frame, const char* name) {
    write_file(folder / "keys.flame", "<a>" + keys + "</a>");
    const Outcome outcome = kiln({"-q", "--sequence", "--loop", "--nframes", "4", "--loops", "0",
                                  "--steady", "--frames", frame, "-o", name});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  };
  for (const auto& [at_seam, inside] : {std::pair{"7", "3"}, {"0", "4"}}) {
    loop(first + second, at_seam, "a/{frame}.png");
    loop(second + first, inside, "b/{frame}.png");
    EXPECT_EQ(run_program({"compare", folder / (std::string("a/") + at_seam + ".png"),
                           folder / (std::string("b/") + inside + ".png"), "--max-rms", "0.01"})
                  .code,
              0)
        << at_seam;
  }
}

TEST_F(animate, killed_and_resumed_is_the_same_set) {
  make_folders({"whole", "parts"});
  const Names slow = {"--quality", "3000"};
  const auto with = [&](const Names& more) {
    Names all = slow;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  ASSERT_EQ(kiln(with({"-q", "-o", "whole/##.png"})).code, 0);
  for (auto [signal, code] : {std::pair{SIGINT, 130}, {SIGKILL, 1000 + SIGKILL}}) {
    const ScratchFolder logs;
    Names all = {"animate", "keys.flame", "--backend", "cpu"};
    for (const std::string& more : with({"-o", "parts/##.png", "--resume"})) all.push_back(more);
    const std::size_t before = in("parts").size();
    const pid_t child = start_program(all, logs, {folder.path(), "", {}, {}});
    while (in("parts").size() < before + 3 && is_running(child)) usleep(500);
    kill(child, signal);
    EXPECT_EQ(wait_for(child), code);
    EXPECT_LT(in("parts").size(), 10u) << "the signal came too late to prove anything";
    for (const std::string& name : in("parts")) {
      EXPECT_EQ(bytes("parts/" + name), bytes("whole/" + name)) << name;
    }
  }
  const Outcome rest = kiln(with({"-o", "parts/##.png", "--resume"}));
  EXPECT_EQ(rest.code, 0);
  EXPECT_TRUE(contains(rest.err, " kept, ")) << rest.err;
  EXPECT_EQ(in("parts"), in("whole"));
  for (const std::string& name : in("whole"))
    EXPECT_EQ(bytes("parts/" + name), bytes("whole/" + name)) << name;
}

TEST_F(animate, a_frame_that_cannot_be_written_ends_the_work) {
  make_folders({"a"});
  std::filesystem::create_symlink("/dev/full", folder / "a/3.png");
  for (const char* threads : {"1", "2"}) {
    const Outcome outcome =
        kiln({"-o", "a/{frame}.png", "--resume", "--progress", "none", "--threads", threads});
    EXPECT_EQ(outcome.code, 5);
    EXPECT_TRUE(contains(outcome.err, "kiln: a/3.png: ")) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "a/9.png"));
  }
  EXPECT_EQ(kiln({"-o", "a/{frame}.png", "--no-clobber"}).code, 5);
}

TEST_F(animate, a_sequence_of_one_flame_is_a_loop) {
  write_file(folder / "keys.flame", triangle("temporal_samples=\"1\""));
  make_folders({"a"});
  const Outcome outcome =
      kiln({"-q", "--sequence", "--loop", "--nframes", "6", "-o", "a/{frame}.png"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(in("a").size(), 6u);
  const auto compared = [&](const char* first, const char* second, const char* limit) {
    return run_program({"compare", folder / (std::string("a/") + first),
                        folder / (std::string("a/") + second), "--max-rms", limit})
        .code;
  };
  EXPECT_EQ(compared("0.png", "3.png", "0.02"), 1);
  EXPECT_EQ(kiln({"-q", "--sequence", "--nframes", "6"}).code, 0);  // flam3's: the same turn
  const Names made = folder.entries();
  EXPECT_EQ(std::count_if(made.begin(), made.end(),
                          [](const std::string& name) { return contains(name, "keys_0"); }),
            6);
}

TEST_F(animate, makes_its_folder) {
  EXPECT_EQ(kiln({"-o", "new/####.png", "--frames", "2", "-q"}).code, 0);
  EXPECT_EQ(in("new").size(), 1u);
}

TEST_F(animate, wrong_usage) {
  make_folders({"a"});
  for (const Names& arguments :
       std::vector<Names>{{"--frames", "0-99"},
                          {"--frames", "x"},
                          {"--begin", "3", "--end", "1"},
                          {"--dtime", "0"},
                          {"--temporal-samples", "0"},
                          {"--temporal-samples", "100001"},  // no file could say so
                          {"--chunk", "3/2"},
                          {"--chunk", "auto"},
                          {"--loop"},
                          {"--sequence", "--nframes", "0"},
                          {"--devices", "0"},
                          {"-o", "same.png"},
                          {"-o", "a/####.bmp"},
                          {"-o", "gif:-"},
                          {"--video", "a.mpx"},
                          {"--video", "a.mp4", "--fps", "0"},
                          {"--video", "a.mp4", "--fps", "30/0"},
                          {"--video", "a.mp4", "--transparent"},
                          {"--video", "a.mkv", "--resume"},
                          {"--video", "a.mkv", "--resume", "-o", "a/##.png"},
                          {"--video", "a.mkv", "--resume", "--bits", "16"}}) {
    const Outcome outcome = kiln(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments[0] << " " << arguments.back() << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err.rfind("kiln: ", 0), 0u) << outcome.err;
  }
  EXPECT_EQ(kiln({"-o", "keys.flame/deeper/####.png"}).code, 5);  // a file is no folder
  write_file(folder / "keys.flame", "<flames>" + triangle() + triangle() + "</flames>");
  const Outcome same_time = kiln({});
  EXPECT_EQ(same_time.code, 3);
  EXPECT_TRUE(contains(same_time.err, "keys.flame:")) << same_time.err;
  EXPECT_EQ(folder.entries(), (Names{"a", "keys.flame"}));
  EXPECT_TRUE(in("a").empty());
}

// ---- the video ----

TEST_F(animate, a_video_has_its_frames_and_rate) {
  if (!has_program("ffmpeg") || !has_program("ffprobe")) {
    std::puts("skipped: no ffmpeg");
    GTEST_SKIP();
  }
  const auto probe = [&](const std::string& name) {
    const std::string log = folder / "probe.log";
    const std::string command =
        "ffprobe -v error -count_frames -select_streams v -show_entries "
        "stream=nb_read_frames,r_frame_rate,width,height -of csv=p=0 " +
        folder.path() + "/" + name + " > " + log;
    EXPECT_EQ(std::system(command.c_str()), 0);
    const std::string text = read_file(log);
    return text.substr(0, text.find('\n'));
  };
  const Outcome outcome = kiln({"--video", "a.mp4", "--fps", "24"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "a.mp4\n");
  EXPECT_EQ(probe("a.mp4"), "32,24,24/1,10");
  // frames and a video from one run: the frames are what they are without it
  make_folders({"a", "b"});
  ASSERT_EQ(kiln({"-q", "--frames", "2-8:3", "--dpi", "300", "-o", "a/#.png"}).code, 0);
  ASSERT_EQ(kiln({"-q", "--frames", "2-8:3", "--dpi", "300", "-o", "b/#.png", "--video", "b.avi",
                  "--fps", "30000/1001"})
                .code,
            0);
  EXPECT_EQ(probe("b.avi"), "32,24,30000/1001,3");
  ASSERT_EQ(in("b"), in("a"));
  for (const std::string& name : in("a")) EXPECT_EQ(bytes("b/" + name), bytes("a/" + name));
  // lossless: the frames come back
  const std::string command =
      "cd " + folder.path() + " && ffmpeg -v error -i b.avi -f image2 -pix_fmt rgba64be v%d.png";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(
      run_program({"compare", folder / "v1.png", folder / "a/2.png", "--max-rms", "0.005"}).code,
      0);
  EXPECT_EQ(
      run_program({"compare", folder / "v1.png", folder / "a/5.png", "--max-rms", "0.005"}).code,
      1);
}

/// What `command` prints, run in the test's folder.
std::string said_by(const ScratchFolder& folder, const std::string& command) {
  const std::string log = folder / "said.log";
  EXPECT_EQ(std::system(("cd " + folder.path() + " && " + command + " > " + log).c_str()), 0)
      << command;
  std::string text = read_file(log);
  std::filesystem::remove(log);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

bool has_ffmpeg() {
  if (has_program("ffmpeg") && has_program("ffprobe")) return true;
  std::puts("skipped: no ffmpeg");
  return false;
}

constexpr const char* probe =
    "ffprobe -v error -count_frames -select_streams v -of csv=p=0 -show_entries stream=";

// Programs that do not find what the colors mean guess, and guess wrong for small pictures.
TEST_F(animate, every_kind_of_video_says_what_its_colors_mean) {
  if (!has_ffmpeg()) GTEST_SKIP();
  for (const char* ending : {"mp4", "m4v", "mkv", "mov", "webm"}) {
    const std::string name = std::string("a.") + ending;
    const Outcome outcome = kiln({"-q", "--frames", "0-3", "--video", name});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(said_by(folder, probe +
                                  std::string("color_space,color_transfer,color_primaries,"
                                              "nb_read_frames ") +
                                  name),
              "bt709,bt709,bt709,4")
        << name;
  }
  ASSERT_EQ(kiln({"-q", "--frames", "0-1", "--transparent", "--video", "b.mov"}).code, 0);
  EXPECT_EQ(said_by(folder, probe + std::string("pix_fmt,color_space,color_transfer b.mov")),
            "yuva444p12le,bt709,bt709");
}

// What pages show as a picture: a turn without a seam, so each frame once, and for ever.
TEST_F(animate, loops_for_pages) {
  if (!has_ffmpeg()) GTEST_SKIP();
  const Names turn = {"-q", "--sequence", "--loop", "--nframes", "7", "--fps", "20", "--video"};
  const auto made = [&](const std::string& name, const Names& more = {}) {
    Names words = turn;
    words.push_back(name);
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = kiln(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return bytes(name);
  };
  write_file(folder / "keys.flame", triangle());
  const std::string gif = made("a.gif");
  EXPECT_TRUE(contains(gif, std::string("NETSCAPE2.0\x03\x01\0\0", 15)));
  EXPECT_EQ(said_by(folder, probe + std::string("width,height,r_frame_rate,nb_read_frames a.gif")),
            "32,24,20/1,7");
  const std::string png = made("a.apng");
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_EQ(said_by(folder, probe + std::string("width,height,nb_read_frames a.apng")), "32,24,7");
  const std::string webp = made("a.webp");  // ffprobe cannot read what ffmpeg writes
  EXPECT_EQ(webp.substr(8, 4), "WEBP");
  std::size_t frames = 0;
  for (std::size_t at = webp.find("ANMF"); at != std::string::npos; at = webp.find("ANMF", at + 1))
    ++frames;
  EXPECT_EQ(frames, 7u);
  EXPECT_NE(made("b.apng", {"--transparent"}), png);
  EXPECT_TRUE(contains(said_by(folder, probe + std::string("pix_fmt b.apng")), "rgba"));
  // lossless: the pixels of the frames
  make_folders({"f"});
  ASSERT_EQ(kiln({"-q", "--sequence", "--loop", "--nframes", "7", "-o", "f/{frame}.png"}).code, 0);
  EXPECT_EQ(said_by(folder, "ffmpeg -v error -i a.apng -f framemd5 - | grep -v '^#' | cut -d, -f6"),
            said_by(folder,
                    "ffmpeg -v error -i f/%d.png -pix_fmt rgb24 -f framemd5 - | grep -v "
                    "'^#' | cut -d, -f6"));
}

TEST_F(animate, sound_ends_with_the_film_or_says_how_long_it_is) {
  if (!has_ffmpeg()) GTEST_SKIP();
  said_by(folder, "ffmpeg -v error -f lavfi -i sine=duration=0.5 short.wav");
  said_by(folder, "ffmpeg -v error -f lavfi -i sine=duration=9 long.flac");
  const auto seconds = [&](const std::string& name, const std::string& stream) {
    return std::stod(said_by(folder, "ffprobe -v error -select_streams " + stream +
                                         " -show_entries stream=duration -of csv=p=0 " + name));
  };
  for (const char* sound : {"short.wav", "long.flac"}) {  // 10 frames
    const Outcome outcome = kiln({"-q", "--fps", "10", "--video", "a.mp4", "--audio", sound});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NEAR(seconds("a.mp4", "v"), 1, 0.001) << sound;
    EXPECT_NEAR(seconds("a.mp4", "a"), 1, 0.06) << sound;
  }
  const Outcome fit =
      kiln({"--fps", "50", "--video", "b.mp4", "--audio", "short.wav", "--fit-audio"});
  ASSERT_EQ(fit.code, 0) << fit.err;
  EXPECT_EQ(said_by(folder, probe + std::string("nb_read_frames b.mp4")), "25");
  write_file(folder / "none.txt", "no sound");
  const Outcome none = kiln({"--video", "c.mp4", "--audio", "none.txt"});
  EXPECT_EQ(none.code, 3);
  EXPECT_TRUE(contains(none.err, "kiln: --audio none.txt: ")) << none.err;
  EXPECT_EQ(kiln({"--video", "c.gif", "--audio", "short.wav"}).code, 2);
  EXPECT_EQ(kiln({"--video", "c.mp4", "--fit-audio"}).code, 2);
  EXPECT_EQ(kiln({"--audio", "short.wav"}).code, 2);
}

TEST_F(animate, frames_of_a_farm_become_the_film_of_one_run) {
  if (!has_ffmpeg()) GTEST_SKIP();
  make_folders({"f"});
  ASSERT_EQ(kiln({"-q", "--bits", "16", "-o", "f/##.png"}).code, 0);
  ASSERT_EQ(kiln({"-q", "--video", "one.avi"}).code, 0);
  const auto video = [&](Names words) {
    words.insert(words.begin(), "video");
    return run_program(words, {folder.path(), "", {}, {}});
  };
  const Outcome outcome = video({"f", "-o", "farm.avi"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "farm.avi\n");
  const auto frames = [&](const std::string& name) {
    return said_by(folder, "ffmpeg -v error -i " + name + " -f framemd5 -");
  };
  EXPECT_EQ(frames("farm.avi"), frames("one.avi"));
  // another order is another film
  ASSERT_EQ(video({"f/02.png", "f/00.png", "-o", "some.avi", "-q"}).code, 0);
  EXPECT_EQ(said_by(folder, probe + std::string("nb_read_frames some.avi")), "2");
  // what cannot be: a frame of another size, a folder without frames, one that would be replaced
  ASSERT_EQ(kiln({"-q", "--frames", "3", "--width", "20", "-o", "small.png"}).code, 0);
  const Outcome sizes = video({"f", "small.png", "-o", "x.avi"});
  EXPECT_EQ(sizes.code, 3);
  EXPECT_TRUE(contains(sizes.err, "small.png: 20 x 15 pixels, the first frame has 32 x 24"))
      << sizes.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "x.avi"));
  make_folders({"empty"});
  EXPECT_EQ(video({"empty", "-o", "x.avi"}).code, 3);
  EXPECT_EQ(mkfifo((folder / "empty/0.png").c_str(), 0600), 0);  // a pipe in a folder is no frame
  EXPECT_EQ(
      run_program({"video", "empty", "-o", "x.avi"}, {folder.path(), "", {}, [] { alarm(20); }})
          .code,
      3);
  EXPECT_EQ(video({"f", "-o", "f/00.png"}).code, 2);
}

TEST_F(animate, a_film_of_frames_with_a_hole_says_so) {
  if (!has_ffmpeg()) GTEST_SKIP();
  make_folders({"f", "g"});
  ASSERT_EQ(kiln({"-q", "-o", "f/##.png"}).code, 0);
  ASSERT_EQ(kiln({"-q", "-o", "g/##.png", "--frames", "0-8:2"}).code, 0);
  const auto video = [&](Names words) {
    words.insert(words.begin(), "video");
    words.insert(words.end(), {"-o", "x.avi"});
    return run_program(words, {folder.path(), "", {}, {}});
  };
  EXPECT_EQ(video({"f"}).code, 0);
  EXPECT_EQ(video({"g"}).code, 0);  // every second one
  EXPECT_EQ(video({"f", "g"}).code, 0);
  for (const char* frame : {"3", "4", "7"})
    std::filesystem::remove(folder / (std::string("f/0") + frame + ".png"));
  std::filesystem::remove(folder / "g/04.png");
  const Outcome outcome = video({"f"});
  EXPECT_EQ(outcome.code, 7);
  EXPECT_EQ(outcome.out, "x.avi\n");
  EXPECT_TRUE(contains(outcome.err, "frames 3-4, 7 are missing")) << outcome.err;
  EXPECT_EQ(said_by(folder, probe + std::string("nb_read_frames x.avi")), "7");
  EXPECT_TRUE(contains(video({"g"}).err, "frame 4 is missing"));
  const Outcome meant = video({"f", "--allow-missing"});
  EXPECT_EQ(meant.code, 0);
  EXPECT_FALSE(contains(meant.err, "missing")) << meant.err;
}

TEST_F(animate, of_many_holes_the_first_are_named_and_the_others_counted) {
  if (!has_ffmpeg()) GTEST_SKIP();
  make_folders({"f"});
  ASSERT_EQ(kiln({"-q", "-o", "f/##.png", "--dtime", "0.5", "--width", "16"}).code, 0);
  for (const char* frame : {"02", "04", "06", "08", "10", "12", "14", "16", "18"})
    std::filesystem::remove(folder / (std::string("f/") + frame + ".png"));
  const Outcome outcome = run_program({"video", "f", "-o", "x.avi"}, {folder.path(), "", {}, {}});
  EXPECT_EQ(outcome.code, 7);
  EXPECT_TRUE(contains(outcome.err, "frames 2, 4, 6, 8, 10, 12, 14, 16 and 1 more are missing"))
      << outcome.err;
}

TEST_F(animate, folders_of_frames_come_in_the_order_of_the_command_line) {
  if (!has_ffmpeg()) GTEST_SKIP();
  make_folders({"z", "a"});
  ASSERT_EQ(kiln({"-q", "-o", "z/##.png", "--frames", "0-1"}).code, 0);
  ASSERT_EQ(kiln({"-q", "-o", "a/##.png", "--frames", "7-8"}).code, 0);
  const auto frames = [&](Names words) {
    words.insert(words.begin(), "video");
    words.insert(words.end(), {"-o", "x.avi"});
    EXPECT_EQ(run_program(words, {folder.path(), "", {}, {}}).code, 0);
    return said_by(folder, "ffmpeg -v error -i x.avi -f framemd5 -");
  };
  EXPECT_EQ(frames({"z", "a"}), frames({"z/00.png", "z/01.png", "a/07.png", "a/08.png"}));
  make_folders({"padded", "plain"});  // 10.png is behind 9.png
  for (const char* names : {"padded/##.png", "plain/#.png"})
    ASSERT_EQ(kiln({"-q", "-o", names, "--dtime", "0.5", "--width", "16"}).code, 0);
  EXPECT_EQ(frames({"plain"}), frames({"padded"}));
}

TEST_F(animate, what_is_true_of_all_frames_is_said_once) {
  std::string deep = two_keys();
  for (std::size_t at = 0; (at = deep.find("scale=\"20\"", at)) != std::string::npos;)
    deep.replace(at, 10, "scale=\"4e14\"");
  write_file(folder / "keys.flame", deep);
  const Outcome outcome = kiln({"-o", "#.png", "--frames", "0-3", "--quality", "1"});
  EXPECT_EQ(outcome.code, 0);
  const std::size_t said = outcome.err.find("expect ");
  EXPECT_NE(said, std::string::npos) << outcome.err;
  EXPECT_EQ(said, outcome.err.rfind("expect ")) << outcome.err;
}

TEST_F(animate, a_folder_of_this_name_is_no_ffmpeg) {
  if (!has_ffmpeg()) GTEST_SKIP();
  make_folders({"ffmpeg"});
  const Outcome outcome = kiln({"-q", "--frames", "0-1", "--video", "a.avi"}, [this] {
    setenv("PATH", (folder.path() + ":" + std::getenv("PATH")).c_str(), 1);
  });
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(animate, folders_of_frames_are_made) {
  EXPECT_EQ(kiln({"-q", "--frames", "0-1", "-o", "new/deep/##.png"}).code, 0);
  EXPECT_EQ(in("new/deep").size(), 2u);
}

TEST_F(animate, ffmpeg_missing_is_said_before_anything_is_rendered) {
  const Outcome outcome = kiln({"--quality", "1e8", "--video", "a.mp4"}, [] {
    setenv("PATH", "/nowhere", 1);
    alarm(60);
  });
  EXPECT_EQ(outcome.code, 5);
  EXPECT_TRUE(contains(outcome.err, "apt install ffmpeg")) << outcome.err;
  EXPECT_EQ(folder.entries(), Names{"keys.flame"});
}

/// Puts a program called ffmpeg first in PATH.
std::function<void()> instead_of_ffmpeg(const ScratchFolder& folder, const std::string& script) {
  write_file(folder / "ffmpeg", "#!/bin/sh\n" + script);
  chmod((folder / "ffmpeg").c_str(), 0755);
  return [path = folder.path()] { setenv("PATH", (path + ":/usr/bin:/bin").c_str(), 1); };
}

TEST_F(animate, ffmpeg_failing_is_5_with_its_words) {
  const ScratchFolder programs;
  for (const char* script : {"echo 'Unknown encoder' >&2; exit 3",
                             "cat >/dev/null; echo 'no room' "
                             ">&2; exit 3"}) {
    const Outcome outcome =
        kiln({"--video", "a.mp4", "--progress", "none"}, instead_of_ffmpeg(programs, script));
    EXPECT_EQ(outcome.code, 5) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "kiln: a.mp4: ffmpeg ended with exit code 3: "))
        << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "encoder") || contains(outcome.err, "room")) << outcome.err;
    EXPECT_EQ(folder.entries(), Names{"keys.flame"});
  }
}

TEST_F(animate, an_interrupt_leaves_no_video_and_no_ffmpeg) {
  const ScratchFolder programs, logs;
  // not when it is asked which encoders it has
  const auto prepare = instead_of_ffmpeg(
      programs, "[ $2 = -h ] || echo $$ > " + (programs / "pid") + "; exec cat > /dev/fd/3");
  const pid_t child = start_program({"animate", "keys.flame", "--backend", "cpu", "--quality",
                                     "1e8", "--video", "a.mp4", "--progress", "none"},
                                    logs, {folder.path(), "", {}, prepare});
  while (read_file(programs / "pid").empty() && is_running(child)) usleep(2000);
  kill(child, SIGINT);
  EXPECT_EQ(wait_for(child), 130);
  EXPECT_EQ(folder.entries(), Names{"keys.flame"});
  EXPECT_TRUE(contains(read_file(logs / "err"), "a film that is not finished leaves nothing"))
      << read_file(logs / "err");
  const pid_t ffmpeg = std::atoi(read_file(programs / "pid").c_str());
  ASSERT_GT(ffmpeg, 0);
  for (int i = 0; i < 500 && kill(ffmpeg, 0) == 0; ++i) usleep(10000);  // gone, when reaped
  std::ifstream status("/proc/" + std::to_string(ffmpeg) + "/stat");
  std::string number, name, state = "gone";
  status >> number >> name >> state;
  EXPECT_TRUE(state == "gone" || state == "Z") << state;
}

TEST(video_frame, reaches_full_range_and_drops_alpha) {
  const Image image{2, 1, Words{65280, 256, 0, 1, 255, 32768, 65535, 65535}};
  EXPECT_EQ(video_frame(image, false),
            (std::vector<std::uint16_t>{65535, 257, 0, 255, 32896, 65535}));
  EXPECT_EQ(video_frame(image, true)[3], 1);
  const Image small{1, 1, Bytes{255, 1, 0, 7}};
  EXPECT_EQ(video_frame(small, true), (std::vector<std::uint16_t>{65535, 257, 0, 1799}));
}

}  // namespace
}  // namespace kiln
