// SPDX-License-Identifier: MIT
// Variations as formulas: those that kiln has, typed (formulas.txt), have its pictures to the last bit;
// a flame of formulas is one picture everywhere, on a GPU by the interpreter and by kernels of its own.
// What threads of a GPU run of a plain one (kernels/thread_formula.h) is tried here on a CPU, too.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <vector>

#include "engine/io/flame/flame_reader.h"
#include "engine/model/formula.h"
#include "kernels/formula_list.h"
#include "kernels/variations/all.h"
#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/kernels/one_picture.h"
#include "tests/places.h"
#include "tests/thread_formulas.h"

namespace kiln::test {
namespace {

/// A block of formulas.txt.
struct TypedVariation {
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters;  // of kiln's variation: name, value
  std::map<std::string, std::string> parts;
};

std::vector<TypedVariation> typed_variations() {
  std::vector<TypedVariation> all;
  std::ifstream file(std::string(source_dir()) + "/tests/variations/formulas.txt");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word == "#") continue;
    if (word == "variation") {
      TypedVariation& one = all.emplace_back();
      words >> one.name;
      while (words >> word) {
        const std::size_t equals = word.find('=');
        one.parameters.emplace_back(word.substr(0, equals), word.substr(equals + 1));
      }
    } else {
      std::string text;
      std::getline(words >> std::ws, text);
      all.back().parts[word] = text;
    }
  }
  return all;
}

std::string as_attribute(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<')
      escaped += "&lt;";
    else if (c == '&')
      escaped += "&amp;";
    else
      escaped += c;
  }
  return escaped;
}

/// The name of a parameter in a formula, where x and y are the point.
std::string in_formula(const std::string& name) {
  return name == "x" || name == "y" ? "p" + name : name;
}

std::string formula_element_of(const TypedVariation& one) {
  std::string xml = "<variation name=\"typed\"";
  for (const auto& [part, text] : one.parts) xml += " " + part + "=\"" + as_attribute(text) + "\"";
  xml += ">";
  for (const auto& [name, value] : one.parameters)
    xml += "<parameter name=\"" + in_formula(name) + "\" default=\"7\" from=\"0\" to=\"9\"/>";
  return xml + "</variation>";
}

/// The flame with the variation of kiln, or with the formula.
Flame flame_with(const TypedVariation& one, bool typed, const std::string& stage = "") {
  const std::string name = stage + (typed ? "typed" : one.name);
  std::string parameters;
  for (const auto& [parameter, value] : one.parameters)
    parameters +=
        " " + name + "_" + (typed ? in_formula(parameter) : parameter) + "=\"" + value + "\"";
  const std::string beside = one.name == "linear" && stage.empty() ? "" : " linear=\"0.4\"";
  const auto xform = [&](const char* rest, const char* weight, const std::string& more) {
    return std::string("<xform color=\"0\" weight=\"") + rest + "\" " + name + "=\"" + weight +
           "\"" + parameters + more + "/>";
  };
  const std::string xml =
      "<flame size=\"64 64\" center=\"0 0\" scale=\"16\" estimator_radius=\"0\">" +
      (typed ? formula_element_of(one) : "") +
      xform("1\" coefs=\"0.6 0.2 -0.3 0.5 0.4 -0.1", "0.8", stage.empty() ? "" : beside) +
      xform("0.6\" coefs=\"-0.4 0.5 0.45 0.3 -0.2 0.3", "0.5", beside) +
      "<xform color=\"1\" weight=\"0.5\" coefs=\"0.5 0 0 0.5 0.3 0.6\" linear=\"1\"/>"
      "<palette count=\"2\" format=\"RGB\">102030FFE0C0</palette></flame>";
  return parse_flames(xml, "typed.flame", {}).flames.at(0);
}

constexpr std::uint64_t samples = 60'001, seed = 7;

TEST_ON_EVERY_DEVICE(Formulas, OfKilnsVariationsAreTheirPictures) {
  const std::vector<TypedVariation> all = typed_variations();
  EXPECT_GE(all.size(), 55u);
  for (const TypedVariation& one : all) {
    SCOPED_TRACE(one.name);
    const Histogram expected = Player(device, flame_with(one, false), samples).play(seed);
    const Histogram got = Player(device, flame_with(one, true), samples).play(seed);
    EXPECT_TRUE(got.sums == expected.sums);
    EXPECT_EQ(got.totals.bad_values, expected.totals.bad_values);
    EXPECT_GT(expected.all_hits(), 500);
  }
}

