// SPDX-License-Identifier: MIT
#include "view/server/formula_shelf.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/input_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/formula.h"
#include "view/server/kept_token.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* formula_ending = ".flame";
constexpr const char* about_formulas =
    "Formulas that were kept in `kiln view`, a file of each: it offers them for every flame. Each "
    "is a flame\n"
    "that every command reads: its <variation> is the formula, which may be changed here; the rest "
    "draws\n"
    "a grid with it. Files that are removed are offered no more.\n";

/// The formulas of a file. Throws Error.
std::vector<int> formulas_in(const std::string& path) {
  ReaderOptions options;
  options.approximate = true;  // whatever else the flame wants
  options.warn = [](const std::string&) {};
  const std::string text =
      InputFile(path, InputFile::Opens::regular_files).read_all(FormulaShelf::most_file_bytes);
  std::vector<int> found;
  for (const Flame& flame : parse_flames(text, path, options).flames)
    for (const int formula : formulas_of(flame)) found.push_back(formula);
  if (found.empty()) fail(ErrorKind::input, "{}: has no formula (<variation>)", path);
  return found;
}

const std::string& name_of_formula(int formula) { return formula_at(formula).text.name; }

}  // namespace

FormulaShelf::FormulaShelf()
    : folder_(state_folder().empty() ? "" : state_folder() + "/formulas") {}

std::vector<FormulaShelf::Mine> FormulaShelf::find(std::vector<std::string>& troubles) const {
  std::vector<Mine> found;
  if (folder_.empty()) return found;
  std::vector<std::string> files;
  std::error_code none;
  for (fs::directory_iterator entry(folder_, none), end; !none && entry != end;
       entry.increment(none))
    if (is_ending_of_flames(entry->path().extension().string()))
      files.push_back(entry->path().string());
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    try {
      for (const int formula : formulas_in(file)) {
        const auto is_it = [&](const Mine& one) {
          return name_of_formula(one.formula) == name_of_formula(formula);
        };
        if (const auto twice = std::find_if(found.begin(), found.end(), is_it);
            twice != found.end())
          fail(ErrorKind::input, "{}: {} is in {}, too, which counts", file,
               name_of_formula(formula), twice->file);
        if (found.size() >= most)
          fail(ErrorKind::input, "{}: more than {} formulas are kept; this one is left out", file,
               most);
        found.push_back({formula, file});
      }
    } catch (const Error& error) {
      troubles.push_back(error.what());
    }
  }
  std::sort(found.begin(), found.end(), [](const Mine& a, const Mine& b) {
    return name_of_formula(a.formula) < name_of_formula(b.formula);
  });
  return found;
}

bool FormulaShelf::put(int formula, bool replace) const {
  const std::string& name = name_of_formula(formula);
  if (folder_.empty())
    fail(ErrorKind::output, "formulas cannot be kept: there is no folder for them (HOME)");
  const std::string file_name = name + formula_ending;
  if (safe_file_name(file_name) != file_name)
    fail(ErrorKind::output, "{} is no name of a file everywhere; give the formula another one",
         file_name);
  std::string path = folder_ + "/" + file_name;
  std::vector<std::string> none_said;
  const std::vector<Mine> there = find(none_said);
  bool replaced = false;
  for (const Mine& one : there) {
    if (name_of_formula(one.formula) != name) continue;
    if (one.formula == formula) return true;
    if (!replace) return false;
    path = one.file;
    replaced = true;
  }
  const auto in_file = [&](const Mine& one) { return one.file == path; };
  if (std::count_if(there.begin(), there.end(), in_file) > 1)
    fail(ErrorKind::output, "{} has other formulas, too; change {} there", path, name);
  std::error_code error;
  if (!replace && fs::exists(fs::symlink_status(path, error))) return false;  // and unreadable
  if (there.size() >= most && !replaced)
    fail(ErrorKind::output, "{} formulas are kept; remove some from {} first", there.size(),
         folder_);
  const bool is_first = !fs::exists(folder_, error);
  fs::create_directories(folder_, error);
  if (error) fail(ErrorKind::output, "{}: the folder cannot be made: {}", folder_, error.message());
  const auto write = [](const std::string& to, const std::string& text) {
    AtomicFile file(to);
    file.write(text.data(), text.size());
    file.commit();
  };
  if (is_first) write(folder_ + "/README.txt", about_formulas);
  write(path, formula_scene(formula));
  return true;
}

void FormulaShelf::remove(std::string_view name) const {
  std::vector<std::string> none_said;
  const std::vector<Mine> there = find(none_said);
  const auto found = std::find_if(there.begin(), there.end(), [&](const Mine& one) {
    return name_of_formula(one.formula) == name;
  });
  if (found == there.end())
    fail(ErrorKind::usage, "formulas: {} is not among yours", printable(name));
  const auto in_file = [&](const Mine& one) { return one.file == found->file; };
  if (std::count_if(there.begin(), there.end(), in_file) > 1)
    fail(ErrorKind::usage, "{} has other formulas, too; remove {} there", found->file,
         printable(name));
  std::error_code error;
  fs::remove(found->file, error);
  if (error) fail(ErrorKind::output, "{}: cannot be removed: {}", found->file, error.message());
}

}  // namespace kiln::cli
