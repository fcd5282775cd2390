// SPDX-License-Identifier: MIT
// What scripts/common.sh says while it installs and builds, by what apt-get and ninja print; how long
// scripts/fuzz runs what; what scripts/release would make, and its list of what is inside.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <sstream>

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

/// A release without building one: its files by name, and what is not as it should be.
TEST(Scripts, SayWhatAReleaseWouldBe) {
  const std::string in_source = std::string("cd '") + source_dir() + "' && ";
  const std::string plan =
      output_of(in_source + "scripts/release --dry-run --without web 2>/dev/null");
  for (const char* name : {"kiln-" KILN_VERSION "-source.tar.gz", "kiln_" KILN_VERSION "-0kiln1_",
                           "kiln-" KILN_VERSION "-Linux.tar.gz", "kiln_flame-" KILN_VERSION "-",
                           "kiln-" KILN_VERSION "-windows-x86_64.zip", "SHA256SUMS"})
    EXPECT_NE(plan.find(name), std::string::npos) << name << " is not in\n" << plan;
  EXPECT_EQ(plan.find("-web.tar.gz"), std::string::npos) << plan;
  EXPECT_EQ(output_of(in_source + "scripts/release --without nothing >/dev/null 2>&1; echo $?"),
            "2\n");
}

/// A release stands on a clean commit with its tag, a date, and a few lines in short.
TEST(Scripts, RefuseAReleaseThatIsNone) {
  if (!test::has_program("git")) GTEST_SKIP() << "no git here";
  const test::ScratchFolder folder;
  const std::string here = "cd " + folder.path() + " && ";
  output_of(here + "mkdir scripts && cp -R '" + source_dir() + "'/scripts/* scripts/ && " +
            "printf 'project(kiln VERSION 9.8.7 LANGUAGES CXX)\\n' >CMakeLists.txt && git init -q "
            ". && git add . && "
            "git -c user.name=a -c user.email=a@b commit -qm a");
  const std::string run = here + "scripts/release --without packages 2>&1; echo $?";
  const auto write = [&](const std::string& heading, int lines) {
    std::string text = "# Changes\n\n## 9.8.7 - " + heading + "\n\n";
    for (int i = 0; i < lines; ++i) text += "In short.\n";
    test::write_file(folder / "CHANGELOG.md",
                     text + "\n### Added\n\n- A list.\n\n## 9.8.6 - 2020-01-01\n");
  };
  write("unreleased", 0);
  std::string said = output_of(run);
  for (const char* fault :
       {"not clean", "no tag v9.8.7", "no date for 9.8.7", "has 0 lines in short", "\n1\n"})
    EXPECT_NE(said.find(fault), std::string::npos) << fault << " is not in\n" << said;
  write("2026-11-29", 11);
  output_of(here +
            "git add . && git -c user.name=a -c user.email=a@b commit -qm b && git tag v9.8.7");
  said = output_of(run);
  EXPECT_NE(said.find("has 11 lines in short"), std::string::npos) << said;
  for (const char* fault : {"not clean", "no tag", "no date"})
    EXPECT_EQ(said.find(fault), std::string::npos) << fault << " is in\n" << said;
}

/// One command raises the number: in CMakeLists.txt, on the first page, and in the heading of the
/// changes, which get one if the last has a date.
TEST(Scripts, RaiseTheNumberOfARelease) {
  const test::ScratchFolder folder;
  const std::string here = "cd " + folder.path() + " && ";
  output_of(here + "mkdir scripts && cp -R '" + source_dir() + "'/scripts/* scripts/");
  const std::string cmake = folder / "CMakeLists.txt", changes = folder / "CHANGELOG.md";
  const std::string page = folder / "README.md";
  test::write_file(page, "MIT license, version 9.8.7, Linux.\n");
  test::write_file(cmake, "project(kiln VERSION 9.8.7 LANGUAGES CXX)\n");
  test::write_file(changes, "# Changes\n\n## 9.8.7 - unreleased\n\nIn short.\n");
  const auto raised = [&](const std::string& to) {
    return output_of(here + "scripts/release --version " + to + " 2>&1; echo $?");
  };
  for (const char* wrong : {"9.8.7", "9.8.6", "9.7.10"})
    EXPECT_TRUE(raised(wrong).ends_with("not above 9.8.7\n1\n"));
  for (const char* wrong : {"", "10", "9.9", "9.9.0-rc1"})
    EXPECT_TRUE(raised(wrong).ends_with("\n2\n"));
  EXPECT_NE(raised("9.10.0").find("libkiln.so.9.10 now"), std::string::npos);
  EXPECT_EQ(test::read_file(cmake), "project(kiln VERSION 9.10.0 LANGUAGES CXX)\n");
  EXPECT_EQ(test::read_file(page), "MIT license, version 9.10.0, Linux.\n");
  EXPECT_EQ(test::read_file(changes), "# Changes\n\n## 9.10.0 - unreleased\n\nIn short.\n");
  test::write_file(changes,
                   "# Changes\n\n## 9.10.0 - 2026-11-29\n\nIn short.\n\n## 9.8.6 - 2020-01-01\n");
  EXPECT_EQ(raised("9.10.1").find("libkiln.so"), std::string::npos);
  const std::string text = test::read_file(changes);
  EXPECT_TRUE(text.starts_with("# Changes\n\n## 9.10.1 - unreleased\n\n")) << text;
  EXPECT_NE(text.find("\n\n## 9.10.0 - 2026-11-29\n\nIn short.\n"), std::string::npos) << text;
}

