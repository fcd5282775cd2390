// pre_ and post_ forms of several flames side by side.
#pragma once

#include <vector>

#include "engine/model/flame.h"

namespace kiln {

/// The form that `like` is, at the same stage of the same variation; put behind the others with
/// weight 0 and the default parameters where there is none.
StagedVariation& staged_form(std::vector<StagedVariation>& forms, const StagedVariation& like);

}  // namespace kiln
