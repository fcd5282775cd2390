// SPDX-License-Identifier: MIT
#include "tests/places.h"

namespace kiln {

const char* source_dir() { return KILN_SOURCE_DIR; }

const char* program_path() { return KILN_PROGRAM; }

}  // namespace kiln
