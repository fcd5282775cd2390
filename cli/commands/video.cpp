// SPDX-License-Identifier: MIT
// kiln video: frames that are there already, of a farm or an earlier run, as a film, exactly as
// kiln animate --video makes it of the frames that it renders. Frames are read some ahead, as many as
// there are cores, and go to ffmpeg in their order.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <future>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <thread>

#include "cli/commands/commands.h"
#include "cli/making/check_frames.h"
#include "cli/making/slides.h"
#include "cli/options/output_files.h"
#include "cli/options/sequence_words.h"
#include "cli/says/console.h"
#include "engine/api/api_impl.h"
#include "engine/base/cores.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/input_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/fitted_video.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/video_sphere.h"
#include "engine/io/picture/video_writer.h"
#include "engine/render/develop/hdr.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct VideoArguments {
  std::vector<std::string> inputs;
  VideoSettings video;
  VideoWords words;
  SlideWords slides;
  bool reverse = false, ping_pong = false;
  bool quiet = false, no_clobber = false, force = false, allow_missing = false;
};

/// A key that sorts names by the numbers in them: "10.png" behind "9.png".
std::string order_of(const std::string& name) {
  constexpr std::size_t most_digits = 20;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string key;
  for (std::size_t at = 0; at < name.size();) {
    std::size_t end = at;
    while (end < name.size() && is_digit(name[end])) ++end;
    if (end > at && end - at < most_digits) key.append(most_digits - (end - at), '0');
    end = std::max(end, at + 1);
    key.append(name, at, end - at);
    at = end;
  }
  return key;
}

/// The inputs with each folder replaced by its pictures, in the order of their names and of the numbers in them.
std::vector<std::string> frames_of(const std::vector<std::string>& inputs, bool linear) {
  const std::string ending(format_for(linear).ending);
  std::vector<std::string> frames;
  for (const std::string& input : inputs) {
    if (!fs::is_directory(input)) {
      frames.push_back(input);
      continue;
    }
    std::vector<std::string> names = files_in(input, {ending});
    if (names.empty())
      fail(ErrorKind::input, "{}: there are no {} files in this folder", printable_whole(input),
           ending);
    std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
      return order_of(a) < order_of(b);
    });
    for (const std::string& name : names) frames.push_back((fs::path(input) / name).string());
  }
  return frames;
}

/// The numbers that are left out within a run of frames: the names say where to look, the records of the frames
/// around the place what is missing there. Of pictures without records, which kiln did not make, nothing is.
std::vector<int> missing_in(std::span<const std::string> run, const std::vector<int>& numbers) {
  int step = 0;
  for (std::size_t i = 1; i < numbers.size(); ++i)
    step = std::gcd(step, numbers[i] - numbers[i - 1]);
  std::vector<int> missing;
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    if (numbers[i] - numbers[i - 1] <= step) continue;
    const std::optional<int> from = recorded_number(run[i - 1]), to = recorded_number(run[i]);
    constexpr std::size_t most = 1'000'000;
    for (std::int64_t number = std::int64_t{from.value_or(0)} + step;
         from && to && number < *to && missing.size() < most; number += step)
      missing.push_back(int(number));
  }
  return missing;
}

/// The frames that are missing between others, a run being those of a folder whose numbers rise.
std::vector<int> missing_frames(const std::vector<std::string>& paths) {
  std::vector<int> missing, numbers;
  for (std::size_t i = 0; i <= paths.size(); ++i) {
    const std::optional<int> number = i < paths.size() ? number_in_name(paths[i]) : std::nullopt;
    const bool goes_on = number && !numbers.empty() && *number > numbers.back() &&
                         fs::path(paths[i]).parent_path() == fs::path(paths[i - 1]).parent_path();
    if (!goes_on) {
      const std::span run(paths.begin() + std::ptrdiff_t(i - numbers.size()), numbers.size());
      const std::vector<int> in_run = missing_in(run, numbers);
      missing.insert(missing.end(), in_run.begin(), in_run.end());
      numbers.clear();
    }
    if (number) numbers.push_back(*number);
  }
  return missing;
}

