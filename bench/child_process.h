// SPDX-License-Identifier: MIT
// Programs under measurement: run one, wait for it, and know what it took.
#pragma once

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

extern char** environ;

namespace kiln::bench {

/// What a finished program took.
struct Cost {
  double cpu_s = 0;  // user mode
  double wall_s = 0;
  std::uint64_t peak_bytes = 0;
};

inline Cost run(const std::vector<std::string>& command, const std::vector<std::string>& variables,
                const std::string& output) {
  std::vector<char*> arguments, environment;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  for (char** variable = environ; *variable; ++variable) environment.push_back(*variable);
  for (const std::string& variable : variables)
    environment.push_back(const_cast<char*>(variable.c_str()));
  environment.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&files);
  if (error) throw std::runtime_error(command[0] + ": " + std::strerror(error));
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || status != 0)
    throw std::runtime_error(fmt::format("{} ended with status {}", command[0], status));
  const double wall_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) * 1e-6; };
  return {seconds(usage.ru_utime), wall_s, std::uint64_t(usage.ru_maxrss) * 1024};
}

/// A number of an answer of kiln's in JSON, which is in the file.
inline double number_in(const std::string& file, const std::string& key) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  const std::string json = text.str(), name = "\"" + key + "\":";
  const std::size_t at = json.find(name);
  if (at == std::string::npos) throw std::runtime_error("kiln --json has no " + key);
  return std::strtod(json.c_str() + at + name.size(), nullptr);
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

}  // namespace kiln::bench
