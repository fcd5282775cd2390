// SPDX-License-Identifier: MIT
// Where pictures go: checks of their names before the first one is rendered. What the command line says to
// read (files_of_command_line()) is no place for anything.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/flame.h"

namespace kiln::cli {

/// Whether `path` stands for a folder, into which pictures are put under their usual names.
bool is_folder(const std::string& path);

/// Whether a folder is named, by a / at the end, that is not there yet.
bool is_folder_to_make(const std::string& path);
/// Makes such a folder, with those above it. Throws Error (output).
void make_folder(const std::string& path);

/// The help of --quiet and --force, the same wherever something is written.
inline constexpr const char* quiet_help =
    "Of messages only errors; standard output has the names of files as ever";
inline constexpr const char* force_help =
    "Replace what else is kept: a file that holds a flame, a picture of another flame, a state "
    "that is "
    "further on or of another flame";

/// Throws Error (usage) where a name that `is_page` says is no page's has the ending of no picture either.
void check_is_picture_or_page(const std::string& path, bool is_page);

/// Files, each to be found again by any of its names: by one spelling of them all, and where a file has several
/// (hard links, capital letters) by its size, which is the same under each. So what is looked for is not held
/// against every file: of 1,000 flames and their 1,000 pictures that took half a minute.
class NamedFiles {
 public:
  /// The file with what is to be known of it; false: it is there already, by its path.
  bool add(const std::string& path, const std::string& what);
  void remove(const std::string& path);
  /// What is known of the file of this name; null: it is none of them.
  const std::string* find(const std::string& path) const;

 private:
  using BySize = std::multimap<std::uintmax_t, std::pair<std::string, std::string>>;
  std::optional<BySize::const_iterator> of_same_file(const std::string& path) const;

  std::map<std::string, std::string> by_path_;  // one spelling -> what
  BySize by_size_;                              // those that are there: -> path, what
};

/// Throws Error (usage) where flames may not be called so.
void check_flames_name(const std::string& path);

/// Names that are taken, whatever way they are spelled. Wrong usage is an Error of kind usage.
class OutputNames {
 public:
  /// `may_replace_flames`: with --force, or where whoever writes keeps all that exists.
  explicit OutputNames(bool may_replace_flames);

  /// `what` tells which picture it is ("flame 0 of a.flame"). Fails if another output has the name
  /// already, if a file that holds a flame has it, or one that is read; `remedy` says how to tell two
  /// outputs apart.
  void claim(const std::string& path, const std::string& what, const char* remedy);
  /// The same for a picture; fails also if its ending is that of anything else.
  void claim_picture(const std::string& path, const std::string& what, const char* remedy);
  /// Fails where a picture is there that carries another flame, perhaps the only copy: one of another
  /// name and with other xforms. `flame`: of the new picture; null: it has none.
  void keep_picture_of_another(const std::string& path, const std::string& what,
                               const Flame* flame) const;
  /// The same for a file of flames.
  void claim_flames(const std::string& path, const std::string& what);
  /// Who had the name before, if that was another; it is `what`'s from now on otherwise.
  std::optional<std::string> claimed_by_another(const std::string& path, const std::string& what);
  /// What is read here is gone on with, and may be replaced.
  void go_on_with(const std::string& input);
  /// Fails if a file that is read, beside those of the command line, would be replaced, whatever way it is
  /// named. Empty names and streams are none.
  void keep_input(const std::string& input) const;
  void keep_inputs(const std::vector<std::string>& inputs) const;

 private:
  const bool may_replace_flames_;
  NamedFiles kept_;     // that the command line says to read, and how it calls them
  NamedFiles claimed_;  // and who has the name
};

/// Throws Error of kind output unless the file can be made, with `no_clobber` also if it exists.
void check_output(const std::string& path, bool no_clobber);

}  // namespace kiln::cli
