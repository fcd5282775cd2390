#include "engine/model/flame.h"

#include <set>

namespace kiln {

std::vector<std::string> missing_names(const Flame& flame) {
  std::vector<std::string> names;
  std::set<std::string> named;
  for (const Missing& missing : flame.missing)
    if (named.insert(missing.what).second) names.push_back(missing.what);
  return names;
}

}  // namespace kiln
