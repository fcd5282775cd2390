// SPDX-License-Identifier: MIT
// kiln check from outside: each kind of wrong frame is named, and a good animation passes.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "engine/io/picture/exr.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/picture_record.h"
#include "engine/io/picture/png_writer.h"
#include "engine/model/image.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;
namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t lines_of(const std::string& text) {
  return std::size_t(std::count(text.begin(), text.end(), '\n'));
}

/// Ten frames in out/, their list in frames.tsv.
class check : public testing::Test {
 protected:
  check() {
    write_file(folder / "keys.flame", two_keys());
    const auto made = kiln({"animate", "keys.flame", "-q", "-o", "out/##.png", "--quality", "400",
                            "--backend", "cpu", "--manifest", "frames.tsv"});
    EXPECT_EQ(made.code, 0) << made.err;
  }
  test::Outcome kiln(const std::vector<std::string>& arguments) const {
    return run_program(arguments, {folder.path(), "", {}, {}});
  }
  /// What check says, its code first.
  std::string checked(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "check");
    const test::Outcome outcome = kiln(arguments);
    return std::to_string(outcome.code) + "\n" + outcome.out + outcome.err;
  }
  std::string path(int frame) const { return folder / ("out/0" + std::to_string(frame) + ".png"); }
  /// Frame `frame` with other pixels and the record that they ask for, so that only they are odd.
  void repaint(int frame, const std::function<void(std::uint8_t* rgba)>& paint) const {
    const PictureFileTexts file = read_picture_texts(path(frame));
    Image image = read_png(path(frame));
    const std::string before = pixel_hash(image);
    for (std::size_t i = 0; i < image.pixels8().size(); i += 4) paint(&image.pixels8()[i]);
    std::string record = file.texts.find(record_key)->second;
    record.replace(record.find(before), before.size(), pixel_hash(image));
    write_png(path(frame), image, picture_texts(file.texts.find(genome_key)->second, record));
  }

  ScratchFolder folder;
};

TEST_F(check, a_good_animation_passes) {
  EXPECT_EQ(checked({"out"}), "0\n10 files, 10 of an animation: 0 problems\n");
  EXPECT_EQ(checked({"--manifest", "frames.tsv"}), "0\n10 files, 10 of an animation: 0 problems\n");
  EXPECT_EQ(checked({"out", "--manifest", "frames.tsv", "--frames", "0-9"}).substr(0, 2), "0\n");
  EXPECT_TRUE(
      contains(checked({"out", "--json"}), R"({"files":10,"frames":10,"ok":true,"problems":[]})"));
}

TEST_F(check, a_truncated_frame_is_named_once) {
  const std::string bytes = read_file(path(4));
  for (const std::size_t left :
       {bytes.size() - 1, bytes.size() / 2, std::size_t(3), std::size_t(0)}) {
    write_file(path(4), bytes.substr(0, left));
    const std::string said = checked({"out"});
    EXPECT_EQ(said.rfind("1\nout/04.png: truncated: ", 0), 0u) << said;
    EXPECT_EQ(lines_of(said), 3u) << said;
  }
  write_file(path(4), bytes + "x");
  EXPECT_TRUE(contains(checked({"out"}), "out/04.png: truncated: something follows"));
}

TEST_F(check, a_missing_frame_is_named) {
  fs::remove(path(4));
  EXPECT_TRUE(contains(checked({"out"}), "1\nframe 4: missing: "));
  const std::string listed = checked({"--manifest", "frames.tsv"});
  EXPECT_TRUE(contains(listed, "out/04.png: missing: frames.tsv names it")) << listed;
  EXPECT_EQ(lines_of(listed), 3u) << listed;
  EXPECT_TRUE(contains(checked({"out", "--frames", "0-3,5-11"}), "frame 10: missing"));
  EXPECT_EQ(checked({"out", "--frames", "0-3,5-9"}).substr(0, 2), "0\n");
  for (const int frame : {1, 3, 5, 7, 9}) fs::remove(path(frame));  // a step of two, and a gap
  const std::string said = checked({"out"});
  EXPECT_TRUE(contains(said, "frame 4: missing")) << said;
  EXPECT_EQ(lines_of(said), 3u) << said;
}

