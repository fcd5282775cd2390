// SPDX-License-Identifier: MIT
#include "cli/options/output_files.h"

#include <algorithm>
#include <filesystem>

#include "cli/options/command.h"
#include "engine/base/error.h"
#include "engine/base/platform/file.h"
#include "engine/base/platform/terminal.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/input_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_format.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

/// One spelling for all ways to write the same path, as far as it exists.
std::string identity(const std::string& given) {
  const std::string path = behind_links(given);
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);  // an error in a folder that was removed
  const fs::path folder = error ? fs::path() : fs::weakly_canonical(whole.parent_path(), error);
  return ((error ? fs::path(path).parent_path() : folder) / fs::path(path).filename()).string();
}

/// Of a file that is there; nothing else has one.
std::optional<std::uintmax_t> size_of(const std::string& path) {
  std::error_code none;
  const std::uintmax_t size = fs::file_size(path, none);
  return none ? std::nullopt : std::optional(size);
}

/// The name of a file that is read; empty for streams and for none.
std::string name_of_input(const std::string& given) {
  if (given == "-") return "/dev/stdin";
  return named_descriptor(given) >= 0 ? "" : given;
}

[[noreturn]] void refuse_to_replace(const std::string& input, const std::string& what) {
  fail(ErrorKind::usage, "{} is read and would be replaced ({}); give the output another name",
       printable_whole(input == "-" ? "standard input" : input), printable_whole(what));
}

}  // namespace

bool NamedFiles::add(const std::string& path, const std::string& what) {
  if (!by_path_.emplace(identity(path), what).second) return false;
  if (const auto size = size_of(path)) by_size_.emplace(*size, std::pair(path, what));
  return true;
}

void NamedFiles::remove(const std::string& path) {
  by_path_.erase(identity(path));
  while (const auto same = of_same_file(path)) by_size_.erase(*same);
}

const std::string* NamedFiles::find(const std::string& path) const {
  if (const auto found = by_path_.find(identity(path)); found != by_path_.end())
    return &found->second;
  const auto same = of_same_file(path);
  return same ? &(*same)->second.second : nullptr;
}

std::optional<NamedFiles::BySize::const_iterator> NamedFiles::of_same_file(
    const std::string& path) const {
  const auto size = size_of(path);
  if (!size) return {};
  const auto [first, last] = by_size_.equal_range(*size);
  const auto same = std::find_if(
      first, last, [&](const auto& one) { return is_same_file(one.second.first, path); });
  return same == last ? std::nullopt : std::optional(same);
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return !path.empty() && !is_standard_output(path) &&
         (!fs::path(path).has_filename() || fs::is_directory(path, ignored));
}

bool is_folder_to_make(const std::string& path) {
  std::error_code ignored;
  return is_folder(path) && !fs::exists(path, ignored);
}

void make_folder(const std::string& path) {
  if (!is_folder_to_make(path)) return;
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    fail(ErrorKind::output, "{}: cannot be made: {}", printable_whole(path), error.message());
}

void check_is_picture_or_page(const std::string& path, bool is_page) {
  const std::string ending = ending_of(path);
  if (is_page || ending.empty() || format_with_ending(ending) || !takes_rows(path)) return;
  fail(ErrorKind::usage, "{}: is neither a picture nor a page; name it {} or .html",
       printable_whole(path), picture_endings(false));
}

OutputNames::OutputNames(bool may_replace_flames) : may_replace_flames_(may_replace_flames) {
  for (const std::string& input : files_of_command_line())
    if (const std::string name = name_of_input(input); !name.empty()) kept_.add(name, input);
}

void OutputNames::claim(const std::string& path, const std::string& what, const char* remedy) {
  if (named_descriptor(path) >= 0 || is_device_or_pipe(path)) return;
  if (!may_replace_flames_) check_keeps_flames(path, what, "--force");
  if (!claimed_.add(path, what)) {
    fail(ErrorKind::usage,
         "two pictures would be called {} ({}, {}); tell them apart with {} in -o",
         printable_whole(path), printable_whole(*claimed_.find(path)), printable_whole(what),
         remedy);
  }
  if (const std::string* const input = kept_.find(path)) refuse_to_replace(*input, what);
}

