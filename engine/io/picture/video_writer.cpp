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
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace kiln {
namespace {

constexpr int file_descriptor = 3;  // where ffmpeg finds the file that it writes
constexpr std::size_t complaints_max = 2000;

/// What ffmpeg makes of an ending.
struct Format {
  const char* ending;
  const char* muxer;
  const char* codec;        // with its quality: hard to tell from the frames
  const char* alpha_codec;  // null: cannot be transparent
  bool even;                // sides must be even
};

// H.264 with 8 bits is what everything plays; 10 bits show no bands, so mkv and mov have them.
constexpr Format video_formats[] = {
    {".mp4", "mp4", "-c:v libx264 -preset medium -crf 16 -pix_fmt yuv420p -movflags +faststart",
     nullptr, true},
    {".m4v", "mp4", "-c:v libx264 -preset medium -crf 16 -pix_fmt yuv420p -movflags +faststart",
     nullptr, true},
    {".mkv", "matroska",
     "-c:v libx265 -preset medium -crf 18 -pix_fmt yuv420p10le -x265-params log-level=error",
     nullptr, true},
    {".mov", "mov", "-c:v prores_ks -profile:v hq -pix_fmt yuv422p10le -movflags write_colr",
     "-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le -movflags write_colr", true},
    {".webm", "webm", "-c:v libvpx-vp9 -crf 24 -b:v 0 -row-mt 1 -pix_fmt yuv420p",
     "-c:v libvpx-vp9 -crf 24 -b:v 0 -row-mt 1 -pix_fmt yuva420p", true},
    {".avi", "avi", "-c:v ffv1 -level 3 -pix_fmt gbrp16le", nullptr, false},
};

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return ending;
}

const Format& format_of(const VideoSettings& settings) {
  const std::string ending = ending_of(settings.path);
  for (const Format& format : video_formats) {
    if (ending != format.ending) continue;
    if (settings.transparent && !format.alpha_codec) {
      fail(ErrorKind::usage,
           "--video {}: {} has no transparency; use .mov or .webm, or leave out --transparent",
           printable_whole(settings.path), ending);
    }
    return format;
  }
  fail(ErrorKind::usage,
       "--video {}: the ending says which kind of video it is, and must be one of .mp4 (H.264), "
       ".mkv (HEVC, 10 bits), .mov (ProRes), .webm (VP9), .avi (FFV1, lossless)",
       printable_whole(settings.path));
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

/// Full path of ffmpeg, empty if it is not installed.
std::string find_ffmpeg() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string program = (folder.empty() ? "." : folder) + "/ffmpeg";
    if (access(program.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(program))
      return program;
  }
  return "";
}

std::string ffmpeg_or_fail() {
  std::string program = find_ffmpeg();
  if (program.empty()) {
    fail(ErrorKind::output,
         "--video needs the program ffmpeg, which is not in PATH: install it (Debian: apt install "
         "ffmpeg), or make frames with -o and put them together elsewhere");
  }
  return program;
}

void append_words(std::vector<std::string>& list, const std::string& words) {
  std::istringstream stream(words);
  for (std::string word; stream >> word;) list.push_back(word);
}

std::vector<std::string> command_of(const VideoSettings& settings, const std::string& program) {
  const Format& format = format_of(settings);
  std::vector<std::string> command{program};
  append_words(command, "-hide_banner -loglevel error -nostdin -y -f rawvideo -pixel_format");
  command.push_back(settings.transparent ? "rgba64" : "rgb48");
  command.back() += __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "le" : "be";
  append_words(command, fmt::format("-video_size {}x{} -framerate {} -i pipe:0 -an", settings.width,
                                    settings.height, settings.fps));
  std::string filters =
      "scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int";
  if (format.even) filters = "pad=w=ceil(iw/2)*2:h=ceil(ih/2)*2," + filters;
  command.insert(command.end(), {"-vf", filters});
  append_words(command, settings.transparent ? format.alpha_codec : format.codec);
  append_words(command, "-colorspace bt709 -color_primaries bt709 -color_trc bt709");
  append_words(command, settings.options);
  append_words(command, fmt::format("-f {} /dev/fd/{}", format.muxer, file_descriptor));
  return command;
}

/// Becomes ffmpeg. Only what is safe after fork: another thread may have held any lock.
[[noreturn]] void become(char* const* command, int input, int errors, int file, pid_t parent) {
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  setpgid(0, 0);  // Ctrl-C is for kiln alone, which ends ffmpeg
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  // three or four ends that may lie anywhere: out of the way first
  const int high_input = fcntl(input, F_DUPFD, 10), high_errors = fcntl(errors, F_DUPFD, 10),
            high_file = fcntl(file, F_DUPFD, 10), nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, 1);
  dup2(high_input, 0);
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

}  // namespace

void check_video(const VideoSettings& settings) {
  format_of(settings);
  if (!is_rate(settings.fps)) {
    fail(ErrorKind::usage, "--fps {}: must be a rate such as 25, 29.97 or 30000/1001",
         printable_whole(settings.fps));
  }
  ffmpeg_or_fail();
  check_output_path(settings.path);
}

std::vector<std::uint16_t> video_frame(const Image& image, bool alpha) {
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
    } else {
      for (std::size_t c = 0; c < 3; ++c)
        out[c] = full_range(std::min<int>(words[4 * i + c], 65280));
      if (alpha) out[3] = words[4 * i + 3];
    }
  }
  return frame;
}

VideoWriter::VideoWriter(const VideoSettings& settings)
    : path_(settings.path), file_(settings.path, settings.existing) {
  const std::vector<std::string> command = command_of(settings, ffmpeg_or_fail());
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  Pipe frames, errors;
  fcntl(frames.ends[1], F_SETPIPE_SZ, 1 << 20);  // fewer turns; it may be refused
  const pid_t parent = getpid();
  child_ = fork();
  if (child_ == 0)
    become(arguments.data(), frames.ends[0], errors.ends[1], file_.descriptor(), parent);
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
       complaints_.empty() ? "" : ": ", one_line(complaints_));
}

void VideoWriter::write(const std::vector<std::uint16_t>& frame) {
  KILN_CHECK(pipe_ >= 0, "the video is finished");
  const char* bytes = reinterpret_cast<const char*>(frame.data());
  std::size_t left = frame.size() * sizeof frame[0];
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
