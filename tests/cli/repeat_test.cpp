// SPDX-License-Identifier: MIT
// A picture is its own project: rendered again it is the same picture.
#include <gtest/gtest.h>

#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/exr.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/png_writer.h"
#include "engine/model/image.h"
#include "tests/cli/pictures.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using test::Outcome;
using test::run_program;
using test::triangle;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class repeat : public testing::Test {
 protected:
  repeat() { test::write_file(folder / "a.flame", triangle()); }

  Outcome kiln(std::vector<std::string> arguments, const std::string& input = "") {
    if (arguments[0] == "render") arguments.insert(arguments.end(), {"--backend", "cpu"});
    test::Start start;
    start.folder = folder.path();
    start.input = input;
    return run_program(arguments, start);
  }
  Outcome done(const std::vector<std::string>& arguments) {
    const Outcome outcome = kiln(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome;
  }
  std::string hash(const std::string& name) { return pixel_hash(read_picture(folder / name)); }

  const test::ScratchFolder folder;
};

using Arguments = std::vector<std::string>;

TEST_F(repeat, seed_bits_and_alpha) {
  done({"render", "a.flame", "-o", "x.png", "--seed", "5", "--bits", "16", "--transparent"});
  const Outcome outcome = done({"render", "x.png", "-o", "y.png"});
  EXPECT_EQ(hash("y.png"), hash("x.png"));
  EXPECT_EQ(test::read_file(folder / "y.png"), test::read_file(folder / "x.png"));
  EXPECT_TRUE(contains(outcome.err, "x.png: repeating seed 5, 16 bits, transparent\n"))
      << outcome.err;
  EXPECT_FALSE(contains(outcome.err, "warning")) << outcome.err;
  EXPECT_EQ(done({"render", "x.png", "-o", "q.png", "-q"}).err, "");
  done({"render", "a.flame", "-o", "usual.png"});
  EXPECT_NE(hash("usual.png"), hash("x.png"));
}

TEST_F(repeat, every_setting_alone) {
  const std::vector<Arguments> all = {{"--seed", "18446744073709551615"},
                                      {"--bits", "16"},
                                      {"--transparent"},
                                      {"--earlyclip"},
                                      {"--compat", "flam3"},
                                      {"--de", "exact"},
                                      {"--strategy", "divergent"},
                                      {"--pixel-aspect", "1.3"},
                                      {"--width", "40", "--quality", "7"},
                                      {"--supersample", "2"},
                                      {"--bloom", "0.2"},
                                      {"--clean", "0.7"},
                                      {"--bleed", "3", "--dpi", "100", "--crop-marks"}};
  for (const Arguments& settings : all) {
    Arguments first = {"render", "a.flame", "-o", "x.png"};
    first.insert(first.end(), settings.begin(), settings.end());
    done(first);
    done({"render", "x.png", "-o", "y.png"});
    EXPECT_EQ(test::read_file(folder / "y.png"), test::read_file(folder / "x.png")) << settings[0];
  }
}

TEST_F(repeat, an_option_that_the_record_excludes) {
  done({"render", "a.flame", "-o", "x.png", "--strategy", "divergent"});
  const Arguments again = {"render", "x.png", "-o", "y.png", "--compat", "flam3"};
  const Outcome outcome = kiln(again);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "x.png: --strategy divergent has no --compat flam3"))
      << outcome.err;
  Arguments remedied = again;
  remedied.insert(remedied.end(), {"--strategy", "permutation"});
  done(remedied);
}

TEST_F(repeat, options_override_one_by_one) {
  done({"render", "a.flame", "-o", "x.png", "--seed", "5", "--bits", "16", "--compat", "flam3"});
  const Outcome outcome = done({"render", "x.png", "-o", "y.png", "--seed", "6", "--bits", "8"});
  EXPECT_TRUE(contains(outcome.err,
                       "x.png: repeating seed 6, 8 bits, compat flam3 (--seed --bits given)\n"))
      << outcome.err;
  done({"render", "a.flame", "-o", "z.png", "--seed", "6", "--compat", "flam3"});
  EXPECT_EQ(hash("y.png"), hash("z.png"));
  done({"render", "x.png", "-o", "y.png", "--compat", "none"});
  done({"render", "a.flame", "-o", "z.png", "--seed", "5", "--bits", "16"});
  EXPECT_EQ(hash("y.png"), hash("z.png"));
  done({"render", "x.png", "-o", "y.png", "--width", "50"});
  done({"render", "a.flame", "-o", "z.png", "--seed", "5", "--bits", "16", "--compat", "flam3",
        "--width", "50"});
  EXPECT_EQ(hash("y.png"), hash("z.png"));
}