TEST_F(check, changed_pixels_are_found_by_the_record_and_by_the_manifest) {
  const PictureFileTexts file = read_picture_texts(path(3));
  Image image = read_png(path(3));
  image.pixels8()[5] ^= 1;
  write_png(
      path(3), image,
      picture_texts(file.texts.find(genome_key)->second, file.texts.find(record_key)->second));
  EXPECT_TRUE(contains(checked({"out"}), "1\nout/03.png: changed: "));
  repaint(6, [](std::uint8_t* rgba) { rgba[0] ^= 1; });  // a record that lies with them
  EXPECT_FALSE(contains(checked({"out"}), "06.png"));
  const std::string said = checked({"out", "--manifest", "frames.tsv"});
  EXPECT_TRUE(contains(said, "out/06.png: changed: ")) << said;
}

TEST_F(check, black_and_even_frames_are_named) {
  repaint(2, [](std::uint8_t* rgba) { rgba[0] = rgba[1] = rgba[2] = 0; });
  repaint(7, [](std::uint8_t* rgba) { rgba[0] = rgba[1] = rgba[2] = 9; });
  const std::string said = checked({"out"});
  EXPECT_TRUE(contains(said, "out/02.png: black: ")) << said;
  EXPECT_TRUE(contains(said, "out/07.png: one-color: ")) << said;
  EXPECT_EQ(lines_of(said), 4u) << said;
  EXPECT_EQ(checked({"out", "--ignore", "black,one-color"}).substr(0, 2), "0\n");
}

TEST_F(check, a_frame_unlike_its_neighbors_is_named) {
  for (const int frame : {0, 5, 9}) {
    const std::string bytes = read_file(path(frame));
    repaint(frame, [](std::uint8_t* rgba) {
      for (int c = 0; c < 3; ++c) rgba[c] = static_cast<std::uint8_t>(255 - rgba[c]);
    });
    const std::string said = checked({"out"});
    EXPECT_TRUE(contains(said, "out/0" + std::to_string(frame) + ".png: outlier: ")) << said;
    EXPECT_EQ(lines_of(said), 3u) << said;
    write_file(path(frame), bytes);
  }
}

TEST_F(check, strangers_doubles_and_what_kiln_did_not_make) {
  ASSERT_EQ(kiln({"animate", "keys.flame", "-q", "-o", "out/##.png", "--frames", "8", "--seed", "5",
                  "--backend", "cpu", "--quality", "400"})
                .code,
            0);
  EXPECT_TRUE(contains(checked({"out"}), "out/08.png: settings: made with kiln"));
  fs::copy(path(1), folder / "out/copy.png");
  EXPECT_TRUE(contains(checked({"out"}), "out/copy.png: duplicate: out/01.png is the same frame"));
  EXPECT_TRUE(contains(checked({"out", "--manifest", "frames.tsv"}), "out/copy.png: unlisted: "));
  write_png(folder / "out/copy.png", read_png(path(1)), {});
  EXPECT_TRUE(contains(checked({"out"}), "out/copy.png: unrecorded: "));
}

TEST_F(check, frames_of_another_brightness_are_named) {
  ASSERT_EQ(kiln({"animate", "keys.flame", "-q", "-o", "out/##.png", "--quality", "400",
                  "--brightness", "5", "--backend", "cpu", "--frames", "2-4"})
                .code,
            0);
  const std::string said = checked({"out", "--ignore", "outlier"});
  for (const char* frame : {"2", "3", "4"})
    EXPECT_TRUE(contains(said, std::string("out/0") + frame +
                                   ".png: settings: made of other flames or settings than most"))
        << said;
  EXPECT_TRUE(contains(said, "10 of an animation: 3 problems")) << said;
}

