// SPDX-License-Identifier: MIT
// A fixed set of threads that share out numbered pieces of work. Pieces are taken in order, whoever
// is free takes the next. Threads that cannot be started (a limit of processes) are done without. A
// child of fork() has none of its parent's threads: there a pool starts its own when it is used.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/base/platform/process.h"

namespace kiln {

class ThreadPool {
 public:
  explicit ThreadPool(int threads)
      : crew_(std::make_unique<Crew>(threads)), size_(int(crew_->workers.size()) + 1) {}
  ~ThreadPool() { leave_to_parent(); }

  int size() const { return size_; }

  /// Calls body(piece, worker) for every piece in [0, pieces); returns when all are done. The
  /// caller is worker 0. The first exception of a body ends the rest and comes out here.
  void run(int pieces, const std::function<void(int piece, int worker)>& body) {
    if (leave_to_parent()) {
      crew_ = std::make_unique<Crew>(size_);
      process_ = process_id();
    }
    crew_->run(pieces, body);
  }

 private:
  /// The threads and what they meet at.
  struct Crew {
    explicit Crew(int threads) : Crew() {  // so that ~Crew runs if a vector fails
      try {
        for (int t = 1; t < threads; ++t) workers.emplace_back([this, t] { serve(t); });
      } catch (const std::system_error&) {  // the caller and those that are there do the work
      }
    }
    ~Crew() {
      {
        const std::lock_guard lock(mutex);  // not between a worker's last look and its sleep
        ending = true;
      }
      wake.notify_all();
    }
    void run(int count, const std::function<void(int, int)>& of_piece) {
      {
        const std::lock_guard lock(mutex);
        body = &of_piece;
        pieces = count;
        next = 0;
        failure = nullptr;
        busy = int(workers.size());
        ++generation;
      }
      wake.notify_all();
      work(0);
      std::unique_lock lock(mutex);
      done.wait(lock, [this] { return busy == 0; });
      if (failure) std::rethrow_exception(failure);
    }
    void work(int worker) {
      try {
        for (int piece = next++; piece < pieces; piece = next++) (*body)(piece, worker);
      } catch (...) {  // a worker's thread must not end, nor may the caller leave the others alone
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = pieces;
      }
    }
    void serve(int worker) {
      std::uint64_t seen = 0;
      for (;;) {
        {
          std::unique_lock lock(mutex);
          wake.wait(lock, [&] { return ending || generation != seen; });
          if (ending) return;
          seen = generation;
        }
        work(worker);
        const std::lock_guard lock(mutex);
        if (--busy == 0) done.notify_one();
      }
    }

    std::mutex mutex;
    std::condition_variable wake, done;
    const std::function<void(int, int)>* body = nullptr;
    std::atomic<int> next = 0;
    std::exception_ptr failure;
    int pieces = 0, busy = 0;
    std::uint64_t generation = 0;
    bool ending = false;
    std::vector<std::jthread> workers;  // last: joined before the rest goes

   private:
    Crew() = default;
  };

  /// True in a child of fork(): the threads are the parent's, they can be neither woken nor joined,
  /// and what they wait at cannot be destroyed, so everything is left as it is.
  bool leave_to_parent() {
    if (process_ == process_id()) return false;
    [[maybe_unused]] const Crew* of_parent = crew_.release();
    return true;
  }

  std::unique_ptr<Crew> crew_;
  const int size_;
  int process_ = process_id();  // whose threads they are
};

}  // namespace kiln
