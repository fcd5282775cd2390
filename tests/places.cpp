// SPDX-License-Identifier: MIT
#include "tests/places.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace kiln {
namespace {

/// A test that leans on the folder it was started in passes for whoever wrote it and fails for ctest.
class AtTheRoot : public testing::Environment {
  void SetUp() override {
    std::filesystem::current_path(std::filesystem::current_path().root_path());
  }
};
[[maybe_unused]] const testing::Environment* const at_the_root =
    testing::AddGlobalTestEnvironment(new AtTheRoot);

}  // namespace

const char* source_dir() { return KILN_SOURCE_DIR; }

const char* program_path() { return KILN_PROGRAM; }

}  // namespace kiln