TEST_ON_EVERY_DEVICE(Formulas, WorkBeforeAndBehindTheOthers) {
  for (const TypedVariation& one : typed_variations()) {
    if (one.name != "swirl" && one.name != "pdj" && one.name != "sinusoidal") continue;
    for (const char* stage : {"pre_", "post_"}) {
      SCOPED_TRACE(stage + one.name);
      const Histogram expected = Player(device, flame_with(one, false, stage), samples).play(seed);
      const Histogram got = Player(device, flame_with(one, true, stage), samples).play(seed);
      EXPECT_TRUE(got.sums == expected.sums);
    }
  }
}

/// Before and behind the others a formula leaves alone what it does not speak of.
TEST_ON_EVERY_DEVICE(Formulas, OfOneCoordinateLeaveTheOther) {
  const auto played = [&](const std::string& parts, const std::string& stage) {
    TypedVariation one{"linear", {}, {}};
    std::istringstream words(parts);
    for (std::string part, text; words >> part >> text;) one.parts[part] = text;
    Flame flame = flame_with(one, true, stage);
    for (Xform& xform : flame.xforms)
      for (StagedVariation& form : xform.staged) form.weight = 1;
    return Player(device, flame, samples).play(seed);
  };
  for (const std::string stage : {"pre_", "post_"}) {
    for (const auto& [alone, both] :
         {std::pair{"x x*0.7", "x x*0.7 y y"}, {"y y*0.7+0.1", "x x y y*0.7+0.1"}}) {
      SCOPED_TRACE(stage + alone);
      const Histogram expected = played(both, stage);
      EXPECT_GT(expected.all_hits(), 500);
      EXPECT_TRUE(played(alone, stage).sums == expected.sums);
    }
  }
}

// ---- threads ----

CompiledFlame compiled(const Flame& flame) {
  return compile(flame, PlotArea{1, 0, flame.width, flame.height});
}

/// Counts the flame's terms of formulas, and tries them by threads and by the machine at many points; instructions of
/// threads are added up.
int compare_threads(const Flame& flame, int& instructions) {
  CompiledFlame made = compiled(flame);
  EXPECT_EQ(made.program.extended, of_plain_formulas_list);
  Program program = made.program;
  program.parameters = made.parameters.data();
  int terms = 0;
  for (const VariationTerm& term : made.terms) {
    if (term.variation < AllVariations::size) continue;
    ++terms;
    EXPECT_EQ(term.parameters % 4, 0);
    instructions += int(bits_of(made.parameters[std::size_t(term.parameters - 4)]) & ~wants_color);
    Random points{12345, 67890};
    for (int i = 0; i < 400; ++i) {
      const float large = i % 20 == 0 ? 1e12f : 2;
      const float x = i % 50 == 1 ? 0 : points.signed_uniform() * large,
                  y = i % 50 == 2 ? -0.0f : points.signed_uniform() * large,
                  color = points.uniform();
      EXPECT_TRUE(threads_agree(program, term, x, y, color, points.next())) << x << " " << y;
      if (::testing::Test::HasFailure()) return terms;
    }
  }
  return terms;
}

/// A flame of one formula of these parts.
Flame flame_of_parts(const std::string& parts, const std::string& more = "") {
  return parse_flames("<flame size=\"32 32\" scale=\"8\"><variation name=\"typed\" " + parts +
                          "/><xform weight=\"1\" color=\"0\" typed=\"0.7\" coefs=\"0.6 0.2 -0.3 "
                          "0.5 0.4 -0.1\"/>" +
                          more +
                          "<palette count=\"2\" format=\"RGB\">102030FFE0C0</palette></flame>",
                      "parts.flame", {})
      .flames.at(0);
}

TEST(Formulas, ByThreadsAreThoseOfTheMachine) {
  for (const TypedVariation& one : typed_variations()) {
    SCOPED_TRACE(one.name);
    int instructions = 0;
    EXPECT_EQ(compare_threads(flame_with(one, true), instructions), 2);
    if (::testing::Test::HasFailure()) return;
  }
}

