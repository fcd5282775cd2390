// SPDX-License-Identifier: MIT
#include "engine/device/cuda/jit/flame_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "kernels/formula.h"
#include "kernels/variations/all.h"

namespace kiln {
namespace {

constexpr std::size_t most_terms = 256;  // variations in the code
// 4-byte words: a kernel takes 32 KB of arguments since CUDA 12.1, shared memory has room for so
// many of a time sample beside the records
constexpr std::size_t most_numbers = 7800, most_moving_numbers = 4096;

template <class... Vs>
std::size_t parameter_words(VariationList<Vs...>, int variation) {
  static constexpr std::size_t words[] = {sizeof(Vs) / sizeof(float)...};
  return words[variation];
}

void append(std::vector<std::uint32_t>& numbers, const void* from, std::size_t words) {
  const std::size_t at = numbers.size();
  numbers.resize(at + words);
  std::memcpy(numbers.data() + at, from, words * 4);
}

/// Pads a flame in motion to 16 bytes, where a block begins: shared memory gives them in one load.
void align(FlameCode& code) {
  if (code.moving) code.numbers.resize((code.numbers.size() + 3) / 4 * 4);
}

// Formulas of the flame (kernels/formula.h): their instructions as source.

bool is_of_formula(const VariationTerm& term) { return term.variation >= AllVariations::size; }
const CompiledFlame::Formula& formula_of(const CompiledFlame& flame, const VariationTerm& term) {
  return flame.formulas[std::size_t(term.variation - AllVariations::size)];
}

std::string operand_source(std::uint32_t operand) {
  return operand >= formula_scalar ? fmt::format("s[{}]", operand - formula_scalar)
                                   : fmt::format("r{}", operand);
}

/// The function that an operation calls, and how many numbers it takes; of the machine's own none.
struct CalledFunction {
  const char* name = nullptr;
  int numbers = 0;
};
CalledFunction called_by(FormulaOp op) {
  switch (op) {
#define KILN_FORMULA_CASE(name, value) \
  case FormulaOp::name##_:             \
    return {#name, 1};
    KILN_FORMULA_UNARY(KILN_FORMULA_CASE)
#undef KILN_FORMULA_CASE
#define KILN_FORMULA_CASE(name, value) \
  case FormulaOp::name##_:             \
    return {#name, 2};
    KILN_FORMULA_BINARY(KILN_FORMULA_CASE)
    KILN_FORMULA_PAIR(KILN_FORMULA_CASE)
#undef KILN_FORMULA_CASE
#define KILN_FORMULA_CASE(name, value) \
  case FormulaOp::name##_:             \
    return {#name, 3};
    KILN_FORMULA_TERNARY(KILN_FORMULA_CASE)
#undef KILN_FORMULA_CASE
    default:
      return {};
  }
}

std::string instruction_source(std::uint32_t word, std::uint32_t c) {
  constexpr const char* inputs[] = {"at.x", "at.y", "at.z", "at.color"};
  const FormulaOp op = FormulaOp(word & 0xff);
  const std::uint32_t to = (word >> 8) & 0xff, a = (word >> 16) & 0xff, b = word >> 24;
  if (const CalledFunction called = called_by(op); called.numbers > 0) {
    std::string numbers = operand_source(a);
    if (called.numbers > 1) numbers += ", " + operand_source(b);
    if (called.numbers > 2) numbers += ", " + operand_source(c);
    return fmt::format("    r{} = kiln::formula_{}({});\n", to, called.name, numbers);
  }
  switch (op) {
    case FormulaOp::input:
      return fmt::format("    r{} = {};\n", to, inputs[a & 3]);
    case FormulaOp::fill:
      return fmt::format("    r{} = {};\n", to, operand_source(a));
    case FormulaOp::draw:
      return fmt::format("    r{} = random.uniform();\n", to);
    default:
      return fmt::format(
          "    {{ const kiln::SinCos both = kiln::{}(r{}); r{} = both.s; r{} = both.c; }}\n",
          op == FormulaOp::sincos ? "sincos" : "sincospi", a, to, c);
  }
}

/// The struct FlameFormula<place> of a formula.
std::string formula_source(const CompiledFlame& flame, std::size_t place) {
  const CompiledFlame::Formula& formula = flame.formulas[place];
  std::uint32_t count = 0, results = 0;
  const float* const code = flame.parameters.data() + formula.code;
  std::memcpy(&count, code, 4);
  std::memcpy(&results, code + 1, 4);
  std::vector<std::uint32_t> words(2 * std::size_t(count));
  if (count > 0) std::memcpy(words.data(), code + 2, 4 * words.size());
  std::string body, registers;
  bool draws = false;
  std::uint32_t last_register = 0;
  for (std::size_t k = 0; k < words.size(); k += 2) {
    const FormulaOp op = FormulaOp(words[k] & 0xff);
    draws |= op == FormulaOp::draw;
    last_register = std::max(last_register, (words[k] >> 8) & 0xff);
    if (op == FormulaOp::sincos || op == FormulaOp::sincospi)
      last_register = std::max(last_register, words[k + 1]);
    body += instruction_source(words[k], words[k + 1]);
  }
  constexpr const char* outputs[] = {"at.out_x", "at.out_y", "at.out_z", "at.color"};
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t operand = (results >> (8 * i)) & 0xff;
    if (operand != formula_nothing)
      body += fmt::format("    {} = {};\n", outputs[i], operand_source(operand));
  }
  for (std::uint32_t r = 0; r <= last_register; ++r)
    registers += fmt::format("{}r{}", r == 0 ? "" : ", ", r);
  return fmt::format(
      "struct FlameFormula{} {{\n"
      "  static constexpr int count = {};\n"
      "  static constexpr bool draws = {};\n"
      "  KILN_FN static void run(const float* s, kiln::FormulaPlaces& at, kiln::Random& random) "
      "{{\n"
      "    kiln::Real {};\n{}  }}\n}};\n",
      place, formula.scalars, draws ? "true" : "false", registers, body);
}

/// The part of an xform that is in its type: whether it has a post affine, and its variations.
std::string kind_of(const CompiledFlame& flame, const XformData& xform, bool own_post) {
  std::string kind = xform.has_post && own_post ? "true" : "false";
  for (int t = xform.first_term; t < xform.first_term + xform.term_count; ++t) {
    const VariationTerm& term = flame.terms[std::size_t(t)];
    kind += is_of_formula(term) ? fmt::format(", kiln::FormulaTerm<FlameFormula{}, {}>",
                                              term.variation - AllVariations::size, term.form)
            : flame.program.extended
                ? fmt::format(", kiln::ExtendedTerm<{}, {}>", term.variation, term.form)
                : fmt::format(", {}", term.variation);
  }
  return kind;
}

/// The type of the xforms of one kind; the numbers of the first begin at word `at`.
std::string kind_type(const CompiledFlame& flame, std::size_t at, bool shared,
                      const std::string& kind) {
  return fmt::format("kiln::{}<{}, {}, {}>",
                     flame.program.extended ? "ExtendedXformShape" : "XformShape", at,
                     shared ? "true" : "false", kind);
}

/// Appends the numbers of one xform.
void append_xform(const CompiledFlame& flame, const XformData& xform, FlameCode& code) {
  align(code);
  append(code.numbers, &xform.coefs, 6);
  append(code.numbers, &xform.color_pull, 1);
  append(code.numbers, &xform.color_keep, 1);
  append(code.numbers, &xform.post, 6);
  append(code.numbers, &xform.opacity, 1);
  for (int t = xform.first_term; t < xform.first_term + xform.term_count; ++t) {
    const VariationTerm& term = flame.terms[std::size_t(t)];
    append(code.numbers, &term.weight, 1);
    if (flame.program.extended && term.form == stage_color) continue;
    if (is_of_formula(term)) {  // behind the place of its code
      const std::size_t scalars = std::size_t(formula_of(flame, term).scalars);
      append(code.numbers, flame.parameters.data() + term.parameters + 1,
             std::max<std::size_t>(scalars, 1));
      continue;
    }
    append(code.numbers, flame.parameters.data() + term.parameters,
           parameter_words(AllVariations{}, term.variation));
  }
}

/// The kinds of a flame's xforms, each once, in the order of their first xforms.
struct Kinds {
  std::vector<std::string> names;
  std::vector<std::size_t> of_xform, users;  // index of each xform's kind; xforms of each kind
  std::size_t terms = 0;                     // of all kinds and the final xform

  explicit Kinds(const CompiledFlame& flame) {
    const std::size_t copies = std::size_t(flame.program.copy_count);
    for (std::size_t f = 0; f < std::size_t(flame.program.xform_count); f += copies) {
      const std::string name = kind_of(flame, flame.xforms[f], copies == 1);
      const auto found = std::find(names.begin(), names.end(), name);
      of_xform.push_back(std::size_t(found - names.begin()));
      if (found == names.end()) {
        names.push_back(name);
        users.push_back(0);
        terms += std::size_t(flame.xforms[f].term_count);
      }
      ++users[of_xform.back()];
    }
    if (flame.program.has_final)
      terms += std::size_t(flame.xforms[std::size_t(flame.program.xform_count)].term_count);
  }
  bool some_shared() const { return names.size() < of_xform.size(); }
};

/// The places of the numbers of a time sample, counted from its first.
struct NumberLayout {
  std::size_t camera_at = 0;        // in motion
  std::vector<std::size_t> blocks;  // of the xforms and the final one
};

/// Appends the numbers of a time sample (FlameNumbers).
NumberLayout append_time_sample(const CompiledFlame& flame, std::size_t time_sample,
                                const Kinds& kinds, FlameCode& code) {
  const std::size_t begin = code.numbers.size();
  const std::size_t count = std::size_t(flame.program.xform_count);
  const XformData* xforms =
      flame.xforms.data() + time_sample * std::size_t(flame.program.xform_stride);
  const std::size_t copies = std::size_t(flame.program.copy_count);
  for (std::size_t f = 0; f < count; f += copies) append(code.numbers, &xforms[f].palette_row, 1);
  const std::size_t places_at = code.numbers.size();
  if (kinds.some_shared()) code.numbers.resize(places_at + kinds.of_xform.size());
  NumberLayout layout;
  if (code.moving) {
    align(code);
    layout.camera_at = code.numbers.size() - begin;
    append(code.numbers, &flame.cameras[time_sample], 6);
  }
  std::vector<std::size_t> first_of_kind;
  const auto add_block = [&](const XformData& xform) {
    align(code);
    layout.blocks.push_back(code.numbers.size() - begin);
    append_xform(flame, xform, code);
  };
  for (std::size_t f = 0; f < count; f += copies) {
    const std::size_t i = f / copies, kind = kinds.of_xform[i];
    add_block(xforms[f]);
    const std::size_t at = layout.blocks[i];
    if (kind == first_of_kind.size()) first_of_kind.push_back(at);
    if (kinds.some_shared())
      code.numbers[places_at + i] = std::uint32_t((at - first_of_kind[kind]) << 8 | kind);
  }
  if (flame.program.has_final) add_block(xforms[count]);
  align(code);
  return layout;
}

/// The types of all kinds, each behind a comma, and of the final xform.
struct Types {
  std::string kinds, last = "kiln::NoXform";
};
Types types_of(const CompiledFlame& flame, const Kinds& kinds, const NumberLayout& layout) {
  Types types;
  std::size_t next = 0;
  for (std::size_t i = 0; i < kinds.of_xform.size(); ++i) {
    if (kinds.of_xform[i] != next) continue;  // not the first of its kind
    types.kinds +=
        ",\n    " + kind_type(flame, layout.blocks[i], kinds.users[next] > 1, kinds.names[next]);
    ++next;
  }
  if (flame.program.has_final) {
    const XformData& xform = flame.xforms[std::size_t(flame.program.xform_count)];
    types.last = kind_type(flame, layout.blocks.back(), false, kind_of(flame, xform, true));
  }
  return types;
}

/// The palette row of all xforms at all time samples, or mixed_rows.
int common_row(const CompiledFlame& flame) {
  const int row = flame.xforms[0].palette_row;
  const std::size_t stride = std::size_t(flame.program.xform_stride);
  for (std::size_t i = 0; i < flame.xforms.size(); ++i) {
    const bool final_xform = int(i % stride) == flame.program.xform_count;
    if (!final_xform && flame.xforms[i].palette_row != row) return -2;
  }
  return row;
}

/// Appends the numbers of all time samples but the first, which are there already.
void append_other_time_samples(const CompiledFlame& flame, FlameCode& code) {
  const std::size_t time_samples = std::size_t(flame.program.time_sample_count);
  code.numbers.reserve(code.numbers.size() * time_samples);
  const Kinds kinds(flame);
  for (std::size_t m = 1; m < time_samples; ++m) append_time_sample(flame, m, kinds, code);
}

/// Whether some term needs the long list of variations.
bool uses_jwildfires(const CompiledFlame& flame) {
  if (flame.program.extended < of_formulas_list)
    return flame.program.extended == of_jwildfires_list;
  return std::any_of(flame.terms.begin(), flame.terms.end(), [](const VariationTerm& term) {
    return term.variation >= ExtendedVariations::size && !is_of_formula(term);
  });
}

/// The source for a flame of this structure, and the numbers of its first time sample. Nothing
/// where flame_code() gives nothing.
std::optional<FlameCode> first_time_sample_code(const CompiledFlame& flame, bool moving,
                                                bool divergent) {
  // played by the interpreter alone
  if (flame.program.fine || flame.program.more_finals > 0) return std::nullopt;
  if (divergent && (moving || flame.program.extended)) return std::nullopt;
  FlameCode code;
  code.moving = moving;
  const Kinds kinds(flame);
  const NumberLayout layout = append_time_sample(flame, 0, kinds, code);
  const std::size_t words = code.numbers.size();
  if (kinds.terms > most_terms || words > (moving ? most_moving_numbers : most_numbers))
    return std::nullopt;
  const std::string numbers =
      moving ? fmt::format("kiln::FlameNumbers<{}, {}>", words, layout.camera_at)
             : fmt::format("kiln::FlameNumbers<{}>", words);
  const char* const macro = divergent ? "KILN_DIVERGENT_KERNEL"
                            : moving  ? "KILN_MOVING_KERNEL"
                                      : "KILN_SPECIALIZED_KERNEL";
  const Types types = types_of(flame, kinds, layout);
  std::string formulas;
  for (std::size_t i = 0; i < flame.formulas.size(); ++i) formulas += formula_source(flame, i);
  code.source = fmt::format(
      "{}{}"
      "#include \"engine/device/cuda/jit/flame_kernel.cuh\"\n"
      "{}{}"
      "using Code = kiln::{}{}, {}, {}, {}, {}, {}{}>;\n"
      "{}(Code)\n",
      uses_jwildfires(flame) ? "#define KILN_JWILDFIRE_VARIATIONS\n" : "",
      flame.steering.empty() ? "" : "#define KILN_STEERED_GAME\n",
      divergent ? "#include \"engine/device/cuda/checks/divergent.cuh\"\n" : "", formulas,
      !flame.program.extended ? "SpecializedCode<"
      : flame.program.has_z   ? "ExtendedSpecializedCode<true, "
                              : "ExtendedSpecializedCode<false, ",
      numbers, flame.program.has_xaos ? "true" : "false", common_row(flame), kinds.of_xform.size(),
      flame.program.copy_count, types.last, types.kinds, macro);
  return code;
}

bool is_moving(const CompiledFlame& flame) { return flame.program.time_sample_count > 1; }

}  // namespace

std::size_t moving_bytes(const CompiledFlame& flame) {
  if (!is_moving(flame)) return 0;
  const std::size_t time_samples = std::size_t(flame.program.time_sample_count);
  if (!flame.time_sample_numbers.empty())
    return flame.time_sample_numbers.size() / time_samples * 4;
  FlameCode code;
  code.moving = true;
  append_time_sample(flame, 0, Kinds(flame), code);
  return code.numbers.size() > most_moving_numbers ? 0 : code.numbers.size() * 4;
}

std::vector<std::uint32_t> time_sample_numbers(const CompiledFlame& flame) {
  std::optional<FlameCode> code = first_time_sample_code(flame, is_moving(flame), false);
  if (!code) return {};
  append_other_time_samples(flame, *code);
  return std::move(code->numbers);
}

std::optional<FlameCode> flame_code(const CompiledFlame& flame, bool divergent) {
  std::optional<FlameCode> code = first_time_sample_code(flame, is_moving(flame), divergent);
  if (code && flame.time_sample_numbers.empty()) append_other_time_samples(flame, *code);
  return code;
}

std::string flame_source(const CompiledFlame& flame, bool moving) {
  const std::optional<FlameCode> code = first_time_sample_code(flame, moving, false);
  return code ? code->source : std::string();
}

}  // namespace kiln
