// SPDX-License-Identifier: MIT
#include "view/server/flame_folder.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "engine/base/error.h"
#include "engine/base/platform/file.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/input_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/picture/picture_format.h"
#include "engine/live/live_flame.h"
#include "view/server/kept_token.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_entries = 2000, most_recent = 12;
constexpr std::size_t most_recent_bytes = 64 << 10;

bool may_have_flames(const std::string& name) {
  static const std::vector<std::string> endings = {".flam3", ".flame", ".xml", ".kiln"};
  const std::string ending = ending_of(name);
  const PictureFormat* const format = format_with_ending(ending);
  return (format && format->has_texts) ||
         std::find(endings.begin(), endings.end(), ending) != endings.end();
}

ReaderOptions careful(const ReaderOptions& usual) {
  ReaderOptions reader = usual;
  reader.only_regular_files = true;
  reader.keep_bad = true;
  reader.max_input_bytes = most_opened_bytes;
  reader.max_flames = FlameShelf::most_flames;
  reader.warn = nullptr;
  return reader;
}

void add_flames(FlameFile file, const std::function<void(const std::string&)>& say,
                std::vector<Flame>& flames) {
  tell(
      file, [](int) { return true; }, Use::stills, say);
  for (const BadFlame& bad : file.bad) say(bad.message);
  if (file.flames.empty()) fail(file.bad.at(0).kind, "{}", file.bad.at(0).message);
  for (Flame& flame : file.flames) flames.push_back(std::move(flame));
}

std::string recent_list() {
  const std::string state = state_folder();
  return state.empty() ? "" : state + "/recent";
}

/// The text of a file in the state folder, which anybody may have put there; a pipe is not waited
/// for.
std::string recent_text() {
  try {
    return InputFile(recent_list(), InputFile::Opens::regular_files).read_all(most_recent_bytes);
  } catch (const Error&) {
    return "";
  }
}

/// Both without links in them.
bool is_below(const fs::path& folder, const fs::path& there) {
  return !folder.empty() &&
         std::mismatch(folder.begin(), folder.end(), there.begin(), there.end()).first ==
             folder.end();
}

}  // namespace

std::string path_below_here(const std::string& path) {
  std::error_code none;
  const fs::path here = real_path(".", none), there = real_path(here / path, none);
  if (none || !is_below(here, there) || fs::path(path).is_absolute() ||
      path.find('\0') != std::string::npos)
    fail(ErrorKind::usage, "{} is not below the folder that kiln was started in",
         printable_whole(path.substr(0, 200)));
  const fs::path way = there.lexically_relative(here);
  if (way.empty()) return ".";
  return way == "-" ? "./-" : way.string();  // which would be standard input
}

std::string folder_json(const std::string& path) {
  std::vector<fs::directory_entry> entries;
  std::error_code error, none;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool is_folder = entry->is_directory(none) && !entry->is_symlink(none);
    const bool leads_out =
        entry->is_symlink(none) && !is_below(real_path(".", none), real_path(entry->path(), none));
    const bool is_file = entry->is_regular_file(none) && may_have_flames(name) && !leads_out;
    if (!name.starts_with(".") && (is_folder || is_file)) entries.push_back(*entry);
  }
  if (error)
    fail(ErrorKind::input, "{}: the folder cannot be read: {}", printable_whole(path),
         error.message());
  std::sort(entries.begin(), entries.end());
  const bool is_cut = entries.size() > most_entries;
  if (is_cut) entries.resize(most_entries);
  JsonArray folders, files;
  for (const fs::directory_entry& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory(none))
      folders.add_json(json_string(name));
    else
      files.add_json(
          JsonObject().add("name", name).add("bytes", double(entry.file_size(none))).text());
  }
  return JsonObject()
      .add("type", "files")
      .add("folder", path == "." ? "" : path)
      .add_json("folders", folders.text())
      .add_json("files", files.text())
      .add("cut", is_cut)
      .text();
}

std::vector<Flame> flames_at(const std::string& path, const ReaderOptions& usual,
                             const std::function<void(const std::string&)>& say) {
  const ReaderOptions reader = careful(usual);
  std::vector<Flame> flames;
  if (!fs::is_directory(path)) {
    add_flames(read_flames(path, reader), say, flames);
    return flames;
  }
  std::error_code none;
  const fs::path base = real_path(fs::path(path).is_absolute() ? path : ".", none);
  for (const std::string& name : files_in(path, {".flam3", ".flame"})) {
    if (flames.size() > FlameShelf::most_flames) break;  // they are refused, however many follow
    const fs::path file = fs::path(path) / name;
    if (!is_below(base, real_path(file, none))) {
      say(printable_whole(name) + " is a link that leads elsewhere");
      continue;
    }
    try {
      add_flames(read_flames(file.string(), reader), say, flames);
    } catch (const Error& error) {
      say(error.what());
    }
  }
  if (flames.empty())
    fail(ErrorKind::input, "{}: no .flam3 or .flame file in it has a flame", printable_whole(path));
  return flames;
}

std::vector<Flame> flames_in(const std::string& bytes, const std::string& name,
                             const ReaderOptions& usual,
                             const std::function<void(const std::string&)>& say) {
  std::vector<Flame> flames;
  add_flames(parse_flames(bytes, printable_whole(name.substr(0, 100)), careful(usual)), say,
             flames);
  return flames;
}

std::string canonical_path(const std::string& path) {
  std::error_code none;
  const fs::path found = fs::canonical(path, none);
  return none ? path : found.string();
}

std::string path_of_source(const std::string& source) {
  std::error_code none;
  return fs::is_regular_file(source, none) ? fs::absolute(source, none).string() : "";
}

void check_own_folder(const std::string& folder) {
  std::error_code none;
  const fs::file_status there = fs::symlink_status(folder, none);
  if (fs::exists(there) && !fs::is_directory(there))
    fail(ErrorKind::output,
         "{} is a link, a file or a pipe, where a folder is wanted; take another name",
         printable_whole(folder));
}

bool is_filled(const std::string& folder) {
  std::error_code none;
  return fs::is_directory(folder, none) && !fs::is_empty(folder, none);
}

std::vector<std::string> recent_files() {
  std::vector<std::string> files;
  std::istringstream list(recent_text());
  for (std::string line; files.size() < most_recent && std::getline(list, line);)
    if (fs::path(line).is_absolute() && line.size() < 4096) files.push_back(line);
  return files;
}

void remember_file(const std::string& path) {
  std::error_code none;
  const std::string file = fs::canonical(path, none).string();
  if (none || recent_list().empty() || file.find('\n') != std::string::npos) return;
  std::vector<std::string> files = recent_files();
  std::erase(files, file);
  files.insert(files.begin(), file);
  std::string text;
  for (const std::string& one : files) text += one + "\n";
  fs::create_directories(state_folder(), none);
  const PrivateFile list(recent_list(), "", text);
  if (!list.path().empty()) fs::rename(list.path(), recent_list(), none);
}

std::string from_base64(const std::string& text) {
  static constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  const std::size_t end = std::min(text.find('='), text.size());
  for (const char c : std::string_view(text).substr(0, end)) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) fail(ErrorKind::usage, "\"bytes\" is base64");
    bits = bits << 6 | std::uint32_t(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += char(bits >> count & 0xff);
  }
  return bytes;
}

}  // namespace kiln::cli
