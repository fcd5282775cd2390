// SPDX-License-Identifier: MIT
#include "cli/options/flame_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/platform/file.h"
#include "engine/base/text.h"
#include "engine/io/file/input_file.h"
#include "engine/io/file/link_text.h"

namespace kiln::cli {
namespace {

constexpr std::size_t most_listed = 8;  // flames in a message

struct Listed {
  int index;
  std::string name;
};

/// All flames of the file in its order.
std::vector<Listed> listed(const FlameFile& file) {
  std::vector<Listed> all;
  for (const Flame& flame : file.flames) all.push_back({flame.index, flame.name});
  for (const BadFlame& flame : file.bad) all.push_back({flame.index, flame.name});
  std::sort(all.begin(), all.end(),
            [](const Listed& a, const Listed& b) { return a.index < b.index; });
  return all;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

struct IndexRange {
  int first, last;
};

/// "3" or "3-5".
std::optional<IndexRange> index_range(const std::string& text) {
  const char *const begin = text.data(), *const end = begin + text.size();
  IndexRange range{};
  const auto [middle, error] = std::from_chars(begin, end, range.first);
  if (error != std::errc() || text[0] == '-') return std::nullopt;
  range.last = range.first;
  if (middle == end) return range;
  if (*middle != '-' || middle + 1 == end || middle[1] == '-') return std::nullopt;
  const auto [stop, wrong] = std::from_chars(middle + 1, end, range.last);
  if (wrong != std::errc() || stop != end) return std::nullopt;
  return range;
}

/// Marks the flames that `holds` of; true if there are any.
template <class Holds>
bool mark(const std::vector<Listed>& all, std::vector<char>& chosen, Holds holds) {
  bool any = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!holds(all[i])) continue;
    chosen[i] = any = true;
  }
  return any;
}

/// A name on the command line has its blanks, one in a file is kept with _ in their place.
bool mark_name(const std::vector<Listed>& all, std::vector<char>& chosen,
               const std::string& wanted) {
  const std::string name = flame_name(wanted);
  return !name.empty() &&
         mark(all, chosen, [&](const Listed& flame) { return flame.name == name; });
}

bool mark_part(const std::vector<Listed>& all, std::vector<char>& chosen,
               const std::string& wanted) {
  if (wanted.empty()) return false;
  if (mark_name(all, chosen, wanted)) return true;
  if (const auto range = index_range(wanted))
    return mark(all, chosen, [&](const Listed& flame) {
      return flame.index >= range->first && flame.index <= range->last;
    });
  const std::string pattern = flame_name(wanted);
  return mark(all, chosen,
              [&](const Listed& flame) { return matches_pattern(flame.name, pattern); });
}

/// `a.flam3 has 3 flames: 0 "rose", 1, 2 "fern"`.
std::string inventory(const std::string& file, const std::vector<Listed>& all) {
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), most_listed); ++i) {
    const std::string name = printable(all[i].name);
    text += fmt::format("{} {}{}", i == 0 ? "" : ",", all[i].index,
                        name.empty() ? "" : " \"" + name + "\"");
  }
  if (all.size() > most_listed) text += ", ...";
  return fmt::format("{} has {} flame{}:{}", printable_whole(file), all.size(),
                     all.size() == 1 ? "" : "s", text);
}

}  // namespace

FlameSelection::FlameSelection(std::string wanted) : wanted_(std::move(wanted)) {
  for (const std::string& part : split_at_commas(wanted_)) parts_.push_back({part});
}

std::vector<int> FlameSelection::choose(const FlameFile& file) {
  const std::vector<Listed> all = listed(file);
  std::vector<char> chosen(all.size(), wanted_.empty());
  if (!wanted_.empty()) {
    if (there_.empty()) there_ = inventory(file.name, all);
    for (const Listed& flame : all) names_.push_back(flame.name);
    if (mark_name(all, chosen, wanted_)) {
      found_ = true;
    } else {
      for (Part& part : parts_)
        if (mark_part(all, chosen, part.text)) part.found = true;
    }
  }
  std::vector<int> indices;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (chosen[i]) indices.push_back(all[i].index);
  return indices;
}

