// SPDX-License-Identifier: MIT
// What a picture costs, asked before it is rendered: info with the options of render, --dry-run,
// and folders as input.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <filesystem>
#include <regex>
#include <sstream>

#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;
using Names = std::vector<std::string>;

class cost : public testing::Test {
 protected:
  Outcome kiln(const std::vector<std::string>& arguments) const {
    return run_program(arguments, {folder.path(), "", {}, {}});
  }
  ScratchFolder folder;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The number behind "member": in a JSON text; -1 if it is not there.
double member(const std::string& json, const std::string& name) {
  std::smatch found;
  const bool there = std::regex_search(json, found, std::regex("\"" + name + "\":([-0-9.e+]+)"));
  return there ? std::stod(found[1]) : -1;
}

TEST_F(cost, info_takes_the_options_of_render) {
  write_file(folder / "a.flame", triangle());
  const std::string json =
      kiln({"info", "a.flame", "--json", "--width", "320", "--quality", "10", "--time"}).out;
  EXPECT_EQ(member(json, "width"), 320);
  EXPECT_EQ(member(json, "samples"), 320 * 240 * 10) << json;
  EXPECT_GT(member(json, "seconds"), 0) << json;
  EXPECT_EQ(member(kiln({"info", "a.flame", "--json"}).out, "seconds"), -1);
  EXPECT_TRUE(folder.entries() == Names{"a.flame"});
}

TEST_F(cost, info_takes_what_keeps_sums_and_prints) {
  write_file(folder / "a.flame", triangle());
  const auto info = [&](Names more) {
    more.insert(more.begin(), {"info", "a.flame", "--json", "--backend", "cpu", "--threads", "2",
                               "--size", "640x480"});
    const Outcome outcome = kiln(more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  const auto memory = [&](const Names& more) { return member(info(more), "memory_bytes"); };
  const double alone = memory({}), noise = memory({"--until-noise", "1"});
  EXPECT_GT(noise, alone + 640 * 480 * 4 * 8) << "a second half, and probes";
  EXPECT_EQ(memory({"--halves"}), noise);
  EXPECT_GT(memory({"--checkpoint", "60"}), alone + 640 * 480 * 4 * 8 - 1) << "the copy";
  EXPECT_GT(memory({"--checkpoint", "60", "--halves"}), noise);
  EXPECT_GT(member(info({"--max-memory", "10M"}), "stripes"), 1);
  EXPECT_EQ(member(info({"--max-memory", "10M", "--until-noise", "1"}), "stripes"), 0);
  EXPECT_GT(memory({"--hdr", "pq"}), 0);
  EXPECT_GT(member(info({"--bleed", "3mm", "--dpi", "300", "--crop-marks"}), "crop_marks"), 0);
  EXPECT_EQ(kiln({"info", "a.flame", "--crop-marks"}).code, 2);
  EXPECT_EQ(kiln({"info", "a.flame", "--shard", "1/2", "--until-noise", "1"}).code, 2);
  EXPECT_TRUE(folder.entries() == Names{"a.flame"});
}

/// What is measured: the options of a picture of a sample flame.
struct Size {
  const char* flame;
  Names options;
};

// info says two numbers: of an estimator that needs no FFT and, as the most, of one that does. The
// peak is that of one of them, within a tenth (and 3 MB, which libraries may take elsewhere). The
// large ones with KILN_TEST_ROUNDS only.
TEST_F(cost, memory_is_what_the_render_takes) {
  const Size sizes[] = {
      {"conch", {"--size", "64x64", "--quality", "20"}},
      {"conch", {"--size", "320x180", "--supersample", "3", "--quality", "10"}},
      {"sierpinski", {"--size", "640x360", "--quality", "20", "--set", "estimator_radius=0"}},
      {"gauze", {"--size", "1280x720", "--quality", "10"}},
      {"halo",
       {"--size", "1920x1080", "--quality", "10", "--bits", "16", "--transparent", "--set",
        "estimator_radius=0"}},
      {"meadow",
       {"--size", "1000x1000", "--quality", "2", "--bloom", "0.2,3%", "--set",
        "estimator_radius=0"}},
      {"meadow", {"--size", "1920x1080", "--quality", "5", "--bloom", "0.2,3%"}},
      {"whirligig",
       {"--size", "2048x2048", "--supersample", "2", "--quality", "3", "--set",
        "estimator_radius=20"}},
      {"conch", {"--size", "3840x2160", "--supersample", "2", "--quality", "1"}},
      {"coral", {"--size", "8192x8192", "--quality", "0.3", "--set", "estimator_radius=0"}},
      {"coral", {"--size", "16384x16384", "--quality", "0.1", "--set", "estimator_radius=0"}}};
  const bool all = std::getenv("KILN_TEST_ROUNDS");
  for (const Size& size : sizes) {
    const std::string flame = std::string(source_dir()) + "/flames/" + size.flame + ".flam3";
    Names info = {"info", flame, "--json", "--backend", "cpu", "--threads", "2"};
    Names render = {"render", flame, "--json",    "-q",        "--backend",
                    "cpu",    "-o",  "/dev/null", "--threads", "2"};
    info.insert(info.end(), size.options.begin(), size.options.end());
    render.insert(render.end(), size.options.begin(), size.options.end());
    const std::string said = kiln(info).out;
    const double usual = member(said, "memory_bytes"), most = member(said, "memory_most_bytes");
    if (usual > (all ? 0.8 * double(available_memory_bytes()) : 3e8)) continue;
    const auto patient = [] { alarm(1800); };
    const Outcome made = run_program(render, {folder.path(), "", {}, patient});
    const double peak = member(made.out, "peak_memory_bytes");
    const double nearest = std::fabs(peak - usual) < std::fabs(peak - most) ? usual : most;
    std::printf("%s %s: %.1f or %.1f MB said, %.1f MB taken: %.3f\n", size.flame,
                size.options[1].c_str(), usual / 1e6, most / 1e6, peak / 1e6, peak / nearest);
    EXPECT_NEAR(peak, nearest, 0.1 * nearest + 3e6) << said;
  }
}

// A stripe and its pixels, not the 120 MB of the whole picture's: a file takes them row by row.
TEST_F(cost, memory_of_a_picture_in_stripes_is_that_of_one) {
  const std::string flame = std::string(source_dir()) + "/flames/coral.flam3";
  for (const char* output : {"x.png", "/dev/null"}) {
    Names render = {"render", flame, "--json", "-q", "--backend", "cpu", "--threads", "2"};
    for (const char* word : {"--size", "3000x5000", "--quality", "0.05", "--set",
                             "estimator_radius=0", "--max-memory", "150M", "--bits", "16", "-o"})
      render.push_back(word);
    render.push_back(output);
    Names dry = render;
    dry.push_back("--dry-run");
    const std::string said = kiln(dry).out;
    EXPECT_GT(member(said, "stripes"), 4) << said;
    const double most = member(said, "memory_most_bytes");
    const double peak = member(kiln(render).out, "peak_memory_bytes");
    std::printf("stripes into %s: %.1f MB said, %.1f MB taken: %.3f\n", output, most / 1e6,
                peak / 1e6, peak / most);
    EXPECT_NEAR(peak, most, 0.1 * most + 15e6) << said;  // the compressor's threads hold some MB
  }
}

/// The process takes what it was allowed at most, and what info says, however many samples there
/// are. The smallest stripe of 32768x200, of one row of cells, takes some MB more than 120 MiB with
/// all that the program is.
TEST_F(cost, memory_of_long_and_wide_stripes_is_what_was_allowed) {
  struct Size {
    const char *size, *quality;
    int mebibytes;
    double most = 1;
  };
  const Size sizes[] = {{"200x32768", "0.05", 40},       {"200x32768", "1", 40},
                        {"200x32768", "0.05", 64},       {"200x32768", "4", 64},
                        {"32768x200", "0.05", 120, 1.1}, {"32768x200", "0.05", 144},
                        {"32768x400", "0.05", 204},      {"6000x6000", "0.05", 204}};
  for (const auto& [size, quality, mebibytes, most] : sizes) {
    const Names words = {std::string(source_dir()) + "/flames/coral.flam3",
                         "--json",
                         "--backend",
                         "cpu",
                         "--threads",
                         "2",
                         "--size",
                         size,
                         "--quality",
                         quality,
                         "--set",
                         "estimator_radius=3",
                         "--max-memory",
                         std::to_string(mebibytes) + "M"};
    Names info = words, render = words;
    info.insert(info.begin(), "info");
    render.insert(render.begin(), {"render", "-q", "-o", "x.png"});
    const double said = member(kiln(info).out, "memory_most_bytes"),
                 allowed = double(mebibytes) * (1 << 20);
    const double peak = member(kiln(render).out, "peak_memory_bytes");
    std::printf("%s, quality %s in %.1f MB: %.1f MB said, %.1f MB taken: %.3f\n", size, quality,
                allowed / 1e6, said / 1e6, peak / 1e6, peak / said);
    EXPECT_LE(peak, most * allowed) << size;
    EXPECT_NEAR(peak, said, 0.1 * said + 6e6) << size;  // builds are of several sizes
  }
}

/// Cells of a volume in depth: 4 GB, which the process may not take.
TEST_F(cost, memory_of_a_volume_is_refused_before_it_is_taken) {
  const std::string flame = std::string(source_dir()) + "/flames/wild/harbour.flame";
  const auto few = [] {
    const rlimit limit{2'000'000'000, 2'000'000'000};
    setrlimit(RLIMIT_AS, &limit);
  };
  const Names words = {"points", flame, "-o", "a.npy", "--count", "1e5", "--cells"};
  Names many = words, some = words;
  many.push_back("1024");
  some.push_back("64");
  const Outcome refused = run_program(many, {folder.path(), "", {}, few});
  EXPECT_EQ(refused.code, int(ErrorKind::device)) << refused.err;
  EXPECT_TRUE(contains(refused.err, "--cells")) << refused.err;
  EXPECT_EQ(run_program(some, {folder.path(), "", {}, few}).code, 0);
  EXPECT_TRUE(folder.entries() == Names{"a.npy"});
}

TEST_F(cost, memory_of_depth_is_counted) {
  constexpr double bytes_a_unit = 2048 * 4;  // a float for each point of a pool
  const auto memory = [&](const std::string& more_of_an_xform) {
    std::string flame = triangle("cam_pitch=\"0.5\"");
    flame.insert(flame.find("linear"), more_of_an_xform);
    write_file(folder / "deep.flame", flame);
    const std::string said = kiln({"info", "deep.flame", "--json", "--backend", "cpu", "--threads",
                                   "2", "--size", "640x480", "--quality", "50"})
                                 .out;
    return member(said, "memory_bytes");
  };
  const double more = memory("ztranslate=\"0.001\" ") - memory("");
  EXPECT_GE(more, 4 * bytes_a_unit);
  EXPECT_EQ(std::fmod(more, bytes_a_unit), 0) << more;
}

TEST_F(cost, memory_of_an_animation_counts_what_waits) {
  if (!has_program("ffmpeg")) GTEST_SKIP() << "no ffmpeg";
  const Names all = {"animate",
                     std::string(source_dir()) + "/flames/tides.flam3",
                     "--json",
                     "-q",
                     "--frames",
                     "0-5",
                     "--width",
                     "960",
                     "--quality",
                     "5",
                     "--temporal-samples",
                     "4",
                     "--backend",
                     "cpu",
                     "--threads",
                     "2",
                     "--video",
                     "v.avi"};
  Names dry = all;
  dry.push_back("--dry-run");
  const std::string said = kiln(dry).out;
  const double usual = member(said, "memory_bytes"), most = member(said, "memory_most_bytes");
  double peak = 0;  // of the last frame: it grows with them
  const std::string made = kiln(all).out;
  const std::regex each("\"peak_memory_bytes\":([0-9]+)");
  for (std::sregex_iterator at(made.begin(), made.end(), each), end; at != end; ++at)
    peak = std::max(peak, std::stod((*at)[1]));
  // how many frames wait for the video is a matter of time
  const double nearest = std::clamp(peak, usual, most);
  std::printf("video 960: %.1f to %.1f MB said, %.1f MB taken\n", usual / 1e6, most / 1e6,
              peak / 1e6);
  EXPECT_NEAR(peak, nearest, 0.1 * nearest + 3e6) << said;
}

// Frames that wait for their files are there beside the points of the next one.
TEST_F(cost, memory_of_frames_counts_those_beside_the_one_under_way) {
  const Names all = {"animate",
                     std::string(source_dir()) + "/flames/conch.flam3",
                     "--json",
                     "-q",
                     "--spin",
                     "8",
                     "--width",
                     "640",
                     "--quality",
                     "2",
                     "--set",
                     "estimator_radius=0",
                     "--temporal-samples",
                     "3",
                     "--backend",
                     "cpu",
                     "--threads",
                     "2",
                     "-o",
                     "####.png"};
  Names dry = all;
  dry.push_back("--dry-run");
  const double most = member(kiln(dry).out, "memory_most_bytes");
  const std::string made = kiln(all).out;
  const std::regex each("\"peak_memory_bytes\":([0-9]+)");
  double peak = 0;
  for (std::sregex_iterator at(made.begin(), made.end(), each), end; at != end; ++at)
    peak = std::max(peak, std::stod((*at)[1]));
  std::printf("frames 640: %.1f MB said, %.1f MB taken\n", most / 1e6, peak / 1e6);
  EXPECT_LT(peak, 1.05 * most);
}

/// A process counts what it held before it became the program, too.
TEST_F(cost, peak_memory_is_of_the_program_alone) {
  write_file(folder / "a.flame", triangle());
  const std::vector<char> held(std::size_t(300) << 20, 1);
  const std::string made = kiln({"render", "a.flame", "--json", "-q", "--backend", "cpu"}).out;
  EXPECT_GT(member(made, "peak_memory_bytes"), 5e6) << made;
  EXPECT_LT(member(made, "peak_memory_bytes"), 1e8) << made << held[7];
}

TEST_F(cost, info_ends_as_the_first_that_it_could_not_show) {
  write_file(folder / "cut.flame", "<flame><xform");
  std::string wide = triangle("estimator_minimum=\"13\" supersample=\"16\"");
  wide.replace(wide.find("estimator_radius=\"0\""), 20, "estimator_radius=\"512\"");
  write_file(folder / "wide.flame", wide);
  EXPECT_EQ(kiln({"info", "cut.flame", "wide.flame", "--max-memory", "1G"}).code, 3);
  EXPECT_EQ(kiln({"info", "wide.flame", "cut.flame", "--max-memory", "1G"}).code, 6);
}

TEST_F(cost, dry_run_renders_nothing_and_says_what_would_be) {
  write_file(folder / "a.flame", triangle());
  write_file(folder / "keys.flame", two_keys());
  const Outcome still = kiln({"render", "a.flame", "--dry-run", "--quality", "100"});
  EXPECT_EQ(still.code, 0) << still.err;
  EXPECT_TRUE(contains(still.out, "a.png: 32 x 24 pixels, 76.8 k samples, ")) << still.out;
  EXPECT_TRUE(contains(still.err, "dry run: 1 picture, about 0:0")) << still.err;
  EXPECT_TRUE(contains(still.err, "nothing was written")) << still.err;
  const std::string json = kiln({"render", "a.flame", "--dry-run", "--json", "-q"}).out;
  EXPECT_EQ(member(json, "samples"), 32 * 24 * 5) << json;
  const Outcome frames = kiln({"animate", "keys.flame", "-o", "out/####.png", "--dry-run"});
  EXPECT_EQ(frames.code, 0) << frames.err;
  EXPECT_TRUE(contains(frames.out, "10 frames of 32 x 24 pixels, about 0:0")) << frames.out;
  EXPECT_TRUE(contains(frames.out, " in all; a frame: ")) << frames.out;
  EXPECT_EQ(folder.entries(), (Names{"a.flame", "keys.flame"}));
}

// Quality 1e8 had no answer after a minute; a limit of 5 s was six hours.
TEST_F(cost, dry_run_measures_little_whatever_the_quality_and_knows_what_ends_it) {
  write_file(folder / "a.flame", triangle());
  const auto forecast = [&](const Names& more) {
    Names all = {"render", "a.flame", "--dry-run", "--json", "-q", "--backend", "cpu"};
    all.insert(all.end(), more.begin(), more.end());
    return kiln(all).out;
  };
  const std::string all = forecast({"--quality", "1e8"});
  EXPECT_EQ(member(all, "samples"), 32 * 24 * 1e8) << all;
  EXPECT_GT(member(all, "seconds"), 10) << all;
  const std::string limited = forecast({"--quality", "1e8", "--time-limit", "3"});
  EXPECT_LT(member(limited, "samples"), 32 * 24 * 1e8) << limited;
  EXPECT_GE(member(limited, "seconds"), 3) << limited;
  EXPECT_LT(member(limited, "seconds"), 8) << limited;
  EXPECT_TRUE(contains(limited, R"("ends_by":"time")")) << limited;
  const std::string conch = std::string(source_dir()) + "/flames/conch.flam3";
  const auto until = [&](const char* percent) {
    return kiln({"render", conch, "--dry-run", "--json", "-q", "--backend", "cpu", "--width", "480",
                 "--until-noise", percent})
        .out;
  };
  const std::string noisy = until("3"), clean = until("0.3");
  EXPECT_TRUE(contains(clean, R"("ends_by":"noise")")) << clean;
  EXPECT_GT(member(clean, "samples"), 5 * member(noisy, "samples")) << clean << noisy;
}

// Preparing a thousand moments takes longer than rendering them: it was not counted.
TEST_F(cost, a_forecast_of_frames_counts_their_motion) {
  write_file(folder / "keys.flame", two_keys());
  const auto seconds = [&](const char* moments) {
    return member(kiln({"animate", "keys.flame", "-o", "####.png", "--dry-run", "--json", "-q",
                        "--temporal-samples", moments})
                      .out,
                  "seconds");
  };
  EXPECT_GT(seconds("5000"), 2 * seconds("1"));
}

TEST_F(cost, progress_as_json_has_the_time_to_go_of_all_pictures) {
  write_file(folder / "a.flame", triangle());
  write_file(folder / "b.flame", triangle());
  const std::string said = kiln({"render", "a.flame", "b.flame", "--size", "640x480", "--quality",
                                 "800", "--progress", "json", "--backend", "cpu"})
                               .err;
  std::istringstream lines(said);
  double last = 0;
  int heard = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!contains(line, R"("event":"progress")") || member(line, "elapsed_s") == 0) continue;
    EXPECT_GE(member(line, "all_done"), last) << line;
    EXPECT_GE(member(line, "all_remaining_s"), member(line, "remaining_s")) << line;
    last = member(line, "all_done");
    ++heard;
  }
  EXPECT_GT(heard, 1) << said;
}

/// Its frames have what its flames leave of --max-memory: those of a file are held, those of a sequence are not.
TEST_F(cost, a_film_counts_its_flames) {
  const auto is_there = [&](std::vector<std::string> film) {
    film.insert(film.begin(), "animate");
    for (const char* word :
         {"-o", "#.png", "--size", "800x600", "--clean", "1", "--frames", "0", "--max-memory",
          "185M", "--dry-run", "--backend", "cpu", "--threads", "2"})
      film.push_back(word);
    const Outcome outcome = kiln(film);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return !contains(outcome.out, "of memory, which is not there");
  };
  const auto keys = [&](int count) {
    std::string all = "<flames>";
    for (int i = 0; i < count; ++i) all += triangle(fmt::format("time=\"{}\"", i));
    write_file(folder / "keys.flame", all + "</flames>");
  };
  keys(4);
  EXPECT_TRUE(is_there({"keys.flame"}));
  keys(1700);
  EXPECT_FALSE(is_there({"keys.flame"})) << "they take 100 MB";
  write_file(folder / "a.flame", triangle());
  EXPECT_TRUE(is_there({"a.flame", "--sequence", "--nframes", "1700"}));
}

TEST_F(cost, dry_run_fails_where_the_render_would) {
  write_file(folder / "a.flame", triangle());
  const Outcome large =
      kiln({"render", "a.flame", "--dry-run", "--scale", "100", "--max-memory", "200K"});
  EXPECT_EQ(large.code, 6) << large.err;
  EXPECT_EQ(kiln({"render", "a.flame", "--dry-run", "-o", "no/such/a.png"}).code, 5);
}

TEST_F(cost, a_folder_stands_for_its_flames) {
  std::filesystem::create_directories(folder / "pack/inner.flame");
  write_file(folder / "pack/b.flame", triangle());
  write_file(folder / "pack/a.flam3", triangle());
  write_file(folder / "pack/notes.txt", "no flame");
  std::filesystem::create_directory(folder / "empty");
  EXPECT_EQ(kiln({"render", "pack", "-q"}).out, "a.png\nb.png\n");
  EXPECT_EQ(kiln({"validate", "pack"}).out,
            "pack/a.flam3: complete, 1 flame\npack/b.flame: complete, 1 flame\n");
  EXPECT_TRUE(contains(kiln({"info", "pack/"}).out, "pack/b.flame: 1 flame"));
  const Outcome nothing = kiln({"render", "empty"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_TRUE(contains(nothing.err, "has no .flam3 or .flame file")) << nothing.err;
}

TEST_F(cost, validate_speaks_json) {
  write_file(folder / "a.flame", triangle());
  write_file(folder / "b.flame", "<flame");
  const Outcome outcome = kiln({"validate", "a.flame", "b.flame", "--json"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(contains(outcome.out, R"({"file":"a.flame","code":0,"flames":1,)")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, R"({"file":"b.flame","code":3,"flames":0,)")) << outcome.out;
}

TEST_F(cost, an_interrupt_says_how_to_go_on_as_the_rest_is_said) {
  write_file(folder / "keys.flame", two_keys());
  const auto interrupted = [&](const Names& more) {
    Names all = {"animate", "keys.flame", "--quality", "2000", "--width", "400", "-o", "####.png"};
    all.insert(all.end(), more.begin(), more.end());
    for (const std::string& name : folder.entries()) {
      if (contains(name, ".png")) std::filesystem::remove(folder / name);
    }
    const ScratchFolder logs;
    const pid_t child = start_program(all, logs, {folder.path(), "", {}, {}});
    while (is_running(child) && folder.entries().size() < 2) usleep(2000);
    kill(child, SIGINT);
    EXPECT_EQ(wait_for(child), 130);
    return read_file(logs / "err");
  };
  EXPECT_TRUE(contains(interrupted({}), "--resume goes on"));
  EXPECT_EQ(interrupted({"-q"}), "");
  const std::string json = interrupted({"--progress", "json"});
  EXPECT_TRUE(contains(json, "\"event\":\"interrupted\"")) << json;
  std::istringstream lines(json);
  for (std::string line; std::getline(lines, line);) EXPECT_EQ(line.front(), '{') << line;
}

// A film is made of frames of 16 bits: those of 8 are gone on with without it.
TEST_F(cost, an_interrupt_beside_a_film_says_which_frames_go_on) {
  if (!has_program("ffmpeg")) GTEST_SKIP() << "no ffmpeg";
  write_file(folder / "keys.flame", two_keys());
  for (const std::string bits : {"8", "16"}) {
    const ScratchFolder logs;
    const pid_t child =
        start_program({"animate", "keys.flame", "--quality", "2000", "--width", "400", "--bits",
                       bits, "-o", bits + "-####.png", "--video", "a.mkv"},
                      logs, {folder.path(), "", {}, {}});
    while (is_running(child) && !std::filesystem::exists(folder / (bits + "-0000.png")))
      usleep(2000);
    kill(child, SIGINT);
    EXPECT_EQ(wait_for(child), 130);
    const std::string said = read_file(logs / "err");
    EXPECT_TRUE(contains(said, "the finished frames stay; ")) << said;
    EXPECT_EQ(contains(said, "without --video"), bits == "8") << said;
  }
}

TEST_F(cost, stills_of_one_time_are_told_of_sequence) {
  write_file(folder / "two.flame", "<flames>" + triangle() + triangle() + "</flames>");
  const Outcome outcome = kiln({"animate", "two.flame"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(contains(outcome.err, "--sequence")) << outcome.err;
}

}  // namespace
}  // namespace kiln