TEST_F(repeat, the_flame_alone) {
  done({"render", "a.flame", "-o", "x.png", "--seed", "5", "--bits", "16", "--transparent"});
  EXPECT_FALSE(contains(done({"render", "x.png", "-o", "y.png", "--ignore-record"}).err, "repeat"));
  done({"render", "a.flame", "-o", "z.png"});
  EXPECT_EQ(hash("y.png"), hash("z.png"));
}

TEST_F(repeat, each_of_several_pictures_has_its_own_settings) {
  done({"render", "a.flame", "-o", "x.png", "--seed", "5", "--bits", "16"});
  done({"render", "a.flame", "-o", "y.png", "--transparent"});
  done({"render", "x.png", "a.flame", "y.png", "-o", "again_{stem}.png"});
  done({"render", "a.flame", "-o", "a.png"});
  for (const char* name : {"x.png", "y.png", "a.png"})
    EXPECT_EQ(hash(std::string("again_") + name), hash(name)) << name;
}

TEST_F(repeat, from_standard_input) {
  done({"render", "a.flame", "-o", "x.png", "--seed", "5", "--bits", "16"});
  const Outcome outcome = kiln({"render", "-", "-o", "y.png"}, test::read_file(folder / "x.png"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "standard input: repeating seed 5")) << outcome.err;
  EXPECT_EQ(hash("y.png"), hash("x.png"));
}

TEST_F(repeat, the_point_spread_function_has_to_be_named_again) {
  write_png(folder / "p.png", test::pattern_picture(5, 5, 8), {});
  write_png(folder / "other.png", test::pattern_picture(7, 7, 8), {});
  done({"render", "a.flame", "-o", "x.png", "--psf", "p.png,0.5", "--seed", "3"});
  const Outcome without = kiln({"render", "x.png", "-o", "y.png"});
  EXPECT_EQ(without.code, 2);
  EXPECT_TRUE(contains(without.err, "x.png: was made with a --psf of which it has only the hash"))
      << without.err;
  EXPECT_FALSE(
      contains(done({"render", "x.png", "-o", "y.png", "--psf", "p.png,0.5"}).err, "warning"));
  EXPECT_EQ(hash("y.png"), hash("x.png"));
  // said once: other pixels are what it asks for
  const std::string other = done({"render", "x.png", "-o", "y.png", "--psf", "other.png,0.5"}).err;
  const std::size_t warned = other.find("warning: x.png: was made with another --psf");
  EXPECT_NE(warned, std::string::npos) << other;
  EXPECT_EQ(other.find("warning", warned + 1), std::string::npos) << other;
  done({"render", "x.png", "-o", "y.png", "--ignore-record", "--seed", "3"});
  done({"render", "a.flame", "-o", "z.png", "--seed", "3"});
  EXPECT_EQ(hash("y.png"), hash("z.png"));
}

TEST_F(repeat, a_frame_is_repeated_without_motion_blur) {
  test::write_file(folder / "keys.flam3", test::two_keys());
  done({"animate", "keys.flam3", "-o", "f{frame}.png", "--frames", "4", "--seed", "9", "--bits",
        "16", "--backend", "cpu", "-q"});
  const Outcome outcome = done({"render", "f4.png", "-o", "y.png"});
  EXPECT_TRUE(
      contains(outcome.err, "f4.png: repeating seed 9, 16 bits; frame 4 without its motion blur\n"))
      << outcome.err;
  EXPECT_EQ(read_png(folder / "y.png").bits(), 16);
}

TEST_F(repeat, other_pixels_than_before_are_said) {
  const Flame flame = read_flames(folder / "a.flame", {}).flames.at(0);
  RenderOptions options;
  const std::string record = render_record(flame, options, {}, std::string(64, '0'));
  write_png(folder / "x.png", test::pattern_picture(3, 3, 8),
            picture_texts(genome_xml(flame), record));
  EXPECT_TRUE(contains(done({"render", "x.png", "-o", "y.png"}).err,
                       "warning: y.png: other pixels than those of x.png"));
  for (const Arguments& changed :
       std::vector<Arguments>{{"--seed", "1"}, {"--width", "40"}, {"--pixel-aspect", "2"}}) {
    Arguments arguments = {"render", "x.png", "-o", "y.png"};
    arguments.insert(arguments.end(), changed.begin(), changed.end());
    EXPECT_FALSE(contains(done(arguments).err, "other pixels")) << changed[0];
  }
  std::string old = record;
  old.replace(old.find(KILN_VERSION), std::string(KILN_VERSION).size(), "0.0.1");
  write_png(folder / "x.png", test::pattern_picture(3, 3, 8),
            picture_texts(genome_xml(flame), old));
  EXPECT_TRUE(contains(done({"render", "x.png", "-o", "y.png"}).err,
                       "x.png: was made by kiln 0.0.1, this is " KILN_VERSION));
}

