#include "cli/job_list.h"

#include <cerrno>
#include <nlohmann/json.hpp>
#include <system_error>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace kiln::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_line_bytes = std::size_t{1} << 20;
constexpr int most_depth =
    64;  // of lists in lists: what copies or writes JSON calls itself so often

/// A value as the command line has it.
std::string word_of(const std::string& key, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  fail(ErrorKind::usage, "\"{}\": a value is a text, a number, true, false or a list of these",
       printable_whole(key));
}

void add_option(const std::string& key, const Json& value, std::vector<std::string>& words) {
  if (value.is_array()) {
    for (const Json& one : value) add_option(key, one, words);
  } else if (value.is_boolean()) {
    if (value.get<bool>()) words.push_back("--" + key);
  } else {
    words.push_back("--" + key + "=" + word_of(key, value));
  }
}

/// An input, never taken for an option.
void add_input(const Json& value, std::vector<std::string>& words) {
  const std::string name = word_of("in", value);
  if (name == "-") fail(ErrorKind::usage, "\"in\": a job reads files, not standard input");
  words.push_back(name.starts_with('-') ? "./" + name : name);
}

std::vector<std::string> words_of(const Json& job) {
  std::vector<std::string> words;
  for (const auto& [key, value] : job.items()) {
    if (key == "id") continue;
    if (key == "jobs" || key == "watch") fail(ErrorKind::usage, "a job has no \"{}\"", key);
    if (key != "in") {
      add_option(key, value, words);
    } else if (value.is_array()) {
      for (const Json& one : value) add_input(one, words);
    } else {
      add_input(value, words);
    }
  }
  for (const std::string& word : words) {
    // the system would see a shorter name than the answer shows
    if (const std::size_t nul = word.find('\0'); nul != std::string::npos)
      fail(ErrorKind::usage, "{}: a NUL character follows; leave it out",
           printable_whole(word.substr(0, nul)));
  }
  return words;
}

Json parse_job(const std::string& line) {
  if (line.size() > most_line_bytes) fail(ErrorKind::input, "a job of more than 1 MiB");
  const auto check_depth = [](int depth, Json::parse_event_t, const Json&) {
    if (depth > most_depth)
      fail(ErrorKind::input, "a job with more than {} lists in each other", most_depth);
    return true;
  };
  Json job = Json::parse(line, check_depth, false);
  if (!job.is_object())
    fail(ErrorKind::input, "not a JSON object, such as {{\"in\":\"rose.flame\",\"quality\":50}}");
  return job;
}

}  // namespace

JobList::JobList(const std::string& path)
    : name_(path == "-" ? "standard input" : path),
      file_(path == "-" ? nullptr : std::fopen(path.c_str(), "rb"),
            [](std::FILE* f) { return std::fclose(f); }),
      source_(path == "-" ? stdin : file_.get()) {
  if (!source_)
    fail(ErrorKind::input, "{}: cannot be opened: {}", printable_whole(path),
         std::generic_category().message(errno));
}

bool JobList::next(std::string& line) {
  line.clear();
  ++number_;
  int c;
  while ((c = getc_unlocked(source_)) != EOF && c != '\n') {
    if (c == 0)
      fail(ErrorKind::input, "{}:{}: a NUL byte; this is no list of jobs", printable_whole(name_),
           number_);
    if (line.size() <= most_line_bytes) line.push_back(static_cast<char>(c));
  }
  if (c == EOF && std::ferror(source_))
    fail(ErrorKind::input, "{}: cannot be read: {}", printable_whole(name_),
         std::generic_category().message(errno));
  return c != EOF || !line.empty();
}

std::vector<std::string> words_of_job(const std::string& line, std::string& id) {
  const Json job = parse_job(line);
  if (job.contains("id")) id = job["id"].dump(-1, ' ', false, Json::error_handler_t::replace);
  return words_of(job);
}

}  // namespace kiln::cli
