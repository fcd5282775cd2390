// SPDX-License-Identifier: MIT
// kiln random, mutate, breed, genome, sheet, find and convert from outside.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/options/flame_selection.h"
#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/picture_format.h"
#include "engine/model/variations.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;

class flock_program : public testing::Test {
 protected:
  Outcome kiln(const std::vector<std::string>& arguments) const {
    return run_program(arguments, {folder.path(), "", {}, {}});
  }
  Outcome done(const std::vector<std::string>& arguments) const {
    Outcome outcome = kiln(arguments);
    EXPECT_EQ(outcome.code, 0) << arguments[0] << ": " << outcome.err;
    return outcome;
  }
  std::vector<Flame> flames(const std::string& name) const {
    return read_flames(folder / name, {}).flames;
  }
  bool says(const std::vector<std::string>& arguments, const std::string& part) const {
    const Outcome outcome = kiln(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    return outcome.err.find(part) != std::string::npos;
  }
  ScratchFolder folder;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(flock_program, a_seed_is_the_same_flames_for_any_number_of_threads) {
  const Outcome outcome = done({"random", "-n", "6", "-o", "a.flam3", "--seed", "9"});
  EXPECT_EQ(outcome.out, "a.flam3\n");
  EXPECT_TRUE(contains(outcome.err, "6 flames of ")) << outcome.err;
  done({"random", "-n", "6", "-o", "b.flam3", "--seed", "9", "--threads", "1"});
  EXPECT_EQ(read_file(folder / "a.flam3"), read_file(folder / "b.flam3"));
  done({"random", "-n", "6", "-o", "c.flam3", "--seed", "90"});
  EXPECT_NE(read_file(folder / "a.flam3"), read_file(folder / "c.flam3"));
  const std::vector<Flame> all = flames("a.flam3");
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[2].name, "random-11");
  EXPECT_EQ(all[2].edits, "<edit action=\"random\"/>\n");
  EXPECT_EQ(all[2].width, 800);
  EXPECT_EQ(all[2].temporal_samples, 1000) << "its film is blurred, as any flame's";
}

TEST_F(flock_program, random_flames_have_what_is_asked_for) {
  done({"random", "-n", "3", "-o", "a.flam3", "--variations", "julian,spherical", "--xforms", "2",
        "--symmetry", "1", "--size", "64x32", "--quality", "7", "--take-all", "-q"});
  for (const Flame& flame : flames("a.flam3")) {
    EXPECT_EQ(flame.width, 64);
    EXPECT_EQ(flame.height, 32);
    EXPECT_EQ(flame.quality, 7);
    EXPECT_EQ(flame.xforms.size(), 2u);
    for (const std::string& name : used_variations(flame))
      EXPECT_TRUE(name == "julian" || name == "spherical") << name;
  }
  const std::string library = source_dir() + std::string("/flames/palettes.xml");
  done({"random", "-o", "b.flam3", "--palette", library + "#dusk", "--take-all"});
  done({"random", "-o", "c.flam3", "--like", "b.flam3", "--set", "gamma=3", "--take-all", "--seed",
        "3", "--palette", "b.flam3"});
  EXPECT_EQ(flames("c.flam3")[0].gamma, 3);
  EXPECT_EQ(flames("b.flam3")[0].palette, flames("c.flam3")[0].palette);
  EXPECT_TRUE(says({"random", "-o", "d.flam3", "--variations", "julain"}, "did you mean \"julian"));
  EXPECT_TRUE(says({"random", "-o", "d.flam3", "--xforms", "4-2"}, "smaller number first"));
  EXPECT_TRUE(says({"random"}, "--output"));
}

TEST_F(flock_program, mutants_and_children_say_where_they_are_from) {
  done({"random", "-n", "2", "-o", "p.flam3", "--take-all"});
  done({"mutate", "p.flam3", "--flame", "1", "-o", "m.flam3", "-n", "3", "--seed", "4"});
  const std::vector<Flame> mutants = flames("m.flam3");
  ASSERT_EQ(mutants.size(), 3u);
  EXPECT_EQ(mutants[2].name, "random-1-mutant-2");
  EXPECT_EQ(mutants[2].edits,
            "<edit action=\"mutate any 0.5 seed 6\"><edit filename=\"p.flam3\" index=\"1\" "
            "action=\"random\"/></edit>\n");
  done({"breed", "p.flam3", "-o", "c.flam3", "-n", "2", "--method", "unite"});
  const std::vector<Flame> parents = flames("p.flam3"), children = flames("c.flam3");
  ASSERT_EQ(children.size(), 2u);
  EXPECT_EQ(children[0].xforms.size(), parents[0].xforms.size() + parents[1].xforms.size());
  EXPECT_TRUE(contains(children[0].edits, "cross unite seed 0")) << children[0].edits;
  EXPECT_TRUE(contains(children[0].edits, "index=\"1\"")) << children[0].edits;
  const Outcome locked = done({"mutate", "p.flam3", "--flame", "0", "-o", "l.flam3", "-n", "2",
                               "--direction", "palette", "--keep", "palette"});
  EXPECT_TRUE(contains(locked.err, "2 of them would not have been kept")) << locked.err;
  EXPECT_TRUE(says({"breed", "p.flam3", "--flame", "0", "-o", "x.flam3"}, "takes two flames"));
  EXPECT_TRUE(says({"mutate", "p.flam3", "-o", "x.flam3", "--keep", "colour"}, "palette, camera"));
  EXPECT_TRUE(says({"mutate", "p.flam3", "-o", "p.flam3"}, "holds a flame"));
}

TEST_F(flock_program, genome_turns_blends_and_cuts) {
  done({"random", "-n", "2", "-o", "p.flam3", "--take-all", "--symmetry", "1"});
  const std::vector<Flame> parents = flames("p.flam3");
  done({"genome", "rotate", "p.flam3", "-o", "r.flam3", "-n", "4", "--flame", "0"});
  EXPECT_EQ(flames("r.flam3").size(), 4u);
  done({"genome", "interpolate", "p.flam3", "-o", "i.flam3", "-n", "3"});
  EXPECT_EQ(flames("i.flam3").size(), 3u);
  done({"genome", "symmetry", "p.flam3", "-o", "s.flam3", "--symmetry", "-3"});
  EXPECT_EQ(flames("s.flam3")[0].xforms.size(), parents[0].xforms.size() + 3);
  done({"genome", "strip", "p.flam3", "--flame", "1", "-o", "strips/", "-n", "3"});
  EXPECT_EQ(flames("strips/random-1-strip-2.flam3")[0].height, 800 - 533);
  done({"genome", "layers", "p.flam3", "--flame", "0", "-o", "l.flam3"});
  EXPECT_EQ(flames("l.flam3").size(), parents[0].xforms.size());
  done({"genome", "clone", "p.flam3", "-o", "k.flam3", "--size", "16x16"});
  EXPECT_EQ(flames("k.flam3")[1].width, 16);
  EXPECT_TRUE(says({"genome", "strip", "p.flam3", "-o", "x.flam3"}, "needs -n"));
  EXPECT_TRUE(says({"genome", "rotate", "p.flam3", "-o", "x.flam3"}, "--degrees"));
}

/// The history of a flame names all that it is made of.
TEST_F(flock_program, a_flame_between_two_names_both) {
  write_file(folder / "p.flam3", "<flames>" + triangle() + triangle() + triangle() + "</flames>");
  done({"genome", "interpolate", "p.flam3", "-o", "i.flam3", "-n", "1", "-q"});
  const std::vector<Flame> made = flames("i.flam3");
  ASSERT_EQ(made.size(), 2u);
  for (std::size_t f = 0; f < 2; ++f)
    for (std::size_t parent = 0; parent < 3; ++parent)
      EXPECT_EQ(contains(made[f].edits, fmt::format("index=\"{}\"", parent)),
                parent == f || parent == f + 1)
          << made[f].edits;
}

TEST_F(flock_program, flames_between_flames_without_a_name_have_one_for_a_file) {
  const auto name_between = [&](const std::string& first, const std::string& second) {
    write_file(folder / "p.flam3", "<flames>" + triangle(first) + triangle(second) + "</flames>");
    done({"genome", "interpolate", "p.flam3", "-o", "i.flam3", "-n", "2", "-q", "--force"});
    return flames("i.flam3").at(1).name;
  };
  EXPECT_EQ(name_between("name=\"rose\"", "name=\"lily\""), "rose-lily-1");
  EXPECT_EQ(name_between("name=\"rose\"", ""), "rose-1");
  EXPECT_EQ(name_between("", "name=\"lily\""), "lily-1");
  EXPECT_EQ(name_between("", ""), "between-1");
}

/// The cells of a sheet are the bytes of kiln render.
TEST_F(flock_program, each_picture_of_a_sheet_is_that_of_render) {
  done({"random", "-n", "3", "-o", "p.flam3", "--size", "90x60", "-q"});
  done({"sheet", "p.flam3", "-o", "s.png", "--size", "48x48", "--quality", "15", "--columns", "2"});
  const Image sheet = read_png(folder / "s.png");
  EXPECT_EQ(sheet.width, 2 * 54 + 6);
  EXPECT_EQ(sheet.height, 2 * 54 + 6);
  for (int place = 0; place < 3; ++place) {
    const std::string name = std::to_string(place) + ".png";
    done({"render", "p.flam3", "--flame", std::to_string(place), "-o", name, "--width", "48",
          "--quality", "15", "-q"});
    const Image image = read_png(folder / name);
    ASSERT_EQ(image.height, 32);
    const int left = 6 + place % 2 * 54, top = 6 + place / 2 * 54 + 8;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width * 4; ++x)
        ASSERT_EQ(sheet.pixels8()[std::size_t((top + y) * sheet.width + left) * 4 + std::size_t(x)],
                  image.pixels8()[std::size_t(y * image.width * 4 + x)])
            << place << " " << x << " " << y;
  }
}

