// SPDX-License-Identifier: MIT
// Formulas as texts. What may stand in one: docs/use/formulas.md.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <string>

#include "engine/base/text.h"
#include "engine/model/formula_graph.h"

namespace kiln {
namespace {

constexpr int deepest_formula = 64;  // brackets in brackets
constexpr int most_formula_draws = 16;
constexpr int most_whole_power = 64;  // of those that are products

struct FormulaFunction {
  std::string_view name;
  int arguments;
  FormulaOp op;
};
constexpr FormulaFunction formula_functions[] = {
    {"abs", 1, FormulaOp::abs_},     {"sqrt", 1, FormulaOp::sqrt_},
    {"floor", 1, FormulaOp::floor_}, {"ceil", 1, FormulaOp::ceil_},
    {"trunc", 1, FormulaOp::trunc_}, {"rint", 1, FormulaOp::rint_},
    {"round", 1, FormulaOp::round_}, {"sign", 1, FormulaOp::sign_},
    {"exp", 1, FormulaOp::exp_},     {"exp2", 1, FormulaOp::exp2_},
    {"log", 1, FormulaOp::log_},     {"log10", 1, FormulaOp::log10_},
    {"log1p", 1, FormulaOp::log1p_}, {"sin", 1, FormulaOp::sin_},
    {"cos", 1, FormulaOp::cos_},     {"tan", 1, FormulaOp::tan_},
    {"asin", 1, FormulaOp::asin_},   {"acos", 1, FormulaOp::acos_},
    {"atan", 1, FormulaOp::atan_},   {"sinh", 1, FormulaOp::sinh_},
    {"cosh", 1, FormulaOp::cosh_},   {"tanh", 1, FormulaOp::tanh_},
    {"sinpi", 1, FormulaOp::sinpi_}, {"cospi", 1, FormulaOp::cospi_},
    {"tanpi", 1, FormulaOp::tanpi_}, {"min", 2, FormulaOp::min_},
    {"max", 2, FormulaOp::max_},     {"atan2", 2, FormulaOp::atan2_},
    {"pow", 2, FormulaOp::pow_},     {"fmod", 2, FormulaOp::fmod_},
    {"hypot", 2, FormulaOp::hypot_}, {"copysign", 2, FormulaOp::copysign_},
    {"fma", 3, FormulaOp::fma_}};
// with a meaning that no operation has
constexpr std::string_view special_functions[] = {"select", "mod", "clamp", "random"};
constexpr std::string_view formula_values[] = {
    "x",      "y",  "z",        "color",    "r",        "r2",       "theta",    "phi",
    "weight", "pi", "affine_a", "affine_b", "affine_c", "affine_d", "affine_e", "affine_f"};

bool is_formula_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_formula_digit(char c) { return c >= '0' && c <= '9'; }

/// A number, or a truth, and where it began.
struct FormulaValue {
  int node = -1;
  bool is_truth = false;
  std::size_t at = 0;
};

/// Names and draws that the parts of a formula share.
struct FormulaShared {
  const FormulaText& text;
  FormulaGraph& graph;
  std::map<std::string, FormulaValue, std::less<>> lets = {};
  std::map<std::string, int, std::less<>> draws = {};
  bool says_weight = false;
};

class FormulaPartParser {
 public:
  FormulaPartParser(FormulaShared& shared, std::string_view part, std::string_view text)
      : shared_(shared), graph_(shared.graph), part_(part), text_(text) {
    if (text.size() > most_formula_text)
      refuse(0, fmt::format("has more than {} letters", most_formula_text));
  }

  FormulaValue expression() {
    const FormulaValue value = read_expression();
    if (!is_at_end()) refuse_rest();
    if (value.is_truth)
      refuse(value.at, "is a comparison, not a number; select(..., 1, 0) makes it one");
    return value;
  }

  /// "s = sin(r); t = 2*s"
  void bindings() {
    while (!is_at_end()) {
      const std::size_t at = place();
      const std::string name(word());
      if (name.empty()) refuse(at, "a name is wanted here, as in let=\"s = sin(r); t = 2*s\"");
      check_new_name(at, name);
      if (!take("=")) refuse(place(), fmt::format("\"=\" is wanted behind {}", name));
      shared_.lets[name] = read_expression();
      if (is_at_end()) break;
      if (!take(";")) refuse_rest();
    }
  }

