// SPDX-License-Identifier: MIT
// In place of the rest of this folder where kiln is built without it.
#include "engine/base/error.h"
#include "view/server/view.h"

namespace kiln::cli {

void check_view_is_built() {
  fail(ErrorKind::unsupported,
       "this kiln was built without \"kiln view\", which needs Boost's headers and libturbojpeg: "
       "apt install libboost-dev libturbojpeg0-dev, and build it again with -DKILN_VIEW=ON");
}

int view(std::vector<Flame>, const ReaderOptions&, const RenderOptions&, const ViewSettings&,
         const Companion*) {
  check_view_is_built();
  return 0;
}

}  // namespace kiln::cli
