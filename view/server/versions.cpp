// SPDX-License-Identifier: MIT
#include "view/server/versions.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/input_file.h"
#include "engine/io/file/output_name.h"
#include "view/server/flame_folder.h"
#include "view/server/kept_token.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto step_rest = std::chrono::milliseconds(400);   // a drag is not written step by step
constexpr auto steps_again_after = std::chrono::seconds(5);  // a disk that is full may be emptied
constexpr auto sweep_after = std::chrono::hours(12);
constexpr auto young = std::chrono::hours(24);  // of a folder that another run may be filling
constexpr std::size_t most_waiting_bytes = 64 << 20, most_document_bytes = 24 << 20,
                      most_steps_known = 500, most_stem = 40, most_compared = 200, most_edits = 50;
constexpr int most_depth = 32;
constexpr std::string_view ending_of_step = ".flam3";

std::string folder_of_versions() {
  const std::string state = state_folder();
  return state.empty() ? "" : state + "/versions";
}

bool is_like(std::string_view text, std::string_view form) {
  return text.size() == form.size() &&
         std::equal(text.begin(), text.end(), form.begin(),
                    [](char c, char f) { return f == '0' ? c >= '0' && c <= '9' : c == f; });
}
bool is_day(std::string_view text) { return is_like(text, "0000-00-00"); }
bool is_clock(std::string_view text) { return is_like(text, "00-00-00.000"); }
/// "2026-11-29/14-32-05.120".
bool is_time(std::string_view text) {
  return text.size() > 11 && is_day(text.substr(0, 10)) && text[10] == '/' &&
         is_clock(text.substr(11));
}

/// The time of a version, which its id ends in; empty: it is no id.
std::string time_of(const std::string& id) {
  const std::size_t slash = id.find('/');
  if (slash == 0 || slash == std::string::npos) return "";
  const std::string time = id.substr(slash + 1);
  return is_time(time) && safe_file_name(id.substr(0, slash)) == id.substr(0, slash) ? time : "";
}

/// The time by the clock on the wall where kiln runs.
std::string clock_text(const char* form, std::time_t seconds) {
  static std::mutex mutex;  // of what localtime() gives
  const std::lock_guard lock(mutex);
  char text[32];
  return {text, std::strftime(text, sizeof text, form, std::localtime(&seconds))};
}
std::string day_of(std::time_t seconds) { return clock_text("%Y-%m-%d", seconds); }

/// Eight digits by which a folder is found, whatever its flame is called.
std::string mark_of(const std::string& key) { return bytes_hash(key).substr(0, 8); }

std::string key_of_file(const std::string& file, int place) {
  return canonical_path(file) + "\n" + std::to_string(place);
}

/// The folders in one, in no order.
std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code none;
  for (fs::directory_iterator entry(folder, none), end; !none && entry != end;
       entry.increment(none))
    if (std::error_code no; entry->is_directory(no) && !entry->is_symlink(no))
      found.push_back(entry->path());
  return found;
}

/// The times of the versions of a day, "2026-11-29/14-32-05.120".
std::vector<std::string> times_in(const fs::path& day) {
  std::vector<std::string> found;
  std::error_code none;
  for (fs::directory_iterator entry(day, none), end; !none && entry != end; entry.increment(none)) {
    const std::string name = entry->path().filename().string();
    if (name.ends_with(ending_of_step) &&
        is_clock(name.substr(0, name.size() - ending_of_step.size())))
      found.push_back(day.filename().string() + "/" +
                      name.substr(0, name.size() - ending_of_step.size()));
  }
  return found;
}

constexpr const char* readme =
    "Versions of flames and films that `kiln view` has edited: a folder of each flame, a folder of "
    "each\n"
    "day in it, a file of each step, which every program for flames opens. names.txt has those "
    "that were\n"
    "kept. What is older than a year goes by itself, but for those; all of it may be removed.\n";

}  // namespace

Versions::Versions(std::string run, Limits limits, std::function<void()> told)
    : run_(std::move(run)),
      root_(folder_of_versions()),
      limits_(limits),
      told_(std::move(told)),
      thread_([this] { this->run(); }) {}

Versions::~Versions() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

// ---- which folder ----

void Versions::open(int index, std::uint64_t step, std::string document, const std::string& file,
                    int place) {
  Open& open = open_[index] = {};
  open.file = file.empty() ? "" : canonical_path(file);
  open.key = file.empty() ? run_ + "/" + std::to_string(index) : key_of_file(file, place);
  open.text = open.base = std::move(document);
  open.opened_step = open.step = step;
}

