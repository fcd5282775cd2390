// SPDX-License-Identifier: MIT
#include "engine/io/picture/video_writer.h"

#include <sys/stat.h>
#include <unistd.h>

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
#include "engine/base/platform/process.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/base/write_all.h"
#include "engine/io/file/output_name.h"
#include "engine/io/picture/video_end.h"

namespace kiln {
namespace {

constexpr std::size_t complaints_max = 2000;

constexpr const char* h264 =
    "-c:v libx264 -preset medium -crf 16 -pix_fmt yuv420p -movflags +faststart";
constexpr const char* aac = "-c:a aac -b:a 256k";
constexpr const char* animated_webp =
    "-c:v libwebp_anim -pix_fmt bgra -quality 90 -compression_level 4 -loop 0";

// HDR10 is HEVC of 10 bits; pages take AV1. How bright the film is, is known when it is made: until then its
// place has two numbers that nothing else has (write_light). The mastering display has the colors of sRGB:
// there are no others.
constexpr int cll_to_come = 0xa5c3, fall_to_come = 0xb74d;
constexpr const char* hevc_pq =
    "-c:v libx265 -preset medium -crf 18 -pix_fmt yuv420p10le -x265-params "
    "log-level=error:hdr10=1:hdr10-opt=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:"
    "max-cll=42435,46925:master-display=G(15000,30000)B(7500,3000)R(32000,16500)WP(15635,16450)"
    "L({0}0000,1)";
constexpr const char* av1_pq =
    "-c:v libsvtav1 -preset 6 -crf 24 -pix_fmt yuv420p10le -svtav1-params "
    "enable-hdr=1:content-light=42435,46925:mastering-display=G(0.3,0.6)B(0.15,0.06)R(0.64,0.33)"
    "WP(0.3127,0.329)L({0},0.0001)";
constexpr const char* prores_pq =
    "-c:v prores_ks -profile:v hq -pix_fmt yuv422p10le -movflags write_colr "
    "-bsf:v prores_metadata=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc";

// H.264 with 8 bits is what everything plays; 10 bits show no bands, so mkv and mov have them. ProRes
// has its own place for what colors mean, which ffmpeg leaves at "unspecified" unless a filter of
// the stream writes it. Loops for pages (gif, webp, png) play for ever.
constexpr VideoFormat video_rows[] = {
    {".mp4", "MP4", "H.264", "video/mp4", "mp4", h264, nullptr, aac, true, false, hevc_pq, true,
     ".m4v"},
    {".mkv", "MKV", "HEVC, 10 bits", nullptr, "matroska",
     "-c:v libx265 -preset medium -crf 18 -pix_fmt yuv420p10le -x265-params log-level=error",
     nullptr, "-c:a flac", true, false, hevc_pq, false},
    {".mov", "MOV", "ProRes", nullptr, "mov",
     "-c:v prores_ks -profile:v hq -pix_fmt yuv422p10le -movflags write_colr "
     "-bsf:v prores_metadata=color_primaries=bt709:color_trc=bt709:colorspace=bt709",
     "-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le -movflags write_colr "
     "-bsf:v prores_metadata=color_primaries=bt709:color_trc=bt709:colorspace=bt709",
     "-c:a pcm_s24le", true, false, prores_pq},
    {".webm", "WebM", "VP9", "video/webm", "webm",
     "-c:v libvpx-vp9 -crf 24 -b:v 0 -row-mt 1 -pix_fmt yuv420p",
     "-c:v libvpx-vp9 -crf 24 -b:v 0 -row-mt 1 -pix_fmt yuva420p", "-c:a libopus -b:a 192k", true,
     false, av1_pq, false},
    {".avi", "AVI", "FFV1, lossless", nullptr, "avi", "-c:v ffv1 -level 3 -pix_fmt gbrp16le",
     nullptr, "-c:a pcm_s16le", false, false},
    {".gif", "GIF", "256 colors", "image/gif", "gif", "-c:v gif -loop 0", "-c:v gif -loop 0",
     nullptr, false, true, nullptr, false},
    {".webp", "WebP", "animated WebP", "image/webp", "webp", animated_webp, animated_webp, nullptr,
     false, true, nullptr, false},
    {".apng", "APNG", "animated PNG, lossless", "image/apng", "apng",
     "-c:v apng -pix_fmt rgb24 -pred mixed -plays 0",
     "-c:v apng -pix_fmt rgba -pred mixed -plays 0", nullptr, false, true},
};

const VideoFormat& format_of(const VideoSettings& settings) {
  const std::string ending = ending_of(settings.path), name = printable_whole(settings.path);
  const VideoFormat* const format = video_format_with(ending);
  if (!format) {
    std::string all;
    for (const VideoFormat& one : video_rows)
      all += fmt::format("{}{} ({})", all.empty() ? "" : ", ", one.ending, one.says);
    fail(ErrorKind::usage,
         "--video {}: the ending says which kind of film it is, and must be one of {}", name, all);
  }
  if (settings.transparent && !format->has_alpha())
    fail(ErrorKind::usage,
         "--video {}: {} has no transparency; use one of {}, or leave out --transparent", name,
         ending, video_endings(&VideoFormat::has_alpha));
  if (settings.hdr_peak > 0 && settings.transparent)
    fail(ErrorKind::usage, "--hdr pq: is of light over a background; leave --transparent out");
  if (settings.hdr_peak > 0 && !format->hdr)
    fail(ErrorKind::usage, "--hdr pq: {} has no HDR; use .mp4 or .mkv (HDR10), .webm or .mov",
         name);
  if (!settings.audio.empty() && !format->has_sound())
    fail(ErrorKind::usage, "--video {}: {} has no sound; use one of {}", name, ending,
         video_endings(&VideoFormat::has_sound));
  return *format;
}

/// Into a pipe goes what is never gone back in; how bright HDR is, is known when the film is made.
void check_place(const VideoSettings& settings) {
  if (!is_device_or_pipe(settings.path)) return;
  const bool is_hdr = settings.hdr_peak > 0;
  if (!is_hdr && format_of(settings).can_be_piped()) return;
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

/// The exact rate behind a name of a television rate; another name stays as it is.
std::string meant_rate(const std::string& fps) {
  constexpr std::pair<std::string_view, const char*> names[] = {
      {"23.976", "24000/1001"}, {"23.98", "24000/1001"}, {"29.97", "30000/1001"},
      {"47.952", "48000/1001"}, {"59.94", "60000/1001"}, {"119.88", "120000/1001"}};
  for (const auto& [name, rate] : names)
    if (fps == name) return rate;
  return fps;
}

std::string program_or_fail(const char* name, const char* option) {
  std::string program = find_program(name);
  if (program.empty()) {
    fail(ErrorKind::output,
         "{} needs the program {}, which is not in PATH: install it (Debian: apt install "
         "ffmpeg), or make frames with -o and put them together elsewhere",
         option, name);
  }
  return program;
}

void append_words(std::vector<std::string>& list, const std::string& words) {
  std::istringstream stream(words);
  for (std::string word; stream >> word;) list.push_back(word);
}

/// Takes the filter out of options of ffmpeg, which has one for a stream: the last.
std::string take_filter(std::vector<std::string>& options) {
  std::string filter;
  for (std::size_t i = 0; i + 1 < options.size();) {
    if (options[i] != "-vf" && options[i] != "-filter:v" && options[i] != "-filter:v:0") {
      ++i;
      continue;
    }
    filter = options[i + 1];
    options.erase(options.begin() + std::ptrdiff_t(i), options.begin() + std::ptrdiff_t(i) + 2);
  }
  return filter;
}

/// The filters from kiln's pixels to the codec's.
std::string filters_of(const VideoFormat& format, const VideoSettings& settings) {
  if (std::string_view(format.muxer) == "gif") {
    return fmt::format(
        "format=bgra,split[a][b];[a]palettegen=reserve_transparent={}[colors];"
        "[b][colors]paletteuse=dither=sierra2_4a",
        settings.transparent ? 1 : 0);
  }
  if (format.rgb) return "null";
  const std::string filters = fmt::format(
      "scale=out_color_matrix={}:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int",
      settings.hdr_peak > 0 ? "bt2020" : "bt709");
  return format.even ? "pad=w=ceil(iw/2)*2:h=ceil(ih/2)*2," + filters : filters;
}

/// `file`: what ffmpeg calls the file that it writes.
std::vector<std::string> command_of(const VideoSettings& settings, const std::string& program,
                                    const std::string& file) {
  const VideoFormat& format = format_of(settings);
  std::vector<std::string> command{program};
  append_words(command, "-hide_banner -loglevel error -nostdin -y -f rawvideo -pixel_format");
  if (format.rgb) {
    command.push_back(settings.transparent ? "rgba" : "rgb24");
  } else {
    command.push_back(settings.transparent ? "rgba64" : "rgb48");
    command.back() += __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "le" : "be";
  }
  append_words(command, fmt::format("-video_size {}x{} -framerate {} -i pipe:0", settings.width,
                                    settings.height, meant_rate(settings.fps)));
  if (!settings.audio.empty()) {
    if (settings.audio_start_s > 0)
      command.insert(command.end(), {"-ss", fmt::format("{:.6f}", settings.audio_start_s)});
    command.insert(command.end(), {"-i", "file:" + settings.audio});
    append_words(command,
                 "-map 0:v -map 1:a:0 -af apad -shortest");  // silence up to the last frame
    append_words(command, format.audio);
  }
  std::vector<std::string> options;
  append_words(options, settings.options);
  std::string filters = filters_of(format, settings);
  if (const std::string own = take_filter(options);
      !own.empty())  // before a GIF's colors are chosen
    filters = format.muxer == std::string_view("gif") ? own + "," + filters : filters + "," + own;
  command.insert(command.end(), {"-vf", filters});
  if (settings.hdr_peak > 0) {
    append_words(command, fmt::format(fmt::runtime(format.hdr), int(settings.hdr_peak)));
    if (format.muxer == std::string_view("mp4")) append_words(command, "-tag:v hvc1");
    append_words(command, "-colorspace bt2020nc -color_primaries bt2020 -color_trc smpte2084");
  } else {
    append_words(command, settings.transparent ? format.alpha_codec : format.codec);
    if (!format.rgb)
      append_words(command, "-colorspace bt709 -color_primaries bt709 -color_trc bt709");
  }
  for (const auto& [name, text] : {std::pair{"title=", settings.credits.title},
                                   {"artist=", settings.credits.author},
                                   {"copyright=", settings.credits.copyright}})
    if (!text.empty()) command.insert(command.end(), {"-metadata", name + text});
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"-f", format.muxer, file});
  return command;
}

std::unique_ptr<Child> started(const ChildProgram& program, const std::string& name) {
  try {
    return std::make_unique<Child>(program);
  } catch (const std::system_error& error) {
    fail(ErrorKind::output, "{} cannot be started: {}", name, error.code().message());
  }
}

void listen_to(int file, std::string& kept) {
  char buffer[1024];
  for (;;) {
    const auto size = read(file, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    kept.append(buffer, static_cast<std::size_t>(size));
    if (kept.size() > complaints_max) kept.erase(0, kept.size() - complaints_max);
  }
  close(file);
}

/// The last lines of what ffmpeg said, as one.
std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::string line;
  for (char c : text) line += c == '\n' ? std::string("; ") : std::string(1, c);
  return printable_whole(line);
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

struct Said {
  std::string words, complaints;
  bool ended_well = false;
};

/// Runs a program that says something and ends.
Said said_by(const std::vector<std::string>& command) {
  ChildProgram program{command};
  program.is_heard = true;
  const std::unique_ptr<Child> child = started(program, command[0]);
  Said said;
  listen_to(child->take_output(), said.words);
  listen_to(child->take_errors(), said.complaints);
  said.ended_well = child->wait()->is_well();
  return said;
}

/// An ffmpeg without the encoder is found out before frames are rendered.
void check_encoder(const VideoSettings& settings, const std::string& program) {
  const VideoFormat& format = format_of(settings);
  std::istringstream words(settings.hdr_peak > 0  ? format.hdr
                           : settings.transparent ? format.alpha_codec
                                                  : format.codec);
  std::string encoder;
  words >> encoder >> encoder;  // -c:v NAME
  if (settings.options.find("-c:v") != std::string::npos) return;
  const Said said = said_by({program, "-hide_banner", "-h", "encoder=" + encoder});
  if ((said.words + said.complaints).find("is not recognized") == std::string::npos) return;
  fail(
      ErrorKind::output,
      "--video {}: this ffmpeg was built without the encoder {}: install one that has it (Debian's "
      "has: apt install ffmpeg), or choose another ending",
      printable_whole(settings.path), encoder);
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
  append_words(command,
               "-v error -select_streams a:0 -show_entries stream=codec_type:format=duration");
  append_words(command, "-of csv=p=0");
  command.push_back("file:" + audio);
  const Said said = said_by(command);
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

std::span<const VideoFormat> video_formats() { return video_rows; }

const VideoFormat* video_format_with(std::string_view ending) {
  const auto found = std::find_if(std::begin(video_rows), std::end(video_rows), [&](const auto& format) {
    return !ending.empty() && (ending == format.ending || ending == format.or_ending);
  });
  return found == std::end(video_rows) ? nullptr : found;
}

std::string video_endings(bool (VideoFormat::*has)() const) {
  std::string endings;
  for (const VideoFormat& format : video_rows)
    if (!has || (format.*has)())
      endings += fmt::format("{}{}", endings.empty() ? "" : " ", format.ending);
  return endings;
}

int video_bits(const std::string& path) {
  const VideoFormat* const format = video_format_with(ending_of(path));
  return format && format->rgb ? 8 : 16;
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
      file_(settings.path, settings.existing) {
  check_room_for_gif(settings);
  check_size(settings);
  ChildProgram program{
      command_of(settings, program_or_fail("ffmpeg", "--video"), file_.name_for_child(child_file))};
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
  if (pipe_ >= 0) close(pipe_);
}

void VideoWriter::close_and_wait(const std::function<void()>& waiting) {
  close(std::exchange(pipe_, -1));
  std::optional<Child::End> end;
  while (!(end = child_->wait(!waiting))) {
    waiting();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  child_.reset();
  listener_.join();
  if (end->is_well()) return;
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
  fail(ErrorKind::output, "{}: ffmpeg took no more frames", printable_whole(path_));
}

void VideoWriter::check_end() {
  struct stat made {};
  const bool is_file = fstat(file_.descriptor(), &made) == 0 && S_ISREG(made.st_mode);
  const std::string words = (complaints_.empty() ? "" : ": ") + one_line(complaints_);
  if (is_file && made.st_size == 0)
    fail(ErrorKind::output, "{}: ffmpeg ended well and wrote nothing{}", printable_whole(path_),
         words);
  if (speaks_of_writing(complaints_) ||
      (is_file &&
       !film_is_whole(file_.descriptor(), std::uint64_t(made.st_size), ending_of(path_))))
    fail(ErrorKind::output,
         "{}: ffmpeg could not write the film to its end{}; is there room for it?",
         printable_whole(path_), words);
}

void VideoWriter::finish(const std::function<void()>& waiting) {
  close_and_wait(waiting);
  check_end();
  if (brightest_ > 0) write_light(file_.descriptor(), brightest_, brightest_frame_);
  file_.commit();
}

void VideoWriter::set_light(double brightest, double brightest_frame) {
  brightest_ = brightest;
  brightest_frame_ = brightest_frame;
}

}  // namespace kiln
