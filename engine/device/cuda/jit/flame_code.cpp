#include "engine/device/cuda/jit/flame_code.h"

#include <fmt/format.h>

#include <cstring>

#include "kernels/variations/all.h"

namespace kiln {
namespace {

constexpr std::size_t most_terms = 128;    // variations of all xforms together
constexpr std::size_t most_numbers = 960;  // 4-byte words; every GPU takes 4 KB of arguments

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

/// In motion blocks begin on 16 bytes, which shared memory gives in one load.
void align(FlameCode& code) {
  if (code.moving) code.numbers.resize((code.numbers.size() + 3) / 4 * 4);
}

/// The type of one xform, if `types` are wanted; its numbers are appended.
std::string append_xform(const CompiledFlame& flame, const XformData& xform, bool own_post,
                         FlameCode& code, std::size_t begin, bool types) {
  align(code);
  std::string type;
  const bool wide = flame.program.wide;
  if (types) {
    const bool has_post = xform.has_post && own_post;
    type = fmt::format("kiln::{}<{}, {}", wide ? "WideXformShape" : "XformShape",
                       code.numbers.size() - begin, has_post ? "true" : "false");
  }
  append(code.numbers, &xform.coefs, 6);
  append(code.numbers, &xform.color_pull, 1);
  append(code.numbers, &xform.color_keep, 1);
  append(code.numbers, &xform.post, 6);
  append(code.numbers, &xform.opacity, 1);
  for (int t = xform.first_term; t < xform.first_term + xform.term_count; ++t) {
    const VariationTerm& term = flame.terms[std::size_t(t)];
    if (types && wide) {
      type += fmt::format(", kiln::WideTerm<{}, {}>", term.variation, term.form);
    } else if (types) {
      type += fmt::format(", {}", term.variation);
    }
    append(code.numbers, &term.weight, 1);
    if (wide && term.form == stage_color) continue;
    append(code.numbers, flame.parameters.data() + term.parameters,
           parameter_words(AllVariations{}, term.variation));
  }
  return types ? type + ">" : type;
}

/// The types of the xforms and the final one, or NoXform: those of moment 0, as all have them. The
/// images of a folded symmetry are one type. The numbers of a moment are appended.
struct MomentTypes {
  std::string xforms, last = "kiln::NoXform";
  std::size_t camera_at = 0;
};
MomentTypes append_moment(const CompiledFlame& flame, std::size_t moment, FlameCode& code) {
  const std::size_t begin = code.numbers.size();
  const std::size_t count = std::size_t(flame.program.xform_count);
  const XformData* xforms = flame.xforms.data() + moment * std::size_t(flame.program.xform_stride);
  const std::size_t images = std::size_t(flame.program.image_count);
  for (std::size_t f = 0; f < count; f += images) append(code.numbers, &xforms[f].palette_row, 1);
  MomentTypes types;
  if (code.moving) {
    align(code);
    types.camera_at = code.numbers.size() - begin;
    append(code.numbers, &flame.cameras[moment], 6);
  }
  const bool wanted = moment == 0;
  for (std::size_t f = 0; f < count; f += images) {
    const std::string type = append_xform(flame, xforms[f], images == 1, code, begin, wanted);
    if (wanted) types.xforms += ",\n    " + type;
  }
  if (flame.program.has_final)
    types.last = append_xform(flame, xforms[count], true, code, begin, wanted);
  align(code);
  return types;
}

/// The palette row of all xforms at all moments, or mixed_rows.
int common_row(const CompiledFlame& flame) {
  const int row = flame.xforms[0].palette_row;
  const std::size_t stride = std::size_t(flame.program.xform_stride);
  for (std::size_t i = 0; i < flame.xforms.size(); ++i) {
    const bool final_xform = int(i % stride) == flame.program.xform_count;
    if (!final_xform && flame.xforms[i].palette_row != row) return -2;
  }
  return row;
}

/// Appends the numbers of all moments but the first, which are there already.
void append_other_moments(const CompiledFlame& flame, FlameCode& code) {
  const std::size_t moments = std::size_t(flame.program.moment_count);
  code.numbers.reserve(code.numbers.size() * moments);
  for (std::size_t m = 1; m < moments; ++m) append_moment(flame, m, code);
}

bool is_small_enough(const CompiledFlame& flame, const FlameCode& first_moment) {
  const Program& program = flame.program;
  return flame.terms.size() <=
             most_terms * std::size_t(program.moment_count) * std::size_t(program.image_count) &&
         first_moment.numbers.size() <= most_numbers;
}

/// The source for a flame of this structure, and the numbers of its first moment. Nothing where
/// flame_code() gives nothing.
std::optional<FlameCode> first_moment_code(const CompiledFlame& flame, bool moving,
                                           bool divergent) {
  if (divergent && (moving || flame.program.wide)) return std::nullopt;
  FlameCode code;
  code.moving = moving;
  const MomentTypes types = append_moment(flame, 0, code);
  const std::size_t words = code.numbers.size();
  if (!is_small_enough(flame, code)) return std::nullopt;
  const std::string numbers =
      moving ? fmt::format("kiln::FlameNumbers<{}, {}>", words, types.camera_at)
             : fmt::format("kiln::FlameNumbers<{}>", words);
  const char* const macro = divergent ? "KILN_DIVERGENT_KERNEL"
                            : moving  ? "KILN_MOVING_KERNEL"
                                      : "KILN_SPECIALISED_KERNEL";
  code.source = fmt::format(
      "#include \"engine/device/cuda/jit/specialised{}.cuh\"\n"
      "{}"
      "using Code = kiln::{}{}, {}, {}, {}, {}{}>;\n"
      "{}(Code)\n",
      flame.program.wide ? "_wide" : "",
      divergent ? "#include \"engine/device/cuda/checks/divergent.cuh\"\n" : "",
      !flame.program.wide  ? "SpecialisedCode<"
      : flame.program.deep ? "WideSpecialisedCode<true, "
                           : "WideSpecialisedCode<false, ",
      numbers, flame.program.has_xaos ? "true" : "false", common_row(flame),
      flame.program.image_count, types.last, types.xforms, macro);
  return code;
}

bool is_moving(const CompiledFlame& flame) { return flame.program.moment_count > 1; }

}  // namespace

std::vector<std::uint32_t> moment_numbers(const CompiledFlame& flame) {
  std::optional<FlameCode> code = first_moment_code(flame, is_moving(flame), false);
  if (!code) return {};
  append_other_moments(flame, *code);
  return std::move(code->numbers);
}

std::optional<FlameCode> flame_code(const CompiledFlame& flame, bool divergent) {
  std::optional<FlameCode> code = first_moment_code(flame, is_moving(flame), divergent);
  if (code && flame.moment_numbers.empty()) append_other_moments(flame, *code);
  return code;
}

std::string flame_source(const CompiledFlame& flame, bool moving) {
  const std::optional<FlameCode> code = first_moment_code(flame, moving, false);
  return code ? code->source : std::string();
}

}  // namespace kiln
