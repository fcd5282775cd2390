// SPDX-License-Identifier: MIT
// kiln animate: key flames to frames and to a video. Everything is read, named and checked first;
// then frames go through the pipeline (engine/pipeline/pipeline.h).
#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/making/film_strip.h"
#include "cli/making/frame_maker.h"
#include "cli/options/output_files.h"
#include "cli/says/console.h"
#include "engine/animation/frame_at.h"
#include "engine/animation/frame_manifest.h"
#include "engine/base/cores.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/picture/picture_format.h"
#include "engine/pipeline/film_schedule.h"
#include "engine/pipeline/forecast.h"

namespace kiln::cli {
namespace {

/// Frames beside each other: the one that is measured, what it costs in samples, and all of them.
struct FilmPart {
  const FrameJob* measured = nullptr;
  double frames = 0, cost = 0;
};

/// The film in parts, since a frame of its end may be another flame than one of its beginning.
std::vector<FilmPart> parts_of(const std::vector<const FrameJob*>& todo) {
  constexpr std::size_t most_parts = 3;
  const std::size_t count = std::min(most_parts, todo.size());
  std::vector<FilmPart> parts;
  for (std::size_t part = 0; part < count; ++part) {
    const std::size_t begin = todo.size() * part / count, end = todo.size() * (part + 1) / count;
    FilmPart& made = parts.emplace_back();
    made.measured = todo[(begin + end) / 2];
    made.frames = double(end - begin);
    for (std::size_t i = begin; i < end; ++i) made.cost += todo[i]->cost;
  }
  return parts;
}

/// Adds the frames of a part to the sum: like the one that was measured, but for their samples.
void add_part(const FilmPart& part, const Forecast& forecast, const Rates& rates,
              FrameSeconds& sum) {
  const double file = forecast.pixels * rates.seconds_a_pixel;
  const double fixed = rates.game_s;
  const double render = forecast.seconds - rates.begin_s - rates.prepare_s - file - fixed;
  const double like = part.cost / std::max(part.measured->cost, 1.0);
  const double all = render * like + fixed * part.frames;
  sum.prepare += rates.prepare_s * part.frames;
  sum.render += all;
  sum.render_cpu += all * rates.busy_cores;
  if (!part.measured->path.empty()) sum.file += file * part.frames;
}

/// Seconds of the whole film whose frames take `sum` together.
double seconds_of_film(const FilmPlan& plan, FrameSeconds sum, double frames, double pixels) {
  const double all_frames = double(plan.frames.size());
  for (double* one : {&sum.prepare, &sum.render, &sum.render_cpu, &sum.file}) *one /= frames;
  if (plan.has_video()) {  // which has frames that are there, too
    const VideoWork work = video_work(plan.video);
    sum.video = pixels * work.pixel_s * all_frames / frames;
    sum.video_cores = work.cores;
    sum.video_tail = work.tail_s(all_frames, pixels);
  }
  const double cores = usable_cores();
  return film_seconds(sum, frames, cores, plan.options.threads == 1);
}

/// Adds what the frames before and after one take beside it, whose points they do not wait for: one is
/// compressed, three wait (Pipeline), and threads prepare the next (measured). How many there are is a matter
/// of time, so all of it is in the most alone.
void add_others(const RenderOptions& options, const KeyFrames& animation, MemoryNeed& need) {
  constexpr std::uint64_t waiting = 3, threads_bytes = 3'500'000;
  const std::uint64_t bytes =
      need.pixels + waiting * frame_bytes(options, animation.keys.front()) + threads_bytes;
  need.program += bytes;
  need.perhaps += bytes;  // which the usual need is without
}

/// Forecasts the frames that are left, by the rates of some of them.
void foretell(const FilmPlan& plan, const KeyFrames& animation, Console& console) {
  RenderOptions options = plan.options;
  if (plan.has_video()) options.bits = 16;
  options.linear = plan.is_hdr();
  Forecaster forecaster(options, true);
  std::vector<const FrameJob*> todo;
  std::size_t again = 0;
  for (const FrameJob& job : plan.frames) {
    if (!job.kept && !job.is_again) todo.push_back(&job);
    again += !job.kept && job.is_again;
  }
  const std::size_t left = todo.size();
  Forecast frame;
  FrameSeconds sum;
  double seconds = 0;
  for (const FilmPart& part : parts_of(todo)) {
    frame = forecaster.of(*animation.keys.of_frame(part.measured->frame), part.measured->frame);
    seconds += forecaster.rates().begin_s;
    add_part(part, frame, forecaster.rates(), sum);
  }
  if (left > 0) {
    seconds += seconds_of_film(plan, sum, double(left), frame.pixels);
    options.linear |= format_named(todo.front()->path).linear;
    frame.memory.program += bytes_of(animation.keys);
    if (left > 1) add_others(options, animation, frame.memory);
  }
  const Flame& key = animation.keys.front();
  const std::string all = "about " + clock_time(std::ceil(seconds));
  if (plan.as_json) {
    print("{}\n", JsonObject()
                      .add("frames", static_cast<int>(left + again))
                      .add("width", key.width)
                      .add("height", key.height)
                      .add("samples_a_frame", frame.samples)
                      .add("memory_bytes", frame.memory.usual())
                      .add("memory_most_bytes", frame.memory.most())
                      .add("seconds", seconds)
                      .text());
  } else {
    print("{} frames of {} x {} pixels, {} in all; a frame: {}\n", left + again, key.width,
          key.height, all, forecast_text(frame));
  }
  console.summary(fmt::format("dry run: {} on {}; nothing was written", all, forecaster.device()),
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

/// The flames of a film's files are there while it is made: its frames have what they leave of --max-memory.
void leave_room_for(const FilmKeys& flames, RenderOptions& options) {
  const std::uint64_t bytes = bytes_of(flames);
  if (options.max_memory_bytes == 0) return;
  if (bytes >= options.max_memory_bytes)
    fail(ErrorKind::device,
         "{} flames take {} of memory, and --max-memory has {}; raise it, or make the film "
         "in parts of fewer",
         flames.read().size(), byte_size(bytes), byte_size(options.max_memory_bytes));
  options.max_memory_bytes -= bytes;
}

/// The words for what Ctrl-C leaves behind, and how to go on.
const char* at_interrupt(const AnimateArguments& args) {
  const bool has_video = !args.video.path.empty();
  if (is_standard_output(args.output) || (has_video && args.output.empty()))
    return has_video ? "a film that is not finished leaves nothing; beside --video, -o "
                       "'frames/####.png' keeps its frames"
                     : "a picture that is not finished leaves nothing";
  if (!format_named(args.output).can_be_resumed)
    return "the finished frames stay; --frames makes the others";
  if (has_video && (args.options.bits != 16 || args.video.hdr_peak > 0))
    return "the finished frames stay; without --video and what is said of it the same command with "
           "--resume goes on, and kiln video makes the film of them";
  return "the finished frames stay; the same command with --resume goes on";
}

/// Fails where something that is to be written cannot be, before the first frame is made.
void check_outputs(const AnimateArguments& args, const std::vector<FrameJob>& frames) {
  for (const FrameJob& job : frames)
    if (!job.path.empty() && !job.kept) check_output(job.path, args.no_clobber);
  for (const std::string* path : {&args.video.path, &args.video_words.poster})
    if (!path->empty()) check_output(*path, args.no_clobber);
  if (!args.manifest.empty()) check_output_path(args.manifest);
}

/// The frames to make and what holds for them; those that are there are marked.
FilmPlan plan_film(AnimateArguments& args, const KeyFrames& animation, Console& console) {
  std::vector<FrameJob> frames = choose_frames(args, animation);
  if (!frames.empty()) {
    const std::string& path = frames.front().path;
    take_song(args, animation, frames.front().frame, console);
    check_format(args, path, animation.keys.front());
    if (format_named(path).linear)
      animation.keys.each([&](const Flame& key) { args.tell_of_curves(path, key, console); });
  }
  if (args.resume) keep_finished(args.options, frames);
  if (!args.dry_run) {
    make_folders(frames);
    check_outputs(args, frames);
  }
  return plan_of(args, std::move(frames));
}

/// Takes the frames that are there out where nobody needs them again; their number.
int leave_out_kept(std::vector<FrameJob>& frames) {
  const auto kept = std::stable_partition(frames.begin(), frames.end(),
                                          [](const FrameJob& job) { return !job.kept; });
  const int count = static_cast<int>(frames.end() - kept);
  frames.erase(kept, frames.end());
  return count;
}

/// Writes the film as a strip.
int write_strip(const AnimateArguments& args, const KeyFrames& film, Console& console) {
  OutputNames names(args.force || args.no_clobber);
  names.claim_picture(args.strip, "the strip", "another name");
  names.keep_picture_of_another(args.strip, "the strip", nullptr);
  names.keep_inputs(args.inputs);
  check_output(args.strip, args.no_clobber);
  const std::vector<FrameTime> frames = played_frames(args, film);
  const StripShape shape = strip_shape(frames.size());
  console.at_interrupt("a strip that is not finished leaves nothing");
  const Image strip = film_strip(film.keys, frames, args.settings.size.quality, args.options);
  AtomicFile file(args.strip,
                  args.no_clobber ? AtomicFile::Existing::keep : AtomicFile::Existing::replace);
  const std::string bytes =
      format_for(strip, args.strip).bytes(strip, {}, {.threads = args.options.threads});
  file.write(bytes.data(), bytes.size());
  file.commit();
  if (!args.quiet)
    say("{} frames, a column of {} pixel{} for each{}\n", frames.size(), shape.column,
        shape.column == 1 ? "" : "s", shape.step == 1 ? "" : fmt::format(" {}", shape.step));
  return exit_done;
}

int run_animate(AnimateArguments& args) {
  const auto start = Clock::now();
  complete_arguments(args);
  Console console(args.progress_mode(), args.quiet);
  const KeyFrames animation = make_animation(args, console);
  leave_room_for(animation.keys, args.options);
  if (!args.strip.empty()) return write_strip(args, animation, console);
  FilmPlan plan = plan_film(args, animation, console);
  const std::vector<FrameJob> listed =
      args.manifest.empty() ? std::vector<FrameJob>{} : plan.frames;
  Outcome outcome;
  if (!plan.has_video()) outcome.kept = leave_out_kept(plan.frames);
  if (args.dry_run) {
    foretell(plan, animation, console);
    return exit_done;
  }
  if (!plan.frames.empty()) {
    console.at_interrupt(at_interrupt(args));
    share_frames(args.devices, plan);
    make_frames(plan, animation, console, outcome);
  }
  if (outcome.reader_gone) return exit_reader_gone;
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
       "kiln animate keys.flame --strip strip.png   # the whole film at a glance, in seconds",
       "kiln animate keys.flame -o 'out/####.png' --manifest frames.tsv   # for kiln check",
       "kiln animate keys.flame -o 'out/####.png' --chunk 2/4   # the second quarter",
       "kiln animate rose.flame --spin 10s --video - | mpv -    # as it is made"});
  command.runs([args] { return run_animate(*args); });
}

}  // namespace kiln::cli
