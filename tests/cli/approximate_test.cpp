// SPDX-License-Identifier: MIT
// The program and flames that need what kiln does not have, packs with a bad flame, and --flame.
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;

const std::string lacking = "<xform weight=\"1\" linear=\"1\" hexnix3D=\"1\"/>";

class approximate : public testing::Test {
 protected:
  Outcome kiln(const std::vector<std::string>& arguments) const {
    return run_program(arguments, {folder.path(), {}, {}, {}});
  }
  void put(const std::string& name, const std::string& flames) const {
    write_file(folder / name, "<flames>\n" + flames + "</flames>\n");
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder / name); }

  ScratchFolder folder;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(approximate, every_command_refuses_and_names_what_is_missing) {
  put("a.flame", triangle("time=\"0\"") + triangle("name=\"b\" time=\"1\"", lacking));
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"render", "a.flame", "--flame", "b"},
                                             {"animate", "a.flame", "-o", "f####.png"},
                                             {"sequence", "a.flame", "-o", "s.flam3"},
                                             {"validate", "a.flame"}}) {
    const Outcome outcome = kiln(command);
    EXPECT_EQ(outcome.code, 4) << command[0] << outcome.err;
    EXPECT_TRUE(contains(outcome.err + outcome.out,
                         "a.flame:3: flame 1 \"b\" needs variation hexnix3D (xform 4), which kiln "
                         "does not have; --approximate renders it without"))
        << outcome.err;
  }
  EXPECT_EQ(folder.entries(), std::vector<std::string>{"a.flame"});
}

TEST_F(approximate, renders_without_and_says_so) {
  put("a.flame", triangle("time=\"0\" temporal_samples=\"2\"") +
                     triangle("time=\"1\" temporal_samples=\"2\"", lacking));
  const std::string warning =
      "kiln: warning: a.flame:3: flame 1 needs variation hexnix3D (xform 4), which kiln does not "
      "have\n";
  const std::string record = R"("approximate":["variation hexnix3D"])";
  const Outcome still = kiln({"render", "a.flame", "--approximate"});
  EXPECT_EQ(still.code, 0) << still.err;
  EXPECT_TRUE(contains(still.err, warning)) << still.err;
  EXPECT_FALSE(contains(read_file(folder / "a_0.png"), record));
  EXPECT_TRUE(contains(read_file(folder / "a_1.png"), record));
  const Outcome frames = kiln({"animate", "a.flame", "--approximate", "-o", "f####.png"});
  EXPECT_EQ(frames.code, 0) << frames.err;
  EXPECT_TRUE(contains(frames.err, warning)) << frames.err;
  EXPECT_TRUE(contains(read_file(folder / "f0000.png"), record));
  const Outcome flames =
      kiln({"sequence", "a.flame", "--approximate", "-o", "s.flam3", "--nframes", "2"});
  EXPECT_EQ(flames.code, 0) << flames.err;
  EXPECT_TRUE(contains(flames.err, warning)) << flames.err;
  EXPECT_EQ(kiln({"validate", "a.flame", "--approximate"}).code, 0);
}

TEST_F(approximate, info_shows_what_is_missing) {
  put("a.flame", triangle("cam_roll=\"1\"", lacking));
  const Outcome text = kiln({"info", "a.flame"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "    kiln does not have: setting cam_roll, variation hexnix3D\n"))
      << text.out;
  EXPECT_TRUE(contains(kiln({"info", "a.flame", "--json"}).out,
                       R"("missing":["setting cam_roll","variation hexnix3D"])"));
}

TEST_F(approximate, a_bad_flame_leaves_the_rest_of_the_pack) {
  put("a.flame", triangle() + triangle("gamma=\"x\"") + triangle() + triangle("", lacking));
  const Outcome outcome = kiln({"render", "a.flame"});
  EXPECT_EQ(outcome.code, 7);
  EXPECT_EQ(outcome.out, "a_0.png\na_2.png\n");
  EXPECT_TRUE(contains(outcome.err, "a.flame:3: flame: gamma=\"x\"")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "flame 3 needs variation hexnix3D")) << outcome.err;
  EXPECT_EQ(kiln({"render", "a.flame", "--flame", "0,2"}).code, 0);
  EXPECT_EQ(kiln({"render", "a.flame", "--flame", "1"}).code, 3);
  const Outcome info = kiln({"info", "a.flame"});
  EXPECT_EQ(info.code, 7);
  EXPECT_TRUE(contains(info.out, "a.flame: 3 flames\n")) << info.out;
}

