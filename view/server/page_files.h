// The files of view/page/, which travel inside the program (embed_page.cmake).
#pragma once

#include <string>
#include <vector>

namespace kiln::cli {

struct PageFile {
  std::string name, text;
};

const std::vector<PageFile>& page_files();

}  // namespace kiln::cli
