// SPDX-License-Identifier: MIT
#include "engine/io/flame/messages.h"

namespace kiln {
namespace {

// more help nobody, and a hostile file could ask for millions
constexpr int most_of_a_flame = 51;  // one more than is shown: so it is known that there are more
constexpr std::size_t most_of_a_file = 20000;

}  // namespace

Messages::Messages(const std::string& file, const ReaderOptions& options)
    : file_(printable(file, 240)), options_(options) {}

std::string Messages::located(int line, const std::string& text) const {
  return line > 0 ? fmt::format("{}:{}: {}", file_, line, text)
                  : fmt::format("{}: {}", file_, text);
}

void Messages::begin_flame(int index) {
  flame_ = index;
  warnings_of_flame_ = 0;
  mild_ = false;
  said_.clear();
}

void Messages::keep(Warning warning) {
  if (silent_) return;
  if (++warnings_of_flame_ > most_of_a_flame || warnings_.size() >= most_of_a_file) return;
  warnings_.push_back(std::move(warning));
}

void Messages::warn(int line, const std::string& text) {
  keep({flame_, located(line, text), "", false});
}

void Messages::warn_once(int line, const std::string& key,
                         const std::function<std::string()>& text) {
  if (warnings_of_flame_ >= most_of_a_flame || !said_.insert(key).second) return;
  keep({flame_, located(line, text()), key, false});
}

void Messages::ignored(int line, const std::string& key, const std::function<std::string()>& text) {
  if (options_.strict) throw Error(ErrorKind::unsupported, located(line, text()));
  warn_once(line, key, text);
}

void Messages::note(int line, const std::string& what, const std::function<std::string()>& text) {
  const std::string key = std::string(note_key) + what;
  // however much else is said; most_of_a_file, or a hostile file could ask for millions
  if (warnings_.size() >= most_of_a_file || !said_.insert(key).second) return;
  warnings_.push_back({flame_, located(line, text()), key, false});
}

void Messages::warn_of_motion(int index, int line, const std::string& text) {
  if (warnings_.size() < most_of_a_file)
    warnings_.push_back({index, located(line, text), "", true});
}

}  // namespace kiln
