// SPDX-License-Identifier: MIT
#include "cli/options/flame_output.h"

#include <filesystem>
#include <set>

#include "cli/options/output_files.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/genome_writer.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

NameValues values_of(const FlameName& flame, int number) {
  const std::string stem = flame.source.empty() ? "flame" : input_stem(flame.source);
  return {stem, flame.name, flame.index, number};
}

bool have_names_of_their_own(const std::vector<FlameName>& flames) {
  std::set<std::string> names;
  for (const FlameName& flame : flames)
    if (flame.name.empty() || !names.insert(safe_file_name(flame.name)).second) return false;
  return true;
}

}  // namespace

void FlameOutput::add_to(Command& command) {
  command.group("Output");
  command.text("-o,--output", "OUT", path,
               "File of flames to write, or - (standard output); a folder (FOLDER/) or a template "
               "({name}, {index}, ####): a file for each flame");
  command.flag("--no-history", no_history, "Without <edit>, who was made of whom (flam3: noedits)");
  command.flag("--no-clobber", no_clobber, "Keep a file that exists and fail");
  command.flag("--force", force, force_help);
  command.flag("-q,--quiet", quiet, quiet_help);
  command.require("-o");
}

bool FlameOutput::is_split() const {
  if (is_folder(path)) return true;
  return path != "-" &&
         expand_template(path, {"a", "a", 1, 1}) != expand_template(path, {"b", "b", 2, 2});
}

void FlameOutput::check(const std::string& what, const std::vector<std::string>& inputs) {
  if (is_standard_output(path)) path.assign(1, '-');
  inputs_ = inputs;
  if (is_folder(path)) return;
  if (is_split()) {  // of files that are not known yet the ending is, and often the folder
    const std::string one = expand_template(path, {"flame", "flame", 0, 0});
    check_flames_name(one);
    check_output_path(one);
    return;
  }
  OutputNames names(force || no_clobber);
  names.claim_flames(path, what);
  names.keep_inputs(inputs);
  check_output(path, no_clobber);
}

std::vector<std::string> FlameOutput::names_for(const std::vector<FlameName>& flames) const {
  std::string pattern = path;
  if (is_folder(path)) {
    const char* usual = have_names_of_their_own(flames) ? "{name}.flam3" : "{stem}_{index}.flam3";
    pattern = (fs::path(path) / usual).string();
  }
  std::vector<std::string> paths;
  for (const FlameName& flame : flames)
    paths.push_back(expand_template(pattern, values_of(flame, int(paths.size()))));
  return paths;
}

void FlameOutput::check_names(const std::string& what, const std::vector<FlameName>& flames) const {
  if (!is_split()) return;
  const std::vector<std::string> paths = names_for(flames);
  OutputNames names(force || no_clobber);
  for (std::size_t f = 0; f < flames.size(); ++f) {
    names.claim_flames(paths[f], what + ", flame " + std::to_string(f));
    if (!is_folder_to_make(path)) check_output(paths[f], no_clobber);
  }
  names.keep_inputs(inputs_);
}

void FlameOutput::write(const std::string& what, std::vector<Flame> flames) const {
  if (no_history)
    for (Flame& flame : flames) flame.edits.clear();
  const auto existing = no_clobber ? AtomicFile::Existing::keep : AtomicFile::Existing::replace;
  if (!is_split()) {
    write_flames(path, flames, existing);
    if (path != "-") print("{}\n", path);
    return;
  }
  make_folder(path);
  std::vector<FlameName> called;
  for (const Flame& flame : flames) called.push_back({flame.name, flame.source, flame.index});
  check_names(what, called);
  const std::vector<std::string> paths = names_for(called);
  for (std::size_t f = 0; f < flames.size(); ++f) write_flames(paths[f], {flames[f]}, existing);
  for (const std::string& one : paths) print("{}\n", one);
}

}  // namespace kiln::cli