TEST_F(check, a_share_is_rendered_again) {
  const std::string some =
      checked({"--manifest", "frames.tsv", "--render", "0.3", "--seed", "7", "--backend", "cpu"});
  EXPECT_TRUE(
      contains(some, "rendered again 3 (--seed 7): 3 with the same pixels, 3 to the byte\n"))
      << some;
  const std::string all = checked({"out", "--render", "1", "--backend", "cpu"});  // by themselves
  EXPECT_TRUE(contains(all, "): 10 with the same pixels, 10 to the byte\n")) << all;
  repaint(6, [](std::uint8_t* rgba) { rgba[0] ^= 1; });
  for (const char* manifest : {"--manifest=frames.tsv", "out"}) {
    const std::string said = checked({manifest, "--render", "1", "--backend", "cpu"});
    EXPECT_TRUE(contains(said, "out/06.png: rendered: ")) << said;
    EXPECT_EQ(said.substr(0, 2), "1\n");
  }
}

TEST_F(check, motion_blur_needs_the_manifest) {
  const std::vector<std::string> blurred = {
      "animate", "keys.flame", "-q",  "-o",        "blur/##.png", "--temporal-samples",
      "5",       "--frames",   "0-5", "--backend", "cpu",         "--manifest",
      "blur.tsv"};
  ASSERT_EQ(kiln(blurred).code, 0);
  const std::string alone = checked({"blur", "--render", "1", "--backend", "cpu"});
  EXPECT_TRUE(contains(alone, "not rendered again: its motion blur")) << alone;
  EXPECT_EQ(alone.substr(0, 2), "0\n");
  const std::string whole =
      checked({"--manifest", "blur.tsv", "--render", "1", "--backend", "cpu"});
  EXPECT_TRUE(contains(whole, "): 6 with the same pixels, 6 to the byte\n")) << whole;
  write_file(folder / "keys.flame", two_keys("brightness=\"9\""));  // not those of the frames
  const std::string other =
      checked({"--manifest", "blur.tsv", "--render", "1", "--backend", "cpu"});
  EXPECT_TRUE(contains(other, "the manifest's command does not make this frame")) << other;
}

TEST_F(check, linear_frames_are_checked_too) {
  if (!exr_supported()) GTEST_SKIP() << "no OpenEXR in this build";
  for (const char* precision : {"half", "float"}) {
    const std::string name = precision;
    ASSERT_EQ(kiln({"animate", "keys.flame", "-q", "-o", name + "/##.exr", "--exr", name,
                    "--frames", "0-5", "--backend", "cpu", "--manifest", name + ".tsv"})
                  .code,
              0);
    const std::string said =
        checked({"--manifest", name + ".tsv", "--render", "1", "--backend", "cpu"});
    EXPECT_TRUE(contains(said, "): 6 with the same pixels, 6 to the byte\n")) << said;
    fs::copy(folder / (name + "/01.exr"), folder / (name + "/02.exr"),
             fs::copy_options::overwrite_existing);
    EXPECT_TRUE(contains(checked({"--manifest", name + ".tsv"}), "02.exr: changed: "));
  }
}

/// They have no record: a manifest would be empty, and no frame of it wrong.
TEST_F(check, formats_without_records_have_no_manifest) {
  const test::Outcome listed =
      kiln({"animate", "keys.flame", "-q", "-o", "p/##.ppm", "--manifest", "p.tsv"});
  EXPECT_EQ(listed.code, 2);
  EXPECT_TRUE(contains(listed.err,
                       "PPM frames have no record, of which --manifest is made; name them .png"))
      << listed.err;
  EXPECT_FALSE(fs::exists(folder / "p.tsv"));
  EXPECT_EQ(kiln({"animate", "keys.flame", "-q", "-o", "p/##.ppm", "--resume"}).code, 2);
  ASSERT_EQ(kiln({"animate", "keys.flame", "-q", "-o", "p/##.ppm", "--frames", "0-2"}).code, 0);
  EXPECT_EQ(
      checked({"p"}),
      "0\n3 files, 0 of an animation: 0 problems\n3 cannot be checked, only decoded: a file of "
      "this format has no record\n");
  EXPECT_TRUE(contains(checked({"p", "--json"}), R"("unchecked":3,"ok":true)"));
  EXPECT_TRUE(contains(checked({"p", "--render", "1"}), "rendered again 0 "));
  const std::string bytes = read_file(folder / "p/01.ppm");
  write_file(folder / "p/01.ppm", bytes.substr(0, bytes.size() - 1));
  EXPECT_TRUE(contains(checked({"p"}), "p/01.ppm: truncated: ")) << checked({"p"});
}