TEST_F(flock_program, a_page_of_flames_has_all_of_them_and_marks_twins) {
  done({"random", "-n", "3", "-o", "p.flam3", "-q"});
  done({"convert", "p.flam3", "--flame", "1", "-o", "again.flam3", "-q"});
  done({"sheet", "p.flam3", "again.flam3", "-o", "s.html", "--size", "40x40", "--quality", "5",
        "--sort", "similarity"});
  const std::string page = read_file(folder / "s.html");
  EXPECT_TRUE(contains(page, "\"name\":\"random-2\""));
  EXPECT_TRUE(contains(page, "\"twin\":1,\"how\":\"the same flame as\""));
  EXPECT_TRUE(contains(page, "\\u003cflame "));
  EXPECT_FALSE(contains(page, "<flame "));
  EXPECT_FALSE(contains(page, "http://")) << "asks the network";
  EXPECT_TRUE(says({"sheet", "p.flam3", "-o", "s.exr"}, "picture or a page"));
  EXPECT_TRUE(says({"sheet", "p.flam3", "-o", "s.png", "--size", "9000x1"}, "2000x2000"));
}

TEST_F(flock_program, a_sheet_knows_how_its_pictures_look_where_something_asks) {
  write_file(folder / "p.flam3", "<flames>" + triangle("name=\"dark\" brightness=\"1\"") +
                                     triangle("name=\"light\" brightness=\"40\"") + "</flames>");
  const auto sheet = [&](const char* output, std::vector<std::string> more) {
    more.insert(more.begin(), {"sheet", "p.flam3", "-o", output, "--size", "40x30", "--quality",
                               "5", "--columns", "2", "-q", "--force"});
    return done(more).out;
  };
  const auto dark_is_first = [&](const char* by) {
    sheet("s.png", {"--sort", by});
    const Image image = read_png(folder / "s.png");
    double light[2] = {0, 0};
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x)
        light[2 * x >= image.width] += image.pixels8()[std::size_t(y * image.width + x) * 4];
    return light[0] < light[1];
  };
  EXPECT_TRUE(dark_is_first("file"));
  EXPECT_FALSE(dark_is_first("brightness"));
  sheet("s.html", {});
  EXPECT_FALSE(contains(read_file(folder / "s.html"), "\"light\":0,"));
  EXPECT_EQ(sheet("s.png", {"--duplicates"}), "");
  write_file(folder / "p.flam3", "<flames>" + triangle("brightness=\"40\"") +
                                     triangle("brightness=\"1\"") + triangle("brightness=\"41\"") +
                                     "</flames>");
  EXPECT_TRUE(contains(sheet("s.png", {"--duplicates"}), "looks like"));
  const std::string as_in_the_file = read_file(folder / "s.png");
  sheet("s.png", {"--sort", "similarity"});
  EXPECT_FALSE(read_file(folder / "s.png") == as_in_the_file);
}