/// What is joined and what is not, what has two numbers, what is alone, and what draws.
TEST(Formulas, ByThreadsKeepTheirRoundingsAndDraws) {
  struct {
    const char* parts;
    int instructions;
  } const all[] = {
      {R"xml(x="x" y="y")xml", 0},
      {R"xml(x="y" y="3")xml", 1},
      {R"xml(y="x*y")xml", 2},  // and the 0 of x
      {R"xml(x="x*x + y*y" y="x*x - y*y")xml", 2},
      {R"xml(x="x*y + x" y="x - x*y")xml", 2},
      {R"xml(x="x*y + 2" y="3 - x*y")xml", 4},
      {R"xml(x="2*x + 3*y" y="2*x - y*x")xml", 4},  // two numbers in one
      {R"xml(x="let_me + let_me" y="let_me*y" let="let_me = x*y")xml", 3},
      {R"xml(x="fma(x, 2, 3)" y="fma(2, x, fma(y, x, 0.5))")xml", 4},
      {R"xml(x="x &lt; y ? 2 : 3" y="x &lt; y ? x : 3")xml", 4},
      {R"xml(x="pow(2, x)" y="atan2(x, 2) - copysign(1, x)")xml", 4},
      {R"xml(x="sin(x)*weight" y="cos(x)*weight")xml", 1},
      {R"xml(x="sin(x)" y="sin(x) + 0*cos(x)")xml", 3},
      {R"xml(x="x + 0*random(a)" y="y + random(b)" let="c = random(c)")xml", 6},
      {R"xml(x="color*x" y="y*(1 - color)")xml", 4},
      {R"xml(x="-x" y="not (x == y) and x > 0 ? -y : y")xml", 7},
      {R"xml(x="weight" y="0*weight + 0.5")xml", 2},
      {R"xml(x="sqrt(abs(x)) % 0.5 + mod(y, 0.3)" y="exp(-x*x - y*y)")xml", 12},
  };
  for (const auto& one : all) {
    SCOPED_TRACE(one.parts);
    int instructions = 0;
    EXPECT_EQ(compare_threads(flame_of_parts(one.parts), instructions), 1);
    EXPECT_LE(instructions, one.instructions);
    if (::testing::Test::HasFailure()) return;
  }
}

/// An expression by chance, of so many levels at most.
std::string expression(std::mt19937& chance, int levels) {
  const auto pick = [&](std::initializer_list<const char*> list) {
    return std::string(list.begin()[chance() % list.size()]);
  };
  if (levels == 0 || chance() % 6 == 0)
    return pick({"x", "y", "x", "y", "color", "k", "2", "-0.5", "weight", "r", "phi", "random(a)"});
  const auto inner = [&] { return expression(chance, levels - 1); };
  switch (chance() % 8) {
    case 0:
      return pick({"sin", "cos", "abs", "-", "sqrt", "exp", "floor", "sign"}) + "(" + inner() + ")";
    case 1:
      return pick({"atan2", "pow", "hypot", "min", "max", "copysign", "fmod"}) + "(" + inner() +
             ", " + inner() + ")";
    case 2:
      return "(" + inner() + pick({" < ", " == ", " >= "}) + inner() + " ? " + inner() + " : " +
             inner() + ")";
    case 3:
      return "fma(" + inner() + ", " + inner() + ", " + inner() + ")";
    default:
      return "(" + inner() + pick({" + ", " - ", "*", " + ", " - ", "*", "/"}) + inner() + ")";
  }
}

TEST(Formulas, ByChanceAreTheSameByThreads) {
  std::mt19937 chance(3);
  int made = 0;
  for (int i = 0; i < 600; ++i) {
    FormulaText text;
    text.name = "typed";
    text.parameters = {{"k", 1, 0, 4}};
    text.x = expression(chance, 1 + i % 5);
    text.y = expression(chance, 1 + i % 4);
    FormulaProgram program;
    try {
      program = program_of(text);
    } catch (const FormulaError&) {
      continue;  // too many registers, say
    }
    const double k = 1.75;
    const auto both = formula_of_both(program, 0.7, &k);
    if (!both) continue;
    ++made;
    for (const float number : both->parameters)
      EXPECT_EQ(bits_of(number * 1), bits_of(number));  // a NaN could be changed by a copy
    for (int point = 0; point < 8; ++point) {
      const float x = float(chance() % 4001) / 1000 - 2,
                  y = point == 7 ? x : float(chance() % 4001) / 1000 - 2;
      ASSERT_TRUE(threads_agree(both->program(), both->term, x, y, 0.25f, chance()))
          << "x=" << text.x << " y=" << text.y << " at " << x << " " << y;
    }
  }
  EXPECT_GT(made, 300);
}

