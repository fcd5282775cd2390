// SPDX-License-Identifier: MIT
#include "engine/program/thread_formula.h"

#include <algorithm>
#include <array>
#include <optional>

namespace kiln {
namespace {

/// An operand of an instruction: a value that the formula computes, or a number.
struct Operand {
  int value = -1;
  float number = 0;
};

/// An instruction whose operands are values. Its own number is its value; that of a cosine is the next.
struct Step {
  u32 op;  // ThreadOp, or FormulaOp behind it
  int operands;
  std::array<Operand, 4> of;
  bool takes_off = false;
  bool stands = true;  // false: of no use any more
};
constexpr int color_value = 2, first_step = 3;  // x and y are 0 and 1

u32 number_of(ThreadOp op) { return u32(op); }
u32 number_of(FormulaOp op) { return u32(ThreadOp::others) + u32(op); }

int operands_of(FormulaOp op) {
  switch (op) {
#define KILN_FORMULA_CASE(name, value) case FormulaOp::name##_:
    KILN_FORMULA_BINARY(KILN_FORMULA_CASE)
    KILN_FORMULA_PAIR(KILN_FORMULA_CASE)
    return 2;
    KILN_FORMULA_TERNARY(KILN_FORMULA_CASE)
    return 3;
#undef KILN_FORMULA_CASE
    case FormulaOp::draw:
      return 0;
    default:
      return 1;
  }
}

/// Makes the code of one term: reads the machine's instructions as a list of values, joins some of them, and gives
/// the values registers again.
class ThreadFormulaMaker {
 public:
  ThreadFormulaMaker(const FormulaProgram& program, const float* scalars)
      : program_(program), scalars_(scalars) {}

  bool make(bool joined, ThreadFormula& made) {
    if (!read()) return false;
    take_factor(results_[0], made.head.factor_x);
    take_factor(results_[1], made.head.factor_y);
    for (Operand& result : results_)
      if (result.value < 0) result.value = append(number_of(FormulaOp::fill), {result});
    drop_unused();
    if (joined) {
      join_products();
      drop_unused();
    }
    return place(made);
  }

 private:
  int append(u32 op, std::initializer_list<Operand> of, bool takes_off = false) {
    Step step{op, int(of.size()), {}, takes_off};
    std::copy(of.begin(), of.end(), step.of.begin());
    steps_.push_back(step);
    return first_step + int(steps_.size()) - 1;
  }

  /// The steps of the program, with fewer kinds of arithmetic.
  bool read() {
    const std::vector<u32>& code = program_.code;
    std::array<Operand, formula_registers> in_register;
    const auto operand = [&](u32 said) -> Operand {
      if (said >= formula_scalar) return {-1, scalars_[said - formula_scalar]};
      return in_register[said];
    };
    for (u32 k = 0; k < code[0]; ++k) {
      const u32 word = code[2 + 2 * k], third = code[3 + 2 * k];
      const FormulaOp op = FormulaOp(word & 0xff);
      const u32 to = (word >> 8) & 0xff, first = (word >> 16) & 0xff, second = word >> 24;
      if (op == FormulaOp::input) {
        if (first == 2) return false;
        in_register[to] = {first == 3 ? color_value : int(first)};
        continue;
      }
      if (op == FormulaOp::fill) {
        in_register[to] = operand(first);
        continue;
      }
      const int count = operands_of(op);
      const Operand a = count > 0 ? operand(first) : Operand{},
                    b = count > 1 ? operand(second) : Operand{},
                    c = count > 2 ? operand(third) : Operand{};
      int made = -1;
      switch (op) {
        case FormulaOp::mul_:
        case FormulaOp::both_:
          made = append(number_of(ThreadOp::mul), {a, b});
          break;
        case FormulaOp::add_:
        case FormulaOp::sub_:
          made = append(number_of(ThreadOp::add), {a, b}, op == FormulaOp::sub_);
          break;
        case FormulaOp::fma_:
          made = append(number_of(ThreadOp::fma), {a, b, c});
          break;
        case FormulaOp::select_:
          made = append(number_of(op), {a, b, c});
          break;
        case FormulaOp::draw:
          made = append(number_of(op), {});
          break;
        case FormulaOp::sincos:
        case FormulaOp::sincospi:
          made = append(number_of(op), {a});
          steps_.push_back({number_of(FormulaOp::cos_), 0, {}, false, false});  // its second value
          in_register[third] = {made + 1};
          break;
        default:
          made = count == 1 ? append(number_of(op), {a}) : append(number_of(op), {a, b});
      }
      in_register[to] = {made};
    }
    for (u32 i = 0; i < 2; ++i) {
      const u32 said = (code[1] >> (8 * i)) & 0xff;
      results_[i] = said == formula_nothing ? Operand{} : operand(said);
    }
    const auto speaks_of = [&](u32 i) { return ((code[1] >> (8 * i)) & 0xff) != formula_nothing; };
    return !speaks_of(2) && !speaks_of(3);
  }