TEST_F(flock_program, a_sheet_has_no_more_columns_than_pictures) {
  write_file(folder / "p.flam3", "<flames>" + triangle("name=\"a\"") +
                                     triangle("name=\"b\" hue=\"0.5\"") + "</flames>");
  const auto sheet = [&](const char* columns) {
    done({"sheet", "p.flam3", "-o", "s.png", "--size", "40x30", "--quality", "5", "--columns",
          columns, "-q"});
    return read_file(folder / "s.png");
  };
  const std::string two = sheet("2");
  EXPECT_TRUE(sheet("9") == two);
  EXPECT_FALSE(sheet("1") == two);
}

TEST_F(flock_program, find_compares_facts) {
  done({"random", "-n", "5", "-o", "p.flam3", "--take-all"});
  const auto found = [&](const std::string& expression) {
    const Outcome outcome = kiln({"find", expression, "p.flam3", "-q"});
    EXPECT_EQ(outcome.code, outcome.out.empty() ? 1 : 0) << outcome.err;
    return std::count(outcome.out.begin(), outcome.out.end(), '\n');
  };
  EXPECT_EQ(found("xforms>0"), 5);
  EXPECT_EQ(found("name=random-3"), 1);
  EXPECT_EQ(found("name='RANDOM-?' and not index=3"), 4);
  EXPECT_EQ(found("(index<2 or index>=4) and width==800"), 3);
  EXPECT_EQ(found("index!=0 and index<=1"), 1);
  EXPECT_EQ(found("gamma=4"), 5);  // where the file says nothing
  EXPECT_EQ(found("variation=crackle"), 0);
  int with_spherical = 0;
  for (const Flame& flame : flames("p.flam3"))
    for (const std::string& name : used_variations(flame)) with_spherical += name == "spherical";
  EXPECT_EQ(found("variation=spherical"), with_spherical);
  EXPECT_EQ(done({"find", "index=2", "p.flam3", "-o", "x.flam3"}).out, "x.flam3\n");
  EXPECT_EQ(flames("x.flam3")[0].name, "random-2");
  EXPECT_TRUE(says({"find", "varation=julian", "p.flam3"}, "did you mean \"variation\""));
  EXPECT_TRUE(says({"find", "xforms<", "p.flam3"}, "a value is wanted at its end"));
  EXPECT_TRUE(says({"find", "(xforms<3", "p.flam3"}, ") is wanted"));
  EXPECT_TRUE(says({"find", std::string(2000, '('), "p.flam3"}, "less nesting"));
}

