// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <vector>

#include "engine/base/platform/file.h"
#include "engine/base/platform/user_files.h"

namespace kiln {
namespace {

constexpr std::string_view temporary_start = "tmp-";
constexpr std::time_t abandoned_after_s =
    3600;  // a temporary this old was left by a killed process

/// An open file or folder.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

bool only_we_can_write(const struct stat& status) {
  return status.st_uid == geteuid() && (status.st_mode & S_IWOTH) == 0;
}

/// The folder, if it is there and can be trusted.
int open_folder(const std::string& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct stat status;
  if (folder >= 0 && (fstat(folder, &status) != 0 || !only_we_can_write(status))) {
    close(folder);
    return -1;
  }
  return folder;
}

void make_folders(const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    if (mkdir(path.substr(0, end).c_str(), 0700) != 0 && errno != EEXIST) return;
    if (end == std::string::npos) return;
  }
}

bool read_all(int file, char* to, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t n = read(file, to + done, bytes - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

struct Entry {
  std::string name;
  std::uint64_t bytes;
  std::int64_t used_ns;
};

/// The cache's files; temporaries that nobody will finish are removed on the way.
std::vector<Entry> list_entries(int folder, const std::string& ending) {
  std::vector<Entry> entries;
  DIR* const listing = fdopendir(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!listing) return entries;
  while (const dirent* item = readdir(listing)) {
    const std::string_view name = item->d_name;
    struct stat status;
    if (fstatat(folder, item->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(status.st_mode)) continue;
    if (name.ends_with(ending)) {
      entries.push_back(
          {std::string(name), static_cast<std::uint64_t>(status.st_size),
           std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec});
    } else if (name.starts_with(temporary_start) &&
               std::time(nullptr) - status.st_mtim.tv_sec > abandoned_after_s) {
      unlinkat(folder, item->d_name, 0);
    }
  }
  closedir(listing);
  return entries;
}

std::string absolute(const std::string& path) { return path.starts_with('/') ? path : ""; }

/// A folder that a variable names, or else one below the user's home.
std::string below_home(const char* variable, const char* otherwise) {
  if (const std::string named = absolute(trusted_variable(variable)); !named.empty()) return named;
  const std::string home = absolute(trusted_variable("HOME"));
  return home.empty() ? "" : home + otherwise;
}

}  // namespace

std::string user_folder(UserFolder kind) {
  if (kind == UserFolder::cache) return below_home("XDG_CACHE_HOME", "/.cache");
  if (kind == UserFolder::state) return below_home("XDG_STATE_HOME", "/.local/state");
  return absolute(trusted_variable("XDG_RUNTIME_DIR"));
}

std::string trusted_variable(const char* name) {
  const char* const value = secure_getenv(name);
  return value ? value : "";
}

std::string read_private(const std::string& path, std::size_t most_bytes) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  const bool is_ours = file && fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) &&
                       status.st_uid == geteuid() && (status.st_mode & 077) == 0;
  std::string text(most_bytes + 1, '\0');
  const ssize_t size = is_ours ? ::read(file.get(), text.data(), text.size()) : -1;
  text.resize(size < 0 || std::size_t(size) > most_bytes ? 0 : std::size_t(size));
  return text;
}

std::string PrivateFolder::read(const std::string& name, std::uint64_t most_bytes) const {
  const Descriptor folder(open_folder(path_));
  if (!folder) return {};
  // Without waiting: a pipe of this name must not stop the program.
  const Descriptor file(
      openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status;
  if (!file || fstat(file.get(), &status) != 0) return {};
  if (!S_ISREG(status.st_mode) || !only_we_can_write(status)) return {};
  if (std::uint64_t(status.st_size) > most_bytes) return {};
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  if (!read_all(file.get(), bytes.data(), bytes.size())) return {};
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);  // finer than the time that files get by themselves
  const timespec times[2] = {now, now};
  futimens(file.get(), times);  // what is in use is not the oldest
  return bytes;
}

void PrivateFolder::write(const std::string& name, const std::string& bytes) const {
  make_folders(path_);
  const Descriptor folder(open_folder(path_));
  if (!folder) return;
  static std::atomic<unsigned> counter{0};
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);  // processes in two containers may have one number
  const std::string temporary =
      fmt::format("{}{}-{}-{}", temporary_start, getpid(), now.tv_nsec, counter++);
  bool written = false;
  {
    const Descriptor file(openat(folder.get(), temporary.c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file) return;
    written = write_all(file.get(), bytes.data(), bytes.size());
  }
  if (!written || renameat(folder.get(), temporary.c_str(), folder.get(), name.c_str()) != 0)
    unlinkat(folder.get(), temporary.c_str(), 0);
}

void PrivateFolder::remove_oldest(const std::string& ending, std::uint64_t most_bytes) const {
  const Descriptor folder(open_folder(path_));
  if (!folder) return;
  std::vector<Entry> entries = list_entries(folder.get(), ending);
  std::uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.bytes;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used_ns < b.used_ns; });
  for (const Entry& entry : entries) {
    if (total <= most_bytes) return;
    unlinkat(folder.get(), entry.name.c_str(), 0);
    total -= entry.bytes;
  }
}

}  // namespace kiln
