// SPDX-License-Identifier: MIT
// Pictures through three stages that overlap: prepared ahead on worker threads, rendered by a thread
// for each renderer or by the caller, in order or in runs (picture_runs.h), encoded and written on
// worker threads. How much is under way is bounded at each stage, so memory does not grow with their
// number. What is said of them is said in order, by the thread that calls run(). Several runs go on beside each
// other, each with a bound of its own, so it is no OrderedWork (engine/base/ordered_work.h), which has one.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "engine/pipeline/picture_runs.h"

namespace kiln {

/// Each step of a picture gives the next one, which holds what it needs. An empty step ends it.
using Report = std::function<void()>;
using Encode = std::function<Report()>;
using Render = std::function<Encode(int renderer)>;

/// Callbacks of the pipeline to its owner. Pictures are named by their position in the list, from 0, renderers
/// likewise. Different pictures are prepared, rendered and encoded by several threads at once.
struct Steps {
  int count = 0;
  std::function<Render(int)> prepare;
  /// Opens the renderer, before it gets a picture: no picture waits for it. Said by its thread.
  std::function<void(int renderer)> enter = [](int) {};
  /// The renderer gets no further picture; said by its thread.
  std::function<void(int renderer)> leave = [](int) {};
  /// Called at least every 0.1 s where the caller only reports, with the number reported so far.
  std::function<void(int reported)> wait = [](int) {};
};

class Pipeline {
 public:
  struct Threads {
    int prepare = 1, encode = 1;
    int render = 1;           // 0: the caller renders, and does the rest too if no thread can start
    bool sequential = false;  // one thread does everything, for machines with one core to spare
    int run = 0, seam = 0;    // of PictureRuns
  };

  Pipeline(Steps steps, Threads threads);

  /// A picture that could not be made.
  struct Trouble {
    int position = 0;
    std::exception_ptr reason;
  };

  /// Makes all pictures. After an exception of a step no further one is begun; those under way are
  /// finished and reported. An exception of a report is a trouble of its picture, too, and after it
  /// nothing more is reported. Returns the first trouble, if any.
  std::optional<Trouble> run();
  /// Reports what is ready, for a caller that renders.
  void report_ready();

 private:
  void start_threads(std::vector<std::jthread>& workers);
  void end_threads(std::vector<std::jthread>& workers);
  void run_sequentially();
  void prepare_pictures();
  void render_pictures(int renderer);
  void encode_pictures();
  void report_pictures();
  bool report_next(std::unique_lock<std::mutex>& lock);
  void note_trouble(int position);
  template <class Body>
  void change(Body body);
  bool may_render(int position) const;
  template <class Ready>
  bool wait(std::unique_lock<std::mutex>& lock, Ready ready, bool reports = false);

  const Steps steps_;
  const Threads threads_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  PictureRuns runs_;
  std::map<int, Render> prepared_;  // by their positions
  std::map<int, Encode> rendered_;
  std::map<int, Report> finished_;
  int next_ = 0;         // to be reported
  int rendering_ = 0;    // threads that may still add to rendered_
  int encoding_ = 0;     // threads that may still finish pictures
  bool silent_ = false;  // a report failed
  std::optional<Trouble> trouble_;
};

}  // namespace kiln