/// "23-24, 40 and 5 more".
std::string list_of(const std::vector<int>& numbers) {
  constexpr int most_shown = 8;
  std::string text;
  int shown = 0;
  std::size_t i = 0;
  while (i < numbers.size() && shown++ < most_shown) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers[i]);
    if (last > i) text += fmt::format("-{}", numbers[last]);
    i = last + 1;
  }
  return i < numbers.size() ? fmt::format("{} and {} more", text, numbers.size() - i) : text;
}

/// A frame, and its pixels as ffmpeg gets them.
struct ReadFrame {
  Image image;
  HdrFrame video;
};

/// A picture of linear light becomes HDR by the tone curve of its own flame.
ReadFrame read_frame(const std::string& path, const VideoSettings& video) {
  const bool hdr = video.hdr_peak > 0;
  ReadFrame frame;
  const Image& image = frame.image = read_picture(path);
  if ((image.bits() == 32) != hdr)
    fail(ErrorKind::input, "{}: {}", printable_whole(path),
         hdr ? "it has no light above white; HDR is made of frames that are rendered as .exr"
             : "linear light has no tone curve yet; render the frames as PNG, or add --hdr pq");
  if (hdr) {
    const std::optional<PictureRecord> record = record_in(path);
    frame.video = hdr_frame(image, read_flames(path, {}).flames.at(0), video.hdr_peak,
                            record ? record->options.crop : std::nullopt);
  } else {
    frame.video.pixels = video_frame(image, video.transparent, video_bits(video.path));
  }
  return frame;
}

/// Reads frames on other threads, as many at once as there are cores.
class FramesAhead {
 public:
  FramesAhead(const std::vector<std::string>& paths, const VideoSettings& video)
      : paths_(paths), video_(video) {
    const std::size_t most = std::size_t(usable_cores());
    while (next_ < std::min(most, paths.size())) begin_next();
  }
  ReadFrame take() {
    std::future<ReadFrame> first = std::move(reading_.front());
    reading_.pop_front();
    if (next_ < paths_.size()) begin_next();
    return first.get();
  }

 private:
  void begin_next() {
    reading_.push_back(
        std::async(std::launch::async, read_frame, std::cref(paths_[next_++]), std::cref(video_)));
  }

  const std::vector<std::string>& paths_;
  const VideoSettings& video_;
  std::deque<std::future<ReadFrame>> reading_;
  std::size_t next_ = 0;
};

/// The authors of the frames, where they say so.
Credits credits_of(const std::string& path) {
  try {
    return credits_in(read_picture_texts(path, InputFile::Opens::regular_files).texts);
  } catch (const Error&) {  // a pipe, which is read once
    return {};
  }
}

/// The picture with what its frame says of itself.
void write_poster(const Image& image, const std::string& frame, const VideoArguments& args) {
  PictureTexts texts = read_picture_texts(frame).texts;
  Saving saving;
  saving.existing = args.video.existing;
  saving.credits = credits_in(texts);
  write_picture({image, {}, {}, texts["flam3_genome"], texts["kiln_record"]}, args.words.poster,
                saving);
}

void check_names(const VideoArguments& args, const std::vector<std::string>& frames) {
  OutputNames names(args.force || args.no_clobber);
  names.claim(args.video.path, "the video", "-o");
  if (!args.words.poster.empty()) {
    names.claim_picture(args.words.poster, "the poster", "--poster");
    check_output(args.words.poster, args.no_clobber);
  }
  names.keep_inputs(frames);
  check_output(args.video.path, args.no_clobber);
  check_video(args.video);
}

/// The order in which the frames are shown.
std::vector<std::string> in_order(std::vector<std::string> frames, const VideoArguments& args) {
  if (args.reverse) std::reverse(frames.begin(), frames.end());
  if (args.ping_pong)  // the two frames at which it turns are not seen twice
    for (std::size_t i = frames.size(); i-- > 2;) frames.push_back(frames[i - 1]);
  return frames;
}

