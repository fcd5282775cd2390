// kiln animate: key flames to frames and to a video. Everything is read, named and checked first;
// then frames go through the pipeline (engine/pipeline/pipeline.h).
#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>

#include "cli/commands/commands.h"
#include "cli/console.h"
#include "cli/frame_maker.h"
#include "cli/options/output_files.h"
#include "engine/animation/frame_at.h"
#include "engine/animation/frame_manifest.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/picture/picture_format.h"
#include "engine/pipeline/forecast.h"
#include "engine/pipeline/pipeline.h"

namespace kiln::cli {
namespace {

/// All frames that are left: like the one that was measured, but for their samples.
double film_seconds_of(const AnimateArguments& args, const std::vector<FrameJob>& jobs,
                       const FrameJob& measured, const Forecast& forecast, const Rates& rates) {
  const double pixels = forecast.pixels;
  FrameSeconds frame;
  frame.prepare = rates.prepare_s;
  frame.file = measured.path.empty() ? 0 : pixels * rates.seconds_a_pixel;
  frame.render =
      forecast.seconds - rates.begin_s - rates.prepare_s - pixels * rates.seconds_a_pixel;
  frame.render_cpu = frame.render * rates.busy_cores;
  if (!args.video.path.empty()) frame.video = pixels * video_cost(args.video.path);
  double frames = 0;
  for (const FrameJob& job : jobs) frames += job.kept ? 0 : job.cost / std::max(measured.cost, 1.0);
  const double cores = std::max(1u, std::thread::hardware_concurrency());
  return rates.begin_s + film_seconds(frame, frames, cores, args.options.threads == 1);
}

/// What the frames that are left would take, by the rate of the one in their middle.
void foretell(const AnimateArguments& args, const KeyFrames& animation,
              const std::vector<FrameJob>& jobs, Console& console) {
  RenderOptions options = args.options;
  if (!args.video.path.empty()) options.bits = 16;
  Forecaster forecaster(options, true);
  std::vector<const FrameJob*> todo;
  for (const FrameJob& job : jobs)
    if (!job.kept) todo.push_back(&job);
  const std::size_t left = todo.size();
  Forecast frame;
  double seconds = 0;
  if (left > 0) {
    const FrameJob& middle = *todo[left / 2];
    frame = forecaster.of(animation.keys, middle.frame);
    constexpr std::size_t under_way = 4;  // Pipeline: three wait, one is written
    options.linear = format_named(middle.path).linear;
    frame.memory.pixels += under_way * frame_bytes(options, animation.keys.front());
    seconds = film_seconds_of(args, jobs, middle, frame, forecaster.rates());
  }
  const Flame& key = animation.keys.front();
  if (args.json) {
    print("{}\n", JsonObject()
                      .add("frames", static_cast<int>(left))
                      .add("width", key.width)
                      .add("height", key.height)
                      .add("samples_a_frame", frame.samples)
                      .add("memory_bytes", frame.memory.usual())
                      .add("memory_most_bytes", frame.memory.most())
                      .add("seconds", seconds)
                      .text());
  } else {
    print("{} frames of {} x {} pixels; a frame: {}\n", left, key.width, key.height,
          forecast_text(frame));
  }
  console.summary(fmt::format("dry run: about {} on {}; nothing was written",
                              clock_time(std::ceil(seconds)), forecaster.device()),
                  "");
}

/// The frames that are there and whole, those of an earlier run and of a run that failed too.
void write_frame_list(const AnimateArguments& args, const std::vector<FrameJob>& jobs) {
  FrameManifest manifest;
  manifest.words = args.words();
  for (const FrameJob& job : jobs) {
    auto row = manifest_row(job.path, job.frame, args.manifest);
    if (row && row->frame_digest == job.settings) manifest.rows.push_back(std::move(*row));
  }
  write_manifest(args.manifest, manifest);
}

int run_animate(AnimateArguments& args) {
  const auto start = Clock::now();
  complete_arguments(args);
  Console console(args.progress_mode(), args.quiet);
  const KeyFrames animation = make_animation(args, console);
  std::vector<FrameJob> jobs = choose_frames(args, animation);
  if (!jobs.empty()) {
    check_format(args, jobs.front().path);
    for (const Flame& key : animation.keys) args.tell_of_curves(jobs.front().path, key, console);
  }
  if (args.resume) keep_finished(args, jobs);
  if (!args.dry_run) make_folders(jobs);
  for (const FrameJob& job : jobs) {
    if (!job.path.empty() && !job.kept && !args.dry_run) check_output(job.path, args.no_clobber);
  }
  if (!args.video.path.empty() && !args.dry_run) check_output(args.video.path, args.no_clobber);
  if (!args.manifest.empty() && !args.dry_run) check_output_path(args.manifest);
  const std::vector<FrameJob> listed = args.manifest.empty() ? std::vector<FrameJob>{} : jobs;
  Outcome outcome;
  if (args.video.path.empty()) {  // nobody needs them again
    const auto todo = std::stable_partition(jobs.begin(), jobs.end(),
                                            [](const FrameJob& job) { return !job.kept; });
    outcome.kept = static_cast<int>(jobs.end() - todo);
    jobs.erase(todo, jobs.end());
  }
  if (args.dry_run) {
    foretell(args, animation, jobs, console);
    return exit_done;
  }
  if (!jobs.empty()) {
    console.at_interrupt("the finished frames stay; the same command with --resume goes on");
    make_frames(args, animation, std::move(jobs), console, outcome);
  }
  if (!args.manifest.empty()) write_frame_list(args, listed);
  outcome.say_summary(seconds_since(start), "frame", console);
  if (args.json) print("{}\n", outcome.result_json());
  // the work stopped there: the first reason says more than "some failed"
  return outcome.failures.empty() ? int{exit_done}
                                  : static_cast<int>(outcome.failures.front().kind);
}

}  // namespace

void add_animate(Program& program) {
  Command& command = program.command("animate", "Render the frames between key flames, or a video");
  const auto args = std::make_shared<AnimateArguments>();
  add_animate_options(command, *args);
  command.examples(
      {"kiln animate keys.flame -o 'out/####.png'               # all frames of the file",
       "kiln animate keys.flame -o 'out/####.png' --frames 0-99:2 --resume",
       "kiln animate rose.flame --sequence --loop --nframes 120 --video rose.mp4",
       "kiln animate --sequence keys.flame --nframes 8 -o 'out/s%04d.png' --quality 50",
       "kiln animate keys.flame -o 'out/####.png' --manifest frames.tsv   # for kiln check",
       "kiln animate keys.flame -o 'out/####.png' --chunk 2/4   # the second quarter"});
  command.runs([args] { return run_animate(*args); });
}

}  // namespace kiln::cli
