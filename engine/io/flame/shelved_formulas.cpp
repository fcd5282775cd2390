// SPDX-License-Identifier: MIT
#include "engine/io/flame/shelved_formulas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "engine/base/platform/user_files.h"
#include "engine/base/sha256.h"
#include "engine/io/file/output_name.h"

namespace kiln {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 4096;  // of a folder

/// Formulas that were found: their digests say what they are, whatever becomes of the files.
struct FoundFormulas {
  std::mutex mutex;
  std::map<std::string, FormulaText> by_digest;

  std::optional<FormulaText> find(const std::string& digest) {
    const std::lock_guard lock(mutex);
    const auto found = by_digest.find(digest);
    return found == by_digest.end() ? std::nullopt : std::optional(found->second);
  }
  void keep(const std::string& digest, const FormulaText& text) {
    const std::lock_guard lock(mutex);
    by_digest.emplace(digest, text);
  }
};
FoundFormulas& found_formulas() {
  static FoundFormulas found;
  return found;
}

std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code none;
  for (fs::directory_iterator entry(folder, none), end;
       !none && entry != end && files.size() < most_files; entry.increment(none))
    if (is_ending_of_flames(entry->path().extension().string()))
      files.push_back(entry->path().string());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::string formula_digest(const FormulaText& text) {
  Sha256 digest;
  const auto add = [&](std::string_view said) {
    digest.add(said.data(), said.size());
    digest.add("", 1);
  };
  for (std::size_t i = 0; i < std::size(FormulaText::parts); ++i) {
    add(FormulaText::part_names[i]);
    add(text.*FormulaText::parts[i]);
  }
  for (const FormulaParameter& one : text.parameters) {
    add(one.name);
    add(fmt::format("{} {} {}", one.usual, one.low, one.high));
  }
  return digest.hex().substr(0, formula_digest_digits);
}

std::vector<std::string> formula_folders(std::string_view file) {
#if defined(_WIN32)
  constexpr char between = ';';
#else
  constexpr char between = ':';
#endif
  std::vector<std::string> folders;
  const char* const said = std::getenv("KILN_FORMULAS");
  for (std::string_view rest = said ? said : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find(between), rest.size());
    if (end > 0) folders.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  folders.push_back((fs::path(file).parent_path() / "formulas").string());
  if (const std::string state = user_folder(UserFolder::state); !state.empty())
    folders.push_back(state + "/kiln/formulas");
  return folders;
}

std::vector<std::string> formula_files(const std::vector<std::string>& folders) {
  std::vector<std::string> all;
  for (const std::string& folder : folders)
    for (std::string& file : files_of(folder)) all.push_back(std::move(file));
  return all;
}

std::optional<FormulaText> found_formula(const std::string& digest) {
  return found_formulas().find(digest);
}
void keep_found_formula(const std::string& digest, const FormulaText& text) {
  found_formulas().keep(digest, text);
}

}  // namespace kiln