/// Whether the flame that the frame carries is seen on a whole sphere, uncropped.
bool is_sphere(const std::string& path) {
  try {
    const std::optional<PictureRecord> record = record_in(path);
    if (!record || record->options.crop) return false;
    ReaderOptions options;
    options.approximate = true;
    return read_flames(path, options).flames.at(0).depth_camera.projection == Projection::sphere;
  } catch (const std::exception&) {
    return false;
  }
}

/// Makes the film of pictures, one after the other.
class FilmOfPictures {
 public:
  FilmOfPictures(VideoArguments& args, std::vector<std::string> paths, Console& console)
      : args_(args),
        paths_(std::move(paths)),
        console_(console),
        asked_(args.video),
        frames_(paths_, asked_),
        is_show_(args.slides.given()) {
    if (is_show_) show_ = args.slides.frames(args.video.fps);
  }

  void make() {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      ReadFrame read = frames_.take();
      if (!film_) begin(read.image, paths_[i]);
      light_.add(read.video.levels);
      if (!args_.words.poster.empty() && int(i) == args_.words.poster_frame.value_or(0))
        write_poster(read.image, paths_[i], args_);
      if (is_show_)
        show(Slide{read.image.width, read.image.height, args_.video.transparent ? 4 : 3,
                   std::move(read.video.pixels)});
      else
        add(read, paths_[i]);
      tell(i);
    }
    film_->set_light(light_.brightest, light_.brightest_frame);
    film_->finish();
  }

  std::size_t written() const { return written_; }
  const LightLevels& light() const { return light_; }
  const std::string& said() const { return film_->said(); }

 private:
  void begin(const Image& first, const std::string& path) {
    args_.video.width = first.width;
    args_.video.height = first.height;
    args_.video.frames = length();
    args_.video.credits = credits_of(path);
    args_.video.is_sphere = !is_show_ && can_say_sphere(args_.video.path) && is_sphere(path);
    film_.emplace(args_.video);
  }

  std::size_t length() const {
    if (!is_show_) return paths_.size();
    return paths_.size() * std::size_t(show_.still) +
           (paths_.size() - 1) * std::size_t(show_.fading);
  }

  void add(const ReadFrame& read, const std::string& path) {
    const Image& frame = read.image;
    if (frame.width != args_.video.width || frame.height != args_.video.height)
      fail(ErrorKind::input,
           "{}: {} x {} pixels, the first frame has {} x {}; a film has one size (pictures of any "
           "are slides: --fade 1s)",
           printable_whole(path), frame.width, frame.height, args_.video.width, args_.video.height);
    write(read.video.pixels);
  }

  void show(Slide&& picture) {
    Slide slide = fitted(picture, args_.video.width, args_.video.height);
    for (int i = 1; !before_.samples.empty() && i <= show_.fading; ++i)
      write(faded(before_, slide, double(i) / (show_.fading + 1)));
    for (int i = 0; i < show_.still; ++i) write(slide.samples);
    before_ = std::move(slide);
  }

  void write(const std::vector<std::uint16_t>& samples) {
    film_->write(samples);
    ++written_;
  }

  void tell(std::size_t i) const {
    const double share = double(i + 1) / double(paths_.size());
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const double tail =
        video_work(args_.video)
            .tail_s(double(length()), double(args_.video.width) * args_.video.height);
    const double to_go = seconds / share - seconds + tail;
    console_.show_frames(paths_[i], int(i + 1),
                         {.done = seconds / (seconds + to_go),
                          .elapsed_s = seconds,
                          .remaining_s = to_go,
                          .stage = "encode"});
  }

  VideoArguments& args_;
  const std::vector<std::string> paths_;
  Console& console_;
  const VideoSettings asked_;
  FramesAhead frames_;
  const bool is_show_;
  SlideWords::Frames show_;
  Slide before_;
  LightLevels light_;
  std::optional<FittedVideo> film_;
  std::size_t written_ = 0;
  const Clock::time_point start_ = Clock::now();
};