/// What is not plain is left to the machine, and so is what wants more registers.
TEST(Formulas, ThatAreNotPlainAreLeftToTheMachine) {
  const auto extended = [](const Flame& flame) { return compiled(flame).program.extended; };
  EXPECT_EQ(extended(flame_of_parts("x=\"x\" y=\"y\"")), of_plain_formulas_list);
  const std::string begin = "<xform weight=\"1\" color=\"0\" coefs=\"1 0 0 1 0 0\" ";
  EXPECT_EQ(extended(flame_of_parts("x=\"x\"", begin + "julia=\"1\" post=\"1 0 0 1 1 0\"/>")),
            of_plain_formulas_list);
  for (const char* more : {"pre_typed=\"1\"/>", "post_typed=\"1\"/>", "pre_linear=\"1\"/>",
                           "pre_blur=\"1\"/>", "julian2=\"1\"/>", "linear=\"1\" chaos=\"0 1\"/>"})
    EXPECT_EQ(extended(flame_of_parts("x=\"x\"", begin + more)), of_formulas_list) << more;
  EXPECT_EQ(extended(flame_of_parts(
                "x=\"x\"", "<finalxform color=\"0\" coefs=\"1 0 0 1 0 0\" linear=\"1\"/>")),
            of_formulas_list);
  for (const char* parts : {"x=\"x\" z=\"x\"", "x=\"x\" color=\"x\"", "x=\"x + z\""})
    EXPECT_EQ(extended(flame_of_parts(parts)), of_formulas_list) << parts;
  std::string let, sum = "0";
  for (int i = 0; i < 12; ++i) {
    let += "v" + std::to_string(i) + " = sin(x + " + std::to_string(i) + "*y);";
    sum += "+v" + std::to_string(11 - i) + "/v" + std::to_string(i);
  }
  EXPECT_EQ(extended(flame_of_parts("let=\"" + let + "\" x=\"" + sum + "\"")), of_formulas_list);
}

/// Every operation, all inputs, draws, depth and color, all stages, beside variations of all lists.
constexpr const char* all_that_formulas_have = R"xml(
<flame size="96 96" center="0 0" scale="24" estimator_radius="0" cam_pitch="0.4">
  <variation name="twist" let="s = sin(k*r2); c = cos(k*r2); far = r2 > 2 or not (x &lt; y)"
             x="weight*(far ? fma(x, s, -(y*c)) : x)" y="weight*(x*c + y*s)" z="z*0.5 + 0.1*phi"
             color="clamp(color + 0.2*random(a) - 0.1, 0, 1)">
    <parameter name="k" default="1" from="0" to="3"/>
  </variation>
  <variation name="zoo"
      x="atan2(y, x)/pi + mod(x, 0.7) + copysign(0.1, y - x) + 0.01*tan(x) + hypot(x, z)*0.1 + asin(clamp(y, -1, 1))*0.2"
      y="pow(abs(y), 1.3)*sign(y) - fmod(y, 0.4) + log1p(abs(x)) - 0.1*log10(r + 0.5) + round(x*3)*0.02 + rint(y*2)*0.03
         + 0.1*acos(clamp(x, -1, 1)) + atan(y)*0.1 + tanh(x)*0.2"/>
  <variation name="dust" x="x + 0.1*(random(u) - 0.5)" y="y + 0.1*(random(v) - 0.5)*exp2(-r2)"/>
  <variation name="deep" z="0.3*sinpi(r) + 0.1*cospi(x) + 0.05*floor(y) - 0.02*ceil(x) + trunc(3*y)*0.01 + max(min(x, y), -1)*0.1"/>
  <variation name="waver" x="x + affine_a*0.2*sinh(clamp(y, -1, 1)) + 0.1*cosh(clamp(x, -1, 1))" y="y*(x == y ? 2 : 1)*(x != 0 ? 1 : 3)
       + 0.1*exp(-r2) + sqrt(abs(x))*0.1 + tanpi(0.2*x)*0.1 + log(r2 + 1)*0.1 + (x &lt;= 0.5 and y >= 0 ? 0.1 : -0.1) + x^3*0.01 + y^-2*1e-4"/>
  <xform weight="1" color="0" coefs="0.7 0.2 -0.3 0.6 0.3 -0.1" twist="0.7" twist_k="1.5" julian="0.2" julian_power="3"/>
  <xform weight="0.8" color="1" coefs="-0.5 0.4 0.45 0.4 -0.2 0.3" pre_dust="1" zoo="0.5" deep="0.7" post_twist="0.8"/>
  <xform weight="0.6" color="0.4" coefs="0.5 0.1 -0.1 0.5 0.4 0.6" waver="0.7" crackle="0.05" post_dust="1" pre_deep="1"/>
  <finalxform color="0" color_speed="0" coefs="1 0 0 1 0 0" linear="0.9" twist="0.1"/>
  <palette count="2" format="RGB">102030FFE0C0</palette>
