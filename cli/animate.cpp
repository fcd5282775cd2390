// kiln animate: key flames to frames and to a video. Everything is read, named and checked first;
// then frames go through the pipeline (frame_pipeline.h).
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/flame_selection.h"
#include "cli/forecast.h"
#include "cli/frame_pipeline.h"
#include "cli/inputs.h"
#include "cli/outcome.h"
#include "cli/output_files.h"
#include "cli/picture_options.h"
#include "cli/print.h"
#include "engine/animation/frame_at.h"
#include "engine/animation/interpolate.h"
#include "engine/animation/sequence.h"
#include "engine/base/clock.h"
#include "engine/device/device.h"
#include "engine/device/thread_pool.h"
#include "engine/io/frame_record.h"
#include "engine/io/genome_writer.h"
#include "engine/io/image_reader.h"
#include "engine/io/output_name.h"
#include "engine/io/output_target.h"
#include "engine/io/png_writer.h"
#include "engine/io/text.h"
#include "engine/io/video_writer.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

struct AnimateArguments : PictureOptions {
  std::vector<std::string> inputs;
  std::string output, flame, frames, chunk, devices;
  std::optional<double> begin, end;
  double dtime = 1;
  std::optional<int> temporal_samples;
  bool sequence = false, loop = false, steady = false, resume = false, dry_run = false;
  SequenceOptions sequence_options;
  VideoSettings video;
};

// ---- the animation: key flames and the times of all frames ----

struct Animation {
  std::vector<Flame> keys;
  std::vector<FrameTime> frames;
};

/// As flam3-animate: all keys have the size of the first.
void give_one_size(std::vector<Flame>& keys, Talk& talk) {
  const Flame& first = keys.front();
  for (Flame& key : keys) {
    if (key.width == first.width && key.height == first.height) continue;
    talk.warning(
        fmt::format("{}:{}: the flame is {} x {} pixels, the first one {} x {}; all frames "
                    "have the size of the first",
                    key.source, key.line, key.width, key.height, first.width, first.height));
    key.width = first.width;
    key.height = first.height;
  }
}

std::vector<Flame> read_keys(const AnimateArguments& args, Talk& talk) {
  ReaderOptions options = args.read.options();
  options.seed = args.options.seed;
  args.settings.complete(options);
  options.warn = [&](const std::string& message) { talk.warning(message); };
  std::vector<Flame> keys;
  FlameSelection selection(args.flame);
  for (const std::string& input : args.inputs) {
    for (Flame& flame : read_all_chosen(input, options, selection, Use::motion).flames)
      keys.push_back(std::move(flame));
  }
  selection.check();
  give_one_size(keys, talk);
  for (Flame& key : keys) {
    args.settings.apply(key);
    if (args.temporal_samples) key.temporal_samples = *args.temporal_samples;
  }
  return keys;
}

/// An endless loop has neighbours on both sides of its seam too: motion blur reaches across.
void close_loop(std::vector<Flame>& keys) {
  const std::size_t count = keys.size() - 1;
  Flame before = keys[count - 1], after = keys[1 % count];
  before.time = -1;
  after.time = static_cast<double>(count) + 1;
  keys.insert(keys.begin(), std::move(before));
  keys.push_back(std::move(after));
}

/// The frames of keys that the file gives: begin, end and dtime as in flam3-animate.
Animation key_animation(const AnimateArguments& args, std::vector<Flame> keys) {
  const double first = std::trunc(keys.front().time), last = keys.back().time;
  const double begin = args.begin.value_or(first);
  const double end = args.end.value_or(std::max(begin, last - 1));
  std::vector<FrameTime> frames = frame_times(begin, end, args.dtime);
  return {std::move(keys), std::move(frames)};
}

Animation make_animation(const AnimateArguments& args, Talk& talk) {
  std::vector<Flame> keys = read_keys(args, talk);
  if (!args.sequence) {
    check_keys(keys);
    if (keys.size() == 1) {
      talk.warning(
          fmt::format("{}:{}: one flame alone stands still; --sequence --loop lets it turn",
                      keys.front().source, keys.front().line));
    }
    return key_animation(args, std::move(keys));
  }
  const Flame first = keys.front();
  SequenceOptions options = args.sequence_options;
  options.smooth = !args.steady;
  keys = args.loop ? loop_flames(keys, options) : make_sequence(keys, options);
  for (Flame& key : keys) {  // messages name the file
    key.source = first.source;
    key.line = first.line;
  }
  Animation animation = key_animation(args, std::move(keys));
  if (args.loop) close_loop(animation.keys);
  return animation;
}

