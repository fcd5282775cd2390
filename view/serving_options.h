// SPDX-License-Identifier: MIT
// The options of commands that serve: kiln view and kiln serve.
#pragma once

#include <string>
#include <vector>

#include "engine/api/kiln/render_options.h"

namespace kiln::cli {

/// An address at which something is served.
struct ServedAddress {
  std::string host = "127.0.0.1";
  int port = 0;

  bool is_local() const { return host.starts_with("127.") || host == "::1"; }
  /// "127.0.0.1:8571", "[::1]:8571".
  std::string url_host(int really) const;
};

/// Reads --serve: "127.0.0.1:8571", "[::1]:0", "8571"; empty: the usual port of this machine. Throws Error (usage), also
/// where other machines could reach it and may not.
ServedAddress served_address(const std::string& text, int usual_port, bool allow_remote);

/// Reads an address of OSC: HOST:PORT or PORT alone, which is this machine's. Throws Error (usage).
ServedAddress osc_address(const char* option, const std::string& text);

/// The words of `kiln render` for pictures that are made as the options say: seed, devices, threads, memory.
std::vector<std::string> machine_words(const RenderOptions& options, const std::string& devices);

}  // namespace kiln::cli
