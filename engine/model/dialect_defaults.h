// Values of parameters that a file leaves out. Fractorium and Apophysis, from whose plug-ins many
// variations are, have others than flam3 for some of flam3's own.
#pragma once

#include <vector>

#include "engine/model/flame.h"

namespace kiln {

/// Of all parameters, registry order.
const std::vector<double>& default_parameters(Dialect dialect);

}  // namespace kiln
