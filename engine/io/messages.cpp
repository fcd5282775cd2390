#include "engine/io/messages.h"

namespace kiln {
namespace {

constexpr int max_warnings =
    50;  // per file; more help nobody, and a hostile file could ask for millions

}  // namespace

Messages::Messages(const std::string& file, const ReaderOptions& options)
    : file_(printable(file, 240)), options_(options) {}

std::string Messages::located(int line, const std::string& text) const {
  return line > 0 ? fmt::format("{}:{}: {}", file_, line, text)
                  : fmt::format("{}: {}", file_, text);
}

void Messages::warn(int line, const std::string& text) {
  if (++warning_count_ > max_warnings || !options_.warn) return;
  options_.warn(located(line, text));
  if (warning_count_ == max_warnings) options_.warn(located(0, "further warnings are not shown"));
}

void Messages::warn_once(int line, const std::string& key,
                         const std::function<std::string()>& text) {
  if (warning_count_ >= max_warnings || !said_.insert(key).second) return;
  warn(line, text());
}

void Messages::unsupported(int line, const std::string& key,
                           const std::function<std::string()>& text) {
  if (options_.strict) throw Error(ErrorKind::unsupported, located(line, text()));
  warn_once(line, key, text);
}

}  // namespace kiln
