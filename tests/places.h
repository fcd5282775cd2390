// SPDX-License-Identifier: MIT
// Where the tests find the repository and the program. The paths stand in places.cpp alone, so that
// a compiler cache serves every checkout.
#pragma once

namespace kiln {

/// The folder of the repository, without a slash at its end.
const char* source_dir();

/// The program `kiln`.
const char* program_path();

}  // namespace kiln
