#include "cli/options/inputs.h"

#include <algorithm>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/input_file.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> flames_in(const std::string& folder) {
  std::vector<std::string> files = files_in(folder, {".flam3", ".flame"});
  if (files.empty()) {
    fail(ErrorKind::usage, "{}: the folder has no .flam3 or .flame file; name the files",
         printable_whole(folder));
  }
  for (std::string& file : files) file = fs::path(folder) / file;
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