TEST_F(check, manifests_of_chunks_together) {
  for (const char* part : {"1", "2"})
    ASSERT_EQ(
        kiln({"animate", "keys.flame", "-q", "-o", "parts/##.png", "--backend", "cpu", "--chunk",
              std::string(part) + "/2", "--manifest", "parts/" + std::string(part) + ".tsv"})
            .code,
        0);
  EXPECT_EQ(checked({"--manifest", "parts/1.tsv", "--manifest", "parts/2.tsv"}),
            "0\n10 files, 10 of an animation: 0 problems\n");
}

TEST_F(check, a_manifest_lists_what_is_there) {
  fs::remove(path(3));
  const std::string before = read_file(folder / "frames.tsv");
  ASSERT_EQ(kiln({"animate", "keys.flame", "-q", "-o", "out/##.png", "--quality", "400",
                  "--backend", "cpu", "--resume", "--manifest", "again.tsv"})
                .code,
            0);
  const auto rows = [](const std::string& text) { return text.substr(text.find("\n0\t0\t")); };
  EXPECT_EQ(rows(read_file(folder / "again.tsv")), rows(before));
  EXPECT_EQ(lines_of(rows(before)), 11u);
  EXPECT_EQ(
      kiln({"animate", "keys.flame", "-q", "-o", "-", "--manifest", "x.tsv", "--frames", "1"}).code,
      2);
}

/// The run fails amid the film: the frames behind are those of the run before.
TEST_F(check, a_manifest_lists_no_frames_of_another_run) {
  const test::Outcome failed =
      run_program({"animate", "keys.flame", "-q", "-o", "out/##.png", "--quality", "300",
                   "--backend", "cpu", "--threads", "1", "--manifest", "again.tsv"},
                  {folder.path(), "", {}, [] { setenv("KILN_TEST_FAIL_GAME", "4", 1); }});
  EXPECT_EQ(failed.code, 6) << failed.err;
  const std::string list = read_file(folder / "again.tsv");
  EXPECT_TRUE(contains(list, "\n0\t0\t")) << list;
  EXPECT_FALSE(contains(list, "out/09.png")) << list;
}

TEST_F(check, a_damaged_frame_has_the_last_number_of_its_name) {
  fs::create_directory(folder / "shot2");
  for (int i = 0; i < 10; ++i)
    fs::copy(path(i), folder / ("shot2/take3_0" + std::to_string(i) + ".png"));
  write_file(folder / "shot2/take3_05.png", "cut");
  const std::string said = checked({"shot2"});
  EXPECT_TRUE(contains(said, "1 problem")) << said;
  EXPECT_FALSE(contains(said, "missing")) << said;
}

TEST_F(check, a_pipe_in_a_folder_is_left_out) {
  fs::create_directory(folder / "other");
  fs::copy(path(1), folder / "other/01.png");
  fs::create_directory(folder / "more");
  fs::copy(path(1), folder / "more/01.png");
  for (const char* name : {"out/pipe.png", "out/pipe.exr", "other/pipe.png", "more/pipe.png"})
    ASSERT_EQ(mkfifo((folder / name).c_str(), 0600), 0);
  EXPECT_EQ(checked({"out"}), "0\n10 files, 10 of an animation: 0 problems\n");
  const test::Outcome compared = kiln({"compare", "other", "more"});
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_TRUE(contains(compared.out, "1 pictures")) << compared.out;
  // a manifest may name one
  fs::remove(path(4));
  ASSERT_EQ(mkfifo(path(4).c_str(), 0600), 0);
  const std::string said = checked({"--manifest", "frames.tsv"});
  EXPECT_TRUE(contains(said, "out/04.png: truncated: is no regular file")) << said;
}

