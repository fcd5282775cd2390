// SPDX-License-Identifier: MIT
#include "cli/frame_maker.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/console.h"
#include "cli/options/device_list.h"
#include "cli/options/output_files.h"
#include "engine/animation/film.h"
#include "engine/animation/frame_at.h"
#include "engine/animation/frame_manifest.h"
#include "engine/api/api_impl.h"
#include "engine/base/cores.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/base/thread_pool.h"
#include "engine/base/write_all.h"
#include "engine/io/file/output_name.h"
#include "engine/io/file/reader_gone.h"
#include "engine/io/flame/flame_options.h"
#include "engine/io/picture/film_spool.h"
#include "engine/io/picture/fitted_video.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/video_writer.h"
#include "engine/model/image.h"
#include "engine/pipeline/forecast.h"
#include "engine/pipeline/frames.h"
#include "engine/render/develop/hdr.h"
#include "engine/sound/song.h"

namespace kiln::cli {
namespace {

class FrameMaker {
 public:
  FrameMaker(const AnimateArguments& args, const KeyFrames& animation, std::vector<FrameJob> jobs,
             Console& console, Outcome& outcome)
      : args_(args),
        animation_(animation),
        jobs_(std::move(jobs)),
        console_(console),
        outcome_(outcome) {
    for (const FrameJob& job : jobs_) total_cost_ += job.kept ? 0 : job.cost;
  }

  void run() {
    const RenderOptions options = frame_options();
    if (has_video()) video_.emplace(video_settings());
    keeps_frames_ =
        std::any_of(jobs_.begin(), jobs_.end(), [](const FrameJob& job) { return job.is_again; }) &&
        (has_video() || is_stream());
    if (keeps_frames_) spool_.emplace(args_.video.path);
    FrameWork work;
    work.count = static_cast<int>(jobs_.size());
    work.film = &animation_;
    work.frame = [this](int i) {
      return job(i).kept || job(i).is_again ? std::nullopt : std::optional(job(i).frame);
    };
    work.encode = [this](int i, RenderedFrame made) { return encode(job(i), std::move(made)); };
    work.progress = [this](int reported, const auto& running) { say_progress(reported, running); };
    console_.start_picture(jobs_.empty() ? "" : name_of(jobs_.front()), 1, work.count, {});
    if (const auto trouble = make_frames(work, options)) note_trouble(*trouble);
    if (outcome_.reader_gone) return;
    if (video_ && outcome_.failures.empty()) finish_video();
  }

 private:
  /// All frames have the ending of the first.
  bool linear() const { return is_hdr() || format_named(job(0).path).linear; }
  bool is_hdr() const { return args_.video.hdr_peak > 0; }
  const FrameJob& job(int i) const { return jobs_[static_cast<std::size_t>(i)]; }
  bool has_video() const { return !args_.video.path.empty(); }
  /// Whether the frames go one behind the other to standard output.
  bool is_stream() const { return !jobs_.empty() && is_standard_output(job(0).path); }
  bool prints_names() const { return !args_.json && !is_standard_output(args_.video.path); }
  std::string name_of(const FrameJob& job) const {
    return job.path.empty() ? args_.video.path : job.path;
  }

  /// The options of frames. Other GPUs than those that are asked for are not even opened.
  RenderOptions frame_options() const {
    RenderOptions options = args_.options;
    if (waits_for_work(args_.devices))
      share_worth(seconds_on_a_gpu(), true, options);
    else if (!args_.devices.empty())
      share_listed(args_.devices, options);
    see_devices_of(options);
    if (has_video()) options.bits = 16;
    options.linear = linear();
    return options;
  }

