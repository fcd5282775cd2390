// SPDX-License-Identifier: MIT
#include "engine/model/flame.h"

#include <set>

namespace kiln {

bool has_gradient(const Flame& flame) {
  const std::size_t shown = flame.background_type == BackgroundType::single_color   ? 0
                            : flame.background_type == BackgroundType::gradient_2x2 ? 4
                                                                                    : 5;
  for (std::size_t i = 1; i < shown; ++i)
    if (flame.*background_parts[i] != flame.background_ul) return true;
  return false;
}

std::vector<std::string> missing_names(const Flame& flame) {
  std::vector<std::string> names;
  std::set<std::string> named;
  for (const Missing& missing : flame.missing)
    if (named.insert(missing.what).second) names.push_back(missing.what);
  return names;
}

}  // namespace kiln
