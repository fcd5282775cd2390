// SPDX-License-Identifier: MIT
// PTX whose registers are numbered by distance, and back.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "engine/device/cuda/code_images.h"
#include "tests/cli/program.h"
#include "tests/places.h"

namespace kiln::test {
namespace {

const std::string ptx =
    "\t.reg .b32 \t%r<9>;\n"
    "\tmov.u32 \t%r1, %tid.x;\n"
    "\tadd.s32 \t%r2, %r1, 7;\n"
    "@%p3\tld.f32 %f1, [%rd4+-16];\n"
    "\tmad.f32 \t%f20, %f20, %f1, %f25;\n"
    "\tmov.u64 %rd5, %clock64;\n"
    "\tmov.u32 \t%r2, %r2;\n"
    "}\n";
const std::string numbered =
    "\t.reg .b32 \t%r<9>;\n"
    "\tmov.u32 \t%r~, %tid.x;\n"
    "\tadd.s32 \t%r~, %r1, 7;\n"
    "@%p2~\tld.f32 %f-1, [%rd-4+-16];\n"
    "\tmad.f32 \t%f19~, %f0, %f19, %f-5;\n"
    "\tmov.u64 %rd4~, %clock-64;\n"
    "\tmov.u32 \t%r-1~, %r0;\n"
    "}\n";

TEST(NumberedCode, IsUndone) {
  EXPECT_EQ(with_register_numbers(numbered), ptx);
  for (const char* other : {"", "%", "%%", "a%", "%r", "%~", "%-1~", "100 % 3", "%R7", "%r<5>"})
    EXPECT_EQ(with_register_numbers(other), other);
}

TEST(NumberedCode, IsWhatTheBuildMakes) {
  if (!has_program("awk")) GTEST_SKIP() << "no awk here";
  const ScratchFolder folder;
  write_file(folder / "ptx", ptx);
  const std::string command = "awk -f '" + std::string(source_dir()) +
                              "/engine/device/cuda/number_by_distance.awk' '" + (folder / "ptx") +
                              "' >'" + (folder / "numbered") + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read_file(folder / "numbered"), numbered);
}

}  // namespace
}  // namespace kiln::test
