// SPDX-License-Identifier: MIT
// Jobs of `kiln render --jobs` (render_jobs.h): lines of JSON that become command lines, each with its answer.
#include "cli/making/render_queue.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "cli/report/compare_report.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/platform/file.h"
#include "engine/base/platform/folder_watch.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/picture/picture_format.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

// ---- jobs ----

/// The picture of a job that has it in its answer, as JSON; nothing where none was made, or where it is only said what
/// it would cost.
std::string picture_in_answer(const JobMail& mail) {
  if (mail.picture.empty()) return "";
  const PictureFormat* const format = format_beginning(mail.picture);
  const char* const type = format ? format->media_type : nullptr;
  return fmt::format("\"media_type\":{},\"picture\":\"{}\",",
                     json_string(type ? type : "application/octet-stream"), base64(mail.picture));
}

/// The answer to one line: the result with the job's id (null without one) and the line's number.
Outcome answer_job(const std::string& line, int number, const std::vector<std::string>& usual,
                   RenderWords& render, QueueMemory& memory) {
  std::string id = "null";
  Outcome outcome;
  JobMail mail;
  memory.mail = &mail;
  try {
    std::vector<std::string> words = usual;
    const std::vector<std::string> own = words_of_job(line, id, mail);
    words.insert(words.end(), own.begin(), own.end());
    outcome = render(words, true, memory);
  } catch (const Error& error) {
    outcome.failures.push_back({fmt::format("line {}", number), error.kind, error.what()});
  }
  memory.mail = nullptr;
  print("{{\"id\":{},\"line\":{},{}{}\n", id, number, picture_in_answer(mail),
        outcome.result_json().substr(1));
  std::fflush(stdout);
  return outcome;
}

// ---- folders ----

bool is_flame_file(const fs::path& path) {
  std::error_code ignored;
  return (path.extension() == ".flam3" || path.extension() == ".flame") &&
         fs::is_regular_file(path, ignored);
}

void add_all(const std::string& folder, std::set<std::string>& files) {
  for (const std::string& name : files_in(folder, {".flam3", ".flame"}))
    files.insert((fs::path(folder) / name).string());
}

std::unique_ptr<FolderWatch> watch_of(const std::string& folder) {
  try {
    return std::make_unique<FolderWatch>(folder);
  } catch (const std::system_error& error) {
    fail(ErrorKind::input, "{}: cannot be watched: {}", printable_whole(folder),
         error.code().message());
  }
}

/// Adds the flame files that came or changed; waits for the first if `files` is empty.
void add_news(FolderWatch& watch, const std::string& folder, std::set<std::string>& files) {
  do {
    const FolderWatch::News news = watch.news(files.empty());
    if (news.is_gone) fail(ErrorKind::input, "{}: the folder is gone", printable_whole(folder));
    if (news.is_lost) add_all(folder, files);
    for (const std::string& name : news.names) {
      const fs::path path = fs::path(folder) / name;
      if (is_flame_file(path)) files.insert(path.string());
    }
  } while (files.empty());
}