TEST_F(check, a_manifest_without_end_is_refused_at_once) {
  const auto little = [] {
    const rlimit bytes{1'000'000'000, 1'000'000'000};
    setrlimit(RLIMIT_AS, &bytes);
  };
  const auto zero =
      run_program({"check", "--manifest", "/dev/zero"}, {folder.path(), "", {}, little});
  EXPECT_EQ(zero.code, 3) << zero.err;
  EXPECT_TRUE(contains(zero.err, "/dev/zero:1: this is no list of frames")) << zero.err;
  {
    std::ofstream large(folder / "large.tsv", std::ios::binary);
    large << "# kiln frames 1\n";
  }
  fs::resize_file(folder / "large.tsv", (256u << 20) + 1);  // a hole
  const test::Outcome outcome = kiln({"check", "--manifest", "large.tsv"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(contains(outcome.err, "is larger than 268435456 bytes; several --manifest"))
      << outcome.err;
}

TEST_F(check, a_black_frame_hides_no_odd_one_and_is_none) {
  const auto black = [](std::uint8_t* rgba) { rgba[0] = rgba[1] = rgba[2] = 0; };
  repaint(5, black);
  const std::string said = checked({"out"});
  EXPECT_TRUE(contains(said, "out/05.png: black: ")) << said;
  EXPECT_FALSE(contains(said, "outlier")) << said;
}

TEST_F(check, a_damaged_file_of_a_manifest_has_the_manifests_number) {
  fs::rename(path(6), folder / "out/take77.png");
  std::string list = read_file(folder / "frames.tsv");
  list.replace(list.find("out/06.png"), 10, "out/take77.png");
  write_file(folder / "frames.tsv", list);
  write_file(folder / "out/take77.png", read_file(folder / "out/take77.png").substr(0, 300));
  const test::Outcome outcome = kiln({"check", "--manifest", "frames.tsv", "--json"});
  EXPECT_TRUE(contains(outcome.out, "\"file\":\"out/take77.png\",\"frame\":6,")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "missing")) << outcome.out;
}

TEST_F(check, bad_manifests_and_wrong_usage) {
  const std::string good = read_file(folder / "frames.tsv");
  const auto refused = [&](const std::string& text) {
    write_file(folder / "bad.tsv", text);
    return checked({"--manifest", "bad.tsv"});
  };
  EXPECT_TRUE(contains(refused(""), "bad.tsv:1: this is no list of frames"));
  EXPECT_TRUE(contains(refused("frame\n"), "bad.tsv:1: this is no list of frames"));
  EXPECT_TRUE(
      contains(refused("# kiln frames 1\n1\t2\n"), "bad.tsv:2: it does not have six fields"));
  EXPECT_TRUE(contains(refused("# kiln frames 1\n# made by\t{}\n"), "bad.tsv:2: the command line"));
  std::string broken = good;
  broken.replace(broken.find("\n0\t0\t") + 5, 2, "zz");
  EXPECT_TRUE(contains(refused(broken), "bad.tsv:4: a hash is not of 64 hex digits"));
  EXPECT_EQ(refused(broken).substr(0, 2), "3\n");
  EXPECT_EQ(checked({}).substr(0, 2), "2\n");
  EXPECT_EQ(checked({"out", "--ignore", "dust"}).substr(0, 2), "2\n");
  EXPECT_EQ(checked({"out", "--render", "2"}).substr(0, 2), "2\n");
  EXPECT_EQ(checked({"nowhere"}).substr(0, 2), "3\n");
}

}  // namespace
}  // namespace kiln
