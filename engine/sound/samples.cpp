// SPDX-License-Identifier: MIT
#include "engine/sound/samples.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <thread>

#include "engine/base/error.h"
#include "engine/base/platform/file.h"
#include "engine/base/platform/process.h"
#include "engine/base/text.h"

namespace kiln {
namespace {

constexpr int least_rate = 4000, most_rate = 384000, most_channels = 64;
constexpr std::size_t most_head = 1 << 16, most_words = 2000;

unsigned byte_at(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}
unsigned word_at(std::string_view bytes, std::size_t i) {
  return byte_at(bytes, i) | byte_at(bytes, i + 1) << 8;
}
std::uint32_t long_at(std::string_view bytes, std::size_t i) {
  return word_at(bytes, i) | std::uint32_t(word_at(bytes, i + 2)) << 16;
}

/// The head of a WAV file and where its samples begin.
struct WavHead {
  int rate = 0, channels = 0;
  std::size_t begin = 0;    // 0: more bytes are needed
  std::uint64_t size = ~0;  // of the samples; a pipe does not say
};

WavHead head_of(std::string_view bytes, const std::string& name) {
  const auto refuse = [&] { fail(ErrorKind::input, "{}: is no WAV of 16 bits", name); };
  if (bytes.size() < 12) return {};
  if (!bytes.starts_with("RIFF") || bytes.substr(8, 4) != "WAVE") refuse();
  WavHead head;
  for (std::size_t at = 12; at + 8 <= bytes.size();) {
    const std::string_view chunk = bytes.substr(at, 4);
    const std::uint64_t size = long_at(bytes, at + 4);
    at += 8;
    if (chunk == "data") {
      if (head.rate == 0) refuse();
      head.begin = at;
      if (size < 0xffffff00u && size > 0) head.size = size;
      return head;
    }
    if (chunk == "fmt ") {
      if (size < 16 || size > 256) refuse();
      if (at + 16 > bytes.size()) return {};
      const unsigned kind = word_at(bytes, at);
      head.channels = int(word_at(bytes, at + 2));
      head.rate = int(std::min<std::uint32_t>(long_at(bytes, at + 4), most_rate + 1));
      const bool is_known = (kind == 1 || kind == 0xfffe) && word_at(bytes, at + 14) == 16;
      if (!is_known || head.channels < 1 || head.channels > most_channels) refuse();
      if (head.rate < least_rate || head.rate > most_rate)
        fail(ErrorKind::input, "{}: has {} samples a second; kiln hears {} to {}", name, head.rate,
             least_rate, most_rate);
    }
    at += std::size_t(size + (size & 1));
    if (at > most_head) refuse();
  }
  return {};
}

/// Takes bytes of a WAV file as they come.
class WavReader {
 public:
  explicit WavReader(std::string name) : name_(std::move(name)) {}

  void add(const char* bytes, std::size_t size) {
    waiting_.append(bytes, size);
    std::size_t at = 0;
    if (head_.begin == 0) {
      head_ = head_of(waiting_, name_);
      if (head_.begin == 0) {
        if (waiting_.size() > most_head) fail(ErrorKind::input, "{}: is no WAV of 16 bits", name_);
        return;
      }
      samples_.rate = head_.rate;
      at = head_.begin;
    }
    const auto channels = std::size_t(head_.channels);
    for (; at + 2 * channels <= waiting_.size() && taken_ + 2 * channels <= head_.size;
         at += 2 * channels, taken_ += 2 * channels) {
      int sum = 0;
      for (std::size_t c = 0; c < channels; ++c) sum += std::int16_t(word_at(waiting_, at + 2 * c));
      samples_.mono.push_back(std::int16_t(sum / head_.channels));
    }
    waiting_.erase(0, at);
    if (samples_.seconds() > longest_song_s)
      fail(ErrorKind::input, "{}: is longer than {:.0f} hours; cut it", name_,
           longest_song_s / 3600);
  }
  bool has_head() const { return head_.begin != 0; }
  SongSamples take() { return std::move(samples_); }

