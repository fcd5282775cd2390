// SPDX-License-Identifier: MIT
// How soon something that is asked to stop does, in what it still does and not by a clock: a busy machine takes threads away
// for as long as it likes.
#pragma once

#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stop_token>
#include <thread>

namespace kiln::test {

/// Processor seconds of all threads of this process.
inline double work_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// Processor seconds that work(stop_token) takes from the moment at which it is asked to stop, after `share` of `all`; negative:
/// it was done before.
template <class Work>
double work_after_stop(const Work& work, double all, double share) {
  std::stop_source source;
  std::atomic<bool> done = false;
  double asked = -1;
  const double begun = work_seconds();
  std::jthread asks([&] {
    while (!done && work_seconds() - begun < share * all)
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    if (done) return;
    asked = work_seconds();
    source.request_stop();
  });
  const bool stopped = work(source.get_token());
  const double ended = work_seconds();
  done = true;
  asks.join();
  return stopped ? ended - asked : -1;
}

/// The longest of stops at six moments all over the work, of several at one moment the shortest; at how many moments
/// there were any.
struct Stops {
  double longest = 0;
  int count = 0;
};
template <class Work>
Stops stops_of(const Work& work) {
  const double begun = work_seconds();
  work(std::stop_token());
  const double all = work_seconds() - begun;
  Stops stops;
  for (int part = 0; part < 6; ++part) {
    double shortest = 1e9;
    for (int i = 0; i < 6 && shortest > 0.05;
         ++i) {  // on a busy machine who asks may come too late
      const double seconds = work_after_stop(work, all, part / 6.0);
      if (seconds >= 0) shortest = std::min(shortest, seconds);
    }
    if (shortest == 1e9) continue;
    ++stops.count;
    stops.longest = std::max(stops.longest, shortest);
  }
  return stops;
}

}  // namespace kiln::test
