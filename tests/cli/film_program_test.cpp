// SPDX-License-Identifier: MIT
// Films from outside: one file, the same frames whoever plays it and however, and what other programs see.
#include <gtest/gtest.h>

#include "engine/animation/frame_at.h"
#include "engine/api/kiln.h"
#include "engine/base/resources.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_format.h"
#include "engine/render/still.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;
using Names = std::vector<std::string>;

constexpr const char* tracks = R"(
  <kiln_track name="zoom" ends="ping-pong"><key time="0" value="0" easing="0.3 0 0.2 1.4"/><key time="3" value="1"/></kiln_track>
  <kiln_track xform="2" name="turn" ends="cycle"><key time="0" value="0"/><key time="5" value="360"/></kiln_track>
  <kiln_track xform="1" name="julian"><key time="2" value="0" easing="bounce"/><key time="8" value="0.6"/></kiln_track>
)";

std::string film() {
  std::string xml = two_keys("kiln_easing=\"ease-in-out\" temporal_samples=\"9\"");
  for (std::size_t at; (at = xml.find("temporal_samples=\"1\"")) != std::string::npos;)
    xml.erase(at, 20);
  return xml.replace(xml.find("</flame>"), 0, tracks);
}

class film_program : public testing::Test {
 protected:
  film_program() { write_file(folder / "film.flam3", film()); }
  Outcome kiln(const Names& arguments) const {
    return run_program(arguments, {folder.path(), "", {}, {}});
  }
  Outcome animate(const std::string& input, const std::string& output, Names more = {}) const {
    more.insert(more.begin(), {"animate", input, "--backend", "cpu", "-q", "-o", output});
    return kiln(more);
  }
  std::string bytes(const std::string& name) const { return read_file(folder / name); }
  static std::string number(int frame) { return std::to_string(frame) + ".png"; }

  ScratchFolder folder;
};

