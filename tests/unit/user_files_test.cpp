// SPDX-License-Identifier: MIT
#include "engine/base/platform/user_files.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/scratch.h"

namespace kiln {
namespace {

/// A cache that is as full as it may be loses nothing.
TEST(PrivateFolder, keeps_as_many_bytes_as_are_allowed) {
  const test::ScratchFolder folder;
  const PrivateFolder cache(folder / "cache");
  for (const char* name : {"a.x", "b.x", "c.x", "other"}) cache.write(name, std::string(10, '-'));
  cache.remove_oldest(".x", 30);
  EXPECT_EQ(cache.read("a.x", 10).size(), 10u);
  cache.remove_oldest(".x", 29);
  int left = 0;
  for (const char* name : {"a.x", "b.x", "c.x"}) left += !cache.read(name, 10).empty();
  EXPECT_EQ(left, 2);
  EXPECT_EQ(cache.read("other", 10).size(), 10u);
  EXPECT_EQ(cache.read("other", 9), "");
}

}  // namespace
}  // namespace kiln
