// The texts of kernels/variations/*.txt inside the program; the build makes the source of this.
#pragma once

#include <vector>

namespace kiln {

struct VariationNoteFile {
  const char *family, *text;
};

const std::vector<VariationNoteFile>& variation_note_files();

}  // namespace kiln
