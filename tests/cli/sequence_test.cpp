// SPDX-License-Identifier: MIT
// kiln sequence as a user runs it: files, messages, exit codes.
#include <gtest/gtest.h>

#include "engine/io/flame/flame_reader.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using test::Outcome;
using test::read_file;
using test::run_program;
using test::ScratchFolder;
using test::triangle;
using test::write_file;

Outcome sequence(const ScratchFolder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "sequence");
  test::Start start;
  start.folder = folder.path();
  return run_program(arguments, start);
}

std::vector<Flame> flames_of(const std::string& path) { return read_flames(path, {}).flames; }

/// The second has a fourth xform.
std::string two_keys() {
  return "<f>" + triangle("time=\"2\" rotate=\"0\"") +
         triangle("time=\"4\" rotate=\"40\"",
                  "<xform weight=\"1\" linear=\"1\" coefs=\"0.5 0 0 0.5 1 1\"/>") +
         "</f>";
}

TEST(sequence_command, writes_turns_and_transitions) {
  const ScratchFolder folder;
  write_file(folder / "keys.flam3", two_keys());
  const Outcome made = sequence(folder, {"keys.flam3", "-o", "all.flam3", "--nframes", "4"});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.out, "all.flam3\n");
  EXPECT_EQ(made.err, "13 flames, times 0 to 12\n");
  const std::vector<Flame> flames = flames_of(folder / "all.flam3");
  ASSERT_EQ(flames.size(), 13u);
  EXPECT_NEAR(flames[6].rotate_deg, 20, 1e-9);
  EXPECT_NEAR(flames[1].xforms[0].coefs.d, 0.5, 1e-12);  // a quarter turn
}

TEST(sequence_command, options_reach_the_sequence) {
  const ScratchFolder folder;
  write_file(folder / "keys.flam3", two_keys());
  const auto made = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"keys.flam3", "-o", "out.flam3", "--nframes", "4", "--force"});
    const Outcome outcome = sequence(folder, options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return flames_of(folder / "out.flam3");
  };
  EXPECT_EQ(made({"--loops", "0"}).size(), 5u);
  EXPECT_EQ(made({"--loops", "2"}).size(), 21u);
  EXPECT_EQ(made({"--loop"}).size(), 17u);
  EXPECT_NEAR(made({"--loops", "0", "--steady"})[1].rotate_deg, 10, 1e-9);
  EXPECT_NEAR(made({"--loops", "0"})[1].rotate_deg, 6.25, 1e-9);
  const std::vector<Flame> three = made({"--frame", "2"});
  ASSERT_EQ(three.size(), 3u);
  EXPECT_EQ(three[0].time, 1);
  EXPECT_NEAR(three[1].rotate_deg, 20, 1e-9);
  EXPECT_NEAR(made({"--loops", "0"})[2].xforms[3].weight, 0.5, 1e-9);
  EXPECT_NEAR(made({"--loops", "0", "--stagger", "1"})[2].xforms[3].weight, 0, 1e-9);
}

TEST(sequence_command, in_betweens_to_standard_output) {
  const ScratchFolder folder;
  write_file(folder / "keys.flam3", two_keys());
  const Outcome made = sequence(folder, {"keys.flam3", "-o", "-", "--in-betweens", "--end", "5"});
  EXPECT_EQ(made.code, 0) << made.err;
  const std::vector<Flame> flames = parse_flames(made.out, "standard output", {}).flames;
  ASSERT_EQ(flames.size(), 4u);
  EXPECT_EQ(flames[0].time, 2);
  EXPECT_NEAR(flames[1].rotate_deg, 20, 1e-9);
  EXPECT_NEAR(flames[3].rotate_deg, 60, 1e-9);
}

TEST(sequence_command, says_what_is_wrong_and_writes_nothing) {
  const ScratchFolder folder;
  write_file(folder / "keys.flam3", two_keys());
  write_file(folder / "same.flam3", "<f>\n" + triangle() + triangle() + "</f>");
  const auto fails = [&](std::vector<std::string> arguments, int code, const std::string& part) {
    const Outcome outcome = sequence(folder, std::move(arguments));
    EXPECT_EQ(outcome.code, code) << part;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  };
  fails({"keys.flam3"}, 2, "--output is missing");
  fails({"keys.flam3", "-o", "a", "--nframes", "0"}, 2, "a turn needs at least 1 frame");
  fails({"keys.flam3", "-o", "a", "--stagger", "2"}, 2, "must be from 0 to 1");
  fails({"keys.flam3", "-o", "a", "--nframes", "40000"}, 2, "at most 65.5 k are possible");
  fails({"keys.flam3", "-o", "a", "--loop", "--frame", "1"}, 2, "exclude each other");
  fails({"keys.flam3", "-o", "a", "--begin", "1"}, 2, "goes with --in-betweens");
  fails({"keys.flam3", "-o", "a", "--in-betweens", "--begin", "9"}, 2, "is before the first time");
  fails({"none.flam3", "-o", "a"}, 3, "none.flam3");
  fails({"same.flam3", "-o", "a", "--in-betweens"}, 3,
        "same.flam3:3: flame: time=\"0\" does not come after");
  fails({"keys.flam3", "-o", "no/a"}, 5, "the folder \"no\" does not exist");
  EXPECT_EQ(folder.entries(), (std::vector<std::string>{"keys.flam3", "same.flam3"}));
}

TEST(sequence_command, no_clobber_keeps_what_is_there) {
  const ScratchFolder folder;
  write_file(folder / "keys.flam3", two_keys());
  write_file(folder / "out.flam3", "mine");
  EXPECT_EQ(sequence(folder, {"keys.flam3", "-o", "out.flam3", "--no-clobber"}).code, 5);
  EXPECT_EQ(read_file(folder / "out.flam3"), "mine");
  EXPECT_EQ(sequence(folder, {"keys.flam3", "-o", "out.flam3", "--nframes", "2"}).code, 0);
  EXPECT_EQ(flames_of(folder / "out.flam3").size(), 7u);
}

}  // namespace
}  // namespace kiln
