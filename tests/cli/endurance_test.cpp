// SPDX-License-Identifier: MIT
// What has to hold however often it is tried: kiln killed at any moment, and thousands of frames in
// one process. A few rounds in every test run; KILN_TEST_ROUNDS=200 (any number) asks for as many
// kills, and ten times as many frames.
#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <chrono>
#include <fstream>
#include <map>
#include <random>

#include "tests/cli/program.h"
#include "tests/cli/rounds.h"

namespace kiln {
namespace {

using namespace test;
using Names = std::vector<std::string>;
using Files = std::map<std::string, std::string>;

class endurance : public testing::Test {
 protected:
  endurance() {
    write_file(folder / "keys.flame", two_keys());
    for (const char* name : {"a", "b", "c"}) write_file(folder / name, triangle());
  }
  Outcome kiln(const Names& arguments) const {
    return run_program(arguments, {folder.path(), "", {}, {}});
  }
  Files files(const std::string& name) const {
    Files all;
    for (const auto& entry : std::filesystem::directory_iterator(folder / name))
      all[entry.path().filename()] = read_file(entry.path());
    return all;
  }
  /// How long the command takes, in microseconds.
  int measured(const Names& arguments) const {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(kiln(arguments).code, 0);
    return int(std::chrono::duration_cast<std::chrono::microseconds>(
                   std::chrono::steady_clock::now() - start)
                   .count());
  }
  /// Kills the command after that long; whether it was still running.
  bool killed(const Names& arguments, int after_us) const {
    const ScratchFolder logs;
    const pid_t child = start_program(arguments, logs, {folder.path(), "", {}, {}});
    usleep(useconds_t(after_us));
    const bool running = is_running(child);
    kill(child, SIGKILL);
    wait_for(child);
    return running;
  }
  /// Every file is that of a whole run, before or after; temporaries may lie about.
  void expect_whole(const Files& found, const Files& before, const Files& after) const {
    for (const auto& [name, bytes] : found) {
      if (name.find(".tmp-") != std::string::npos) continue;
      const auto old = before.find(name), made = after.find(name);
      EXPECT_TRUE((old != before.end() && old->second == bytes) ||
                  (made != after.end() && made->second == bytes))
          << name << ": " << bytes.size() << " bytes";
    }
  }
  /// Kills `command` at random moments, in an empty folder and over the files of `earlier`.
  void kill_often(const Names& command, const Names& earlier, int count) {
    std::filesystem::create_directory(folder / "out");
    const int whole_us = measured(earlier);
    const Files before = files("out");
    EXPECT_EQ(kiln(command).code, 0);
    const Files after = files("out");
    ASSERT_EQ(before.size(), after.size());
    std::mt19937 random(1);
    int in_time = 0;
    for (int round = 0; in_time < count && round < 4 * count; ++round) {
      std::filesystem::remove_all(folder / "out");
      std::filesystem::create_directory(folder / "out");
      if (round % 2 == 1)
        for (const auto& [name, bytes] : before) write_file(folder / ("out/" + name), bytes);
      in_time += killed(command, int(random() % unsigned(whole_us)));
      expect_whole(files("out"), round % 2 == 1 ? before : Files{}, after);
      EXPECT_EQ(kiln(command).code, 0);
      EXPECT_EQ(files("out"), after) << round;
      if (HasFailure()) return;
    }
    EXPECT_EQ(in_time, count);
    std::printf("killed %d times while it ran\n", in_time);
  }
  ScratchFolder folder;
};

TEST_F(endurance, a_sequence_killed_at_any_moment) {
  const Names frames = {"animate", "keys.flame", "--backend", "cpu", "-q",      "--resume",
                        "-o",      "out/##.png", "--width",   "64",  "--dtime", "0.5"};
  Names earlier = frames;
  earlier.insert(earlier.end(), {"--seed", "1"});
  kill_often(frames, earlier, rounds(6));
}

TEST_F(endurance, stills_killed_at_any_moment) {
  const Names stills = {
      "render",         "a",       "b",   "c",      "--backend", "cpu", "-q", "-o",
      "out/{stem}.png", "--width", "200", "--bits", "16"};
  Names earlier = stills;
  earlier.insert(earlier.end(), {"--seed", "1"});
  kill_often(stills, earlier, rounds(6));
}

/// "VmRSS:" of a process, in kB; 0 when it is gone.
int memory_kib(pid_t process, const std::string& name) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string word; status >> word;) {
    int kib = 0;
    if (word == name && status >> kib) return kib;
  }
  return 0;
}

