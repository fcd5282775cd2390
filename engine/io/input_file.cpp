#include "engine/io/input_file.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "engine/base/error.h"
#include "engine/base/printable.h"

namespace kiln {
namespace {

std::string system_message() { return std::generic_category().message(errno); }

}  // namespace

InputFile::InputFile(const std::string& path)
    : name_(path == "-" ? "standard input" : path),
      file_(path == "-" ? nullptr : std::fopen(path.c_str(), "rb"),
            [](std::FILE* f) { return std::fclose(f); }) {
  if (path != "-" && !file_)
    fail(ErrorKind::input, "{}: cannot be opened: {}", printable(path, 240), system_message());
}

std::size_t InputFile::read(char* buffer, std::size_t count) {
  std::FILE* source = file_ ? file_.get() : stdin;
  const std::size_t got = std::fread(buffer, 1, count, source);
  if (got < count && std::ferror(source))
    fail(ErrorKind::input, "{}: cannot be read: {}", printable(name_, 240), system_message());
  return got;
}

std::string InputFile::read_all(std::uint64_t max_bytes, std::string already) {
  constexpr std::size_t piece = 1 << 16;
  std::string bytes = std::move(already);
  while (bytes.size() <= max_bytes) {
    const std::size_t before = bytes.size();
    bytes.resize(before + piece);
    const std::size_t got = read(bytes.data() + before, piece);
    bytes.resize(before + got);
    if (got < piece) break;
  }
  if (bytes.size() > max_bytes)
    fail(ErrorKind::input,
         "{}: is larger than {} bytes; raise the limit with --max-input if it is meant to be",
         printable(name_, 240), max_bytes);
  return bytes;
}

}  // namespace kiln