// ---- the frames of this run ----

struct FrameJob {
  FrameTime frame;
  std::string path;      // empty: for the video alone
  std::string settings;  // digest of all that decides the pixels
  bool kept = false;     // the file is there already
  double cost = 0;       // what it takes, in samples
};

/// Tone mapping, filters and the file, in samples a pixel; for the time to go only.
constexpr double output_cost = 20;

std::string template_for(const AnimateArguments& args) {
  const std::string usual = "{stem}_#####.png";
  if (args.output.empty()) return args.video.path.empty() ? usual : "";
  return is_folder(args.output) ? (fs::path(args.output) / usual).string() : args.output;
}

std::vector<FrameJob> choose_frames(const AnimateArguments& args, const Animation& animation) {
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
  OutputNames names;
  for (const FrameTime& frame : frames) {
    FrameJob job;
    job.frame = frame;
    if (!pattern.empty()) {
      job.path = expand_template(
          pattern, {input_stem(args.inputs.front()), first.name, frame.number, frame.number});
      if (job.path == "-" && frames.size() > 1)
        fail(ErrorKind::usage, "-o -: {} frames do not fit one stream", frames.size());
      names.take(job.path, fmt::format("frame {}", frame.number), "#### or {frame}");
    }
    job.settings = frame_digest(digest, frame);
    job.cost = sample_estimate(animation.keys, frame.time) + output_cost * pixels;
    jobs.push_back(std::move(job));
  }
  if (!args.video.path.empty()) names.take(args.video.path, "the video", "another name");
  names.keep_inputs(args.inputs);
  names.keep_inputs(args.files_read());
  return jobs;
}

/// Marks the frames whose files are whole and made with the same settings.
void keep_finished(const AnimateArguments& args, std::vector<FrameJob>& jobs) {
  const int threads = args.options.threads > 0
                          ? args.options.threads
                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  ThreadPool(threads).run(static_cast<int>(jobs.size()), [&](int i, int) {
    FrameJob& job = jobs[static_cast<std::size_t>(i)];
    job.kept = !job.path.empty() && job.path != "-" && is_frame(job.path, job.settings);
  });
}

// ---- devices ----

std::vector<int> gpu_list(const std::string& text, std::size_t gpus) {
  std::vector<int> list;
  if (text == "all") {
    for (std::size_t i = 0; i < gpus; ++i) list.push_back(static_cast<int>(i));
    if (list.empty()) {
      fail(ErrorKind::device,
           "--devices all: no CUDA device is here; leave it out to render on the CPU");
    }
    return list;
  }
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string number = text.substr(at, comma - at);
    if (number.empty() || number.size() > 4 ||
        number.find_first_not_of("0123456789") != std::string::npos) {
      fail(ErrorKind::usage,
           "--devices \"{}\": must be numbers of GPUs as \"kiln devices\" shows them, such as 0,1, "
           "or all",
           printable_whole(text));
    }
    list.push_back(std::atoi(number.c_str()));
    at = comma + 1;
  }
  return list;
}

/// One entry a renderer, and how many threads serve them.
std::vector<RenderOptions> choose_renderers(const AnimateArguments& args, std::size_t frame_bytes,
                                            FramePipeline::Threads& threads) {
  RenderOptions options = args.options;
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int allowed = options.threads > 0 ? options.threads : cores;
  threads.in_turn = allowed == 1;
  if (!args.devices.empty() && options.backend == Backend::cpu)
    fail(ErrorKind::usage, "--devices names GPUs; leave it out with --backend cpu");
  const std::size_t gpus = options.backend == Backend::cpu ? 0 : list_cuda_devices().size();
  if (gpus == 0 && args.devices.empty() && options.backend != Backend::cuda) {
    options.backend = Backend::cpu;
    return {options};  // one frame uses all cores; interpolation and files are a little beside it
  }
  std::vector<int> list = {options.device};
  if (!args.devices.empty()) list = gpu_list(args.devices, gpus);
  options.backend = Backend::cuda;
  std::vector<RenderOptions> renderers;
  for (int device : list) {
    options.device = device;
    renderers.push_back(options);
  }
  // files take most: 2 GiB of waiting pictures at most
  constexpr std::size_t waiting_bytes = std::size_t(2) << 30;
  const std::size_t room =
      std::max<std::size_t>(1, waiting_bytes / std::max<std::size_t>(frame_bytes, 1));
  threads.encode = std::clamp(allowed, 1, static_cast<int>(std::min<std::size_t>(room, 32)));
  threads.prepare = std::clamp(allowed / 2, 1, 16);
  if (renderers.size() > 1) threads.in_turn = false;
  return renderers;
}

