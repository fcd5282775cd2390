#include "view/server/kept_token.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <system_error>

#include "engine/io/file/atomic_file.h"

namespace kiln::cli {
namespace {

constexpr std::size_t token_digits = 32;

/// An absolute path that a variable names; else empty.
std::string folder_in(const char* name) {
  const char* value = std::getenv(name);
  return value && *value == '/' ? value : "";
}

/// Ends with the session of the user where the desk has such a folder; empty: there is none.
std::string folder_of_tokens() {
  const std::string run = folder_in("XDG_RUNTIME_DIR");
  return run.empty() ? state_folder() : run + "/kiln";
}

/// What the file has, if it is a token that nobody else can have read or put there; else empty.
std::string read_token(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return {};
  struct stat status {};
  std::array<char, token_digits + 1> text;
  const bool is_ours = fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                       status.st_uid == geteuid() && (status.st_mode & 077) == 0;
  const ssize_t size = is_ours ? read(file, text.data(), text.size()) : -1;
  close(file);
  const std::string token(text.data(), size == ssize_t(token_digits) ? token_digits : 0);
  return token.find_first_not_of("0123456789abcdef") == std::string::npos ? token : "";
}

/// In the place of what is there; where it cannot be, the next program has another token.
void keep_token(const std::string& path, const std::string& token) {
  const PrivateFile file(path, "", token);
  if (file.path().empty()) return;
  rename(file.path().c_str(), path.c_str());
}

}  // namespace

std::string state_folder() {
  if (const std::string state = folder_in("XDG_STATE_HOME"); !state.empty()) return state + "/kiln";
  const std::string home = folder_in("HOME");
  return home.empty() ? "" : home + "/.local/state/kiln";
}

std::string random_name() {
  std::random_device random;
  std::string name;
  for (int word = 0; word < 2; ++word) name += fmt::format("{:08x}", random());
  return name;
}

std::string kept_token(const std::string& address, int port) {
  const std::string folder = folder_of_tokens();
  if (folder.empty()) return random_name() + random_name();
  const std::string path = fmt::format("{}/view-{}-{}.token", folder, address, port);
  std::string token = read_token(path);
  if (!token.empty()) return token;
  token = random_name() + random_name();
  std::error_code none;
  std::filesystem::create_directories(folder, none);
  keep_token(path, token);
  return token;
}

}  // namespace kiln::cli
