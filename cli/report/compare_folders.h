// kiln compare of two folders: their pictures in pairs, by name.
#pragma once

#include "cli/report/compare_report.h"
#include "engine/pipeline/picture_pair.h"

namespace kiln::cli {

struct FolderComparison {
  std::string text;  // a line a pair, and the count
  JsonObject json;
  std::vector<ReportCase> cases;  // if they are wanted
  int code = 0;                   // exit code
};

/// All .png and .exr files of both folders; one that only one of them has is a difference. What
/// cannot be read is said in its place. Throws Error of kind input for a folder without pictures.
FolderComparison compare_folders(const std::string& a, const std::string& b,
                                 const CompareRules& rules, bool with_cases);

/// The names of the pictures in a folder, sorted. Throws Error of kind input.
std::vector<std::string> pictures_in(const std::string& folder);

}  // namespace kiln::cli
