// SPDX-License-Identifier: MIT
#include "engine/model/number_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/base/text.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr int deepest = 64;              // brackets in brackets
constexpr std::size_t most_steps = 500;  // of a formula

double fmod_of(double a, double b) { return a - b * std::trunc(a / b); }
double mod_of(double a, double b) { return a - b * std::floor(a / b); }
double round_of(double a) { return std::floor(a + 0.5); }
double sign_of(double a) { return double(a > 0) - double(a < 0); }

using Operands = const double*;

/// A step: it takes numbers from the stack and puts one there.
struct Operation {
  std::string_view name;  // of a function; of signs the sign
  int takes;
  double (*value)(Operands);
};

constexpr Operation number_operations[] = {
    {"+", 2, [](Operands n) { return n[0] + n[1]; }},
    {"-", 2, [](Operands n) { return n[0] - n[1]; }},
    {"*", 2, [](Operands n) { return n[0] * n[1]; }},
    {"/", 2, [](Operands n) { return n[0] / n[1]; }},
    {"%", 2, [](Operands n) { return fmod_of(n[0], n[1]); }},
    {"^", 2, [](Operands n) { return exact::pow(n[0], n[1]); }},
    {"<=", 2, [](Operands n) { return double(n[0] <= n[1]); }},
    {">=", 2, [](Operands n) { return double(n[0] >= n[1]); }},
    {"==", 2, [](Operands n) { return double(n[0] == n[1]); }},
    {"!=", 2, [](Operands n) { return double(n[0] != n[1]); }},
    {"<", 2, [](Operands n) { return double(n[0] < n[1]); }},
    {">", 2, [](Operands n) { return double(n[0] > n[1]); }},
    {"negative", 1, [](Operands n) { return -n[0]; }},
    {"select", 3, [](Operands n) { return n[0] != 0 ? n[1] : n[2]; }},
    {"abs", 1, [](Operands n) { return std::fabs(n[0]); }},
    {"sqrt", 1, [](Operands n) { return std::sqrt(n[0]); }},
    {"floor", 1, [](Operands n) { return std::floor(n[0]); }},
    {"ceil", 1, [](Operands n) { return std::ceil(n[0]); }},
    {"trunc", 1, [](Operands n) { return std::trunc(n[0]); }},
    {"round", 1, [](Operands n) { return round_of(n[0]); }},
    {"sign", 1, [](Operands n) { return sign_of(n[0]); }},
    {"exp", 1, [](Operands n) { return exact::exp(n[0]); }},
    {"exp2", 1, [](Operands n) { return exact::exp2(n[0]); }},
    {"log", 1, [](Operands n) { return exact::log(n[0]); }},
    {"sin", 1, [](Operands n) { return exact::sin(n[0]); }},
    {"cos", 1, [](Operands n) { return exact::cos(n[0]); }},
    {"tan", 1, [](Operands n) { return exact::tan(n[0]); }},
    {"atan2", 2, [](Operands n) { return exact::atan2(n[0], n[1]); }},
    {"hypot", 2, [](Operands n) { return std::sqrt(n[0] * n[0] + n[1] * n[1]); }},
    {"pow", 2, [](Operands n) { return exact::pow(n[0], n[1]); }},
    {"min", 2, [](Operands n) { return std::min(n[0], n[1]); }},
    {"max", 2, [](Operands n) { return std::max(n[0], n[1]); }},
    {"mod", 2, [](Operands n) { return mod_of(n[0], n[1]); }},
    {"fmod", 2, [](Operands n) { return fmod_of(n[0], n[1]); }},
    {"clamp", 3, [](Operands n) { return std::max(n[1], std::min(n[2], n[0])); }},
};
constexpr int first_function = 13;  // "select"
constexpr int constant_step = -1, name_step = -2;
static_assert(number_operations[first_function].name == "select");

constexpr int operation_of(std::string_view name) {
  for (std::size_t i = 0; i < std::size(number_operations); ++i)
    if (number_operations[i].name == name) return int(i);
  return -1;
}

bool is_name_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_number_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

class NumberFormulaParser {
 public:
  NumberFormulaParser(std::string_view text, NumberFormula& made) : text_(text), made_(made) {}

  void read() {
    if (place() == text_.size()) refuse(0, "is empty; give a number or a formula of others");
    choice();
    const std::size_t at = place();
    if (at == text_.size()) return;
    if (text_[at] == ')') refuse(at, "\")\" closes nothing");
    if (text_[at] == '=') refuse(at, "\"=\" is not of a formula; \"==\" compares");
    refuse(at, fmt::format("\"{}\" is not expected here; an operator such as * is missing",
                           printable(text_.substr(at, 1))));
  }