  /// Seconds that one GPU takes for the frames that are still to make.
  double seconds_on_a_gpu() const {
    constexpr double least_s = 0.02;  // of a frame: with what comes before and after its game
    std::vector<FrameTime> frames;
    for (const FrameJob& job : jobs_)
      if (!job.kept && !job.is_again) frames.push_back(job.frame);
    double seconds = 0;
    for (const double samples : sample_estimates(animation_.keys, frames))
      seconds += std::max(rough_gpu_seconds(samples, args_.options), least_s);
    return seconds;
  }

  VideoSettings video_settings() const {
    VideoSettings settings = args_.video;
    const Flame& flame = animation_.keys.front();
    const auto& crop = args_.options.crop;
    settings.width = crop ? crop->width : flame.width;
    settings.height = crop ? crop->height : flame.height;
    settings.transparent = args_.options.transparent;
    settings.frames = jobs_.size();
    settings.credits = args_.credits;
    settings.is_sphere = flame.depth_camera.projection == Projection::sphere && !crop;
    return settings;
  }

  /// Writes the file, on a worker thread, and keeps what the video needs of the picture.
  Report encode(const FrameJob& job, RenderedFrame made) {
    if (job.is_again) return [this, &job] { report_again(job); };
    if (job.kept) made.image = read_picture(job.path);
    HdrFrame video;
    if (is_hdr())
      video = hdr_frame(made.image, flame_at(animation_.keys, job.frame.time), args_.video.hdr_peak,
                        args_.options.crop);
    else if (has_video())
      video.pixels =
          video_frame(made.image, args_.options.transparent, video_bits(args_.video.path));
    const auto start = Clock::now();
    Picture picture;
    picture.image = made.image.bits() == 16 && args_.options.bits == 8 ? with_8_bits(made.image)
                                                                       : std::move(made.image);
    picture.statistics = made.statistics;
    if (is_poster(job)) write_picture(job, args_.video_words.poster, picture);
    if (job.kept) return [this, &job, video = std::move(video)] { report(job, video, {}); };
    std::string stream;
    if (job.path.empty())
      picture.hash = pixel_hash(picture.image);
    else if (is_stream())
      stream = bytes_of_picture(job, picture);
    else
      write_picture(job, job.path, picture);
    PictureReport said;
    said.hash = picture.hash;
    said.path = job.path;
    said.input = args_.inputs.front();
    said.index = job.frame.number;
    said.time = job.frame.time;
    said.width = picture.image.width;
    said.height = picture.image.height;
    said.bits = picture.image.bits();
    said.seed = args_.options.seed;
    said.statistics = made.statistics;
    said.encode_s = seconds_since(start);
    said.seconds = made.render_s + said.encode_s;
    return [this, &job, video = std::move(video), said, stream = std::move(stream)] {
      if (!stream.empty()) send(job, stream);
      report(job, video, said);
    };
  }

  bool is_poster(const FrameJob& job) const {
    const VideoWords& words = args_.video_words;
    if (words.poster.empty() || job.is_again) return false;
    const int wanted = words.poster_frame.value_or(this->job(0).shown);
    const auto found = std::find_if(jobs_.begin(), jobs_.end(),
                                    [&](const FrameJob& one) { return one.shown == wanted; });
    return found != jobs_.end() && found->frame.number == job.frame.number;
  }

  void write_picture(const FrameJob& job, const std::string& path, Picture& picture) const {
    check_output(path, args_.no_clobber);
    describe_frame(animation_.keys, job.frame, {job.settings, job.film}, args_.options, picture);
    kiln::write_picture(picture, path, args_.saving(1, args_.exr));
  }

  /// The file that write_picture() would have made.
  std::string bytes_of_picture(const FrameJob& job, Picture& picture) const {
    describe_frame(animation_.keys, job.frame, {job.settings, job.film}, args_.options, picture);
    const Saving saving = args_.saving(1, args_.exr);
    return format_for(picture.image, job.path)
        .bytes(picture.image, picture_texts(picture.genome, picture.record, saving.credits),
               saving);
  }