/// A column is the mean of a small picture of its frame, in the order in which the film is played.
TEST_F(film_program, is_seen_as_a_strip) {
  const auto strip = [&](const std::string& name, Names more = {}) {
    more.insert(more.begin(), {"animate", "film.flam3", "--backend", "cpu", "--strip", name});
    const Outcome outcome = kiln(more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_picture(folder / name);
  };
  const Image whole = strip("strip.png", {"--quality", "5"});
  EXPECT_EQ(whole.width, 10 * 24);
  EXPECT_EQ(whole.height, 96);
  EXPECT_EQ(folder.entries(), (Names{"film.flam3", "strip.png"}));
  const auto column = [](const Image& image, int frame) {
    Bytes pixels;
    for (int y = 0; y < image.height; ++y)
      for (int c = 0; c < 3; ++c)
        pixels.push_back(image.pixels8()[std::size_t((y * image.width + frame * 24 + 7) * 4 + c)]);
    return pixels;
  };
  EXPECT_NE(column(whole, 0), column(whole, 9));
  const Image back = strip("back.png", {"--quality", "5", "--reverse", "--frames", "2-4"});
  ASSERT_EQ(back.width, 3 * 24);
  EXPECT_EQ(column(back, 0), column(whole, 7));  // of 9 .. 0 those that are shown as 2, 3 and 4
  EXPECT_EQ(column(back, 2), column(whole, 5));

  ASSERT_EQ(kiln({"render", "film.flam3", "--flame", "0", "--backend", "cpu", "--height", "96",
                  "--quality", "5", "-o", "first.png", "--set", "temporal_samples=1"})
                .code,
            0);
  const Image first = read_picture(folder / "first.png");
  unsigned sum = 0;
  for (int x = 0; x < first.width; ++x)
    sum += first.pixels8()[std::size_t(60 * first.width + x) * 4];
  EXPECT_EQ(column(whole, 0)[60 * 3], (sum + unsigned(first.width) / 2) / unsigned(first.width));
}

TEST_F(film_program, is_no_strip_beside_frames) {
  for (const Names& more :
       {Names{"-o", "f-#.png"}, {"--video", "f.mp4"}, {"--json"}, {"--resume"}}) {
    Names all = {"animate", "film.flam3", "--strip", "strip.png"};
    all.insert(all.end(), more.begin(), more.end());
    EXPECT_EQ(kiln(all).code, 2) << more[0];
  }
  for (const char* name : {"-", "strip.exr", "strip.txt"})
    EXPECT_EQ(kiln({"animate", "film.flam3", "--strip", name}).code, 2) << name;
  EXPECT_EQ(kiln({"animate", "film.flam3", "--strip", "film.flam3"}).code, 2);
  EXPECT_EQ(folder.entries(), Names{"film.flam3"});
}

TEST_F(film_program, has_the_same_frames_whole_in_chunks_converted_and_by_the_library) {
  ASSERT_EQ(animate("film.flam3", "whole-#.png").code, 0);
  for (const char* chunk : {"1/3", "2/3", "3/3"})
    ASSERT_EQ(animate("film.flam3", "chunk-#.png", {"--chunk", chunk, "--threads", "1"}).code, 0);
  ASSERT_EQ(animate("film.flam3", "part-#.png", {"--begin", "3", "--end", "5"}).code, 0);
  ASSERT_EQ(kiln({"convert", "film.flam3", "-o", "again.flam3"}).code, 0);
  ASSERT_EQ(animate("again.flam3", "again-#.png").code, 0);
  const Animation animation(load_scenes(folder / "film.flam3"));
  ASSERT_EQ(animation.frame_count(), 10);
  RenderOptions options;
  options.backend = Backend::cpu;
  Session session(options);
  std::string before;
  for (int frame = 0; frame < 10; ++frame) {
    const std::string whole = bytes("whole-" + number(frame));
    EXPECT_TRUE(whole != before) << frame;
    EXPECT_TRUE(bytes("chunk-" + number(frame)) == whole) << frame;
    if (frame >= 3 && frame <= 5) {
      EXPECT_TRUE(bytes("part-" + number(frame)) == whole) << frame;
    }
    EXPECT_TRUE(read_picture(folder / ("again-" + number(frame))).pixels8() ==
                read_picture(folder / ("whole-" + number(frame))).pixels8())
        << frame;
    EXPECT_TRUE(encode(session.render(animation, frame)) == whole) << frame;
    before = whole;
  }
  // a frame's own flame is the film at its time: its picture alone has no tracks
  const Flame frame = read_flames(folder / "whole-4.png", {}).flames.at(0);
  EXPECT_TRUE(frame.tracks.empty());
  EXPECT_EQ(frame.time, 4);
}

TEST_F(film_program, survives_convert_and_is_kept_where_nothing_has_changed) {
  ASSERT_EQ(kiln({"convert", "film.flam3", "-o", "again.flam3"}).code, 0);
  ASSERT_EQ(kiln({"convert", "again.flam3", "-o", "third.flam3"}).code, 0);
  EXPECT_TRUE(bytes("again.flam3") == bytes("third.flam3"));
  const std::vector<Flame> first = read_flames(folder / "film.flam3", {}).flames;
  const std::vector<Flame> again = read_flames(folder / "again.flam3", {}).flames;
  ASSERT_EQ(again.size(), first.size());
  ASSERT_EQ(first[0].tracks.size(), 3u);
  for (std::size_t i = 0; i < first.size(); ++i)
    EXPECT_TRUE(genome_xml(again[i]) == genome_xml(first[i]));
  ASSERT_EQ(animate("film.flam3", "#.png", {"--manifest", "frames.tsv"}).code, 0);
  EXPECT_EQ(kiln({"check", "--manifest", "frames.tsv", "--render", "1", "--backend", "cpu"}).code,
            0);
  const std::string before = bytes("7.png");
  write_file(folder / "7.png", before.substr(0, 100));
  ASSERT_EQ(animate("film.flam3", "#.png", {"--resume"}).code, 0);
  EXPECT_TRUE(bytes("7.png") == before);
  std::string other = film();
  other.replace(other.find("value=\"0.6\""), 11, "value=\"0.7\"");
  write_file(folder / "film.flam3", other);
  EXPECT_NE(animate("film.flam3", "#.png", {"--resume"}).out,
            "");  // made again: the track is part of it
  EXPECT_FALSE(bytes("7.png") == before);
}

TEST_F(film_program, in_betweens_bake_it_for_other_programs) {
  ASSERT_EQ(kiln({"sequence", "film.flam3", "-o", "baked.flam3", "--in-betweens"}).code, 0);
  EXPECT_EQ(bytes("baked.flam3").find("kiln_"), std::string::npos);
  ASSERT_EQ(animate("baked.flam3", "baked-#.png", {"--temporal-samples", "1"}).code, 0);
  ASSERT_EQ(animate("film.flam3", "film-#.png", {"--temporal-samples", "1"}).code, 0);
  const Animation one(load_scenes(folder / "baked.flam3")), two(load_scenes(folder / "film.flam3"));
  for (int frame = 0; frame < 10; ++frame)
    EXPECT_EQ(one.scene(frame).attribute("zoom"), two.scene(frame).attribute("zoom")) << frame;
}

TEST_F(film_program, is_the_key_flames_alone_to_flam3) {
  if (!has_program("flam3-animate") || !has_program("flam3-genome"))
    GTEST_SKIP() << "flam3-animate is not installed (Debian: flam3)";
  std::string plain = film();
  plain.erase(plain.find("\n  <kiln_track"), std::string(tracks).size());
  for (std::size_t at; (at = plain.find("kiln_easing=\"ease-in-out\"")) != std::string::npos;)
    plain.erase(at, 25);
  write_file(folder / "plain.flam3", plain);
  ASSERT_EQ(plain.find("kiln"), std::string::npos);
  const auto by_flam3 = [&](const std::string& name) {
    const std::string command =
        "cd " + folder.path() + " && prefix=" + name + ". in=" + name +
        ".flam3 frame=4 nthreads=1 seed=1 isaac_seed=k verbose=0 flam3-animate >" + name +
        ".log 2>&1 && animate=" + name + ".flam3 flam3-genome >" + name + ".xml 2>>" + name +
        ".log";
    EXPECT_EQ(std::system(command.c_str()), 0) << bytes(name + ".log");
    return read_picture(folder / (name + ".00004.png"))
        .pixels8();  // its texts say how long it took
  };
  const std::vector<std::uint8_t> picture = by_flam3("film");
  EXPECT_GT(picture.size(), 100u);
  EXPECT_TRUE(picture == by_flam3("plain"));
  EXPECT_EQ(bytes("film.log"), bytes("plain.log"));  // and no word of what it does not know
  EXPECT_EQ(read_flames(folder / "film.xml", {}).flames.size(), 11u);
}

/// How much of a frame is noise, if it stands still: of 16 times the samples, as noise is told of
/// several units.
double noise_of(const KeyFrames& film, const FrameTime& time, double quality) {
  Still still{frame_at(film.keys, time, MotionBlur::without).flame};
  still.flame.quality = 16 * quality;
  RenderOptions options;
  options.backend = Backend::cpu;
  options.halves = true;
  Renderer renderer(options);
  RenderStatistics statistics;
  render_still(renderer, options, still, &statistics);
  return 4 * statistics.noise;
}

TEST_F(film_program, has_the_quality_that_its_noise_asks_for) {
  const auto quality = [&](const char* name, const char* percent, const Names& more) {
    Names words = more;
    words.insert(words.end(), {"--until-noise", percent});
    EXPECT_EQ(animate("film.flam3", name, words).code, 0);
    return read_flames(folder / name, {}).flames.at(0).quality;
  };
  const double four = quality("4.png", "4", {"--frames", "4"});
  EXPECT_EQ(quality("7.png", "4", {"--frames", "7"}), four)
      << "every part of a film finds the same";
  EXPECT_EQ(quality("t.png", "4", {"--frames", "4", "--threads", "1"}), four);
  const double two = quality("2.png", "2", {"--frames", "4"});
  EXPECT_NEAR(two / four, 4, 1.2);
  EXPECT_EQ(quality("most.png", "2", {"--frames", "4", "--quality", "30"}), 30);

  const KeyFrames played = between_keys(read_flames(folder / "film.flam3", {}).flames, {});
  double noisiest = 0;
  for (const FrameTime& time : played.frames)
    noisiest = std::max(noisiest, noise_of(played, time, two));
  EXPECT_GT(noisiest, 0.02 * 0.7);
  EXPECT_LT(noisiest, 0.02 * 1.35);
}

TEST_F(film_program, says_where_its_quality_is_not_enough_for_its_noise) {
  const auto said = [&](const char* most) {
    return kiln({"animate", "film.flam3", "-o", "#.png", "--backend", "cpu", "--width", "48",
                 "--until-noise", "2", "--quality", most, "--dry-run"})
        .err;
  };
  const std::string few = said("1"), many = said("100000");
  EXPECT_NE(few.find("quality 1 is not enough for 2 % of noise"), std::string::npos) << few;
  const std::string takes = "which takes about ";
  ASSERT_NE(few.find(takes), std::string::npos) << few;
  EXPECT_GT(std::stod(few.substr(few.find(takes) + takes.size())), 2) << few;
  EXPECT_EQ(few.find("of its noisiest frames is noise"), std::string::npos) << few;
  EXPECT_NE(many.find("about 2 % of its noisiest frames is noise"), std::string::npos) << many;
  EXPECT_EQ(many.find("not enough"), std::string::npos) << many;
}

/// One key flame of too few samples is enough for that, whichever it is.
TEST_F(film_program, says_which_noise_any_of_its_flames_does_not_reach) {
  const std::string quality = "quality=\"20\"", few = "quality=\"1\"", many = "quality=\"100000\"";
  for (const bool first : {false, true}) {
    std::string keys = two_keys();
    keys.replace(keys.find(quality), quality.size(), first ? few : many);
    keys.replace(keys.find(quality), quality.size(), first ? many : few);
    write_file(folder / "keys.flam3", keys);
    for (const Names& more : {Names{}, Names{"--sequence", "--nframes", "4"}}) {
      Names words = {"animate",  "keys.flam3",    "-o", "#.png",           "--backend",
                     "cpu",      "--until-noise", "4",  "--quality-scale", "1",
                     "--dry-run"};
      words.insert(words.end(), more.begin(), more.end());
      const Outcome said = kiln(words);
      EXPECT_NE(said.err.find("is not enough for 4 % of noise"), std::string::npos) << said.err;
    }
  }
}

TEST_F(film_program, is_asked_for_its_noise_where_it_is_not_black_and_however_far_zoomed) {
  const std::string keys = two_keys("zoom=\"5\"");  // flam3: 1024 times the samples a pixel
  std::string fades = keys;
  fades.insert(fades.find("zoom="), "brightness=\"0\" ");
  write_file(folder / "fades.flam3", fades);
  const auto start = Clock::now();
  const Outcome asked =
      kiln({"animate", "fades.flam3", "--backend", "cpu", "--until-noise", "9", "--dry-run"});
  EXPECT_EQ(asked.code, 0);
  EXPECT_LT(seconds_since(start), 60) << "small pictures are small";
  EXPECT_NE(asked.err.find("of its noisiest frames is noise"), std::string::npos) << asked.err;

  std::string black = fades;
  black.insert(black.rfind("zoom="), "brightness=\"0\" ");
  write_file(folder / "black.flam3", black);
  const Outcome dark =
      kiln({"animate", "black.flam3", "--backend", "cpu", "--until-noise", "9", "--dry-run"});
  EXPECT_EQ(dark.code, 0);
  EXPECT_NE(dark.err.find("its noise cannot be told"), std::string::npos) << dark.err;
}

TEST_F(film_program, cannot_have_a_noise_that_is_not_its_own) {
  std::string moved = film();
  moved.insert(moved.find("<kiln_track"),
               "<kiln_track name=\"quality\"><key time=\"0\" value=\"9\"/></kiln_track>");
  write_file(folder / "moved.flam3", moved);
  const Outcome by_track = animate("moved.flam3", "#.png", {"--until-noise", "2"});
  EXPECT_EQ(by_track.code, 2);
  EXPECT_NE(by_track.err.find("a track moves its quality"), std::string::npos) << by_track.err;
}

TEST_F(film_program, spin_turns_one_flame_without_a_seam) {
  write_file(folder / "a.flam3", triangle("temporal_samples=\"5\""));
  ASSERT_EQ(animate("a.flam3", "spin-#.png", {"--spin", "0.5s", "--fps", "16"}).code, 0);
  ASSERT_EQ(animate("a.flam3", "turn-#.png", {"--sequence", "--loop", "--nframes", "8"}).code, 0);
  ASSERT_EQ(animate("a.flam3", "beat-#.png", {"--spin", "4b", "--bpm", "480", "--fps", "16"}).code,
            0);
  for (int frame = 0; frame < 8; ++frame) {
    EXPECT_TRUE(bytes("spin-" + number(frame)) == bytes("turn-" + number(frame))) << frame;
    EXPECT_TRUE(bytes("spin-" + number(frame)) == bytes("beat-" + number(frame))) << frame;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "spin-8.png"));
  for (const char* minute : {"1 min", "1min", "60s", "60 sec", "1m", "0.5 min"}) {
    const Outcome dry =
        kiln({"animate", "a.flam3", "--spin", minute, "--fps", "2", "--dry-run", "--json", "-q"});
    EXPECT_NE(dry.out.find(minute[0] == '0' ? "\"frames\":60," : "\"frames\":120,"),
              std::string::npos)
        << minute << dry.out << dry.err;
  }
  EXPECT_NE(animate("a.flam3", "x#.png", {"--spin", "0:10"}).err.find("3s or 1.5min"),
            std::string::npos);
  const Outcome small = animate("a.flam3", "x#.png", {"--spin", "8", "--max-memory", "1K"});
  EXPECT_EQ(small.code, 6);
  EXPECT_NE(small.err.find("--max-memory has 1.0 KiB"), std::string::npos) << small.err;
  for (const char* bpm : {"0", "-5", "1e300"})
    EXPECT_NE(animate("a.flam3", "x#.png", {"--spin", "4b", "--bpm", bpm}).err.find("--bpm"),
              std::string::npos)
        << bpm;
  EXPECT_NE(animate("film.flam3", "x#.png", {"--spin", "8"}).err.find("choose one with --flame"),
            std::string::npos);
  for (const Names& wrong : std::vector<Names>{{"--spin", "fast"},
                                               {"--spin", "-1s"},
                                               {"--spin", "0"},
                                               {"--spin", "4b"},
                                               {"--spin", "8", "--bpm", "120"},
                                               {"--sequence", "--nframes", "2.5"},
                                               {"--spin", "8 days"},
                                               {"--spin", "1 s s"},
                                               {"--spin", "min"},
                                               {"--spin", "8", "--nframes", "8"},
                                               {"--easing", "hold"},
                                               {"--hold", "2s"},
                                               {"--sequence", "--bpm", "0"},
                                               {"--sequence", "--hold", "1b"},
                                               {"--sequence", "--bpm", "120", "--beats", "0.01"}})
    EXPECT_EQ(animate("a.flam3", "x#.png", wrong).code, 2) << wrong[0] << wrong[1];
}

