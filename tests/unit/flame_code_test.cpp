// SPDX-License-Identifier: MIT
// Kernels of a flame's own: the source that a flame's structure gives.
#include "engine/device/cuda/jit/flame_code.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/device/cuda/jit/runtime_compiler.h"
#include "engine/io/flame/xform_reader.h"
#include "engine/model/variations.h"
#include "tests/kernels/game.h"

namespace kiln::test {
namespace {

Flame two_xforms() {
  Flame flame = flame_over(64, 64, -1, -1, 32);
  flame.xforms.push_back(xform_of("linear", 1, {}));
  flame.xforms.push_back(xform_of("julian", 0.7, {}));
  return flame;
}
CompiledFlame compiled(const Flame& flame) {
  return compile(flame, PlotArea{1, 0, flame.width, flame.height});
}

std::size_t count_of(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Frames of an animation differ in numbers alone: one compile must do for all of them.
TEST(FlameCode, NumbersAreNotPartOfTheSource) {
  Flame flame = two_xforms();
  const auto before = flame_code(compiled(flame));
  flame.xforms[0].coefs.a = 0.25;
  flame.xforms[1].color = 0.75;
  flame.xforms[1].weight = 3;
  flame.scale = 50;
  const auto after = flame_code(compiled(flame));
  ASSERT_TRUE(before && after);
  EXPECT_EQ(before->source, after->source);
  EXPECT_NE(before->numbers, after->numbers);
}

TEST(FlameCode, TheSizeOfThePictureIsNotPartOfTheSource) {
  Flame flame = two_xforms();
  const auto small = flame_code(compiled(flame));
  flame.width = flame.height = 8192;
  const CompiledFlame large = compiled(flame);
  EXPECT_NE(large.program.tiling.x_bits, compiled(two_xforms()).program.tiling.x_bits);
  ASSERT_TRUE(small);
  EXPECT_EQ(flame_code(large)->source, small->source);
}

TEST(FlameCode, TimeSamplesMadeAheadAreTheSame) {
  const Flame first = two_xforms();
  Flame second = first;
  second.xforms[1].coefs.a = 0.25;
  CompiledFlame flame = compile(first, TimeSamples{{&first, &second}, {1, 1}},
                                PlotArea{1, 0, first.width, first.height});
  const auto whole = flame_code(flame);
  flame.time_sample_numbers = time_sample_numbers(flame);
  const auto rest = flame_code(flame);
  ASSERT_TRUE(whole && rest);
  EXPECT_EQ(whole->numbers, flame.time_sample_numbers);
  EXPECT_EQ(rest->source, whole->source);
  EXPECT_EQ(2 * rest->numbers.size(), whole->numbers.size());
}

/// Forms are part of the type, and so is whether z is kept.
TEST(FlameCode, OfExtendedFlamesSaysTheirForms) {
  Flame flame = two_xforms();
  const StagedVariation pre{Stage::pre, find_variation("curl").value(), 0.5, {1, 0}};
  flame.xforms[0].staged.push_back(pre);
  const auto extended = flame_code(compiled(flame));
  ASSERT_TRUE(extended);
  EXPECT_NE(extended->source.find("kiln::ExtendedSpecializedCode<false, "), std::string::npos);
  EXPECT_NE(extended->source.find(
                fmt::format("kiln::ExtendedTerm<{}, {}>", pre.variation, stage_pre | keeps_z)),
            std::string::npos)
      << extended->source;
  flame.depth_camera.pitch_rad = 0.5;
  const auto has_z = flame_code(compiled(flame));
  ASSERT_TRUE(has_z);
  EXPECT_NE(has_z->source.find("kiln::ExtendedSpecializedCode<true, "), std::string::npos);
  // weight and two parameters of the form more than without it
  EXPECT_EQ(extended->numbers.size(), flame_code(compiled(two_xforms()))->numbers.size() + 3);
}

TEST(FlameCode, StructureIsPartOfTheSource) {
  const std::string before = flame_code(compiled(two_xforms()))->source;
  Flame post = two_xforms(), final = two_xforms(), xaos = two_xforms(), other = two_xforms();
  post.xforms[0].post.c = 0.5;
  final.final_xform = xform_of("spherical", 1, {});
  xaos.xforms[0].chaos = {0, 1};
  other.xforms[0] = xform_of("swirl", 1, {});
  for (const Flame& flame : {post, final, xaos, other})
    EXPECT_NE(flame_code(compiled(flame))->source, before);
}

/// What counts is the code: 300 xforms of one kind are one body and many numbers.
TEST(FlameCode, LargeFlamesHaveOneWhileTheirCodeIsNot) {
  Flame flame = flame_over(64, 64, -1, -1, 32);
  while (flame.xforms.size() < 300) flame.xforms.push_back(xform_of("julian", 1, {}));
  const auto code = flame_code(compiled(flame));
  ASSERT_TRUE(code);
  EXPECT_EQ(count_of("kiln::XformShape<", code->source), 1u);
  EXPECT_GT(code->numbers.size(), 6000u);
  Flame second = flame;
  second.xforms[0].coefs.a = 0.5;
  const TimeSamples time_samples{{&flame, &second}, {1, 1}};
  EXPECT_FALSE(
      flame_code(compile(flame, time_samples, PlotArea{1, 0, 64, 64})));  // of shared memory
  while (flame.xforms.size() < 400) flame.xforms.push_back(xform_of("julian", 1, {}));
  EXPECT_FALSE(flame_code(compiled(flame)));
}

TEST(FlameCode, MoreCodeThanAnInstructionCacheHoldsIsNone) {
  Flame flame = flame_over(64, 64, -1, -1, 32);
  const auto add_kinds = [&](std::size_t terms) {  // no two alike
    for (std::size_t v = 0; v < terms; v += 2) {
      flame.xforms.push_back(xform_of("linear", 1, {}));
      flame.xforms.back().variations[1 + v / 2] = 0.5;
    }
  };
  add_kinds(256);
  EXPECT_TRUE(flame_code(compiled(flame)));
  flame.final_xform = xform_of("linear", 1, {});
  EXPECT_FALSE(flame_code(compiled(flame)));
}

/// Records have what the numbers of a time sample leave of shared memory.
TEST(FlameCode, NumbersInMotionAreCounted) {
  const Flame first = two_xforms();
  Flame second = first;
  second.xforms[1].coefs.a = 0.25;
  EXPECT_EQ(moving_bytes(compiled(first)), 0u);
  CompiledFlame flame =
      compile(first, TimeSamples{{&first, &second}, {1, 1}}, PlotArea{1, 0, 64, 64});
  const std::size_t counted = moving_bytes(flame);
  flame.time_sample_numbers = time_sample_numbers(flame);
  EXPECT_EQ(counted, flame.time_sample_numbers.size() * 4 / 2);
  EXPECT_EQ(moving_bytes(flame), counted);
}

/// Xforms of the same variations are one type; the numbers say which each is, and how far from the
/// first of its kind its own are.
TEST(FlameCode, XformsOfTheSameVariationsShareTheirCode) {
  Flame flame = flame_over(64, 64, -1, -1, 32);
  for (const char* name : {"julian", "linear", "julian", "julian"})
    flame.xforms.push_back(xform_of(name, 1, {}));
  const auto code = flame_code(compiled(flame));
  ASSERT_TRUE(code);
  EXPECT_EQ(count_of("kiln::XformShape<", code->source), 2u) << code->source;
  EXPECT_EQ(count_of(", true, false, ", code->source), 1u) << code->source;  // shared, no post
  const std::uint32_t julian = 21, linear = 16;  // words of a block; 4 rows and 4 places before
  const std::vector<std::uint32_t> places(code->numbers.begin() + 4, code->numbers.begin() + 8);
  EXPECT_EQ(places,
            (std::vector<std::uint32_t>{0, 1, (julian + linear) << 8, (2 * julian + linear) << 8}));
  flame.xforms.push_back(xform_of("julian", 0.5, {}));
  EXPECT_EQ(count_of("kiln::XformShape<", flame_code(compiled(flame))->source), 2u);
  flame.xforms[3].post.c = 0.5;  // another kind
  EXPECT_EQ(count_of("kiln::XformShape<", flame_code(compiled(flame))->source), 3u);
}

/// The images that a folded symmetry makes of an xform share its code and its numbers.
TEST(FlameCode, ImagesOfASymmetryAreOneXform) {
  Flame six = two_xforms(), sixty = two_xforms();
  append_symmetry(6, six);
  append_symmetry(60, sixty);
  const auto few = flame_code(compiled(six)), many = flame_code(compiled(sixty));
  ASSERT_TRUE(few && many);
  EXPECT_EQ(few->numbers.size(), many->numbers.size());
  EXPECT_EQ(few->source.size() + 1, many->source.size());
}

/// The source compiles, with every part that a flame can have.
TEST(FlameCode, Compiles) {
  Flame flame = two_xforms();
  flame.xforms[0].post.c = 0.5;
  flame.xforms[0].chaos = {0.5, 1};
  flame.xforms[1].opacity = 0.5;
  flame.final_xform = xform_of("spherical", 1, {});
  flame.final_xform->opacity = 0.5;
  RuntimeCompilerSettings settings;
  settings.cache_folder.clear();
  if (settings.libraries.empty()) GTEST_SKIP() << "skipped: no NVRTC";
  std::string reason;
  Flame symmetric = two_xforms();
  append_symmetry(3, symmetric);
  Flame large = flame_over(64, 64, -1, -1, 32);  // 28 KB of arguments
  while (large.xforms.size() < 300) large.xforms.push_back(xform_of("julian", 1, {}));
  for (const auto& code : {flame_code(compiled(flame)), flame_code(compiled(flame), true),
                           flame_code(compiled(symmetric)), flame_code(compiled(large))}) {
    const auto kernels = RuntimeCompiler(settings).compile({code->source, 90, "test"}, reason);
    if (!kernels && reason.find("was not found") != std::string::npos)
      GTEST_SKIP() << "skipped: " << reason;
    ASSERT_TRUE(kernels) << reason;
    EXPECT_GT(kernels->cubin.size(), 1000u);
  }
}

}  // namespace
}  // namespace kiln::test