  /// Sends a picture on, in the order of the frames.
  void send(const FrameJob& job, const std::string& bytes) {
    if (keeps_frames_ && !job.is_again)
      places_[job.frame.number] = spool_->add(bytes.data(), bytes.size());
    if (write_all(STDOUT_FILENO, bytes.data(), bytes.size())) return;
    if (errno == EPIPE) throw ReaderGone("the reader of the frames has gone");
    fail(ErrorKind::output, "standard output cannot be written: {}", std::strerror(errno));
  }

  /// A frame that came before: its file once more, its picture into the stream, its samples into the film.
  void report_again(const FrameJob& job) {
    if (is_stream()) {
      send(job, spool_->read(places_.at(job.frame.number)));
      ++outcome_.done;
      return;
    }
    if (!job.path.empty() && !job.kept) copy_file(job);
    if (video_) {
      const std::string bytes = spool_->read(places_.at(job.frame.number));
      std::vector<std::uint16_t> samples(bytes.size() / sizeof(std::uint16_t));
      std::memcpy(samples.data(), bytes.data(), bytes.size());
      video_failed_ = true;  // if it throws
      video_->write(samples);
      video_failed_ = false;
    }
    ++(job.kept ? outcome_.kept : outcome_.done);
    if (!job.path.empty() && !job.kept) print_name(job);
  }

  void copy_file(const FrameJob& job) const {
    check_output(job.path, args_.no_clobber);
    std::ifstream from(job.copy_of, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(from)), {});
    if (!from || bytes.empty())
      fail(ErrorKind::output, "{}: cannot be read again for the way back",
           printable_whole(job.copy_of));
    AtomicFile file(job.path, args_.saving(1, args_.exr).existing);
    file.write(bytes.data(), bytes.size());
    file.commit();
  }

  void print_name(const FrameJob& job) const {
    if (!prints_names()) return;
    print("{}\n", job.path);
    std::fflush(stdout);
  }

  void report(const FrameJob& job, const HdrFrame& video, const PictureReport& picture) {
    if (video_) {
      video_failed_ = true;  // if it throws
      video_->write(video.pixels);
      if (keeps_frames_)
        places_[job.frame.number] =
            spool_->add(video.pixels.data(), video.pixels.size() * sizeof video.pixels[0]);
      light_.add(video.levels);
      video_failed_ = false;
    }
    if (job.kept) {
      ++outcome_.kept;
      return;
    }
    done_cost_ += job.cost;
    console_.finished_frame(name_of(job), outcome_.done + 1);
    if (const std::string& warning = picture.statistics.warning; !warning.empty() && !warned_) {
      warned_ = true;  // the same for all frames
      console_.warning(
          fmt::format("{}: frame {}: {}", args_.inputs.front(), job.frame.number, warning));
    }
    outcome_.note(picture, args_.json);
    if (!job.path.empty() && !is_stream()) print_name(job);
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
    console_.show_frames(name_of(job(shown)), shown + 1, all);
  }

  /// Seconds that ffmpeg takes when it has all frames: it keeps some to look ahead.
  double video_tail_s() const {
    if (!has_video()) return 0;
    const VideoSettings settings = video_settings();
    return video_work(settings).tail_s(static_cast<double>(jobs_.size()),
                                       double(settings.width) * settings.height);
  }

  void note_trouble(const Pipeline::Trouble& trouble) {
    const std::string item = video_failed_ ? args_.video.path : name_of(job(trouble.position));
    try {
      std::rethrow_exception(trouble.reason);
    } catch (const ReaderGone&) {
      outcome_.reader_gone = true;
    } catch (const Error& error) {
      outcome_.note_failure(item, error.kind, error.what(), console_);
    } catch (const std::bad_alloc&) {
      outcome_.note_failure(
          item, ErrorKind::device,
          fmt::format("{}: out of memory; a smaller --scale, less --supersample or fewer "
                      "--temporal-samples need less",
                      printable_whole(item)),
          console_);
    }
  }

