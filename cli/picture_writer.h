// Writes the pictures of kiln render while the next one is rendered.
#pragma once

#include <future>
#include <set>
#include <string>

#include "cli/outcome.h"
#include "cli/render_jobs.h"
#include "cli/talk.h"
#include "engine/base/clock.h"
#include "engine/kiln.h"

namespace kiln::cli {

/// A picture that is written.
struct Written {
  std::string hash;
  int width = 0, height = 0, bits = 0;
  double encode_s = 0;
};

/// At most one picture waits: the next is handed over only when it is written. Nothing but the
/// writing itself happens on another thread; messages and results come from the thread that calls.
/// With one thread allowed, writing waits its turn.
class PictureWriter {
 public:
  PictureWriter(const RenderArguments& args, Talk& talk, Outcome& outcome)
      : args_(args), talk_(talk), outcome_(outcome) {}

  void start(const Job& job, int number, bool is_last, Picture picture, Clock::time_point begun);
  /// Reports a picture that somebody else wrote.
  void note_written(const Job& job, int number, const Written& written,
                    const RenderStatistics& statistics, Clock::time_point begun);
  /// Reports the picture under way if it is written.
  void poll();
  bool is_writing() const { return writing_.valid(); }
  /// Waits for the picture under way, if any, and reports it.
  void finish();
  void note_failure(const Job& job, ErrorKind kind, const std::string& message);
  /// The same of its state alone: the picture stays.
  void note_unsaved(const Job& job, const std::exception_ptr& why);
  static std::string out_of_memory(const Job& job);

 private:
  void take_up(const Job& job, int number, const RenderStatistics& statistics,
               Clock::time_point begun);
  Written write(const Job& job, Picture& picture, bool cores_are_free) const;
  void report(const Written& written);

  const RenderArguments& args_;
  Talk& talk_;
  Outcome& outcome_;
  const Job* job_ = nullptr;  // the picture under way
  int number_ = 0;
  RenderStatistics statistics_;
  Clock::time_point begun_;
  std::set<std::string> reasons_said_;  // of files that cannot be written
  std::future<Written> writing_;
};

}  // namespace kiln::cli
