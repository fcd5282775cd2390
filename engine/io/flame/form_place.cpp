// SPDX-License-Identifier: MIT
#include "engine/io/flame/form_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "engine/base/error.h"
#include "engine/model/formula.h"
#include "engine/model/meanings.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

/// A name and the number of its use: "julian.1._power" is the second use of julian_power.
struct Used {
  std::string name;
  int use = 0;
};

Used used(std::string_view text) {
  const std::size_t first = text.find('.');
  const std::size_t second = first == text.npos ? first : text.find('.', first + 1);
  if (first == text.npos) return {std::string(text), 0};
  const std::size_t end = second == text.npos ? text.size() : second;
  int use = 0;
  const auto [stop, error] = std::from_chars(text.data() + first + 1, text.data() + end, use);
  if (error != std::errc() || stop != text.data() + end || use < 1) return {std::string(text), 0};
  const std::string_view rest = second == text.npos ? std::string_view() : text.substr(second + 1);
  return {std::string(text.substr(0, first)) + std::string(rest), use};
}

/// Whether the regular place is in use: with a weight, or with parameters of its own.
bool has_regular(const Xform& xform, int variation) {
  if (is_formula(variation)) return false;
  if (xform.variations[std::size_t(variation)] != 0) return true;
  const VariationInfo& info = info_of(variation);
  for (std::size_t p = 0; p < info.parameters.size(); ++p) {
    const std::size_t index = std::size_t(info.first_parameter) + p;
    if (xform.parameters[index] != default_parameters()[index]) return true;
  }
  return false;
}

/// The staged form of that name and use; null where there is none. pre_blur may be staged, too.
StagedVariation* staged_use(Xform& xform, const std::string& name, int use) {
  for (StagedVariation& form : xform.staged)
    if (form_name(form.stage, form.variation) == name && use-- == 0) return &form;
  return nullptr;
}

double* number_in(Xform& xform, const NamedForm& form, int parameter, int use) {
  const bool is_regular = form.stage == Stage::regular && !is_formula(form.variation);
  const bool beside = is_regular && has_regular(xform, form.variation);
  const std::string name = form_name(form.stage, form.variation);
  StagedVariation* staged = nullptr;
  int uses = beside;
  while (staged_use(xform, name, uses - beside)) ++uses;
  if (use > uses)
    fail(ErrorKind::usage, "{}.{}.: the xform uses {} {} times; the next is {}.{}.", name, use,
         name, uses, name, uses);
  if (!(beside && use == 0)) {
    staged = staged_use(xform, name, use - beside);
    if (!staged && !(is_regular && use == 0))
      staged = &staged_form(xform.staged, {form.stage, form.variation, 0, {}}, use - beside);
  }
  if (staged)
    return parameter < 0 ? &staged->weight : &staged->parameters.at(std::size_t(parameter));
  if (parameter < 0) return &xform.variations[std::size_t(form.variation)];
  return &xform.parameters[std::size_t(info_of(form.variation).first_parameter + parameter)];
}

}  // namespace

double* form_number(Xform& xform, std::string_view text) {
  const Used said = used(text);
  if (const auto form = find_form(said.name)) return number_in(xform, *form, -1, said.use);
  if (const auto named = find_form_parameter(said.name))
    return number_in(xform, {named->stage, named->variation}, named->parameter, said.use);
  return nullptr;
}

std::optional<std::vector<std::string>> form_parameters(std::string_view text) {
  const Used said = used(text);
  const auto form = find_form(said.name);
  if (!form) return {};
  const std::string name = form_name(form->stage, form->variation);
  std::vector<std::string> names;
  for (std::size_t p = 0; p < info_of(form->variation).parameters.size(); ++p) {
    const std::string one = form_parameter_name(form->stage, form->variation, int(p));
    names.push_back(
        said.use == 0 ? one : fmt::format("{}.{}.{}", name, said.use, one.substr(name.size())));
  }
  return names;
}

bool remove_form(Xform& xform, std::string_view text) {
  const Used said = used(text);
  const auto form = find_form(said.name);
  if (!form) return false;
  const bool beside = form->stage == Stage::regular && has_regular(xform, form->variation);
  if (beside && said.use == 0) {
    const VariationInfo& info = info_of(form->variation);
    xform.variations[std::size_t(form->variation)] = 0;
    std::copy_n(default_parameters().begin() + info.first_parameter, info.parameters.size(),
                xform.parameters.begin() + info.first_parameter);
    return true;
  }
  const StagedVariation* const staged =
      staged_use(xform, form_name(form->stage, form->variation), said.use - beside);
  if (staged) xform.staged.erase(xform.staged.begin() + (staged - xform.staged.data()));
  return staged != nullptr;
}

std::vector<std::string> form_names(const Xform& xform) {
  std::vector<std::string> names;
  for (std::size_t v = 0; v < xform.variations.size(); ++v)
    if (xform.variations[v] != 0) names.push_back(info_of(int(v)).name);
  for (std::size_t s = 0; s < xform.staged.size(); ++s) {
    const StagedVariation& form = xform.staged[s];
    const bool beside = form.stage == Stage::regular && has_regular(xform, form.variation);
    const int use = use_of(xform.staged, s) + beside;
    const std::string name = form_name(form.stage, form.variation);
    names.push_back(use == 0 ? name : fmt::format("{}.{}.", name, use));
  }
  return names;
}

}  // namespace kiln
