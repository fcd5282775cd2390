#include "cli/stop_request.h"

#include <signal.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace kiln::cli {
namespace {

volatile sig_atomic_t listening = 0, wants_stop = 0, wants_save = 0;
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
  listening = 1;
}
StopRequests::~StopRequests() { listening = 0; }

bool StopRequests::stop() const { return wants_stop != 0; }

bool StopRequests::save() {
  const bool wanted = wants_save != 0;
  wants_save = 0;
  return wanted;
}

bool takes_signal(int signal) noexcept {
  if (!listening) return false;
  if (signal == SIGUSR1) {
    wants_save = 1;
    return true;
  }
  const bool stops = signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGXCPU;
  if (!stops || wants_stop) return false;
  wants_stop = 1;
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
