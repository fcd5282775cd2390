#include "engine/io/file/output_target.h"

#include <sys/stat.h>

#include <charconv>
#include <filesystem>

namespace kiln {
namespace {

namespace fs = std::filesystem;

bool status_of(const std::string& path, struct stat& status) {
  return stat(path.c_str(), &status) == 0;
}

}  // namespace

int named_descriptor(const std::string& path) {
  if (path == "-" || path == "/dev/stdout") return 1;
  if (path == "/dev/stderr") return 2;
  for (const std::string folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.compare(0, folder.size(), folder) != 0) continue;
    int number = -1;
    const char* begin = path.data() + folder.size();
    const char* end = path.data() + path.size();
    const auto [stop, error] = std::from_chars(begin, end, number);
    if (error == std::errc() && stop == end && number >= 0) return number;
  }
  return -1;
}

bool is_device_or_pipe(const std::string& path) {
  struct stat status;
  return status_of(path, status) && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

std::string behind_links(const std::string& path) {
  constexpr int links_most = 40;  // as many as Linux follows
  fs::path at = path;
  std::error_code error;
  for (int i = 0; i < links_most && fs::is_symlink(fs::symlink_status(at, error)); ++i) {
    const fs::path target = fs::read_symlink(at, error);
    if (error) break;
    at = target.is_absolute() ? target : at.parent_path() / target;
  }
  return at.string();
}

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat of_a, of_b;
  return status_of(a, of_a) && status_of(b, of_b) && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace kiln