  Step* step_of(const Operand& operand) {
    return operand.value < first_step ? nullptr : &steps_[std::size_t(operand.value - first_step)];
  }
  bool is_twin(const Step& step) const {
    return step.op == number_of(FormulaOp::sincos) || step.op == number_of(FormulaOp::sincospi);
  }

  /// A result that is a product with a number becomes the other factor; any other one times 1 is itself.
  void take_factor(Operand& result, float& factor) {
    factor = 1;
    const Step* step = step_of(result);
    if (!step || step->op != number_of(ThreadOp::mul)) return;
    const int number = step->of[0].value < 0 ? 0 : 1;
    if (step->of[std::size_t(number)].value >= 0) return;
    factor = step->of[std::size_t(number)].number;
    result = step->of[std::size_t(1 - number)];
  }

  std::vector<int> uses() const {
    std::vector<int> uses(steps_.size() + first_step);
    const auto use = [&](const Operand& operand) {
      if (operand.value >= 0) ++uses[std::size_t(operand.value)];
    };
    for (const Step& step : steps_)
      for (int i = 0; step.stands && i < step.operands; ++i) use(step.of[std::size_t(i)]);
    for (const Operand& result : results_) use(result);
    return uses;
  }
  /// Uses of each value that are no summand.
  std::vector<int> uses_beside_sums() const {
    std::vector<int> others = uses();
    for (const Step& step : steps_)
      for (std::size_t i = 0; step.stands && step.op == number_of(ThreadOp::add) && i < 2; ++i)
        if (step.of[i].value >= 0) --others[std::size_t(step.of[i].value)];
    return others;
  }
  void drop_unused() {
    std::vector<int> used = uses();
    for (std::size_t s = steps_.size(); s-- > 0;) {
      Step& step = steps_[s];
      if (!step.stands || step.op == number_of(FormulaOp::draw))
        continue;  // the next draws another
      if (used[s + first_step] || (is_twin(step) && used[s + first_step + 1])) continue;
      step.stands = false;
      for (int i = 0; i < step.operands; ++i)
        if (const int value = step.of[std::size_t(i)].value; value >= 0) --used[std::size_t(value)];
    }
  }

  /// a b + c d, a b + c as a b + c 1, and with minus: one instruction that has the roundings of two or three, and one
  /// number at most. A product that is of several sums is made in each.
  void join_products() {
    const std::vector<int> others = uses_beside_sums();
    for (Step& step : steps_) {
      if (!step.stands || step.op != number_of(ThreadOp::add)) continue;
      std::array<const Step*, 2> products = {};
      for (std::size_t i = 0; i < 2; ++i) {
        const Step* const made = step_of(step.of[i]);
        if (made && made->op == number_of(ThreadOp::mul) &&
            others[std::size_t(step.of[i].value)] == 0)
          products[i] = made;
      }
      for (const int tried : {3, 1, 2}) {  // both, the first, the second
        std::array<Operand, 4> of;
        for (std::size_t i = 0; i < 2; ++i) {
          const bool is_product = products[i] && (tried >> i & 1);
          of[2 * i] = is_product ? products[i]->of[0] : step.of[i];
          of[2 * i + 1] = is_product ? products[i]->of[1] : Operand{-1, 1};
        }
        if ((!products[0] && tried & 1) || (!products[1] && tried & 2) || numbers_in(of) > 1)
          continue;
        step.op = number_of(ThreadOp::products);
        step.operands = 4;
        step.of = of;
        break;
      }
    }
  }
  static int numbers_in(const std::array<Operand, 4>& of) {
    return int(
        std::count_if(of.begin(), of.end(), [](const Operand& one) { return one.value < 0; }));
  }

