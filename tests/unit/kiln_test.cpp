// The library as a program that includes engine/api/kiln.h alone meets it: options that contradict each
// other are refused, by the program `kiln` with the same words.
#include "engine/api/kiln.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;

/// What is wrong in these options, with the exit code that the program has for it; "" if nothing.
std::string refusal(const RenderOptions& options) {
  const std::vector<Scene> scenes = parse_scenes(triangle());
  try {
    render(scenes.at(0), options);
  } catch (const Error& error) {
    return std::to_string(int(error.kind)) + " " + error.what();
  }
  return "";
}

std::string refusal_of_program(std::vector<std::string> options) {
  const ScratchFolder folder;
  write_file(folder / "a.flame", triangle());
  options.insert(options.begin(), {"render", "a.flame"});
  const Outcome outcome = run_program(options, {folder.path(), "", {}, {}});
  EXPECT_EQ(folder.entries(), std::vector<std::string>{"a.flame"});
  const std::string begin = "kiln: ";
  EXPECT_EQ(outcome.err.substr(0, begin.size()), begin);
  return std::to_string(outcome.code) + " " +
         outcome.err.substr(begin.size(), outcome.err.find('\n') - begin.size());
}

TEST(Kiln, RefusesTheDivergentReferenceWithTransients) {
  RenderOptions options;
  options.game = Game::divergent;
  options.compat_flam3 = true;
  const std::string said = refusal(options);
  EXPECT_EQ(said.rfind("2 --strategy divergent has no --compat flam3; ", 0), 0u) << said;
  EXPECT_EQ(said, refusal_of_program({"--strategy", "divergent", "--compat", "flam3"}));
}

TEST(Kiln, RefusesTheMersenneTwisterOnTheCpu) {
  RenderOptions options;
  options.game = Game::mtgp32;
  options.backend = Backend::cpu;
  const std::string said = refusal(options);
  EXPECT_EQ(said.rfind("2 --rng mtgp32 is cuRAND's generator; ", 0), 0u) << said;
  EXPECT_EQ(said, refusal_of_program({"--rng", "mtgp32", "--backend", "cpu"}));
}

TEST(Kiln, RefusesALinearPictureOfClippedColors) {
  RenderOptions options;
  options.linear = true;
  options.earlyclip = true;
  EXPECT_EQ(refusal(options).rfind("2 with earlyclip there is no linear picture", 0), 0u);
}

TEST(Kiln, MakesFlamesByChanceAndTheirRelatives) {
  RenderOptions one_thread;
  one_thread.backend = Backend::cpu;
  one_thread.threads = 1;
  const std::vector<Scene> flames = random_scenes(3, 5), again = random_scenes(3, 5, one_thread);
  ASSERT_EQ(flames.size(), 3u);
  for (std::size_t f = 0; f < flames.size(); ++f) EXPECT_EQ(flames[f].xml(), again[f].xml());
  EXPECT_NE(flames[0].xml(), flames[1].xml());
  const std::vector<Scene> near = mutants(flames[0], 2, 1, 0.3, "affine");
  ASSERT_EQ(near.size(), 2u);
  EXPECT_EQ(near[1].name(), "random-5-mutant-1");
  EXPECT_EQ(children(flames, 2, 0, "unite").size(), 2u);
  EXPECT_THROW(mutants(flames[0], 1, 0, 0.5, "sideways"), Error);
  EXPECT_THROW(mutants(flames[0], 1, 0, 2), Error);
  EXPECT_THROW(children({flames[0]}, 1), Error);
  EXPECT_THROW(random_scenes(-1), Error);
}

}  // namespace
}  // namespace kiln
