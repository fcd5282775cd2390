// SPDX-License-Identifier: MIT
// Whose light lies in places that pages point at (engine/render/light_at.h): found one after the other on a thread of its
// own, beside the live picture. Of a page only the newest question counts: what it asked before is given up.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "engine/api/kiln/light.h"
#include "engine/model/flame.h"

namespace kiln::cli {

class LightDesk {
 public:
  struct Question {
    int client = 0;
    std::uint64_t number = 0;  // that the page has given it
    Flame flame;
    LightOptions options;
  };
  /// `answered`: from the desk's thread, with JSON (light_json), or else with a reason why there is none.
  using Answered =
      std::function<void(const Question&, const std::string& json, const std::string& failure)>;

  explicit LightDesk(Answered answered);
  ~LightDesk();
  LightDesk(const LightDesk&) = delete;
  LightDesk& operator=(const LightDesk&) = delete;

  void ask(Question question);
  /// The page is gone, or does not want to know any more.
  void forget(int client);

 private:
  void run();
  void answer(Question& question, std::stop_token stop);
  void drop(int client);

  const Answered answered_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::list<Question> waiting_;  // one a page at most
  int at_work_for_ = -1;
  std::stop_source stop_;  // of what is at work
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace kiln::cli
