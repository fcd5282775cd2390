// SPDX-License-Identifier: MIT
#include "view/server/kept_edits.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "cli/says/console.h"
#include "engine/base/platform/file.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/input_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/genome_writer.h"
#include "view/server/kept_token.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_lost = 100;
constexpr const char* film_begin = "<flames>";         // a flame's text is <flame ...>
constexpr auto rest = std::chrono::milliseconds(400);  // a drag is not written step by step
constexpr auto retry_after = std::chrono::seconds(5);  // a disk that is full may be emptied
constexpr std::size_t most_source_bytes = 4096;

std::string folder_of_runs() {
  const std::string state = state_folder();
  return state.empty() ? "" : state + "/edits";
}

/// The lock of a run's folder; -1: its run is alive, or there is none.
int lock_of(const std::string& folder, bool make) { return hold_file(folder + "/lock", make); }

/// The file beside that of a flame, with the name of the file that was edited: the flame's text
/// stays what a file of it would have.
std::string source_file(const std::string& path) {
  return fs::path(path).replace_extension(".from").string();
}

std::string source_of(const std::string& path) {
  try {
    return InputFile(source_file(path), InputFile::Opens::regular_files)
        .read_all(most_source_bytes);
  } catch (const Error&) {  // it was in none
    return "";
  }
}

/// An edit with what is beside it.
void remove_edit(const std::string& path) {
  std::error_code none;
  fs::remove(path, none);
  fs::remove(source_file(path), none);
}

/// Throws Error (output).
void make_edits_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) fs::permissions(folder, fs::perms::owner_all, error);
  if (error) fail(ErrorKind::output, "{}: the folder cannot be made: {}", folder, error.message());
}

/// Removes edits that were thrown away too long ago.
void sweep_thrown() {
  const auto oldest =
      fs::file_time_type::clock::now() - std::chrono::hours(24 * KeptEdits::days_of_thrown);
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(KeptEdits::folder_of_thrown(), none))
    if (entry.is_regular_file(none) && entry.last_write_time(none) < oldest)
      fs::remove(entry.path(), none);
}

/// Moves a file there under a name that says whose it is, as new as today.
void move_to_thrown(const KeptEdits::Lost& lost) {
  const std::string folder = KeptEdits::folder_of_thrown();
  make_edits_folder(folder);
  std::string name = lost.key();
  std::replace(name.begin(), name.end(), '/', '-');
  const std::string stem = lost.flame.name.empty() ? "flame" : safe_file_name(lost.flame.name);
  const fs::path there = fs::path(folder) / (stem + "-" + name + ".flam3");
  std::error_code error, none;
  fs::rename(lost.path, there, error);
  if (error) fail(ErrorKind::output, "{}: {}", there.string(), error.message());
  fs::last_write_time(there, fs::file_time_type::clock::now(), none);
  fs::remove(source_file(lost.path), none);
}

/// Removes the folder with its lock, if no flame is left in it.
void remove_if_empty(const std::string& folder) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().extension() == ".flam3") return;
  fs::remove(folder + "/lock", none);
  fs::remove(folder, none);
}

void read_run(const std::string& folder, const ReaderOptions& reader,
              std::vector<KeptEdits::Lost>& lost) {
  for (const std::string& name : files_in(folder, {".flam3"})) {
    if (lost.size() >= most_lost) return;
    try {
      const std::string path = (fs::path(folder) / fs::path(name).filename()).string();
      const std::string text =
          InputFile(path, InputFile::Opens::regular_files).read_all(reader.max_input_bytes);
      const std::optional<std::int64_t> written = changed_at(path);
      if (!written) continue;
      const auto film = text.starts_with(film_begin) ? live_film(text, reader) : nullptr;
      Flame flame = film ? film->keys[0] : parse_flames(text, path, reader).flames.at(0);
      std::string document = film ? film->text : genome_xml(flame);
      lost.push_back(
          {path, std::move(flame), film, std::move(document), *written, source_of(path)});
    } catch (const Error&) {  // stays where it is
    }
  }
}

}  // namespace

std::vector<KeptEdits::Lost> KeptEdits::find_lost(const ReaderOptions& usual) {
  ReaderOptions reader = usual;
  reader.only_regular_files = true;
  std::vector<Lost> lost;
  std::error_code none;
  for (const auto& run : fs::directory_iterator(folder_of_runs(), none)) {
    const int lock = lock_of(run.path().string(), false);
    if (lock < 0) continue;
    try {
      read_run(run.path().string(), reader, lost);
    } catch (const Error&) {
    }
    remove_if_empty(run.path().string());
    close_descriptor(lock);
  }
  return lost;
}