int render_jobs(const std::string& file, const std::vector<std::string>& usual,
                RenderWords& render) {
  JobList lines(file);
  QueueMemory memory;
  memory.list = file;
  Outcome all;
  for (std::string line; lines.next(line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const Outcome one = answer_job(line, lines.number(), usual, render, memory);
    all.done += one.done;
    all.failures.insert(all.failures.end(), one.failures.begin(), one.failures.end());
    all.stopped = one.stopped;
    if (all.stopped) break;
  }
  return all.exit_code();
}

int watch_folder(const std::string& folder, const std::vector<std::string>& usual, bool as_json,
                 RenderWords& render) {
  const std::unique_ptr<FolderWatch> watch = watch_of(folder);
  QueueMemory memory;
  memory.watches = true;
  std::set<std::string> files;
  add_all(folder, files);
  for (;;) {
    add_news(*watch, folder, files);
    const std::string file = *files.begin();
    files.erase(files.begin());
    std::vector<std::string> words = usual;
    words.push_back(file);
    const Outcome outcome = render(words, as_json, memory);
    if (as_json) print("{}\n", outcome.result_json());
    std::fflush(stdout);
    if (outcome.stopped) return outcome.exit_code();
  }
}

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

/// A flame as text, or several.
void add_genome(const Json& value, JobMail& mail) {
  if (value.is_array()) {
    for (const Json& one : value) add_genome(one, mail);
    return;
  }
  if (!value.is_string())
    fail(ErrorKind::usage, "\"genome\": is a flame as text: \"<flame ...>...</flame>\"");
  mail.genomes.push_back(value.get<std::string>());
}

/// "output": "-" is the answer.
bool is_answer(const std::string& key, const Json& value) {
  return (key == "output" || key == "o") && value.is_string() &&
         is_standard_output(value.get<std::string>());
}

void add_answer(const std::string& name, std::vector<std::string>& words, JobMail& mail) {
  const std::string kind = stream_kind(name);
  check_picture_name(kind.empty() ? "png:-" : name);
  mail.wants_picture = true;
  words.push_back("--output=" + (kind.empty() ? "-" : name));
}

std::vector<std::string> words_of(const Json& job, JobMail& mail) {
  std::vector<std::string> words;
  for (const auto& [key, value] : job.items()) {
    if (key == "id") continue;
    if (key == "genome") {
      add_genome(value, mail);
      continue;
    }
    if (is_answer(key, value)) {
      add_answer(value.get<std::string>(), words, mail);
      continue;
    }
    if (key == "jobs" || key == "watch") fail(ErrorKind::usage, "a job has no \"{}\"", key);
    if (key != "in") {
      add_option(key, value, words);
    } else if (value.is_array()) {
      for (const Json& one : value) add_input(one, words);
    } else {
      add_input(value, words);
    }
  }
  const bool is_kept =
      job.contains("checkpoint") || job.contains("shard") || job.contains("resume");
  if (mail.wants_picture && is_kept && !job.contains("state"))
    fail(ErrorKind::usage,
         "\"output\": \"-\": a job that is stopped and goes on keeps a state; name it, "
         "\"state\": \"FILE.kiln\"");
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

void RenderQueue::add_to(Command& command) {
  command.text(
      "--jobs", "FILE", jobs,
      "Render a list of jobs, one JSON object a line ({\"in\":\"rose.flame\",\"output\":"
      "\"rose.png\"}, or {\"genome\":\"<flame ...\",\"output\":\"-\"} with the picture in the "
      "answer), - for standard input; each is answered by one");
  command.text(
      "--watch", "DIR", watched,
      "Render the flames of a folder, and those that come into it or change, until Ctrl-C");
  command.reads("--jobs");
  command.exclude("--jobs", "--watch");
}

int run_render_queue(const RenderQueue& queue, const std::vector<std::string>& inputs,
                     const Command& command, bool as_json, RenderWords& render) {
  if (!inputs.empty()) {
    fail(ErrorKind::usage, "{} says what is rendered; leave out {}",
         queue.jobs.empty() ? "--watch" : "--jobs", printable_whole(inputs.front()));
  }
  const std::vector<std::string> usual = command.given_options({"--jobs", "--watch", "--json"});
  if (queue.jobs.empty()) return watch_folder(queue.watched, usual, as_json, render);
  return render_jobs(queue.jobs, usual, render);
}

JobList::JobList(const std::string& path)
    : name_(path == "-" ? "standard input" : path),
      file_(path == "-" ? nullptr : open_to_read(path),
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
  while ((c = std::getc(source_)) != EOF && c != '\n') {
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

std::vector<std::string> words_of_job(const std::string& line, std::string& id, JobMail& mail) {
  const Json job = parse_job(line);
  if (job.contains("id")) id = job["id"].dump(-1, ' ', false, Json::error_handler_t::replace);
  return words_of(job, mail);
}

}  // namespace kiln::cli
