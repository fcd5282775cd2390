// SPDX-License-Identifier: MIT
#include "cli/making/frame_maker.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "cli/options/output_files.h"
#include "cli/says/console.h"
#include "engine/animation/frame_at.h"
#include "engine/animation/frame_manifest.h"
#include "engine/api/api_impl.h"
#include "engine/base/platform/file.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/file/reader_gone.h"
#include "engine/io/picture/film_spool.h"
#include "engine/io/picture/fitted_video.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/video_writer.h"
#include "engine/model/image.h"
#include "engine/pipeline/frames.h"
#include "engine/render/develop/hdr.h"

namespace kiln::cli {
namespace {

class FrameMaker {
 public:
  FrameMaker(const FilmPlan& plan, const KeyFrames& film, Console& console, Outcome& outcome)
      : plan_(plan), film_(film), console_(console), outcome_(outcome) {
    for (const FrameJob& job : plan_.frames) total_cost_ += job.kept ? 0 : job.cost;
  }

  void run() {
    const RenderOptions options = frame_options();
    if (plan_.has_video()) video_.emplace(video_settings());
    keeps_frames_ = std::any_of(plan_.frames.begin(), plan_.frames.end(),
                                [](const FrameJob& job) { return job.is_again; }) &&
                    (plan_.has_video() || plan_.is_stream());
    if (keeps_frames_) spool_.emplace(plan_.video.path);
    FrameWork work;
    work.count = static_cast<int>(plan_.frames.size());
    work.film = &film_;
    work.frame = [this](int i) {
      return job(i).kept || job(i).is_again ? std::nullopt : std::optional(job(i).frame);
    };
    work.encode = [this](int i, RenderedFrame made) { return encode(job(i), std::move(made)); };
    work.progress = [this](int reported, const auto& running) { say_progress(reported, running); };
    console_.start_picture(plan_.frames.empty() ? "" : name_of(plan_.frames.front()), 1, work.count,
                           {});
    if (const auto trouble = make_frames(work, options)) note_trouble(*trouble);
    if (outcome_.reader_gone) return;
    if (video_ && outcome_.failures.empty()) finish_video();
  }

 private:
  const FrameJob& job(int i) const { return plan_.frames[static_cast<std::size_t>(i)]; }
  bool prints_names() const { return !plan_.as_json && !is_standard_output(plan_.video.path); }
  std::string name_of(const FrameJob& job) const {
    return job.path.empty() ? plan_.video.path : job.path;
  }

  /// The options of frames.
  RenderOptions frame_options() const {
    RenderOptions options = plan_.options;
    if (plan_.has_video()) options.bits = 16;
    options.linear = plan_.is_linear();
    return options;
  }

  VideoSettings video_settings() const {
    VideoSettings settings = plan_.video;
    const Flame& flame = film_.keys.front();
    const auto& crop = plan_.options.crop;
    settings.width = crop ? crop->width : flame.width;
    settings.height = crop ? crop->height : flame.height;
    settings.transparent = plan_.options.transparent;
    settings.frames = plan_.frames.size();
    settings.is_sphere = flame.depth_camera.projection == Projection::sphere && !crop;
    return settings;
  }

  /// Writes the file, on a worker thread, and keeps what the video needs of the picture.
  Report encode(const FrameJob& job, RenderedFrame made) {
    if (job.is_again) return [this, &job] { report_again(job); };
    if (job.kept) made.image = read_picture(job.path);
    HdrFrame video;
    if (plan_.is_hdr())
      video = hdr_frame(made.image, flame_at(film_.keys, job.frame.time), plan_.video.hdr_peak,
                        plan_.options.crop);
    else if (plan_.has_video())
      video.pixels =
          video_frame(made.image, plan_.options.transparent, video_bits(plan_.video.path));
    const auto start = Clock::now();
    Picture picture;
    picture.image = made.image.bits() == 16 && plan_.options.bits == 8 ? with_8_bits(made.image)
                                                                       : std::move(made.image);
    picture.statistics = made.statistics;
    if (is_poster(job)) write_picture(job, plan_.poster, picture);
    if (job.kept) return [this, &job, video = std::move(video)] { report(job, video, {}); };
    std::string stream;
    if (job.path.empty())
      picture.hash = pixel_hash(picture.image);
    else if (plan_.is_stream())
      stream = bytes_of_picture(job, picture);
    else
      write_picture(job, job.path, picture);
    PictureReport said;
    said.hash = picture.hash;
    said.path = job.path;
    said.input = plan_.input;
    said.index = job.frame.number;
    said.time = job.frame.time;
    said.width = picture.image.width;
    said.height = picture.image.height;
    said.bits = picture.image.bits();
    said.seed = plan_.options.seed;
    said.statistics = made.statistics;
    said.encode_s = seconds_since(start);
    said.seconds = made.render_s + said.encode_s;
    return [this, &job, video = std::move(video), said, stream = std::move(stream)] {
      if (!stream.empty()) send(job, stream);
      report(job, video, said);
    };
  }

