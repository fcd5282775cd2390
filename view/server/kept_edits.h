// SPDX-License-Identifier: MIT
// Edits that are in no file, kept in the user's state folder while the program runs, so that a crash
// or Ctrl-C takes none along: a folder of each run (kiln/edits/RUN/), a file of each flame. A run that
// is alive holds a lock on its folder; what others have left is found by the next one. What a page
// throws away of it goes into kiln/thrown and stays there for 30 days.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/io/flame/flame_reader.h"
#include "engine/live/live_film.h"

namespace kiln::cli {

class KeptEdits {
 public:
  /// An edit that a run which is over has left.
  struct Lost {
    std::string path;
    Flame flame;                           // of a film the first key
    std::shared_ptr<const LiveFilm> film;  // null: it was of none
    std::string document;                  // what a file of it would have
    std::int64_t time = 0;                 // of the last edit, seconds since 1970
    std::string source;                    // the file that was edited; empty: none
    /// A name that no other has: "RUN/0".
    std::string key() const;
  };
  static constexpr int days_of_thrown = 30;

  /// `told`: hears, on a thread of its own, why edits cannot be kept, and with an empty text that
  /// they can be again.
  KeptEdits(const std::string& run, std::function<void(const std::string&)> told);
  ~KeptEdits();
  KeptEdits(const KeptEdits&) = delete;
  KeptEdits& operator=(const KeptEdits&) = delete;

  /// The edits that can be read, one of each flame of a run.
  static std::vector<Lost> find_lost(const ReaderOptions& reader);

  /// Sets what the file of flame `index` shall soon have, a flame or a film of the file `source`;
  /// empty: there is nothing to be kept.
  void keep(int index, std::string document, std::string source = "");
  /// Removes what others have left, after what was to be kept before is written.
  void forget(std::vector<Lost> lost);
  /// Moves them to folder_of_thrown(), where they stay for some days.
  void throw_away(std::vector<Lost> lost);
  /// The folder of edits that were thrown away; empty: there is none.
  static std::string folder_of_thrown();
  /// The reason why the newest edits are not kept; empty: they are.
  std::string trouble() const;
  /// Writes what is not written yet. Returns the folder; empty if nothing is in it, or there is none.
  std::string finish();

 private:
  struct Edit {
    std::string document, source;
  };
  void run();
  void write(int index, const Edit& edit);
  std::string write_all(std::map<int, Edit> edits);

  const std::string folder_;  // of this run; empty: the user has none
  const std::function<void(const std::string&)> told_;
  int lock_ = -1;
  std::map<int, Edit> unwritten_;  // the last edits of flames that could not be
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::map<int, Edit> waiting_;
  std::vector<Lost> over_, thrown_;
  std::string trouble_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace kiln::cli