TEST_F(flock_program, find_says_what_nothing_can_be_equal_to) {
  write_file(folder / "a.flam3", triangle("name=\"plain\"") +
                                     triangle("name=\"two\"",
                                              "<xform weight=\"1\" julian=\"1\" pre_blur=\"0.1\" "
                                              "coefs=\"1 0 0 1 0 0\"/>"));
  EXPECT_TRUE(says({"find", "variation=julien", "a.flam3"}, "did you mean \"julian\""));
  EXPECT_TRUE(
      says({"find", "xforms>three", "a.flam3"}, "xforms is a number, and \"three\" is none"));
  EXPECT_TRUE(says({"find", "quality<high", "a.flam3"}, "quality is a number"));
  EXPECT_EQ(done({"find", "variation=Julian", "a.flam3", "-q"}).out, "a.flam3 1 two\n");
  EXPECT_EQ(done({"find", "variation=jul*", "a.flam3", "-q"}).out, "a.flam3 1 two\n");
  // none of its variations is
  EXPECT_EQ(done({"find", "variation!=julian", "a.flam3", "-q"}).out, "a.flam3 0 plain\n");
  std::string many = "index=0";
  for (int i = 0; i < 5000; ++i) many += " or index=0";
  EXPECT_EQ(done({"find", many, "a.flam3", "-q"}).out, "a.flam3 0 plain\n");
}

