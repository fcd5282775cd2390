// SPDX-License-Identifier: MIT
// A device that fails in mid-render costs no unit that is finished, if it gives them back; one that
// is lost costs those since the last state. Either way the picture is in the end the undisturbed one.
#include <gtest/gtest.h>

#include "tests/cli/program.h"
#include "tests/devices.h"

namespace kiln {
namespace {

using namespace test;
using Names = std::vector<std::string>;

Outcome kiln(const ScratchFolder& folder, const std::string& fault, const std::string& backend,
             const Names& more) {
  Names words = {"render", "t.flame", "--backend", backend,     "--threads",
                 "2",      "--width", "320",       "--quality", "600"};
  words.insert(words.end(), more.begin(), more.end());
  return run_program(words, {folder.path(), "", {}, [&] {
                               if (!fault.empty()) setenv("KILN_TEST_FAIL_GAME", fault.c_str(), 1);
                             }});
}

Names backends() {
  Names all = {"cpu"};
  if (open_cuda(0, false)) all.push_back("cuda");
  return all;
}

/// Fails at the launches 1, 2 ... until one render gets through.
void expect_nothing_lost(const Names& how, const std::string& kind) {
  for (const std::string& backend : backends()) {
    const ScratchFolder folder;
    write_file(folder / "t.flame", triangle());
    Names undisturbed = how;
    undisturbed.insert(undisturbed.end(), {"-o", "whole.png"});
    ASSERT_EQ(kiln(folder, "", backend, undisturbed).code, 0);
    const std::string whole = read_file(folder / "whole.png");
    int failures = 0, states = 0;
    for (int launch = 1; launch < 100; ++launch) {
      std::filesystem::remove(folder / "out.kiln");
      Names words = how;
      words.insert(words.end(), {"-o", "out.png"});
      const Outcome failed = kiln(folder, std::to_string(launch) + kind, backend, words);
      if (failed.code == 0) break;
      ++failures;
      EXPECT_EQ(failed.code, 6) << failed.err;
      EXPECT_NE(failed.err.find("the device failed in the chaos game"), std::string::npos);
      EXPECT_FALSE(std::filesystem::exists(folder / "out.png"));
      const bool has_state = std::filesystem::exists(folder / "out.kiln");
      states += has_state;
      if (kind.empty()) {
        EXPECT_TRUE(has_state) << launch;
        EXPECT_NE(failed.err.find("the device failed; out.kiln has "), std::string::npos)
            << failed.err;
        EXPECT_NE(failed.err.find(" --resume\n"), std::string::npos) << failed.err;
      }
      words.push_back("--resume");
      const Outcome resumed = kiln(folder, "", backend, words);
      EXPECT_EQ(resumed.code, 0) << resumed.err;
      EXPECT_TRUE(read_file(folder / "out.png") == whole) << launch;
      std::filesystem::remove(folder / "out.png");
    }
    EXPECT_GE(failures, backend == "cpu" ? 2 : 1);
    EXPECT_GE(states, kind.empty() ? failures : failures - 1);
  }
}

TEST(state_faults, a_device_that_fails_loses_no_finished_unit) {
  expect_nothing_lost({"--checkpoint", "1e6"}, "");
  expect_nothing_lost({"--checkpoint", "1e6", "--halves"}, "");
}

TEST(state_faults, a_device_that_is_lost_leaves_the_last_state) {
  expect_nothing_lost({"--checkpoint", "0"}, ",lost");
}

TEST(state_faults, a_launch_that_fails_amid_leaves_the_last_state) {
  expect_nothing_lost({"--checkpoint", "0"}, ",amid");
}

}  // namespace
}  // namespace kiln
