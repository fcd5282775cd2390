// SPDX-License-Identifier: MIT
// Where NVRTC is looked for.
#include "engine/device/cuda/jit/nvrtc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/platform/process.h"
#include "engine/device/cuda/driver.h"
#include "tests/cli/program.h"
#include "tests/cuda/with_fake.h"

namespace kiln::test {
namespace {

using Folders = std::vector<std::string>;

TEST(Nvrtc, IsFoundAmongPythonsPackages) {
  const ScratchFolder scratch;
  const std::string root = std::filesystem::canonical(scratch.path()).string();
  const auto made = [&](const std::string& folder) {
    std::filesystem::create_directories(root + "/" + folder);
    return root + "/" + folder;
  };
  const std::string packages = "venv/lib/python3.11/site-packages/";
  made("venv/bin");
  made("venv/lib/pythons");
  EXPECT_EQ(nvrtc_folders_near(root + "/venv/bin/kiln"), (Folders{root + "/venv/bin"}));
  const std::string old = made(packages + "nvidia/cuda_nvrtc/lib"),
                    now = made(packages + "nvidia/cu13/lib"),
                    newer = made("venv/lib/python3.9/dist-packages/nvidia/cu13/lib");
  // the program of an environment
  const Folders of_program = nvrtc_folders_near(root + "/venv/bin/kiln");
  ASSERT_EQ(of_program.size(), 4u);
  EXPECT_EQ(of_program[0], root + "/venv/bin");
  for (const std::string& folder : {old, now, newer})
    EXPECT_TRUE(std::count(of_program.begin(), of_program.end(), folder)) << folder;
  // the module of a Python package: those beside it
  EXPECT_EQ(nvrtc_folders_near(root + "/" + packages + "kiln/_kiln.so"),
            (Folders{root + "/" + packages + "kiln", now, old}));
  EXPECT_EQ(nvrtc_folders_near("kiln"), Folders{});  // never what lies in the current folder
}

TEST(Nvrtc, IsLookedForBesideTheProgram) {
  const std::string here = std::filesystem::canonical("/proc/self/exe").parent_path().string();
  const std::vector<std::string> all = nvrtc_candidates();
  const auto beside = std::find_if(all.begin(), all.end(), [&](const std::string& file) {
    return file.starts_with(here + "/libnvrtc.so.");
  });
  EXPECT_NE(beside, all.end());
}

/// A shell starts programs of PATH by their bare names, and kiln its own processes.
TEST(Nvrtc, IsLookedForBesideAProgramThatWasStartedByItsName) {
  Child again({.command = {own_program(), "--gtest_filter=Nvrtc.IsLookedForBesideTheProgram"}});
  EXPECT_TRUE(again.wait()->is_well());
}

TEST(Nvrtc, IsNoneThatTheDriverWouldRefuse) {
  std::string reason;
  ASSERT_TRUE(load_driver(reason)) << reason;
  const auto names_13 = [](const std::string& file) { return file.ends_with("libnvrtc.so.13"); };
  const auto names_12 = [](const std::string& file) { return file.ends_with("libnvrtc.so.12"); };
  const auto names_any = [](const std::string& file) { return file.ends_with("libnvrtc.so"); };
  for (const int version : {12010, 13000, 13010, 14000}) {
    const FakeWish driver("cuda=" + std::to_string(version));
    const std::vector<std::string> all = nvrtc_candidates();
    const bool knows_13 = version >= 13000;
    EXPECT_EQ(std::any_of(all.begin(), all.end(), names_13), knows_13) << version;
    EXPECT_EQ(std::any_of(all.begin(), all.end(), names_any), knows_13) << version;
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), names_12)) << version;
  }
}

}  // namespace
}  // namespace kiln::test
