// SPDX-License-Identifier: MIT
// kiln serve as the command sees it: there, or not in this build.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/api/kiln/render_options.h"
#include "view/serving_options.h"

namespace kiln::cli {

struct ServeSettings {
  ServedAddress address;
  bool allow_remote = false, no_token = false, behind_proxy = false, quiet = false;
  std::string token_file;
  std::string palettes;            // library; empty: the usual one
  std::vector<std::string> words;  // of `kiln render`, for every picture
  double most_pixels = 1 << 24, most_quality = 2000, most_seconds = 60;
  int most_jobs = 16;  // of a client
  std::uint64_t most_body_bytes = 1 << 20;
};

/// Throws Error (unsupported) with what was missing when kiln was built without it.
void check_serve_is_built();

/// Serves until a signal ends it, and what was begun is done; gives the exit code. Throws Error.
int serve(const ServeSettings& settings, const RenderOptions& options);

}  // namespace kiln::cli