  // ---- registers ----

  std::optional<u32> take_register() {
    for (u32 r = 0; r < most_thread_registers; ++r) {
      if (is_taken_[r]) continue;
      is_taken_[r] = true;
      return r * thread_register_bytes;
    }
    return {};
  }
  void give_back(u32 offset) { is_taken_[offset / thread_register_bytes] = false; }

  bool place(ThreadFormula& made) {
    const int end = int(steps_.size());
    std::vector<int> last_use(steps_.size() + first_step, -1);
    for (int s = 0; s < end; ++s)
      for (int i = 0; steps_[std::size_t(s)].stands && i < steps_[std::size_t(s)].operands; ++i)
        if (const int value = steps_[std::size_t(s)].of[std::size_t(i)].value; value >= 0)
          last_use[std::size_t(value)] = s;
    for (const Operand& result : results_) last_use[std::size_t(result.value)] = end;
    std::vector<u32> at(steps_.size() + first_step);
    is_taken_.fill(false);
    const bool colored = last_use[color_value] >= 0;
    for (int input = 0; input < (colored ? 3 : 2); ++input)
      at[std::size_t(input)] = *take_register();
    for (int input = 0; input < 2; ++input)
      if (last_use[std::size_t(input)] < 0) give_back(at[std::size_t(input)]);
    made.code.clear();
    for (int s = 0; s < end; ++s) {
      const Step& step = steps_[std::size_t(s)];
      if (!step.stands) continue;
      if (!put(step, s, last_use, at, made.code)) return false;
    }
    made.head.count = u32(made.code.size()) | (colored ? wants_color : 0);
    made.head.results = at[std::size_t(results_[0].value)] | at[std::size_t(results_[1].value)]
                                                                 << 16;
    return true;
  }

  bool put(const Step& step, int number, const std::vector<int>& last_use, std::vector<u32>& at,
           std::vector<ThreadInstruction>& code) {
    ThreadInstruction one{step.op | (step.takes_off ? takes_off : 0), 0, 0, 0};
    std::array<u32, 4> offsets = {};
    std::vector<u32> freed;
    bool has_number = false;
    for (int i = 0; i < step.operands; ++i) {
      const Operand& operand = step.of[std::size_t(i)];
      if (operand.value >= 0) {
        offsets[std::size_t(i)] = at[std::size_t(operand.value)];
        if (last_use[std::size_t(operand.value)] == number)
          freed.push_back(offsets[std::size_t(i)]);
      } else if (!has_number || bits_of(one.number) == bits_of(operand.number)) {
        has_number = true;
        one.number = operand.number;
        one.word |= a_is_number << i;
      } else {  // it has another number already
        const std::optional<u32> filled = take_register();
        if (!filled) return false;
        code.push_back(
            {number_of(FormulaOp::fill) | a_is_number | *filled << 16, 0, 0, operand.number});
        offsets[std::size_t(i)] = *filled;
        freed.push_back(*filled);
      }
    }
    // what it reads may be where it writes, but the cosine is written before
    for (const u32 offset : freed) give_back(offset);
    const std::optional<u32> to = take_register();
    if (!to) return false;
    at[std::size_t(first_step + number)] = *to;
    one.word |= *to << 16;
    if (is_twin(step)) {
      const std::optional<u32> cosine = take_register();
      if (!cosine) return false;
      at[std::size_t(first_step + number) + 1] = *cosine;
      offsets[2] = *cosine;
      if (last_use[std::size_t(first_step + number) + 1] < 0) give_back(*cosine);
    }
    if (last_use[std::size_t(first_step + number)] < 0) give_back(*to);
    one.a_and_c = offsets[0] | offsets[2] << 16;
    one.b_and_d = offsets[1] | offsets[3] << 16;
    code.push_back(one);
    return true;
  }

  const FormulaProgram& program_;
  const float* scalars_;
  std::vector<Step> steps_;
  std::array<Operand, 2> results_;
  std::array<bool, most_thread_registers> is_taken_ = {};
};

}  // namespace

bool make_thread_formula(const FormulaProgram& program, const float* scalars, ThreadFormula& made) {
  // values of joined instructions live longer
  return ThreadFormulaMaker(program, scalars).make(true, made) ||
         ThreadFormulaMaker(program, scalars).make(false, made);
}

}  // namespace kiln