/// The folder of a flame; it is made where something is put in it.
std::string Versions::history_of(Open& open, const std::string& name) {
  if (!open.history.empty()) return open.history;
  const std::string mark = "-" + mark_of(open.key);
  for (const fs::path& folder : folders_in(root_))
    if (folder.filename().string().ends_with(mark))
      return open.history = folder.filename().string();
  if (name.empty() && open.file.empty()) return "";  // it may get a name yet
  const std::string stem = open.file.empty() ? name : fs::path(open.file).stem().string();
  return open.history = safe_file_name(printable(stem, most_stem) + mark);
}

void Versions::resume(int index, const std::string& edits, const std::string& source) {
  Open& open = open_.at(index);
  // what it was read from is a file of another run, which goes
  open.file = source.empty() ? "" : canonical_path(source);
  std::string of_edits;
  std::vector<std::string> of_file;
  for (const fs::path& folder : folders_in(root_)) {
    const std::string history = folder.filename().string();
    const About told = about(history);
    if (std::count(told.edits.begin(), told.edits.end(), edits)) of_edits = history;
    if (!open.file.empty() && told.file == open.file) of_file.push_back(history);
  }
  if (!of_edits.empty())
    open.history = of_edits;
  else if (of_file.size() == 1)  // else nobody knows which flame of the file it was
    open.history = of_file[0];
}

void Versions::branch(int index, const std::string& id) {
  const std::string time = time_of(id);
  if (time.empty()) return;
  Open& open = open_.at(index);
  const std::string parent = id.substr(0, id.find('/'));
  const std::string history = open.history =
      parent.substr(0, parent.rfind('-')) + "-" + mark_of(open.key);
  set_about(history, {"", {run_ + "/" + std::to_string(index)}, {{parent, time}}});
  open.has_begun = true;  // what it was opened as is there already
  open.ids[open.opened_step] = id;
  open.base.clear();
}

void Versions::saved(int index, const std::string& file) {
  const auto found = open_.find(index);
  if (found == open_.end()) return;
  Open& open = found->second;
  const std::string key = key_of_file(file, 0);
  if (key == open.key) return;
  const std::string before = history_of(open);
  std::vector<Version> all = list(index);
  Open now = open;
  now.key = key;
  now.file = canonical_path(file);
  now.history.clear();
  const std::string history = history_of(now);
  if (!all.empty() && history != before) {
    About told = about(history);
    told.file = now.file;
    told.edited_as(run_ + "/" + std::to_string(index));
    std::erase_if(told.from, [&](const auto& one) { return one.first == before; });
    told.from.emplace_back(before, time_of(all.back().id));
    set_about(history, told);
  }
  open = std::move(now);
}

void Versions::About::edited_as(const std::string& one) {
  std::erase(edits, one);
  edits.push_back(one);
  if (edits.size() > most_edits) edits.erase(edits.begin());
}

Versions::About Versions::about(const std::string& history) const {
  const nlohmann::json json =
      nlohmann::json::parse(text_of(root_ + "/" + history + "/about.json"), nullptr, false);
  About about;
  if (!json.is_object()) return about;
  if (const auto file = json.find("file"); file != json.end() && file->is_string())
    about.file = file->get<std::string>();
  if (const auto edits = json.find("edits"); edits != json.end() && edits->is_array())
    for (const auto& one : *edits)
      if (one.is_string()) about.edits.push_back(one.get<std::string>());
  const auto from = json.find("from");
  if (from == json.end() || !from->is_array()) return about;
  for (const auto& one : *from) {
    if (!one.is_string()) continue;
    const std::string id = one.get<std::string>();
    if (const std::string time = time_of(id); !time.empty())
      about.from.emplace_back(id.substr(0, id.find('/')), time);
  }
  return about;
}

void Versions::set_about(const std::string& history, const About& about) {
  JsonArray edits, from;
  for (const std::string& one : about.edits) edits.add_json(json_string(one));
  for (const auto& [folder, until] : about.from) from.add_json(json_string(folder + "/" + until));
  JsonObject text;
  if (!about.file.empty()) text.add("file", about.file);
  text.add_json("edits", edits.text()).add_json("from", from.text());
  put(root_ + "/" + history + "/about.json", text.text() + "\n");
}

// ---- what they are ----

