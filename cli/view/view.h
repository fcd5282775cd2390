// The live view as the command sees it: there, or not in this build.
#pragma once

#include <string>
#include <vector>

#include "engine/io/flame_reader.h"
#include "engine/kiln/render_options.h"
#include "engine/model/flame.h"

namespace kiln::cli {

struct ViewSettings {
  std::string address = "127.0.0.1";
  int port = 8571;
  bool any_port_will_do = false;  // where that one is taken
  bool allow_remote = false;
  bool browser = true;   // is opened if there is one
  std::string palettes;  // library; empty: the usual one
};

/// Throws Error (unsupported) with what was missing when kiln was built without the view.
void check_view_is_built();

/// Serves the flames until the program ends. Throws Error.
void view(std::vector<Flame> flames, const ReaderOptions& reader, const RenderOptions& options,
          const ViewSettings& settings);

}  // namespace kiln::cli
