// SPDX-License-Identifier: MIT
#include "engine/io/file/input_file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "engine/base/error.h"
#include "engine/base/platform/file.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"

namespace kiln {
namespace {

std::string system_message() { return std::generic_category().message(errno); }

/// The remedy where there is no such file; empty: none is known.
std::string advice(const std::string& path) {
  namespace fs = std::filesystem;
  if (path.find("://") != std::string::npos)
    return "; this is an address: download it first (curl -O), then name the file";
  constexpr std::size_t most_names = 10'000, least_letters = 3;
  const fs::path wanted(path);
  if (wanted.stem().string().size() < least_letters) return "";
  std::vector<std::string> names;
  std::error_code error;
  const fs::path folder = wanted.has_parent_path() ? wanted.parent_path() : fs::path(".");
  for (fs::directory_iterator entry(folder, error), end;
       !error && entry != end && names.size() < most_names; entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());  // whatever order the folder has
  return printable_whole(did_you_mean(wanted.filename().string(), names));
}

}  // namespace

std::FILE* open_file(const std::string& path, InputFile::Opens opens) {
  return opens == InputFile::Opens::regular_files ? open_regular(path) : open_to_read(path);
}

InputFile::InputFile(const std::string& path, Opens opens)
    : name_(path == "-" ? "standard input" : path),
      file_(path == "-" ? nullptr : open_file(path, opens),
            [](std::FILE* f) { return std::fclose(f); }) {
  if (path != "-" && !file_ && opens == Opens::regular_files && errno == EINVAL)
    fail(ErrorKind::input, "{}: is no regular file (a pipe or a device)", printable(path, 240));
  if (path != "-" && !file_) {
    const bool is_missing = errno == ENOENT;
    const std::string reason = system_message();
    fail(ErrorKind::input, "{}: cannot be opened: {}{}", printable(path, 240), reason,
         is_missing ? advice(path) : "");
  }
}

std::size_t InputFile::read(char* buffer, std::size_t count) {
  std::FILE* source = file_ ? file_.get() : stdin;
  const std::size_t got = std::fread(buffer, 1, count, source);
  if (got < count && std::ferror(source))
    fail(ErrorKind::input, "{}: cannot be read: {}", printable(name_, 240), system_message());
  return got;
}

std::string InputFile::read_all(std::uint64_t max_bytes, std::string already, const char* remedy) {
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
    fail(ErrorKind::input, "{}: is larger than {} bytes; {}", printable(name_, 240), max_bytes,
         remedy);
  return bytes;
}

std::vector<std::string> files_in(const std::string& folder,
                                  const std::vector<std::string_view>& endings) {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    const std::string ending = entry->path().extension().string();
    if (std::find(endings.begin(), endings.end(), ending) != endings.end() &&
        entry->is_regular_file(ignored))
      names.push_back(entry->path().filename().string());
  }
  if (error)
    fail(ErrorKind::input, "{}: the folder cannot be read: {}", printable_whole(folder),
         error.message());
  std::sort(names.begin(), names.end());
  return names;
}

std::string file_hash(const std::string& path, InputFile::Opens opens) {
  InputFile file(path, opens);
  Sha256 sha;
  std::vector<char> piece(1 << 16);
  for (std::size_t size; (size = file.read(piece.data(), piece.size())) > 0;)
    sha.add(piece.data(), size);
  return sha.hex();
}

std::string bytes_hash(std::string_view bytes) {
  Sha256 sha;
  sha.add(bytes.data(), bytes.size());
  return sha.hex();
}

}  // namespace kiln