/// Pictures of one color, by which frames tell whose they are.
std::string plain_flame(const char* color, const char* more = "") {
  return std::string(
             "<flame size=\"8 8\" scale=\"1\" center=\"99 99\" quality=\"1\" "
             "estimator_radius=\"0\" background=\"") +
         color + "\" " + more + "><xform weight=\"1\" linear=\"1\" coefs=\"0.5 0 0 0.5 0 0\"/>" +
         "<palette count=\"2\" format=\"RGB\">ff000000ff00</palette></flame>";
}

TEST_F(film_program, a_song_of_beats_is_filled_with_cuts_and_cuts_stay_cuts) {
  if (!has_program("ffmpeg") || !has_program("ffprobe")) GTEST_SKIP() << "no ffmpeg";
  write_file(folder / "two.flam3",
             "<flames>" + plain_flame("1 0 0") + plain_flame("0 0 1") + "</flames>");
  ASSERT_EQ(std::system(("cd " + folder.path() +
                         " && ffmpeg -v error -f lavfi -i sine=duration=3.5 song.wav"
                         " && ffmpeg -v error -f lavfi -i sine=duration=1.99 short.wav")
                            .c_str()),
            0);
  const auto colors = [&](const std::string& song, Names more) {
    for (int i = 0; i < 60; ++i) std::filesystem::remove(folder / number(i));
    more.insert(more.end(), {"--sequence", "--loops", "0", "--fps", "10", "--audio", song,
                             "--fit-audio", "--video", "v.avi", "--temporal-samples", "1"});
    const Outcome outcome = animate("two.flam3", "#.png", more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::string text;
    for (int i = 0; std::filesystem::exists(folder / number(i)); ++i) {
      const std::vector<std::uint8_t> pixels = read_picture(folder / number(i)).pixels8();
      text += pixels[0] == 255 && pixels[2] == 0   ? 'r'
              : pixels[0] == 0 && pixels[2] == 255 ? 'b'
                                                   : '?';
    }
    return text;
  };
  const std::string r(10, 'r'), b(10, 'b');
  EXPECT_EQ(colors("song.wav", {"--bpm", "120", "--beats", "2", "--easing", "hold"}),
            r + b + r + "bbbbb");
  EXPECT_EQ(colors("short.wav", {"--bpm", "60", "--beats", "1", "--easing", "hold", "--loop"}),
            r + b);
  EXPECT_EQ(colors("short.wav", {"--nframes", "3", "--easing", "hold"}), r + b);
  EXPECT_EQ(colors("short.wav", {"--nframes", "3s", "--easing", "hold", "--loop"}), r + b);
  EXPECT_EQ(colors("short.wav", {"--nframes", "3", "--easing", "hold", "--hold", "2"}), r + b);
  const std::string flows = colors("song.wav", {"--bpm", "120", "--beats", "2"});
  EXPECT_EQ(flows.size(), 35u);
  for (const std::size_t beat : {10u, 20u, 30u})  // a flame alone at each, others between
    EXPECT_EQ(flows.substr(beat, 1), beat == 20 ? "r" : "b") << flows;
  EXPECT_EQ(flows.substr(14, 3), "???");
  EXPECT_EQ(animate("two.flam3", "#.png",
                    {"--sequence", "--audio", "song.wav", "--fit-audio", "--video", "w.avi",
                     "--dtime", "2"})
                .code,
            2);
  write_file(folder / "one.flam3", plain_flame("1 0 0"));  // it has no length of its own
  EXPECT_EQ(animate("one.flam3", "o#.png",
                    {"--sequence", "--loops", "0", "--easing", "hold", "--audio", "short.wav",
                     "--fit-audio", "--video", "w.avi", "--fps", "2"})
                .code,
            0);
}

TEST_F(film_program, keys_of_other_sizes_keep_their_framing) {
  const auto sized = [&](const std::string& size, const std::string& scale, const char* time) {
    std::string xml = triangle(std::string("temporal_samples=\"1\" time=\"") + time + "\"");
    xml.replace(xml.find("32 24"), 5, size);
    return xml.replace(xml.find("scale=\"20"), 9, "scale=\"" + scale);
  };
  const std::string first = sized("32 24", "20", "0"), same = sized("32 24", "20", "6"),
                    large = sized("640 480", "400", "6");
  write_file(folder / "same.flam3", "<flames>" + first + same + "</flames>");
  write_file(folder / "large.flam3", "<flames>" + first + large + "</flames>");
  for (const Names& more : std::vector<Names>{{"--sequence", "--nframes", "3", "--loops", "0"},
                                              {"--width", "48"},
                                              {"--size", "40x20"},
                                              {"--fit", "20x40"},
                                              {"--width", "48", "--crop", "20,20,10x10"}}) {
    ASSERT_EQ(animate("same.flam3", "s#.png", more).code, 0);
    const Outcome outcome = animate("large.flam3", "l#.png", more);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const int frame : {0, 1, 2})
      EXPECT_EQ(read_picture(folder / ("s" + number(frame))).pixels8(),
                read_picture(folder / ("l" + number(frame))).pixels8())
          << more[0] << frame;
  }
  // flam3's own films are what they were: the size alone is the first one's
  ASSERT_EQ(animate("same.flam3", "s#.png").code, 0);
  const Outcome outcome = kiln({"animate", "large.flam3", "-o", "l#.png", "--frames", "0-2"});
  EXPECT_NE(outcome.err.find("with --fit WxH it is"), std::string::npos) << outcome.err;
  EXPECT_NE(read_picture(folder / "s2.png").pixels8(), read_picture(folder / "l2.png").pixels8());
}

