// SPDX-License-Identifier: MIT
// What scripts/common.sh says while it installs and builds, by what apt-get and ninja print; how long
// scripts/fuzz runs what.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "tests/cli/program.h"
#include "tests/cli/scratch.h"
#include "tests/places.h"

namespace kiln {
namespace {

/// What a command prints.
std::string output_of(const std::string& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  std::string text;
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe))
    text.append(buffer, count);
  pclose(pipe);
  return text;
}

/// What these lines of bash print, after common.sh was read.
std::string said(const std::string& lines) {
  return output_of(std::string("cd '") + source_dir() + "' && bash -c 'source scripts/common.sh; " +
                   lines + "' 2>&1");
}

TEST(Scripts, SayHowMuchAptWillDownload) {
  EXPECT_EQ(said("apt_plan <<E\n"
                 "0 upgraded, 85 newly installed, 0 to remove and 3 not upgraded.\n"
                 "Need to get 107 MB of archives.\n"
                 "After this operation, 525 MB of additional disk space will be used.\nE\n"),
            "85 packages, 107 MB to download, 525 MB on the disk\n");
  // some of them are there already
  EXPECT_EQ(said("apt_plan <<E\n"
                 "0 upgraded, 2 newly installed, 0 to remove and 3 not upgraded.\n"
                 "Need to get 10.5 MB/107 MB of archives.\nE\n"),
            "2 packages, 10.5 MB to download\n");
  EXPECT_EQ(said("apt_plan <<<\"E: Unable to locate package kilnn\"\n"), "");
}

TEST(Scripts, CountWhatAptDoes) {
  const std::string lines = said(
      "steps=6; (echo \"Get:1 http://deb.debian.org/debian bookworm/main amd64 libfoo amd64 1.2-3 "
      "[22.5 kB]\"; sleep 1.5;"
      "echo \"Unpacking libfoo:amd64 (1.2-3) ...\"; echo \"Setting up libfoo:amd64 (1.2-3) ...\"; "
      "echo done;"
      "sleep 1.5) | show_progress 1 /dev/null");
  EXPECT_NE(lines.find("[1/6] 1 s  download libfoo [22.5 kB]\n"), std::string::npos) << lines;
  EXPECT_NE(lines.find("[3/6]"), std::string::npos) << lines;
  EXPECT_NE(lines.find("s  Setting up libfoo:amd64\n"), std::string::npos) << lines;
}

TEST(Scripts, NameWhatTheBuildHasDone) {
  const std::string lines = said(
      "(echo \"[5/30] Building CXX object engine/a.cpp.o\"; sleep 1.5) | show_progress 1 "
      "/dev/null");
  EXPECT_NE(lines.find("[5/30] 1 s  done: a.cpp.o\n"), std::string::npos) << lines;
}

TEST(Scripts, ThePageOfOptionsIsWhatTheHelpSays) {
  if (!test::has_program("python3")) GTEST_SKIP() << "no python3 here";
  const std::string command = std::string("python3 ") + source_dir() +
                              "/scripts/option_page.py --check --kiln " + program_path();
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

/// What scripts/fuzz prints of two targets that only note what they were asked for; one of them
/// fails. Nothing is built: clang and cmake do nothing.
std::string fuzzed(const test::ScratchFolder& tree, const std::string& words) {
  std::filesystem::create_directories(tree / "scripts");
  std::filesystem::create_directories(tree / "bin");
  std::filesystem::create_directories(tree / "build-fuzz/tests/fuzz");
  for (const char* name : {"common.sh", "fuzz"})
    std::filesystem::copy_file(std::string(source_dir()) + "/scripts/" + name,
                               tree / "scripts/" + name);
  const auto program = [&](const std::string& path, const std::string& body) {
    test::write_file(path, "#!/bin/sh\n" + body + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  };
  for (const char* name : {"clang++-14", "cmake"}) program(tree / "bin/" + name, "exit 0");
  const std::string targets = tree / "build-fuzz/tests/fuzz/";
  const std::string notes = "echo $1 >\"$0.asked\"; echo stat::number_of_executed_units: 40; exit ";
  program(targets + "reader_fuzz", notes + "0");
  program(targets + "names_fuzz", notes + "77");
  const std::string command = "PATH='" + (tree / "bin") + "':\"$PATH\" bash '" +
                              (tree / "scripts/fuzz") + "' " + words +
                              " reader names 2>&1; echo $?";
  return output_of(command);
}

TEST(Scripts, FuzzEachTargetForSoManyRuns) {
  const test::ScratchFolder tree;
  const std::string text = fuzzed(tree, "--runs 100");
  for (const char* target : {"reader", "names"})
    EXPECT_EQ(test::read_file(tree / "build-fuzz/tests/fuzz/" + target + "_fuzz.asked"),
              "-runs=100\n")
        << text;
  EXPECT_NE(text.find("reader: 40 executions, no finding\n"), std::string::npos) << text;
  EXPECT_NE(text.find("names: A FINDING after 40 executions"), std::string::npos) << text;
  EXPECT_NE(text.find("80 executions, 1 findings\n1\n"), std::string::npos) << text;
}

TEST(Scripts, FuzzAllTargetsTogetherForSoManySeconds) {
  const test::ScratchFolder tree;
  const std::string text = fuzzed(tree, "60");
  for (const char* target : {"reader", "names"})
    EXPECT_EQ(test::read_file(tree / "build-fuzz/tests/fuzz/" + target + "_fuzz.asked"),
              "-max_total_time=31\n")
        << text;
}

}  // namespace
}  // namespace kiln
