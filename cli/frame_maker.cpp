#include "cli/frame_maker.h"

#include <algorithm>
#include <thread>

#include "cli/frame_renderers.h"
#include "cli/output_files.h"
#include "cli/print.h"
#include "cli/time_to_go.h"
#include "cli/work_time.h"
#include "engine/animation/frame_at.h"
#include "engine/api_content.h"
#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/io/output_target.h"
#include "engine/io/picture_format.h"
#include "engine/model/pixel_hash.h"

namespace kiln::cli {
namespace {

class FrameMaker {
 public:
  FrameMaker(const AnimateArguments& args, const KeyFrames& animation, std::vector<FrameJob> jobs,
             Talk& talk, Outcome& outcome)
      : args_(args), animation_(animation), jobs_(std::move(jobs)), talk_(talk), outcome_(outcome) {
    for (const FrameJob& job : jobs_) total_cost_ += job.kept ? 0 : job.cost;
  }

  void run() {
    FramePipeline::Threads threads;
    const std::size_t bytes = frame_bytes(args_, animation_, linear());
    std::vector<RenderOptions> renderers = choose_renderers(
        args_, animation_.keys.front(), static_cast<int>(jobs_.size()), bytes, threads);
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
    talk_.start_picture(jobs_.empty() ? "" : name_of(jobs_.front()), 1, work.count, {});
    FramePipeline pipeline(std::move(work), std::move(renderers), threads);
    if (const auto trouble = pipeline.run()) note_trouble(*trouble);
    if (video_ && outcome_.failures.empty()) finish_video();
  }

 private:
  /// All frames have the ending of the first.
  bool linear() const { return format_named(job(0).path).linear; }
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
    if (job.kept) image = read_picture(job.path);
    EncodedFrame frame;
    if (has_video()) frame.video = video_frame(image, args_.options.transparent);
    if (job.kept) return frame;
    const auto start = Clock::now();
    if (image.bits() == 16 && args_.options.bits == 8) image = with_8_bits(image);
    Picture made;
    made.image = std::move(image);
    made.statistics = statistics;
    if (job.path.empty())
      made.hash = pixel_hash(made.image);
    else
      write_picture(job, made);
    PictureReport& picture = frame.picture;
    picture.hash = made.hash;
    picture.path = job.path;
    picture.input = args_.inputs.front();
    picture.index = job.frame.number;
    picture.time = job.frame.time;
    picture.width = made.image.width;
    picture.height = made.image.height;
    picture.bits = made.image.bits();
    picture.seed = args_.options.seed;
    picture.statistics = statistics;
    picture.encode_s = seconds_since(start);
    picture.seconds = render_s + picture.encode_s;
    return frame;
  }

  void write_picture(const FrameJob& job, Picture& picture) const {
    check_output(job.path, args_.no_clobber);
    describe_frame(animation_.keys, job.frame, job.settings, args_.options, picture);
    kiln::write_picture(picture, job.path, args_.saving(1, args_.precision()));
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
    double known = done_cost_, rate = 0, ready_s = 0;  // with those under way, which take so long
    const char* stage = "write";
    for (const auto& [position, progress] : running) {
      stage = progress.stage[0] ? progress.stage : "start";
      rate += progress.samples_per_s;
      if (progress.elapsed_s <= 0) continue;
      known += job(position).cost;
      ready_s = std::max(ready_s, progress.remaining_s);
    }
    if (elapsed - said_ < 0.1 || known <= 0) return;
    said_ = elapsed;
    Progress all;
    all.elapsed_s = elapsed;
    all.remaining_s = time_to_go(elapsed, ready_s, known, total_cost_) + video_tail_s();
    most_done_ = all.done = std::max(elapsed / (elapsed + all.remaining_s), most_done_);
    all.samples_per_s = rate;
    all.stage = stage;
    const int shown = std::min(reported, static_cast<int>(jobs_.size()) - 1);
    talk_.show_frames(name_of(job(shown)), shown + 1, all);
  }

  /// What ffmpeg has still to do when it has all frames: some that it keeps to look ahead.
  double video_tail_s() const {
    if (!has_video()) return 0;
    constexpr double ahead = 40;
    const double cores = std::clamp<double>(std::thread::hardware_concurrency(), 1, 1.6);  // used
    const Flame& flame = animation_.keys.front();
    return std::min(ahead, static_cast<double>(jobs_.size())) * flame.width * flame.height *
           video_cost(args_.video.path) / cores;
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
  const KeyFrames& animation_;
  const std::vector<FrameJob> jobs_;
  Talk& talk_;
  Outcome& outcome_;
  std::optional<VideoWriter> video_;
  double total_cost_ = 0, done_cost_ = 0, most_done_ = 0, said_ = -1;
  bool warned_ = false, video_failed_ = false;
  const Clock::time_point begun_ = Clock::now();
};

}  // namespace

Image with_8_bits(const Image& image) {
  Image cut;
  cut.width = image.width;
  cut.height = image.height;
  cut.opaque = image.opaque;
  cut.pixel_aspect = image.pixel_aspect;
  cut.dpi = image.dpi;
  const std::vector<std::uint16_t>& whole = image.pixels16();
  std::vector<std::uint8_t>& pixels = cut.pixels8();
  pixels.resize(whole.size());
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<std::uint8_t>(i % 4 == 3 ? whole[i] / 257 : whole[i] >> 8);
  return cut;
}

std::size_t frame_bytes(const AnimateArguments& args, const KeyFrames& animation, bool linear) {
  const Flame& flame = animation.keys.front();
  const bool deep = !args.video.path.empty() || args.options.bits == 16;
  return static_cast<std::size_t>(flame.width) * static_cast<std::size_t>(flame.height) *
         (linear ? 60
          : deep ? 14
                 : 4);
}

void make_frames(const AnimateArguments& args, const KeyFrames& animation,
                 std::vector<FrameJob> jobs, Talk& talk, Outcome& outcome) {
  FrameMaker(args, animation, std::move(jobs), talk, outcome).run();
}

}  // namespace kiln::cli
