// SPDX-License-Identifier: MIT
#include "cli/making/film_plan.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <utility>

#include "cli/options/device_list.h"
#include "cli/options/output_files.h"
#include "engine/animation/film.h"
#include "engine/animation/frame_manifest.h"
#include "engine/api/api_impl.h"
#include "engine/base/cores.h"
#include "engine/base/text.h"
#include "engine/base/thread_pool.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/flame_options.h"
#include "engine/io/picture/picture_format.h"
#include "engine/pipeline/forecast.h"
#include "engine/sound/song.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

/// Tone mapping, filters and the file, in samples a pixel; for the time to go only.
constexpr double output_cost = 20;

/// The frames as the film is played, by the numbers that names have; `time`: which of the film's it is.
std::vector<FrameTime> shown_frames(const AnimateArguments& args,
                                    const std::vector<FrameTime>& film) {
  const int count = int(film.size());
  std::vector<int> order(film.size());
  for (int i = 0; i < count; ++i) order[std::size_t(i)] = args.reverse ? count - 1 - i : i;
  if (args.ping_pong)  // the two frames at which it turns are not seen twice
    for (int i = count - 2; i > 0; --i) order.push_back(order[std::size_t(i)]);
  const int first = args.start_number.value_or(film.front().number);
  const int step = count > 1 ? film[1].number - film[0].number : 1;
  std::vector<FrameTime> shown;
  for (std::size_t i = 0; i < order.size(); ++i)
    shown.push_back({first + int(i) * step, double(order[i])});
  if (!args.frames.empty()) shown = select_frames(shown, args.frames);
  if (!args.chunk.empty())
    shown = chunk_of(shown,
                     parse_chunk(args.chunk, [](const char* name) { return std::getenv(name); }));
  return shown;
}

std::string template_for(const AnimateArguments& args) {
  const std::string usual = "{stem}_#####" + std::string(format_for(false).ending);
  if (args.output.empty()) return args.video.path.empty() ? usual : "";
  return is_folder(args.output) ? (fs::path(args.output) / usual).string() : args.output;
}

}  // namespace

bool FilmPlan::is_stream() const { return !frames.empty() && is_standard_output(frames[0].path); }

bool FilmPlan::is_linear() const {
  return is_hdr() || (!frames.empty() && format_named(frames[0].path).linear);
}

FilmPlan plan_of(const AnimateArguments& args, std::vector<FrameJob> frames) {
  FilmPlan plan;
  plan.frames = std::move(frames);
  plan.input = args.inputs.front();
  plan.options = args.options;
  plan.saving = args.saving(1, args.exr);
  plan.keeps_files = args.no_clobber;
  plan.video = args.video;
  plan.video.credits = args.credits;
  plan.poster = args.video_words.poster;
  plan.poster_frame = args.video_words.poster_frame;
  plan.as_json = args.json;
  return plan;
}

std::vector<FrameTime> played_frames(const AnimateArguments& args, const KeyFrames& film) {
  std::vector<FrameTime> frames;
  for (const FrameTime& one : shown_frames(args, film.frames))
    frames.push_back(film.frames[std::size_t(one.time)]);
  return frames;
}

std::vector<FrameJob> choose_frames(const AnimateArguments& args, const KeyFrames& film) {
  const std::vector<FrameTime> shown = shown_frames(args, film.frames);
  std::vector<FrameTime> frames;
  for (const FrameTime& one : shown) frames.push_back(film.frames[std::size_t(one.time)]);
  const std::string pattern = template_for(args);
  const FrameDigests digests(film, args.options);
  const Flame& first = film.keys.front();
  const double pixels = static_cast<double>(first.width) * first.height;
  const std::optional<std::string>& wanted = args.settings.color.palette;
  const std::string palette = wanted ? palette_label(*wanted) : "";
  const std::vector<double> samples = sample_estimates(film.keys, frames);
  std::vector<FrameJob> jobs;
  std::map<int, std::string> before;  // number of a frame -> its file
  OutputNames names(args.force || args.no_clobber);
  for (const FrameTime& frame : frames) {
    FrameJob job;
    job.frame = frame;
    job.shown = shown[jobs.size()].number;
    if (!pattern.empty()) {
      job.path = is_standard_output(pattern)
                     ? pattern
                     : expand_template(pattern, {input_stem(args.inputs.front()), first.name,
                                                 job.shown, job.shown, palette});
      names.claim_picture(job.path, fmt::format("frame {}", job.shown), "#### or {frame}");
    }
    job.settings = digests.of(frame);
    job.film = digests.of_film();
    const auto [same, is_new] = before.emplace(frame.number, job.path);
    job.is_again = !is_new;
    if (job.is_again) job.copy_of = same->second;
    if (!job.is_again) {
      job.samples = samples[jobs.size()];
      job.cost = job.samples + output_cost * pixels;
    }
    jobs.push_back(std::move(job));
  }
  if (!args.video.path.empty()) names.claim(args.video.path, "the video", "another name");
  const VideoWords& words = args.video_words;
  if (!words.poster.empty()) names.claim_picture(words.poster, "the poster", "another name");
  const auto is_poster = [&](const FrameJob& job) { return job.shown == words.poster_frame; };
  if (words.poster_frame && std::none_of(jobs.begin(), jobs.end(), is_poster))
    fail(ErrorKind::usage, "--poster-frame {}: no frame of this run has this number",
         *words.poster_frame);
  if (!args.manifest.empty()) {
    OutputNames(args.force).claim(args.manifest, "the manifest", "another name");
    names.claim(args.manifest, "the manifest", "another name");
  }
  std::vector<std::string> inputs = args.inputs;
  for (const Flame& key : film.keys.read())
    if (key.sound) inputs.push_back(song_path(key));
  names.keep_inputs(inputs);
  return jobs;
}

void share_frames(const std::string& devices, FilmPlan& plan) {
  if (waits_for_work(devices)) {
    constexpr double least_s = 0.02;  // of a frame: with what comes before and after its game
    double seconds = 0;
    for (const FrameJob& job : plan.frames)
      if (!job.kept && !job.is_again)
        seconds += std::max(rough_gpu_seconds(job.samples, plan.options), least_s);
    share_worth(seconds, true, plan.options);
  } else if (!devices.empty()) {
    share_listed(devices, plan.options);
  }
  see_devices_of(plan.options);
}

void keep_finished(const RenderOptions& options, std::vector<FrameJob>& frames) {
  const int threads = options.threads > 0 ? options.threads : usable_cores();
  ThreadPool(threads).run(static_cast<int>(frames.size()), [&](int i, int) {
    FrameJob& job = frames[static_cast<std::size_t>(i)];
    job.kept =
        !job.path.empty() && !is_standard_output(job.path) && is_frame(job.path, job.settings);
  });
}

void make_folders(const std::vector<FrameJob>& frames) {
  for (const FrameJob& job : frames) {
    const fs::path folder = fs::path(job.path).parent_path();
    std::error_code ignored;  // whoever writes there says what is wrong
    if (!job.path.empty() && !is_standard_output(job.path) && !folder.empty())
      fs::create_directories(folder, ignored);
  }
}

}  // namespace kiln::cli
