// SPDX-License-Identifier: MIT
// Renders that pages have asked for: one after the other, each by a `kiln render` of its own, with low
// priority, so that its file is that of the command and the live picture stays quick.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace kiln {
class Child;
class PrivateFile;
}  // namespace kiln

namespace kiln::cli {

class RenderDesk {
 public:
  static constexpr int most_waiting = 500, most_over = 100;  // of these the oldest go

  /// `words`: options of every render. `changed`: from the desk's thread, when text() is another.
  RenderDesk(std::vector<std::string> words, std::function<void()> changed);
  /// The one that is under way ends without a file.
  ~RenderDesk();
  RenderDesk(const RenderDesk&) = delete;
  RenderDesk& operator=(const RenderDesk&) = delete;

  /// `render`: the flame into the file `name` of this folder. `animate`: the film of key flames, into
  /// files that the words name. `sheet`: all flames of the text small, in one picture of that name.
  enum class Command { render, animate, sheet };
  /// Adds a job and returns its number. Throws Error (usage) where too many wait. `sound`: a file that stays until the
  /// job is forgotten. `folder`: of frames, looked at once more before they are made.
  int add(const std::string& name, std::string xml, std::vector<std::string> words,
          Command command = Command::render, std::shared_ptr<const PrivateFile> sound = nullptr,
          std::string folder = "");
  /// Throws Error (usage) where so many more cannot wait, with how many can.
  void need_room(std::size_t count) const;
  /// Whether a job of this list has written into the folder what these would write.
  bool has_filled(const std::string& folder, const std::string& xml,
                  const std::vector<std::string>& words) const;
  void cancel(int id);
  /// One that is over without a file, in place of what it was: the same words wait again.
  void again(int id);
  /// Drops the jobs that are over from the list.
  void clear();
  /// All of them, as a message for pages.
  std::string text() const;
  /// The file that render `id` has made; empty: none.
  std::string made(int id) const;
  /// The reason why it has made none; empty: it still may, or has.
  std::string failure(int id) const;

 private:
  enum class State { waiting, running, done, failed, cancelled };
  struct Job {
    int id = 0;
    std::string name, xml, folder;
    std::vector<std::string> words;
    Command command = Command::render;
    std::shared_ptr<const PrivateFile> sound;
    State state = State::waiting;
    double done = 0, remaining_s = -1;
    bool has_begun = false;         // to make what it was asked for
    std::string error, last_words;  // those that are no event
  };

  int add(std::shared_ptr<Job> job);
  int waiting() const;
  void forget_oldest();
  void run();
  void render(Job& job);
  void hear(Job& job, const std::string& line);

  const std::vector<std::string> words_;
  const std::function<void()> changed_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<Job>> jobs_;
  int last_id_ = 0;
  std::unique_ptr<Child> child_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace kiln::cli
