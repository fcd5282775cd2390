// SPDX-License-Identifier: MIT
// What the fuzz targets share. A target is a function of bytes that libFuzzer calls again and again
// with whatever reaches new code; an Error is an answer, anything else that is thrown is a finding,
// and so is an expectation that does not hold.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace kiln::fuzz {

/// Ends the program with a finding.
inline void expect(bool holds, const char* what, std::string_view shown = {}) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n%.*s\n", what, static_cast<int>(shown.size()),
               shown.data());
  std::abort();
}

/// Bytes that are taken from the front, then nothing but zeros.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size)
      : rest_(reinterpret_cast<const char*>(data), size) {}

  bool empty() const { return rest_.empty(); }
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto first = static_cast<std::uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    return first;
  }
  /// Up to the next line feed, without it.
  std::string_view line() {
    const std::string_view taken = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(taken.size() + (taken.size() < rest_.size() ? 1 : 0));
    return taken;
  }
  std::string_view take(std::size_t count) {
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view rest() { return take(rest_.size()); }

 private:
  std::string_view rest_;
};

/// A file in memory with a path, for what reads files only.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("fuzz", 0)) {}
  void hold(std::string_view bytes) const {
    expect(ftruncate(descriptor_, 0) == 0 && pwrite(descriptor_, bytes.data(), bytes.size(), 0) ==
                                                 static_cast<ssize_t>(bytes.size()),
           "a file in memory can be written");
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  const int descriptor_;
};

/// Runs `body`; an Error is fine. Whether there was none.
template <class Body>
bool answered(Body body) {
  try {
    body();
    return true;
  } catch (const Error& error) {
    const std::string_view message = error.what();
    expect(error.kind != ErrorKind::device || message.find("internal error at ") == message.npos,
           "no check of our own fails", message);
    return false;
  }
}

}  // namespace kiln::fuzz
