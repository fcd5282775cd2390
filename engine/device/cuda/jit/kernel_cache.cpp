#include "engine/device/cuda/jit/kernel_cache.h"

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
#include <cstring>
#include <ctime>

#include "engine/base/sha256.h"
#include "engine/base/write_all.h"

namespace kiln {
namespace {

constexpr std::string_view ending = ".kernels", temporary_start = "tmp-";
constexpr std::uint64_t largest_file_bytes = std::uint64_t{64} << 20;  // no kernel comes near
constexpr std::time_t abandoned_after_s =
    3600;  // a temporary this old was left by a killed process

/// The first bytes of a file; its payload, the cubin and then the log, follows.
struct FileHead {
  char magic[8];
  char key[64];   // the file's own name, so that a renamed file is noticed
  char hash[64];  // SHA-256 of the payload
  std::uint64_t cubin_bytes, log_bytes;
};
constexpr char magic[8] = {'K', 'I', 'L', 'N', 'C', 'U', '0', '1'};

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

std::string hash_of(const char* data, std::size_t bytes) {
  Sha256 hash;
  hash.add(data, bytes);
  return hash.hex();
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
std::vector<Entry> list_entries(int folder) {
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

void remove_oldest(int folder, std::uint64_t max_bytes) {
  std::vector<Entry> entries = list_entries(folder);
  std::uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.bytes;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used_ns < b.used_ns; });
  for (const Entry& entry : entries) {
    if (total <= max_bytes) return;
    unlinkat(folder, entry.name.c_str(), 0);
    total -= entry.bytes;
  }
}

}  // namespace

KernelCache::KernelCache(std::string folder, std::uint64_t max_bytes)
    : folder_(std::move(folder)), max_bytes_(max_bytes) {}

std::optional<CachedKernels> KernelCache::load(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  const Descriptor folder(open_folder(folder_));
  if (!folder) return std::nullopt;
  const std::string name = key + std::string(ending);
  // Without waiting: a pipe of this name must not stop the program.
  const Descriptor file(
      openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status;
  if (!file || fstat(file.get(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) || !only_we_can_write(status)) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  FileHead head;
  if (size < sizeof head || size > largest_file_bytes) return std::nullopt;
  if (!read_all(file.get(), reinterpret_cast<char*>(&head), sizeof head)) return std::nullopt;
  const std::uint64_t payload_bytes = size - sizeof head;
  if (std::memcmp(head.magic, magic, sizeof magic) != 0 ||
      std::string_view(head.key, sizeof head.key) != key || head.cubin_bytes > payload_bytes ||
      head.log_bytes != payload_bytes - head.cubin_bytes) {
    return std::nullopt;
  }
  std::vector<char> payload(payload_bytes);
  if (!read_all(file.get(), payload.data(), payload.size())) return std::nullopt;
  if (std::string_view(head.hash, sizeof head.hash) != hash_of(payload.data(), payload.size())) {
    return std::nullopt;
  }
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);  // finer than the time that files get by themselves
  const timespec times[2] = {now, now};
  futimens(file.get(), times);  // what is in use is not the oldest
  CachedKernels kernels;
  kernels.log.assign(payload.data() + head.cubin_bytes, head.log_bytes);
  payload.resize(head.cubin_bytes);
  kernels.cubin = std::move(payload);
  return kernels;
}

void KernelCache::store(const std::string& key, const CachedKernels& kernels) const {
  FileHead head;
  if (folder_.empty() || key.size() != sizeof head.key) return;
  std::vector<char> payload = kernels.cubin;
  payload.insert(payload.end(), kernels.log.begin(), kernels.log.end());
  if (sizeof head + payload.size() > std::min(largest_file_bytes, max_bytes_)) return;
  const std::string hash = hash_of(payload.data(), payload.size());
  std::memcpy(head.magic, magic, sizeof magic);
  std::memcpy(head.key, key.data(), sizeof head.key);
  std::memcpy(head.hash, hash.data(), sizeof head.hash);
  head.cubin_bytes = kernels.cubin.size();
  head.log_bytes = kernels.log.size();

  make_folders(folder_);
  const Descriptor folder(open_folder(folder_));
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
    written = write_all(file.get(), reinterpret_cast<const char*>(&head), sizeof head) &&
              write_all(file.get(), payload.data(), payload.size());
  }
  const std::string name = key + std::string(ending);
  // Not flushed to the disk: after a power cut the hash tells a damaged file.
  if (!written || renameat(folder.get(), temporary.c_str(), folder.get(), name.c_str()) != 0) {
    unlinkat(folder.get(), temporary.c_str(), 0);
    return;
  }
  remove_oldest(folder.get(), max_bytes_);
}

std::string default_cache_folder(const std::string& name) {
  const auto variable = [](const char* name) {
    const char* const value = secure_getenv(name);
    return std::string(value ? value : "");
  };
  const std::string chosen = variable("KILN_CACHE_DIR");
  if (chosen == "off") return {};
  if (!chosen.empty()) return chosen + "/" + name;
  if (const std::string xdg = variable("XDG_CACHE_HOME"); xdg.starts_with('/'))
    return xdg + "/kiln/" + name;
  if (const std::string home = variable("HOME"); home.starts_with('/'))
    return home + "/.cache/kiln/" + name;
  return {};
}

}  // namespace kiln
