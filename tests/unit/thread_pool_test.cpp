#include "engine/device/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace kiln {
namespace {

/// A worker that is about to sleep must not miss the end of its pool. One in some thousand pools
/// once did, and hung.
TEST(ThreadPool, EndsWhileItsThreadsBegin) {
  for (int pool = 0; pool < 6000; ++pool) ThreadPool{4};
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they end when memory does
/// Room for some stacks, not for a thousand: the constructor throws and its first threads end.
void start_too_many_threads() {
  alarm(10);
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t mapped = pages * rlim_t(sysconf(_SC_PAGESIZE)), most = mapped + (rlim_t{100} << 20);
  const rlimit limit{most, most};
  setrlimit(RLIMIT_AS, &limit);
  try {
    ThreadPool{1000};
  } catch (const std::exception&) {
    _exit(0);
  }
  _exit(1);
}

TEST(ThreadPool, EndsTheThreadsItHasWhenOneCannotStart) {
  EXPECT_EXIT(start_too_many_threads(), testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
}  // namespace kiln
