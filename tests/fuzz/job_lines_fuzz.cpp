// SPDX-License-Identifier: MIT
// A list of jobs as kiln render --jobs reads it, and the words of the command line that its lines
// mean; what reads those is fed by the target of command lines.
#include <nlohmann/json.hpp>

#include "cli/making/render_jobs.h"
#include "engine/base/text.h"
#include "tests/fuzz/fuzz.h"

using namespace kiln;

namespace {

/// What `body` is refused with; empty if it is not.
template <class Body>
std::string refusal(Body body) {
  std::string why;
  fuzz::answered([&] {
    try {
      body();
    } catch (const Error& error) {
      why = error.what();
      throw;
    }
  });
  fuzz::expect(printable_whole(why) == why, "a message can be shown", why);
  return why;
}

/// A job is an object, its options are keys of it, and so are its inputs.
void check_words(const std::vector<std::string>& words, const std::string& line) {
  const nlohmann::json job = nlohmann::json::parse(line, nullptr, false);
  fuzz::expect(job.is_object(), "a job is an object", line);
  for (const std::string& word : words) {
    fuzz::expect(word != "-" && word.find('\0') == word.npos, "a word is a whole one", word);
    bool is_of_job = !word.starts_with('-') && (job.contains("in") || job.contains("genome"));
    for (const auto& [key, value] : job.items()) is_of_job |= word.starts_with("--" + key);
    fuzz::expect(is_of_job, "a word is one of the job's", word);
  }
}

void check_line(const std::string& line) {
  std::string id = "null";
  std::vector<std::string> words;
  cli::JobMail mail;
  const std::string why = refusal([&] { words = cli::words_of_job(line, id, mail); });
  fuzz::expect(nlohmann::json::accept(id), "what the answer calls the job is JSON", id);
  if (why.empty()) check_words(words, line);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::MemoryFile file;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  file.hold(bytes);
  cli::JobList list(file.path());
  std::string read, line;
  const std::string why = refusal([&] {
    while (list.next(line)) {
      read += line + '\n';
      check_line(line);
    }
  });
  const std::string whole = std::string(bytes) + (bytes.ends_with('\n') || size == 0 ? "" : "\n");
  const std::size_t nul = whole.find('\0');
  fuzz::expect(read == whole.substr(0, nul == whole.npos ? nul : whole.rfind('\n', nul) + 1),
               "its lines are the list");
  const std::string place = file.path() + ':' + std::to_string(list.number()) + ": ";
  fuzz::expect(nul == whole.npos ? why.empty() : why.starts_with(place), "a NUL has its line", why);
  return 0;
}
