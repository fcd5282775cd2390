// A fixed set of threads that share out numbered pieces of work. Pieces are taken in order, whoever
// is free takes the next. Threads that cannot be started (a limit of processes) are done without.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace kiln {

class ThreadPool {
 public:
  explicit ThreadPool(int threads) : ThreadPool() {  // so that ~ThreadPool runs if a vector fails
    try {
      for (int t = 1; t < threads; ++t) workers_.emplace_back([this, t] { serve(t); });
    } catch (const std::system_error&) {  // the caller and those that are there do the work
    }
  }
  ~ThreadPool() {
    {
      const std::lock_guard lock(mutex_);  // not between a worker's last look and its sleep
      ending_ = true;
    }
    wake_.notify_all();
  }

  int size() const { return int(workers_.size()) + 1; }

  /// Calls body(piece, worker) for every piece in [0, pieces); returns when all are done. The
  /// caller is worker 0. The first exception of a body ends the rest and comes out here.
  void run(int pieces, const std::function<void(int piece, int worker)>& body) {
    {
      const std::lock_guard lock(mutex_);
      body_ = &body;
      pieces_ = pieces;
      next_ = 0;
      failure_ = nullptr;
      busy_ = int(workers_.size());
      ++generation_;
    }
    wake_.notify_all();
    work(0);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  ThreadPool() = default;

  void work(int worker) {
    try {
      for (int piece = next_++; piece < pieces_; piece = next_++) (*body_)(piece, worker);
    } catch (...) {  // a worker's thread must not end, nor may the caller leave the others alone
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      next_ = pieces_;
    }
  }
  void serve(int worker) {
    std::uint64_t seen = 0;
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return ending_ || generation_ != seen; });
        if (ending_) return;
        seen = generation_;
      }
      work(worker);
      const std::lock_guard lock(mutex_);
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(int, int)>* body_ = nullptr;
  std::atomic<int> next_ = 0;
  std::exception_ptr failure_;
  int pieces_ = 0, busy_ = 0;
  std::uint64_t generation_ = 0;
  bool ending_ = false;
  std::vector<std::jthread> workers_;  // last: joined before the rest goes
};

}  // namespace kiln