 private:
  [[noreturn]] void refuse(std::size_t at, std::string what) const {
    throw FormulaError{std::string(part_), at + 1, std::move(what)};
  }
  [[noreturn]] void refuse_rest() {
    const std::size_t at = place();
    if (text_[at] == '=') refuse(at, "\"=\" is of let; \"==\" compares");
    if (text_[at] == ')') refuse(at, "\")\" closes nothing");
    refuse(at, fmt::format("\"{}\" is not expected here; an operator such as * is missing",
                           printable(text_.substr(at, 1))));
  }

  std::size_t place() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_])) ++at_;
    return at_;
  }
  bool is_at_end() { return place() == text_.size(); }
  bool take(std::string_view token) {
    place();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  /// A word at this place; it stays where there is none.
  std::string_view word() {
    const std::size_t begin = place();
    if (begin == text_.size() || !is_formula_letter(text_[begin])) return {};
    while (at_ < text_.size() && (is_formula_letter(text_[at_]) || is_formula_digit(text_[at_])))
      ++at_;
    return text_.substr(begin, at_ - begin);
  }
  bool take_word(std::string_view wanted) {
    const std::size_t before = at_;
    if (word() == wanted) return true;
    at_ = before;
    return false;
  }

  bool is_parameter(std::string_view name) const {
    return std::any_of(shared_.text.parameters.begin(), shared_.text.parameters.end(),
                       [&](const FormulaParameter& one) { return one.name == name; });
  }
  void check_new_name(std::size_t at, const std::string& name) const {
    const bool is_value = std::find(std::begin(formula_values), std::end(formula_values), name) !=
                          std::end(formula_values);
    if (is_value || name == "and" || name == "or" || name == "not")
      refuse(at, fmt::format("{} has a meaning already; take another name", name));
    if (is_parameter(name)) refuse(at, fmt::format("{} is a parameter; take another name", name));
    if (shared_.lets.count(name) > 0)
      refuse(at, fmt::format("{} is said twice; take another name", name));
  }

  // ---- values ----

  FormulaValue of(std::size_t at, int node, bool is_truth = false) const {
    if (node < 0) refuse(at, "the formula is too long; simplify it");
    return {node, is_truth, at};
  }
  FormulaValue computed(std::size_t at, FormulaOp op, const FormulaValue& a,
                        bool is_truth = false) const {
    return of(at, graph_.computed(op, a.node), is_truth);
  }
  FormulaValue computed(std::size_t at, FormulaOp op, const FormulaValue& a, const FormulaValue& b,
                        bool is_truth = false) const {
    return of(at, graph_.computed(op, a.node, b.node), is_truth);
  }
  FormulaValue constant(std::size_t at, float value) const {
    return of(at, graph_.constant(value));
  }

  const FormulaValue& number(const FormulaValue& value) const {
    if (value.is_truth)
      refuse(value.at, "is a comparison where a number is wanted; select(..., 1, 0) makes it one");
    return value;
  }
  const FormulaValue& truth(const FormulaValue& value) const {
    if (!value.is_truth)
      refuse(value.at, "is a number where a comparison is wanted, such as x > 0");
    return value;
  }

  /// x^3 is a product, x^-2 divides by one; other powers are those of numbers from 0 on.
  FormulaValue power(std::size_t at, const FormulaValue& base, const FormulaValue& exponent) const {
    if (!graph_.is_constant(exponent.node)) return computed(at, FormulaOp::pow_, base, exponent);
    const float value = graph_.value(exponent.node);
    if (!(std::fabs(value) <= float(most_whole_power)) || value != std::floor(value))
      return computed(at, FormulaOp::pow_, base, exponent);
    const FormulaValue one = constant(at, 1);
    std::optional<FormulaValue> product;
    FormulaValue square = base;
    for (unsigned left = unsigned(std::fabs(value)); left != 0; left >>= 1) {
      if (left & 1) product = product ? computed(at, FormulaOp::mul_, *product, square) : square;
      if (left > 1) square = computed(at, FormulaOp::mul_, square, square);
    }
    if (!product) return one;
    return value < 0 ? computed(at, FormulaOp::div_, one, *product) : *product;
  }

  // ---- the grammar, what binds least first ----

  FormulaValue read_expression() {
    if (++depth_ > 2 * deepest_formula)
      refuse(place(), fmt::format("is nested deeper than {} levels; use let", deepest_formula));
    const FormulaValue condition = read_or();
    FormulaValue value = condition;
    if (take("?")) {
      truth(condition);
      const FormulaValue yes = number(read_expression());
      if (!take(":")) refuse(place(), "\":\" is wanted, as in x > 0 ? a : b");
      const FormulaValue no = number(read_expression());
      value =
          of(condition.at, graph_.computed(FormulaOp::select_, condition.node, yes.node, no.node));
    }
    --depth_;
    return value;
  }
  FormulaValue read_or() {
    FormulaValue value = read_and();
    while (take("||") || take_word("or")) {
      const FormulaValue other = truth(read_and());
      value = computed(value.at, FormulaOp::either_, truth(value), other, true);
    }
    return value;
  }
  FormulaValue read_and() {
    FormulaValue value = read_comparison();
    while (take("&&") || take_word("and")) {
      const FormulaValue other = truth(read_comparison());
      value = computed(value.at, FormulaOp::both_, truth(value), other, true);
    }
    return value;
  }
  FormulaValue read_comparison() {
    const FormulaValue value = read_sum();
    const auto compared = [&](FormulaOp op, bool turned) {
      const FormulaValue other = number(read_sum());
      number(value);
      const FormulaValue result = turned ? computed(value.at, op, other, value, true)
                                         : computed(value.at, op, value, other, true);
      for (const char* next : {"<", ">", "==", "!="})
        if (take(next)) refuse(at_ - 1, "compares a comparison; write x > 0 and x < 1");
      return result;
    };
    if (take("<=")) return compared(FormulaOp::at_most_, false);
    if (take(">=")) return compared(FormulaOp::at_most_, true);
    if (take("<")) return compared(FormulaOp::less_, false);
    if (take(">")) return compared(FormulaOp::less_, true);
    if (take("==")) return compared(FormulaOp::equal_, false);
    if (take("!=")) return compared(FormulaOp::unequal_, false);
    return value;
  }
  FormulaValue read_sum() {
    FormulaValue value = read_product();
    for (;;) {
      FormulaOp op;
      if (take("+"))
        op = FormulaOp::add_;
      else if (take("-"))
        op = FormulaOp::sub_;
      else
        return value;
      const FormulaValue other = number(read_product());
      value = computed(value.at, op, number(value), other);
    }
  }
  FormulaValue read_product() {
    FormulaValue value = read_signed();
    for (;;) {
      FormulaOp op;
      if (take("*"))
        op = FormulaOp::mul_;
      else if (take("/"))
        op = FormulaOp::div_;
      else if (take("%"))
        op = FormulaOp::fmod_;
      else
        return value;
      const FormulaValue other = number(read_signed());
      value = computed(value.at, op, number(value), other);
    }
  }
  FormulaValue read_signed() {
    const std::size_t at = place();
    if (++depth_ > 2 * deepest_formula)
      refuse(at, fmt::format("is nested deeper than {} levels; use let", deepest_formula));
    FormulaValue value;
    if (take("-")) {
      value = computed(at, FormulaOp::neg_, number(read_signed()));
    } else if (take("+")) {
      value = number(read_signed());
    } else if (!text_.substr(at).starts_with("!=") && (take("!") || take_word("not"))) {
      value = computed(at, FormulaOp::not_, truth(read_signed()), true);
    } else {
      value = read_atom();
      if (take("^")) {
        const FormulaValue exponent = number(read_signed());
        value = power(at, number(value), exponent);
      }
    }
    --depth_;
    return value;
  }

  FormulaValue read_atom() {
    const std::size_t at = place();
    if (at == text_.size()) refuse(at, "ends too early; a number or a name is missing");
    if (take("(")) {
      FormulaValue inner = read_expression();
      if (!take(")")) refuse(place(), "\")\" is missing");
      inner.at = at;
      return inner;
    }
    if (is_formula_digit(text_[at]) || text_[at] == '.') return read_number(at);
    const std::string_view name = word();
    if (name.empty())
      refuse(at, fmt::format("\"{}\" is not expected here; a number or a name is wanted",
                             printable(text_.substr(at, 1))));
    if (take("(")) return read_call(at, name);
    return named(at, name);
  }

  FormulaValue read_number(std::size_t at) {
    double value = 0;
    const char* const end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(text_.data() + at, end, value);
    if (error == std::errc::invalid_argument) refuse(at, "is no number");
    // beyond what a double holds is 1e999, or 1e-999, which is 0 as 1e-99 is
    const bool is_tiny = error != std::errc() && std::find(text_.data() + at, stop, '-') != stop;
    const float rounded = float(value);
    if ((error != std::errc() && !is_tiny) || !std::isfinite(rounded))
      refuse(at, "is a number beyond 3e38");
    at_ = std::size_t(stop - text_.data());
    if (at_ < text_.size() && is_formula_letter(text_[at_]))
      refuse(at_, "a number ends here; * is missing");
    return constant(at, rounded);
  }

  FormulaValue input(std::size_t at, int index) const {
    return of(at, graph_.leaf(FormulaNode::Kind::input, index));
  }

  FormulaValue named(std::size_t at, std::string_view name) {
    if (const auto let = shared_.lets.find(name); let != shared_.lets.end()) {
      FormulaValue value = let->second;
      value.at = at;
      return value;
    }
    for (std::size_t p = 0; p < shared_.text.parameters.size(); ++p)
      if (shared_.text.parameters[p].name == name)
        return of(at, graph_.leaf(FormulaNode::Kind::parameter, int(p)));
    constexpr std::string_view inputs[] = {"x", "y", "z", "color"};
    for (int i = 0; i < 4; ++i)
      if (name == inputs[i]) return input(at, i);
    const auto radius2 = [&] {
      const FormulaValue x = input(at, 0), y = input(at, 1);
      return computed(at, FormulaOp::add_, computed(at, FormulaOp::mul_, x, x),
                      computed(at, FormulaOp::mul_, y, y));
    };
    if (name == "r2") return radius2();
    if (name == "r") return computed(at, FormulaOp::sqrt_, radius2());
    if (name == "theta") return computed(at, FormulaOp::atan2_, input(at, 0), input(at, 1));
    if (name == "phi") return computed(at, FormulaOp::atan2_, input(at, 1), input(at, 0));
    if (name == "pi") return constant(at, pi);
    if (name == "weight") {
      shared_.says_weight |= part_ != "color";
      return of(at, graph_.leaf(FormulaNode::Kind::weight));
    }
    constexpr std::string_view affine = "affine_";
    if (name.starts_with(affine) && name.size() == affine.size() + 1 && name.back() >= 'a' &&
        name.back() <= 'f')
      return of(at, graph_.leaf(FormulaNode::Kind::affine, name.back() - 'a'));
    refuse_name(at, name);
  }

  [[noreturn]] void refuse_name(std::size_t at, std::string_view name) const {
    std::vector<std::string> known(std::begin(formula_values), std::end(formula_values));
    for (const auto& [let, value] : shared_.lets) known.push_back(let);
    for (const FormulaParameter& one : shared_.text.parameters) known.push_back(one.name);
    for (const FormulaFunction& one : formula_functions)
      if (one.name == name) refuse(at, fmt::format("{} is a function; write {}(...)", name, name));
    refuse(at, fmt::format("there is no {}{}; a number of its own is a <parameter>",
                           printable(name), did_you_mean(name, known)));
  }

  std::vector<FormulaValue> arguments(std::size_t at, std::string_view name, std::size_t wanted) {
    std::vector<FormulaValue> all;
    if (!take(")")) {
      do {
        if (all.size() > 3) refuse(at, fmt::format("{} has too many arguments", name));
        all.push_back(read_expression());
      } while (take(","));
      if (!take(")")) refuse(place(), fmt::format("\")\" of {} is missing", name));
    }
    if (all.size() != wanted)
      refuse(at, fmt::format("{} takes {} argument{}, not {}", name, wanted, wanted == 1 ? "" : "s",
                             all.size()));
    return all;
  }

  FormulaValue read_call(std::size_t at, std::string_view name) {
    if (name == "random") return read_draw(at);
    if (name == "select") {
      const std::vector<FormulaValue> a = arguments(at, name, 3);
      return of(at, graph_.computed(FormulaOp::select_, truth(a[0]).node, number(a[1]).node,
                                    number(a[2]).node));
    }
    if (name == "clamp") {
      const std::vector<FormulaValue> a = arguments(at, name, 3);
      const FormulaValue above = computed(at, FormulaOp::max_, number(a[0]), number(a[1]));
      return computed(at, FormulaOp::min_, above, number(a[2]));
    }
    if (name == "mod") {  // of the sign of the divisor
      const std::vector<FormulaValue> a = arguments(at, name, 2);
      const FormulaValue whole = computed(
          at, FormulaOp::floor_, computed(at, FormulaOp::div_, number(a[0]), number(a[1])));
      return computed(at, FormulaOp::sub_, a[0], computed(at, FormulaOp::mul_, a[1], whole));
    }
    for (const FormulaFunction& function : formula_functions) {
      if (function.name != name) continue;
      const std::vector<FormulaValue> a = arguments(at, name, std::size_t(function.arguments));
      for (const FormulaValue& one : a) number(one);
      if (a.size() == 1) return computed(at, function.op, a[0]);
      if (a.size() == 2) return computed(at, function.op, a[0], a[1]);
      return of(at, graph_.computed(function.op, a[0].node, a[1].node, a[2].node));
    }
    std::vector<std::string> known(std::begin(special_functions), std::end(special_functions));
    for (const FormulaFunction& one : formula_functions) known.emplace_back(one.name);
    refuse(at,
           fmt::format("there is no function {}{}", printable(name), did_you_mean(name, known)));
  }

  /// random(a): one number in [0, 1) for each name, drawn in the order in which the names first stand.
  FormulaValue read_draw(std::size_t at) {
    const std::size_t begin = place();
    while (at_ < text_.size() && (is_formula_letter(text_[at_]) || is_formula_digit(text_[at_])))
      ++at_;
    const std::string name(text_.substr(begin, at_ - begin));
    if (name.empty() || !take(")"))
      refuse(begin,
             "random(NAME) wants one name or whole number: random(a) and random(b) are "
             "different numbers, random(a) twice is the same one");
    const int next = int(shared_.draws.size());
    const auto draw = shared_.draws.emplace(name, next).first;
    if (next >= most_formula_draws && draw->second == next)
      refuse(at, fmt::format("draws more than {} random numbers", most_formula_draws));
    return of(at, graph_.leaf(FormulaNode::Kind::draw, draw->second));
  }

  FormulaShared& shared_;
  FormulaGraph& graph_;
  std::string_view part_, text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

bool is_formula_name(std::string_view name) {
  const auto is_small = [](char c) {
    return (c >= 'a' && c <= 'z') || is_formula_digit(c) || c == '_';
  };
  return !name.empty() && name.size() <= 64 && name[0] >= 'a' && name[0] <= 'z' &&
         std::all_of(name.begin(), name.end(), is_small);
}

void check_parameters(const FormulaText& text) {
  if (text.parameters.size() > most_formula_parameters)
    throw FormulaError{"", 0, fmt::format("has more than {} parameters", most_formula_parameters)};
  for (std::size_t p = 0; p < text.parameters.size(); ++p) {
    const std::string& name = text.parameters[p].name;
    const auto refuse = [&](const char* why) {
      throw FormulaError{"", 0, fmt::format("parameter \"{}\": {}", printable(name), why), int(p)};
    };
    if (!is_formula_name(name)) refuse("a name is small letters, digits and _, a letter first");
    if (std::find(std::begin(formula_values), std::end(formula_values), name) !=
            std::end(formula_values) ||
        name == "and" || name == "or" || name == "not")
      refuse("has a meaning already in formulas; take another name");
    for (std::size_t q = 0; q < p; ++q)
      if (text.parameters[q].name == name) refuse("is there twice");
  }
}

}  // namespace

