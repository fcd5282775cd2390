// SPDX-License-Identifier: MIT
// Every function of kernels/math.h gives the same bits at every instruction set and on a GPU, for
// ordinary arguments and for those where compilers and processors like to differ: NaN, infinities,
// denormals, zeros of both signs, huge values, and the edges of the functions' own selects.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <regex>
#include <set>

#include "kernels/math.h"
#include "tests/devices.h"
#include "tests/parity/math_functions.h"
#include "tests/places.h"

namespace kiln::test {

// KILN_CPU_ISA_LIST, from CMake: KILN_ISA_ENTRY(v2) KILN_ISA_ENTRY(v3) ...
#define KILN_ISA_ENTRY(isa) MathFunctions math_functions_##isa();
KILN_CPU_ISA_LIST
#undef KILN_ISA_ENTRY

namespace {

/// The list for one instruction set.
struct IsaFunctions {
  std::string isa;
  MathFunctions functions;
};

/// Those of this build that this machine runs.
std::vector<IsaFunctions> functions_of_every_isa() {
#define KILN_ISA_ENTRY(isa) {#isa, math_functions_##isa()},
  std::vector<IsaFunctions> all = {KILN_CPU_ISA_LIST};
#undef KILN_ISA_ENTRY
  std::erase_if(all, [](const IsaFunctions& one) { return !machine_runs(one.isa); });
  return all;
}

struct Arguments {
  std::vector<float> x, y;

  void add(float x_value, float y_value) {
    x.push_back(x_value);
    y.push_back(y_value);
  }
  int count() const { return int(x.size()); }
};

/// Special values and what is next to them, both signs.
std::vector<float> special_values() {
  constexpr float inf = std::numeric_limits<float>::infinity();
  std::vector<float> values = {std::numeric_limits<float>::quiet_NaN(), inf, -inf};
  for (const float x : {0.f,      0x1p-149f,  0x1p-126f,
                        0x1p-64f, 0x1p-24f,   0x1.fffffep-2f,
                        0.5f,     0.625f,     1.f,
                        1.5f,     2.f,        2.5f,
                        3.f,      half_pi,    pi,
                        87.3f,    88.73f,     90.f,
                        103.97f,  105.f,      127.f,
                        129.f,    149.f,      151.f,
                        1e5f,     8388607.5f, 8388609.f,
                        0x1p31f,  1e10f,      0x1p64f,
                        0x1p126f, 3e38f,      std::numeric_limits<float>::max()}) {
    for (const float near : {std::nextafter(x, -inf), x, std::nextafter(x, inf)}) {
      values.push_back(near);
      values.push_back(-near);
    }
  }
  return values;
}

Arguments hard_arguments() {
  Arguments all;
  const std::vector<float> special = special_values();
  for (std::size_t i = 0; i < special.size(); ++i) {
    for (std::size_t j = 0; j < special.size(); j += 3)
      all.add(special[i], special[(i + j) % special.size()]);
  }
  std::mt19937 twister(7);
  const auto word = [&] { return std::uint32_t(twister()); };
  for (int i = 0; i < 8000; ++i) {
    const std::uint32_t first = word(), second = word();
    const float u = float(first) * 0x1p-31f - 1, v = float(second) * 0x1p-31f - 1;  // [-1, 1]
    all.add(float_of(first), float_of(second));
    all.add(float_of(first & 0x807fffffu), float_of(second & 0x80ffffffu));  // about the denormals
    all.add(4 * u, 4 * v);
    all.add(120 * u, 12 * v);
    all.add(2e5f * u, 40 * v);
  }
  return all;
}

std::vector<std::uint32_t> bits_of_function(const MathFunction& function, const Arguments& in) {
  std::vector<std::uint32_t> bits(in.x.size(), 0xdeadbeef);
  function.run(in.x.data(), in.y.data(), bits.data(), in.count());
  return bits;
}

void expect_same_bits(const char* name, const char* where, const std::vector<std::uint32_t>& got,
                      const std::vector<std::uint32_t>& expected, const Arguments& in) {
  int different = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (got[i] == expected[i] || different++ > 0) continue;
    ADD_FAILURE() << name << " of (" << in.x[i] << ", " << in.y[i] << "), " << where << ": "
                  << std::hex << got[i] << ", not " << expected[i];
  }
  EXPECT_EQ(different, 0) << name << ", " << where;
}

TEST(MathParity, EveryFunctionHasTheSameBitsEverywhere) {
  const Arguments in = hard_arguments();
  const std::vector<IsaFunctions> sets = functions_of_every_isa();
  ASSERT_FALSE(sets.empty());
  const MathFunctions expected = sets[0].functions;
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a, by words
  bool has_gpu = false;
  for (int f = 0; f < expected.count; ++f) {
    const MathFunction& function = expected.begin[f];
    const std::vector<std::uint32_t> bits = bits_of_function(function, in);
    EXPECT_GT(std::set<std::uint32_t>(bits.begin(), bits.end()).size(), 1u) << function.name;
    for (const std::uint32_t word : bits) hash = (hash ^ word) * 1099511628211u;
    for (const auto& [isa, other] : sets) {
      ASSERT_EQ(other.count, expected.count);
      expect_same_bits(function.name, isa.c_str(), bits_of_function(other.begin[f], in), bits, in);
    }
#if KILN_TEST_CUDA
    std::vector<std::uint32_t> got(bits.size(), 0xdeadbeef);
    has_gpu = run_math_function_cuda(f, in.x.data(), in.y.data(), got.data(), in.count());
    if (has_gpu) expect_same_bits(function.name, "cuda", got, bits, in);
#endif
  }
  if (!has_gpu) std::puts("skipped: no CUDA device");
  EXPECT_EQ(hash, 0x2b6e7cd5fa992c41u);  // g++ 12 and clang 14
}

TEST(MathParity, TheListHasEveryFunction) {
  std::set<std::string> listed;
  const MathFunctions list = functions_of_every_isa().at(0).functions;
  for (int f = 0; f < list.count; ++f) listed.insert(list.begin[f].name);
  std::ifstream header(std::string(source_dir()) + "/kernels/math.h");
  ASSERT_TRUE(header);
  std::set<std::string> declared;
  bool is_detail = false;
  for (std::string line; std::getline(header, line);) {
    if (line == "namespace detail {") is_detail = true;
    if (line == "}  // namespace detail") is_detail = false;
    std::smatch function;
    if (!is_detail && std::regex_search(line, function, std::regex("^KILN_FN \\w+ (\\w+)\\(")))
      declared.insert(function[1]);
  }
  EXPECT_GT(declared.size(), 25u);
  declared.erase("bits_of");  // what the list itself is made of
  declared.erase("float_of");
  EXPECT_EQ(listed, declared);
}

}  // namespace
}  // namespace kiln::test
