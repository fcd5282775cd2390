// SPDX-License-Identifier: MIT
#include "engine/base/cores.h"

#include "engine/base/platform/cores.h"

namespace kiln {

int usable_cores() {
  static const int cores = read_usable_cores();
  return cores;
}

}  // namespace kiln
