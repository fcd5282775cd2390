// SPDX-License-Identifier: MIT
// OSC by UDP, on a thread of its own: numbers that come in, and numbers of the live flame as they change. UDP tells
// nobody who sends; what comes may do no more than move numbers. osc_door.cpp includes Boost.Asio.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/live/live_flame.h"
#include "engine/live/named_numbers.h"

namespace kiln::cli {

class OscDoor {
 public:
  struct Settings {
    std::string host;  // where it listens; empty: nowhere
    int port = 0;
    std::string to_host;  // where numbers go that change; empty: nowhere
    int to_port = 0;
    std::function<void(const std::vector<NamedNumber>&)> heard;  // on its thread
    std::function<void(const std::string&)> say;  // what was refused, each reason once
  };
  /// Listens from now on. Throws Error (output) where the address is not to be had.
  explicit OscDoor(Settings settings);
  ~OscDoor();
  OscDoor(const OscDoor&) = delete;
  OscDoor& operator=(const OscDoor&) = delete;

  /// The port where it listens really; 0: nowhere.
  int port() const;
  /// A picture of the flame came: sends what of it has changed, at most 30 times a second.
  void show(const LivePicture& picture);

 private:
  struct Inside;
  const std::unique_ptr<Inside> inside_;
};

}  // namespace kiln::cli
