// SPDX-License-Identifier: MIT
#include "engine/io/picture/video_writer.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/platform/file.h"
#include "engine/base/platform/terminal.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/file/reader_gone.h"
#include "engine/io/picture/ffmpeg.h"
#include "engine/io/picture/video_command.h"
#include "engine/io/picture/video_end.h"
#include "engine/io/picture/video_sphere.h"

namespace kiln {
namespace {

/// Into a pipe goes what is never gone back in; how bright HDR is, is known when the film is made.
void check_place(const VideoSettings& settings) {
  if (takes_rows(settings.path)) return;
  if (is_standard_output(settings.path) && is_terminal(standard_output))
    fail(ErrorKind::usage,
         "--video {}: standard output is a terminal, which shows no films; name a file, or send it "
         "on (... --video - | mpv -)",
         printable_whole(settings.path));
  const bool is_hdr = settings.hdr_peak > 0;
  if (!is_hdr && settings.max_bytes == 0 && format_of(settings).can_be_piped()) return;
  if (settings.max_bytes > 0)
    fail(ErrorKind::usage,
         "--max-bytes: the film is made several times, so it goes into a file; give its name");
  fail(
      ErrorKind::usage,
      "--video {}: is a pipe or device, and {} is finished at its begin; give the name of a file{}",
      printable_whole(settings.path), is_hdr ? "HDR" : "a film of this kind",
      is_hdr ? "" : ", or make it one of " + video_endings(&VideoFormat::can_be_piped));
}

/// One palette for all frames is made when the last one is there: ffmpeg holds them until then.
void check_room_for_gif(const VideoSettings& settings) {
  constexpr std::uint64_t bytes_a_pixel = 4;
  const std::uint64_t bytes = bytes_a_pixel * std::uint64_t(settings.width) *
                              std::uint64_t(settings.height) * settings.frames;
  if (ending_of(settings.path) != ".gif" || bytes <= available_memory_bytes() / 2) return;
  fail(ErrorKind::usage,
       "--video {}: {} frames of {} x {} have to be held in memory for their common colors, {:.1f} "
       "GB; make them smaller (--width), fewer (--frames), or a .webp, which has all colors",
       printable_whole(settings.path), settings.frames, settings.width, settings.height,
       double(bytes) / 1e9);
}

void check_size(const VideoSettings& settings) {
  constexpr int least = 64;  // of libsvtav1
  if (settings.hdr_peak == 0 || ending_of(settings.path) != ".webm" ||
      std::min(settings.width, settings.height) >= least)
    return;
  fail(ErrorKind::usage,
       "--video {}: {} x {} pixels: AV1 has {} x {} at least; make them larger, or the film a .mkv",
       printable_whole(settings.path), settings.width, settings.height, least, least);
}

/// Whether `text` is a rate: 25, 29.97 or 30000/1001.
bool is_rate(std::string_view text) {
  double value = 0;
  const std::size_t slash = text.find('/');
  const auto is_number = [&](std::string_view part) {
    const auto [end, error] =
        std::from_chars(part.data(), part.data() + part.size(), value, std::chars_format::fixed);
    return error == std::errc() && end == part.data() + part.size() && value > 0 && value <= 1e6;
  };
  if (slash == std::string_view::npos) return is_number(text) && value <= 1000;
  return text.find('.') == std::string_view::npos && is_number(text.substr(0, slash)) &&
         is_number(text.substr(slash + 1));
}

/// Two numbers of 16 bits as files have them.
std::array<char, 4> bytes_of(int a, int b) {
  return {char(a >> 8), char(a & 255), char(b >> 8), char(b & 255)};
}

/// Puts MaxCLL and MaxFALL into each place that waits for them: behind the head of HEVC's message of
/// them (type 144, 4 bytes) or of AV1's (6 bytes, type 1).
void write_light(int file, double brightest, double brightest_frame) {
  const auto whole = [](double light) { return std::clamp(int(std::ceil(light)), 1, 65535); };
  int cll = whole(brightest);
  const int fall = std::min(cll, whole(brightest_frame));
  // 0 0 0 to 0 0 3 would need another byte between them
  if ((cll & 255) == 0 && fall < 4) ++cll;
  const std::array<char, 4> wanted = bytes_of(cll, fall),
                            waits = bytes_of(cll_to_come, fall_to_come);
  constexpr std::size_t piece = 1 << 20, overlap = 5;
  std::string bytes(piece, '\0');
  for (std::uint64_t at = 0;;) {
    const std::int64_t size = read_at(file, bytes.data(), piece, at);
    if (size < 6) return;
    const std::string_view read(bytes.data(), std::size_t(size));
    for (std::size_t i = 2; (i = read.find({waits.data(), 4}, i)) != read.npos; ++i) {
      const std::string_view head = read.substr(i - 2, 2);
      if (head != "\x90\x04" && head != "\x06\x01") continue;
      if (!write_at(file, wanted.data(), 4, at + i))
        fail(ErrorKind::output, "the film's brightness cannot be written: {}",
             std::strerror(errno));
    }
    if (std::size_t(size) < piece) return;
    at += piece - overlap;
  }
}

/// The remedy where ffmpeg complains that it lacks something; else empty.
std::string remedy_for(const std::string& complaint) {
  if (complaint.find("Unknown encoder") != std::string::npos)
    return "; this ffmpeg was built without it: install another one (Debian's has it: apt install "
           "ffmpeg), or choose another ending";
  return "";
}

}  // namespace

double rate_of(const std::string& given) {
  const std::string fps = meant_rate(given);
  if (!is_rate(fps)) {
    fail(ErrorKind::usage, "--fps {}: must be a rate such as 25, 29.97 or 30000/1001",
         printable_whole(fps));
  }
  const std::size_t slash = fps.find('/');
  const double value = std::stod(fps);
  return slash == std::string::npos ? value : value / std::stod(fps.substr(slash + 1));
}

std::size_t frames_of_sound(const std::string& audio, const std::string& fps) {
  std::vector<std::string> command{program_or_fail("ffprobe", "--audio")};
  for (const std::string& word :
       words_in("-v error -select_streams a:0 -show_entries stream=codec_type:format=duration"
                " -of csv=p=0"))
    command.push_back(word);
  command.push_back("file:" + audio);
  const ProgramSaid said = said_by(command);
  if (!said.ended_well)
    fail(ErrorKind::input, "--audio {}: {}", printable_whole(audio), one_line(said.complaints));
  std::istringstream lines(said.words);
  std::string kind, seconds;
  if (!(lines >> kind) || kind != "audio")
    fail(ErrorKind::input, "--audio {}: there is no sound in it", printable_whole(audio));
  double duration = 0;
  lines >> seconds;
  std::from_chars(seconds.data(), seconds.data() + seconds.size(), duration);
  if (!(duration > 0))
    fail(ErrorKind::input, "--audio {}: it does not say how long it is", printable_whole(audio));
  return std::max<std::size_t>(1, std::size_t(std::llround(duration * rate_of(fps))));
}

void check_video(const VideoSettings& settings) {
  format_of(settings);
  check_place(settings);
  rate_of(settings.fps);
  check_encoder(settings, program_or_fail("ffmpeg", "--video"));
  check_output_path(settings.path);
  if (!settings.audio.empty()) frames_of_sound(settings.audio, settings.fps);
}

std::vector<std::uint16_t> video_frame(const Image& image, bool alpha, int bits) {
  const std::size_t pixels =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  const std::size_t channels = alpha ? 4 : 3;
  std::vector<std::uint16_t> frame(pixels * channels);
  // 255 * 256 becomes 65535: the low byte repeats the high one
  const auto full_range = [](int v) { return static_cast<std::uint16_t>(v + (v >> 8)); };
  const std::uint8_t* bytes = image.bits() == 8 ? image.pixels8().data() : nullptr;
  const std::uint16_t* words = bytes ? nullptr : image.pixels16().data();
  for (std::size_t i = 0; i < pixels; ++i) {
    std::uint16_t* out = &frame[i * channels];
    if (bytes) {
      for (std::size_t c = 0; c < channels; ++c)
        out[c] = static_cast<std::uint16_t>(bytes[4 * i + c] * 257);
    } else if (bits == 8) {
      for (std::size_t c = 0; c < 3; ++c)
        out[c] = static_cast<std::uint16_t>((words[4 * i + c] >> 8) * 257);
      if (alpha) out[3] = static_cast<std::uint16_t>(words[4 * i + 3] / 257 * 257);
    } else {
      for (std::size_t c = 0; c < 3; ++c)
        out[c] = full_range(std::min<int>(words[4 * i + c], 65280));
      if (alpha) out[3] = words[4 * i + 3];
    }
  }
  return frame;
}

VideoWriter::VideoWriter(const VideoSettings& settings)
    : path_(settings.path),
      bytes_(video_bits(settings.path) == 8),
      is_sphere_(settings.is_sphere && can_say_sphere(settings.path)),
      file_(settings.path, settings.existing) {
  check_room_for_gif(settings);
  check_size(settings);
  // an open stream as it is, whatever it is: a socket has no name that could be opened
  const std::string place = named_descriptor(settings.path) >= 0
                                ? fmt::format("pipe:{}", child_file)
                                : file_.name_for_child(child_file);
  ChildProgram program{ffmpeg_command(settings, program_or_fail("ffmpeg", "--video"), place)};
  program.is_fed = true;
  program.file = file_.descriptor();
  child_ = started(program, "ffmpeg");
  pipe_ = child_->take_input();
  try {
    listener_ = std::jthread([this, end = child_->take_errors()] { listen_to(end, complaints_); });
  } catch (const std::system_error& error) {
    fail(ErrorKind::device, "no further thread can be started ({}); raise the limit (ulimit -u)",
         error.code().message());
  }
}

VideoWriter::~VideoWriter() {
  child_.reset();
  if (pipe_ >= 0) close_descriptor(pipe_);
}

void VideoWriter::close_and_wait(const std::function<void()>& waiting) {
  close_descriptor(std::exchange(pipe_, -1));
  std::optional<Child::End> end;
  while (!(end = child_->wait(!waiting))) {
    waiting();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  child_.reset();
  listener_.join();
  if (end->is_well()) return;
  check_reader();
  fail(ErrorKind::output, "{}: ffmpeg ended with {} {}{}{}", printable_whole(path_),
       end->by_signal ? "signal" : "exit code", end->code, complaints_.empty() ? "" : ": ",
       one_line(complaints_) + remedy_for(complaints_));
}

void VideoWriter::write(const std::vector<std::uint16_t>& frame) {
  KILN_CHECK(pipe_ >= 0, "the video is finished");
  std::vector<std::uint8_t> narrow;
  if (bytes_) {
    narrow.reserve(frame.size());
    for (const std::uint16_t value : frame) narrow.push_back(std::uint8_t(value >> 8));
  }
  const char* bytes = bytes_ ? reinterpret_cast<const char*>(narrow.data())
                             : reinterpret_cast<const char*>(frame.data());
  const std::size_t size = bytes_ ? narrow.size() : frame.size() * sizeof frame[0];
  if (write_all(pipe_, bytes, size)) return;
  close_and_wait();  // EPIPE: ffmpeg has gone, and said why
  check_reader();
  fail(ErrorKind::output, "{}: ffmpeg took no more frames", printable_whole(path_));
}

void VideoWriter::check_reader() const {
  if (!takes_rows(path_) && complaints_.find("Broken pipe") != std::string::npos)
    throw ReaderGone(fmt::format("{}: the reader of the film has gone", printable_whole(path_)));
}

void VideoWriter::check_end() {
  check_reader();
  const std::optional<std::uint64_t> made = size_of_file(file_.descriptor());
  const bool is_file = takes_rows(path_) && made;  // the begin of a stream waits for no end
  const std::string words = (complaints_.empty() ? "" : ": ") + one_line(complaints_);
  if (is_file && *made == 0)
    fail(ErrorKind::output, "{}: ffmpeg ended well and wrote nothing{}", printable_whole(path_),
         words);
  if (speaks_of_writing(complaints_) ||
      (is_file && !film_is_whole(file_.descriptor(), *made, ending_of(path_))))
    fail(ErrorKind::output,
         "{}: ffmpeg could not write the film to its end{}; is there room for it?",
         printable_whole(path_), words);
}

std::uint64_t VideoWriter::end(const std::function<void()>& waiting) {
  close_and_wait(waiting);
  check_end();
  if (brightest_ > 0) write_light(file_.descriptor(), brightest_, brightest_frame_);
  if (is_sphere_) say_sphere(file_.descriptor());
  return size_of_file(file_.descriptor()).value_or(0);
}

void VideoWriter::finish(const std::function<void()>& waiting) {
  end(waiting);
  file_.commit();
}

void VideoWriter::set_light(double brightest, double brightest_frame) {
  brightest_ = brightest;
  brightest_frame_ = brightest_frame;
}

}  // namespace kiln
