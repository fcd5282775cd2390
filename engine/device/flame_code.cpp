#include "engine/device/flame_code.h"

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

/// The type of one xform; its numbers are appended.
std::string append_xform(const CompiledFlame& flame, const XformData& xform, FlameCode& code) {
  std::string type = fmt::format("kiln::XformShape<{}, {}", code.numbers.size(),
                                 xform.has_post ? "true" : "false");
  append(code.numbers, &xform.coefs, 6);
  append(code.numbers, &xform.color_pull, 1);
  append(code.numbers, &xform.color_keep, 1);
  append(code.numbers, &xform.post, 6);
  append(code.numbers, &xform.opacity, 1);
  for (int t = xform.first_term; t < xform.first_term + xform.term_count; ++t) {
    const VariationTerm& term = flame.terms[std::size_t(t)];
    type += fmt::format(", {}", term.variation);
    append(code.numbers, &term.weight, 1);
    append(code.numbers, flame.parameters.data() + term.parameters,
           parameter_words(AllVariations{}, term.variation));
  }
  return type + ">";
}

}  // namespace

std::optional<FlameCode> flame_code(const CompiledFlame& flame, int blocks, bool divergent) {
  if (flame.terms.size() > most_terms) return std::nullopt;
  FlameCode code;
  const std::size_t count = std::size_t(flame.program.xform_count);
  int row = flame.xforms[0].palette_row;
  for (std::size_t f = 0; f < count; ++f) {
    const std::int32_t mine = flame.xforms[f].palette_row;
    append(code.numbers, &mine, 1);
    if (mine != row) row = -2;  // mixed_rows
  }
  std::string xforms, last = "kiln::NoXform";
  for (std::size_t f = 0; f < count; ++f)
    xforms += ",\n    " + append_xform(flame, flame.xforms[f], code);
  if (flame.program.has_final) last = append_xform(flame, flame.xforms[count], code);
  if (code.numbers.size() > most_numbers) return std::nullopt;
  code.source = fmt::format(
      "#include \"engine/device/cuda_specialised.cuh\"\n"
      "{0}"
      "using Code = kiln::SpecialisedCode<{1}, {2}, {3}, {4}, {5}, {6}{7}>;\n"
      "{8}(kiln_warm_up, Code, {9}, true)\n"
      "{8}(kiln_iterate, Code, {9}, false)\n",
      divergent ? "#include \"engine/device/cuda_divergent.cuh\"\n" : "", code.numbers.size(),
      flame.program.tiling.x_bits, flame.program.tiling.y_bits,
      flame.program.has_xaos ? "true" : "false", row, last, xforms,
      divergent ? "KILN_DIVERGENT_KERNEL" : "KILN_SPECIALISED_KERNEL", blocks);
  return code;
}

}  // namespace kiln
