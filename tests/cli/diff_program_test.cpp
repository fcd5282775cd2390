// SPDX-License-Identifier: MIT
// kiln diff, verify and selftest, --set of xforms, --version --json and lists of duplicates, as users type them.
#include <gtest/gtest.h>

#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/png_writer.h"
#include "tests/cli/program.h"

namespace kiln::test {
namespace {

class DiffProgram : public testing::Test {
 protected:
  DiffProgram() { write_file(folder / "a.flam3", triangle()); }
  Outcome kiln(const std::vector<std::string>& words) {
    return run_program(words, {folder.path(), "", {}, {}});
  }
  Outcome done(const std::vector<std::string>& words) {
    const Outcome outcome = kiln(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    return outcome;
  }
  static bool says(const std::string& text, const std::string& words) {
    return text.find(words) != text.npos;
  }
  ScratchFolder folder;
};

TEST_F(DiffProgram, DiffSaysWhatDiffers) {
  EXPECT_EQ(done({"diff", "a.flam3", "a.flam3"}).out, "");
  done(
      {"convert", "a.flam3", "-o", "b.flam3", "--set", "gamma=2.5", "--set", "xform.1.linear=0.5"});
  const Outcome differs = kiln({"diff", "a.flam3", "b.flam3"});
  EXPECT_EQ(differs.code, 1);
  EXPECT_EQ(differs.out, "gamma: 4, then 2.5\nxform.1.linear: 1, then 0.5\n");
  const Outcome json = kiln({"diff", "a.flam3", "b.flam3", "--json"});
  EXPECT_EQ(json.code, 1);
  EXPECT_TRUE(says(json.out, R"("words":["gamma: 4, then 2.5","xform.1.linear: 1, then 0.5"])"))
      << json.out;
  EXPECT_EQ(kiln({"diff", "a.flam3"}).code, 2);
  EXPECT_EQ(kiln({"diff", "a.flam3", "nothing.flam3"}).code, 3);
  done({"convert", "a.flam3", "-o", "c.flam3", "--set", "name=other"});
  EXPECT_EQ(kiln({"diff", "a.flam3", "c.flam3"}).code, 1);
  done({"diff", "a.flam3", "c.flam3", "--look"});
  write_file(folder / "two.flam3", "<flames>" + triangle() + triangle() + "</flames>");
  const Outcome more = kiln({"diff", "a.flam3", "two.flam3"});
  EXPECT_EQ(more.code, 1);
  EXPECT_TRUE(says(more.out, "only in two.flam3")) << more.out;
}

TEST_F(DiffProgram, CompareOfFlamesLeadsToDiff) {
  const Outcome outcome = kiln({"compare", "a.flam3", "a.flam3"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(says(outcome.err, "kiln diff a.flam3 a.flam3")) << outcome.err;
}

TEST_F(DiffProgram, SettingsReachXformsInEveryCommand) {
  done({"render", "a.flam3", "-o", "set.png", "--width", "32", "--quiet", "--set",
        "xform.*.color_speed=0.25", "--set", "xform.0.julian=0.5"});
  done({"convert", "a.flam3", "-o", "b.flam3", "--set", "xform.*.color_speed=0.25", "--set",
        "xform.0.julian=0.5"});
  done({"render", "b.flam3", "-o", "file.png", "--width", "32", "--quiet"});
  done({"compare", "set.png", "file.png"});
  done({"diff", "set.png", "file.png"});
  const Outcome wrong = kiln({"render", "a.flam3", "--set", "xform.0.juliann=1"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(says(wrong.err, "did you mean \"julian\"?")) << wrong.err;
}

TEST_F(DiffProgram, VerifyMakesAPictureAgain) {
  done({"render", "a.flam3", "-o", "p.png", "--width", "32", "--quiet", "--seed", "3", "--stages"});
  EXPECT_EQ(done({"verify", "p.png"}).out, "p.png: same\n");
  EXPECT_TRUE(says(done({"verify", "p.png", "--json"}).out, R"("verdict":"same")"));
  done({"render", "a.flam3", "-o", "p.jpg", "--width", "32", "--quiet"});
  EXPECT_TRUE(says(done({"verify", "p.jpg"}).out, "p.jpg: same: "));
  write_file(folder / "none.png", "no picture");
  EXPECT_EQ(kiln({"verify", "none.png"}).code, 3);
  const Outcome flame = kiln({"verify", "a.flam3"});
  EXPECT_EQ(flame.code, 3);
}

/// What is known to be wrong outweighs what nobody can know, in any order.
TEST_F(DiffProgram, VerifyOfSeveralPicturesEndsWithTheWorst) {
  done({"render", "a.flam3", "-o", "p.png", "--width", "32", "--quiet"});
  Image image = read_picture(folder / "p.png");
  FileTexts texts;
  for (const auto& [key, text] : read_picture_texts(folder / "p.png").texts)
    texts.push_back({key, text, false});
  image.pixels8()[4 * 100] ^= 1;
  write_png(folder / "altered.png", image, texts);
  write_file(folder / "none.png", "no picture");
  EXPECT_EQ(kiln({"verify", "altered.png"}).code, 1);
  EXPECT_EQ(kiln({"verify", "altered.png", "none.png"}).code, 1);
  EXPECT_EQ(kiln({"verify", "none.png", "altered.png"}).code, 1);
  EXPECT_EQ(kiln({"verify", "none.png", "p.png"}).code, 3);
  const Outcome all = kiln({"verify", "p.png", "altered.png", "none.png"});
  EXPECT_EQ(all.code, 1);
  EXPECT_TRUE(says(all.out, "p.png: same\naltered.png: altered: ") &&
              says(all.out, "none.png: unk"))
      << all.out;
}

/// What is no attribute of a flame in its file, and what ends early, is in the record.
TEST_F(DiffProgram, VerifyKnowsWhatTheRecordAloneSays) {
  const std::vector<std::vector<std::string>> options = {
      {"--pixel-aspect", "2"}, {"--until-noise", "20"}, {"--bits", "16"},
      {"--transparent"},       {"--crop", "4,4,16x12"}, {"--dpi", "300"}};
  for (std::vector<std::string> words : options) {
    words.insert(words.begin(), {"render", "a.flam3", "-o", "p.png", "--width", "32", "--quiet"});
    done(words);
    EXPECT_EQ(done({"verify", "p.png"}).out, "p.png: same\n") << words[7];
  }
}

/// A record that says another seed: the first stage that differs is named.
TEST_F(DiffProgram, VerifyNamesTheStageThatDiffers) {
  done({"render", "a.flam3", "-o", "p.ppm", "--width", "32", "--quiet"});
  const Outcome without = kiln({"verify", "p.ppm"});
  EXPECT_EQ(without.code, 3);
  EXPECT_TRUE(says(without.out, "unknown: ")) << without.out;
}

TEST_F(DiffProgram, SelftestKnowsItsAnswers) {
  const Outcome outcome = done({"selftest", "--backend", "cpu"});
  EXPECT_TRUE(says(outcome.out, ": right: 10 pictures")) << outcome.out;
  const Outcome json = done({"selftest", "--backend", "cpu", "--threads", "1", "--json"});
  EXPECT_TRUE(says(json.out, R"("right":true,"devices":[{)")) << json.out;
}

TEST_F(DiffProgram, VersionIsSaidAsJson) {
  const Outcome outcome = done({"--version", "--json"});
  EXPECT_TRUE(outcome.out.starts_with(R"({"program":"kiln","version":")")) << outcome.out;
  EXPECT_TRUE(says(outcome.out, R"("pictures":[".png")")) << outcome.out;
  EXPECT_EQ(kiln({"--version", "--jso"}).code, 2);
}

TEST_F(DiffProgram, DuplicatesAreAList) {
  done({"convert", "a.flam3", "-o", "b.flam3", "--set", "name=other"});
  done({"convert", "a.flam3", "-o", "c.flam3", "--set", "scale=7"});
  const Outcome list =
      done({"sheet", "a.flam3", "b.flam3", "c.flam3", "--duplicates", "--size", "40x40"});
  EXPECT_EQ(list.out, "b.flam3#0 the same flame as a.flam3#0\n");
  // who made it, when it is shown in a film, and what it is called make no other flame
  done({"convert", "a.flam3", "-o", "d.flam3", "--set", "time=7", "--set", "nick=me", "--set",
        "name=last"});
  EXPECT_EQ(done({"sheet", "a.flam3", "d.flam3", "--duplicates", "--size", "40x40"}).out,
            "d.flam3#0 the same flame as a.flam3#0\n");
  // one that is there twice is said to be so, also where another before both is like it
  done({"convert", "a.flam3", "-o", "e.flam3", "--set", "brightness=4.4"});
  done({"convert", "e.flam3", "-o", "f.flam3", "--set", "name=again"});
  const std::string three =
      done({"sheet", "a.flam3", "e.flam3", "f.flam3", "--duplicates", "--size", "40x40"}).out;
  EXPECT_TRUE(says(three, "e.flam3#0 looks like a.flam3#0\n") ||
              says(three, "e.flam3#0 nearly looks like a.flam3#0\n"))
      << three;
  EXPECT_TRUE(says(three, "f.flam3#0 the same flame as e.flam3#0\n")) << three;
  const Outcome json =
      done({"sheet", "a.flam3", "b.flam3", "--duplicates", "--json", "--size", "40x40"});
  EXPECT_TRUE(says(json.out, R"("how":"the same flame as","of":{"file":"a.flam3")")) << json.out;
  EXPECT_EQ(kiln({"sheet", "a.flam3"}).code, 2);
}

}  // namespace
}  // namespace kiln::test
