// SPDX-License-Identifier: MIT
// Text files that travel inside the program (embed_files.cmake).
#pragma once

#include <string>
#include <vector>

namespace kiln::cli {

struct EmbeddedFile {
  std::string name, text;
};

/// Style and script of comparisons: report.css and report.js of cli/report/.
const std::vector<EmbeddedFile>& report_files();
/// The page of `kiln view`, view/page/; where it is built.
const std::vector<EmbeddedFile>& page_files();

/// The flames of kiln selftest, samples of flames/.
const std::vector<EmbeddedFile>& selftest_files();

}  // namespace kiln::cli
