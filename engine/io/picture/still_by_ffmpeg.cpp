// SPDX-License-Identifier: MIT
#include "engine/io/picture/still_by_ffmpeg.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/platform/file.h"
#include "engine/base/platform/temporary_file.h"
#include "engine/base/text.h"
#include "engine/io/picture/ffmpeg.h"
#include "engine/io/picture/video_command.h"

namespace kiln {
namespace {

constexpr const char* srgb = "-color_primaries bt709 -color_trc iec61966-2-1 -color_range pc";

std::string avif_words(int bits, const Saving& saving) {
  const std::string pixels = bits == 8 ? "" : "12le";
  const std::string words = fmt::format(
      "-c:v libaom-av1 -still-picture 1 -cpu-used 6 -threads {} {} -f avif", saving.threads, srgb);
  if (saving.avif_quality == 100)  // as they are: red, green and blue
    return fmt::format("-pix_fmt gbrp{} -colorspace rgb -aom-params lossless=1 {}", pixels, words);
  return fmt::format(
      "-vf scale=out_color_matrix=bt709:out_range=pc:flags=accurate_rnd+full_chroma_int,"
      "format=yuv444p{} -colorspace bt709 -crf {} {}",
      pixels, (100 - saving.avif_quality) * 63 / 100, words);
}

std::string jxl_words(int, const Saving& saving) {
  const int quality = saving.jxl_quality;
  // as cjxl has it: 90 is what eyes cannot tell apart
  const double distance = quality == 100  ? 0
                          : quality >= 30 ? 0.1 + (100 - quality) * 0.09
                                          : 53 / 3000.0 * quality * quality - 1.15 * quality + 25;
  return fmt::format("-c:v libjxl -distance {:.4f} -threads {} {} -f image2pipe",
                     std::min(distance, 15.0), saving.threads, srgb);
}

/// Runs ffmpeg with bytes for its input and gives back what it made. Throws Error (output) with its words.
std::string through_ffmpeg(const std::string& words, const char* bytes, std::size_t size) {
  TemporaryFile file;
  std::error_code none;
  if (file.open_for((std::filesystem::temp_directory_path(none) / "kiln-still").string()) != 0)
    fail(ErrorKind::output, "there is no place for a temporary file; TMPDIR says where it may be");
  ChildProgram program{{find_program("ffmpeg")}};
  for (const std::string& word : words_in("-hide_banner -loglevel error -nostdin -y " + words))
    program.command.push_back(word);
  program.command.push_back(file.name_for_child(child_file));
  program.is_fed = true;
  program.file = file.descriptor();
  std::string complaints;
  bool ended_well = false;
  const std::unique_ptr<Child> child = started(program, "ffmpeg");
  {
    const std::jthread listens([&, end = child->take_errors()] { listen_to(end, complaints); });
    const int pipe = child->take_input();
    feed(pipe, bytes, size);  // of a file it may leave the end alone
    close_descriptor(pipe);
    ended_well = child->wait()->is_well();
  }
  std::string made;
  if (ended_well) made.resize(std::size_t(size_of_file(file.descriptor()).value_or(0)));
  if (made.empty() ||
      read_at(file.descriptor(), made.data(), made.size(), 0) != std::int64_t(made.size()))
    fail(ErrorKind::output, "ffmpeg: {}", one_line(complaints));
  return made;
}

/// The pixels without an alpha that says nothing.
template <class Sample>
std::vector<Sample> packed(const std::vector<Sample>& rgba, bool opaque) {
  if (!opaque) return rgba;
  std::vector<Sample> rgb;
  rgb.reserve(rgba.size() / 4 * 3);
  for (std::size_t i = 0; i < rgba.size(); i += 4)
    rgb.insert(rgb.end(), rgba.begin() + std::ptrdiff_t(i), rgba.begin() + std::ptrdiff_t(i) + 3);
  return rgb;
}

}  // namespace

const StillByFfmpeg avif_still = {"AVIF", "libaom-av1",
                                  [](std::size_t) { return std::string("-f mov"); }, avif_words};
const StillByFfmpeg jxl_still = {
    "JPEG XL", "libjxl",
    [](std::size_t bytes) { return fmt::format("-f jpegxl_pipe -frame_size {}", bytes); },
    jxl_words};

bool has_ffmpeg() { return !find_program("ffmpeg").empty(); }

void check_ffmpeg_makes(const StillByFfmpeg& kind, const std::string& path) {
  if (!has_ffmpeg())
    fail(ErrorKind::output,
         "{}: {} is made by the program ffmpeg, which is not in PATH: install it (Debian: "
         "apt install ffmpeg), or name the picture .png",
         printable_whole(path), kind.name);
  const ProgramSaid said = said_by(
      {find_program("ffmpeg"), "-hide_banner", "-h", fmt::format("encoder={}", kind.encoder)});
  if ((said.words + said.complaints).find("is not recognized") == std::string::npos) return;
  fail(ErrorKind::output,
       "{}: this ffmpeg was built without the encoder {}: install one that has it (Debian's has: "
       "apt install ffmpeg), or name the picture .png",
       printable_whole(path), kind.encoder);
}

std::string still_bytes(const StillByFfmpeg& kind, const Image& image, const Saving& saving) {
  check_ffmpeg_makes(kind, "the picture");
  if (std::max(image.width, image.height) > ffmpeg_side_max)
    fail(ErrorKind::usage, "{} x {} pixels; {} has at most {} a side here", image.width,
         image.height, kind.name, ffmpeg_side_max);
  std::string pixels = image.opaque ? "rgb" : "rgba";
  if (image.bits() == 8)
    pixels += image.opaque ? "24" : "";
  else
    pixels += std::string(image.opaque ? "48" : "64") +
              (std::endian::native == std::endian::little ? "le" : "be");
  const std::string words =
      fmt::format("-f rawvideo -pixel_format {} -video_size {}x{} -i pipe:0 -frames:v 1 {}", pixels,
                  image.width, image.height, kind.writing(image.bits(), saving));
  const auto make = [&](const auto& samples) {
    return through_ffmpeg(words, reinterpret_cast<const char*>(samples.data()),
                          samples.size() * sizeof samples[0]);
  };
  return image.bits() == 8 ? make(packed(image.pixels8(), image.opaque))
                           : make(packed(image.pixels16(), image.opaque));
}

Image read_still(const StillByFfmpeg& kind, const std::string& path, const ImageLimits& limits) {
  const std::string shown = printable_whole(path);
  if (!has_ffmpeg())
    fail(ErrorKind::input,
         "{}: {} is read by the program ffmpeg, which is not in PATH: install it (Debian: apt "
         "install ffmpeg)",
         shown, kind.name);
  const std::string bytes =
      InputFile(path, limits.opens).read_all(limits.bytes, {}, "raise the limit with --max-memory");
  constexpr std::uint64_t padding = 64 * 65536;  // ffmpeg counts columns up to the next 64
  std::string pam;
  try {
    pam = through_ffmpeg(
        fmt::format("-protocol_whitelist pipe {} -max_pixels {} -i pipe:0 -frames:v 1 "
                    "-vf format=rgb24|rgba|rgb48be|rgba64be -c:v pam -f image2pipe",
                    kind.reading(bytes.size()), limits.bytes / 4 + padding),
        bytes.data(), bytes.size());
  } catch (const Error& error) {
    if (std::string_view(error.what()).find("max pixel count") != std::string_view::npos)
      fail(ErrorKind::input, "{}: its pixels need more memory than {}; {}", shown,
           byte_size(limits.bytes), limits.remedy);
    fail(ErrorKind::input, "{}: damaged {}, or one that ffmpeg cannot read ({})", shown, kind.name,
         error.what());
  }
  unsigned width = 0, height = 0, channels = 0, most = 0;
  int head = 0;
  if (std::sscanf(pam.c_str(), "P7 WIDTH %u HEIGHT %u DEPTH %u MAXVAL %u TUPLTYPE %*s ENDHDR%n",
                  &width, &height, &channels, &most, &head) != 4 ||
      head == 0)
    fail(ErrorKind::input, "{}: no picture comes of this {}", shown, kind.name);
  const std::size_t bytes_each = most > 255 ? 2 : 1, from = std::size_t(head) + 1;
  check_limits(shown, width, height, 4 * bytes_each, limits);
  const std::size_t count = std::size_t(width) * height;
  KILN_CHECK((channels == 3 || channels == 4) && pam.size() - from >= count * channels * bytes_each,
             "{} bytes of {} x {} x {}", pam.size(), width, height, channels);
  Image image;
  image.width = int(width);
  image.height = int(height);
  image.opaque = channels == 3;
  const auto fill = [&](auto& samples, int full) {
    const auto* at = reinterpret_cast<const unsigned char*>(pam.data()) + from;
    samples.resize(4 * count);
    for (std::size_t i = 0; i < 4 * count; ++i) {
      int value = full;
      if (i % 4 < channels) {
        value = *at++;
        if (bytes_each == 2) value = value << 8 | *at++;
      }
      samples[i] = static_cast<std::remove_reference_t<decltype(samples[i])>>(value);
    }
  };
  if (bytes_each == 1)
    fill(image.pixels.emplace<Bytes>(), 255);
  else
    fill(image.pixels.emplace<Words>(), 65535);
  return image;
}

void write_still(const StillByFfmpeg& kind, const std::string& path, const Image& image,
                 const Saving& saving) {
  const std::string bytes = still_bytes(kind, image, saving);
  AtomicFile file(path, saving.existing);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

}  // namespace kiln