TEST_F(approximate, validate_lists_each_bad_flame) {
  put("a.flame", triangle() + triangle("gamma=\"x\"") + triangle("", lacking) +
                     triangle("supersample=\"16\" filter=\"0.01\" filter_shape=\"hamming\""));
  const Outcome text = kiln({"validate", "a.flame"});
  EXPECT_EQ(text.code, 3);
  EXPECT_TRUE(contains(text.out, "a.flame:3: flame: gamma=\"x\"")) << text.out;
  EXPECT_TRUE(contains(text.out, "a.flame:4: flame 2 needs variation hexnix3D")) << text.out;
  // what render refuses only when it plans the picture
  EXPECT_TRUE(contains(text.out, "a.flame:5: flame: ")) << text.out;
  EXPECT_TRUE(contains(text.out, "\na.flame: refused, 1 flame good, 3 bad\n")) << text.out;
  const Outcome json = kiln({"validate", "a.flame", "--json"});
  EXPECT_TRUE(contains(json.out, R"("code":3,"flames":1,"bad":[{"index":1,"name":"","code":3,)"))
      << json.out;
  EXPECT_EQ(kiln({"validate", "a.flame", "--flame", "2"}).code, 4);
}

TEST_F(approximate, messages_are_those_of_the_chosen_flames) {
  put("a.flame", triangle("qualiti=\"3\"") + triangle("gama=\"3\" interpolation=\"smooth\""));
  const Outcome second = kiln({"render", "a.flame", "--flame", "1"});
  EXPECT_TRUE(contains(second.err, "unknown attribute gama")) << second.err;
  EXPECT_FALSE(contains(second.err, "qualiti")) << second.err;
  EXPECT_FALSE(contains(second.err, "smooth")) << second.err;
}

TEST_F(approximate, flames_are_chosen_the_same_way_everywhere) {
  put("a.flame", triangle("name=\"red rose\" time=\"0\"") + triangle("name=\"fern\" time=\"1\"") +
                     triangle("name=\"red fern\" time=\"2\""));
  EXPECT_EQ(kiln({"render", "a.flame", "--flame", "red*", "-o", "{name}.png"}).out,
            "red_rose.png\nred_fern.png\n");
  EXPECT_TRUE(contains(kiln({"info", "a.flame", "--flame", "red rose"}).out, "a.flame: 1 flame\n"));
  EXPECT_EQ(kiln({"validate", "a.flame", "--flame", "0,2"}).out, "a.flame: complete, 2 flames\n");
  const Outcome sequence = kiln(
      {"sequence", "a.flame", "--flame", "0-1", "-o", "s.flam3", "--nframes", "2", "--loops", "0"});
  EXPECT_EQ(sequence.code, 0) << sequence.err;
  const Outcome animate = kiln({"animate", "a.flame", "--flame", "1,2", "-o", "f####.png"});
  EXPECT_EQ(animate.out, "f0001.png\n") << animate.err;
  for (const char* command : {"render", "info", "validate"}) {
    const Outcome outcome = kiln({command, "a.flame", "--flame", "ferm"});
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_TRUE(contains(outcome.err, "(did you mean \"fern\"?)")) << outcome.err;
  }
}

TEST_F(approximate, names_of_flames_do_not_choose_the_stream_or_lie_about_the_format) {
  put("a.flame", triangle("name=\"-\""));
  const Outcome dash = kiln({"render", "a.flame", "-o", "{name}"});
  EXPECT_EQ(dash.code, 0) << dash.err;
  EXPECT_EQ(dash.out, "_\n");
  put("b.flame", triangle("name=\"a.exr\""));
  const Outcome exr = kiln({"animate", "b.flame", "-o", "####{name}"});
  if (exr.code == 2) GTEST_SKIP() << "built without OpenEXR";
  EXPECT_EQ(exr.code, 0) << exr.err;
  EXPECT_EQ(read_file(folder / "0000a.exr").substr(0, 4), "\x76\x2f\x31\x01");
}

TEST_F(approximate, pictures_that_cannot_be_are_refused_with_their_line) {
  put("a.flame", triangle("zoom=\"30\"") + triangle("zoom=\"-20\""));
  const Outcome outcome = kiln({"render", "a.flame"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(contains(outcome.err, "a.flame:2: ")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "are too many")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "a.flame:3: ")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "not one sample")) << outcome.err;
  EXPECT_EQ(kiln({"validate", "a.flame"}).code, 3);
}

}  // namespace
}  // namespace kiln
