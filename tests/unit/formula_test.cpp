// SPDX-License-Identifier: MIT
// Variations as formulas: what a text means, what is said of one that means nothing, what a file keeps of
// them and what is done with their numbers. Their pictures: tests/variations/formulas_test.cpp.
#include "engine/model/formula.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <utility>

#include "engine/animation/film.h"
#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/flock/flock.h"
#include "engine/io/flame/flame_diff.h"
#include "engine/io/flame/flame_parts.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/for_flam3.h"
#include "engine/io/flame/formula_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/track_target.h"
#include "engine/program/compile.h"
#include "kernels/formula.h"
#include "kernels/lane_run.h"

namespace kiln::test {
namespace {

FormulaText text_of(const std::string& x, const std::string& let = "") {
  FormulaText text;
  text.name = "typed";
  text.let = let;
  text.x = x;
  text.parameters = {{"k", 3, 0, 4}};
  return text;
}

struct Ran {
  float x, y, z, color;
};

/// What a formula makes of a point, by the machine.
Ran run(const FormulaText& text, float x, float y, double weight = 1) {
  const FormulaProgram program = program_of(text);
  std::vector<float> parameters;
  for (const std::uint32_t word : program.code) parameters.push_back(float_of(word));
  VariationTerm term{};
  term.parameters = int(parameters.size());
  parameters.push_back(float_of(0));
  const double k = 3;
  program.append_scalars(weight, {1, 2, 3, 4, 5, 6}, &k, parameters);
  Program flame{};
  flame.parameters = parameters.data();
  ExtendedLanes<LaneRun::Lanes<Real>> lanes{};
  lanes.from = {{x}, {y}, {0.5f}};
  lanes.direct = {0.25f};
  LaneRandoms random{{1, 2}};
  run_formula(flame, term, LaneRun{0}, lanes, random);
  return {lanes.out.x.v, lanes.out.y.v, lanes.out.z.v, lanes.direct.v};
}
float value_of(const std::string& x, const std::string& let = "") {
  return run(text_of(x, let), 2, 3).x;
}

TEST(Formula, MeansWhatItSays) {
  EXPECT_EQ(value_of("1 + 2*3"), 7);
  EXPECT_EQ(value_of("-x^2"), -4);
  EXPECT_EQ(value_of("x^3^2"), 512);
  EXPECT_EQ(value_of("x^-2"), 0.25f);
  EXPECT_EQ(value_of("(-x)^3"), -8);
  EXPECT_EQ(value_of("x^0"), 1);
  EXPECT_EQ(value_of("2 - 3 - 4"), -5);
  EXPECT_EQ(value_of("2 / 4 / 2"), 0.25f);
  EXPECT_EQ(value_of("-7 % 4"), -3);
  EXPECT_EQ(value_of("mod(-7, 4)"), 1);
  EXPECT_EQ(value_of("x*k"), 6);
  EXPECT_EQ(value_of("x > 1 and y < 3 ? 5 : 6"), 6);
  EXPECT_EQ(value_of("x > 1 && y <= 3 ? 5 : 6"), 5);
  EXPECT_EQ(value_of("x > 5 or not (y == 2) ? 5 : 6"), 5);
  EXPECT_EQ(value_of("x < 5 ? y < 1 ? 1 : 2 : 3"), 2);
  EXPECT_EQ(value_of("select(x != y, 1, 2)"), 1);
  EXPECT_EQ(value_of("clamp(x, 0, 1)"), 1);
  EXPECT_EQ(value_of("clamp(x, 3, 4)"), 3);
  EXPECT_EQ(value_of("min(x, y) + 10*max(x, y)"), 32);
  EXPECT_EQ(value_of("ceil(0.3*x)"), 1);
  EXPECT_EQ(value_of("sign(-x) + sign(0*x)"), -1);
  EXPECT_EQ(value_of("fma(x, y, 1)"), 7);
  EXPECT_EQ(value_of("fma(k, x, y)"), 9);
  EXPECT_EQ(value_of("fma(x, k, 1)"), 7);
  EXPECT_EQ(value_of("fma(2, k, x)"), 8);
  EXPECT_EQ(value_of("atan2(k, x) - atan2(3, x)"), 0);
  EXPECT_EQ(value_of("affine_a + 10*affine_b + 100*affine_c + 1000*affine_d"), 1 + 30 + 500 + 2000);
  EXPECT_EQ(value_of("t", "s = x + 1; t = s*s;"), 9);
  EXPECT_EQ(value_of("near ? 1 : 2", "near = r < 1"), 2);
  EXPECT_EQ(value_of("z + color"), 0.75f);
  EXPECT_EQ(value_of("random(a) - random(a)"), 0);
  EXPECT_NE(value_of("random(a) - random(b)"), 0);
  EXPECT_EQ(value_of("r2"), 13);
  EXPECT_EQ(value_of("r*0 + pi"), pi);
  EXPECT_EQ(value_of("theta"), atan2(2.0f, 3.0f));
  EXPECT_EQ(value_of("phi"), atan2(3.0f, 2.0f));
  EXPECT_EQ(value_of("sin(x)"), sin(2.0f));
  EXPECT_EQ(value_of("1.5e1"), 15);
  EXPECT_EQ(value_of("x + 1e-99"), 2);
  EXPECT_EQ(value_of("x + 1e-999"), 2);
  EXPECT_TRUE(std::isnan(value_of("copysign(1, 0/0)")));  // a NaN has another sign elsewhere
}

/// Both of one angle are computed together, as kiln's own variations do.
TEST(Formula, SineAndCosineOfOneAngleAreTwins) {
  const SinCos both = sincos(2.0f);
  EXPECT_EQ(value_of("sin(x) + 0*cos(x)"), both.s);
  EXPECT_EQ(value_of("cos(x) + 0*sin(x)"), both.c);
  const SinCos uniform = sincos(3.0f);
  EXPECT_EQ(value_of("x*0 + (cos(k) + 0*sin(k))"), uniform.c);
}

TEST(Formula, IsWeighedUnlessItSpeaksOfTheWeight) {
  EXPECT_EQ(run(text_of("x"), 2, 3, 5).x, 10);
  EXPECT_EQ(run(text_of("x*weight"), 2, 3, 5).x, 10);
  EXPECT_EQ(run(text_of("x + weight"), 2, 3, 5).x, 7);
  FormulaText colored = text_of("x");
  colored.color = "weight";
  EXPECT_EQ(run(colored, 2, 3, 5).x, 10);  // of the color alone
  EXPECT_EQ(run(colored, 2, 3, 5).color, 5);
  FormulaText some = text_of("");
  some.z = "2";
  EXPECT_EQ(run(some, 2, 3, 5).z, 10);
  EXPECT_EQ(run(some, 2, 3, 5).x, 0);
  EXPECT_EQ(run(some, 2, 3, 5).color, 0.25f);
}

/// Depth is kept for flames that read it, whichever part does.
TEST(Formula, ReadsDepthWhereXOrYIsOfZ) {
  FormulaText text = text_of("x");
  text.y = "y";
  text.z = "z + x";  // which only goes on
  EXPECT_FALSE(program_of(text).reads_depth);
  text.x = "x + 0.5*sin(z)";
  EXPECT_TRUE(program_of(text).reads_depth);
  std::swap(text.x, text.y);
  EXPECT_TRUE(program_of(text).reads_depth);
}

std::string refused(const std::string& x, const std::string& let = "") {
  try {
    program_of(text_of(x, let));
  } catch (const FormulaError& error) {
    return error.part + ":" + std::to_string(error.column) + ": " + error.what;
  }
  return "";
}
bool has_text(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

TEST(Formula, SaysWhereItIsWrong) {
  const auto expect = [](const std::string& x, const char* said, const std::string& let = "") {
    EXPECT_TRUE(has_text(refused(x, let), said)) << x << ": " << refused(x, let);
  };
  expect("x +", "x:4: ends too early");
  expect("x + * y", "x:5: \"*\" is not expected here");
  expect("2x", "x:2: a number ends here; * is missing");
  expect("x y", "x:3: \"y\" is not expected here; an operator");
  expect("(x + y", "x:7: \")\" is missing");
  expect("x)", "x:2: \")\" closes nothing");
  expect("sine(x)", "x:1: there is no function sine (did you mean");
  expect("wieght", "x:1: there is no wieght (did you mean \"weight\"?)");
  expect("sin", "x:1: sin is a function; write sin(...)");
  expect("sin(x, y)", "x:1: sin takes 1 argument, not 2");
  expect("atan2(x)", "x:1: atan2 takes 2 arguments, not 1");
  expect("x > 1", "x:1: is a comparison, not a number");
  expect("1 + (x > 1)", "x:5: is a comparison where a number is wanted");
  expect("x ? 1 : 2", "x:1: is a number where a comparison is wanted");
  expect("x > 1 ? 1", "x:10: \":\" is wanted");
  expect("0 < x < 1", "compares a comparison; write x > 0 and x < 1");
  expect("1e99", "x:1: is a number beyond 3e38");
  expect("1e999 - 1", "x:1: is a number beyond 3e38");
  expect("x = 1", "x:3: \"=\" is of let; \"==\" compares");
  expect("random()", "x:8: random(NAME) wants one name");
  expect("x", "let:1: x has a meaning already", "x = 1");
  expect("x", "let:1: k is a parameter", "k = 1");
  expect("x", "let:8: s is said twice", "s = 1; s = 2");
  expect("x", "let:3: \"=\" is wanted behind s", "s 1");
  expect(std::string(300, '(') + "x" + std::string(300, ')'), "is nested deeper than 64 levels");
  expect(std::string(5000, ' ') + "x", "has more than 4096 letters");
  std::string draws = "random(0)", large = "x", wide = "0", constants = "0";
  for (int i = 1; i < 17; ++i) draws += fmt::format("+random({})", i);
  expect(draws, "draws more than 16 random numbers");
  for (int i = 0; i < 600; ++i) large += "*x";
  expect(large, "takes more than 512 operations");
  for (int i = 1; i < 200; ++i) constants += fmt::format("+x*{}", i);
  expect(constants, "has more than 60 different constants");
  std::string let;
  for (int i = 0; i < 60; ++i) {
    let += fmt::format("v{} = sin(x + {}*y);", i, i % 50);
    wide += fmt::format("+v{0}*v{0}", 59 - i) + fmt::format("/v{}", i);
  }
  EXPECT_TRUE(has_text(refused(wide, let), "keeps more than 32 numbers at a time"))
      << refused(wide, let);
}

std::string flame_xml(const std::string& formulas, const std::string& xform = "twirl=\"1\"") {
  return "<flames>\n<flame size=\"32 32\" scale=\"8\">\n" + formulas +
         "\n<xform weight=\"1\" color=\"0\" coefs=\"0.5 0 0 0.5 0.2 0.1\" " + xform +
         "/>\n<xform weight=\"1\" color=\"1\" coefs=\"0.5 0 0 0.5 -0.4 0\" linear=\"1\"/>\n"
         "<palette count=\"2\" format=\"RGB\">102030FFE0C0</palette>\n</flame>\n</flames>\n";
}
constexpr const char* twirl =
    R"xml(<variation name="twirl" let="c = cos(k*r2)" x="x*c - y*sin(k*r2)" y="x*sin(k*r2) + y*c">
<parameter name="k" default="1.5" from="0" to="4"/></variation>)xml";
Flame flame_of(const std::string& xml) { return parse_flames(xml, "a.flame", {}).flames.at(0); }
std::string refused_file(const std::string& xml) {
  try {
    flame_of(xml);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    return error.what();
  }
  return "";
}

TEST(Formula, OfAFileIsRefusedWithItsPlace) {
  const auto expect = [](const std::string& formulas, const std::string& said) {
    EXPECT_TRUE(has_text(refused_file(flame_xml(formulas)), said))
        << formulas << ": " << refused_file(flame_xml(formulas));
  };
  expect(
      "<variation name=\"twirl\"\n x=\"x + sin(y\"/>",
      "a.flame:4: variation twirl: x: column 10: \")\" of sin is missing (at \"x + sin(y >> \")");
  expect("<variation name=\"twirl\"/>", "a.flame:3: variation twirl: says nothing");
  expect("<variation x=\"x\"/>", "a.flame:3: variation: wants a name");
  expect("<variation name=\"Twirl\" x=\"x\"/>", "a name is small letters");
  expect("<variation name=\"swirl\" x=\"x\"/>", "kiln has a variation swirl");
  expect("<variation name=\"pre_twirl\" x=\"x\"/>", "pre_ says a form");
  expect("<variation name=\"julian_power\" x=\"x\"/>", "a parameter of another variation");
  expect("<variation name=\"weight\" x=\"x\"/>", "weight has a meaning in xforms already");
  expect("<variation name=\"coefs\" x=\"x\"/>", "coefs has a meaning in xforms already");
  expect("<variation name=\"twirl\" w=\"x\"/>", "<variation> has no such attribute");
  expect("<variation name=\"twirl\" x=\" \"/>", "is empty; leave it out");
  expect("<variation name=\"twirl\" x=\"x\"><k/></variation>", "<k> does not belong here");
  const auto with = [](const std::string& parameter) {
    return "<variation name=\"twirl\" x=\"x\"><parameter " + parameter + "/></variation>";
  };
  expect(with("default=\"1\""), "a parameter wants name");
  expect(with("name=\"x\""), "parameter \"x\": has a meaning already in formulas");
  expect(with("name=\"k\" from=\"2\" to=\"1\""), "from must not be above to");
  expect(with("name=\"k\" step=\"1\""), "<parameter> has no such attribute");
  expect(std::string(twirl) + twirl, "twirl is there already");
  std::string many;
  for (int i = 0; i < 65; ++i) many += fmt::format("<variation name=\"v{}\" x=\"x\"/>", i);
  expect(many, "more than 64 formulas");
}

/// The place as fields have it: "x 10", "parameter 1".
std::string refused_place(const std::string& formulas) {
  try {
    flame_of(flame_xml(formulas));
  } catch (const FormulaRefused& refused) {
    const FormulaRefused::Place& place = refused.place;
    std::string said = refused.name + " " + place.part;
    if (place.column > 0) said += fmt::format(" {}", place.column);
    if (place.parameter >= 0) said += fmt::format("parameter {}", place.parameter);
    return said + ": " + refused.why;
  }
  return "";
}

/// For who edits it in fields.
TEST(Formula, OfFieldsIsRefusedWithTheFieldAndTheColumn) {
  const auto expect = [](const std::string& formulas, const std::string& said) {
    EXPECT_TRUE(refused_place(formulas).starts_with(said))
        << formulas << ": " << refused_place(formulas);
  };
  expect("<variation name=\"twirl\" x=\"x + sin(y\"/>", "twirl x 10: \")\" of sin is missing");
  expect("<variation let=\"s = (\" x=\"x\" name=\"twirl\"/>", "twirl let 6: ends too early");
  expect("<variation name=\"twirl\"/>", "twirl : says nothing");
  expect("<variation x=\"x\" name=\"\"/>", " name: wants a name");
  expect("<variation name=\"Twirl\" x=\"x\"/>", "Twirl name: a name is small letters");
  expect("<variation name=\"swirl\" x=\"x\"/>", "swirl name: swirl has a meaning");
  expect("<variation name=\"twirl\" y=\" \" x=\"x\"/>", "twirl y: y=\" \": is empty");
  const auto with = [](const std::string& parameter) {
    return "<variation name=\"twirl\" x=\"x\"><parameter name=\"k\"/><parameter " + parameter +
           "/></variation>";
  };
  expect(with("name=\"x\""), "twirl parameter 1: parameter \"x\": has a meaning already");
  expect(with("name=\"k\""), "twirl parameter 1: parameter \"k\": is there twice");
  expect(with("name=\"m\" from=\"2\" to=\"1\""), "twirl parameter 1: parameter m: from must not");
  expect(with("name=\"m\" default=\"1.2.3\""), "twirl parameter 1: default=\"1.2.3\": ");
  expect(std::string(twirl) + twirl, "twirl name: twirl is there already");
  expect(std::string(twirl) + "<variation name=\"twirl_k\" x=\"x\"/>",
         "twirl_k name: twirl_k is there");
  expect(
      "<variation name=\"a_b\" x=\"x\"/><variation name=\"a\" x=\"x\"><parameter "
      "name=\"b\"/></variation>",
      "a parameter 0: a_b is there already");
}

TEST(Formula, IsKeptByTheFile) {
  // behind the xform that uses it, and one that none uses
  std::string xml = flame_xml("", "pre_twirl=\"0.5\" twirl=\"0.25\" twirl_k=\"2\"");
  xml.insert(xml.find("</flame>"),
             std::string(twirl) + "<variation name=\"idle\" y=\"y &lt; 0 ? 1 : 2\"/>");
  const Flame flame = flame_of(xml);
  ASSERT_EQ(flame.formulas.size(), 2u);
  EXPECT_EQ(used_variations(flame), (std::vector<std::string>{"linear", "pre_twirl", "twirl"}));
  const std::string written = genome_xml(flame);
  EXPECT_TRUE(has_text(written, "<variation name=\"idle\" y=\"y &lt; 0 ? 1 : 2\"/>")) << written;
  EXPECT_TRUE(
      has_text(written, "pre_twirl=\"0.5\" pre_twirl_k=\"1.5\" twirl=\"0.25\" twirl_k=\"2\""))
      << written;
  const Flame again = flame_of(written);
  EXPECT_EQ(again.formulas, flame.formulas);
  EXPECT_EQ(again.xforms[0].staged, flame.xforms[0].staged);
  EXPECT_EQ(genome_xml(again), written);
  EXPECT_EQ(flame_of(brief_genome_xml(flame, BriefPalette::whole)).xforms[0].staged,
            flame.xforms[0].staged);
}

/// An xform whose second variation draws has random numbers, as one whose first does.
TEST(Formula, DrawsWhereverItStands) {
  const auto draws = [](const std::string& attributes) {
    const Flame flame = flame_of(flame_xml(
        "<variation name=\"dust\" x=\"x + random(a)\"/>\n" + std::string(twirl), attributes));
    return compile(flame, PlotArea{1, 0, flame.width, flame.height}).xforms.at(0).draws_random;
  };
  EXPECT_FALSE(draws("linear=\"1\" twirl=\"1\""));
  EXPECT_TRUE(draws("linear=\"1\" dust=\"1\""));
  EXPECT_TRUE(draws("dust=\"1\" twirl=\"1\""));
}

/// A parameter of which a file says only the range.
TEST(Formula, HasAUsualNumberInItsRange) {
  for (const auto& [range, usual] : {std::pair{"", "0"},
                                     {"from=\"2\" to=\"3\"", "2"},
                                     {"from=\"-3\" to=\"-2\"", "-2"},
                                     {"from=\"2\" to=\"3\" default=\"9\"", "9"}}) {
    const Flame flame = flame_of(flame_xml(fmt::format(
        "<variation name=\"twirl\" x=\"k*x\"><parameter name=\"k\" {}/></variation>", range)));
    EXPECT_EQ(part_text(flame, "xform.0.twirl_k"), usual) << range;
  }
}

/// A flame that is read while another one's names are in use leaves them as they were.
TEST(Formula, NamesComeBackBehindAnotherFlames) {
  const Flame outer = flame_of(flame_xml(twirl));
  const FormulaNames names(outer);
  const std::optional<int> before = FormulaNames::find("twirl");
  ASSERT_TRUE(before);
  flame_of(flame_xml("<variation name=\"other\" x=\"x*2\"/>", "other=\"1\""));
  EXPECT_EQ(FormulaNames::find("twirl"), before);
  EXPECT_FALSE(FormulaNames::find("other"));
  EXPECT_EQ(FormulaNames::all(), (std::vector<std::string>{"twirl", "twirl_k"}));
}

TEST(Formula, HasPartsAsAnyVariation) {
  Flame flame = flame_of(flame_xml(twirl));
  EXPECT_EQ(part_text(flame, "xform.0.twirl"), "1");
  EXPECT_EQ(part_text(flame, "xform.0.twirl_k"), "1.5");
  set_part(flame, "xform.0.twirl_k", "3");
  set_part(flame, "xform.1.post_twirl", "0.5");
  EXPECT_EQ(part_text(flame, "xform.0.twirl_k"), "3");
  EXPECT_EQ(part_names(flame, "xform.1.variations"),
            (std::vector<std::string>{"linear", "post_twirl"}));
  EXPECT_EQ(part_names(flame, "xform.0.twirl"), std::vector<std::string>{"twirl_k"});
  insert_part(flame, "xform.0",
              "<xform weight=\"1\" color=\"0\" twirl=\"0.3\" coefs=\"1 0 0 1 0 0\"/>");
  EXPECT_EQ(part_text(flame, "xform.0.twirl"), "0.3");
  remove_part(flame, "xform.1.twirl");
  EXPECT_EQ(part_text(flame, "xform.1.twirl"), "0");
  EXPECT_THROW(set_part(flame, "xform.0.twirk", "1"), Error);
  ReaderOptions options;
  options.set = {{"xform.0.twirl_k", "0.125"}};
  const Flame read = parse_flames(flame_xml(twirl), "a.flame", options).flames.at(0);
  EXPECT_EQ(part_text(read, "xform.0.twirl_k"), "0.125");
  options.set = {{"xform.0.twirk", "1"}};
  EXPECT_THROW(parse_flames(flame_xml(twirl), "a.flame", options), Error);
}

TEST(Formula, MovesByTracksKeysAndMotions) {
  const std::string track =
      R"(<kiln_track xform="1" name="twirl_k"><key time="0" value="0"/><key time="10" value="4"/></kiln_track>)";
  const Flame flame = flame_of(flame_xml(twirl + track));
  Flame moved = flame;
  const std::vector<Flame> keys = {flame};
  FilmTracks(keys).put(5, moved);
  EXPECT_GT(moved.xforms[0].staged.at(0).parameters.at(0), 1);
  EXPECT_LT(moved.xforms[0].staged.at(0).parameters.at(0), 3);
  EXPECT_TRUE(has_text(genome_xml(flame), "name=\"twirl_k\""));
  EXPECT_THROW(
      flame_of(flame_xml(
          std::string(twirl) +
          R"(<kiln_track xform="1" name="twirl_q"><key time="0" value="0"/></kiln_track>)")),
      Error);
  std::string xml = flame_xml(twirl);
  xml.replace(xml.find("/>\n<xform"), 2,
              "><motion motion_frequency=\"1\" motion_function=\"sin\" twirl_k=\"0.5\" "
              "twirl=\"0.1\"/></xform>");
  const Flame in_motion = flame_of(xml);
  ASSERT_EQ(in_motion.xforms[0].motions.size(), 1u);
  std::string weight_alone = xml;
  weight_alone.replace(xml.find(" twirl_k=\"0.5\""), 14, "");
  EXPECT_EQ(flame_of(weight_alone).xforms[0].motions.at(0).staged.at(0).parameters.at(0), 0);
  EXPECT_EQ(in_motion.xforms[0].motions[0].staged.at(0).parameters.at(0), 0.5);
  EXPECT_EQ(flame_of(genome_xml(in_motion)).xforms[0].motions[0].staged,
            in_motion.xforms[0].motions[0].staged);
}

/// Two flames, each with a twirl of its own.
TEST(Formula, OfOneNameInTwoFlamesAreTwo) {
  const Flame first = flame_of(flame_xml(twirl));
  const Flame second = flame_of(flame_xml("<variation name=\"twirl\" x=\"x*2\" y=\"y\"/>"));
  ASSERT_NE(first.formulas, second.formulas);
  Flame both = first;
  both.xforms[1] = second.xforms[0];
  const std::string xml = genome_xml(both);
  EXPECT_TRUE(has_text(xml, "<variation name=\"twirl_2\" x=\"x*2\" y=\"y\"/>")) << xml;
  EXPECT_TRUE(has_text(xml, " twirl_2=\"1\"")) << xml;
  const Flame read = flame_of(xml);
  EXPECT_EQ(read.formulas.size(), 2u);
  EXPECT_EQ(genome_xml(read), xml);
  EXPECT_EQ(formula_at(read.xforms[1].staged.at(0).variation).text.x, "x*2");
}

TEST(Formula, GoesAlongWithChildren) {
  const Flame flame = flame_of(flame_xml(twirl));
  for (std::uint64_t seed = 1; seed < 9; ++seed) {
    Mutation mutation;
    mutation.strength = 1;
    const Flame child = mutated(flame, mutation, seed);
    EXPECT_EQ(child.formulas, flame.formulas);
    EXPECT_NO_THROW(flame_of(genome_xml(child)));
  }
}

/// Their numbers change in children as those of kiln's own variations do.
TEST(Formula, HasOtherNumbersInChildren) {
  const Flame flame = flame_of(flame_xml(twirl));
  int others = 0;
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    Mutation mutation;
    mutation.strength = 1;
    const Flame child = mutated(flame, mutation, seed);
    for (const Xform& xform : child.xforms)
      for (const StagedVariation& form : xform.staged)
        others += is_formula(form.variation) && form.parameters.at(0) != 1.5;
  }
  EXPECT_GT(others, 0);
}

/// A formula that one flame uses is seen, whichever of both it is.
TEST(Formula, OfADifferenceIsSeenWhereOneUsesIt) {
  const Flame used = flame_of(flame_xml(twirl));
  const Flame idle = flame_of(flame_xml("<variation name=\"twirl\" x=\"x*2\"/>", "linear=\"1\""));
  for (const FlameDiff& diff : {diff_flames(used, idle), diff_flames(idle, used)}) {
    const auto change =
        std::find_if(diff.attributes.begin(), diff.attributes.end(),
                     [](const PartChange& one) { return one.name == "variation twirl"; });
    ASSERT_NE(change, diff.attributes.end());
    EXPECT_TRUE(change->is_seen);
  }
  const FlameDiff both_idle = diff_flames(idle, flame_of(flame_xml(twirl, "linear=\"1\"")));
  ASSERT_EQ(both_idle.attributes.size(), 1u);
  EXPECT_FALSE(both_idle.attributes[0].is_seen);
}

TEST(Formula, IsNoneOfFlam3s) {
  const ForFlam3 result = for_flam3(flame_of(flame_xml(twirl)));
  std::string lost;
  for (const Missing& one : result.lost) lost += one.what + "\n";
  EXPECT_TRUE(has_text(lost, "variation twirl")) << lost;
}

/// Whatever is typed gets a message, or runs.
TEST(Formula, OfAnythingIsAnAnswer) {
  constexpr const char* words[] = {
      "x",       "y",        "z",     "r",         "theta",  "phi",   "k",     "weight", "pi",
      "color",   "1",        "0.5",   "-3",        "1e30",   "(",     ")",     "+",      "-",
      "*",       "/",        "^",     "%",         ",",      "?",     ":",     "<",      ">=",
      "==",      "and",      "not",   "sin(",      "cos(",   "pow(",  "log(",  "sqrt(",  "tan(",
      "select(", "mod(",     "exp(",  "random(a)", "atan2(", "sinh(", "fmod(", "s",      "r2",
      "abs(x)",  "fma(x,y,", "asin(", "1/0",       "clamp("};
  std::mt19937 chance(5);
  int programs = 0;
  for (int i = 0; i < 10'000; ++i) {
    FormulaText text = text_of("", i % 3 == 0 ? "s = x*y" : "");
    const int length = 1 + int(chance() % 24);
    for (int n = 0; n < length; ++n) {
      if (i % 4 == 0) {
        text.x += char(32 + chance() % 95);
      } else if (i % 4 == 1) {
        text.x += words[chance() % std::size(words)];
        text.x += ' ';
      } else {  // mostly right: values with operators between
        text.x += fmt::format("{}{}({} {} ", n ? "+*-/"[chance() % 4] : ' ', n % 2 ? "abs" : "sin",
                              words[chance() % 10], "+*-/^"[chance() % 5]);
        text.x += fmt::format("{})", words[chance() % 12]);
      }
    }
    try {
      program_of(text);
    } catch (const FormulaError& error) {
      EXPECT_FALSE(error.what.empty());
      EXPECT_LE(error.column, text.x.size() + text.let.size() + 2);
      continue;
    }
    ++programs;
    for (const float at : {0.0f, -1.5f, 1e30f, std::numeric_limits<float>::quiet_NaN()})
      run(text, at, 0.25f);
  }
  EXPECT_GT(programs, 4000);
}

}  // namespace
}  // namespace kiln::test