 private:
  std::string name_, waiting_;
  WavHead head_;
  std::uint64_t taken_ = 0;
  SongSamples samples_;
};

/// Reads a pipe to its end.
template <class Take>
void drain(int pipe, Take take) {
  const std::unique_ptr<int, void (*)(int*)> closed(&pipe,
                                                    [](int* file) { close_descriptor(*file); });
  std::vector<char> buffer(1 << 16);
  for (;;) {
    const auto size = read_some(pipe, buffer.data(), buffer.size());
    if (size <= 0) return;
    take(buffer.data(), std::size_t(size));
  }
}

/// The last line of what ffmpeg said, without the number that it calls itself by.
std::string last_words(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t line = text.rfind('\n');
  return printable(line == text.npos ? text : text.substr(line + 1), 300);
}

/// Refuses what is no song in words of our own, before ffmpeg has its say. Throws Error (input).
void check_song_file(const std::string& path, const std::string& name) {
  std::error_code error;
  const auto status = std::filesystem::status(std::filesystem::path(path), error);
  if (!std::filesystem::exists(status))
    fail(ErrorKind::input, "{}: cannot be opened: {}", name,
         error && error.value() != ENOENT ? error.message() : "No such file or directory");
  if (!std::filesystem::is_regular_file(status))
    fail(ErrorKind::input,
         "{}: is a {}; a song is read twice and by another program, so it must be a file", name,
         std::filesystem::is_directory(status) ? "folder" : "pipe or device");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(open_to_read(path), std::fclose);
  if (!file) fail(ErrorKind::input, "{}: cannot be opened: {}", name, std::strerror(errno));
  char begin[64] = {};
  const std::size_t size = std::fread(begin, 1, sizeof begin, file.get());
  if (size == 0) fail(ErrorKind::input, "{}: is empty", name);
  const std::string_view text(begin, size);
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first != text.npos && text[first] == '<')
    fail(ErrorKind::input,
         "{}: is a text, perhaps of flames, and no sound; name the song (the film it is to move is "
         "--film)",
         name);
  if (text.starts_with("ffconcat ") ||
      text.starts_with("#EXTM3U"))  // which its digest would not be of
    fail(ErrorKind::input,
         "{}: is a list that names other files, and no sound; name the song itself", name);
}

}  // namespace

SongSamples read_samples(const std::string& path) {
  const std::string name = printable_whole(path);
  check_song_file(path, name);
  const std::string ffmpeg = find_program("ffmpeg");
  if (ffmpeg.empty())
    fail(ErrorKind::output,
         "{}: to hear a song kiln needs the program ffmpeg, which is not in PATH: install it "
         "(Debian: apt install ffmpeg)",
         name);
  ChildProgram program{
      {ffmpeg,      "-hide_banner", "-loglevel",    "error",     "-nostdin",  "-protocol_whitelist",
       "file,pipe", "-i",           "file:" + path, "-map",      "0:a:0",     "-vn",
       "-sn",       "-dn",          "-c:a",         "pcm_s16le", "-bitexact", "-f",
       "wav",       "pipe:1"}};
  program.is_heard = true;
  std::unique_ptr<Child> child;
  try {
    child = std::make_unique<Child>(program);
  } catch (const std::system_error& error) {
    fail(ErrorKind::output, "ffmpeg cannot be started: {}", error.code().message());
  }
  std::string words;
  WavReader reader(name);
  {
    std::jthread listener([&words, end = child->take_errors()] {
      drain(end, [&](const char* bytes, std::size_t size) {
        words.append(bytes, size);
        if (words.size() > 2 * most_words) words.erase(0, words.size() - most_words);
      });
    });
    try {
      drain(child->take_output(),
            [&](const char* bytes, std::size_t size) { reader.add(bytes, size); });
    } catch (...) {
      child.reset();  // ends it, and with it the listener
      throw;
    }
  }
  const Child::End end = *child->wait();
  if (words.find("matches no streams") != words.npos)
    fail(ErrorKind::input, "{}: there is no sound in it", name);
  if (!end.is_well() || !reader.has_head())
    fail(ErrorKind::input, "{}: ffmpeg cannot read it{}{}", name, words.empty() ? "" : ": ",
         last_words(words));
  SongSamples samples = reader.take();
  if (samples.mono.empty()) fail(ErrorKind::input, "{}: there is no sound in it", name);
  return samples;
}

SongSamples samples_of_wav(const std::string& bytes, const std::string& name) {
  WavReader reader(name);
  reader.add(bytes.data(), bytes.size());
  if (!reader.has_head()) fail(ErrorKind::input, "{}: is no WAV of 16 bits", name);
  return reader.take();
}

std::string wav_of(const SongSamples& samples, int channels) {
  std::string wav;
  const auto add = [&](std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) wav += char(value >> (8 * i) & 255);
  };
  const auto frame = std::uint32_t(2 * channels), rate = std::uint32_t(samples.rate);
  const std::uint32_t size = std::uint32_t(samples.mono.size()) * frame;
  wav += "RIFF";
  add(36 + size, 4);
  wav += "WAVEfmt ";
  add(16, 4);
  add(1, 2);
  add(std::uint32_t(channels), 2);
  add(rate, 4);
  add(rate * frame, 4);
  add(frame, 2);
  add(16, 2);
  wav += "data";
  add(size, 4);
  for (const std::int16_t value : samples.mono)
    for (int c = 0; c < channels; ++c) add(std::uint16_t(value), 2);
  return wav;
}

}  // namespace kiln