  bool is_poster(const FrameJob& job) const {
    if (plan_.poster.empty() || job.is_again) return false;
    const int wanted = plan_.poster_frame.value_or(this->job(0).shown);
    const auto found = std::find_if(plan_.frames.begin(), plan_.frames.end(),
                                    [&](const FrameJob& one) { return one.shown == wanted; });
    return found != plan_.frames.end() && found->frame.number == job.frame.number;
  }

  void write_picture(const FrameJob& job, const std::string& path, Picture& picture) const {
    check_output(path, plan_.keeps_files);
    describe_frame(film_.keys, job.frame, {job.settings, job.film}, plan_.options, picture);
    kiln::write_picture(picture, path, plan_.saving);
  }

  /// The file that write_picture() would have made.
  std::string bytes_of_picture(const FrameJob& job, Picture& picture) const {
    describe_frame(film_.keys, job.frame, {job.settings, job.film}, plan_.options, picture);
    return format_for(picture.image, job.path)
        .bytes(picture.image, picture_texts(picture.genome, picture.record, plan_.saving.credits),
               plan_.saving);
  }

  /// Sends a picture on, in the order of the frames.
  void send(const FrameJob& job, const std::string& bytes) {
    if (keeps_frames_ && !job.is_again)
      spooled_[job.frame.number] = spool_->add(bytes.data(), bytes.size());
    if (write_all(standard_output, bytes.data(), bytes.size())) return;
    if (errno == EPIPE) throw ReaderGone("the reader of the frames has gone");
    fail(ErrorKind::output, "standard output cannot be written: {}", std::strerror(errno));
  }

  /// A frame that came before: its file once more, its picture into the stream, its samples into the film.
  void report_again(const FrameJob& job) {
    if (plan_.is_stream()) {
      send(job, spool_->read(spooled_.at(job.frame.number)));
      ++outcome_.done;
      return;
    }
    if (!job.path.empty() && !job.kept) copy_file(job);
    if (video_) {
      const std::string bytes = spool_->read(spooled_.at(job.frame.number));
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
    check_output(job.path, plan_.keeps_files);
    std::ifstream from(job.copy_of, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(from)), {});
    if (!from || bytes.empty())
      fail(ErrorKind::output, "{}: cannot be read again for the way back",
           printable_whole(job.copy_of));
    AtomicFile file(job.path, plan_.saving.existing);
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
        spooled_[job.frame.number] =
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
      console_.warning(fmt::format("{}: frame {}: {}", plan_.input, job.frame.number, warning));
    }
    outcome_.note(picture, plan_.as_json);
    if (!job.path.empty() && !plan_.is_stream()) print_name(job);
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
    const int shown = std::min(reported, static_cast<int>(plan_.frames.size()) - 1);
    console_.show_frames(name_of(job(shown)), shown + 1, all);
  }

  /// Seconds that ffmpeg takes when it has all frames: it keeps some to look ahead.
  double video_tail_s() const {
    if (!plan_.has_video()) return 0;
    const VideoSettings settings = video_settings();
    return video_work(settings).tail_s(static_cast<double>(plan_.frames.size()),
                                       double(settings.width) * settings.height);
  }

  void note_trouble(const Pipeline::Trouble& trouble) {
    const std::string item = video_failed_ ? plan_.video.path : name_of(job(trouble.position));
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
        console_.show_frames(plan_.video.path, static_cast<int>(plan_.frames.size()), all);
      });
      outcome_.video = plan_.video.path;
      if (prints_names()) print("{}\n", plan_.video.path);
      if (!video_->said().empty()) console_.note(video_->said());
      if (plan_.is_hdr())
        console_.summary(fmt::format("MaxCLL {:.0f}, MaxFALL {:.0f} cd/m2", light_.brightest,
                                     light_.brightest_frame),
                         "");
    } catch (const ReaderGone&) {
      outcome_.reader_gone = true;
    } catch (const Error& error) {
      outcome_.note_failure(plan_.video.path, error.kind, error.what(), console_);
    }
  }

  const FilmPlan& plan_;
  const KeyFrames& film_;
  Console& console_;
  Outcome& outcome_;
  std::optional<FittedVideo> video_;
  std::optional<FilmSpool> spool_;      // of frames that come again
  std::map<int, std::size_t> spooled_;  // in it, by the frame's number
  bool keeps_frames_ = false;
  LightLevels light_;
  double total_cost_ = 0, done_cost_ = 0, most_done_ = 0, said_ = -1;
  bool warned_ = false, video_failed_ = false;
  const Clock::time_point begun_ = Clock::now();
};

}  // namespace

void make_frames(const FilmPlan& plan, const KeyFrames& film, Console& console, Outcome& outcome) {
  FrameMaker(plan, film, console, outcome).run();
}

}  // namespace kiln::cli
