// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <set>

#include "engine/base/platform/file.h"
#include "engine/base/platform/process.h"
#include "engine/base/platform/temporary_file.h"

namespace kiln {
namespace {

constexpr char mark[] = ".tmp-";

// Names of open temporaries for the signal handler, which may neither lock nor allocate.
struct Unfinished {
  enum State { free_slot, filling, listed };
  std::atomic<int> state{free_slot};
  char path[PATH_MAX];
};
std::array<Unfinished, 64> unfinished;
static_assert(std::atomic<int>::is_always_lock_free);

int list_unfinished(const std::string& path) {
  if (path.size() >= PATH_MAX) return -1;
  for (std::size_t i = 0; i < unfinished.size(); ++i) {
    int expected = Unfinished::free_slot;
    if (!unfinished[i].state.compare_exchange_strong(expected, Unfinished::filling)) continue;
    std::memcpy(unfinished[i].path, path.c_str(), path.size() + 1);
    unfinished[i].state = Unfinished::listed;
    return static_cast<int>(i);
  }
  return -1;  // more files open than slots: only the destructor cleans up
}

std::atomic<bool> program_ends{false};  // a signal ends the program
std::atomic<int> naming_count{0};       // threads that give a file its name

/// While a file gets its name no signal's handler runs in this thread, and one in another thread waits;
/// where one has begun already, there is no more to be done.
class Naming {
 public:
  Naming() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
    ++naming_count;
    if (!program_ends) return;
    --naming_count;
    for (;;) pause();
  }
  ~Naming() {
    --naming_count;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Naming(const Naming&) = delete;
  Naming& operator=(const Naming&) = delete;

 private:
  sigset_t before_;
};

std::string folder_with(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

void forget_unfinished(int& slot) {
  if (slot >= 0) unfinished[static_cast<std::size_t>(slot)].state = Unfinished::free_slot;
  slot = -1;
}

/// NAME.tmp-PID-N
bool is_temporary_name(const std::string& name) {
  const std::size_t at = name.rfind(mark);
  if (at == std::string::npos || at == 0) return false;
  const std::string numbers = name.substr(at + sizeof mark - 1);
  const std::size_t dash = numbers.find('-');
  return dash != std::string::npos && dash > 0 && dash + 1 < numbers.size() &&
         numbers.find_first_not_of("0123456789") == dash &&
         numbers.find_first_not_of("0123456789", dash + 1) == std::string::npos;
}

/// Removes files of such names in a folder that are ours and that nobody holds.
template <class IsOne>
void sweep(const std::string& folder, const IsOne& is_one) {
  DIR* const entries = opendir(folder.c_str());
  if (!entries) return;
  while (const dirent* entry = readdir(entries)) {
    if (!is_one(std::string(entry->d_name))) continue;
    const int left = openat(dirfd(entries), entry->d_name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (left < 0) continue;
    struct stat status {};
    if (flock(left, LOCK_EX | LOCK_NB) == 0 && fstat(left, &status) == 0 &&
        S_ISREG(status.st_mode) && status.st_uid == geteuid())
      unlinkat(dirfd(entries), entry->d_name, 0);
    close(left);
  }
  closedir(entries);
}

/// Temporaries, once a folder.
void sweep_temporaries(const std::string& folder) {
  static std::mutex mutex;
  static std::set<std::string> swept;
  {
    const std::lock_guard lock(mutex);
    if (!swept.insert(folder).second) return;
  }
  sweep(folder, is_temporary_name);
}

/// A replaced file keeps its mode, and its owner where we may give files away.
void adopt(int descriptor, const std::string& target) {
  struct stat before {};
  if (stat(target.c_str(), &before) != 0 || !S_ISREG(before.st_mode)) return;
  [[maybe_unused]] const int owner = fchown(descriptor, before.st_uid, before.st_gid);
  fchmod(descriptor, before.st_mode & 07777);
}

/// 0, or the errno of putting `from` in the place of `to`.
int rename_file(const char* from, const char* to, bool keep) {
  if (!keep) return rename(from, to) == 0 ? 0 : errno;
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  if (link(from, to) != 0) return errno;  // a file system without RENAME_NOREPLACE
  return unlink(from) == 0 ? 0 : errno;
}

/// A name that nobody has, beside `target`.
std::string next_name(const std::string& for_target) {
  static std::atomic<unsigned> counter{0};
  const std::string suffix =
      mark + std::to_string(getpid()) + "-" + std::to_string(counter.fetch_add(1));
  const std::filesystem::path target(for_target);
  const std::string name = target.filename().string().substr(0, name_bytes_max - suffix.size());
  return (target.parent_path() / (name + suffix)).string();
}

}  // namespace

int TemporaryFile::open_for(const std::string& target) {
  target_ = target;
  const std::string folder = folder_with(target);
  sweep_temporaries(folder);
  // a file without a name gets one through /proc
  if (access("/proc/self/fd", X_OK) == 0)
    descriptor_ = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor_ >= 0) return 0;
  return open_named();
}

int TemporaryFile::open_named() {
  for (int attempt = 0; attempt < 100; ++attempt) {
    const Naming naming;
    name_ = next_name(target_);
    slot_ = list_unfinished(name_);  // before it exists, so that no signal finds it unlisted
    descriptor_ = open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const int error_number = descriptor_ < 0 ? errno : 0;
    struct stat status {};
    if (descriptor_ >= 0) {
      flock(descriptor_, LOCK_EX | LOCK_NB);
      if (fstat(descriptor_, &status) == 0 && status.st_nlink > 0) return 0;
      close(descriptor_);  // swept away before it was locked
      descriptor_ = -1;
    }
    forget_unfinished(slot_);
    name_.clear();
    if (error_number != 0 && error_number != EEXIST) return error_number;
  }
  return EEXIST;
}

int TemporaryFile::give_name_to_unnamed(bool keep) {
  const std::string here = "/proc/self/fd/" + std::to_string(descriptor_);
  const auto link_to = [&](const std::string& name) {
    return linkat(AT_FDCWD, here.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0
                                                                                          : errno;
  };
  const int error_number = link_to(target_);
  if (error_number != EEXIST || keep) return error_number;
  const std::string name = next_name(target_);  // for the moment that a rename takes
  slot_ = list_unfinished(name);
  if (const int failed = link_to(name)) return failed;
  name_ = name;
  return rename_file(name_.c_str(), target_.c_str(), keep);
}

int TemporaryFile::name_it(bool keep) {
  adopt(descriptor_, target_);
  const Naming naming;
  const int error_number = name_.empty() ? give_name_to_unnamed(keep)
                                         : rename_file(name_.c_str(), target_.c_str(), keep);
  if (error_number != 0) return error_number;
  name_.clear();
  forget_unfinished(slot_);
  return 0;
}

std::string TemporaryFile::name_for_child(int number) {
  return name_in_child(name_.empty() ? target_ : name_, number);
}

void TemporaryFile::discard() noexcept {
  if (descriptor_ >= 0) close(descriptor_);
  if (!name_.empty()) unlink(name_.c_str());
  forget_unfinished(slot_);
  name_.clear();
  descriptor_ = -1;
}

PrivateFile::PrivateFile(const std::string& stem, const std::string& ending,
                         const std::string& text)
    : path_(stem + "-XXXXXX" + ending) {
  const std::string name = std::filesystem::path(path_).filename().string();
  sweep(folder_with(path_), [&](const std::string& other) {
    const std::size_t start = name.size() - ending.size() - 6;
    return other.size() == name.size() && other.compare(0, start, name, 0, start) == 0 &&
           other.ends_with(ending);
  });
  const Naming naming;
  descriptor_ = mkostemps(path_.data(), static_cast<int>(ending.size()), O_CLOEXEC);
  if (descriptor_ < 0) {
    path_.clear();
    return;
  }
  flock(descriptor_, LOCK_EX | LOCK_NB);
  slot_ = list_unfinished(path_);
  struct stat status {};
  const bool is_there = fstat(descriptor_, &status) == 0 && status.st_nlink > 0;  // not swept away
  if (is_there && write_all(descriptor_, text.data(), text.size())) return;
  unlink(path_.c_str());
  path_.clear();
}

PrivateFile::~PrivateFile() {
  if (!path_.empty()) unlink(path_.c_str());
  forget_unfinished(slot_);
  if (descriptor_ >= 0) close(descriptor_);
}

void remove_unfinished_files() noexcept {
  program_ends = true;
  const timespec moment{0, 1000000};
  for (int i = 0; i < 1000 && naming_count > 0; ++i) nanosleep(&moment, nullptr);
  for (Unfinished& file : unfinished) {
    if (file.state == Unfinished::listed) unlink(file.path);
  }
}

}  // namespace kiln
