// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "engine/base/cores.h"
#include "tests/cli/scratch.h"

namespace kiln {
namespace {

using test::ScratchFolder;
using test::write_file;

/// Control groups in files; the affinity is that of the thread which asks.
class cores_of_process : public testing::Test {
 protected:
  void put(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder / name;
    std::filesystem::create_directories(path.parent_path());
    write_file(path, text);
  }
  int cores() const { return usable_cores(folder / "proc", folder / "cg"); }

  ScratchFolder folder;
  const int all = cores();  // nothing is limited
};

TEST_F(cores_of_process, are_those_of_its_affinity) {
  EXPECT_GE(all, 1);
  int in_thread = 0;
  std::thread([&] {
    cpu_set_t mine, first;
    ASSERT_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
    CPU_ZERO(&first);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&first) == 0; ++cpu) {
      if (CPU_ISSET(cpu, &mine)) CPU_SET(cpu, &first);
    }
    EXPECT_EQ(CPU_COUNT(&mine), all);
    ASSERT_EQ(sched_setaffinity(0, sizeof first, &first), 0);
    in_thread = cores();
  }).join();
  EXPECT_EQ(in_thread, 1);
}

TEST_F(cores_of_process, are_no_more_than_the_time_of_its_groups) {
  if (all < 2) GTEST_SKIP() << "one core";
  put("proc/self/cgroup", "0::/job/step\n");
  put("cg/job/step/cpu.max", "max 100000\n");
  EXPECT_EQ(cores(), all);
  put("cg/job/cpu.max", "100000 100000\n");  // that of the group around it
  EXPECT_EQ(cores(), 1);
  put("cg/job/cpu.max", "120000 100000\n");
  EXPECT_EQ(cores(), 2);  // a second one for a fifth of the time
  put("cg/job/step/cpu.max", "5000 100000\n");
  EXPECT_EQ(cores(), 1);  // never none
  put("proc/self/cgroup", "0::/docker/1234\n");
  EXPECT_EQ(cores(), all);
  put("cg/cpu.max", "50000 50000\n");  // a container that sees its group as the root
  EXPECT_EQ(cores(), 1);
}

TEST_F(cores_of_process, are_no_more_than_the_time_of_groups_of_version_1) {
  if (all < 2) GTEST_SKIP() << "one core";
  put("proc/self/cgroup", "5:cpu,cpuacct:/slurm/job\n4:memory:/other\n");
  put("cg/cpu/slurm/job/cpu.cfs_quota_us", "-1\n");
  put("cg/cpu/slurm/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores(), all);
  put("cg/cpu/slurm/cpu.cfs_quota_us", "100000\n");
  put("cg/cpu/slurm/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores(), 1);
}

}  // namespace
}  // namespace kiln
