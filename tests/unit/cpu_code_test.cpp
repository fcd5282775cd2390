// SPDX-License-Identifier: MIT
// Which instruction set's kernels run: the best of the build that the machine has, or the one that
// KILN_ISA names; a message with the remedy where there is none.
#include <gtest/gtest.h>

#include <functional>

#include "engine/base/error.h"
#include "engine/device/cpu/device.h"
#include "tests/devices.h"

namespace kiln {
namespace {

/// Codes by name alone: all have the kernels of the first of this build.
std::vector<CpuCode> codes_named(std::initializer_list<const char*> names) {
  const CpuCode& any = cpu_codes()[0];
  std::vector<CpuCode> codes;
  for (const char* name : names)
    codes.push_back({name, any.kernels, any.plain_game, any.extended_game, any.jwildfire_game,
                     any.formula_game, any.fine_game, any.divergent_game, any.fft});
  return codes;
}

bool runs_all(std::string_view) { return true; }
bool runs_avx2(std::string_view isa) { return isa <= "v3"; }
bool runs_sse(std::string_view isa) { return isa == "v2"; }

std::string message_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::device);
    return error.what();
  }
  return "no error";
}

TEST(CpuCode, TheBestThatTheMachineRunsIsChosen) {
  const std::vector<CpuCode> all = codes_named({"v2", "v3", "v4"});
  EXPECT_STREQ(choose_cpu_code(all, runs_all, nullptr).isa, "v4");
  EXPECT_STREQ(choose_cpu_code(all, runs_avx2, nullptr).isa, "v3");
  EXPECT_STREQ(choose_cpu_code(all, runs_sse, nullptr).isa, "v2");
  EXPECT_STREQ(choose_cpu_code(codes_named({"v4", "v2"}), runs_avx2, nullptr).isa, "v2");
  EXPECT_STREQ(choose_cpu_code(codes_named({"v4", "v2"}), runs_all, nullptr).isa, "v4");
  EXPECT_STREQ(choose_cpu_code(all, runs_all, "v2").isa, "v2");
}

TEST(CpuCode, NoneThatTheMachineRunsIsAMessageWithTheRemedy) {
  const std::vector<CpuCode> avx512 = codes_named({"v4"});
  const std::string none = message_of([&] { choose_cpu_code(avx512, runs_avx2, nullptr); });
  EXPECT_NE(none.find(std::string(cpu_family) + " v4 only"), std::string::npos) << none;
  EXPECT_NE(none.find("KILN_CPU_ISAS=native"), std::string::npos) << none;
  for (const char* forced : {"v4", "v3", "sse"}) {  // not run, not built, not known
    const std::string wrong = message_of([&] {
      choose_cpu_code(codes_named({"v2", "v4"}), runs_sse, forced);
    });
    EXPECT_NE(wrong.find(std::string("KILN_ISA=") + forced), std::string::npos) << wrong;
    EXPECT_NE(wrong.find("v2, v4"), std::string::npos) << wrong;
  }
}

TEST(CpuCode, TheMachineRunsOneOfThisBuild) {
  EXPECT_FALSE(machine_runs("v5"));
  ASSERT_FALSE(test::cpu_instruction_sets().empty());
  for (const std::string& isa : test::cpu_instruction_sets()) {
    const test::ForcedInstructionSet forced(isa);
    EXPECT_EQ(best_cpu_code().isa, isa);
    EXPECT_EQ(best_cpu_code().kernels.name, std::string(cpu_family) + "-" + isa);
  }
}

TEST(CpuCode, CharsAreSigned) {  // of every family: texts are read with it
  EXPECT_LT(char(0xff), 0);
}

}  // namespace
}  // namespace kiln