 private:
  [[noreturn]] static void refuse(std::size_t at, std::string what) {
    throw NumberFormulaError{at + 1, std::move(what)};
  }
  std::size_t place() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
    return at_;
  }
  bool take(std::string_view sign) {
    place();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  void step(int op, double value = 0, int name = 0) {
    if (made_.steps_.size() >= most_steps) refuse(at_, "is too long; simplify it");
    made_.steps_.push_back({op, value, name});
  }
  void deeper() {
    if (++depth_ > deepest)
      refuse(place(), fmt::format("is nested deeper than {} levels", deepest));
  }

  // ---- the grammar, what binds least first ----

  void choice() {
    deeper();
    comparison();
    if (take("?")) {
      choice();
      if (!take(":")) refuse(place(), "\":\" is wanted, as in xform1.turn > 90 ? 1 : 0");
      choice();
      step(operation_of("select"));
    }
    --depth_;
  }
  void comparison() {
    sum();
    for (const char* const sign : {"<=", ">=", "==", "!=", "<", ">"}) {
      if (!take(sign)) continue;
      sum();
      return step(operation_of(sign));
    }
  }
  void sum() {
    product();
    for (;;) {
      const char* const sign = take("+") ? "+" : take("-") ? "-" : nullptr;
      if (sign == nullptr) return;
      product();
      step(operation_of(sign));
    }
  }
  void product() {
    signed_one();
    for (;;) {
      const char* const sign = take("*") ? "*" : take("/") ? "/" : take("%") ? "%" : nullptr;
      if (sign == nullptr) return;
      signed_one();
      step(operation_of(sign));
    }
  }
  void signed_one() {
    deeper();
    if (take("-")) {
      signed_one();
      step(operation_of("negative"));
    } else if (take("+")) {
      signed_one();
    } else {
      power();
    }
    --depth_;
  }
  /// Reads a power, whose exponent may have a sign: 2^-1.
  void power() {
    one();
    if (!take("^")) return;
    signed_one();
    step(operation_of("^"));
  }
  void one() {
    const std::size_t at = place();
    if (take("(")) {
      choice();
      if (!take(")")) refuse(place(), "\")\" is missing");
    } else if (at < text_.size() && (is_number_digit(text_[at]) || text_[at] == '.')) {
      constant(at);
    } else if (at < text_.size() && is_name_letter(text_[at])) {
      name_or_function(at);
    } else {
      refuse(at, "a number, or the name of one, is missing here");
    }
  }
  void constant(std::size_t at) {
    while (at_ < text_.size() && (is_number_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    const auto sign_at = [&](std::size_t i) {
      return i < text_.size() && (text_[i] == '+' || text_[i] == '-') ? i + 1 : i;
    };
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      const std::size_t digits = sign_at(at_ + 1);
      if (digits < text_.size() && is_number_digit(text_[digits])) at_ = digits;
      while (at_ < text_.size() && is_number_digit(text_[at_])) ++at_;
    }
    const std::string_view said = text_.substr(at, at_ - at);
    const auto value = to_real(said);
    if (!value) refuse(at, fmt::format("\"{}\" is no number", printable(said)));
    step(constant_step, *value);
  }
  void name_or_function(std::size_t at) {
    const auto goes_on = [&] {
      return at_ < text_.size() &&
             (is_name_letter(text_[at_]) || is_number_digit(text_[at_]) || text_[at_] == '.');
    };
    while (goes_on()) ++at_;
    const std::string_view name = text_.substr(at, at_ - at);
    const int function = operation_of(name);
    if (function >= first_function && take("(")) return call(function, at);
    if (name == "pi") return step(constant_step, exact::pi);
    if (place() < text_.size() && text_[at_] == '(') {
      std::vector<std::string> known;
      for (int i = first_function; i < int(std::size(number_operations)); ++i)
        known.emplace_back(number_operations[i].name);
      refuse(at,
             fmt::format("there is no function {}{}", printable(name), did_you_mean(name, known)));
    }
    step(name_step, 0, int(made_.names_.size()));
    made_.names_.push_back({std::string(name), at});
  }
  void call(int function, std::size_t at) {
    const Operation& operation = number_operations[function];
    int given = 0;
    do {
      choice();
      ++given;
    } while (take(","));
    if (!take(")")) refuse(place(), fmt::format("\")\" of {} is missing", operation.name));
    if (given != operation.takes)
      refuse(at, fmt::format("{} takes {} number{}, not {}", operation.name, operation.takes,
                             operation.takes == 1 ? "" : "s", given));
    step(function);
  }

  std::string_view text_;
  NumberFormula& made_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

NumberFormula::NumberFormula(std::string_view text) { NumberFormulaParser(text, *this).read(); }

double NumberFormula::value(std::span<const double> numbers) const {
  std::vector<double> stack;
  stack.reserve(steps_.size());
  for (const Step& step : steps_) {
    if (step.op == constant_step) {
      stack.push_back(step.value);
    } else if (step.op == name_step) {
      stack.push_back(numbers[std::size_t(step.name)]);
    } else {
      const Operation& operation = number_operations[step.op];
      const std::size_t left = stack.size() - std::size_t(operation.takes);
      const double value = operation.value(stack.data() + left);
      stack.resize(left);
      stack.push_back(value);
    }
  }
  return stack.back();
}

}  // namespace kiln
