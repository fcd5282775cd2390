#include "cli/keep_options.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "cli/option_value.h"
#include "cli/output_files.h"
#include "cli/render_jobs.h"
#include "cli/stop_request.h"
#include "engine/base/available_memory.h"
#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/genome_writer.h"
#include "engine/io/state_reader.h"
#include "engine/io/state_writer.h"
#include "engine/model/exact_math.h"
#include "engine/program/sample_shares.h"
#include "engine/render/prepared_frame.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

constexpr double usual_seconds = 60;  // between two states
constexpr int most_shares = 100'000;

/// 2/4
Share share_value(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    fail(ErrorKind::usage, "--shard {}: needs I/N, such as 2/4", printable_whole(text));
  const Range counts{1, most_shares};
  const Share share{whole_value("--shard", text.substr(0, slash), counts),
                    whole_value("--shard", text.substr(slash + 1), counts)};
  if (share.number > share.of)
    fail(ErrorKind::usage, "--shard {}: there are {} shards, 1 to {}", printable_whole(text),
         share.of, share.of);
  return share;
}

/// When the state is written, and why the game stops.
class Watch {
 public:
  explicit Watch(double seconds) : seconds_(seconds) {}

  Keeping::Wish wish() {
    if (requests_.stop()) return Keeping::Wish::stop;
    const bool asked = requests_.save();
    if (!asked && seconds_since(last_) < seconds_) return Keeping::Wish::go_on;
    last_ = Clock::now();
    return Keeping::Wish::save;
  }

 private:
  StopRequests requests_;
  const double seconds_;
  Clock::time_point last_ = Clock::now();
};

/// What the renderer says of sums does not name their file.
template <class Body>
auto about(const std::string& path, const Job& job, Body body) {
  try {
    return body();
  } catch (const Error& error) {
    if (path.empty() || std::string_view(error.what()).starts_with(job.flame.source)) throw;
    fail(error.kind, "{}: {}", printable_whole(path), error.what());
  }
}

/// The files with the sums that the picture begins with.
std::vector<std::string> beginnings(const RenderArguments& args, const Job& job) {
  if (args.keep.resume && fs::exists(job.state)) return {job.state};
  return job.states;
}

}  // namespace

SavedSums sums_of(const std::vector<std::string>& paths, std::uint64_t limit) {
  const std::uint64_t room = limit ? limit : available_memory_bytes();
  SavedSums sums;
  for (const std::string& path : paths) {
    if (sums.histograms.empty())
      sums = read_state(path, room);
    else
      add_sums(read_state(path, room - std::min(room, sums.shape.bytes())), path, sums);
  }
  return sums;
}

namespace {

std::string samples_of(const SavedSums& sums) {
  return with_prefix(double(sums.done.count() * sums.shape.unit_samples)) + " samples";
}

void say_how_to_go_on(const Job& job, const SavedSums& sums, const char* what, Talk& talk) {
  talk.note(
      fmt::format("{}; {} has {}. To go on:", what, printable_whole(job.state), samples_of(sums)));
  talk.note("  " + command_to_resume());
}

std::string noise_in_words(const PictureNoise& noise) {
  return fmt::format("noise {:.3g} % (within {:.1g}, 95 %), {:.1f} dB", 100 * noise.rms,
                     100 * noise.error, noise.psnr_db());
}

/// What became of the goal.
void say_end(const RenderArguments& args, const Job& job, const Keeping& keeping, Talk& talk) {
  const Goal goal = args.keep.goal();
  const std::string name = printable_whole(job.path),
                    noise = keeping.noise ? ": " + noise_in_words(*keeping.noise) : "";
  if (keeping.end == Keeping::End::time) {
    talk.note(fmt::format("{}: the time limit ended it at quality {}{}", name,
                          fmt::format("{:.6g}", job.flame.quality), noise));
  } else if (keeping.end == Keeping::End::noise) {
    talk.note(fmt::format("{}: good enough at quality {}{}", name,
                          fmt::format("{:.6g}", job.flame.quality), noise));
  } else if (goal.noise > 0) {
    talk.warning(fmt::format("{}: quality {} is not enough for that{}{}", name,
                             fmt::format("{:.6g}", job.flame.quality), noise,
                             keeping.noise ? "" : ": too few samples for two halves"));
  } else if (keeping.noise) {
    talk.note(fmt::format("{}{}", name, noise));
  }
}

/// The most samples that a picture gets whose quality nobody limits: hours of the fastest devices.
constexpr std::uint64_t most_samples = 4'000'000'000'000;
constexpr double most_quality = 1e9;

/// The flame with the largest quality that its picture may get.
Flame flame_to_play(const RenderArguments& args, const Job& job) {
  Flame flame = job.flame;
  if (args.keep.goal().noise > 0 && !args.settings.asks_quality())
    flame.quality = std::min(most_quality, quality_of_samples(flame, most_samples));
  return flame;
}

void keep_state(const RenderArguments& args, const Job& job, std::optional<Watch>& watch,
                Talk& talk, Keeping& keeping) {
  if (job.state.empty()) return;
  watch.emplace(args.keep.checkpoint_s.value_or(usual_seconds));
  keeping.ask = [&] { return watch->wish(); };
  keeping.save = [&](const SavedSums& sums) { write_state(job.state, sums); };
  keeping.warn = [&](const std::string& message) {
    talk.warning(message + "; the render goes on without");
  };
  if (args.keep.share) keeping.share = *args.keep.share;
}

}  // namespace

