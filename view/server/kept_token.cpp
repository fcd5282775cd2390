// SPDX-License-Identifier: MIT
#include "view/server/kept_token.h"

#include <fmt/format.h>

#include <filesystem>
#include <random>
#include <system_error>

#include "engine/base/platform/temporary_file.h"
#include "engine/base/platform/user_files.h"

namespace kiln::cli {
namespace {

constexpr std::size_t token_digits = 32;

/// Ends with the session of the user where the desk has such a folder; empty: there is none.
std::string folder_of_tokens() {
  const std::string run = user_folder(UserFolder::session);
  return run.empty() ? state_folder() : run + "/kiln";
}

/// The file's token, if nobody else can have read it or put it there; else empty.
std::string read_token(const std::string& path) {
  const std::string token = read_private(path, token_digits);
  const bool is_token = token.size() == token_digits &&
                        token.find_first_not_of("0123456789abcdef") == std::string::npos;
  return is_token ? token : "";
}

/// Replaces the file by this token; where that fails the next program has another one.
void keep_token(const std::string& path, const std::string& token) {
  const PrivateFile file(path, "", token);
  if (file.path().empty()) return;
  std::error_code none;
  std::filesystem::rename(file.path(), path, none);
}

}  // namespace

std::string state_folder() {
  const std::string state = user_folder(UserFolder::state);
  return state.empty() ? state : state + "/kiln";
}

std::string random_name() {
  std::random_device random;
  std::string name;
  for (int word = 0; word < 2; ++word) name += fmt::format("{:08x}", random());
  return name;
}

std::string kept_token(const std::string& address, int port, const std::string& of) {
  const std::string folder = folder_of_tokens();
  if (folder.empty()) return random_name() + random_name();
  const std::string path = fmt::format("{}/{}-{}-{}.token", folder, of, address, port);
  std::string token = read_token(path);
  if (!token.empty()) return token;
  token = random_name() + random_name();
  std::error_code none;
  std::filesystem::create_directories(folder, none);
  keep_token(path, token);
  return token;
}

}  // namespace kiln::cli
