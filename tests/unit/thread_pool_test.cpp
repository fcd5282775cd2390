#include "engine/base/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
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