FormulaResults parse_formula(const FormulaText& text, FormulaGraph& graph) {
  if (!is_formula_name(text.name))
    throw FormulaError{"name", 0,
                       "a name is small letters, digits and _, a letter first, at most 64 of them"};
  check_parameters(text);
  FormulaShared shared{text, graph};
  FormulaResults results;
  if (!text.let.empty()) FormulaPartParser(shared, "let", text.let).bindings();
  for (std::size_t i = 0; i < results.of.size(); ++i) {
    const std::string& part = text.*FormulaText::parts[i + 1];
    if (part.empty()) continue;
    results.of[i] =
        FormulaPartParser(shared, FormulaText::part_names[i + 1], part).expression().node;
  }
  if (results.of == std::array<int, 4>{-1, -1, -1, -1})
    throw FormulaError{"", 0, "says nothing; give it x=\"...\" and y=\"...\", or z or color"};
  for (std::size_t i = 0; i < 3 && !shared.says_weight; ++i) {
    if (results.of[i] < 0) continue;
    const int weight = graph.leaf(FormulaNode::Kind::weight);
    results.of[i] = weight < 0 ? -1 : graph.computed(FormulaOp::mul_, results.of[i], weight);
    if (results.of[i] < 0) throw FormulaError{"", 0, "is too long; simplify it"};
  }
  results.draws = int(shared.draws.size());
  return results;
}

}  // namespace kiln
