// SPDX-License-Identifier: MIT
// Every format of a film from outside: what ffprobe says of it, HDR, the poster, and the seam of a loop.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <regex>
#include <set>
#include <thread>

#include "engine/io/picture/exr.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/video_writer.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;
using Names = std::vector<std::string>;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class film_formats : public testing::Test {
 protected:
  film_formats() {
    write_file(folder / "keys.flame", two_keys());
    write_file(folder / "bright.flame",
               triangle("temporal_samples=\"3\" brightness=\"40\" gamma=\"2\""));
  }
  void SetUp() override {
    if (!has_program("ffmpeg") || !has_program("ffprobe")) GTEST_SKIP() << "no ffmpeg";
  }
  Outcome kiln(Names words, const std::function<void()>& prepare = {}) const {
    if (words[0] == "animate") words.insert(words.end(), {"--backend", "cpu"});
    return run_program(words, {folder.path(), "", {}, prepare});
  }
  /// kiln animate, quietly and well.
  void animate(Names words) const {
    words.insert(words.begin(), "animate");
    words.push_back("-q");
    const Outcome outcome = kiln(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  std::string said_by(const std::string& command) const {
    const std::string log = folder / "said.log";
    EXPECT_EQ(std::system(("cd " + folder.path() + " && " + command + " > " + log).c_str()), 0)
        << command;
    std::string text = read_file(log);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }
  /// What ffprobe says of the stream of pictures, in the order of its own.
  std::string stream_of(const std::string& name, const std::string& entries) const {
    return said_by(
        "ffprobe -v error -count_frames -select_streams v:0 -of csv=p=0 -show_entries stream=" +
        entries + " " + name);
  }

  ScratchFolder folder;
};

TEST_F(film_formats, a_pipe_takes_what_is_not_gone_back_in_and_stays_a_pipe) {
  animate({"keys.flame", "-o", "f/##.png", "--frames", "0-2"});
  const auto pipe_of = [&](const std::string& ending) {
    const std::string name = "pipe" + ending;
    EXPECT_EQ(mkfifo((folder / name).c_str(), 0600), 0);
    return name;
  };
  const auto is_pipe = [&](const std::string& name) {
    struct stat status {};
    return stat((folder / name).c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
  };
  for (const char* ending : {".mp4", ".mov", ".avi", ".apng"}) {
    const std::string name = pipe_of(ending);
    for (const Names& words :
         {Names{"animate", "keys.flame", "--video"}, Names{"video", "f", "-o"}}) {
      Names all = words;
      all.push_back(name);
      const Outcome outcome = kiln(all, [] { alarm(60); });
      EXPECT_EQ(outcome.code, 2) << outcome.err;
      EXPECT_TRUE(has(outcome.err, "one of .mkv .webm .gif .webp")) << outcome.err;
    }
    EXPECT_TRUE(is_pipe(name));
  }
  const std::string hdr = pipe_of(".mkv");
  EXPECT_EQ(kiln({"animate", "keys.flame", "--video", hdr, "--hdr", "pq"}, [] { alarm(60); }).code,
            2);
  EXPECT_EQ(kiln({"video", "f", "-o", "file.gif", "-q"}).code, 0);
  const std::string gif = pipe_of(".gif"),
                    reads = "cd " + folder.path() + " && timeout 60 cat " + gif + " > got.gif";
  const std::jthread reader([&] { EXPECT_EQ(std::system(reads.c_str()), 0); });
  EXPECT_EQ(kiln({"video", "f", "-o", gif, "-q"}, [] { alarm(60); }).code, 0);
  EXPECT_TRUE(is_pipe(gif));
}

TEST_F(film_formats, say_what_they_are) {
  struct Row {
    const char *name, *more, *says;
  };
  // codec, size, pixels, range, space, transfer, primaries, rate, frames
  constexpr Row rows[] = {
      {"a.mp4", "", "h264,32,24,yuv420p,tv,bt709,bt709,bt709,25/1,7"},
      {"a.m4v", "", "h264,32,24,yuv420p,tv,bt709,bt709,bt709,25/1,7"},
      {"a.mkv", "", "hevc,32,24,yuv420p10le,tv,bt709,bt709,bt709,25/1,7"},
      {"a.mov", "", "prores,32,24,yuv422p10le,tv,bt709,bt709,bt709,25/1,7"},
      {"b.mov", "--transparent", "prores,32,24,yuva444p12le,tv,bt709,bt709,bt709,25/1,7"},
      {"a.webm", "", "vp9,32,24,yuv420p,tv,bt709,bt709,bt709,25/1,7"},
      {"a.avi", "", "ffv1,32,24,gbrp16le,unknown,unknown,unknown,unknown,25/1,7"},
      {"a.gif", "", "gif,32,24,bgra,unknown,unknown,unknown,unknown,25/1,7"},
      {"a.apng", "", "apng,32,24,rgb24,pc,unknown,unknown,unknown,25/1,7"},
      {"h.mp4", "--hdr pq", "hevc,32,24,yuv420p10le,tv,bt2020nc,smpte2084,bt2020,25/1,7"},
      {"h.mkv", "--hdr pq", "hevc,32,24,yuv420p10le,tv,bt2020nc,smpte2084,bt2020,25/1,7"},
      {"h.webm", "--hdr pq --width 128",
       "av1,128,96,yuv420p10le,tv,bt2020nc,smpte2084,bt2020,25/1,7"},
      {"h.mov", "--hdr pq", "prores,32,24,yuv422p10le,tv,bt2020nc,smpte2084,bt2020,25/1,7"},
  };
  for (const Row& row : rows) {
    Names words = {"keys.flame", "--frames", "0-6", "--fps", "25", "--video", row.name};
    std::istringstream more(row.more);
    for (std::string word; more >> word;) words.push_back(word);
    animate(words);
    EXPECT_EQ(stream_of(row.name,
                        "codec_name,width,height,pix_fmt,color_range,color_space,color_transfer,"
                        "color_primaries,r_frame_rate,nb_read_frames"),
              row.says)
        << row.name;
  }
  EXPECT_EQ(stream_of("h.mp4", "codec_tag_string"), "hvc1");  // what players of Apple take
}

// The brightest pixel of the film, whatever the encoder was told before there was one.
TEST_F(film_formats, hdr10_says_how_bright_the_film_is) {
  const auto levels_of = [&](const std::string& name) {
    const std::string said =
        said_by("ffprobe -v error -select_streams v:0 -read_intervals %+#1 -show_frames " + name);
    std::smatch match;
    const std::regex wanted(
        "max_luminance=([0-9]+)/([0-9]+)[^]*max_content=([0-9]+)\nmax_average=([0-9]+)");
    EXPECT_TRUE(std::regex_search(said, match, wanted)) << said;
    return match.empty() ? std::array<int, 3>{}
                         : std::array{std::stoi(match[1]) / std::stoi(match[2]),
                                      std::stoi(match[3]), std::stoi(match[4])};
  };
  const Outcome outcome = kiln({"animate", "bright.flame", "--spin", "3", "--hdr", "pq",
                                "--hdr-peak", "800", "--video", "a.mkv", "--progress", "none"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  int cll = 0, fall = 0;
  const std::size_t at = outcome.err.find("MaxCLL ");
  ASSERT_NE(at, std::string::npos) << outcome.err;
  ASSERT_EQ(std::sscanf(outcome.err.c_str() + at, "MaxCLL %d, MaxFALL %d", &cll, &fall), 2);
  const std::array<int, 3> bright = levels_of("a.mkv");
  EXPECT_EQ(bright[0], 800);
  EXPECT_NEAR(bright[1], cll, 1);
  EXPECT_NEAR(bright[2], fall, 1);
  EXPECT_GT(bright[1], 400);
  EXPECT_LE(bright[1], 800);
  EXPECT_LT(bright[2], bright[1] / 2);
  for (const char* name : {"dark.mp4", "dark.webm"}) {
    animate({"bright.flame", "--spin", "3", "--hdr", "pq", "--video", name, "--brightness", "0.5",
             "--width", "128"});
    const std::array<int, 3> dark = levels_of(name);
    EXPECT_EQ(dark[0], 1000);
    EXPECT_LT(dark[1], 203) << name;
    EXPECT_GT(dark[1], 1) << name;
  }
}

TEST_F(film_formats, hdr_of_frames_is_that_of_one_run) {
  if (!exr_supported()) GTEST_SKIP() << "built without OpenEXR";
  std::filesystem::create_directory(folder / "f");
  animate({"bright.flame", "--spin", "3", "--hdr", "pq", "--video", "a.mov", "-o", "f/#.exr",
           "--exr", "float"});
  ASSERT_EQ(kiln({"video", "f", "--hdr", "pq", "-o", "b.mov", "-q"}).code, 0);
  const Outcome clear = kiln({"video", "f", "--hdr", "pq", "--transparent", "-o", "c.mov"});
  EXPECT_EQ(clear.code, 2);
  EXPECT_TRUE(has(clear.err, "leave --transparent out")) << clear.err;
  const auto frames = [&](const std::string& name) {
    return said_by("ffmpeg -v error -i " + name + " -f framemd5 - | grep -v '^#'");
  };
  const std::string whole = frames("a.mov");
  EXPECT_EQ(whole, frames("b.mov"));
  EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n'), 2);
  for (const Names& wrong : std::vector<Names>{{"a.avi"},
                                               {"a.gif"},
                                               {"a.mkv", "--transparent"},
                                               {"a.mkv", "--earlyclip"},
                                               {"a.mkv", "--hdr-peak", "100"},
                                               {"a.mkv", "-o", "f/#.png"},
                                               {"a.mkv", "--poster", "a.png"}}) {
    Names words = {"animate", "bright.flame", "--spin", "3", "--hdr", "pq", "--video"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    EXPECT_EQ(kiln(words).code, 2) << wrong.back();
  }
  EXPECT_EQ(kiln({"animate", "bright.flame", "--spin", "3", "--hdr", "pq"}).code, 2);
  EXPECT_TRUE(
      has(kiln({"animate", "bright.flame", "--spin", "3", "--hdr", "pq", "--video", "a.webm"}).err,
          "32 x 24 pixels: AV1 has 64 x 64 at least"));
  for (const char* size : {"96x48", "48x96"})  // each side
    EXPECT_TRUE(has(kiln({"animate", "bright.flame", "--spin", "3", "--hdr", "pq", "--size", size,
                          "--video", "a.webm"})
                        .err,
                    "AV1 has 64 x 64 at least"))
        << size;
  const Outcome png = kiln({"animate", "bright.flame", "--spin", "2", "-o", "f/#.png", "-q"});
  ASSERT_EQ(png.code, 0) << png.err;
  const Outcome flat = kiln({"video", "f/0.png", "--hdr", "pq", "-o", "c.mov"});
  EXPECT_EQ(flat.code, 3);
  EXPECT_TRUE(has(flat.err, "f/0.png: it has no light above white")) << flat.err;
}

TEST_F(film_formats, an_encoder_that_is_missing_is_named_before_frames_are_made) {
  write_file(folder / "ffmpeg",
             "#!/bin/sh\necho \"Codec '${3#encoder=}' is not recognized by FFmpeg.\" >&2\n");
  chmod((folder / "ffmpeg").c_str(), 0755);
  const auto first_in_path = [this] {
    setenv("PATH", (folder.path() + ":" + std::getenv("PATH")).c_str(), 1);
  };
  const auto said = [&](const Names& more) {
    Names words = {"animate", "keys.flame", "--quality", "1e8", "--video"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = kiln(words, first_in_path);
    EXPECT_EQ(outcome.code, 5);
    return outcome.err;
  };
  EXPECT_TRUE(has(said({"a.webm"}), "without the encoder libvpx-vp9: install")) << said({"a.webm"});
  EXPECT_TRUE(has(said({"a.webm", "--hdr", "pq"}), "without the encoder libsvtav1"));
  EXPECT_TRUE(has(said({"a.mp4", "--hdr", "pq"}), "without the encoder libx265"));
}

// Exit code 0 alone makes no film: the last bytes may have found no room.
TEST_F(film_formats, a_film_without_its_end_is_none_and_the_older_one_stays) {
  std::filesystem::create_directory(folder / "f");
  animate({"keys.flame", "-o", "f/#.png"});
  const auto instead_of_ffmpeg = [&](const std::string& script) {
    write_file(folder / "ffmpeg", "#!/bin/sh\ncat >/dev/null\n" + script + "\n");
    chmod((folder / "ffmpeg").c_str(), 0755);
    return [this] { setenv("PATH", (folder.path() + ":" + std::getenv("PATH")).c_str(), 1); };
  };
  for (const char* ending : {"mp4", "m4v", "mov", "mkv", "webm", "gif", "avi", "apng", "webp"}) {
    const std::string film = std::string("a.") + ending, older = std::string("older.") + ending;
    animate({"keys.flame", "--video", film});
    for (const Names& made :
         {Names{"animate", "keys.flame", "--video", older}, Names{"video", "f", "-o", older}}) {
      ASSERT_EQ(kiln(made, instead_of_ffmpeg("cat " + film + " >/dev/fd/3")).code, 0) << older;
      const std::string bytes = read_file(folder / older);
      for (const std::string& script :
           {"head -c -9 " + film + " >/dev/fd/3",
            "cat " + film +
                " >/dev/fd/3; echo 'Error writing trailer of /dev/fd/3: No space left "
                "on device' >&2"}) {
        const Outcome outcome = kiln(made, instead_of_ffmpeg(script));
        EXPECT_EQ(outcome.code, 5) << script;
        EXPECT_FALSE(has(outcome.out, older)) << script;
        EXPECT_TRUE(has(outcome.err, "could not write the film to its end")) << outcome.err;
        EXPECT_TRUE(read_file(folder / older) == bytes) << script;
      }
    }
  }
}

TEST_F(film_formats, know_the_rates_of_television_and_who_made_them) {
  const auto rate = [&](const std::string& fps) {
    animate({"keys.flame", "--frames", "0-2", "--fps", fps, "--video", "r.mov"});
    return stream_of("r.mov", "r_frame_rate");
  };
  EXPECT_EQ(rate("29.97"), "30000/1001");
  EXPECT_EQ(rate("23.976"), "24000/1001");
  EXPECT_EQ(rate("59.94"), "60000/1001");
  EXPECT_EQ(rate("12.5"), "25/2");
  for (const char* fps : {"1001", "0", "1e3", "30/"})
    EXPECT_EQ(kiln({"animate", "keys.flame", "--fps", fps, "--video", "w.mkv"}).code, 2) << fps;
  animate({"keys.flame", "--frames", "0-2", "-o", "#.png", "--title", "Two keys", "--author", "Ann",
           "--copyright", "CC0", "--video", "t.mp4"});
  ASSERT_EQ(kiln({"video", "0.png", "1.png", "2.png", "-o", "u.mkv", "-q"}).code, 0);
  for (const char* name : {"t.mp4", "u.mkv"}) {
    const std::string tags =
        said_by(std::string("ffprobe -v error -show_entries format_tags -of csv ") + name);
    for (const char* text : {"Two keys", "Ann", "CC0"}) EXPECT_TRUE(has(tags, text)) << tags;
  }
}

// A filter of the command line is one more, and does not take away what makes the colors right.
TEST_F(film_formats, a_filter_of_the_command_line_is_one_more) {
  animate({"keys.flame", "--video", "a.avi"});
  animate({"keys.flame", "--video", "b.avi", "--video-options", "-vf vflip"});
  animate({"keys.flame", "--video", "a.mkv", "--video-options",
           "-x265-params lossless=1:log-level=error"});
  animate({"keys.flame", "--video", "b.mkv", "--video-options",
           "-x265-params lossless=1:log-level=error -filter:v vflip"});
  const auto frames = [&](const std::string& words) {
    return said_by("ffmpeg -v error -i " + words + " -f framemd5 - | grep -v '^#'");
  };
  for (const char* ending : {".avi", ".mkv"}) {
    const std::string a = std::string("a") + ending, b = std::string("b") + ending;
    EXPECT_EQ(frames(b), frames(a + " -vf vflip")) << ending;
    EXPECT_NE(frames(b), frames(a)) << ending;
  }
  animate({"keys.flame", "--video", "b.gif", "--video-options", "-vf vflip"});
  EXPECT_EQ(stream_of("b.gif", "nb_read_frames"), "10");
}

TEST_F(film_formats, a_gif_is_transparent_where_it_is_asked_to_be) {
  for (const bool clear : {true, false}) {
    Names words = {"keys.flame", "--frames", "0-2", "--video", "a.gif"};
    if (clear) words.push_back("--transparent");
    animate(words);
    said_by("ffmpeg -v error -y -i a.gif -frames:v 1 -pix_fmt rgba -f rawvideo a.raw");
    const std::string pixels = read_file(folder / "a.raw");
    ASSERT_EQ(pixels.size(), 32u * 24 * 4);
    EXPECT_EQ(pixels[3] == 0, clear);  // the corner, where nothing of the flame is
  }
}

TEST_F(film_formats, a_poster_of_a_part_is_its_first_frame) {
  animate({"keys.flame", "--begin", "2", "--end", "4", "--video", "a.avi", "--poster", "p.png"});
  animate({"keys.flame", "--frames", "2", "-o", "#.png"});
  EXPECT_TRUE(read_file(folder / "p.png") == read_file(folder / "2.png"));
  animate({"keys.flame", "--chunk", "2/2", "--video", "a.avi", "--poster", "p.png"});
  animate({"keys.flame", "--frames", "5", "-o", "#.png"});
  EXPECT_TRUE(read_file(folder / "p.png") == read_file(folder / "5.png"));
}

// 0 0 1 would begin a new piece of the stream: the number before it is one more.
TEST_F(film_formats, the_numbers_of_light_are_no_start_code) {
  write_file(folder / "ffmpeg",
             "#!/bin/sh\ncat >/dev/null\n"
             "printf 'ab\\220\\004\\245\\303\\267\\115;' >/dev/fd/3\n");
  chmod((folder / "ffmpeg").c_str(), 0755);
  const std::string path = std::getenv("PATH");
  setenv("PATH", (folder.path() + ":" + path).c_str(), 1);
  const auto light = [&](double brightest, double frame) {
    VideoSettings settings;
    settings.path = folder / "a.gif";
    settings.width = settings.height = settings.frames = 1;
    VideoWriter writer(settings);
    writer.write({0, 0, 0});
    writer.set_light(brightest, frame);
    writer.finish();
    const std::string bytes = read_file(folder / "a.gif");
    return std::vector<int>{bytes.at(4), bytes.at(5), bytes.at(6), bytes.at(7)};
  };
  EXPECT_EQ(light(256, 1), (std::vector<int>{1, 1, 0, 1}));
  EXPECT_EQ(light(512, 3), (std::vector<int>{2, 1, 0, 3}));
  EXPECT_EQ(light(256, 4), (std::vector<int>{1, 0, 0, 4}));
  EXPECT_EQ(light(259.5, 2), (std::vector<int>{1, 4, 0, 2}));
  setenv("PATH", path.c_str(), 1);
}

TEST_F(film_formats, a_poster_is_a_frame_as_a_picture) {
  animate({"keys.flame", "--video", "a.mp4", "--poster", "first.png"});
  animate({"keys.flame", "--video", "a.mp4", "--poster", "other.jpg", "--poster-frame", "6"});
  animate({"keys.flame", "-o", "#.png"});
  EXPECT_TRUE(read_file(folder / "first.png") == read_file(folder / "0.png"));
  const std::vector<std::uint8_t> other = read_picture(folder / "other.jpg").pixels8(),
                                  sixth = read_picture(folder / "6.png").pixels8(),
                                  first = read_picture(folder / "0.png").pixels8();
  const auto distance = [&](const std::vector<std::uint8_t>& to) {
    double sum = 0;
    for (std::size_t i = 0; i < other.size(); ++i) sum += std::abs(int(other[i]) - int(to[i]));
    return sum / double(other.size());
  };
  ASSERT_EQ(other.size(), sixth.size());
  EXPECT_LT(distance(sixth), 0.6 * distance(first));
  ASSERT_EQ(kiln({"video", "0.png", "6.png", "-o", "v.avi", "--poster", "second.png",
                  "--poster-frame", "1", "-q"})
                .code,
            0);
  EXPECT_EQ(kiln({"compare", "second.png", "6.png"}).code, 0);
  EXPECT_EQ(
      kiln({"video", "0.png", "-o", "w.avi", "--poster", "x.png", "--poster-frame", "1"}).code, 2);
  EXPECT_EQ(kiln({"animate", "keys.flame", "--video", "b.mp4", "--poster", "x.png",
                  "--poster-frame", "10"})
                .code,
            2);
  for (const char* name : {"x.flam3", "x.gif", "x.txt"}) {  // as of every picture
    EXPECT_EQ(kiln({"animate", "keys.flame", "--video", "b.mp4", "--poster", name}).code, 2);
    EXPECT_EQ(kiln({"video", "0.png", "-o", "w.avi", "--poster", name}).code, 2);
  }
  EXPECT_EQ(kiln({"animate", "keys.flame", "--video", "b.mp4", "--poster", "no/x.png"}).code, 5);
  EXPECT_EQ(kiln({"video", "0.png", "-o", "w.avi", "--poster", "no/x.png"}).code, 5);
  for (const char* name : {"x.flam3", "x.gif", "x.txt", "b.mp4", "w.avi"})
    EXPECT_FALSE(std::filesystem::exists(folder / name)) << name;
  EXPECT_EQ(kiln({"animate", "keys.flame", "--poster", "x.png"}).code, 2);
  EXPECT_EQ(kiln({"animate", "keys.flame", "--video", "b.mp4", "--poster", "x.exr"}).code, 2);
}

TEST_F(film_formats, a_poster_of_frames_says_who_made_them) {
  ASSERT_EQ(kiln({"render", "bright.flame", "-o", "0.png", "--author", "Anna", "--title", "Shells",
                  "--copyright", "(c) Anna", "-q"})
                .code,
            0);
  ASSERT_EQ(kiln({"video", "0.png", "-o", "a.avi", "--poster", "p.png", "-q"}).code, 0);
  EXPECT_EQ(read_picture_texts(folder / "p.png").texts, read_picture_texts(folder / "0.png").texts);
}

// ffmpeg takes the bytes as they come: a frame of another size would shift all that follow.
TEST_F(film_formats, frames_have_one_size) {
  for (const char* size : {"32x24", "32x20", "30x24"})
    ASSERT_EQ(kiln({"render", "bright.flame", "--size", size, "-o", std::string(size) + ".png",
                    "--quality", "1", "-q"})
                  .code,
              0);
  for (const char* other : {"32x20", "30x24"}) {
    const Outcome outcome =
        kiln({"video", "32x24.png", std::string(other) + ".png", "-o", "a.avi", "-q"});
    EXPECT_EQ(outcome.code, 3) << other;
    EXPECT_TRUE(has(outcome.err, "a film has one size")) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "a.avi"));
  }
}

// The frame after the last would be the first one, grain and all, had it its number: none is
// lost. And no frame of the film is there twice.
TEST_F(film_formats, a_loop_has_no_frame_twice_and_none_is_missing_at_its_seam) {
  animate({"bright.flame", "--spin", "6", "-o", "#.png", "--video", "a.apng"});
  // steps of a half count from 0: number 0 at time 6
  animate({"bright.flame", "--spin", "6", "--begin", "6", "--end", "6", "--dtime", "0.5", "-o",
           "after-#.png"});
  const auto pixels = [&](const std::string& name) {
    return read_picture(folder / (name + ".png")).pixels8();
  };
  EXPECT_TRUE(pixels("after-0") == pixels("0"));
  std::set<std::vector<std::uint8_t>> seen;
  for (int frame = 0; frame < 6; ++frame) seen.insert(pixels(std::to_string(frame)));
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_EQ(
      said_by("ffmpeg -v error -i a.apng -f framemd5 - | grep -v '^#' | cut -d, -f6"),
      said_by(
          "ffmpeg -v error -i %d.png -pix_fmt rgb24 -f framemd5 - | grep -v '^#' | cut -d, -f6"));
}

}  // namespace
}  // namespace kiln