TEST_F(flock_program, what_is_left_out_is_counted_in_the_exit_code) {
  std::filesystem::create_directory(folder / "pack");
  write_file(folder / "pack/good.flam3", triangle("name=\"good\""));
  write_file(folder / "pack/bad.flam3", "<flame><xform");
  write_file(folder / "pack/half.flam3", triangle() + "<flame name=\"none\"></flame>");
  const Outcome sheet = kiln({"sheet", "pack", "-o", "s.png", "--size", "20x20"});
  EXPECT_EQ(sheet.code, 7) << sheet.err;
  EXPECT_TRUE(contains(sheet.err, "2 flames, 2 left out")) << sheet.err;
  EXPECT_EQ(sheet.out, "s.png\n");
  const Outcome found = kiln({"find", "xforms=3", "pack"});
  EXPECT_EQ(found.code, 7) << found.err;
  EXPECT_TRUE(contains(found.out, "pack/good.flam3 0 good\n")) << found.out;
  EXPECT_TRUE(contains(found.err, "2 could not be looked at")) << found.err;
  EXPECT_EQ(kiln({"find", "xforms=3", "nosuch"}).code, 3);
  EXPECT_EQ(kiln({"find", "xforms=4", "pack/good.flam3"}).code, 1);
  EXPECT_EQ(kiln({"sheet", "pack/bad.flam3", "-o", "b.png"}).code, 3);
  EXPECT_EQ(kiln({"sheet", "pack/good.flam3", "-o", "b.png", "--size", "1000x1000", "--max-memory",
                  "100K"})
                .code,
            6);
  // flames beyond limits that were asked for are there, but not what was asked for
  EXPECT_EQ(kiln({"random", "-o", "r.flam3", "--least-light", "99"}).code, 7);
  EXPECT_EQ(flames("r.flam3").size(), 1u);
}

TEST_F(flock_program, flames_like_those_before_them_are_beyond_the_limit) {
  write_file(folder / "a.flam3", triangle("name=\"a\""));
  const Outcome outcome =
      kiln({"mutate", "a.flam3", "-o", "m.flam3", "-n", "2", "--strength", "0.01", "--least-new",
            "90", "--least-used", "0", "--least-light", "0", "--least-colors", "0"});
  EXPECT_EQ(outcome.code, 7) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "2 of them would not have been kept")) << outcome.err;
  EXPECT_EQ(flames("m.flam3").size(), 2u);
}

/// With which each can be made alone.
TEST_F(flock_program, each_child_says_its_own_seed) {
  write_file(folder / "p.flam3", "<flames>" + triangle("name=\"a\"") +
                                     triangle("name=\"b\" hue=\"0.5\"") + "</flames>");
  done({"breed", "p.flam3", "-o", "c.flam3", "-n", "3", "--seed", "7", "--take-all", "-q"});
  done({"mutate", "p.flam3", "-o", "m.flam3", "-n", "3", "--seed", "7", "--take-all", "-q"});
  for (const char* file : {"c.flam3", "m.flam3"}) {
    const std::vector<Flame> all = flames(file);
    for (std::size_t m = 0; m < 3; ++m)
      EXPECT_TRUE(contains(all.at(m).edits, " seed " + std::to_string(7 + m) + "\""))
          << file << all.at(m).edits;
  }
}

TEST_F(flock_program, a_template_of_another_shape_shows_what_was_seen_from_top_to_bottom) {
  write_file(folder / "t.flam3", "<flame size=\"100 20\"/>");
  write_file(folder / "a.flam3", triangle());
  done({"convert", "a.flam3", "-o", "b.flam3", "--template", "t.flam3"});
  const Flame before = flames("a.flam3")[0], after = flames("b.flam3")[0];
  EXPECT_EQ(after.width, 100);
  EXPECT_EQ(after.height, 20);
  EXPECT_EQ(after.scale, before.scale * 20 / before.height);
}