void OutputNames::claim_picture(const std::string& path, const std::string& what,
                                const char* remedy) {
  if (is_standard_output(path) && is_terminal(standard_output))
    fail(
        ErrorKind::usage,
        "-o {}: standard output is a terminal, which shows no pictures; name a file, or send it on "
        "(... -o - | display)",
        path);
  check_picture_name(path);
  claim(path, what, remedy);
}

namespace {

/// The flame that a picture carries; nothing where there is none, or none that can be read.
std::optional<Flame> flame_of_picture(const std::string& path) {
  constexpr auto regular = InputFile::Opens::regular_files;
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return {};
  try {
    if (!format_of_file(path, regular)) return {};
    const PictureFileTexts said = read_picture_texts(path, regular);
    const auto genome = said.texts.find(genome_key);
    if (genome == said.texts.end()) return {};
    ReaderOptions options;
    options.approximate = true;
    return parse_flames(genome->second, path, options).flames.at(0);
  } catch (const Error&) {
    return {};
  }
}

/// The elements of its xforms.
std::string xforms_text(const Flame& flame) {
  Flame bare;
  bare.xforms = flame.xforms;
  bare.final_xform = flame.final_xform;
  bare.more_finals = flame.more_finals;
  return genome_xml(bare);
}

}  // namespace

void OutputNames::keep_picture_of_another(const std::string& path, const std::string& what,
                                          const Flame* flame) const {
  if (may_replace_flames_ || !takes_rows(path)) return;
  const std::optional<Flame> there = flame_of_picture(path);
  if (!there || (flame && (there->name.empty() || there->name == flame->name ||
                           xforms_text(*there) == xforms_text(*flame))))
    return;
  fail(ErrorKind::usage,
       "{}: is the picture of another flame, \"{}\", which {} would replace; give another name, or "
       "--force",
       printable_whole(path), printable(there->name), printable_whole(what));
}

void check_flames_name(const std::string& path) {
  const std::string ending = ending_of(path);
  const bool fits = ending.empty() || is_ending_of_flames(ending);
  if (!fits && named_descriptor(path) < 0 && !is_device_or_pipe(path))
    fail(ErrorKind::usage, "{}: flames are written here; name it .flam3{}", printable_whole(path),
         format_with_ending(ending) ? ", or make a picture with \"kiln render\"" : "");
}

void OutputNames::claim_flames(const std::string& path, const std::string& what) {
  check_flames_name(path);
  claim(path, what, "another name");
}

std::optional<std::string> OutputNames::claimed_by_another(const std::string& path,
                                                           const std::string& what) {
  if (named_descriptor(path) >= 0 || is_device_or_pipe(path)) return {};
  if (claimed_.add(path, what)) return {};
  const std::string& owner = *claimed_.find(path);
  return owner == what ? std::nullopt : std::optional(owner);
}

void OutputNames::go_on_with(const std::string& input) { kept_.remove(input); }

void OutputNames::keep_input(const std::string& input) const {
  const std::string name = name_of_input(input);
  if (name.empty()) return;
  if (const std::string* const what = claimed_.find(name)) refuse_to_replace(input, *what);
}

void OutputNames::keep_inputs(const std::vector<std::string>& inputs) const {
  for (const std::string& input : inputs) keep_input(input);
}

void check_output(const std::string& path, bool no_clobber) {
  check_output_path(path);
  std::error_code ignored;
  if (no_clobber && takes_rows(path) && fs::is_regular_file(path, ignored)) {
    fail(ErrorKind::output, "{}: exists already; remove it or leave out --no-clobber",
         printable_whole(path));
  }
}

}  // namespace kiln::cli
