// SPDX-License-Identifier: MIT
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

/// What save() says of this name; "" if it is done.
std::string refusal_of_name(const Picture& picture, const std::string& path) {
  try {
    save(picture, path);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::usage);
    return error.what();
  }
  return "";
}

/// As -o of kiln render: a picture put over flames is work lost, one in another format a file that nothing opens.
TEST(Kiln, SavesAPictureAsWhatItsNameSaysAndOverNoFlames) {
  const ScratchFolder folder;
  const std::string flames = "<flames>" + triangle() + "</flames>";
  for (const char* name : {"mine.flam3", "mine.png", "mine"}) write_file(folder / name, flames);
  const Picture picture = render(parse_scenes(triangle()).at(0));
  for (const char* name :
       {"mine.flam3", "mine.png", "mine", "a.gif", "a.bmp", "a", "a.exr", "a.kiln"})
    EXPECT_NE(refusal_of_name(picture, folder / name), "") << name;
  EXPECT_EQ(folder.entries(), (std::vector<std::string>{"mine", "mine.flam3", "mine.png"}));
  for (const std::string& name : folder.entries()) EXPECT_EQ(read_file(folder / name), flames);
  EXPECT_NE(refusal_of_name(picture, folder / "mine.png").find("remove it first"),
            std::string::npos);
  EXPECT_NE(refusal_of_name(picture, folder / "a.exr").find("linear light only"),
            std::string::npos);
  EXPECT_EQ(refusal_of_name(picture, folder / "a.png"), "");
  EXPECT_EQ(refusal_of_name(picture, folder / "a.png"), "");
  EXPECT_EQ(refusal_of_name(picture, folder / "a.ppm"), "");
  EXPECT_EQ(read_file(folder / "a.ppm").substr(0, 2), "P6");
}

TEST(Kiln, MergesOverNoFlames) {
  const ScratchFolder folder;
  const Scene scene = parse_scenes(triangle()).at(0);
  Session().render(scene, {}, {folder / "a.kiln"});
  write_file(folder / "mine.flam3", triangle());
  EXPECT_THROW(merge({folder / "a.kiln"}, folder / "mine.flam3"), Error);
  EXPECT_EQ(read_file(folder / "mine.flam3"), triangle());
  merge({folder / "a.kiln"}, folder / "b.kiln");
}

/// Whether it is wrong by itself, or beside what the flame has.
TEST(Kiln, AValueThatIsRefusedLeavesTheFlameAsItWas) {
  Scene scene = parse_scenes(triangle()).at(0);
  scene.set("estimator_radius", "5");
  const std::string before = scene.xml();
  for (const auto& [name, value] : {std::pair{"size", "64 0"},
                                    {"center", "1 x"},
                                    {"palette", "no such palette"},
                                    {"zoom", "60"},
                                    {"estimator_minimum", "9"},
                                    {"estimator_curve", "0"}}) {
    EXPECT_THROW(scene.set(name, value), Error) << name;
    EXPECT_EQ(scene.xml(), before) << name;
  }
  scene.set("estimator_minimum", "4");
  EXPECT_NE(scene.xml(), before);
}

/// As of kiln animate --sequence: each flame as its own picture shows it.
TEST(Kiln, ASequenceKeepsTheFramingOfFlamesOfOtherSizes) {
  const Scene small = parse_scenes(triangle("time=\"0\"")).at(0);
  Scene large = parse_scenes(triangle("time=\"4\"")).at(0);
  large.set("size", "640 480");
  large.set("scale", "400");
  for (const bool loop : {false, true}) {
    const Animation film = Animation::sequence({small, large}, {.nframes = 4, .loops = 1}, loop);
    for (int frame = 0; frame < film.frame_count(); ++frame) {
      const Scene scene = film.scene(frame);
      EXPECT_EQ(scene.width(), 32);
      EXPECT_EQ(scene.height(), 24);
      EXPECT_NEAR(std::stod(scene.attribute("scale")), 20, 1e-9) << frame;
    }
  }
  const Scene between = Animation({small, large}).scene(2);  // keys are played as flam3 plays them
  EXPECT_EQ(between.width(), 32);
  EXPECT_EQ(between.attribute("scale"), "210");
}

TEST(Kiln, TakesColorsAsAPalette) {
  Scene scene = parse_scenes(triangle()).at(0);
  scene.set_palette({{0, 0, 0}, {1, 0.5, 0}});
  const std::string xml = scene.xml();
  EXPECT_NE(xml.find("index=\"255\" rgb=\"255 127.5 0\""), std::string::npos) << xml;
  EXPECT_THROW(scene.set_palette({}), Error);
  EXPECT_THROW(scene.set_palette({{0, 0, 1.5}}), Error);
  EXPECT_EQ(scene.xml(), xml);
}

TEST(Kiln, SmallPicturesAreSmall) {
  const std::vector<Scene> scenes = parse_scenes(triangle());
  const auto take = [](int, const Image&, const std::string&) {};
  EXPECT_THROW(previews(scenes, most_preview_side + 1, 10, 1, {}, take), Error);
  EXPECT_THROW(previews(scenes, 10, most_preview_side + 1, 1, {}, take), Error);
}

}  // namespace
}  // namespace kiln
