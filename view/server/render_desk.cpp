// SPDX-License-Identifier: MIT
#include "view/server/render_desk.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <system_error>

#include "engine/base/error.h"
#include "engine/base/platform/process.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "view/server/flame_folder.h"

namespace kiln::cli {
namespace {

constexpr int niceness = 15;            // the live picture comes first
constexpr double between_news_s = 0.2;  // of how far a render is

/// Starts this program with the words.
std::unique_ptr<Child> start(const std::vector<std::string>& words) {
  ChildProgram program;
  program.command = words;
  program.command.insert(program.command.begin(), own_program());
  program.is_helper = false;
  program.niceness = niceness;
  try {
    return std::make_unique<Child>(program);
  } catch (const std::system_error& error) {
    fail(ErrorKind::device, "a render cannot start: {}", error.code().message());
  }
}

bool next_line(std::FILE* file, std::string& line) {
  line.clear();
  int c;
  while ((c = std::getc(file)) != EOF && c != '\n') line.push_back(char(c));
  return c != EOF || !line.empty();
}

bool is_among(const char* word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

const char* word_of(int state) {
  return std::array{"waiting", "running", "done", "failed", "cancelled"}[std::size_t(state)];
}

}  // namespace

RenderDesk::RenderDesk(std::vector<std::string> words, std::function<void()> changed)
    : words_(std::move(words)), changed_(std::move(changed)), thread_([this] { run(); }) {}

RenderDesk::~RenderDesk() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    if (child_) child_->ask_to_end();
  }
  wake_.notify_all();
  thread_.join();
}

int RenderDesk::add(const std::string& name, std::string xml, std::vector<std::string> words,
                    Command command, std::shared_ptr<const PrivateFile> sound, std::string folder) {
  const auto job = std::make_shared<Job>();
  job->name = name;
  job->xml = std::move(xml);
  job->words = std::move(words);
  job->command = command;
  job->sound = std::move(sound);
  job->folder = std::move(folder);
  const std::lock_guard lock(mutex_);
  return add(job);
}

/// Adds a job at the end and returns its id. The caller holds the mutex.
int RenderDesk::add(std::shared_ptr<Job> job) {
  if (waiting() >= most_waiting)
    fail(ErrorKind::usage, "{} renders are waiting already", waiting());
  job->id = ++last_id_;
  jobs_.push_back(std::move(job));
  forget_oldest();
  wake_.notify_all();
  return last_id_;
}

/// The caller holds the mutex.
int RenderDesk::waiting() const {
  return int(std::count_if(jobs_.begin(), jobs_.end(),
                           [](const auto& one) { return one->state == State::waiting; }));
}

void RenderDesk::need_room(std::size_t count) const {
  const std::lock_guard lock(mutex_);
  const auto room = std::size_t(std::max(0, most_waiting - waiting()));
  if (count > room)
    fail(ErrorKind::usage,
         "{} renders are more than can wait: {} of {} are waiting, so {} fit; choose that many",
         count, waiting(), most_waiting, room);
}

void RenderDesk::again(int id) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(jobs_.begin(), jobs_.end(), [&](const auto& job) { return job->id == id; });
  if (found == jobs_.end() || (*found)->state < State::failed) return;
  const std::shared_ptr<Job> before = *found;
  const auto job = std::make_shared<Job>(*before);
  job->state = State::waiting;
  job->done = 0;
  job->remaining_s = -1;
  job->error.clear();
  if (job->has_begun && !job->folder.empty() && !is_among("--resume", job->words))
    std::erase(job->words, "--no-clobber");  // the frames that are there are its own
  add(job);
  std::erase(jobs_, before);
}

/// Drops the oldest of many jobs that are over. The caller holds the mutex.
void RenderDesk::forget_oldest() {
  const auto is_over = [](const auto& job) { return job->state > State::running; };
  for (auto over = std::count_if(jobs_.begin(), jobs_.end(), is_over); over > most_over; --over)
    jobs_.erase(std::find_if(jobs_.begin(), jobs_.end(), is_over));
}

bool RenderDesk::has_filled(const std::string& folder, const std::string& xml,
                            const std::vector<std::string>& words) const {
  const auto alike = [](std::vector<std::string> all) {
    std::erase_if(all,
                  [](const auto& word) { return word == "--force" || word == "--no-clobber"; });
    return all;
  };
  const std::lock_guard lock(mutex_);
  return std::any_of(jobs_.begin(), jobs_.end(), [&](const auto& job) {
    return (job->has_begun || job->state == State::done) && job->folder == folder &&
           job->xml == xml && alike(job->words) == alike(words);
  });
}

void RenderDesk::cancel(int id) {
  const std::lock_guard lock(mutex_);
  for (const auto& job : jobs_) {
    if (job->id != id) continue;
    if (job->state == State::running && child_) child_->ask_to_end();
    if (job->state <= State::running) job->state = State::cancelled;
  }
}

