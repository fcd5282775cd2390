#include "cli/frame_jobs.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "cli/output_files.h"
#include "engine/animation/frame_at.h"
#include "engine/animation/frame_record.h"
#include "engine/base/thread_pool.h"
#include "engine/io/file/output_name.h"
#include "engine/io/file/output_target.h"
#include "engine/io/picture/picture_format.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

/// Tone mapping, filters and the file, in samples a pixel; for the time to go only.
constexpr double output_cost = 20;

std::string template_for(const AnimateArguments& args) {
  const std::string usual = "{stem}_#####" + std::string(format_for(false).ending);
  if (args.output.empty()) return args.video.path.empty() ? usual : "";
  return is_folder(args.output) ? (fs::path(args.output) / usual).string() : args.output;
}

}  // namespace

std::vector<FrameJob> choose_frames(const AnimateArguments& args, const KeyFrames& animation) {
  std::vector<FrameTime> frames = animation.frames;
  if (!args.frames.empty()) frames = select_frames(frames, args.frames);
  if (!args.chunk.empty()) {
    frames = chunk_of(frames,
                      parse_chunk(args.chunk, [](const char* name) { return std::getenv(name); }));
  }
  const std::string pattern = template_for(args);
  const std::string digest = animation_digest(animation.keys, args.options);
  const Flame& first = animation.keys.front();
  const double pixels = static_cast<double>(first.width) * first.height;
  std::vector<FrameJob> jobs;
  OutputNames names(args.force || args.no_clobber);
  for (const FrameTime& frame : frames) {
    FrameJob job;
    job.frame = frame;
    if (!pattern.empty()) {
      job.path = expand_template(
          pattern, {input_stem(args.inputs.front()), first.name, frame.number, frame.number});
      if (job.path == "-" && frames.size() > 1)
        fail(ErrorKind::usage, "-o -: {} frames do not fit one stream", frames.size());
      names.take_picture(job.path, fmt::format("frame {}", frame.number), "#### or {frame}");
    }
    job.settings = frame_digest(digest, frame);
    job.cost = sample_estimate(animation.keys, frame.time) + output_cost * pixels;
    jobs.push_back(std::move(job));
  }
  if (!args.video.path.empty()) names.take(args.video.path, "the video", "another name");
  if (!args.manifest.empty()) {
    OutputNames(args.force).take(args.manifest, "the manifest", "another name");
    names.take(args.manifest, "the manifest", "another name");
  }
  names.keep_inputs(args.inputs);
  names.keep_inputs(args.files_read());
  return jobs;
}

void keep_finished(const AnimateArguments& args, std::vector<FrameJob>& jobs) {
  const int threads = args.options.threads > 0
                          ? args.options.threads
                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  ThreadPool(threads).run(static_cast<int>(jobs.size()), [&](int i, int) {
    FrameJob& job = jobs[static_cast<std::size_t>(i)];
    job.kept = !job.path.empty() && job.path != "-" && is_frame(job.path, job.settings);
  });
}

void make_folders(const std::vector<FrameJob>& jobs) {
  for (const FrameJob& job : jobs) {
    const fs::path folder = fs::path(job.path).parent_path();
    std::error_code ignored;  // whoever writes there says what is wrong
    if (!job.path.empty() && job.path != "-" && !folder.empty())
      fs::create_directory(folder, ignored);
  }
}

}  // namespace kiln::cli