std::string KeptEdits::Lost::key() const {
  const fs::path file(path);
  return file.parent_path().filename().string() + "/" + file.stem().string();
}

std::string KeptEdits::folder_of_thrown() {
  const std::string state = state_folder();
  return state.empty() ? "" : state + "/thrown";
}

KeptEdits::KeptEdits(const std::string& run, std::function<void(const std::string&)> told)
    : folder_(folder_of_runs().empty() ? "" : folder_of_runs() + "/" + run),
      told_(std::move(told)),
      thread_([this] { this->run(); }) {}

KeptEdits::~KeptEdits() { finish(); }

void KeptEdits::keep(int index, std::string document, std::string source) {
  const std::lock_guard lock(mutex_);
  waiting_[index] = {std::move(document), std::move(source)};
  wake_.notify_all();
}

void KeptEdits::forget(std::vector<Lost> lost) {
  const std::lock_guard lock(mutex_);
  std::move(lost.begin(), lost.end(), std::back_inserter(over_));
  wake_.notify_all();
}

void KeptEdits::throw_away(std::vector<Lost> lost) {
  const std::lock_guard lock(mutex_);
  std::move(lost.begin(), lost.end(), std::back_inserter(thrown_));
  wake_.notify_all();
}

std::string KeptEdits::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

std::string KeptEdits::finish() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (lock_ < 0) return "";
  remove_if_empty(folder_);
  std::error_code none;
  return fs::exists(folder_, none) ? folder_ : "";
}

void KeptEdits::run() {
  sweep_thrown();
  std::unique_lock lock(mutex_);
  for (bool is_last = false; !is_last;) {
    const auto has_work = [&] {
      return ending_ || !waiting_.empty() || !over_.empty() || !thrown_.empty();
    };
    if (unwritten_.empty())
      wake_.wait(lock, has_work);
    else
      wake_.wait_for(lock, retry_after, has_work);
    wake_.wait_for(lock, rest, [&] { return ending_; });
    is_last = ending_;
    std::map<int, Edit> edits = std::exchange(waiting_, {});
    const std::vector<Lost> over = std::exchange(over_, {});
    const std::vector<Lost> thrown = std::exchange(thrown_, {});
    lock.unlock();
    std::string trouble = write_all(std::move(edits));
    for (const Lost& lost : over) {
      if (!unwritten_.empty()) break;  // they may be what could not be written
      remove_edit(lost.path);
      remove_if_empty(fs::path(lost.path).parent_path().string());
    }
    for (const Lost& lost : thrown) {
      try {
        move_to_thrown(lost);
        remove_if_empty(fs::path(lost.path).parent_path().string());
      } catch (const std::exception& error) {  // stays where it is
        say("kiln: edits cannot be thrown away: {}\n", error.what());
      }
    }
    lock.lock();
    if (trouble == trouble_) continue;
    trouble_ = trouble;
    lock.unlock();
    if (!trouble.empty()) say("kiln: edits cannot be kept until they are saved: {}\n", trouble);
    told_(trouble);
    lock.lock();
  }
}

/// Writes edits, and older ones that failed before where no newer are. Returns why some cannot be.
std::string KeptEdits::write_all(std::map<int, Edit> edits) {
  edits.merge(std::exchange(unwritten_, {}));
  std::string trouble;
  for (const auto& [index, edit] : edits) {
    try {
      write(index, edit);
    } catch (const std::exception& error) {
      unwritten_[index] = edit;
      trouble = error.what();
    }
  }
  return trouble;
}

void KeptEdits::write(int index, const Edit& edit) {
  const std::string path = fmt::format("{}/{}.flam3", folder_, index);
  if (edit.document.empty()) {
    if (!folder_.empty()) remove_edit(path);
    return;
  }
  if (folder_.empty()) fail(ErrorKind::output, "there is no folder to keep them in (HOME)");
  if (lock_ < 0) {
    make_edits_folder(folder_);
    lock_ = lock_of(folder_, true);
  }
  const auto put = [](const std::string& name, const std::string& text) {
    AtomicFile file(name);
    file.write(text.data(), text.size());
    file.commit();
  };
  put(path, edit.document);
  if (edit.source.empty() || edit.source.size() > most_source_bytes) return;
  std::error_code none;
  if (!fs::exists(source_file(path), none)) put(source_file(path), edit.source);
}

}  // namespace kiln::cli
