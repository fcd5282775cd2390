// SPDX-License-Identifier: MIT
#include "cli/options/checkpoint_options.h"

#include <filesystem>

#include "cli/options/option_value.h"
#include "cli/options/picture_options.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/state/state_file.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

constexpr int most_shards = 100'000;

/// 2/4
Shard shard_value(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    fail(ErrorKind::usage, "--shard {}: needs I/N, such as 2/4", printable_whole(text));
  const Range counts{1, most_shards};
  const Shard shard{whole_value("--shard", text.substr(0, slash), counts),
                    whole_value("--shard", text.substr(slash + 1), counts)};
  if (shard.number > shard.of)
    fail(ErrorKind::usage, "--shard {}: there are {} shards, 1 to {}", printable_whole(text),
         shard.of, shard.of);
  return shard;
}

}  // namespace

void CheckpointOptions::add_to(Command& command, RenderOptions& options) {
  command.group("Stopping and going on");
  command.value(
      "--checkpoint", "SECONDS",
      [this](const std::string& text) {
        checkpoint_s = seconds_value("--checkpoint", text, {0, 1e9});
      },
      "Write the state of the render this often (also 5min, 1h), and when it is stopped (exit code "
      "75)");
  command.flag("--resume", resume, "Resume from the state file, if it is there");
  command.text("--state", "FILE", state,
               "Name of the state file, a template (default: the picture's with .kiln)");
  command.value(
      "--shard", "I/N", [this](const std::string& text) { shard = shard_value(text); },
      "Only the I-th of N parts of the work, into NAME.I-N.kiln; kiln merge puts them together");
  add_settings(command, "halves", options);
  command.group("Stopping when it is good (--quality is the most then)");
  command.value(
      "--until-noise", "PERCENT",
      [this](const std::string& text) {
        until_noise_percent = percent_value("--until-noise", text, {1e-3, 100});
      },
      "Until no more than this, in root mean square of all pixels, is noise");
  command.number("--until-psnr", "DB", until_psnr_db, "The same as a signal to noise ratio",
                 {0, 100});
  command.exclude("--until-noise", "--until-psnr");
  add_settings(command, "time_limit_s", options);
}

void CheckpointOptions::complete(RenderOptions& options) const {
  if (until_noise_percent) options.until_noise = *until_noise_percent / 100;
  if (until_psnr_db) options.until_noise = noise_at_psnr(*until_psnr_db);
  if (shard && ends_early(options))
    fail(ErrorKind::usage,
         "--shard: a part of a picture has no noise and no time of its own; leave out "
         "--until-noise, "
         "--until-psnr and --time-limit");
}

std::string CheckpointOptions::usual_name(const std::string& picture) const {
  const std::string part = shard ? fmt::format(".{}-{}", shard->number, shard->of) : "";
  return fs::path(picture).replace_extension().string() + part + ".kiln";
}

void check_no_state_is_lost(const std::string& path) {
  if (!is_state_file(path)) return;
  fail(ErrorKind::usage,
       "{}: is a state already, whose samples would be lost; --resume goes on with it, --force "
       "replaces it, --state gives the new one another name",
       printable_whole(path));
}

}  // namespace kiln::cli
