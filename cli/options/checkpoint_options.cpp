#include "cli/options/checkpoint_options.h"

#include <filesystem>

#include "cli/options/option_value.h"
#include "cli/output_files.h"
#include "cli/render_jobs.h"
#include "cli/stop_request.h"
#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/io/state/state_file.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

constexpr double usual_seconds = 60;  // between two states
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

/// When the state is written, and why the game stops.
class Watch {
 public:
  explicit Watch(double seconds) : seconds_(seconds) {}

  std::stop_token stop() const { return requests_.token(); }
  Checkpoint::Request request() {
    if (requests_.stop()) return Checkpoint::Request::stop;
    const bool asked = requests_.save();
    if (!asked && seconds_since(last_) < seconds_) return Checkpoint::Request::go_on;
    last_ = Clock::now();
    return Checkpoint::Request::save;
  }

 private:
  StopRequests requests_;
  const double seconds_;
  Clock::time_point last_ = Clock::now();
};

/// The files with the sums that the picture begins with.
std::vector<std::string> beginnings(const RenderArguments& args, const Job& job) {
  if (args.checkpoint.resume && fs::exists(job.state)) return {job.state};
  return job.states;
}

std::string samples_of(const SavedSums& sums) {
  return with_prefix(double(sums.done.count() * sums.shape.unit_samples)) + " samples";
}

void say_how_to_go_on(const Job& job, const SavedSums& sums, const char* what, Console& console) {
  console.note(
      fmt::format("{}; {} has {}. To go on:", what, printable_whole(job.state), samples_of(sums)));
  console.note("  " + command_to_resume());
}

std::string noise_in_words(const PictureNoise& noise) {
  return fmt::format("noise {:.3g} % (within {:.1g}, 95 %), {:.1f} dB", 100 * noise.rms,
                     100 * noise.error, noise.psnr_db());
}

/// What became of it.
void say_end(const Job& job, const Checkpoint& checkpoint, Console& console) {
  const std::string name = printable_whole(job.path),
                    noise = checkpoint.noise ? ": " + noise_in_words(*checkpoint.noise) : "";
  if (checkpoint.end == Checkpoint::End::time) {
    console.note(fmt::format("{}: the time limit ended it at quality {}{}", name,
                             fmt::format("{:.6g}", job.flame.quality), noise));
  } else if (checkpoint.end == Checkpoint::End::noise) {
    console.note(fmt::format("{}: good enough at quality {}{}", name,
                             fmt::format("{:.6g}", job.flame.quality), noise));
  } else if (job.making.options.until_noise > 0) {
    console.warning(fmt::format("{}: quality {} is not enough for that{}{}", name,
                                fmt::format("{:.6g}", job.flame.quality), noise,
                                checkpoint.noise ? "" : ": too few samples for two halves"));
  } else if (checkpoint.noise) {
    console.note(fmt::format("{}{}", name, noise));
  }
}

void keep_state(const RenderArguments& args, const Job& job, std::optional<Watch>& watch,
                Console& console, Checkpoint& checkpoint) {
  if (job.state.empty()) return;
  watch.emplace(args.checkpoint.checkpoint_s.value_or(usual_seconds));
  checkpoint.ask = [&] { return watch->request(); };
  checkpoint.stop = watch->stop();
  checkpoint.warn = [&](const std::string& message) {
    console.warning(message + "; the render goes on without it");
  };
  if (args.checkpoint.shard) checkpoint.shard = *args.checkpoint.shard;
}

}  // namespace

void CheckpointOptions::add_to(Command& command, RenderOptions& options) {
  command.group("Stopping and going on");
  command.number("--checkpoint", "SECONDS", checkpoint_s,
                 "Write the state of the render this often, and when it is stopped (exit code 75)",
                 {0, 1e9});
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

Rendered render_job(const RenderArguments& args, Job& job, std::future<PreparedFrame> ready,
                    const RenderOptions& options, Console& console) {
  Still still{job.flame, beginnings(args, job), job.state, {}, std::move(ready)};
  Checkpoint& checkpoint = still.checkpoint;
  checkpoint.regrade = args.regrade;
  std::optional<Watch> watch;
  keep_state(args, job, watch, console, checkpoint);
  Renderer renderer(options);
  Rendered made;
  try {
    made.image = render_still(renderer, options, still, &made.statistics);
  } catch (...) {
    if (checkpoint.saved) say_how_to_go_on(job, checkpoint.sums, "the device failed", console);
    throw;
  }
  made.stopped = checkpoint.stopped;
  made.unsaved = checkpoint.unsaved;
  job.flame.quality = still.flame.quality;
  if (made.stopped)
    say_how_to_go_on(job, checkpoint.sums, "stopped", console);
  else
    say_end(job, checkpoint, console);
  return made;
}

}  // namespace kiln::cli