void check_poster_words(const VideoArguments& args, std::size_t frames) {
  if (args.words.poster.empty()) return;
  check_poster(args.words.poster, args.video.hdr_peak > 0);
  if (std::size_t(args.words.poster_frame.value_or(0)) >= frames)
    fail(ErrorKind::usage, "--poster-frame {}: the frames are 0 to {}", *args.words.poster_frame,
         frames - 1);
}

int run_video(VideoArguments& args) {
  args.words.complete(args.video);
  complete_film_stream(args.video.path);
  const bool hdr = args.video.hdr_peak > 0;
  const std::vector<std::string> given = frames_of(args.inputs, hdr);
  const std::vector<std::string> paths = in_order(given, args);
  check_poster_words(args, paths.size());
  if (args.no_clobber) args.video.existing = AtomicFile::Existing::keep;
  check_names(args, paths);
  Console console(ProgressMode::automatic, args.quiet);
  const bool may_miss = args.allow_missing || args.slides.given();
  const std::vector<int> missing = may_miss ? std::vector<int>{} : missing_frames(given);
  if (!missing.empty())
    console.warning(fmt::format(
        "frame{} {} {} missing: the film jumps there; kiln animate --resume makes them "
        "(--allow-missing: it is meant so)",
        missing.size() == 1 ? "" : "s", list_of(missing), missing.size() == 1 ? "is" : "are"));
  FilmOfPictures film(args, paths, console);
  film.make();
  console.summary(fmt::format("{} frame{} at {} a second", film.written(),
                              film.written() == 1 ? "" : "s", args.video.fps),
                  "");
  if (!film.said().empty()) console.note(film.said());
  if (hdr)
    console.summary(fmt::format("MaxCLL {:.0f}, MaxFALL {:.0f} cd/m2", film.light().brightest,
                                film.light().brightest_frame),
                    "");
  if (!is_standard_output(args.video.path)) print("{}\n", args.video.path);
  return missing.empty() ? exit_done : exit_some_failed;
}

}  // namespace

void add_video(Program& program) {
  Command& command = program.command("video", "Put frames together into a film, by ffmpeg");
  const auto args = std::make_shared<VideoArguments>();
  command.inputs("FRAMES", args->inputs,
                 "PNG files in their order, or folders of such files, in the order of the numbers "
                 "in their names");
  command.group("Output");
  command.text(
      "-o,--output", "FILE", args->video.path,
      ("The film: " + video_endings() + "; - or FORMAT:- (mkv:-): into a pipe, - as y4m").c_str());
  command.text("--fps", "F", args->video.fps, "Frames a second (default 30)");
  command.text("--audio", "FILE", args->video.audio,
               "Its sound; it ends with the last frame, and is silent after its own end");
  command.reads("--audio");
  command.flag(
      "--transparent", args->video.transparent,
      ("Keep the transparency of the frames (" + video_endings(&VideoFormat::has_alpha) + ")")
          .c_str());
  command.text("--video-options", "TEXT", args->video.options, video_options_help);
  command.bytes("--max-bytes", args->video.max_bytes, max_bytes_help);
  command.flag("--reverse", args->reverse, "From the last frame to the first");
  command.flag("--ping-pong", args->ping_pong,
               "There and back, as a loop without a frame twice at its turns");
  args->slides.add_to(command);
  args->words.add_to(command);
  command.flag(
      "--allow-missing", args->allow_missing,
      "Frames may be missing between others (else the film is made, but the exit code is 7)");
  command.flag("--no-clobber", args->no_clobber, "Keep a file that exists and fail");
  command.flag("--force", args->force, force_help);
  command.flag("-q,--quiet", args->quiet, quiet_help);
  command.require("-o");
  command.examples({"kiln video frames -o film.mp4                  # a folder of frames",
                    "kiln video frames/*.png -o loop.gif --fps 25",
                    "kiln video farm -o film.mkv --audio song.flac",
                    "kiln video a.png b.png c.png -o show.mp4 --fade 1s   # slides"});
  command.runs([args] { return run_video(*args); });
}

}  // namespace kiln::cli
