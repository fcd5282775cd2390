// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <windows.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "engine/base/platform/user_files.h"

namespace kiln {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path, std::uint64_t most_bytes) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > most_bytes || error)
    return "";
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::string user_folder(UserFolder kind) {
  if (kind == UserFolder::session) return "";
  const std::string named =
      trusted_variable(kind == UserFolder::cache ? "XDG_CACHE_HOME" : "XDG_STATE_HOME");
  if (fs::path(named).has_root_directory()) return named;
  const std::string own = trusted_variable("LOCALAPPDATA");
  return fs::path(own).has_root_directory() ? own : "";
}

std::string trusted_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

// The folders are in the user's profile, where nobody else may write.

std::string read_private(const std::string& path, std::size_t most_bytes) {
  return bytes_of(path, most_bytes);
}

std::string PrivateFolder::read(const std::string& name, std::uint64_t most_bytes) const {
  const fs::path path = fs::path(path_) / name;
  std::string bytes = bytes_of(path, most_bytes);
  std::error_code none;
  if (!bytes.empty()) fs::last_write_time(path, fs::file_time_type::clock::now(), none);
  return bytes;
}

void PrivateFolder::write(const std::string& name, const std::string& bytes) const {
  static std::atomic<unsigned> counter{0};
  std::error_code error;
  fs::create_directories(path_, error);
  const fs::path temporary =
      fs::path(path_) / fmt::format("tmp-{}-{}", GetCurrentProcessId(), counter++);
  bool is_written = false;
  {
    std::ofstream file(temporary, std::ios::binary);
    file.write(bytes.data(), std::streamsize(bytes.size()));
    is_written = bool(file.flush());
  }
  if (is_written) fs::rename(temporary, fs::path(path_) / name, error);
  if (!is_written || error) fs::remove(temporary, error);
}

void PrivateFolder::remove_oldest(const std::string& ending, std::uint64_t most_bytes) const {
  std::error_code error;
  std::vector<fs::directory_entry> entries;
  std::uint64_t total = 0;
  for (fs::directory_iterator entry(path_, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code none;
    const auto age = fs::file_time_type::clock::now() - entry->last_write_time(none);
    if (name.ends_with(ending)) {
      entries.push_back(*entry);
      total += entry->file_size(none);
    } else if (name.starts_with("tmp-") && age > std::chrono::hours(1)) {  // of a killed process
      fs::remove(entry->path(), none);
    }
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    std::error_code none;
    return a.last_write_time(none) < b.last_write_time(none);
  });
  for (const fs::directory_entry& entry : entries) {
    if (total <= most_bytes) return;
    total -= entry.file_size(error);
    fs::remove(entry.path(), error);
  }
}

}  // namespace kiln