TEST_F(flock_program, wishes_that_leave_nothing_are_refused) {
  write_file(folder / "a.flam3", triangle());
  EXPECT_TRUE(says({"random", "-o", "r.flam3", "--variations", "julian", "--without", "julian"},
                   "leaves none of --variations"));
  EXPECT_TRUE(
      says({"mutate", "a.flam3", "-o", "m.flam3", "--keep", "3"}, "the flame has 3 xforms"));
  done({"mutate", "a.flam3", "-o", "m.flam3", "--keep", "2", "-n", "1", "--take-all"});
  EXPECT_TRUE(says({"genome", "strip", "a.flam3", "-o", "s.flam3", "-n", "4", "--only", "4"},
                   "there are 4 strips, from 0"));
  const Outcome layers = done({"genome", "layers", "a.flam3", "-o", "l.flam3"});
  EXPECT_TRUE(contains(layers.err, "3 flames from 1")) << layers.err;
}

TEST_F(flock_program, names_may_be_made_of_a_template) {
  write_file(folder / "p.flam3", "<flames>" + triangle("name=\"a\"") + triangle() + "</flames>");
  done({"convert", "p.flam3", "-o", "q.flam3", "--set", "name={stem}_{index}_{name}", "-q"});
  const std::vector<Flame> named = flames("q.flam3");
  ASSERT_EQ(named.size(), 2u);
  EXPECT_EQ(named[0].name, "p_0_a");
  EXPECT_EQ(named[1].name, "p_1_flame_1");
  EXPECT_TRUE(says({"convert", "p.flam3", "-o", "r.flam3", "--set", "name={stem}{no}"},
                   "--set name \"{stem}{no}\": \"{no\" is not known"));
  EXPECT_TRUE(says({"render", "p.flam3", "--checkpoint", "9", "--state", "{no}.kiln"},
                   "--state \"{no}.kiln\": \"{no\" is not known"));
}

TEST_F(flock_program, a_file_of_flames_is_in_nobodys_way_that_is_called_otherwise) {
  std::filesystem::create_directory(folder / "d");
  write_file(folder / "a.flam3", triangle("name=\"rose\""));
  write_file(folder / "d/flame.flam3", triangle("name=\"lily\""));
  done({"convert", "a.flam3", "-o", "d/", "-q"});
  done({"convert", "d/flame.flam3", "-o", "d/{name}.flam3", "-q", "--force"});
  EXPECT_EQ(flames("d/rose.flam3").size(), 1u);
  EXPECT_EQ(flames("d/lily.flam3").size(), 1u);
  EXPECT_TRUE(says({"convert", "a.flam3", "-o", "d/"}, "d/rose.flam3: holds a flame"));
}

TEST_F(flock_program, files_in_the_way_are_named_before_drafts_are_rendered) {
  write_file(folder / "two.flam3", "<flames>" + triangle("name=\"a\"") +
                                       triangle("name=\"b\" hue=\"0.5\"") + "</flames>");
  const std::vector<std::vector<std::string>> lines = {
      {"random", "-n", "2", "-o", "r/"},
      {"mutate", "two.flam3", "-n", "2", "-o", "m/"},
      {"breed", "two.flam3", "-n", "3", "-o", "b/"},
      {"random", "-n", "2", "-o", "{stem}-{index}-{name}.flam3"},
      {"mutate", "two.flam3", "-n", "2", "-o", "{stem}-{index}-{name}.flam3"},
      {"breed", "two.flam3", "-n", "3", "-o", "{stem}-{index}-{name}.flam3"}};
  for (std::vector<std::string> line : lines) {
    line.emplace_back("--take-all");
    EXPECT_TRUE(contains(done(line).err, " drafts\n"));
    const Outcome again = kiln(line);
    EXPECT_EQ(again.code, 2);
    EXPECT_TRUE(contains(again.err, "holds a flame")) << again.err;
    EXPECT_FALSE(contains(again.err, "draft")) << again.err;
    line.emplace_back("--no-clobber");
    const Outcome kept = kiln(line);
    EXPECT_EQ(kept.code, 5);
    EXPECT_TRUE(contains(kept.err, "exists already")) << kept.err;
    EXPECT_FALSE(contains(kept.err, "draft")) << kept.err;
  }
  EXPECT_TRUE(says({"breed", "two.flam3", "-o", "{index}.flam3"}, "two pictures would be called"));
}

