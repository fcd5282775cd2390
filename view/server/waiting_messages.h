// SPDX-License-Identifier: MIT
// What waits to be sent to a page, in its order. The first message is under way: it cannot be taken back. Parts of a large
// picture can, as long as they wait.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <string>
#include <utility>

namespace kiln::cli {

class WaitingMessages {
 public:
  struct Message {
    std::string bytes;
    bool is_text = false, is_part = false;
  };

  bool empty() const { return messages_.empty(); }
  std::size_t count() const { return messages_.size(); }
  /// Bytes of all that wait, with those of the one that is under way.
  std::size_t bytes() const { return bytes_; }
  const Message& first() const { return messages_.front(); }

  void add(Message message) {
    bytes_ += message.bytes.size();
    messages_.push_back(std::move(message));
  }
  /// The first one is sent.
  void take_first() {
    bytes_ -= messages_.front().bytes.size();
    messages_.pop_front();
  }
  /// Puts a text in the place of the parts that still wait; false: none does.
  bool drop_parts(const std::string& instead) {
    if (messages_.empty()) return false;
    const auto is_part = [](const Message& message) { return message.is_part; };
    const auto first = std::find_if(messages_.begin() + 1, messages_.end(), is_part);
    if (first == messages_.end()) return false;
    for (auto message = first; message != messages_.end(); ++message)
      if (message->is_part) bytes_ -= message->bytes.size();
    *first = {instead, true, false};
    bytes_ += instead.size();
    messages_.erase(std::remove_if(first, messages_.end(), is_part), messages_.end());
    return true;
  }

 private:
  std::deque<Message> messages_;
  std::size_t bytes_ = 0;
};

}  // namespace kiln::cli
