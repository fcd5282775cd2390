// Edits that are in no file, kept in the user's state folder while the program runs, so that a crash
// or Ctrl-C takes none along: a folder of each run (kiln/edits/RUN/), a file of each flame. A run that
// is alive holds a lock on its folder; what others have left is found by the next one.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "engine/io/flame/flame_reader.h"
#include "engine/live/live_film.h"

namespace kiln::cli {

class KeptEdits {
 public:
  /// What a run has left that is over.
  struct Lost {
    std::string path;
    Flame flame;                           // of a film the first key
    std::shared_ptr<const LiveFilm> film;  // null: it was of none
    std::string document;                  // what a file of it would have
    std::int64_t time = 0;                 // of the last edit, seconds since 1970
  };

  explicit KeptEdits(const std::string& run);
  ~KeptEdits();
  KeptEdits(const KeptEdits&) = delete;
  KeptEdits& operator=(const KeptEdits&) = delete;

  /// Those that can be read, of each flame of a run one.
  static std::vector<Lost> find_lost(const ReaderOptions& reader);

  /// Soon the file of flame `index` has this, a flame or a film; empty: there is nothing to be kept.
  void keep(int index, std::string document);
  /// Removes what others have left, after what was to be kept before is written.
  void forget(std::vector<Lost> lost);
  /// Writes what is not written yet. Where it is; empty where there is nothing, or nowhere to keep it.
  std::string finish();
  /// After finish(): whether some edit could not be written.
  bool lacks_some() const { return !unwritten_.empty(); }

 private:
  void run();
  void write(int index, const std::string& document);

  const std::string folder_;  // of this run; empty: the user has none
  int lock_ = -1;
  bool failed_ = false;      // once
  std::set<int> unwritten_;  // indices of flames whose last edit could not be
  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<int, std::string> waiting_;
  std::vector<Lost> over_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace kiln::cli
