// A page as the protocol knows it, and the messages that it sends.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "view/server/live_protocol.h"

namespace kiln::cli {

/// A page.
struct LiveProtocol::Client {
  static constexpr double messages_a_second = 300, messages_at_once = 600;  // more are dropped

  struct Edit {
    std::uint64_t revision, number;
  };
  std::shared_ptr<Look> look;         // never null
  LiveFlame::View view{0, 0};         // none yet
  std::string upload;                 // parts of a file that came
  std::deque<Edit> edits;             // whose pictures may still come, the oldest first
  std::uint64_t least_revision = 0;   // pictures of older ones are of a flame that is not open now
  std::uint64_t last_number = 0;      // of the last edit
  std::uint64_t sent = 0, shown = 0;  // pictures
  std::shared_ptr<const EncodedPicture> waiting;
  double allowance = messages_at_once;  // messages that it may send now
  Clock::time_point heard_at = Clock::now();
  bool was_warned = false;  // that it talks too much

  /// The page's number of the newest edit that the revision has.
  std::uint64_t number_of(std::uint64_t revision) {
    while (edits.size() > 1 && edits[1].revision <= revision) edits.pop_front();
    return !edits.empty() && edits[0].revision <= revision ? edits[0].number : 0;
  }
  /// Whether it may say something now.
  bool may_talk() {
    const auto now = Clock::now();
    const double passed = std::chrono::duration<double>(now - heard_at).count();
    heard_at = now;
    allowance = std::min(messages_at_once, allowance + passed * messages_a_second) - 1;
    if (allowance < 0) allowance = -1;
    return allowance >= 0;
  }
};

/// What a page says: a JSON object of a known type.
struct LiveProtocol::Message {
  int client;
  std::string type;
  const nlohmann::json& body;

  double number(const char* key, double least, double most,
                std::optional<double> usual = {}) const {
    const auto found = body.find(key);
    if (found == body.end() && usual) return *usual;
    if (found == body.end() || !found->is_number() ||
        !(found->get<double>() >= least && found->get<double>() <= most)) {
      fail(ErrorKind::usage, "{}: \"{}\" is a number from {} to {}", type, key, shortest(least),
           shortest(most));
    }
    return found->get<double>();
  }
  std::string text(const char* key) const {
    const auto found = body.find(key);
    if (found == body.end() || !found->is_string())
      fail(ErrorKind::usage, "{}: \"{}\" is a text", type, key);
    return found->get<std::string>();
  }
  bool has(const char* key) const { return body.contains(key); }
  bool flag(const char* key) const {
    const auto found = body.find(key);
    return found != body.end() && found->is_boolean() && found->get<bool>();
  }
};

}  // namespace kiln::cli