TEST_F(flock_program, patterns_stand_for_files_where_no_shell_expands_them) {
  std::filesystem::create_directory(folder / "d");
  for (const char* name : {"b.flam3", "A.FLAM3", "c.flame", ".d.flam3"})
    write_file(folder / (std::string("d/") + name), "");
  const std::string in = folder / "d/";
  using Files = std::vector<std::string>;
  EXPECT_EQ(cli::expand_patterns({in + "*.flam3", "x", "-"}),
            (Files{in + "A.FLAM3", in + "b.flam3", "x", "-"}));
  EXPECT_EQ(cli::expand_patterns({in + "?.flam*"}),
            (Files{in + "A.FLAM3", in + "b.flam3", in + "c.flame"}));
  write_file(folder / "d/real*.flam3", "");
  EXPECT_EQ(cli::expand_patterns({in + "real*.flam3"}), (Files{in + "real*.flam3"}));
  EXPECT_THROW(cli::expand_patterns({in + "*.png"}), Error);
}

TEST_F(flock_program, convert_writes_a_file_each_and_takes_settings) {
  done({"random", "-n", "3", "-o", "p.flam3", "--take-all"});
  EXPECT_EQ(done({"convert", "p.flam3", "-o", "single/", "-q"}).out,
            "single/random-0.flam3\nsingle/random-1.flam3\nsingle/random-2.flam3\n");
  done({"convert", "p.flam3", "-o", "q.flam3", "-q"});
  const std::string out = done({"convert", "p.flam3", "q.flam3", "-o", "twice/", "-q"}).out;
  EXPECT_TRUE(contains(out, "twice/p_0.flam3\n") && contains(out, "twice/q_2.flam3\n")) << out;
  done({"convert", "p.flam3", "-o", "dark-{index}.flam3", "--brightness", "2", "-q"});
  EXPECT_EQ(flames("dark-2.flam3")[0].brightness, 2);
  EXPECT_EQ(flames("dark-2.flam3")[0].name, "random-2");
  EXPECT_TRUE(says({"convert", "p.flam3", "-o", "single/", "-q"}, "holds a flame"));
  EXPECT_TRUE(says({"convert", "p.flam3", "-o", "{index}.png"}, "flames are written here"));
}

TEST_F(flock_program, palettes_are_listed_shown_and_sorted) {
  const std::string library = source_dir() + std::string("/flames/palettes.xml");
  const Outcome list = done({"palettes", library});
  EXPECT_TRUE(contains(list.out, library + "#0\tember\n")) << list.out;
  const std::size_t count = std::size_t(std::count(list.out.begin(), list.out.end(), '\n'));
  done({"palettes", library, "-o", "p.png", "--columns", "2"});
  const Image strips = read_picture(folder / "p.png");
  EXPECT_EQ(strips.width, 2 * 256 + 3 * 4);
  EXPECT_EQ(strips.height, int((count + 1) / 2) * 28 + 4);
  done({"palettes", library, "-o", "p.html", "--sort", "name"});
  const std::string page = read_file(folder / "p.html");
  EXPECT_LT(page.find("<b>abyss</b>"), page.find("<b>ember</b>"));
  EXPECT_TRUE(contains(page, "data-asked=\"" + library + "#0\""));
  write_file(folder / "empty.xml", "<palettes/>");
  EXPECT_EQ(kiln({"palettes", "empty.xml"}).code, 3);
  EXPECT_TRUE(says({"palettes", library, "-o", "p.exr"}, "picture or a page"));
  EXPECT_TRUE(says({"palettes", library, "-o", "p.svg"}, "or .html"));
  EXPECT_TRUE(says({"sheet", library, "-o", "p.svg"}, "or .html"));
  write_file(folder / "a.flam3", triangle());
  EXPECT_EQ(done({"palettes", "a.flam3"}).out, "a.flam3\t\n");
}