// ---- making them ----

/// A 16-bit picture as it would have been with 8 bits (kernels/pack.h: 16-bit colours are the cut
/// value before its last 8 bits, alpha fills its range).
Image with_8_bits(const Image& image) {
  Image cut;
  cut.width = image.width;
  cut.height = image.height;
  cut.opaque = image.opaque;
  cut.pixel_aspect = image.pixel_aspect;
  cut.pixels8.resize(image.pixels16.size());
  for (std::size_t i = 0; i < cut.pixels8.size(); ++i) {
    const int value = image.pixels16[i];
    cut.pixels8[i] = static_cast<std::uint8_t>(i % 4 == 3 ? value / 257 : value >> 8);
  }
  return cut;
}

class FrameMaker {
 public:
  FrameMaker(const AnimateArguments& args, const Animation& animation, std::vector<FrameJob> jobs,
             Talk& talk, Outcome& outcome)
      : args_(args), animation_(animation), jobs_(std::move(jobs)), talk_(talk), outcome_(outcome) {
    for (const FrameJob& job : jobs_) total_cost_ += job.kept ? 0 : job.cost;
  }

  void run() {
    FramePipeline::Threads threads;
    const Flame& flame = animation_.keys.front();
    const std::size_t frame_bytes = static_cast<std::size_t>(flame.width) *
                                    static_cast<std::size_t>(flame.height) *
                                    (linear()                                  ? 60
                                     : has_video() || args_.options.bits == 16 ? 14
                                                                               : 4);
    std::vector<RenderOptions> renderers = choose_renderers(args_, frame_bytes, threads);
    for (RenderOptions& options : renderers) {
      if (has_video()) options.bits = 16;
      options.linear = linear();
    }
    if (has_video()) video_.emplace(video_settings());
    FrameWork work;
    work.count = static_cast<int>(jobs_.size());
    work.needs_rendering = [this](int i) { return !job(i).kept; };
    work.prepare = [this, options = renderers.front()](int i) {
      return prepare(frame_at(animation_.keys, job(i).frame), options);
    };
    work.encode = [this](int i, Image image, const RenderStatistics& statistics, double render_s) {
      return encode(i, std::move(image), statistics, render_s);
    };
    work.report = [this](int i, EncodedFrame frame) { report(i, std::move(frame)); };
    work.progress = [this](int reported, const auto& running) { say_progress(reported, running); };
    talk_.start_picture(jobs_.empty() ? "" : name_of(jobs_.front()), 1, work.count);
    FramePipeline pipeline(std::move(work), std::move(renderers), threads);
    if (const auto trouble = pipeline.run()) note_trouble(*trouble);
    if (video_ && outcome_.failures.empty()) finish_video();
  }

 private:
  /// All frames have the ending of the first.
  bool linear() const { return is_exr(job(0).path); }
  const FrameJob& job(int i) const { return jobs_[static_cast<std::size_t>(i)]; }
  bool has_video() const { return !args_.video.path.empty(); }
  std::string name_of(const FrameJob& job) const {
    return job.path.empty() ? args_.video.path : job.path;
  }

  VideoSettings video_settings() const {
    VideoSettings settings = args_.video;
    const Flame& flame = animation_.keys.front();
    const auto& crop = args_.options.crop;
    settings.width = crop ? crop->width : flame.width;
    settings.height = crop ? crop->height : flame.height;
    settings.transparent = args_.options.transparent;
    return settings;
  }

