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
  std::optional<Share> share;
  std::optional<double> until_noise_percent, until_psnr_db, time_limit_s;
  bool halves = false;

  void add_to(Command& command);
  /// Throws Error (usage) for options that contradict each other.
  void check() const;
  Goal goal() const;
  bool in_halves() const { return halves || until_noise_percent || until_psnr_db; }
  /// Whether sums are kept at all.
  bool wanted() const { return checkpoint_s || !state.empty() || resume || share; }
  /// The usual name beside that of a picture: rose.kiln, or rose.2-4.kiln for the second of four.
  std::string usual_name(const std::string& picture) const;
};

/// The sums of these state files together, which take at most `limit` bytes; 0: what there is. Throws
/// Error.
SavedSums sums_of(const std::vector<std::string>& paths, std::uint64_t limit);

struct Job;
struct RenderArguments;

/// Whether the picture is made from sums that are there, or its own are kept or looked at.
bool is_kept(const RenderArguments& args, const Job& job);

/// Renders such a picture; where a goal ends it, the job's flame gets the quality that it came to.
/// Nothing where it was stopped (`stopped`) or is a share; its state is written then.
std::optional<Image> render_kept(const RenderArguments& args, Job& job,
                                 const RenderOptions& options, Talk& talk,
                                 RenderStatistics& statistics, bool& stopped);

}  // namespace kiln::cli