int open_files(pid_t process) {
  std::error_code gone;
  int count = 0;
  for (std::filesystem::directory_iterator at("/proc/" + std::to_string(process) + "/fd", gone),
       end;
       !gone && at != end; at.increment(gone))
    ++count;
  return count;
}

// What a thread touches for the first time is no growth: two threads, and enough frames that on a
// busy machine all of them have run by the first quarter. Nor are the 2 MB pages that some kernels
// make of small ones.
TEST_F(endurance, memory_does_not_grow_with_the_frames) {
  const int frames = 10 * rounds(100);
  std::filesystem::create_directory(folder / "out");
  const ScratchFolder logs;
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);  // of this process and those that it starts
  const pid_t child = start_program(
      {"animate", "keys.flame", "--backend", "cpu", "--threads", "2", "-q", "--width", "16",
       "--quality", "5", "--dtime", std::to_string(9.0 / frames), "-o", "out/{frame}.png"},
      logs, {folder.path(), "", {}, {}});
  prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
  const auto made = [&](int frame) {
    return std::filesystem::exists(folder / ("out/" + std::to_string(frame) + ".png"));
  };
  int early = 0, early_most = 0, late = 0, late_most = 0, descriptors = 0;
  while (is_running(child)) {
    const int now = memory_kib(child, "VmRSS:"), most = memory_kib(child, "VmHWM:");
    if (now == 0 || most == 0) break;
    if (early == 0 && made(frames / 4)) early = now, early_most = most;
    if (made(frames * 9 / 10)) late = now, late_most = most, descriptors = open_files(child);
    usleep(2000);
  }
  EXPECT_EQ(wait_for(child), 0);
  EXPECT_TRUE(made(frames));
  ASSERT_GT(late, 0);
  std::printf("%d frames: VmRSS %d to %d kB, VmHWM %d to %d kB, %d descriptors\n", frames, early,
              late, early_most, late_most, descriptors);
  const double allowed = frames >= 2000 ? 1.01 : 1.05;  // with few frames a page more shows
  EXPECT_LT(late, allowed * early);
  EXPECT_LT(late_most, allowed * early_most);
  EXPECT_LT(descriptors, 20);
}

/// The most memory that the program had, in MB.
double most_mb_of(const ScratchFolder& folder, const Names& words, const std::string& input) {
  const ScratchFolder logs;
  const pid_t child = start_program(words, logs, {folder.path(), input, {}, {}});
  int most = 0;
  for (; is_running(child); usleep(2000)) most = std::max(most, memory_kib(child, "VmHWM:"));
  EXPECT_EQ(wait_for(child), 0) << read_file(logs / "err");
  return most / 1024.0;
}

/// A flame of its own for each frame would take 400 MB here.
TEST_F(endurance, memory_does_not_grow_with_the_turn_of_a_flame) {
  const auto most_mb = [&](const char* frames) {
    return most_mb_of(folder,
                      {"animate", std::string(source_dir()) + "/flames/conch.flam3", "--spin",
                       frames, "--frames", "0-7", "--backend", "cpu", "--threads", "2", "-q",
                       "--width", "16", "--quality", "5", "-o", "out/{frame}.png", "--force"},
                      "");
  };
  const double few_mb = most_mb("30"), many_mb = most_mb("6000");
  std::printf("%.1f MB of 30 frames, %.1f MB of 6000\n", few_mb, many_mb);
  EXPECT_LT(many_mb, few_mb + 12);
}

/// Many small ones of several sizes leave holes in the heaps of several threads.
TEST_F(endurance, memory_does_not_grow_with_the_jobs) {
  const auto most_mb = [&](int count) {
    std::string jobs;
    constexpr const char* flames[] = {"conch", "coral", "seahorse", "halo", "lanterns"};
    for (int i = 0; i < count; ++i)
      jobs += std::string("{\"in\":\"") + source_dir() + "/flames/" + flames[i % 5] +
              ".flam3\",\"output\":\"o" + std::to_string(i) +
              ".png\",\"width\":128,\"quality\":10}\n";
    return most_mb_of(folder, {"render", "--jobs", "-", "--backend", "cpu", "--threads", "2", "-q"},
                      jobs);
  };
  const int many = 10 * rounds(20);
  const double few_mb = most_mb(40), many_mb = most_mb(many);
  std::printf("%.1f MB for 40 pictures, %.1f MB for %d\n", few_mb, many_mb, many);
  EXPECT_LT(many_mb, 1.2 * few_mb);
}

}  // namespace
}  // namespace kiln