void FlameSelection::check() const {
  if (wanted_.empty() || found_ || there_.empty()) return;
  for (const Part& part : parts_) {
    if (part.found) continue;
    fail(ErrorKind::usage, "--flame {}: {}; none is \"{}\"{}", printable(wanted_, 240), there_,
         printable(part.text), did_you_mean(flame_name(part.text), names_));
  }
}

namespace {

/// Keeps the chosen flames of the file that `read` gives.
template <class Read>
FlameFile chosen_of(Read read, ReaderOptions options, FlameSelection& selection, Use use) {
  const auto say = std::move(options.warn);
  options.warn = nullptr;
  options.keep_bad = true;
  FlameFile file = read(options);
  const std::vector<int> indices = selection.choose(file);
  const auto is_chosen = [&](int index) {
    return std::binary_search(indices.begin(), indices.end(), index);
  };
  if (say) tell(file, is_chosen, use, say);
  std::erase_if(file.flames, [&](const Flame& flame) { return !is_chosen(flame.index); });
  std::erase_if(file.bad, [&](const BadFlame& flame) { return !is_chosen(flame.index); });
  return file;
}

}  // namespace

FlameFile read_chosen(const std::string& input, ReaderOptions options, FlameSelection& selection,
                      Use use) {
  const auto read = [&](const ReaderOptions& all) { return read_flames(input, all); };
  return chosen_of(read, std::move(options), selection, use);
}

FlameFile read_chosen_text(const std::string& text, const std::string& name, ReaderOptions options,
                           FlameSelection& selection, Use use) {
  const auto read = [&](const ReaderOptions& all) { return parse_flames(text, name, all); };
  return chosen_of(read, std::move(options), selection, use);
}

std::vector<Flame> read_all_chosen(const std::vector<std::string>& inputs,
                                   const ReaderOptions& options, const std::string& wanted, Use use,
                                   const std::function<void(const FlameFile&)>& look) {
  FlameSelection selection(wanted);
  std::vector<Flame> flames;
  for (const std::string& input : inputs) {
    FlameFile chosen = read_chosen(input, options, selection, use);
    if (!chosen.bad.empty()) throw Error(chosen.bad[0].kind, chosen.bad[0].message);
    if (look) look(chosen);
    for (Flame& flame : chosen.flames) flames.push_back(std::move(flame));
  }
  selection.check();
  return flames;
}

namespace {

namespace fs = std::filesystem;

std::vector<std::string> flames_in(const std::string& folder) {
  std::vector<std::string> files = files_in(folder, {".flam3", ".flame"});
  if (files.empty()) {
    fail(ErrorKind::usage, "{}: the folder has no .flam3 or .flame file; name the files",
         printable_whole(folder));
  }
  for (std::string& file : files) file = (fs::path(folder) / file).string();
  return files;
}

}  // namespace

namespace {

/// The names in a folder that fit, capital letters or not.
std::vector<std::string> names_that_fit(const fs::path& folder, const std::string& pattern) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder.empty() ? fs::path(".") : folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with('.') &&
        matches_pattern(in_small_letters(name), in_small_letters(pattern)))
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::vector<std::string> expand_patterns(const std::vector<std::string>& inputs) {
  std::vector<std::string> files;
  for (const std::string& input : inputs) {
    const fs::path path(input);
    const std::string pattern = path.filename().string();
    std::error_code ignored;
    if (pattern.find_first_of("*?") == std::string::npos || is_link(input) ||
        fs::exists(path, ignored)) {
      files.push_back(input);
      continue;
    }
    const std::vector<std::string> names = names_that_fit(path.parent_path(), pattern);
    if (names.empty())
      fail(ErrorKind::usage, "{}: no file fits this pattern", printable_whole(input));
    for (const std::string& name : names) files.push_back((path.parent_path() / name).string());
  }
  return files;
}

std::vector<std::string> expand_inputs(const std::vector<std::string>& inputs) {
  if (std::count(inputs.begin(), inputs.end(), "-") > 1)
    fail(ErrorKind::usage, "\"-\" (standard input) can be read only once");
  std::vector<std::string> files;
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (input != "-" && fs::is_directory(input, ignored)) {
      const std::vector<std::string> found = flames_in(input);
      files.insert(files.end(), found.begin(), found.end());
    } else {
      files.push_back(input);
    }
  }
  return files;
}

}  // namespace kiln::cli
