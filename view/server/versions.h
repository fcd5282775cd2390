// SPDX-License-Identifier: MIT
// Versions of flames: every step of undo stays in a file, so that a week of work is there when program and
// tab are long closed. A person can read the folder (kiln/versions in the state folder):
//
//   rose-1a2b3c4d/                      a flame, known by its file
//     about.json                        which file, and whose versions came before
//     names.txt                         those that have a name: these never go by themselves
//     2026-11-29/14-32-05.120.flam3     a step, by day and time
//
// What is older than a year goes, and the oldest where all take more than a gigabyte.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace kiln::cli {

class Versions {
 public:
  struct Limits {
    int days = 365;
    std::uint64_t bytes = 1ull << 30;
  };
  struct Version {
    std::string id, name;  // "rose-1a2b3c4d/2026-11-29/14-32-05.120"; name: empty, or of a kept one
  };
  static constexpr std::size_t most_listed = 20000, most_name_bytes = 200;

  /// `told`: hears, on a thread of its own, that trouble() is another.
  Versions(std::string run, Limits limits, std::function<void()> told);
  ~Versions();
  Versions(const Versions&) = delete;
  Versions& operator=(const Versions&) = delete;

  // Of an opened flame, by its index. All of it happens on the server's thread.

  /// It is this document, flame `place` of a file; `file`: empty where it is in none.
  void open(int index, std::uint64_t step, std::string document, const std::string& file,
            int place);
  /// It goes on with what another run has edited as flame `edits`, "RUN/0", of the file `source`.
  void resume(int index, const std::string& edits, const std::string& source);
  /// It begins as version `id` of another one.
  void branch(int index, const std::string& id);
  void close(int index) { open_.erase(index); }

  /// It is this now: a step that is not known is a version more. Whether now() is another.
  bool note(int index, std::uint64_t step, const std::string& document, const std::string& name);
  /// It has gone to a version: no further one comes of that.
  void went(int index, std::uint64_t step, const std::string& id);
  /// It is in this file from now on, and its versions with it.
  void saved(int index, const std::string& file);

  /// The version that it is; empty: none yet.
  std::string now(int index) const;
  /// The same; a flame that was not edited yet begins its versions.
  std::string now_or_begin(int index, const std::string& name);
  /// The oldest first, with those of what it came from.
  std::vector<Version> list(int index);
  /// The folder of its versions; empty: the user has none.
  std::string folder(int index);

  /// The text of a version. Throws Error (usage) where there is none.
  std::string document(const std::string& id) const;
  /// Names a version, or with an empty name has it as all others. Throws Error (usage).
  void name(const std::string& id, const std::string& name);
  /// The kept version of the flame whose text is this; empty: none.
  std::string named_with(int index, const std::string& document);

  /// The reason why the newest versions are not on the disk; empty: they are, or will be soon.
  std::string trouble() const;

 private:
  struct Open {
    std::string key;                          // by which its folder is found
    std::string history;                      // the name of that folder, once it is known
    std::string file, base, text;             // base: as it was opened; text: as it was noted last
    std::uint64_t opened_step = 0, step = 0;  // step: that was noted last
    std::uint64_t own_step = 0;               // whose version this run has written last
    bool has_own = false, has_begun = false;
    bool was_too_large = false;                // and that was said
    std::map<std::uint64_t, std::string> ids;  // of steps
  };
  struct About {
    std::string file;
    std::vector<std::string> edits;  // of the runs that wrote it, "RUN/0", the oldest first
    std::vector<std::pair<std::string, std::string>> from;  // a folder, and up to which time
    /// This run has it now.
    void edited_as(const std::string& one);
  };

  std::string history_of(Open& open, const std::string& name = "");
  std::string fresh_id(const std::string& history);
  void begin(int index, Open& open, const std::string& name);
  bool goes_on(int index, Open& open, std::uint64_t step, const std::string& text);
  About about(const std::string& history) const;
  bool leads_to_days(const std::string& history, std::set<std::string>& seen) const;
  void set_about(const std::string& history, const About& about);
  std::map<std::string, std::string> names_of(const std::string& history) const;
  void collect(const std::string& history, const std::string& until, int depth,
               std::set<std::string>& seen, std::vector<Version>& all) const;
  std::string path_of(const std::string& id) const;
  std::string text_of(const std::string& path) const;
  void put(const std::string& path, std::string text);
  void run();
  void sweep() const;
  std::string write_all(const std::map<std::string, std::string>& texts);

  const std::string run_, root_;  // root_: empty: the user has no such folder
  const Limits limits_;
  const std::function<void()> told_;
  std::map<int, Open> open_;
  std::int64_t last_ms_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::map<std::string, std::string> waiting_;  // what is not on the disk yet, by path
  std::size_t waiting_bytes_ = 0;
  std::string trouble_;
  bool ending_ = false, is_new_ = false;
  std::thread thread_;
};

}  // namespace kiln::cli