/// A time that no version of this run has.
std::string Versions::fresh_id(const std::string& history) {
  using namespace std::chrono;
  const std::int64_t now =
      duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
  last_ms_ = std::max(now, last_ms_ + 1);
  const std::time_t seconds = last_ms_ / 1000;
  return fmt::format("{}/{}.{:03}", history, clock_text("%Y-%m-%d/%H-%M-%S", seconds),
                     last_ms_ % 1000);
}

/// Before its first step: as it was opened, unless one of its newest versions is that.
void Versions::begin(int index, Open& open, const std::string& name) {
  if (std::exchange(open.has_begun, true)) return;
  const std::string history = history_of(open, name.empty() ? "flame" : name);
  About told = about(history);
  told.file = open.file;
  told.edited_as(run_ + "/" + std::to_string(index));
  set_about(history, told);
  const std::vector<Version> all = list(index);
  std::string id;
  for (std::size_t i = all.size(); i-- > 0 && all.size() - i <= most_compared && id.empty();)
    if (text_of(path_of(all[i].id)) == open.base) id = all[i].id;
  if (id.empty() && open.base.size() <= most_document_bytes) {
    id = fresh_id(history);
    put(path_of(id), open.base);
  }
  if (!id.empty()) open.ids[open.opened_step] = id;
  open.base.clear();
}

/// Whether a flame that was just opened has come to its newest version: a page has given it back.
bool Versions::goes_on(int index, Open& open, std::uint64_t step, const std::string& text) {
  if (open.has_begun) return false;
  const std::vector<Version> all = list(index);
  // one that cannot be read is another
  if (all.empty() || text_of(path_of(all.back().id)) != text) return false;
  open.has_begun = true;
  open.ids[step] = all.back().id;
  open.step = step;
  open.text = text;
  return true;
}

bool Versions::note(int index, std::uint64_t step, const std::string& document,
                    const std::string& name) {
  const auto found = open_.find(index);
  if (root_.empty() || found == open_.end()) return false;
  Open& open = found->second;
  const bool is_other = step != open.step;
  if (document.size() > most_document_bytes) {  // nobody could read it
    if (!std::exchange(open.was_too_large, true))
      say("kiln: versions of more than {} MB are not kept\n", most_document_bytes >> 20);
    open.step = step;
    return is_other;
  }
  const auto known = open.ids.find(step);
  const bool is_known = known != open.ids.end() || (!open.has_begun && step == open.opened_step);
  if (!is_known && goes_on(index, open, step, document)) return true;
  if (!is_known) {
    begin(index, open, name);
    open.own_step = step;
    open.has_own = true;
    open.ids[step] = fresh_id(open.history);
    if (open.ids.size() > most_steps_known) open.ids.erase(open.ids.begin());
  }
  open.step = step;
  if (is_known && document == open.text) return is_other;
  open.text = document;
  // of a step that goes on, a drag say; what an earlier run or step has written stays
  if (open.has_own && open.own_step == step) put(path_of(open.ids[step]), document);
  return is_other || !is_known;
}

std::string Versions::now_or_begin(int index, const std::string& name) {
  const auto found = open_.find(index);
  if (found != open_.end() && !root_.empty()) begin(index, found->second, name);
  return now(index);
}

void Versions::went(int index, std::uint64_t step, const std::string& id) {
  const auto found = open_.find(index);
  if (found == open_.end()) return;
  Open& open = found->second;
  if (open.has_own && open.own_step == step) return;  // it is where it began
  open.ids[step] = id;
  open.has_own = false;
}

std::string Versions::now(int index) const {
  const auto open = open_.find(index);
  if (open == open_.end()) return "";
  const auto found = open->second.ids.find(open->second.step);
  return found == open->second.ids.end() ? "" : found->second;
}

std::string Versions::folder(int index) {
  const auto open = open_.find(index);
  if (root_.empty() || open == open_.end()) return root_;
  const std::string history = history_of(open->second);
  return history.empty() ? root_ : root_ + "/" + history;
}

