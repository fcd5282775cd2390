// What the reader says about a file: errors end the reading, warnings go to the caller, both as
// `file:line: ...`. A file may be hostile, so the number of warnings is bounded and nothing from it
// is printed raw.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "engine/io/flame_reader.h"
#include "engine/io/printable.h"
#include "engine/model/error.h"

namespace kiln {

class Messages {
 public:
  Messages(const std::string& file, const ReaderOptions& options);

  const std::string& file() const { return file_; }

  /// Throws Error of kind input; line 0 stands for the whole file.
  template <class... Args>
  [[noreturn]] void error(int line, fmt::format_string<Args...> format, Args&&... args) const {
    throw Error(ErrorKind::input, located(line, fmt::format(format, std::forward<Args>(args)...)));
  }

  /// Something is odd, but its meaning is clear.
  void warn(int line, const std::string& text);

  /// The same, once for each `key`.
  void warn_once(int line, const std::string& key, const std::function<std::string()>& text);

  /// The file asks for what we do not have: said once per `key`; an error of kind unsupported when
  /// strict.
  void unsupported(int line, const std::string& key, const std::function<std::string()>& text);

 private:
  std::string located(int line, const std::string& text) const;

  std::string file_;  // printable
  const ReaderOptions& options_;
  std::set<std::string, std::less<>> said_;
  int warning_count_ = 0;
};

}  // namespace kiln