TEST_F(repeat, progress_as_json_tells_it_as_an_event) {
  done({"render", "a.flame", "-o", "x.png", "--seed", "5"});
  const Outcome outcome = done({"render", "x.png", "-o", "y.png", "--progress", "json"});
  EXPECT_TRUE(contains(outcome.err,
                       "{\"event\":\"note\",\"message\":\"x.png: repeating seed 5, 8 bits\"}\n"))
      << outcome.err;
}

TEST_F(repeat, through_openexr) {
  if (!exr_supported()) {
    std::puts("skipped: built without OpenEXR");
    return;
  }
  for (const char* precision : {"float", "half"}) {
    done({"render", "a.flame", "-o", "x.exr", "--seed", "5", "--exr", precision});
    const Outcome outcome = done({"render", "x.exr", "-o", "y.exr"});
    EXPECT_TRUE(contains(outcome.err, std::string("x.exr: repeating seed 5, linear (") + precision))
        << outcome.err;
    EXPECT_FALSE(contains(outcome.err, "warning")) << outcome.err;
    EXPECT_EQ(test::read_file(folder / "y.exr"), test::read_file(folder / "x.exr")) << precision;
    EXPECT_EQ(done({"compare", "x.exr", "y.exr"}).out.substr(0, 10), "identical:");
  }
  done({"render", "x.exr", "-o", "from_exr.png"});
  done({"render", "a.flame", "-o", "seed5.png", "--seed", "5"});
  EXPECT_EQ(hash("from_exr.png"), hash("seed5.png"));
  const Outcome itself = kiln({"render", "x.exr"});  // its usual name is x.exr
  EXPECT_EQ(itself.code, 2);
  EXPECT_TRUE(contains(itself.err, "x.exr is read and would be replaced")) << itself.err;
}

TEST_F(repeat, through_convert) {
  done({"render", "a.flame", "-o", "x.png", "--seed", "5", "--bits", "16", "--transparent"});
  const Outcome outcome = done({"convert", "x.png", "-o", "b.flam3"});
  EXPECT_EQ(outcome.out, "b.flam3\n");
  EXPECT_TRUE(contains(outcome.err, "1 flame from 1 file")) << outcome.err;
  done({"render", "b.flam3", "-o", "y.png", "--seed", "5", "--bits", "16", "--transparent"});
  EXPECT_EQ(hash("y.png"), hash("x.png"));
  // and again: nothing changes on the way
  done({"convert", "b.flam3", "-o", "c.flam3"});
  EXPECT_EQ(test::read_file(folder / "c.flam3"), test::read_file(folder / "b.flam3"));
}

TEST_F(repeat, convert_takes_many_and_loses_nothing) {
  test::write_file(
      folder / "two.flame",
      "<anything>" +
          triangle("name=\"first\" nick=\"N\" url=\"http://n\"", "<edit action=\"a\"/>") +
          triangle("name=\"second\"", "<symmetry kind=\"3\"/>") + "</anything>");
  done({"render", "a.flame", "-o", "x.png"});
  done({"convert", "two.flame", "x.png", "-o", "all.flam3"});
  const std::vector<Flame> flames = read_flames(folder / "all.flam3", {}).flames;
  ASSERT_EQ(flames.size(), 3u);
  EXPECT_EQ(flames[0].name, "first");
  EXPECT_EQ(flames[0].nick, "N");
  EXPECT_EQ(flames[0].url, "http://n");
  EXPECT_EQ(flames[0].edits, "<edit action=\"a\"/>\n");
  EXPECT_EQ(flames[1].xforms.size(), 5u);
  EXPECT_EQ(kiln({"convert", "all.flam3", "-o", "-"}).out, test::read_file(folder / "all.flam3"));
  if (exr_supported()) {
    done({"render", "a.flame", "-o", "x.exr"});
    done({"convert", "x.exr", "-o", "from_exr.flam3"});
    done({"convert", "x.png", "-o", "from_png.flam3"});
    EXPECT_EQ(test::read_file(folder / "from_exr.flam3"),
              test::read_file(folder / "from_png.flam3"));
  }
}

