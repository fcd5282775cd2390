#include "cli/output_files.h"

#include <algorithm>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/atomic_file.h"
#include "engine/io/exr_writer.h"
#include "engine/io/output_target.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

std::string lower_case_ending(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return ending;
}

void check_format(const std::string& path) {
  const std::string ending = lower_case_ending(path);
  for (const char* other :
       {".jpg", ".jpeg", ".ppm", ".tif", ".tiff", ".webp", ".bmp", ".gif", ".avif", ".jxl"}) {
    if (ending == other)
      fail(ErrorKind::usage, "{}: kiln writes PNG and OpenEXR only; name it .png or .exr",
           printable_whole(path));
  }
  if (ending == ".exr" && !exr_supported()) {
    fail(ErrorKind::usage,
         "{}: this kiln was built without OpenEXR; name it .png, or build kiln where "
         "libopenexr-dev is installed",
         printable_whole(path));
  }
}

/// One spelling for all ways to write the same path, as far as it exists.
std::string identity(const std::string& given) {
  const std::string path = behind_links(given);
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);  // an error in a folder that was removed
  const fs::path folder = error ? fs::path() : fs::weakly_canonical(whole.parent_path(), error);
  return (error ? fs::path(path).parent_path() : folder) / fs::path(path).filename();
}

}  // namespace

bool is_exr(const std::string& path) { return lower_case_ending(path) == ".exr"; }

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return !path.empty() && path != "-" && (path.back() == '/' || fs::is_directory(path, ignored));
}

void OutputNames::take(const std::string& path, const std::string& what, const char* remedy) {
  if (named_descriptor(path) >= 0 || is_device_or_pipe(path)) return;
  check_format(path);
  const auto [first, is_new] = taken_.emplace(identity(path), what);
  if (!is_new) {
    fail(ErrorKind::usage,
         "two pictures would be called {} ({}, {}); tell them apart with {} in -o",
         printable_whole(path), printable_whole(first->second), printable_whole(what), remedy);
  }
}

void OutputNames::keep_input(const std::string& input) const {
  if (input.empty() || named_descriptor(input) >= 0) return;
  for (const auto& [path, what] : taken_) {
    if (path == identity(input) || is_same_file(path, input)) {
      fail(ErrorKind::usage, "{} is read and would be replaced ({}); give another name with -o",
           printable_whole(input), printable_whole(what));
    }
  }
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