TEST_F(flock_program, palettes_of_flames_and_pictures_are_their_own) {
  for (const char* name : {"a.flam3", "a.flame"}) write_file(folder / name, triangle());
  done({"render", "a.flame", "-o", "a.png"});
  for (const std::string name : {"a.flam3", "a.flame", "a.png"})
    EXPECT_EQ(done({"palettes", name}).out, name + "\t\n");
}

TEST_F(flock_program, one_flame_is_rendered_in_several_palettes) {
  const std::string library = source_dir() + std::string("/flames/palettes.xml");
  write_file(folder / "a.flam3", triangle());
  done({"render", "a.flam3", "--palette", library + "#0", "--palette", library + "#dusk"});
  EXPECT_EQ(folder.entries(),
            (std::vector<std::string>{"a.flam3", "a_palettes-0.png", "a_palettes-dusk.png"}));
  done({"render", "a.flam3", "--palette", library + "#dusk", "-o", "{palette}.png"});
  EXPECT_TRUE(read_picture(folder / "palettes-dusk.png").pixels ==
              read_picture(folder / "a_palettes-dusk.png").pixels);
  EXPECT_FALSE(read_picture(folder / "a_palettes-0.png").pixels ==
               read_picture(folder / "a_palettes-dusk.png").pixels);
  EXPECT_TRUE(says({"convert", "a.flam3", "-o", "b.flam3", "--palette", library + "#0", "--palette",
                    library + "#1"},
                   "give one"));
  EXPECT_TRUE(says({"render", "a.flam3", "-o", "b.png", "--palette", library + "#0", "--palette",
                    library + "#1"},
                   "{palette}"));
}

TEST_F(flock_program, a_template_gives_what_it_says_and_no_more) {
  write_file(folder / "t.flam3",
             "<flame size=\"64 48\" quality=\"9\" gamma=\"9\" scale=\"3\">"
             "<xform weight=\"1\" linear=\"1\" coefs=\"0.5 0 0 0.5 0 0\"/>"
             "<color index=\"0\" rgb=\"255 128 0\"/></flame>");
  write_file(folder / "a.flam3", triangle("name=\"a\" filter=\"0.75\""));
  done({"convert", "a.flam3", "-o", "b.flam3", "--template", "t.flam3"});
  const Flame before = flames("a.flam3")[0], after = flames("b.flam3")[0];
  EXPECT_EQ(after.width, 64);
  EXPECT_EQ(after.scale, before.scale * 48 / before.height);
  EXPECT_EQ(after.quality, 9);
  EXPECT_EQ(after.gamma, before.gamma);
  EXPECT_EQ(after.name, "a");
  done({"convert", "a.flam3", "-o", "c1.flam3", "--template", "t.flam3", "--set", "quality=3"});
  EXPECT_EQ(flames("c1.flam3")[0].quality, 3);
  done({"convert", "a.flam3", "-o", "c2.flam3", "--template", "t.flam3", "--set", "size=20 10"});
  EXPECT_EQ(flames("c2.flam3")[0].height, 10);
  // neither xforms nor a palette, what stands for unset, a picture
  write_file(folder / "t.flam3", "<flame size=\"64 48\" highlight_power=\"-1\"/>");
  write_file(folder / "a.flam3", triangle("highlight_power=\"2\""));
  done({"convert", "a.flam3", "-o", "c3.flam3", "--template", "t.flam3"});
  EXPECT_EQ(flames("c3.flam3")[0].highlight_power, 2);
  EXPECT_EQ(flames("c3.flam3")[0].width, 64);
  done({"render", "a.flam3", "-o", "t.png"});
  done({"convert", "b.flam3", "-o", "c4.flam3", "--template", "t.png"});
  EXPECT_EQ(flames("c4.flam3")[0].width, 32);
  EXPECT_EQ(kiln({"convert", "a.flam3", "-o", "d.flam3", "--template", "nowhere"}).code, 3);
  write_file(folder / "t.flam3", "<pack/>");
  EXPECT_EQ(kiln({"convert", "a.flam3", "-o", "d.flam3", "--template", "t.flam3"}).code, 3);
}

}  // namespace
}  // namespace kiln
