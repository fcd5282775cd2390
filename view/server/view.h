// SPDX-License-Identifier: MIT
// The live view as the command sees it: there, or not in this build.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/api/kiln/render_options.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/live/live_flame.h"
#include "engine/model/flame.h"

namespace kiln::cli {

struct ViewSettings {
  std::string address = "127.0.0.1";
  int port = 8571;
  bool any_port_will_do = false;  // where that one is taken
  bool allow_remote = false;
  bool browser = true;                    // is opened if there is one
  std::string palettes;                   // library; empty: the usual one
  std::vector<std::string> render_words;  // options of `kiln render` for renders of pages
  bool by_chance = false;                 // nobody named the flames
  // OSC: where numbers are taken from, and where they go as they change; no host: not at all.
  std::string osc_host, osc_to_host;
  int osc_port = 0, osc_to_port = 0;
};

/// Throws Error (unsupported) with what was missing when kiln was built without the view.
void check_view_is_built();

/// Called with the state of the flame after each change.
using OnChange = std::function<void(const LiveFlame::State&)>;

/// A second view that shows and edits the same live flame: the window.
struct Companion {
  LiveFlame::Listener listener;  // called as those of pages are, without small pictures
  /// Runs on the thread that called view(), which returns after it; the callback tells the pages.
  std::function<void(LiveFlame&, const OnChange&)> run;
};

/// Serves the flames until a signal or the companion ends it; gives the exit code. Throws Error.
int view(std::vector<Flame> flames, const ReaderOptions& reader, const RenderOptions& options,
         const ViewSettings& settings, const Companion* companion = nullptr);

}  // namespace kiln::cli