TEST_F(film_program, sequences_keep_to_the_beat) {
  const auto count = [&](Names more) {
    more.insert(more.begin(), {"sequence", "film.flam3", "-o", "-"});
    const Outcome outcome = kiln(more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return parse_flames(outcome.out, "out", {}).flames.size();
  };
  EXPECT_EQ(count({"--loops", "0", "--bpm", "120", "--beats", "3", "--fps", "30"}), 46u);
  EXPECT_EQ(count({"--loops", "0", "--bpm", "90", "--beats", "1", "--fps", "25"}),
            18u);  // 16.67 frames
  EXPECT_EQ(count({"--loops", "0", "--nframes", "10", "--hold", "0.5s", "--fps", "24"}), 35u);
  EXPECT_EQ(count({"--loops", "0", "--nframes", "0.5s", "--fps", "24"}), 13u);
  EXPECT_EQ(count({"--loops", "0", "--bpm", "120", "--beats", "2", "--hold", "2b"}), 91u);
}

/// With one thread nobody but the renderer itself can say how far the frame is.
TEST_F(film_program, says_how_far_a_long_frame_is_with_any_number_of_threads) {
  for (const char* threads : {"1", "2"}) {
    const Outcome outcome =
        kiln({"animate", "film.flam3", "--backend", "cpu", "-o", "#.png", "--frames", "0",
              "--quality", "3000", "--width", "200", "--threads", threads, "--progress", "json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("\"stage\":\"iterate\""), std::string::npos)
        << threads << ": " << outcome.err;
  }
}

/// The poster is of the film, whoever made its frame and when.
TEST_F(film_program, has_its_poster_where_its_frames_are_kept) {
  if (!has_program("ffmpeg")) GTEST_SKIP() << "no ffmpeg";
  ASSERT_EQ(animate("film.flam3", "f/#.png", {"--frames", "0-3", "--bits", "16"}).code, 0);
  for (const char* frame : {"0", "2"}) {
    const Outcome outcome = animate("film.flam3", "f/#.png",
                                    {"--frames", "0-3", "--bits", "16", "--resume", "--video",
                                     "a.avi", "--poster", "p.png", "--poster-frame", frame});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const Outcome same = kiln({"compare", "p.png", std::string("f/") + frame + ".png"});
    EXPECT_EQ(same.code, 0) << same.out << same.err;
  }
}

}  // namespace
}  // namespace kiln
