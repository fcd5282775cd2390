// SPDX-License-Identifier: MIT
// Frames that flow: into pipes, backwards, there and back, under other numbers; films for other codecs, of no more than
// so many bytes, of slides, and of spheres.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "engine/api/kiln.h"
#include "engine/base/text.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/png_writer.h"
#include "engine/io/picture/video_command.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;
using Names = std::vector<std::string>;

class film_streams : public testing::Test {
 protected:
  film_streams() { write_file(folder / "keys.flame", two_keys()); }

  static bool has_ffmpeg() { return has_program("ffmpeg") && has_program("ffprobe"); }
  Outcome kiln(Names words) const {
    if (words[0] == "animate") words.insert(words.end(), {"--backend", "cpu"});
    return run_program(words, {folder.path(), "", {}, {}});
  }
  /// What the program sends to standard output, which has nothing to complain of.
  std::string sent(const Names& words) const {
    const Outcome outcome = kiln(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
  std::string bytes(const std::string& name) const { return read_file(folder / name); }
  std::string said_by(const std::string& command) const {
    const std::string log = folder / "said.log";
    EXPECT_EQ(std::system(("cd " + folder.path() + " && " + command + " > " + log).c_str()), 0)
        << command;
    std::string text = read_file(log);
    while (!text.empty() && (text.back() == '\n' || text.back() == ',')) text.pop_back();
    return text;
  }
  std::string stream_of(const std::string& name, const std::string& entries) const {
    return said_by(
        "ffprobe -v error -count_frames -select_streams v:0 -of csv=p=0 -show_entries stream=" +
        entries + " " + name);
  }
  /// The samples of a film's frames, as ffmpeg decodes them.
  std::string decoded(const std::string& name) const {
    said_by("ffmpeg -v error -nostdin -y -i " + name + " -f rawvideo -pix_fmt rgb24 d.rgb");
    return bytes("d.rgb");
  }
  /// The program's exit code behind a reader that takes a few bytes alone, and what it said.
  Outcome with_reader_that_goes(const std::string& words) const {
    const std::string line = "cd " + folder.path() + " && { " + program_path() + " " + words +
                             " 2>err; echo $? >code; } | head -c 100 >/dev/null";
    EXPECT_EQ(std::system(line.c_str()), 0);
    return {std::stoi(bytes("code")), "", bytes("err")};
  }

  ScratchFolder folder;
};

TEST_F(film_streams, pictures_go_one_behind_the_other_as_their_files_have_them) {
  for (const std::string kind : {"png", "ppm", "exr", "jpg"}) {
    if (!format_with_ending("." + kind)->supported()) continue;
    sent({"animate", "keys.flame", "-o", kind + "/#." + kind, "--frames", "2-4", "-q"});
    const std::string all =
        bytes(kind + "/2." + kind) + bytes(kind + "/3." + kind) + bytes(kind + "/4." + kind);
    const std::string stream =
        sent({"animate", "keys.flame", "-o", kind + ":-", "--frames", "2-4"});
    EXPECT_TRUE(stream == all) << kind << stream.size() << " " << all.size();
  }
  EXPECT_TRUE(sent({"animate", "keys.flame", "-o", "-", "--frames", "2"}) == bytes("png/2.png"));
  EXPECT_EQ(kiln({"animate", "keys.flame", "-o", "gif:-"}).code, 2);
  EXPECT_EQ(kiln({"animate", "keys.flame", "-o", "png:-", "--json"}).code, 2);
  write_file(folder / "one.flame", triangle());
  EXPECT_TRUE(sent({"render", "one.flame", "-o", "ppm:-", "--backend", "cpu"}).starts_with("P6\n"));
}

TEST_F(film_streams, films_go_into_a_pipe_as_bare_pixels_and_as_containers) {
  if (!has_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
  sent({"animate", "keys.flame", "-o", "#.png", "--frames", "0-4", "-q"});
  std::string pixels;
  for (int i = 0; i < 5; ++i) {
    const Image image = read_picture(folder / (std::to_string(i) + ".png"));
    for (std::size_t p = 0; p < image.pixels8().size(); ++p)
      if (p % 4 != 3) pixels += char(image.pixels8()[p]);
  }
  EXPECT_TRUE(sent({"animate", "keys.flame", "--video", "raw:-", "--frames", "0-4"}) == pixels);
  EXPECT_TRUE(sent({"video", "0.png", "1.png", "2.png", "3.png", "4.png", "-o", "raw:-"}) ==
              pixels);
  const std::string y4m =
      sent({"animate", "keys.flame", "--video", "-", "--frames", "0-4", "--fps", "29.97"});
  EXPECT_TRUE(y4m.starts_with("YUV4MPEG2 W32 H24 F30000:1001")) << y4m.substr(0, 80);
  write_file(folder / "p.y4m", y4m);
  EXPECT_EQ(stream_of("p.y4m", "width,height,pix_fmt,r_frame_rate,nb_read_frames"),
            "32,24,yuv444p,30000/1001,5");
  write_file(folder / "p.mkv",
             sent({"animate", "keys.flame", "--video", "mkv:-", "--frames", "0-4", "-q"}));
  EXPECT_EQ(stream_of("p.mkv", "codec_name,color_space,nb_read_frames"), "hevc,bt709,5");
  // names of frames are not mixed with the film
  EXPECT_TRUE(sent({"animate", "keys.flame", "--video", "raw:-", "--frames", "0-4", "-o",
                    "beside/#.png", "--bits", "16"}) == pixels);
  EXPECT_EQ(kiln({"animate", "keys.flame", "--video", "mp4:-"}).code, 2);
  EXPECT_EQ(kiln({"animate", "keys.flame", "--video", "-", "--json"}).code, 2);
  const std::string png = sent({"animate", "keys.flame", "--video", "png:-", "--frames", "2"});
  EXPECT_TRUE(png == bytes("2.png"));
}

TEST_F(film_streams, a_reader_that_goes_early_ends_the_program_quietly) {
  const std::string words = "animate keys.flame --backend cpu --scale 8 ";
  const Outcome pictures = with_reader_that_goes(words + "-o -");
  EXPECT_EQ(pictures.code, 141);
  EXPECT_EQ(pictures.err, "");
  if (!has_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
  const Outcome film = with_reader_that_goes(words + "--video raw:-");
  EXPECT_EQ(film.code, 141);
  EXPECT_EQ(film.err, "");
  sent({"animate", "keys.flame", "-o", "f/#.png", "--scale", "8", "-q"});
  const Outcome video = with_reader_that_goes("video f -o raw:-");
  EXPECT_EQ(video.code, 141);
  EXPECT_EQ(video.err, "");
}

TEST_F(film_streams, frames_have_the_numbers_and_the_order_that_are_asked_for) {
  sent({"animate", "keys.flame", "-o", "a/#.png", "-q", "--frames", "0-9"});
  sent({"animate", "keys.flame", "-o", "b/####.png", "-q", "--start-number", "1001", "--frames",
        "1003-1004"});
  EXPECT_TRUE(bytes("b/1003.png") == bytes("a/2.png"));
  EXPECT_TRUE(bytes("b/1004.png") == bytes("a/3.png"));
  EXPECT_FALSE(std::filesystem::exists(folder / "b/1002.png"));
  sent({"animate", "keys.flame", "-o", "c/#.png", "-q", "--reverse", "--frames", "0-1"});
  EXPECT_TRUE(bytes("c/0.png") == bytes("a/9.png"));
  EXPECT_TRUE(bytes("c/1.png") == bytes("a/8.png"));
  const std::string said =
      sent({"animate", "keys.flame", "-o", "d/##.png", "--ping-pong", "--json"});
  std::size_t rendered = 0;
  for (std::size_t at = 0; (at = said.find("\"pixel_hash\"", at)) != said.npos; ++at) ++rendered;
  EXPECT_EQ(rendered, 10u);  // each once
  for (int i = 0; i < 18; ++i) {
    const std::string name = (i < 10 ? "0" : "") + std::to_string(i);
    EXPECT_TRUE(bytes("d/" + name + ".png") ==
                bytes("a/" + std::to_string(i < 10 ? i : 18 - i) + ".png"))
        << i;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "d/18.png"));
  // a chunk that has the way back alone renders its frames
  sent({"animate", "keys.flame", "-o", "e/##.png", "--ping-pong", "--chunk", "3/3", "-q"});
  EXPECT_TRUE(bytes("e/17.png") == bytes("a/1.png"));
  std::string there_and_back;
  for (int i = 0; i < 18; ++i)
    there_and_back += bytes("a/" + std::to_string(i < 10 ? i : 18 - i) + ".png");
  EXPECT_TRUE(sent({"animate", "keys.flame", "-o", "-", "--ping-pong"}) == there_and_back);
  EXPECT_EQ(
      kiln({"animate", "keys.flame", "-o", "f/#.png", "--ping-pong", "--manifest", "m.tsv"}).code,
      2);
}

TEST_F(film_streams, cleaned_frames_are_the_same_backwards) {
  write_file(folder / "clean.flame", two_keys("kiln_clean=\"1\""));
  sent({"animate", "clean.flame", "-o", "a/#.png", "-q"});
  sent({"animate", "clean.flame", "-o", "b/#.png", "-q", "--reverse"});
  for (int i = 0; i < 10; ++i)
    EXPECT_TRUE(bytes("a/" + std::to_string(i) + ".png") ==
                bytes("b/" + std::to_string(9 - i) + ".png"))
        << i;
}

TEST_F(film_streams, films_go_there_and_back) {
  if (!has_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
  const std::string whole = sent({"animate", "keys.flame", "--video", "raw:-"});
  constexpr std::size_t frame = 32 * 24 * 3;
  ASSERT_EQ(whole.size(), 10 * frame);
  std::string there_and_back = whole, back;
  for (std::size_t i = 8; i > 0; --i) there_and_back += whole.substr(i * frame, frame);
  for (std::size_t i = 10; i > 0; --i) back += whole.substr((i - 1) * frame, frame);
  EXPECT_TRUE(sent({"animate", "keys.flame", "--video", "raw:-", "--ping-pong"}) == there_and_back);
  EXPECT_TRUE(sent({"animate", "keys.flame", "--video", "raw:-", "--reverse"}) == back);
  sent({"animate", "keys.flame", "-o", "f/#.png", "-q"});
  EXPECT_TRUE(sent({"video", "f", "-o", "raw:-", "--ping-pong"}) == there_and_back);
  EXPECT_TRUE(sent({"video", "f", "-o", "raw:-", "--reverse"}) == back);
}

/// Frames that are there already are shown on the way back as well.
TEST_F(film_streams, a_film_there_and_back_goes_on_with_the_frames_that_are_there) {
  if (!has_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
  const Names words = {"animate", "keys.flame", "-o",          "f/##.png",
                       "--bits",  "16",         "--ping-pong", "-q"};
  const auto film = [&](Names more) {
    more.insert(more.begin(), words.begin(), words.end());
    more.insert(more.end(), {"--video", "raw:-"});
    return sent(more);
  };
  const std::string whole = film({});
  EXPECT_TRUE(film({"--resume"}) == whole) << "all of them";
  for (const char* gone : {"03", "09", "15"})
    std::filesystem::remove(folder / ("f/" + std::string(gone) + ".png"));
  EXPECT_TRUE(film({"--resume"}) == whole);
  EXPECT_TRUE(bytes("f/03.png") == bytes("f/15.png"));
}

/// A poster's number is the one that the frame has in this film: in its name, and in its place.
TEST_F(film_streams, a_poster_is_the_frame_that_is_shown_under_its_number) {
  if (!has_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
  sent({"animate", "keys.flame", "-o", "a/#.png", "-q"});
  struct Row {
    Names words;
    const char* frame;
  };
  const Row rows[] = {{{"--reverse"}, "9"},
                      {{"--reverse", "--poster-frame", "2"}, "7"},
                      {{"--start-number", "1001", "--poster-frame", "1003"}, "2"},
                      {{"--ping-pong", "--poster-frame", "12"}, "6"},
                      {{"--ping-pong", "--chunk", "3/3"}, "6"}};
  for (const Row& row : rows) {
    Names words = {"animate", "keys.flame", "--video", "a.avi", "--poster", "p.png", "-q"};
    words.insert(words.end(), row.words.begin(), row.words.end());
    sent(words);
    EXPECT_TRUE(bytes("p.png") == bytes(std::string("a/") + row.frame + ".png"))
        << row.words.back();
  }
}

TEST(video_words, have_blanks_in_quotes) {
  EXPECT_EQ(words_in("-crf 12  -vf \"drawtext=text='a b'\""),
            (Names{"-crf", "12", "-vf", "drawtext=text='a b'"}));
  EXPECT_EQ(words_in("-vf drawtext=text='a b':x=1 -y"),
            (Names{"-vf", "drawtext=text='a b':x=1", "-y"}));
  EXPECT_EQ(words_in(" '' a"), (Names{"", "a"}));
}

TEST_F(film_streams, options_take_the_place_of_those_that_kiln_has) {
  if (!has_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
  const std::string encoders = said_by("ffmpeg -v error -hide_banner -encoders");
  struct Row {
    const char *encoder, *name, *options, *says;
  };
  constexpr Row rows[] = {
      {"hap", "a.mov", "-c:v hap", "hap,rgb0,gbr"},
      {"dnxhd", "b.mov", "-c:v dnxhd -profile:v dnxhr_hq -s 256x128", "dnxhd,yuv422p,bt709"},
      {"dnxhd", "c.mov", "-vcodec dnxhd -profile:v dnxhr_hqx -s 256x128",
       "dnxhd,yuv422p10le,bt709"},
      {"qtrle", "d.mov", "-c:v qtrle", "qtrle,rgb24,gbr"},
      {"libx264", "e.mp4", "-pix_fmt yuv444p -crf 30", "h264,yuv444p,bt709"},
      {"ffv1", "f.mkv", "-c:v ffv1", "ffv1,yuv420p10le,bt709"},
      {"libx264", "g.mp4", "-vf drawbox=w=8:h=8:color=white:t=fill", "h264,yuv420p,bt709"},
  };
  for (const Row& row : rows) {
    if (encoders.find(std::string(" ") + row.encoder + " ") == std::string::npos) continue;
    sent({"animate", "keys.flame", "--frames", "0-2", "--video", row.name, "--video-options",
          row.options, "-q"});
    EXPECT_EQ(stream_of(row.name, "codec_name,pix_fmt,color_space"), row.says) << row.name;
  }
  // a page plays a film whose table stands before its frames, whoever chose the codec
  for (const std::string options : {"-crf 20", "-c:v libx264", "-c:v libx264 -crf 20"}) {
    sent({"animate", "keys.flame", "--frames", "0-2", "--video", "m.mp4", "--video-options",
          options, "-q"});
    EXPECT_LT(bytes("m.mp4").find("moov"), bytes("m.mp4").find("mdat")) << options;
  }
  // the filter works on the pictures also where a GIF's colors follow
  sent({"animate", "keys.flame", "--frames", "0-2", "--video", "b.gif", "--video-options",
        "-vf drawbox=w=8:h=8:color=white:t=fill", "-q"});
  EXPECT_GT(int(static_cast<unsigned char>(decoded("b.gif").at(3 * (2 * 32 + 2)))), 225);
  // kiln's own filter of colors is there beside the box
  const std::string pixels = decoded("g.mp4");
  EXPECT_GT(int(static_cast<unsigned char>(pixels.at(3 * (2 * 32 + 2)))), 225);
  // pixels of RGB stay as they are
  if (bytes("d.mov").size() > 0) {
    const std::string got = decoded("d.mov"),
                      own = sent({"animate", "keys.flame", "--frames", "0-2", "--video", "raw:-"});
    ASSERT_EQ(got.size(), own.size());
    int most = 0;  // ffmpeg dithers 16 bits, kiln cuts them
    for (std::size_t i = 0; i < own.size(); ++i)
      most = std::max(most, std::abs(int(static_cast<unsigned char>(got[i])) -
                                     int(static_cast<unsigned char>(own[i]))));
    EXPECT_LE(most, 2);
  }
  EXPECT_EQ(
      kiln({"animate", "keys.flame", "--video", "h.mp4", "--video-options", "-c:v nobody"}).code,
      5);
}

TEST_F(film_streams, a_film_has_no_more_bytes_than_it_may_have) {
  if (!has_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
  sent({"animate", "keys.flame", "-o", "f/#.png", "--spin", "6", "--flame", "0", "--width", "160",
        "-q"});
  const auto size = [&](const std::string& name) {
    return std::filesystem::file_size(folder / name);
  };
  for (const std::string ending : {".gif", ".mp4", ".webp"}) {
    const std::string own = "own" + ending, small = "small" + ending;
    sent({"video", "f", "-o", own, "-q"});
    const std::uintmax_t limit = size(own) / 2;
    const Outcome outcome =
        kiln({"video", "f", "-o", small, "--max-bytes", std::to_string(limit) + "B"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_LE(size(small), limit) << ending;
    EXPECT_GT(size(small), limit / 4) << ending;  // and uses what it may have
    EXPECT_NE(outcome.err.find(byte_size(size(small)) + " of " + byte_size(limit) + ": "),
              std::string::npos)
        << outcome.err << size(small);
  }
  // also where a better quality was tried last, and was too much
  for (const std::uintmax_t percent : {85u, 75u, 65u, 60u}) {
    const std::uintmax_t limit = size("own.webp") * percent / 100;
    const Outcome outcome = kiln(
        {"video", "f", "-o", "less.webp", "--force", "--max-bytes", std::to_string(limit) + "B"});
    EXPECT_NE(outcome.err.find(byte_size(size("less.webp")) + " of "), std::string::npos)
        << outcome.err << size("less.webp");
  }
  // the limit itself is no byte too many
  const std::string own_bytes = std::to_string(size("own.gif")) + "B";
  sent({"video", "f", "-o", "equal.gif", "--max-bytes", own_bytes, "-q"});
  EXPECT_TRUE(bytes("equal.gif") == bytes("own.gif"));
  EXPECT_EQ(stream_of("small.gif", "nb_read_frames"), "6");
  EXPECT_EQ(stream_of("small.mp4", "nb_read_frames"), "6");
  // what is small enough is as it would be
  sent({"video", "f", "-o", "large.gif", "--max-bytes", "9M", "-q"});
  EXPECT_TRUE(bytes("large.gif") == bytes("own.gif"));
  const Outcome none = kiln({"video", "f/0.png", "-o", "e.gif", "--max-bytes", "100B"});
  EXPECT_EQ(none.code, 5) << none.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "e.gif"));
  EXPECT_EQ(kiln({"animate", "keys.flame", "-o", "x/#.png", "--max-bytes", "1M"}).code, 2);
  EXPECT_EQ(kiln({"video", "f", "-o", "mkv:-", "--max-bytes", "1M"}).code, 2);
}

TEST_F(film_streams, pictures_of_any_size_are_slides_that_fade) {
  if (!has_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
  const auto slide = [&](const char* name, int width, int height, int level) {
    Image image;
    image.width = width;
    image.height = height;
    image.opaque = true;
    image.pixels8().assign(std::size_t(width) * std::size_t(height) * 4, std::uint8_t(level));
    for (std::size_t i = 3; i < image.pixels8().size(); i += 4) image.pixels8()[i] = 255;
    write_png(folder / name, image, {});
  };
  slide("a.png", 32, 24, 200);
  slide("b.png", 24, 24, 100);
  const std::string pixels =
      sent({"video", "a.png", "b.png", "-o", "raw:-", "--fade", "3", "--show", "5"});
  constexpr std::size_t frame = 32 * 24 * 3;
  ASSERT_EQ(pixels.size(), frame * (2 + 3 + 2));
  const auto at = [&](std::size_t number, int x, int y) {
    return int(static_cast<unsigned char>(pixels[number * frame + std::size_t(y * 32 + x) * 3]));
  };
  EXPECT_EQ(at(0, 16, 12), 200);
  EXPECT_EQ(at(1, 16, 12), 200);
  EXPECT_EQ(at(2, 16, 12), 175);
  EXPECT_EQ(at(3, 16, 12), 150);
  EXPECT_EQ(at(4, 16, 12), 125);
  EXPECT_EQ(at(6, 16, 12), 100);
  EXPECT_EQ(at(6, 3, 12), 0);  // beside the narrow one
  EXPECT_EQ(at(6, 4, 12), 100);
  EXPECT_EQ(at(6, 27, 0), 100);
  EXPECT_EQ(at(6, 28, 0), 0);
  // a wide one has as much above as below
  slide("wide.png", 64, 24, 100);
  const std::string wide = sent({"video", "a.png", "wide.png", "-o", "raw:-", "--show", "1"});
  ASSERT_EQ(wide.size(), frame * 2);
  for (const auto& [row, level] : {std::pair{5, 0}, {6, 100}, {17, 100}, {18, 0}})
    EXPECT_EQ(int(static_cast<unsigned char>(wide[frame + std::size_t(row * 32 + 16) * 3])), level)
        << row;
  // slides are no frames of one film: none is missing between them
  sent({"animate", "keys.flame", "-o", "s/#.png", "--frames", "0,1,4", "-q"});
  EXPECT_EQ(kiln({"video", "s", "-o", "s.mkv", "-q"}).code, 7);
  sent({"video", "s", "-o", "s.mkv", "--fade", "1", "--show", "3", "-q"});
  EXPECT_EQ(kiln({"video", "a.png", "b.png", "-o", "x.mkv"}).code, 3);
  EXPECT_EQ(kiln({"video", "a.png", "b.png", "-o", "x.mkv", "--fade", "2s", "--show", "1s"}).code,
            2);
}

TEST_F(film_streams, films_of_spheres_say_so_and_keep_their_frames) {
  if (!has_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
  write_file(folder / "sphere.flame", triangle("time=\"0\""));
  sent({"animate", "sphere.flame", "--spin", "4", "-o", "f/#.png", "--set",
        "kiln_projection=sphere", "--size", "64x32", "-q"});
  write_file(folder / "beep.wav", "");
  said_by("ffmpeg -v error -nostdin -y -f lavfi -i sine=d=1 beep.wav");
  for (const std::string name : {"a.mp4", "b.mov"}) {
    Names words = {"video", "f", "-o", name, "-q"};
    if (name[0] == 'b') words.insert(words.end(), {"--audio", "beep.wav"});
    sent(words);
    EXPECT_EQ(said_by("ffprobe -v error -select_streams v:0 -show_entries "
                      "stream_side_data=side_data_type,projection -of csv=p=0 " +
                      name),
              "Stereo 3D\nSpherical Mapping,equirectangular")
        << name;
    EXPECT_EQ(decoded(name).size(), 4u * 64 * 32 * 3);
    said_by("ffmpeg -v error -xerror -nostdin -y -i " + name + " -f null -");
  }
  // the frames are those of the film without the boxes
  sent({"video", "f", "-o", "plain.mkv", "--video-options",
        "-c:v libx264 -preset medium -crf 16 -pix_fmt yuv420p", "-q"});
  const std::string plain = decoded("plain.mkv");
  EXPECT_TRUE(decoded("a.mp4") == plain);
  // and a flat film says nothing
  sent({"animate", "keys.flame", "--video", "flat.mp4", "--frames", "0-1", "-q"});
  EXPECT_EQ(bytes("flat.mp4").find("sv3d"), std::string::npos);
}

}  // namespace
}  // namespace kiln
