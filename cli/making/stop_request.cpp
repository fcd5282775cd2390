// SPDX-License-Identifier: MIT
#include "cli/making/stop_request.h"

#include <semaphore.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <system_error>
#include <vector>

#include "engine/base/platform/signals.h"

namespace kiln::cli {
namespace {

volatile sig_atomic_t listening = 0, wants_stop = 0, wants_save = 0;
sem_t news;  // posted by the signal to stop, and when nobody listens any more
std::vector<std::string> words;

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::string_view("%+,-./:=@_").find(char(c)) != std::string_view::npos ||
           (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

}  // namespace

StopRequests::StopRequests() {
  wants_save = 0;
  sem_init(&news, 0, wants_stop ? 1 : 0);
  listening = 1;
  try {
    listener_ = std::thread([this] {
      while (sem_wait(&news) != 0 && errno == EINTR) continue;
      if (wants_stop) source_.request_stop();
    });
  } catch (const std::system_error&) {  // no thread is to be had: heard between launches alone
  }
}
StopRequests::~StopRequests() {
  listening = 0;
  sem_post(&news);
  if (listener_.joinable()) listener_.join();
}

int StopRequests::signal() const { return wants_stop; }

bool StopRequests::save() {
  const bool wanted = wants_save != 0;
  wants_save = 0;
  return wanted;
}

bool takes_signal(int signal) noexcept {
  if (!listening) return false;
  const Request request = request_of(signal);
  if (request == Request::save) {
    wants_save = 1;
    return true;
  }
  if (request != Request::stop || wants_stop) return false;
  wants_stop = signal;
  sem_post(&news);
  return true;
}

void remember_command_line(int argc, char** argv) { words.assign(argv, argv + argc); }

std::string command_to_resume() {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + quoted(word);
  const bool resumes = std::find(words.begin(), words.end(), "--resume") != words.end();
  return text + (resumes ? "" : " --resume");
}

}  // namespace kiln::cli