  /// On a worker thread: the file, and what the video needs of the picture.
  EncodedFrame encode(int i, Image image, const RenderStatistics& statistics,
                      double render_s) const {
    const FrameJob& job = this->job(i);
    if (job.kept) image = read_png(job.path);
    EncodedFrame frame;
    if (has_video()) frame.video = video_frame(image, args_.options.transparent);
    if (job.kept) return frame;
    const auto start = Clock::now();
    if (image.bits == 16 && args_.options.bits == 8) image = with_8_bits(image);
    Picture& picture = frame.picture;
    picture.hash = pixel_hash(image);
    if (!job.path.empty()) write_picture(job, image, statistics, picture.hash);
    picture.path = job.path;
    picture.input = args_.inputs.front();
    picture.index = job.frame.number;
    picture.time = job.frame.time;
    picture.width = image.width;
    picture.height = image.height;
    picture.bits = image.bits;
    picture.seed = args_.options.seed;
    picture.statistics = statistics;
    picture.encode_s = seconds_since(start);
    picture.seconds = render_s + picture.encode_s;
    return frame;
  }

  void write_picture(const FrameJob& job, const Image& image, const RenderStatistics& statistics,
                     const std::string& hash) const {
    check_output(job.path, args_.no_clobber);
    const Flame flame = frame_at(animation_.keys, job.frame, MotionBlur::without).flame;
    RenderOptions options = args_.options;
    options.bits = image.bits;
    const std::string record =
        frame_record(render_record(flame, options, statistics, hash), job.frame, job.settings);
    args_.write(job.path, image, picture_texts(genome_xml(flame), record), 1, args_.precision());
  }

  void report(int i, EncodedFrame frame) {
    const FrameJob& job = this->job(i);
    if (video_) {
      video_failed_ = true;  // if it throws
      video_->write(frame.video);
      video_failed_ = false;
    }
    if (job.kept) {
      ++outcome_.kept;
      return;
    }
    done_cost_ += job.cost;
    talk_.finished_frame(name_of(job), outcome_.done + 1);
    if (const std::string& warning = frame.picture.statistics.warning;
        !warning.empty() && !warned_) {
      warned_ = true;  // the same for all frames
      talk_.warning(
          fmt::format("{}: frame {}: {}", args_.inputs.front(), job.frame.number, warning));
    }
    outcome_.note(frame.picture, args_.json);
    if (!args_.json && !job.path.empty() && job.path != "-") {
      print("{}\n", job.path);
      std::fflush(stdout);
    }
  }

  /// The time to go follows from the work that is left, in samples, at the rate so far.
  void say_progress(int reported, const std::map<int, Progress>& running) {
    const double elapsed = seconds_since(begun_);
    double done = done_cost_, rate = 0;
    const char* stage = "write";
    for (const auto& [position, progress] : running) {
      done += job(position).cost * progress.done;
      rate += progress.samples_per_s;
      stage = progress.stage[0] ? progress.stage : "start";
    }
    if (elapsed - said_ < 0.1) return;
    said_ = elapsed;
    Progress all;
    all.done = total_cost_ > 0 ? std::min(done / total_cost_, 1.0) : 0;
    all.elapsed_s = elapsed;
    all.remaining_s = all.done > 0 ? elapsed * (1 - all.done) / all.done : 0;
    all.samples_per_s = rate;
    all.stage = stage;
    const int shown = std::min(reported, static_cast<int>(jobs_.size()) - 1);
    talk_.show_frames(name_of(job(shown)), shown + 1, all);
  }

  void note_trouble(const FramePipeline::Trouble& trouble) {
    const std::string item = video_failed_ ? args_.video.path : name_of(job(trouble.position));
    try {
      std::rethrow_exception(trouble.reason);
    } catch (const Error& error) {
      note_failure(item, error.kind, error.what());
    } catch (const std::bad_alloc&) {
      note_failure(item, ErrorKind::device,
                   fmt::format("{}: out of memory; a smaller --scale, less --supersample or fewer "
                               "--temporal-samples need less",
                               printable_whole(item)));
    }
  }
  void note_failure(const std::string& item, ErrorKind kind, const std::string& message) {
    talk_.error(kind, message);
    outcome_.failures.push_back({item, kind, message});
  }

  void finish_video() {
    try {
      video_->finish();
      outcome_.video = args_.video.path;
      if (!args_.json) print("{}\n", args_.video.path);
    } catch (const Error& error) {
      note_failure(args_.video.path, error.kind, error.what());
    }
  }

  const AnimateArguments& args_;
  const Animation& animation_;
  const std::vector<FrameJob> jobs_;
  Talk& talk_;
  Outcome& outcome_;
  std::optional<VideoWriter> video_;
  double total_cost_ = 0, done_cost_ = 0, said_ = -1;
  bool warned_ = false, video_failed_ = false;
  const Clock::time_point begun_ = Clock::now();
};

