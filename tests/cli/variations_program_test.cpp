// SPDX-License-Identifier: MIT
// kiln variations from outside: the list, one of them, its picture.
#include <gtest/gtest.h>

#include "engine/io/picture/picture_format.h"
#include "engine/model/variations.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;

class variations_program : public testing::Test {
 protected:
  Outcome kiln(const std::vector<std::string>& arguments) const {
    return run_program(arguments, {folder.path(), "", {}, {}});
  }
  ScratchFolder folder;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(variations_program, one_is_shown_with_formula_and_parameters) {
  const Outcome outcome = kiln({"variations", "julian"});
  EXPECT_EQ(outcome.code, 0);
  for (const char* part :
       {"julian\n", "  X = s cos a\n", "julian_power=1", "[not 0]", "Kind: in the plane, random",
        "kernels/variations/julia.h", "flam3, variation 32"})
    EXPECT_TRUE(contains(outcome.out, part)) << part << " in " << outcome.out;
}

TEST_F(variations_program, names_of_other_programs_and_forms_are_found) {
  EXPECT_TRUE(kiln({"variations", "linear3D"}).out.starts_with("linear\n"));
  EXPECT_TRUE(kiln({"variations", "post_Swirl"}).out.starts_with("swirl\n"));
}

TEST_F(variations_program, an_unknown_one_names_the_nearest) {
  const Outcome outcome = kiln({"variations", "swril"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "unknown variation \"swril\" (did you mean \"swirl\"?)"));
}

TEST_F(variations_program, json_has_all_of_them) {
  const std::string all = kiln({"variations", "--json"}).out;
  for (const VariationInfo& variation : variations())
    EXPECT_TRUE(contains(all, "{\"name\":\"" + variation.name + "\",\"random\":"))
        << variation.name;
  const std::string one = kiln({"variations", "blob", "--json"}).out;
  EXPECT_TRUE(one.starts_with("{\"name\":\"blob\"")) << one;
  EXPECT_TRUE(contains(one, "\"name\":\"blob_waves\",\"default\":1,\"range\":\"\"")) << one;
}

TEST_F(variations_program, a_picture_or_its_flame_is_written) {
  EXPECT_EQ(kiln({"variations", "swirl", "-o", "swirl.png"}).out, "swirl.png\n");
  const Image image = read_png(folder / "swirl.png");
  EXPECT_EQ(image.width, 256);
  int lit = 0;
  for (std::size_t i = 0; i < image.pixels8().size(); i += 4) lit += image.pixels8()[i] > 64;
  EXPECT_GT(lit, 5000);
  EXPECT_EQ(kiln({"variations", "swirl", "-o", "swirl.flame"}).code, 0);
  EXPECT_EQ(kiln({"render", "swirl.flame", "-o", "again.png", "--quiet"}).code, 0);
  EXPECT_EQ(kiln({"compare", "swirl.png", "again.png"}).code, 0);
}

TEST_F(variations_program, what_cannot_be_written_is_refused_before_the_render) {
  EXPECT_EQ(kiln({"variations", "swirl", "-o", "swirl.jpg"}).code, 2);
  EXPECT_EQ(kiln({"variations", "-o", "swirl.png"}).code, 2);
  EXPECT_EQ(kiln({"variations", "swirl", "-o", "none/swirl.png"}).code, 5);
  EXPECT_TRUE(folder.entries().empty());
}

}  // namespace
}  // namespace kiln
