// --checkpoint, --state, --resume, --shard: renders whose sums are kept in a state file
// (docs/cli.md, "Stopping and going on"); --until-noise and its like: renders that end when they are
// good enough ("Stopping when it is good").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/talk.h"
#include "engine/render/renderer.h"

namespace kiln::cli {

struct KeepOptions {
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

struct Job;
struct RenderArguments;

/// Renders the picture of a job; where it ends early, the job's flame gets the quality that it came to.
/// Nothing where it was stopped (`stopped`) or is a shard; its state is written then.
std::optional<Image> render_job(const RenderArguments& args, Job& job, const RenderOptions& options,
                                Talk& talk, RenderStatistics& statistics, bool& stopped);

}  // namespace kiln::cli