// ---- the command ----

/// `path` is the template, or the name of a frame: a flame's name in it may end in .exr as well.
void check_format(const AnimateArguments& args, const std::string& path) {
  args.check_linear(path, args.options);
  if (is_exr(path) && (args.resume || !args.video.path.empty())) {
    fail(ErrorKind::usage,
         "-o {}: OpenEXR frames cannot be resumed, nor be made together with a video; name them "
         ".png, or leave out --resume and --video",
         printable_whole(path));
  }
}

void check_arguments(AnimateArguments& args) {
  if (is_standard_output(args.output)) args.output.assign(1, '-');
  if (args.json && args.output == "-")
    fail(ErrorKind::usage, "-o - and --json both want standard output; choose one");
  if (!args.sequence && args.loop)
    fail(ErrorKind::usage, "--loop makes a sequence of key flames; add --sequence");
  if (!args.sequence && args.steady)
    fail(ErrorKind::usage, "--steady is of the transitions of --sequence; add it");
  if (args.temporal_samples && *args.temporal_samples < 1)
    fail(ErrorKind::usage, "--temporal-samples {}: must be at least 1", *args.temporal_samples);
  check_format(args, args.output);
  if (args.video.path.empty()) return;
  if (args.resume && (args.output.empty() || args.options.bits != 16)) {
    fail(ErrorKind::usage,
         "--resume with --video reads the frames that are there: give their names with -o, and "
         "--bits 16, which is what the video needs");
  }
  if (args.output == "-")
    fail(ErrorKind::usage, "-o - and --video: give the frames names, or none");
  VideoSettings video = args.video;
  video.transparent = args.options.transparent;
  check_video(video);
}

/// The folder of the frames is made where it is missing: one level, since a wrong path is more
/// likely than two missing levels.
void make_folders(const std::vector<FrameJob>& jobs) {
  for (const FrameJob& job : jobs) {
    const fs::path folder = fs::path(job.path).parent_path();
    std::error_code ignored;  // whoever writes there says what is wrong
    if (!job.path.empty() && job.path != "-" && !folder.empty())
      fs::create_directory(folder, ignored);
  }
}