</flame>)xml";

Flame flame_of_formulas() {
  return parse_flames(all_that_formulas_have, "formulas.flame", {}).flames.at(0);
}

TEST(Formulas, AreOnePictureEverywhere) { expect_one_picture_everywhere(flame_of_formulas()); }

/// The operations of that one in a flame that is plain.
TEST(Formulas, ThatArePlainAreOnePictureEverywhere) {
  std::string xml = all_that_formulas_have;
  const auto replace = [&](const std::string& said, const std::string& by) {
    for (std::size_t at = 0; (at = xml.find(said, at)) != xml.npos; at += by.size())
      xml.replace(at, said.size(), by);
  };
  replace(" cam_pitch=\"0.4\"", "");
  replace("z=\"z*0.5 + 0.1*phi\"", "");
  replace("color=\"clamp(color + 0.2*random(a) - 0.1, 0, 1)\"", "");
  replace("hypot(x, z)", "hypot(x, color)");
  replace("deep\" z=", "deep\" x=");
  for (const char* stage : {"pre_", "post_"}) replace(stage, "");
  replace(" dust=\"1\" zoo", " zoo");  // which has it after the others, too
  replace("crackle=\"0.05\"", "julia=\"0.05\"");
  xml.erase(xml.find("<finalxform"), xml.find("<palette") - xml.find("<finalxform"));
  const Flame flame = parse_flames(xml, "plain.flame", {}).flames.at(0);
  int instructions = 0;
  EXPECT_EQ(compare_threads(flame, instructions), 7);
  expect_one_picture_everywhere(flame);
}

/// A film's sums between two flames, by those kernels.
std::vector<std::uint64_t> sums_in_motion(Device& device, const char* kernels, const Flame& first,
                                          const Flame& second) {
  const ForcedKernels forced(kernels);
  CompiledFlame flame = compile(first, TimeSamples{{&first, &second, &first}, {1, 1, 1}},
                                PlotArea{1, 0, first.width, first.height});
  plan_burn_in(flame);
  flame.sample_count = 200'001;
  const std::size_t numbers =
      std::size_t(first.width) * std::size_t(first.height) * (flame.table.opaque ? 4u : 5u);
  DeviceArray<std::uint64_t> sums(device, numbers);
  Accumulator game(device, flame, 0);
  sums.clear();
  game.play_pass(sums, seed, 0, 0);
  return sums.download();
}

/// One whose weight is 0 for a while does nothing then, as a variation does: it replaces no point.
TEST_ON_EVERY_DEVICE(Formulas, OfNoWeightDoNothingMeanwhile) {
  for (const TypedVariation& one : typed_variations()) {
    if (one.name != "swirl") continue;
    for (const char* stage : {"", "pre_", "post_"}) {
      SCOPED_TRACE(stage);
      const auto played = [&](bool typed) {
        const Flame first = flame_with(one, typed, stage);
        Flame second = first;
        Xform& xform = second.xforms[0];
        xform.variations[std::size_t(find_variation("swirl").value())] = 0;
        for (StagedVariation& form : xform.staged) form.weight = 0;
        return sums_in_motion(device, "interpreter", first, second);
      };
      EXPECT_TRUE(played(true) == played(false));
    }
  }
}

/// The numbers of a formula are read from the flame at every time sample.
TEST_ON_EVERY_DEVICE(Formulas, AreOnePictureInMotion) {
  const Flame first = flame_of_formulas();
  Flame second = first;
  second.xforms[0].staged.at(0).parameters.at(0) = 0.5;
  second.xforms[1].staged.at(1).weight = 0;
  const auto played = [&](Device& on, const char* kernels) {
    return sums_in_motion(on, kernels, first, second);
  };
  const auto expected = played(*open_cpu(1), "interpreter");
  EXPECT_TRUE(played(device, "interpreter") == expected);
  EXPECT_TRUE(played(device, "own") == expected);
}

}  // namespace
}  // namespace kiln::test
