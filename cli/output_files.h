// Where pictures go: checks of their names before the first one is rendered.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace kiln::cli {

/// Whether `path` stands for a folder, into which pictures are put under their usual names.
bool is_folder(const std::string& path);

/// Whether the name asks for OpenEXR.
bool is_exr(const std::string& path);

/// Names that are taken, whatever way they are spelled. Wrong usage is an Error of kind usage.
class OutputNames {
 public:
  /// `what` tells which picture it is ("flame 0 of a.flame"). Fails if another picture has the name
  /// already, or if its ending is that of another format; `remedy` says how to tell the two apart.
  void take(const std::string& path, const std::string& what, const char* remedy);
  /// Fails if a file that is read would be replaced, whatever way it is named. Empty names and
  /// streams are none.
  void keep_input(const std::string& input) const;
  void keep_inputs(const std::vector<std::string>& inputs) const;

 private:
  std::map<std::string, std::string> taken_;  // identity of the path -> what
};

/// Throws Error of kind output unless the file can be made, with `no_clobber` also if it exists.
void check_output(const std::string& path, bool no_clobber);

}  // namespace kiln::cli
