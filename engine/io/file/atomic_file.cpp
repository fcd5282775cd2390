// SPDX-License-Identifier: MIT
#include "engine/io/file/atomic_file.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/platform/file.h"
#include "engine/base/platform/process.h"
#include "engine/base/text.h"
#include "engine/io/file/input_file.h"
#include "engine/io/file/output_name.h"

namespace kiln {
namespace {

constexpr std::size_t buffer_bytes = 1 << 20;

/// The cause of an error and its remedy, in words.
std::string explanation(int error_number, const std::string& folder) {
  const std::string reason = std::generic_category().message(error_number);
  if (is_out_of_space(error_number))
    return fmt::format("cannot be written: {}; free some space or choose another folder", reason);
  switch (error_number) {
    case ENOENT:
      if (std::error_code ignored; std::filesystem::is_directory(folder, ignored))
        return fmt::format("the folder \"{}\" takes no files; choose another", folder);
      return fmt::format("the folder \"{}\" does not exist; create it (mkdir -p) or choose another",
                         folder);
    case ENOTDIR:
      return fmt::format("\"{}\" is not a folder; choose another", folder);
    case EACCES:
    case EPERM:
    case EROFS:
      return fmt::format("cannot write in the folder \"{}\" ({}); choose another", folder, reason);
    case EISDIR:
      return "is a folder; give the name of a file";
    case EFBIG:
      return "cannot be written: the file size limit is reached (ulimit -f)";
    case EEXIST:
      return "exists already; remove it or leave out --no-clobber";
    case ENAMETOOLONG:
      return "the file name is too long; choose a shorter one";
    case EPIPE:
      return "the reader of the pipe has gone";
    default:
      return fmt::format("cannot be written: {}", reason);
  }
}

[[noreturn]] void fail_for_path(const std::string& path, int error_number) {
  fail(ErrorKind::output, "{}: {}",
       printable_whole(is_standard_output(path) ? "standard output" : path),
       explanation(error_number, printable_whole(folder_of(path))));
}

}  // namespace

AtomicFile::AtomicFile(std::string path, Existing existing)
    : path_(std::move(path)), existing_(existing) {
  buffer_.reserve(buffer_bytes);
  if (const int named = named_descriptor(path_); named >= 0) {
    in_place_ = duplicate_descriptor(named);
    if (in_place_ < 0) fail_because(errno);
    return;
  }
  check_output_path(path_);
  if (is_device_or_pipe(path_)) {
    in_place_ = open_in_place(path_);
    if (in_place_ < 0) fail_because(errno);
    return;
  }
  if (const int error_number = temporary_.open_for(behind_links(path_))) fail_because(error_number);
}

AtomicFile::~AtomicFile() {
  if (in_place_ >= 0) close_descriptor(in_place_);
}

void AtomicFile::write(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  if (buffer_.size() + size > buffer_bytes) flush();
  buffer_.insert(buffer_.end(), bytes, bytes + size);
  if (buffer_.size() >= buffer_bytes) flush();
}

void AtomicFile::write_again(std::size_t at, const void* data, std::size_t size) {
  flush();
  KILN_CHECK(in_place_ < 0, "{} is written in place", path_);
  if (!write_at(descriptor(), static_cast<const char*>(data), size, at)) fail_because(errno);
}

void AtomicFile::flush() {
  if (!write_all(descriptor(), reinterpret_cast<const char*>(buffer_.data()), buffer_.size()))
    fail_because(errno);
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  if (const int error_number = flush_to_disk(descriptor())) fail_because(error_number);
  if (in_place_ >= 0) {
    if (const int error_number = close_descriptor(std::exchange(in_place_, -1)))
      fail_because(error_number);
    return;
  }
  if (const int error_number = temporary_.name_it(existing_ == Existing::keep))
    fail_because(error_number);
  temporary_.discard();
  flush_folder(folder_of(behind_links(path_)));
}

std::string AtomicFile::name_for_child(int number) {
  return in_place_ >= 0 ? name_in_child(path_, number) : temporary_.name_for_child(number);
}

void AtomicFile::fail_because(int error_number) const { fail_for_path(path_, error_number); }

void check_output_path(const std::string& path) {
  if (named_descriptor(path) >= 0) return;
  if (is_device_or_pipe(path)) return;
  std::error_code error;
  if (!std::filesystem::path(path).has_filename() || std::filesystem::is_directory(path, error))
    fail_for_path(path, EISDIR);
  const std::string folder = folder_of(behind_links(path));
  const bool is_folder = std::filesystem::is_directory(folder, error);
  if (error) fail_for_path(path, error.default_error_condition().value());
  if (!is_folder) fail_for_path(path, ENOTDIR);
  if (!takes_files(folder)) fail_for_path(path, errno);
  if (std::filesystem::path(path).filename().string().size() > name_bytes_max)
    fail_for_path(path, ENAMETOOLONG);
}

namespace {

bool holds_flame(const std::string& path) {
  constexpr std::size_t looked_at = 1 << 16;
  // not InputFile, which would look for a name like it where nothing is there
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      open_file(path, InputFile::Opens::regular_files), std::fclose);
  if (!file) return false;
  std::string start(looked_at, '\0');
  start.resize(std::fread(start.data(), 1, start.size(), file.get()));
  if (start.find('\0') != std::string::npos) return false;
  for (const char* name : {"<flame", "<Flame"}) {  // <flames>, <Flames> too
    if (start.find(name) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

void check_keeps_flames(const std::string& path, const std::string& what, const char* or_else) {
  if (!takes_rows(path) || !holds_flame(path)) return;
  fail(ErrorKind::usage, "{}: holds a flame, which {} would replace; give another name, or {}",
       printable_whole(path), printable_whole(what), or_else);
}

}  // namespace kiln