/// Adds those of a folder up to a time, and of what it came from.
void Versions::collect(const std::string& history, const std::string& until, int depth,
                       std::set<std::string>& seen, std::vector<Version>& all) const {
  if (history.empty() || depth > most_depth || !seen.insert(history).second) return;
  const std::map<std::string, std::string> names = names_of(history);
  std::set<std::string> times;
  for (const fs::path& day : folders_in(fs::path(root_) / history)) {
    if (!is_day(day.filename().string())) continue;
    for (const std::string& time : times_in(day)) times.insert(time);
  }
  {
    const std::lock_guard lock(mutex_);
    const std::string begin = root_ + "/" + history + "/";
    for (auto one = waiting_.lower_bound(begin);
         one != waiting_.end() && one->first.starts_with(begin); ++one) {
      const std::string time =
          one->first.substr(begin.size(), std::size("2026-11-29/14-32-05.120") - 1);
      if (is_time(time)) times.insert(time);
    }
  }
  for (const std::string& time : times) {
    if (!until.empty() && time > until) break;
    const auto name = names.find(time);
    all.push_back({history + "/" + time, name == names.end() ? "" : name->second});
  }
  for (const auto& [parent, last] : about(history).from)
    collect(parent, until.empty() ? last : std::min(last, until), depth + 1, seen, all);
}

std::vector<Versions::Version> Versions::list(int index) {
  std::vector<Version> all;
  const auto open = open_.find(index);
  if (root_.empty() || open == open_.end()) return all;
  std::set<std::string> seen;
  collect(history_of(open->second), "", 0, seen, all);
  std::sort(all.begin(), all.end(),
            [](const Version& a, const Version& b) { return time_of(a.id) < time_of(b.id); });
  if (all.size() > most_listed) all.erase(all.begin(), all.end() - std::ptrdiff_t(most_listed));
  return all;
}

std::string Versions::document(const std::string& id) const {
  const std::string text =
      time_of(id).empty() || root_.empty() ? std::string() : text_of(path_of(id));
  if (text.empty())
    fail(ErrorKind::usage, "there is no version {} any more", printable_whole(id.substr(0, 200)));
  return text;
}

// ---- names ----

std::map<std::string, std::string> Versions::names_of(const std::string& history) const {
  std::map<std::string, std::string> names;
  std::istringstream lines(text_of(root_ + "/" + history + "/names.txt"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = line.find(' ');
    if (blank != std::string::npos && is_time(line.substr(0, blank)))
      names[line.substr(0, blank)] = line.substr(blank + 1);
  }
  return names;
}

void Versions::name(const std::string& id, const std::string& name) {
  document(id);  // it is there
  if (name.size() > most_name_bytes)
    fail(ErrorKind::usage, "version: a name of more than {} bytes", most_name_bytes);
  const std::string history = id.substr(0, id.find('/'));
  std::map<std::string, std::string> names = names_of(history);
  std::string line = name;
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return std::iscntrl(c); }, ' ');
  if (line.empty())
    names.erase(time_of(id));
  else
    names[time_of(id)] = line;
  std::string text;
  for (const auto& [time, says] : names) text += time + " " + says + "\n";
  put(root_ + "/" + history + "/names.txt", std::move(text));
}

std::string Versions::named_with(int index, const std::string& document) {
  for (const Version& version : list(index))
    if (!version.name.empty() && text_of(path_of(version.id)) == document) return version.id;
  return "";
}

// ---- files ----

std::string Versions::path_of(const std::string& id) const {
  return root_ + "/" + id + std::string(ending_of_step);
}

/// The text of a version, also of one that waits to be written.
std::string Versions::text_of(const std::string& path) const {
  {
    const std::lock_guard lock(mutex_);
    const auto found = waiting_.find(path);
    if (found != waiting_.end()) return found->second;
  }
  try {
    return InputFile(path, InputFile::Opens::regular_files).read_all(most_document_bytes);
  } catch (const Error&) {  // there is none
    return "";
  }
}

void Versions::put(const std::string& path, std::string text) {
  if (root_.empty()) return;
  const std::lock_guard lock(mutex_);
  std::string& place = waiting_[path];
  waiting_bytes_ += text.size();
  waiting_bytes_ -= std::exchange(place, std::move(text)).size();
  is_new_ = true;
  wake_.notify_all();
}

std::string Versions::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

void Versions::run() {
  auto swept = std::chrono::steady_clock::now();
  sweep();
  std::unique_lock lock(mutex_);
  for (bool is_last = false; !is_last;) {
    const auto has_work = [&] { return ending_ || is_new_; };
    if (waiting_.empty())
      wake_.wait(lock, has_work);
    else
      wake_.wait_for(lock, steps_again_after, has_work);
    wake_.wait_for(lock, step_rest, [&] { return ending_; });
    is_last = ending_;
    is_new_ = false;
    const std::map<std::string, std::string> texts = waiting_;
    lock.unlock();
    const std::string trouble = write_all(texts);
    if (std::chrono::steady_clock::now() - swept > sweep_after) {
      sweep();
      swept = std::chrono::steady_clock::now();
    }
    lock.lock();
    while (waiting_bytes_ > most_waiting_bytes && !waiting_.empty()) {  // memory is no disk
      waiting_bytes_ -= waiting_.begin()->second.size();
      waiting_.erase(waiting_.begin());
    }
    if (trouble == trouble_) continue;
    trouble_ = trouble;
    lock.unlock();
    if (!trouble.empty()) say("kiln: versions wait until they can be kept: {}\n", trouble);
    told_();
    lock.lock();
  }
}