  void finish_video() {
    try {
      video_->set_light(light_.brightest, light_.brightest_frame);
      const double begun = seconds_since(begun_), tail = video_tail_s();
      video_->finish([&] {
        Progress all;
        all.elapsed_s = seconds_since(begun_);
        all.remaining_s = std::max(0.0, begun + tail - all.elapsed_s);
        all.done = std::max(most_done_, all.elapsed_s / (all.elapsed_s + all.remaining_s));
        all.stage = "video";
        console_.show_frames(args_.video.path, static_cast<int>(jobs_.size()), all);
      });
      outcome_.video = args_.video.path;
      if (prints_names()) print("{}\n", args_.video.path);
      if (!video_->said().empty()) console_.note(video_->said());
      if (is_hdr())
        console_.summary(fmt::format("MaxCLL {:.0f}, MaxFALL {:.0f} cd/m2", light_.brightest,
                                     light_.brightest_frame),
                         "");
    } catch (const ReaderGone&) {
      outcome_.reader_gone = true;
    } catch (const Error& error) {
      outcome_.note_failure(args_.video.path, error.kind, error.what(), console_);
    }
  }

  const AnimateArguments& args_;
  const KeyFrames& animation_;
  const std::vector<FrameJob> jobs_;
  Console& console_;
  Outcome& outcome_;
  std::optional<FittedVideo> video_;
  std::optional<FilmSpool> spool_;     // of frames that come again
  std::map<int, std::size_t> places_;  // in it, by the frame's number
  bool keeps_frames_ = false;
  LightLevels light_;
  double total_cost_ = 0, done_cost_ = 0, most_done_ = 0, said_ = -1;
  bool warned_ = false, video_failed_ = false;
  const Clock::time_point begun_ = Clock::now();
};

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

void make_frames(const AnimateArguments& args, const KeyFrames& animation,
                 std::vector<FrameJob> jobs, Console& console, Outcome& outcome) {
  FrameMaker(args, animation, std::move(jobs), console, outcome).run();
}

std::vector<FrameJob> choose_frames(const AnimateArguments& args, const KeyFrames& animation) {
  const std::vector<FrameTime> shown = shown_frames(args, animation.frames);
  std::vector<FrameTime> frames;
  for (const FrameTime& one : shown) frames.push_back(animation.frames[std::size_t(one.time)]);
  const std::string pattern = template_for(args);
  const FrameDigests digests(animation, args.options);
  const Flame& first = animation.keys.front();
  const double pixels = static_cast<double>(first.width) * first.height;
  const std::optional<std::string>& wanted = args.settings.color.palette;
  const std::string palette = wanted ? palette_label(*wanted) : "";
  const std::vector<double> samples = sample_estimates(animation.keys, frames);
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
    job.cost = job.is_again ? 0 : samples[jobs.size()] + output_cost * pixels;
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
  for (const Flame& key : animation.keys.read())
    if (key.sound) inputs.push_back(song_path(key));
  names.keep_inputs(inputs);
  return jobs;
}

void keep_finished(const AnimateArguments& args, std::vector<FrameJob>& jobs) {
  const int threads = args.options.threads > 0 ? args.options.threads : usable_cores();
  ThreadPool(threads).run(static_cast<int>(jobs.size()), [&](int i, int) {
    FrameJob& job = jobs[static_cast<std::size_t>(i)];
    job.kept =
        !job.path.empty() && !is_standard_output(job.path) && is_frame(job.path, job.settings);
  });
}

void make_folders(const std::vector<FrameJob>& jobs) {
  for (const FrameJob& job : jobs) {
    const fs::path folder = fs::path(job.path).parent_path();
    std::error_code ignored;  // whoever writes there says what is wrong
    if (!job.path.empty() && !is_standard_output(job.path) && !folder.empty())
      fs::create_directories(folder, ignored);
  }
}

}  // namespace kiln::cli
