// SPDX-License-Identifier: MIT
// Every variation has its text, its scene and its place in docs/reference/variations/.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "engine/api/kiln/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/model/variations.h"
#include "tests/places.h"

namespace kiln {
namespace {

TEST(VariationNotes, every_variation_has_its_text) {
  for (const VariationInfo& variation : variations()) {
    const VariationNote* note = find_variation_note(variation.name).note;
    ASSERT_NE(note, nullptr) << variation.name
                             << " has no text; add it to the .txt beside its struct in "
                                "kernels/variations/ (CONTRIBUTING.md, Add a variation)";
    EXPECT_TRUE(note->idea.ends_with("."))
        << note->place << ": what " << variation.name << " does, as sentences";
    EXPECT_FALSE(note->formula.empty()) << note->place << ": the formula of " << variation.name;
    for (const ParameterInfo& parameter : variation.parameters)
      EXPECT_NE(parameter_note(note, parameter.name).meaning, "")
          << note->place << ": what " << parameter.name << " means";
  }
}

TEST(VariationNotes, no_text_is_of_nothing) {
  std::set<std::string> seen;
  for (const VariationFamily& family : variation_families()) {
    EXPECT_NE(family.title, "");
    for (const VariationNote& note : family.notes) {
      EXPECT_TRUE(seen.insert(note.name).second) << note.place << ": a second " << note.name;
      const auto index = find_variation(note.name);
      ASSERT_TRUE(index) << note.place << ": there is no variation " << note.name;
      std::set<std::string> left;
      for (const ParameterInfo& parameter : variations()[std::size_t(*index)].parameters)
        left.insert(parameter.name);
      for (const ParameterNote& parameter : note.parameters)
        EXPECT_EQ(left.erase(parameter.name), 1u)
            << note.place << ": " << parameter.name << " is no parameter, or stands twice";
    }
  }
}

TEST(VariationNotes, scenes_are_flames_that_have_the_variation) {
  ReaderOptions options;
  options.strict = true;
  options.warn = [](const std::string& message) { ADD_FAILURE() << message; };
  for (const VariationFamily& family : variation_families()) {
    for (const VariationNote& note : family.notes) {
      const std::string xml = variation_scene(note);
      EXPECT_EQ(parse_flames(xml, note.place, options).flames.size(), 1u) << note.place;
      EXPECT_NE(xml.find(note.name + "=\""), std::string::npos) << note.place;
    }
  }
}

void expect_refused(const std::string& text, const std::string& message) {
  try {
    parse_variation_notes("basic", text);
    ADD_FAILURE() << "read: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

TEST(VariationNotes, a_text_without_form_is_refused_with_its_line) {
  expect_refused("linear\n  Stays.\n", "no title");
  expect_refused("# A\n# B\n", "kernels/variations/basic.txt:2: a second title");
  expect_refused("# A\n  Stays.\n", "basic.txt:2: an indented line before the first name");
  expect_refused("# A\nlinear\nwords of nobody\n", "basic.txt:3: a line of text");
  expect_refused("# A\nlinear\n  Stays.\n  - low\n", "basic.txt:4: a parameter without");
  expect_refused("# A\nlinear\n  Stays.\n  - low [0: x\n", "basic.txt:4: a range");
  expect_refused("# A\nlinear\n  Stays.\n  - low: x\n  X = x\n", "basic.txt:5: a formula below");
}

TEST(VariationNotes, a_text_is_read_in_its_parts) {
  const VariationFamily family = parse_variation_notes(
      "basic",
      "# Title\nWords of\nthe family.\n\nblob\n  Stays at x = 0.\n  Or not.\n  X = x\n"
      "  else: Y\n  - low high [0..1]: ends\n  - waves: number\n  scene: grid zoom=2\n");
  EXPECT_EQ(family.title, "Title");
  EXPECT_EQ(family.text, "Words of the family.");
  ASSERT_EQ(family.notes.size(), 1u);
  const VariationNote& note = family.notes[0];
  EXPECT_EQ(note.place, "kernels/variations/basic.txt:5");
  EXPECT_EQ(note.idea, "Stays at x = 0. Or not.");
  EXPECT_EQ(note.formula, (std::vector<std::string>{"X = x", "else: Y"}));
  EXPECT_EQ(parameter_note(&note, "blob_high").range, "0..1");
  EXPECT_EQ(parameter_note(&note, "blob_waves").range, "");
  EXPECT_EQ(parameter_note(&note, "blob_waves").meaning, "number");
  EXPECT_EQ(parameter_note(&note, "blob_none").meaning, "");
  EXPECT_EQ(note.scene, "grid zoom=2");
}

TEST(VariationNotes, a_scene_with_unknown_words_is_refused_with_its_place) {
  for (const char* scene : {"grd", "grid zoom=0", "grid zoom=x", "grid size", "grid | swirl"}) {
    const VariationNote note{"swirl", "kernels/variations/angular.txt:5", "", {}, {}, scene};
    try {
      variation_scene(note);
      ADD_FAILURE() << scene;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("kernels/variations/angular.txt:5: swirl: "), 0u)
          << error.what();
    }
  }
}

TEST(VariationNotes, other_programs_names) {
  const auto names_of = [](const char* name) { return other_names(*find_variation(name)); };
  EXPECT_EQ(names_of("linear"), std::vector<std::string>{"linear3d"});
  EXPECT_EQ(names_of("bwraps"), (std::vector<std::string>{"bwraps2", "bwraps7"}));
  EXPECT_EQ(names_of("rotate_z"), (std::vector<std::string>{"pre_spin_z", "post_spin_z"}));
  EXPECT_TRUE(names_of("swirl").empty());
}

TEST(VariationNotes, pages_say_what_kiln_says) {
  if (std::system("python3 --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no python3 here";
  const std::string command = std::string("python3 ") + source_dir() +
                              "/scripts/variation_pages.py --check --kiln " + program_path();
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

}  // namespace
}  // namespace kiln
