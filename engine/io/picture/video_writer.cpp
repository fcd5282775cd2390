#include "engine/io/picture/video_writer.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"

namespace kiln {
namespace {

constexpr int file_descriptor = 3;  // where ffmpeg finds the file that it writes
constexpr std::size_t complaints_max = 2000;

/// What ffmpeg makes of an ending.
struct Format {
  const char* ending;
  const char* says;  // what it is, for messages
  const char* muxer;
  const char* codec;        // with its quality: hard to tell from the frames
  const char* alpha_codec;  // null: cannot be transparent
  const char* audio;        // codec of the sound; null: has none
  bool even = false;        // sides must be even
  bool rgb = false;         // pixels go in as they are: sRGB, not the YCbCr of video
};

constexpr const char* h264 =
    "-c:v libx264 -preset medium -crf 16 -pix_fmt yuv420p -movflags +faststart";
constexpr const char* aac = "-c:a aac -b:a 256k";
constexpr const char* animated_webp =
    "-c:v libwebp_anim -pix_fmt bgra -quality 90 -compression_level 4 -loop 0";

// H.264 with 8 bits is what everything plays; 10 bits show no bands, so mkv and mov have them. ProRes
// has its own place for what colors mean, which ffmpeg leaves at "unspecified" unless a filter of
// the stream writes it. Loops for pages (gif, webp, png) play for ever.
constexpr Format video_formats[] = {
    {".mp4", "H.264", "mp4", h264, nullptr, aac, true},
    {".m4v", "H.264", "mp4", h264, nullptr, aac, true},
    {".mkv", "HEVC, 10 bits", "matroska",
     "-c:v libx265 -preset medium -crf 18 -pix_fmt yuv420p10le -x265-params log-level=error",
     nullptr, "-c:a flac", true},
    {".mov", "ProRes", "mov",
     "-c:v prores_ks -profile:v hq -pix_fmt yuv422p10le -movflags write_colr "
     "-bsf:v prores_metadata=color_primaries=bt709:color_trc=bt709:colorspace=bt709",
     "-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le -movflags write_colr "
     "-bsf:v prores_metadata=color_primaries=bt709:color_trc=bt709:colorspace=bt709",
     "-c:a pcm_s24le", true},
    {".webm", "VP9", "webm", "-c:v libvpx-vp9 -crf 24 -b:v 0 -row-mt 1 -pix_fmt yuv420p",
     "-c:v libvpx-vp9 -crf 24 -b:v 0 -row-mt 1 -pix_fmt yuva420p", "-c:a libopus -b:a 192k", true},
    {".avi", "FFV1, lossless", "avi", "-c:v ffv1 -level 3 -pix_fmt gbrp16le", nullptr,
     "-c:a pcm_s16le"},
    {".gif", "256 colors", "gif", "-c:v gif -loop 0", "-c:v gif -loop 0", nullptr, false, true},
    {".webp", "animated WebP", "webp", animated_webp, animated_webp, nullptr, false, true},
    {".apng", "animated PNG, lossless", "apng", "-c:v apng -pix_fmt rgb24 -pred mixed -plays 0",
     "-c:v apng -pix_fmt rgba -pred mixed -plays 0", nullptr, false, true},
};

const Format& format_of(const VideoSettings& settings) {
  const std::string ending = ending_of(settings.path);
  for (const Format& format : video_formats) {
    if (ending != format.ending) continue;
    if (settings.transparent && !format.alpha_codec) {
      fail(
          ErrorKind::usage,
          "--video {}: {} has no transparency; use .mov, .webm, .webp, .apng or .gif, or leave out "
          "--transparent",
          printable_whole(settings.path), ending);
    }
    if (!settings.audio.empty() && !format.audio) {
      fail(ErrorKind::usage, "--video {}: {} has no sound; use .mp4, .mkv, .mov or .webm",
           printable_whole(settings.path), ending);
    }
    return format;
  }
  fail(ErrorKind::usage,
       "--video {}: the ending says which kind of film it is, and must be one of {}",
       printable_whole(settings.path), video_endings());
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

/// Full path of ffmpeg or ffprobe, empty if it is not installed.
std::string find_program(const char* name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string program = (folder.empty() ? "." : folder) + "/" + name;
    if (access(program.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(program))
      return program;
  }
  return "";
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

/// From kiln's pixels to the codec's.
std::string filters_of(const Format& format, const VideoSettings& settings) {
  if (std::string_view(format.muxer) == "gif") {
    return fmt::format(
        "format=bgra,split[a][b];[a]palettegen=reserve_transparent={}[colors];"
        "[b][colors]paletteuse=dither=sierra2_4a",
        settings.transparent ? 1 : 0);
  }
  if (format.rgb) return "null";
  const std::string filters =
      "scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int";
  return format.even ? "pad=w=ceil(iw/2)*2:h=ceil(ih/2)*2," + filters : filters;
}

std::vector<std::string> command_of(const VideoSettings& settings, const std::string& program) {
  const Format& format = format_of(settings);
  std::vector<std::string> command{program};
  append_words(command, "-hide_banner -loglevel error -nostdin -y -f rawvideo -pixel_format");
  if (format.rgb) {
    command.push_back(settings.transparent ? "rgba" : "rgb24");
  } else {
    command.push_back(settings.transparent ? "rgba64" : "rgb48");
    command.back() += __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "le" : "be";
  }
  append_words(command, fmt::format("-video_size {}x{} -framerate {} -i pipe:0", settings.width,
                                    settings.height, settings.fps));
  if (!settings.audio.empty()) {
    command.insert(command.end(), {"-i", "file:" + settings.audio});
    append_words(command,
                 "-map 0:v -map 1:a:0 -af apad -shortest");  // silence up to the last frame
    append_words(command, format.audio);
  }
  command.insert(command.end(), {"-vf", filters_of(format, settings)});
  append_words(command, settings.transparent ? format.alpha_codec : format.codec);
  if (!format.rgb)
    append_words(command, "-colorspace bt709 -color_primaries bt709 -color_trc bt709");
  append_words(command, settings.options);
  append_words(command, fmt::format("-f {} /dev/fd/{}", format.muxer, file_descriptor));
  return command;
}

/// As exec takes them; they live as long as `command`.
std::vector<char*> arguments_of(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

/// Becomes ffmpeg. Only what is safe after fork: another thread may have held any lock. An end that is
/// -1 is /dev/null.
[[noreturn]] void become(char* const* command, int input, int output, int errors, int file,
                         pid_t parent) {
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  setpgid(0, 0);  // Ctrl-C is for kiln alone, which ends ffmpeg
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  // ends that may lie anywhere: out of the way first
  const int nowhere = open("/dev/null", O_RDWR);
  const auto high = [&](int end) { return fcntl(end < 0 ? nowhere : end, F_DUPFD, 10); };
  const int high_input = high(input), high_output = high(output), high_errors = high(errors),
            high_file = high(file);
  dup2(high_input, 0);
  dup2(high_output, 1);
  dup2(high_errors, 2);
  dup2(high_file, file_descriptor);
  close_range(file_descriptor + 1, ~0u, 0);
  execv(command[0], command);
  _exit(127);
}

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0)
      fail(ErrorKind::output, "no pipe to ffmpeg: {}", std::strerror(errno));
  }
  ~Pipe() {
    for (int end : ends) {
      if (end >= 0) close(end);
    }
  }
  int take(int which) { return std::exchange(ends[which], -1); }
};

void listen_to(int file, std::string& kept) {
  char buffer[1024];
  for (;;) {
    const ssize_t size = read(file, buffer, sizeof buffer);
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

/// What ffmpeg lacks is said with what to do about it.
std::string remedy_for(const std::string& complaint) {
  if (complaint.find("Unknown encoder") != std::string::npos)
    return "; this ffmpeg was built without it: install another one (Debian's has it: apt install "
           "ffmpeg), or choose another ending";
  return "";
}

double rate_of(const std::string& fps) {
  const std::size_t slash = fps.find('/');
  const double value = std::stod(fps);
  return slash == std::string::npos ? value : value / std::stod(fps.substr(slash + 1));
}

}  // namespace

std::size_t frames_of_sound(const std::string& audio, const std::string& fps) {
  std::vector<std::string> command{program_or_fail("ffprobe", "--audio")};
  append_words(command,
               "-v error -select_streams a:0 -show_entries stream=codec_type:format=duration");
  append_words(command, "-of csv=p=0");
  command.push_back("file:" + audio);
  const std::vector<char*> arguments = arguments_of(command);
  Pipe said, errors;
  const pid_t parent = getpid(), child = fork();
  if (child == 0) become(arguments.data(), -1, said.ends[1], errors.ends[1], -1, parent);
  if (child < 0) fail(ErrorKind::output, "ffprobe cannot be started: {}", std::strerror(errno));
  close(said.take(1));
  close(errors.take(1));
  std::string words, complaints;
  listen_to(said.take(0), words);
  listen_to(errors.take(0), complaints);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    fail(ErrorKind::input, "--audio {}: {}", printable_whole(audio), one_line(complaints));
  std::istringstream lines(words);
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
  if (!is_rate(settings.fps)) {
    fail(ErrorKind::usage, "--fps {}: must be a rate such as 25, 29.97 or 30000/1001",
         printable_whole(settings.fps));
  }
  program_or_fail("ffmpeg", "--video");
  check_output_path(settings.path);
  if (!settings.audio.empty()) frames_of_sound(settings.audio, settings.fps);
}

std::string video_endings() {
  std::string all;
  for (const Format& format : video_formats)
    all += fmt::format("{}{} ({})", all.empty() ? "" : ", ", format.ending, format.says);
  return all;
}

int video_bits(const std::string& path) {
  const std::string ending = ending_of(path);
  for (const Format& format : video_formats)
    if (ending == format.ending && format.rgb) return 8;
  return 16;
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
  const std::vector<std::string> command =
      command_of(settings, program_or_fail("ffmpeg", "--video"));
  const std::vector<char*> arguments = arguments_of(command);
  Pipe frames, errors;
  fcntl(frames.ends[1], F_SETPIPE_SZ, 1 << 20);  // fewer turns; it may be refused
  const pid_t parent = getpid();
  child_ = fork();
  if (child_ == 0)
    become(arguments.data(), frames.ends[0], -1, errors.ends[1], file_.descriptor(), parent);
  if (child_ < 0) fail(ErrorKind::output, "ffmpeg cannot be started: {}", std::strerror(errno));
  pipe_ = frames.take(1);
  try {
    listener_ = std::jthread([this, end = errors.take(0)] { listen_to(end, complaints_); });
  } catch (const std::system_error& error) {
    fail(ErrorKind::device, "no further thread can be started ({}); raise the limit (ulimit -u)",
         error.code().message());
  }
}

VideoWriter::~VideoWriter() {
  if (child_ > 0) {
    kill(child_, SIGKILL);
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (pipe_ >= 0) close(pipe_);
}

void VideoWriter::close_and_wait() {
  close(std::exchange(pipe_, -1));
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  listener_.join();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  fail(ErrorKind::output, "{}: ffmpeg ended with {} {}{}{}", printable_whole(path_),
       WIFSIGNALED(status) ? "signal" : "exit code",
       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
       complaints_.empty() ? "" : ": ", one_line(complaints_) + remedy_for(complaints_));
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
  std::size_t left = bytes_ ? narrow.size() : frame.size() * sizeof frame[0];
  while (left > 0) {
    const ssize_t size = ::write(pipe_, bytes, left);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) {  // EPIPE: ffmpeg has gone, and said why
      close_and_wait();
      fail(ErrorKind::output, "{}: ffmpeg took no more frames", printable_whole(path_));
    }
    bytes += size;
    left -= static_cast<std::size_t>(size);
  }
}

void VideoWriter::finish() {
  close_and_wait();
  struct stat made {};
  if (fstat(file_.descriptor(), &made) == 0 && S_ISREG(made.st_mode) && made.st_size == 0) {
    fail(ErrorKind::output, "{}: ffmpeg ended well and wrote nothing{}{}", printable_whole(path_),
         complaints_.empty() ? "" : ": ", one_line(complaints_));
  }
  file_.commit();
}

}  // namespace kiln