/// What the frames that are left would take, by the rate of the first of them.
void foretell(const AnimateArguments& args, const Animation& animation,
              const std::vector<FrameJob>& jobs, Talk& talk) {
  Forecaster forecaster(args.options, true);
  const auto left =
      std::count_if(jobs.begin(), jobs.end(), [](const FrameJob& job) { return !job.kept; });
  const auto first =
      std::find_if(jobs.begin(), jobs.end(), [](const FrameJob& job) { return !job.kept; });
  Forecast frame;
  double seconds = 0;
  if (first != jobs.end()) {
    frame = forecaster.of(frame_at(animation.keys, first->frame, MotionBlur::without).flame);
    for (const FrameJob& job : jobs)
      seconds += job.kept ? 0 : frame.seconds * job.cost / std::max(first->cost, 1.0);
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
  talk.summary(fmt::format("dry run: about {} on {}; nothing was written",
                           clock_time(std::ceil(seconds)), forecaster.device()),
               "");
}

int run_animate(AnimateArguments& args) {
  const auto start = Clock::now();
  args.inputs = expand_inputs(args.inputs);
  args.complete();
  check_arguments(args);
  if (args.no_clobber) args.video.existing = AtomicFile::Existing::keep;
  Talk talk(args.progress_mode(), args.quiet);
  const Animation animation = make_animation(args, talk);
  std::vector<FrameJob> jobs = choose_frames(args, animation);
  if (!jobs.empty()) check_format(args, jobs.front().path);
  if (args.resume) keep_finished(args, jobs);
  if (!args.dry_run) make_folders(jobs);
  for (const FrameJob& job : jobs) {
    if (!job.path.empty() && !job.kept && !args.dry_run) check_output(job.path, args.no_clobber);
  }
  if (!args.video.path.empty() && !args.dry_run) check_output(args.video.path, args.no_clobber);
  Outcome outcome;
  if (args.video.path.empty()) {  // nobody needs them again
    const auto todo = std::stable_partition(jobs.begin(), jobs.end(),
                                            [](const FrameJob& job) { return !job.kept; });
    outcome.kept = static_cast<int>(jobs.end() - todo);
    jobs.erase(todo, jobs.end());
  }
  if (args.dry_run) {
    foretell(args, animation, jobs, talk);
    return exit_done;
  }
  if (!jobs.empty()) {
    talk.at_interrupt("the finished frames stay; the same command with --resume goes on");
    FrameMaker(args, animation, jobs, talk, outcome).run();
  }
  outcome.say_summary(seconds_since(start), "frame", talk);
  if (args.json) print("{}\n", outcome.result_json());
  // the work stopped there: the first reason says more than "some failed"
  return outcome.failures.empty() ? int{exit_done}
                                  : static_cast<int>(outcome.failures.front().kind);
}

void add_frame_options(Command& command, AnimateArguments& args) {
  SequenceOptions& sequence = args.sequence_options;
  command.group("Frames");
  command.text("--frames", "LIST", args.frames, "Only these frames: 7, 0-99, 0-99:2 or 0-9,50-59");
  command.number("--begin", "T", args.begin,
                 "Time of the first frame (default: of the first flame)");
  command.number("--end", "T", args.end,
                 "Time that no frame is after (default: of the last flame, less 1)");
  command.number("--dtime", "T", args.dtime, "Time from frame to frame (default 1)");
  command.whole("--temporal-samples", "N", args.temporal_samples,
                "Moments that motion blur mixes, instead of the file's; 1: no blur");
  command.flag("--sequence", args.sequence,
               "Make a sequence of the flames: each turns, then becomes the next");
  command.flag("--loop", args.loop, "With --sequence: the last flame becomes the first again");
  command.whole("--nframes", "N", sequence.nframes,
                "With --sequence: frames of a turn and of a transition (default 100)");
  command.whole("--loops", "N", sequence.loops,
                "With --sequence: turns of each flame (default 1; 0: transitions only)");
  command.number("--stagger", "F", sequence.stagger,
                 "With --sequence: xforms of a transition move one after the other, 0 to 1");
  command.flag("--steady", args.steady,
               "With --sequence: transitions at constant speed, not starting and ending gently");
}

void add_run_options(Command& command, AnimateArguments& args) {
  command.group("Video");
  command.text("--video", "FILE", args.video.path,
               "Also, or without -o only, a video by ffmpeg: .mp4 .mkv .mov .webm .avi");
  command.text("--fps", "F", args.video.fps, "Frames a second of the video (default 30)");
  command.text("--video-options", "TEXT", args.video.options,
               "More options for ffmpeg's output, e.g. \"-crf 12 -preset slow\"");
  command.group("Parts of the work");
  command.text("--chunk", "I/N", args.chunk,
               "Only this part of the frames, e.g. 2/4; auto: of the task of a Slurm or Grid "
               "Engine array");
  command.flag("--resume", args.resume,
               "Keep frames that are whole and were made with the same settings");
  command.text("--devices", "LIST", args.devices,
               "GPUs that share the frames, e.g. 0,1, or all (the pictures are the same)");
}

}  // namespace

void add_animate(Program& program) {
  Command& command = program.command("animate", "Render the frames between key flames, or a video");
  const auto args = std::make_shared<AnimateArguments>();
  command.inputs("IN", args->inputs,
                 "Key flames in the order of their times, as for \"kiln render\"; with --sequence "
                 "any flames");
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  command.group("Output");
  command.text("-o,--output", "TEMPLATE", args->output,
               "Names of the frames, or a folder, which is made where it is missing. Knows #### "
               "%05d {frame} {stem} {name} (default {stem}_#####.png, without --video)");
  add_frame_options(command, *args);
  command.flag("--dry-run", args->dry_run,
               "Render nothing: show how many frames there are and the time they would take");
  args->add_picture_options(command);
  add_run_options(command, *args);
  args->add_machine_options(command);
  command.examples(
      {"kiln animate keys.flame -o 'out/####.png'               # all frames of the file",
       "kiln animate keys.flame -o 'out/####.png' --frames 0-99:2 --resume",
       "kiln animate rose.flame --sequence --loop --nframes 120 --video rose.mp4",
       "kiln animate --sequence keys.flame --nframes 8 -o 'out/s%04d.png' --quality 50",
       "kiln animate keys.flame -o 'out/####.png' --chunk 2/4   # the second quarter"});
  command.runs([args] { return run_animate(*args); });
}

}  // namespace kiln::cli