TEST_F(repeat, convert_is_all_or_nothing) {
  test::write_file(folder / "bad.flame", "<flame size=\"x\"/>");
  EXPECT_EQ(kiln({"convert", "a.flame", "bad.flame", "-o", "out.flam3"}).code, 3);
  EXPECT_FALSE(std::filesystem::exists(folder / "out.flam3"));
  EXPECT_EQ(kiln({"convert", "a.flame"}).code, 2);
  EXPECT_EQ(kiln({"convert", "a.flame", "-o", "a.flame"}).code, 2);
  EXPECT_EQ(kiln({"convert", "a.flame", "-o", "./a.flame"}).code, 2);
  EXPECT_EQ(kiln({"convert", "a.flame", "-o", "a.png"}).code, 2);
  EXPECT_EQ(kiln({"convert", "a.flame", "-o", "no/a.flam3"}).code, 5);
  EXPECT_EQ(folder.entries(), (std::vector<std::string>{"a.flame", "bad.flame"}));
  done({"convert", "a.flame", "-o", "b.flam3"});
  EXPECT_EQ(kiln({"convert", "a.flame", "-o", "b.flam3", "--no-clobber"}).code, 5);
  // the shape of pixels is no part of a flame
  done({"render", "a.flame", "-o", "x.png", "--pixel-aspect", "1.5"});
  EXPECT_TRUE(contains(done({"convert", "x.png", "-o", "c.flam3"}).err,
                       "x.png: a flame does not say the shape of its pixels; render it with "
                       "--pixel-aspect 1.5"));
}

TEST_F(repeat, compare_shows_where) {
  done({"render", "a.flame", "-o", "x.png"});
  done({"render", "a.flame", "-o", "y.png", "--seed", "1"});
  const Outcome outcome = kiln({"compare", "x.png", "y.png", "--diff", "d.png"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.out, "; d.png shows the differences times ")) << outcome.out;
  const Image x = read_png(folder / "x.png"), y = read_png(folder / "y.png"),
              d = read_png(folder / "d.png");
  EXPECT_TRUE(d.opaque);
  int largest = 0;
  for (std::size_t i = 0; i < x.pixels8().size(); ++i) {
    EXPECT_EQ(i % 4 != 3 && d.pixels8()[i] > 0, x.pixels8()[i] != y.pixels8()[i]);
    if (i % 4 != 3) largest = std::max<int>(largest, d.pixels8()[i]);
  }
  EXPECT_GT(largest, 127);
  EXPECT_TRUE(contains(kiln({"compare", "x.png", "y.png", "--diff", "d.png", "--json"}).out,
                       "\"diff\":\"d.png\",\"gain\":"));
  EXPECT_EQ(kiln({"compare", "x.png", "y.png", "--diff", "x.png"}).code, 2);
  EXPECT_EQ(kiln({"compare", "x.png", "y.png", "--diff", "d.exr"}).code, 2);
  EXPECT_EQ(kiln({"compare", "x.png", "--hash", "--diff", "d.png"}).code, 2);
  EXPECT_EQ(kiln({"compare", "x.png", "y.png", "--max-memory", "3000"}).code, 3);
  EXPECT_EQ(kiln({"compare", "x.png", "y.png", "--max-memory", "3072"}).code, 1);  // 32 * 24 * 4
}

TEST_F(repeat, compare_knows_linear_light) {
  if (!exr_supported()) {
    std::puts("skipped: built without OpenEXR");
    return;
  }
  done({"render", "a.flame", "-o", "x.exr", "--exr", "float"});
  done({"render", "a.flame", "-o", "half.exr"});
  done({"render", "a.flame", "-o", "x.png"});
  EXPECT_EQ(kiln({"compare", "x.exr", "half.exr"}).code, 1);
  EXPECT_EQ(kiln({"compare", "x.exr", "half.exr", "--max-rms", "1e-3"}).code, 0);
  const Outcome mixed = kiln({"compare", "x.png", "x.exr"});
  EXPECT_EQ(mixed.code, 2);
  EXPECT_TRUE(contains(mixed.err, "x.exr is linear light")) << mixed.err;
  const Outcome hash = done({"compare", "--hash", "x.exr"});
  const auto record = read_flames(folder / "x.exr", {}).record;
  ASSERT_TRUE(record);
  EXPECT_EQ(hash.out, record->pixel_hash + "  x.exr\n");
  const auto png = read_flames(folder / "x.png", {}).record;
  EXPECT_EQ(done({"compare", "--hash", "x.png"}).out, png->pixel_hash + "  x.png\n");
}

}  // namespace
}  // namespace kiln
