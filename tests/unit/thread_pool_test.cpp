// SPDX-License-Identifier: MIT
#include "engine/base/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>

namespace kiln {
namespace {

/// A worker that is about to sleep must not miss the end of its pool. One in some thousand pools
/// once did, and hung.
TEST(ThreadPool, EndsWhileItsThreadsBegin) {
  for (int pool = 0; pool < 6000; ++pool) ThreadPool{4};
}

#if !defined(__SANITIZE_THREAD__)  // it ends such a child
/// In a child of fork(), within 20 seconds: all pieces are done, with new threads.
void work_in_child(ThreadPool& pool) {
  alarm(20);
  std::atomic<int> done = 0;
  for (int i = 0; i < 3; ++i) pool.run(100, [&](int, int) { ++done; });
  pool.~ThreadPool();
  _exit(done == 300 ? 0 : 1);
}

TEST(ThreadPool, WorksInAChildOfFork) {
  ThreadPool pool(4);
  std::atomic<int> done = 0;
  pool.run(100, [&](int, int) { ++done; });
  const pid_t child = fork();
  if (child == 0) work_in_child(pool);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  pool.run(100, [&](int, int) { ++done; });
  EXPECT_EQ(done, 200);
}
#endif

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they end when memory does
/// Room for some stacks, not for a thousand: those that start do all the work.
void start_too_many_threads() {
  alarm(10);
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t mapped = pages * rlim_t(sysconf(_SC_PAGESIZE)), most = mapped + (rlim_t{100} << 20);
  const rlimit limit{most, most};
  setrlimit(RLIMIT_AS, &limit);
  std::atomic<int> done = 0;
  int threads = 0;
  {
    ThreadPool pool(1000);
    threads = pool.size();
    pool.run(5000, [&](int, int worker) { done += worker < threads ? 1 : 0; });
  }
  _exit(threads > 1 && threads < 1000 && done == 5000 ? 0 : 1);
}

TEST(ThreadPool, DoesWithTheThreadsThatCanStart) {
  EXPECT_EXIT(start_too_many_threads(), testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
}  // namespace kiln
