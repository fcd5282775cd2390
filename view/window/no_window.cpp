// SPDX-License-Identifier: MIT
// In place of the rest of this folder where kiln is built without it.
#include "engine/base/error.h"
#include "view/window/window.h"

namespace kiln::cli {

void check_window_is_built() {
  fail(ErrorKind::unsupported,
       "this kiln was built without \"kiln view --window\", which needs the headers of GLFW and "
       "OpenGL: apt install libglfw3-dev libgl-dev, and build it again with -DKILN_WINDOW=ON; "
       "without --window it serves a page");
}

void view_in_window(std::vector<Flame>, const ReaderOptions&, const RenderOptions&,
                    const ViewSettings*, const std::function<void(const std::string&)>&) {
  check_window_is_built();
}

}  // namespace kiln::cli
