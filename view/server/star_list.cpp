// SPDX-License-Identifier: MIT
#include "view/server/star_list.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/input_file.h"
#include "view/server/flame_folder.h"
#include "view/server/kept_token.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_list_of_stars_bytes = 8 << 20;

}  // namespace

StarList::StarList() : path_(state_folder().empty() ? "" : state_folder() + "/stars") { read(); }

int StarList::of(const std::string& file, int place) const {
  if (file.empty() || all_.empty()) return 0;
  const auto found = all_.find({canonical_path(file), place});
  return found == all_.end() ? 0 : found->second;
}

void StarList::set(const std::vector<Mark>& marks) {
  read();  // another program may have given some since
  for (const Mark& mark : marks) {
    const std::pair key(canonical_path(mark.file), mark.place);
    if (key.first.find('\n') != std::string::npos) continue;
    if (mark.stars > 0)
      all_[key] = std::min(mark.stars, most);
    else
      all_.erase(key);
  }
  if (all_.size() > most_lines)
    fail(ErrorKind::output, "stars of {} flames are kept; these go with this run", most_lines);
  write();
}

/// Reads them; what cannot be read is not there.
void StarList::read() {
  if (path_.empty()) return;
  std::string text;
  try {
    text = InputFile(path_, InputFile::Opens::regular_files).read_all(most_list_of_stars_bytes);
  } catch (const Error&) {
    return;
  }
  all_.clear();
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    int stars = 0, place = 0;
    std::string file;
    if (words >> stars >> place && std::getline(words >> std::ws, file) && stars >= 1 &&
        stars <= most && place >= 0 && all_.size() < most_lines)
      all_[{file, place}] = stars;
  }
}

void StarList::write() const {
  if (path_.empty())
    fail(ErrorKind::output, "stars go with this run: there is no folder for them (HOME)");
  std::error_code error;
  fs::create_directories(fs::path(path_).parent_path(), error);
  std::string text;
  for (const auto& [key, stars] : all_)
    text += fmt::format("{} {} {}\n", stars, key.second, key.first);
  AtomicFile file(path_);
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace kiln::cli
