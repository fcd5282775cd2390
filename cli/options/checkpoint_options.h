// SPDX-License-Identifier: MIT
// --checkpoint, --state, --resume, --shard: renders whose sums are kept in a state file
// (docs/reference/cli.md, "Stopping and going on"); --until-noise and its like: renders that end when they are
// good enough ("Stopping when it is good").
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/command.h"
#include "engine/render/still.h"

namespace kiln::cli {

struct CheckpointOptions {
  std::optional<double> checkpoint_s;
  std::string state;  // name of the file, a template
  bool resume = false;
  std::optional<Shard> shard;
  std::optional<double> until_noise_percent, until_psnr_db;

  void add_to(Command& command, RenderOptions& options);
  /// What noise ends pictures. Throws Error (usage) for options that contradict each other.
  void complete(RenderOptions& options) const;
  /// Whether sums are kept at all.
  bool wanted() const { return checkpoint_s || !state.empty() || resume || shard; }
  /// The usual name beside that of a picture: rose.kiln, or rose.2-4.kiln for the second of four.
  std::string usual_name(const std::string& picture) const;
};

/// Throws Error (usage) where a state that nobody goes on with would be replaced.
void check_no_state_is_lost(const std::string& path);

}  // namespace kiln::cli
