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

// ---- formulas of a file ----

/// Flames of which the first two have the same formula, and the third another one of its name.
std::string flames_of_formulas() {
  const std::string
      twirl = R"x(<variation name="twirl" let="c = cos(k*r2)" x="x*c" y="y &lt; 0 ? c : y">
<parameter name="k" default="1.5" from="-1" to="4"/></variation>)x",
      other = R"x(<variation name="twirl" x="x + 0.3*random(a)" y="y"/>)x",
      lift = R"(<variation name="lift" z="z + x"/>)";
  return "<flames>" + triangle("name=\"a\"", twirl) + triangle("name=\"b\"", lift + twirl) +
         triangle("name=\"c\"", other) + "</flames>";
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++count;
  return count;
}

TEST_F(variations_program, formulas_of_a_file_are_listed_once_each) {
  write_file(folder / "f.flame", flames_of_formulas());
  const Outcome all = kiln({"variations", "--file", "f.flame"});
  ASSERT_EQ(all.code, 0) << all.err;
  EXPECT_EQ(times(all.out, "\ntwirl") + all.out.starts_with("twirl"), 2u) << all.out;
  EXPECT_EQ(times(all.out, "lift"), 1u) << all.out;
  for (const char* part :
       {"twirl_k=1.5", "  let = c = cos(k*r2)\n", "  x = x*c\n", "  y = y < 0 ? c : y\n",
        "  twirl_k: from -1 to 4\n", "  x = x + 0.3*random(a)\n", "  z = z + x\n"})
    EXPECT_TRUE(contains(all.out, part)) << part << " in " << all.out;
  const std::string json = kiln({"variations", "--file", "f.flame", "--json"}).out;
  EXPECT_EQ(times(json, "{\"name\":\"twirl\",\"random\":"), 2u) << json;
  EXPECT_TRUE(contains(json, "{\"name\":\"twirl_k\",\"default\":1.5,\"from\":-1,\"to\":4}"))
      << json;
}

TEST_F(variations_program, a_formula_of_a_file_is_shown_by_its_name) {
  write_file(folder / "f.flame", flames_of_formulas());
  const Outcome lift = kiln({"variations", "lift", "--file", "f.flame"});
  EXPECT_TRUE(lift.out.starts_with("lift\n")) << lift.out;
  EXPECT_FALSE(contains(lift.out, "twirl")) << lift.out;
  const Outcome wrong = kiln({"variations", "lfit", "--file", "f.flame"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "f.flame: has no formula \"lfit\" (did you mean \"lift\"?)"))
      << wrong.err;
  EXPECT_EQ(kiln({"variations", "--file", "none.flame"}).code, 3);
  write_file(folder / "plain.flame", triangle());
  EXPECT_EQ(kiln({"variations", "--file", "plain.flame", "--json"}).out, "[]\n");
}

/// The flame of its picture brings the formula along.
TEST_F(variations_program, a_formula_of_a_file_has_its_picture) {
  write_file(folder / "f.flame", flames_of_formulas());
  const std::vector<std::string> words = {"variations", "twirl", "--file", "f.flame", "-o"};
  const auto made = [&](const std::string& name) {
    std::vector<std::string> all = words;
    all.push_back(name);
    return kiln(all);
  };
  EXPECT_EQ(made("twirl.png").out, "twirl.png\n");
  const Outcome flame = made("twirl.flame");
  EXPECT_EQ(flame.code, 0) << flame.err;
  const std::string xml = read_file(folder / "twirl.flame");
  EXPECT_EQ(times(xml, "<variation name=\"twirl\""), 1u) << xml;
  EXPECT_TRUE(contains(xml, "let=\"c = cos(k*r2)\"")) << xml;
  EXPECT_TRUE(contains(xml, "<parameter name=\"k\" default=\"1.5\" from=\"-1\" to=\"4\"/>")) << xml;
  EXPECT_EQ(kiln({"render", "twirl.flame", "-o", "again.png", "--quiet"}).code, 0);
  EXPECT_EQ(kiln({"compare", "twirl.png", "again.png"}).code, 0);
}

// ---- a shelf of formulas ----

