// SPDX-License-Identifier: MIT
// What the reader says about a file, all of it as `file:line: ...`. Errors end the reading of a
// flame; warnings are kept with the flame that they are about, for whoever wants that flame
// (FlameFile::warnings). A file may be hostile, so the number of warnings is bounded and nothing
// from it is printed raw.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/flame_file.h"

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

  /// Begins the messages about the flame of this index.
  void begin_flame(int index);

  /// Keeps no warning until it is switched off.
  void be_silent(bool silent) { silent_ = silent; }

  /// Something is odd, but its meaning is clear.
  void warn(int line, const std::string& text);

  /// Warns once a flame for each `key`.
  void warn_once(int line, const std::string& key, const std::function<std::string()>& text);

  /// Warns likewise of what flam3 ignores as well; an error of kind unsupported when strict.
  void ignored(int line, const std::string& key, const std::function<std::string()>& text);

  /// Notes once a file that a picture is made without something that its flame asks for.
  void note(int line, const std::string& what, const std::function<std::string()>& text);

  /// A warning that begins with its place already.
  void warn_as_is(const std::string& text) { keep({flame_, text, "", false}); }

  /// Whether values of this flame may be unreadable, or followed by other text. Not at its
  /// beginning.
  bool is_mild() const { return mild_; }
  void be_mild() { mild_ = true; }

  /// A warning about flame `index` that only the way from key flame to key flame is affected by.
  void warn_of_motion(int index, int line, const std::string& text);

  std::vector<Warning> move_warnings() { return std::move(warnings_); }

 private:
  std::string located(int line, const std::string& text) const;
  void keep(Warning warning);

  std::string file_;  // printable
  const ReaderOptions& options_;
  std::vector<Warning> warnings_;
  std::set<std::string, std::less<>> said_;  // of this flame
  int flame_ = -1;                           // index; -1: the file
  int warnings_of_flame_ = 0;
  bool mild_ = false;
  bool silent_ = false;
};

}  // namespace kiln
