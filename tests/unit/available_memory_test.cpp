// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "engine/base/resources.h"
#include "tests/cli/scratch.h"

namespace kiln {
namespace {

using test::ScratchFolder;
using test::write_file;

constexpr std::uint64_t mb = 1'000'000;

/// A machine with 8 GB to spare, in files.
class available_memory : public testing::Test {
 protected:
  available_memory() {
    put("proc/meminfo", "MemTotal: 16000000 kB\nMemFree: 100000 kB\nMemAvailable:  7812500 kB\n");
  }
  void put(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder / name;
    std::filesystem::create_directories(path.parent_path());
    write_file(path, text);
  }
  std::uint64_t bytes() const { return available_memory_bytes(folder / "proc", folder / "cg"); }

  ScratchFolder folder;
};

TEST_F(available_memory, of_the_machine_with_its_cache) { EXPECT_EQ(bytes(), 8000 * mb); }

TEST_F(available_memory, of_a_control_group_and_those_around_it) {
  put("proc/self/cgroup", "0::/job/step\n");
  put("cg/job/step/memory.max", "max\n");
  EXPECT_EQ(bytes(), 8000 * mb);
  put("cg/job/memory.max", "600000000\n");
  EXPECT_EQ(bytes(), 600 * mb);
  put("cg/job/memory.current", "250000000\n");
  put("cg/job/memory.stat", "anon 7\ninactive_file 50000000\n");
  EXPECT_EQ(bytes(), 400 * mb);
  put("cg/job/step/memory.max", "100000000\n");
  put("cg/job/step/memory.current", "130000000\n");
  EXPECT_EQ(bytes(), 0u);  // over its limit already
}

TEST_F(available_memory, of_a_container_that_sees_its_group_as_the_root) {
  put("proc/self/cgroup", "0::/docker/1234\n");
  put("cg/memory.max", "700000000\n");
  EXPECT_EQ(bytes(), 700 * mb);
}

TEST_F(available_memory, of_control_groups_of_version_1) {
  put("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/slurm/job\n0::/\n");
  put("cg/memory/slurm/job/memory.limit_in_bytes", "9223372036854771712\n");
  put("cg/memory/slurm/memory.limit_in_bytes", "300000000\n");
  put("cg/memory/slurm/memory.usage_in_bytes", "100000000\n");
  EXPECT_EQ(bytes(), 200 * mb);
}

TEST_F(available_memory, of_an_address_space) {
  put("proc/self/statm", "10 5 3\n");
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{1000 * mb, 1000 * mb};
    setrlimit(RLIMIT_AS, &limit);
    _exit(bytes() == 1000 * mb - 10 * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(available_memory_here, is_a_size) {
  EXPECT_GT(available_memory_bytes(), 10 * mb);
  EXPECT_LT(available_memory_bytes(), std::uint64_t(1) << 50);
}

}  // namespace
}  // namespace kiln