/// A flame whose variation is named by digest.
std::string by_digest(const std::string& name, const std::string& digest,
                      const std::string& more = "") {
  return triangle("name=\"d\"", "<variation name=\"" + name + "\" digest=\"" + digest + "\"" +
                                    more +
                                    "/>\n<xform weight=\"1\" color=\"0\" coefs=\"1 0 0 1 0 0\" " +
                                    name + "=\"1\" " + name + "_k=\"2\"/>");
}

TEST_F(variations_program, a_formula_is_found_by_its_digest) {
  std::filesystem::create_directory(folder / "formulas");
  write_file(folder / "formulas/other.flame",
             triangle("", "<variation name=\"twirl\" x=\"x\" y=\"y\"/>"));
  write_file(folder / "formulas/broken.flame", "<flame");
  write_file(folder / "formulas/note.txt", "nothing");
  const std::string mine =
      R"x(<variation name="turned" x="x*cos(k) - y*sin(k)" y="x*sin(k) + y*cos(k)"><parameter name="k" default="1"/></variation>)x";
  write_file(folder / "kept.flame", triangle("", mine));
  const std::string said = kiln({"variations", "--file", "kept.flame"}).out;
  const std::size_t at = said.find("  digest: ");
  ASSERT_NE(at, said.npos) << said;
  const std::string digest = said.substr(at + 10, 32);
  EXPECT_TRUE(contains(kiln({"variations", "--file", "kept.flame", "--json"}).out,
                       "\"digest\":\"" + digest + "\""));
  write_file(folder / "d.flame", by_digest("twirl", digest));

  // not there yet, and another one of its name is
  const Outcome none = kiln({"info", "d.flame"});
  EXPECT_EQ(none.code, 3);
  for (const std::string& part :
       {std::string("d.flame:"), "variation twirl: no file with the formula of digest " + digest,
        std::string("formulas/other.flame has another one of this name"),
        std::string("KILN_FORMULAS")})
    EXPECT_TRUE(contains(none.err, part)) << part << " in " << none.err;

  // under another name there; what is written has it whole
  std::filesystem::rename(folder / "kept.flame", folder / "formulas/kept.flame");
  ASSERT_EQ(kiln({"convert", "d.flame", "-o", "whole.flame"}).code, 0);
  const std::string whole = read_file(folder / "whole.flame");
  EXPECT_TRUE(contains(whole, "<variation name=\"twirl\" x=\"x*cos(k) - y*sin(k)\"")) << whole;
  EXPECT_FALSE(contains(whole, "digest"));
  EXPECT_EQ(kiln({"render", "d.flame", "-o", "d.png", "--quiet"}).code, 0);
  EXPECT_EQ(kiln({"render", "whole.flame", "-o", "whole.png", "--quiet"}).code, 0);
  EXPECT_EQ(kiln({"compare", "d.png", "whole.png"}).code, 0);

  // in a folder that is named
  std::filesystem::rename(folder / "formulas", folder / "elsewhere");
  EXPECT_EQ(kiln({"info", "d.flame"}).code, 3);
  test::Start start{folder.path(), "", {}, {}};
  start.prepare = [] { setenv("KILN_FORMULAS", "nowhere:elsewhere", 1); };
  EXPECT_EQ(run_program({"info", "d.flame"}, start).code, 0);
}

TEST_F(variations_program, a_digest_that_is_none_or_of_another_formula_is_refused) {
  const auto said = [&](const std::string& xml) {
    write_file(folder / "d.flame", xml);
    const Outcome outcome = kiln({"info", "d.flame"});
    EXPECT_EQ(outcome.code, 3);
    return outcome.err;
  };
  const std::string digest(32, 'a');
  EXPECT_TRUE(contains(said(by_digest("twirl", "12")), "is no digest: 32 of 0-9 and a-f"));
  EXPECT_TRUE(contains(said(by_digest("twirl", std::string(31, 'a') + "A")), "is no digest"));
  EXPECT_TRUE(contains(said(by_digest("twirl", digest, " x=\"x\"")),
                       "not " + digest + "; say one of them"));
  // one on the shelf that names another by digest, itself even, is no formula
  std::filesystem::create_directory(folder / "formulas");
  write_file(folder / "formulas/d.flame", by_digest("twirl", digest));
  EXPECT_TRUE(contains(said(by_digest("twirl", digest)), "no file with the formula of digest"));
}

}  // namespace
}  // namespace kiln
