#include "engine/model/staged.h"

#include <algorithm>

#include "engine/model/variations.h"

namespace kiln {

StagedVariation& staged_form(std::vector<StagedVariation>& forms, const StagedVariation& like) {
  const auto found = std::find_if(forms.begin(), forms.end(), [&](const StagedVariation& form) {
    return form.stage == like.stage && form.variation == like.variation;
  });
  if (found != forms.end()) return *found;
  StagedVariation fresh{like.stage, like.variation, 0, {}};
  for (const ParameterInfo& parameter : variations()[std::size_t(like.variation)].parameters)
    fresh.parameters.push_back(parameter.default_value);
  forms.push_back(fresh);
  return forms.back();
}

}  // namespace kiln
