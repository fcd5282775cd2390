// SPDX-License-Identifier: MIT
#include "tests/conformance/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

extern char** environ;

namespace conformance {
namespace {

namespace fs = std::filesystem;

// Our environment with the variables of the same name replaced.
std::vector<std::string> merged_environment(const std::vector<std::string>& variables) {
  std::vector<std::string> merged = variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('=') + 1);
    bool replaced = false;
    for (const std::string& variable : variables) replaced |= variable.starts_with(name);
    if (!replaced) merged.push_back(text);
  }
  return merged;
}

std::vector<char*> as_pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Ended run_program(const std::vector<std::string>& command,
                  const std::vector<std::string>& variables, const std::string& log_path,
                  double limit_seconds) {
  const std::vector<std::string> environment = merged_environment(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0644);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  Ended ended;
  const int error = posix_spawnp(&child, command[0].c_str(), &actions, nullptr,
                                 as_pointers(command).data(), as_pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    ended.status = 127;
    ended.output = command[0] + ": cannot be started";
    return ended;
  }

  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(limit_seconds);
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() > deadline) {
      ended.timed_out = true;
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);

  std::ifstream log(log_path, std::ios::binary);
  ended.output.assign(std::istreambuf_iterator<char>(log), {});
  if (ended.timed_out) ended.output += "\n(time limit)";
  fs::remove(log_path);
  return ended;
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return access(name.c_str(), X_OK) == 0 ? fs::absolute(name).string() : "";
  }
  const char* path = std::getenv("PATH");
  std::string rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    const std::string candidate = rest.substr(0, colon) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return "";
}

}  // namespace conformance
