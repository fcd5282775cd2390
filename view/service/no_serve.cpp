// SPDX-License-Identifier: MIT
// In place of the rest of this folder where kiln is built without it.
#include "engine/base/error.h"
#include "view/service/serve.h"

namespace kiln::cli {

void check_serve_is_built() {
  fail(ErrorKind::unsupported,
       "this kiln was built without \"kiln serve\", which needs what \"kiln view\" does, Boost's "
       "headers and "
       "libturbojpeg: apt install libboost-dev libturbojpeg0-dev, and build it again with "
       "-DKILN_VIEW=ON; kiln render "
       "--jobs - does the same through a pipe");
}

int serve(const ServeSettings&, const RenderOptions&) {
  check_serve_is_built();
  return 0;
}

}  // namespace kiln::cli
