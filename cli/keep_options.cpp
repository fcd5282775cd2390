#include "cli/keep_options.h"

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

void say_stopped(const Job& job, const SavedSums& sums, Talk& talk) {
  const std::uint64_t samples = sums.done.count() * sums.shape.unit_samples;
  talk.note(fmt::format("stopped; {} has {} samples. To go on:", printable_whole(job.state),
                        with_prefix(double(samples))));
  talk.note("  " + command_to_resume());
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
}

std::string KeepOptions::usual_name(const std::string& picture) const {
  const std::string part = share ? fmt::format(".{}-{}", share->number, share->of) : "";
  return fs::path(picture).replace_extension().string() + part + ".kiln";
}

bool is_kept(const Job& job) { return !job.states.empty() || !job.state.empty(); }

std::optional<Image> render_kept(const RenderArguments& args, const Job& job,
                                 const RenderOptions& options, Talk& talk,
                                 RenderStatistics& statistics, bool& stopped) {
  const std::vector<std::string> states = beginnings(args, job);
  Keeping keeping;
  keeping.sums = sums_of(states, options.max_memory_bytes);
  keeping.only_look = args.only_look;
  Frame frame{job.flame, {}, {}, 0};
  if (!keeping.sums.shape.digest.empty()) frame.gutter = int(keeping.sums.shape.gutter);
  keeping.sums.genome = genome_xml(job.flame);
  keeping.sums.record = render_record(job.flame, job.making.options, RenderStatistics{}, "");
  std::optional<Watch> watch;
  if (!job.state.empty()) {
    watch.emplace(args.keep.checkpoint_s.value_or(usual_seconds));
    keeping.ask = [&] { return watch->wish(); };
    keeping.save = [&](const SavedSums& sums) { write_state(job.state, sums); };
    keeping.warn = [&](const std::string& message) {
      talk.warning(message + "; the render goes on without");
    };
    if (args.keep.share) keeping.share = *args.keep.share;
  }
  Renderer renderer(options);
  std::optional<Image> image = about(states.empty() ? "" : states.front(), job, [&] {
    return renderer.render(prepare(frame, options), keeping, &statistics);
  });
  stopped = keeping.stopped;
  if (stopped) say_stopped(job, keeping.sums, talk);
  return image;
}

}  // namespace kiln::cli
