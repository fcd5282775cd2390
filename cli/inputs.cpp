#include "cli/inputs.h"

#include <algorithm>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> flames_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::error_code ignored;
    const std::string ending = entry.path().extension();
    if (entry.is_regular_file(ignored) && (ending == ".flam3" || ending == ".flame"))
      files.push_back(entry.path());
  }
  if (error)
    fail(ErrorKind::input, "{}: the folder cannot be read: {}", printable_whole(folder),
         error.message());
  if (files.empty()) {
    fail(ErrorKind::usage, "{}: the folder has no .flam3 or .flame file; name the files",
         printable_whole(folder));
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

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