/// Writes them: they wait no more. Returns why some cannot be written.
std::string Versions::write_all(const std::map<std::string, std::string>& texts) {
  std::string trouble;
  for (const auto& [path, text] : texts) {
    try {
      const fs::path folder = fs::path(path).parent_path();
      std::error_code error, none;
      const bool is_first = !fs::exists(root_, none);
      fs::create_directories(folder, error);
      if (error)
        fail(ErrorKind::output, "{}: the folder cannot be made: {}", folder.string(),
             error.message());
      if (is_first) {
        fs::permissions(root_, fs::perms::owner_all, none);
        AtomicFile about(root_ + "/README.txt");
        about.write(readme, std::char_traits<char>::length(readme));
        about.commit();
      }
      AtomicFile file(path);
      file.write(text.data(), text.size());
      file.commit();
    } catch (const std::exception& error) {
      trouble = error.what();
      continue;
    }
    const std::lock_guard lock(mutex_);
    const auto found = waiting_.find(path);
    if (found == waiting_.end() || found->second != text) continue;  // there is a newer one
    waiting_bytes_ -= text.size();
    waiting_.erase(found);
  }
  return trouble;
}

/// Removes what is too old, and the oldest of what is too much; names stay, and what has them.
void Versions::sweep() const {
  if (root_.empty()) return;
  struct Day {
    std::string day;
    fs::path folder;
    std::set<std::string> kept;
    std::uint64_t bytes = 0;
  };
  std::vector<Day> days;
  std::uint64_t bytes = 0;
  std::error_code none;
  for (const fs::path& history : folders_in(root_)) {
    const auto names = names_of(history.filename().string());
    for (const fs::path& folder : folders_in(history)) {
      Day day{folder.filename().string(), folder, {}};
      if (!is_day(day.day)) continue;
      for (const std::string& time : times_in(folder)) {
        const std::uintmax_t size =
            fs::file_size(history / (time + std::string(ending_of_step)), none);
        if (names.contains(time)) day.kept.insert(time.substr(11) + std::string(ending_of_step));
        if (!none) day.bytes += size;
      }
      bytes += day.bytes;
      days.push_back(std::move(day));
    }
  }
  std::sort(days.begin(), days.end(), [](const Day& a, const Day& b) { return a.day < b.day; });
  const std::time_t now = std::time(nullptr);
  const std::string oldest = day_of(now - std::time_t(limits_.days) * 24 * 3600),
                    today = day_of(now);
  for (const Day& day : days) {
    const bool is_old = day.day<oldest, is_much = bytes> limits_.bytes && day.day < today;
    if (!is_old && !is_much) break;
    for (const std::string& time : times_in(day.folder)) {
      const std::string file = time.substr(11) + std::string(ending_of_step);
      if (!day.kept.contains(file)) fs::remove(day.folder / file, none);
    }
    bytes -= day.bytes;
    fs::remove(day.folder, none);  // if nothing is left in it
  }
  const auto young_since = fs::file_time_type::clock::now() - young;
  for (const fs::path& history : folders_in(root_)) {
    std::set<std::string> seen;
    const auto changed = fs::last_write_time(history, none);
    // others that came from it find it gone, and begin with themselves
    if (!none && changed < young_since && !leads_to_days(history.filename().string(), seen))
      fs::remove_all(history, none);
  }
}

/// Whether it or what it came from has versions: a saved file or a copy may have those alone.
bool Versions::leads_to_days(const std::string& history, std::set<std::string>& seen) const {
  if (!seen.insert(history).second || seen.size() > most_compared) return false;
  for (const fs::path& folder : folders_in(fs::path(root_) / history))
    if (is_day(folder.filename().string())) return true;
  const About told = about(history);
  return std::any_of(told.from.begin(), told.from.end(),
                     [&](const auto& one) { return leads_to_days(one.first, seen); });
}

}  // namespace kiln::cli
