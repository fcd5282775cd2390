// The part of FormReader that gives forms kiln's own names: which variation a name means depends on
// the program (engine/model/meanings.h) and on the parameters that stand beside it.
#include <cmath>

#include "engine/io/flame/form_reader.h"
#include "engine/model/variations.h"

namespace kiln {
double* FormReader::regular_parameters(int variation) {
  return values_.parameters.data() + info_of(variation).first_parameter;
}

/// `usual`: of parameters that are not given.
void FormReader::take_meanings(const std::vector<double>& usual) {
  for (std::size_t p = 0; p < parameters_.size(); ++p) {  // extend() adds some
    const Parameter given = parameters_[p];
    const auto extension = extension_to(given.variation);
    if (!given.of_base || !extension) continue;
    if (given.parameter == extension->decisive && std::abs(given.value - extension->neutral) > 1e-5)
      extend(*extension, given.stage, usual);
    if (!uses(given.variation, given.stage) && given.stage == Stage::regular)
      regular_parameters(given.variation)[given.parameter] =
          usual_[std::size_t(info_of(given.variation).first_parameter + given.parameter)];
  }
  std::erase_if(parameters_, [&](const Parameter& given) {
    return given.of_base && !uses(given.variation, given.stage);
  });
  for (Weight& form : weights_) {
    if (form.weight != 0 && may_mean_flam3s(form.variation, rules_.names))
      renamed_.insert(info_of(form.variation).name);
    const NamedForm meant = meant_by({form.stage, form.variation}, rules_.names);
    if (meant.variation != form.variation) move_form(form, meant);
  }
  for (Parameter& given : parameters_) {
    const int meant = meant_by({given.stage, given.variation}, rules_.names).variation;
    if (meant != given.variation) move_parameter(given, meant);
  }
}

/// Where the base is in use, it becomes the extended variation.
void FormReader::extend(const Extension& extension, Stage stage, const std::vector<double>& usual) {
  if (!uses(extension.base, stage)) return;
  for (Weight& form : weights_)
    if (form.variation == extension.base && form.stage == stage)
      move_form(form, {stage, extension.extended});
  const std::size_t first = std::size_t(info_of(extension.base).first_parameter);
  const int count = int(info_of(extension.base).parameters.size());
  std::vector<Parameter> all;
  for (int p = 0; p < count; ++p) {
    all.push_back({stage, extension.extended, p, usual[first + std::size_t(p)]});
    if (stage == Stage::regular) regular_parameters(extension.extended)[p] = all.back().value;
  }
  for (Parameter& given : parameters_) {
    if (given.variation != extension.base || given.stage != stage) continue;
    move_parameter(given, extension.extended);
  }
  parameters_.insert(parameters_.begin(), all.begin(), all.end());  // what is given comes after
}

void FormReader::move_form(Weight& form, const NamedForm& to) {
  if (form.stage == Stage::regular) values_.variations[std::size_t(form.variation)] = 0;
  if (to.stage == Stage::regular) values_.variations[std::size_t(to.variation)] += form.weight;
  form.stage = to.stage;
  form.variation = to.variation;
}

void FormReader::move_parameter(Parameter& given, int to) {
  if (given.stage == Stage::regular) {
    double& before = regular_parameters(given.variation)[given.parameter];
    before = usual_[std::size_t(info_of(given.variation).first_parameter + given.parameter)];
    regular_parameters(to)[given.parameter] = given.value;
  }
  given.variation = to;
}

void FormReader::convert_regular_forms() {
  for (std::size_t v = 0; v < values_.variations.size(); ++v) {
    double& weight = values_.variations[v];
    if (weight != 0)
      convert(int(v), Stage::regular, rules_.names, weight, regular_parameters(int(v)));
  }
}

}  // namespace kiln