void KeepOptions::add_to(Command& command) {
  command.group("Stopping and going on");
  command.number("--checkpoint", "SECONDS", checkpoint_s,
                 "Write the state of the render so often, and when it is stopped (exit code 75)",
                 {0, 1e9});
  command.flag("--resume", resume, "Go on with the state file, if it is there");
  command.text("--state", "FILE", state,
               "Name of the state file, a template (default: the picture's with .kiln)");
  command.value(
      "--shard", "I/N", [this](const std::string& text) { share = share_value(text); },
      "Only the I-th of N parts of the work, into NAME.I-N.kiln; kiln merge puts them together");
  command.flag("--halves", halves,
               "Keep the sums in two halves, which say how noisy the picture is: for kiln compare, "
               "and to go on with --until-noise");
  command.group("Stopping when it is good (--quality is the most then)");
  command.number("--until-noise", "PERCENT", until_noise_percent,
                 "Until no more than this, in root mean square of all pixels, is noise",
                 {1e-3, 100});
  command.number("--until-psnr", "DB", until_psnr_db, "The same as a signal to noise ratio",
                 {0, 100});
  command.exclude("--until-noise", "--until-psnr");
  command.number("--time-limit", "SECONDS", time_limit_s,
                 "End the samples after so long, and make the picture of those there are",
                 {1e-3, 1e9});
}

void KeepOptions::check() const {
  if (share && goal().any())
    fail(ErrorKind::usage,
         "--shard: a part of a picture has no noise and no time of its own; leave out "
         "--until-noise, "
         "--until-psnr and --time-limit");
}

Goal KeepOptions::goal() const {
  Goal goal;
  if (until_noise_percent) goal.noise = *until_noise_percent / 100;
  if (until_psnr_db) goal.noise = exact::pow(10.0, -*until_psnr_db / 20);
  goal.seconds = time_limit_s.value_or(0);
  return goal;
}

std::string KeepOptions::usual_name(const std::string& picture) const {
  const std::string part = share ? fmt::format(".{}-{}", share->number, share->of) : "";
  return fs::path(picture).replace_extension().string() + part + ".kiln";
}

bool is_kept(const RenderArguments& args, const Job& job) {
  return !job.states.empty() || !job.state.empty() || args.keep.halves || args.keep.goal().any();
}

std::optional<Image> render_kept(const RenderArguments& args, Job& job,
                                 const RenderOptions& options, Talk& talk,
                                 RenderStatistics& statistics, bool& stopped) {
  const std::vector<std::string> states = beginnings(args, job);
  Keeping keeping;
  keeping.sums = sums_of(states, options.max_memory_bytes);
  keeping.only_look = args.only_look;
  keeping.goal = args.keep.goal();
  Frame frame{flame_to_play(args, job), {}, {}, 0};
  if (keeping.sums.shape.digest.empty())
    keeping.sums.shape.halves = args.keep.in_halves();
  else
    frame.gutter = int(keeping.sums.shape.gutter);
  keeping.sums.genome = genome_xml(job.flame);
  keeping.sums.record = render_record(job.flame, job.making.options, RenderStatistics{}, "");
  keeping.genome_at = [flame = job.flame](double quality) mutable {
    flame.quality = quality;
    return genome_xml(flame);
  };
  std::optional<Watch> watch;
  keep_state(args, job, watch, talk, keeping);
  Renderer renderer(options);
  std::optional<Image> image;
  try {
    image = about(states.empty() ? "" : states.front(), job,
                  [&] { return renderer.render(prepare(frame, options), keeping, &statistics); });
  } catch (...) {
    if (keeping.all_saved) say_how_to_go_on(job, keeping.sums, "the device failed", talk);
    throw;
  }
  stopped = keeping.stopped;
  if (keeping.quality > 0) job.flame.quality = keeping.quality;
  if (stopped)
    say_how_to_go_on(job, keeping.sums, "stopped", talk);
  else
    say_end(args, job, keeping, talk);
  return image;
}

}  // namespace kiln::cli
