#include "view/server/kept_edits.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "cli/console.h"
#include "engine/base/platform/file.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/input_file.h"
#include "engine/io/flame/genome_writer.h"
#include "view/server/kept_token.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_lost = 100;
constexpr const char* film_begin = "<flames>";         // a flame's text is <flame ...>
constexpr auto rest = std::chrono::milliseconds(400);  // a drag is not written step by step

std::string folder_of_runs() {
  const std::string state = state_folder();
  return state.empty() ? "" : state + "/edits";
}

/// The lock of a run's folder; -1: its run is alive, or there is none.
int lock_of(const std::string& folder, bool make) { return hold_file(folder + "/lock", make); }

/// With its lock, if no flame is left in it.
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
      struct stat status {};
      const std::string text =
          InputFile(path, InputFile::Opens::regular_files).read_all(reader.max_input_bytes);
      if (stat(path.c_str(), &status) != 0) continue;
      const auto film = text.starts_with(film_begin) ? live_film(text, reader) : nullptr;
      Flame flame = film ? film->keys[0] : parse_flames(text, path, reader).flames.at(0);
      std::string document = film ? film->text : genome_xml(flame);
      lost.push_back({path, std::move(flame), film, std::move(document), status.st_mtime});
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
    close(lock);
  }
  return lost;
}

KeptEdits::KeptEdits(const std::string& run)
    : folder_(folder_of_runs().empty() ? "" : folder_of_runs() + "/" + run),
      thread_([this] { this->run(); }) {}

KeptEdits::~KeptEdits() { finish(); }

void KeptEdits::keep(int index, std::string document) {
  const std::lock_guard lock(mutex_);
  waiting_[index] = std::move(document);
  wake_.notify_all();
}

void KeptEdits::forget(std::vector<Lost> lost) {
  const std::lock_guard lock(mutex_);
  std::move(lost.begin(), lost.end(), std::back_inserter(over_));
  wake_.notify_all();
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
  std::unique_lock lock(mutex_);
  while (!ending_ || !waiting_.empty() || !over_.empty()) {
    wake_.wait(lock, [&] { return ending_ || !waiting_.empty() || !over_.empty(); });
    wake_.wait_for(lock, rest, [&] { return ending_; });
    const std::map<int, std::string> edits = std::exchange(waiting_, {});
    const std::vector<Lost> over = std::exchange(over_, {});
    lock.unlock();
    for (const auto& [index, document] : edits) {
      try {
        write(index, document);
        unwritten_.erase(index);
      } catch (const std::exception& error) {
        unwritten_.insert(index);
        if (!std::exchange(failed_, true))
          say("kiln: edits cannot be kept until they are saved: {}\n", error.what());
      }
    }
    for (const Lost& lost : over) {
      if (!unwritten_.empty()) break;  // they may be what could not be written
      std::error_code none;
      fs::remove(lost.path, none);
      remove_if_empty(fs::path(lost.path).parent_path().string());
    }
    lock.lock();
  }
}

void KeptEdits::write(int index, const std::string& document) {
  if (folder_.empty()) return;
  const std::string path = fmt::format("{}/{}.flam3", folder_, index);
  if (document.empty()) {
    std::error_code none;
    fs::remove(path, none);
    return;
  }
  if (lock_ < 0) {
    fs::create_directories(folder_);
    fs::permissions(folder_, fs::perms::owner_all);
    lock_ = lock_of(folder_, true);
  }
  AtomicFile file(path);
  file.write(document.data(), document.size());
  file.commit();
}

}  // namespace kiln::cli