void RenderDesk::clear() {
  const std::lock_guard lock(mutex_);
  std::erase_if(jobs_, [](const auto& job) { return job->state > State::running; });
}

std::string RenderDesk::text() const {
  const std::lock_guard lock(mutex_);
  JsonArray jobs;
  for (const auto& job : jobs_) {
    JsonObject one;
    one.add("id", job->id).add("name", job->name).add("state", word_of(int(job->state)));
    one.add("done", job->done);
    if (job->command == Command::animate) one.add("film", true);
    if (is_among("--resume", job->words)) one.add("resumes", true);
    if (!is_among("--video", job->words) && !job->folder.empty()) one.add("folder", job->folder);
    if (job->remaining_s >= 0) one.add("remaining_s", job->remaining_s);
    if (!job->error.empty()) one.add("error", job->error);
    jobs.add_json(one.text());
  }
  return JsonObject().add("type", "renders").add_json("jobs", jobs.text()).text();
}

std::string RenderDesk::made(int id) const {
  const std::lock_guard lock(mutex_);
  for (const auto& job : jobs_)
    if (job->id == id && job->state == State::done) return job->name;
  return "";
}

std::string RenderDesk::failure(int id) const {
  const std::lock_guard lock(mutex_);
  for (const auto& job : jobs_)
    if (job->id == id && job->state <= State::done)
      return "";
    else if (job->id == id && !job->error.empty())
      return job->error;
  return "it was cancelled";
}

void RenderDesk::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto next = std::find_if(jobs_.begin(), jobs_.end(),
                                   [](const auto& job) { return job->state == State::waiting; });
    if (ending_) return;
    if (next == jobs_.end()) {
      wake_.wait(lock);
      continue;
    }
    const std::shared_ptr<Job> job = *next;
    job->state = State::running;
    lock.unlock();
    changed_();
    std::string error;
    try {
      render(*job);
    } catch (const std::exception& problem) {
      error = problem.what();
    }
    lock.lock();
    if (!error.empty()) job->error = error;
    if (job->state == State::running)
      job->state = job->error.empty() && job->done == 1 ? State::done : State::failed;
    lock.unlock();
    changed_();
    lock.lock();
  }
}

/// Renders a job: returns when its program has ended.
void RenderDesk::render(Job& job) {
  if (!job.folder.empty()) check_own_folder(job.folder);
  std::error_code none;
  const PrivateFile flame(
      (std::filesystem::temp_directory_path(none) / "kiln-view-render").string(), ".flam3",
      job.xml);
  if (flame.path().empty()) fail(ErrorKind::output, "no file for the flame can be made");
  std::vector<std::string> words = {std::array{"render", "animate", "sheet"}[int(job.command)],
                                    flame.path()};
  words.insert(words.end(), job.command == Command::sheet
                                ? std::initializer_list<std::string>{"--quiet"}
                                : std::initializer_list<std::string>{"--progress", "json"});
  if (job.command != Command::animate) words.insert(words.end(), {"-o", job.name});
  words.insert(words.end(), words_.begin(), words_.end());
  words.insert(words.end(), job.words.begin(), job.words.end());
  int said = -1;
  {
    const std::lock_guard lock(mutex_);
    if (ending_ || job.state != State::running) return;
    child_ = start(words);
    said = child_->take_errors();
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> lines(fdopen(said, "r"), std::fclose);
  KILN_CHECK(lines, "a pipe is no stream: {}", std::strerror(errno));
  Clock::time_point told_at{};
  for (std::string line; next_line(lines.get(), line);) {
    hear(job, line);
    if (seconds_since(told_at) < between_news_s) continue;
    told_at = Clock::now();
    changed_();
  }
  std::unique_ptr<Child> child;
  {
    const std::lock_guard lock(mutex_);
    std::swap(child, child_);
  }
  const bool is_well = child->wait()->is_well();
  const std::lock_guard lock(mutex_);
  if (is_well && job.state == State::running)
    job.done = 1;
  else if (job.error.empty())
    job.error = job.last_words.empty() ? "the render ended early" : job.last_words;
}

/// Reads a line of the program's report (docs/reference/cli.md, "Progress").
void RenderDesk::hear(Job& job, const std::string& line) {
  const nlohmann::json event = nlohmann::json::parse(line, nullptr, false);
  const std::lock_guard lock(mutex_);
  if (!event.is_object() && !line.empty()) job.last_words = line;
  if (!event.is_object() || !event.contains("event")) return;
  if (event["event"] == "error") job.error = event.value("message", "");
  if (event["event"] != "progress") return;
  job.has_begun = true;
  const std::string all = job.command == Command::animate ? "all_" : "";
  job.done = event.value(all + "done", event.value("done", 0.0));
  job.remaining_s = event.value(all + "remaining_s", -1.0);
}

}  // namespace kiln::cli
