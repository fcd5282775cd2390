#include "cli/options/output_files.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "cli/options/command.h"
#include "engine/base/error.h"
#include "engine/base/platform/terminal.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/input_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/picture/picture_format.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

bool is_of_flames(const std::string& ending) {
  return ending == ".flam3" || ending == ".flame" || ending == ".xml";
}

/// No name of another kind of file for a picture: a player or an editor would open it.
void check_picture_ending(const std::string& path) {
  const std::string ending = ending_of(path);
  if (!ending.empty() && !format_with_ending(ending)) {
    fail(ErrorKind::usage, "{}: kiln writes {} only; name it {}{}", printable_whole(path),
         picture_names(), picture_endings(),
         is_of_flames(ending) ? " (kiln convert writes flames)" : "");
  }
  if (const PictureFormat& format = format_named(path); !format.supported()) {
    fail(ErrorKind::usage,
         "{}: this kiln was built without {}; name it {}, or build kiln where {} is installed",
         printable_whole(path), format.name, format_for(false).ending, format.package);
  }
}

/// Whether a file that is there is XML with a flame in it, also one that is damaged. Flames that a
/// picture carries do not count.
bool holds_flame(const std::string& path) {
  constexpr std::size_t looked_at = 1 << 16;
  // not InputFile, which would look for a name like it where nothing is there
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      open_file(path, InputFile::Opens::regular_files), std::fclose);
  if (!file) return false;
  std::string start(looked_at, '\0');
  start.resize(std::fread(start.data(), 1, start.size(), file.get()));
  if (start.find('\0') != std::string::npos) return false;
  for (const char* name : {"<flame", "<Flame"}) {  // <flames>, <Flames> too
    if (start.find(name) != std::string::npos) return true;
  }
  return false;
}

/// One spelling for all ways to write the same path, as far as it exists.
std::string identity(const std::string& given) {
  const std::string path = behind_links(given);
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);  // an error in a folder that was removed
  const fs::path folder = error ? fs::path() : fs::weakly_canonical(whole.parent_path(), error);
  return ((error ? fs::path(path).parent_path() : folder) / fs::path(path).filename()).string();
}

}  // namespace

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return !path.empty() && path != "-" &&
         (!fs::path(path).has_filename() || fs::is_directory(path, ignored));
}

OutputNames::OutputNames(bool may_replace_flames)
    : may_replace_flames_(may_replace_flames), kept_(files_of_command_line()) {}

void OutputNames::claim(const std::string& path, const std::string& what, const char* remedy) {
  if (named_descriptor(path) >= 0 || is_device_or_pipe(path)) return;
  if (!may_replace_flames_ && holds_flame(path)) {
    fail(ErrorKind::usage,
         "{}: holds a flame, which {} would replace; give another name, or --force",
         printable_whole(path), printable_whole(what));
  }
  const auto [first, is_new] = claimed_.emplace(identity(path), what);
  if (!is_new) {
    fail(ErrorKind::usage,
         "two pictures would be called {} ({}, {}); tell them apart with {} in -o",
         printable_whole(path), printable_whole(first->second), printable_whole(what), remedy);
  }
  for (const std::string& input : kept_) check_unread(first->first, what, input);
}

void OutputNames::claim_picture(const std::string& path, const std::string& what,
                                const char* remedy) {
  if (is_standard_output(path) && is_terminal(STDOUT_FILENO))
    fail(
        ErrorKind::usage,
        "-o {}: standard output is a terminal, which shows no pictures; name a file, or send it on "
        "(... -o - | display)",
        path);
  if (named_descriptor(path) < 0 && !is_device_or_pipe(path)) check_picture_ending(path);
  claim(path, what, remedy);
}

void OutputNames::claim_flames(const std::string& path, const std::string& what) {
  const std::string ending = ending_of(path);
  const bool fits = ending.empty() || is_of_flames(ending);
  if (!fits && named_descriptor(path) < 0 && !is_device_or_pipe(path))
    fail(ErrorKind::usage, "{}: flames are written here; name it .flam3{}", printable_whole(path),
         format_with_ending(ending) ? ", or make a picture with \"kiln render\"" : "");
  claim(path, what, "another name");
}

std::optional<std::string> OutputNames::claimed_by_another(const std::string& path,
                                                           const std::string& what) {
  if (named_descriptor(path) >= 0 || is_device_or_pipe(path)) return {};
  const std::string& owner = claimed_.emplace(identity(path), what).first->second;
  return owner == what ? std::nullopt : std::optional(owner);
}

void OutputNames::check_unread(const std::string& path, const std::string& what,
                               const std::string& given) const {
  if (given.empty() || (given != "-" && named_descriptor(given) >= 0)) return;
  const std::string input = given == "-" ? "/dev/stdin" : given;
  if (path != identity(input) && !is_same_file(path, input)) return;
  fail(ErrorKind::usage, "{} is read and would be replaced ({}); give the output another name",
       printable_whole(given == "-" ? "standard input" : given), printable_whole(what));
}

void OutputNames::go_on_with(const std::string& input) {
  std::erase_if(kept_, [&](const std::string& kept) { return is_same_file(kept, input); });
}

void OutputNames::keep_input(const std::string& input) const {
  for (const auto& [path, what] : claimed_) check_unread(path, what, input);
}

void OutputNames::keep_inputs(const std::vector<std::string>& inputs) const {
  for (const std::string& input : inputs) keep_input(input);
}

void check_output(const std::string& path, bool no_clobber) {
  check_output_path(path);
  std::error_code ignored;
  if (no_clobber && path != "-" && fs::is_regular_file(path, ignored)) {
    fail(ErrorKind::output, "{}: exists already; remove it or leave out --no-clobber",
         printable_whole(path));
  }
}

}  // namespace kiln::cli