/// What has been added to a library is no change for programs that use it; what has another layout is.
TEST(Scripts, CompareWhatProgramsSeeOfTheLibrary) {
  for (const char* program : {"abidw", "abidiff", "g++", "xz"})
    if (!test::has_program(program)) GTEST_SKIP() << "no " << program << " here";
  const test::ScratchFolder folder;
  const auto described = [&](const std::string& name, const std::string& fields,
                             const std::string& more, const std::string& options = "-g") {
    test::write_file(
        folder / "a.cpp",
        "struct Look { " + fields + " };\nint shown(const Look& look) { return look.a; }\n" + more);
    return output_of("cd " + folder.path() + " && g++ -shared -fPIC " + options + " a.cpp -o " +
                     name + ".so && '" + source_dir() + "/packaging/abi' " + name + ".so " + name +
                     ".xz " + (name == "first" ? "" : "first.xz") + " 2>&1; echo $?");
  };
  EXPECT_EQ(described("first", "int a, b;", ""), "0\n");
  EXPECT_EQ(described("same", "int a, b;", ""), "0\n");
  EXPECT_TRUE(described("more", "int a, b;", "int other() { return 1; }").ends_with("0\n"));
  const std::string changed = described("changed", "int b, a;", "");
  EXPECT_NE(changed.find("must be built anew"), std::string::npos) << changed;
  EXPECT_TRUE(changed.ends_with("\n1\n")) << changed;
  EXPECT_TRUE(described("without", "int a, b;", "", "-g0 -s").ends_with("KILN_ABI=ON\n1\n"));
}

/// The list of what is inside: valid JSON, the same text twice, with all that is compiled in and its license.
TEST(Scripts, ListWhatIsInsideOfPackages) {
  if (!test::has_program("python3")) GTEST_SKIP() << "no python3 here";
  const test::ScratchFolder folder;
  test::write_file(folder / "openexr.version", "openexr\t3.1.5-5\n");
  test::write_file(folder / "kiln_1_amd64.deb", "abc");
  const std::string list = "cd '" + std::string(source_dir()) +
                           "' && packaging/sbom.py 1.2.3 0123abc@1700000000 " + folder.path() +
                           " " + folder.path() + "/kiln_1_amd64.deb";
  const std::string text = output_of(list);
  EXPECT_EQ(text, output_of(list));
  test::write_file(folder / "list.json", text);
  const std::string names = output_of(
      "python3 -c 'import json, sys\n"
      "bom = json.load(open(sys.argv[1]))\n"
      "print(bom[\"bomFormat\"], bom[\"metadata\"][\"timestamp\"])\n"
      "for part in bom[\"components\"]: print(part[\"name\"], part.get(\"version\"), "
      "bool(part.get(\"licenses\")))\n' " +
      (folder / "list.json"));
  EXPECT_NE(names.find("CycloneDX 2023-11-14T22:13:20Z\n"), std::string::npos) << names;
  EXPECT_NE(names.find("openexr 3.1.5-5 True\n"), std::string::npos) << names;
  EXPECT_EQ(names.find("pybind11"), std::string::npos) << "a .deb has none: " << names;
  EXPECT_NE(text.find("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            std::string::npos);
  // what packaging/libraries compiles is in the list, and its license in debian/copyright
  const std::string compiled =
      output_of("cd '" + std::string(source_dir()) +
                "' && sed -n 's/^library \\([a-z0-9.-]*\\).*/\\1/p' packaging/libraries");
  const std::string all =
      output_of("cd '" + std::string(source_dir()) + "/packaging' && cat sbom.py debian/copyright");
  std::istringstream lines(compiled);
  int count = 0;
  for (std::string name; std::getline(lines, name); ++count) {
    EXPECT_NE(all.find("(\"" + name + "\", "), std::string::npos) << name;
    const std::string plain = name == "libpng1.6" ? "libpng" : name;
    EXPECT_NE(all.find("linked-in/" + plain + "/*"), std::string::npos) << name;
  }
  EXPECT_EQ(count, 5);
}

}  // namespace
}  // namespace kiln
