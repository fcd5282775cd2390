// SPDX-License-Identifier: MIT
#include "engine/io/picture/picture_format.h"

#include <png.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>

#include "engine/base/error.h"
#include "engine/base/platform/file.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/io/file/input_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/picture/exr.h"
#include "engine/io/picture/jpeg.h"
#include "engine/io/picture/picture_record.h"
#include "engine/io/picture/png_colors.h"
#include "engine/io/picture/png_writer.h"
#include "engine/io/picture/tiff.h"
#include "engine/io/picture/video_writer.h"
#include "engine/io/picture/webp.h"

namespace kiln {
namespace {

PictureFileTexts texts_of_png(const ReadBytes& rest, const std::string& name) {
  PngTexts png = read_png_texts(rest, name);
  return {std::move(png.texts), png.ends_there, !png.form.has_other_colors(), png.form,
          png.has_pixels && png.ends_there};
}

PictureFileTexts texts_of_exr(const ReadBytes& rest, const std::string& name) {
  ExrHeader header = read_exr_header(rest, name);
  const ExrForm form = header.form();
  return {std::move(header.texts), true, form.holds_pixels(), form, false};
}

template <const StillByFfmpeg& kind>
constexpr PictureFormat still_format(PictureFormat row) {
  row.most_side = ffmpeg_side_max;
  row.package = "ffmpeg";
  row.supported = has_ffmpeg;
  row.read = [](const std::string& path, const ImageLimits& limits) {
    return read_still(kind, path, limits);
  };
  row.read_texts = [](const ReadBytes&, const std::string&) { return PictureFileTexts{}; };
  row.write = [](const std::string& path, const Image& image, const FileTexts&,
                 const Saving& saving) { write_still(kind, path, image, saving); };
  row.write_rows = [](const std::string& path, const Image& first_rows, int height,
                      const FileTexts&, const Saving& saving) {
    return kept_rows(first_rows, height, {{}},
                     [path, saving](const Image& whole, const FileTexts&) {
                       write_still(kind, path, whole, saving);
                     });
  };
  row.bytes = [](const Image& image, const FileTexts&, const Saving& saving) {
    return still_bytes(kind, image, saving);
  };
  row.by_ffmpeg = &kind;
  return row;
}

constexpr PictureFormat formats[] = {
    {.name = "PNG",
     .ending = ".png",
     .or_ending = "",
     .signature = png_signature,
     .media_type = "image/png",
     .linear = false,
     .most_bits = 16,
     .has_floats = false,
     .names_colors = true,
     .has_alpha = true,
     .most_side = 0,
     .has_texts = true,
     .can_be_resumed = true,
     .package = "libpng-dev",
     .supported = [] { return true; },
     .read = read_png,
     .read_texts = texts_of_png,
     .write = write_png,
     .write_rows = png_rows,
     .bytes = png_bytes},
    {.name = "JPEG",
     .ending = ".jpg",
     .or_ending = ".jpeg",
     .signature = jpeg_signature,
     .media_type = "image/jpeg",
     .linear = false,
     .most_bits = 8,
     .has_floats = false,
     .names_colors = false,
     .has_alpha = false,
     .most_side = jpeg_side_max,
     .has_texts = true,
     .can_be_resumed = false,
     .package = "libturbojpeg0-dev",
     .supported = jpeg_supported,
     .read = read_jpeg,
     .read_texts = read_jpeg_texts,
     .write = write_jpeg,
     .write_rows = jpeg_rows,
     .bytes = jpeg_bytes},
    {.name = "TIFF",
     .ending = ".tif",
     .or_ending = ".tiff",
     .signature = tiff_signature,
     .media_type = nullptr,
     .linear = false,
     .most_bits = 16,
     .has_floats = true,
     .names_colors = false,
     .has_alpha = true,
     .most_side = 0,
     .has_texts = true,
     .can_be_resumed = false,
     .package = "",
     .supported = [] { return true; },
     .read = read_tiff,
     .read_texts = read_tiff_texts,
     .write = write_tiff,
     .write_rows = tiff_rows,
     .bytes = tiff_bytes},
    {.name = "WebP",
     .ending = ".webp",
     .or_ending = "",
     .signature = webp_signature,
     .media_type = "image/webp",
     .linear = false,
     .most_bits = 8,
     .has_floats = false,
     .names_colors = false,
     .has_alpha = true,
     .most_side = webp_side_max,
     .has_texts = true,
     .can_be_resumed = false,
     .package = "libwebp-dev",
     .supported = webp_supported,
     .read = read_webp,
     .read_texts = read_webp_texts,
     .write = write_webp,
     .write_rows = webp_rows,
     .bytes = webp_bytes},
    still_format<avif_still>({.name = "AVIF",
                              .ending = ".avif",
                              .or_ending = "",
                              .signature = {"\0\0\0?ftypavif", 12},
                              .media_type = "image/avif",
                              .most_bits = 16}),
    still_format<jxl_still>({.name = "JPEG XL",
                             .ending = ".jxl",
                             .or_ending = "",
                             .signature = {"\0\0\0\x0cJXL \r\n\x87\n", 12},
                             .media_type = nullptr,
                             .most_bits = 16,
                             .has_alpha = true,
                             .or_signature = "\xff\x0a"}),
    {.name = "OpenEXR",
     .ending = ".exr",
     .or_ending = "",
     .signature = exr_signature,
     .media_type = nullptr,
     .linear = true,
     .most_bits = 16,
     .has_floats = true,
     .names_colors = false,
     .has_alpha = true,
     .most_side = 0,
     .has_texts = true,
     .can_be_resumed = false,
     .package = "libopenexr-dev",
     .supported = exr_supported,
     .read = read_exr,
     .read_texts = texts_of_exr,
     .write = write_exr,
     .write_rows = exr_rows,
     .bytes = exr_bytes},
    {.name = "PPM",
     .ending = ".ppm",
     .or_ending = "",
     .signature = "P6",
     .media_type = nullptr,
     .linear = false,
     .most_bits = 8,
     .has_floats = false,
     .names_colors = false,
     .has_alpha = false,
     .most_side = 0,
     .has_texts = false,
     .can_be_resumed = false,
     .package = "",
     .supported = [] { return true; },
     .read = read_ppm,
     .read_texts = [](const ReadBytes&, const std::string&) { return PictureFileTexts{}; },
     .write = write_ppm,
     .write_rows = ppm_rows,
     .bytes = ppm_bytes},
};

template <class Fits>
const PictureFormat* first_that(Fits fits) {
  const auto found = std::find_if(std::begin(formats), std::end(formats), fits);
  return found == std::end(formats) ? nullptr : found;
}

const char* article_of(const PictureFormat& format) {
  return std::string_view("AO").find(format.name[0]) == std::string_view::npos ? "a" : "an";
}

/// ".a, .b or .c" of several.
std::string listed(std::vector<std::string> words, const char* last_but) {
  const std::string last = words.back();
  words.pop_back();
  return words.empty() ? last : joined(words, ", ") + last_but + last;
}

/// Whether both are the same as far as both go.
bool agree(std::string_view signature, std::string_view start) {
  const std::size_t both = std::min(signature.size(), start.size());
  return std::equal(signature.begin(), signature.begin() + std::ptrdiff_t(both), start.begin(),
                    [](char wanted, char there) { return wanted == '?' || wanted == there; });
}

/// The format of an open file, behind its signature; null where it has none.
const PictureFormat* format_at_start(InputFile& file) {
  std::string start;
  while (!format_beginning(start)) {
    char next;
    const bool may_become = first_that([&](const PictureFormat& format) {
      return agree(format.signature, start) ||
             (!format.or_signature.empty() && agree(format.or_signature, start));
    });
    if (!may_become || file.read(&next, 1) != 1) return nullptr;
    start += next;
  }
  return format_beginning(start);
}

}  // namespace

std::span<const PictureFormat> picture_formats() { return formats; }

const PictureFormat* format_with_ending(std::string_view ending) {
  return first_that([&](const PictureFormat& format) {
    return format.ending == ending || (!ending.empty() && format.or_ending == ending);
  });
}

const PictureFormat* format_beginning(std::string_view start) {
  const auto begins = [&](std::string_view signature) {
    return !signature.empty() && start.size() >= signature.size() && agree(signature, start);
  };
  return first_that([&](const PictureFormat& format) {
    return begins(format.signature) || begins(format.or_signature);
  });
}

const PictureFormat* format_of_file(const std::string& path, InputFile::Opens opens) {
  InputFile file(path, opens);
  return format_at_start(file);
}

const PictureFormat& format_named(const std::string& path) {
  const PictureFormat* const format = format_with_ending(ending_of(path));
  return format ? *format : formats[0];
}

const PictureFormat& format_for(bool linear) {
  return *first_that([&](const PictureFormat& format) { return format.linear == linear; });
}

const PictureFormat& format_for(const Image& image, const std::string& path) {
  const bool linear = image.bits() == 32;
  const PictureFormat& named = format_named(path);
  return named.linear == linear || (linear && named.has_floats) ? named : format_for(linear);
}

bool can_hold(const PictureFormat& format, const Image& image) {
  const bool fits_bits =
      image.bits() == 32 ? format.has_floats : !format.linear && image.bits() <= format.most_bits;
  const bool fits_side =
      format.most_side == 0 || std::max(image.width, image.height) <= format.most_side;
  return fits_bits && fits_side && (format.has_alpha || image.opaque);
}

void check_picture_name(const std::string& path, Ending wanted) {
  if (!takes_rows(path) && stream_kind(path).empty()) return;
  const std::string ending = ending_of(path);
  if (ending.empty() ? wanted == Ending::needed : !format_with_ending(ending)) {
    fail(ErrorKind::usage, "{}: kiln writes {} only; name it {}{}", printable_whole(path),
         picture_names(), picture_endings(),
         is_ending_of_flames(ending) ? " (kiln convert writes flames)"
         : video_format_with(ending) ? " (kiln animate --video makes films)"
                                     : "");
  }
  const PictureFormat& format = format_named(path);
  if (format.by_ffmpeg) return check_ffmpeg_makes(*format.by_ffmpeg, path);
  if (!format.supported()) {
    fail(ErrorKind::usage,
         "{}: this kiln was built without {}; name it {}, or build kiln where {} is installed",
         printable_whole(path), format.name, format_for(false).ending, format.package);
  }
}

void check_fits(const std::string& path, int width, int height, int bits, bool transparent) {
  const PictureFormat& format = format_named(path);
  const std::string name = printable_whole(path);
  if (transparent && !format.has_alpha)
    fail(ErrorKind::usage,
         "{}: {} {} has no transparency, for which --transparent or the input's record asks; name "
         "it {}, or leave --transparent out (kiln render --ignore-record: the record)",
         name, article_of(format), format.name, formats[0].ending);
  if (bits > format.most_bits && !(bits == 32 && format.has_floats) && !format.linear)
    fail(ErrorKind::usage, "{}: {} {} has {} bits a channel; leave --bits {} out, or name it {}",
         name, article_of(format), format.name, format.most_bits, bits, formats[0].ending);
  if (format.most_side > 0 && std::max(width, height) > format.most_side)
    fail(ErrorKind::usage, "{}: {} x {} pixels; {} {} has at most {} a side, name it {}", name,
         width, height, article_of(format), format.name, format.most_side, formats[0].ending);
}

std::string picture_endings(std::optional<bool> linear) {
  std::vector<std::string> endings;
  for (const PictureFormat& format : formats)
    if (!linear || format.linear == *linear) endings.emplace_back(format.ending);
  return listed(std::move(endings), " or ");
}

std::string picture_names() {
  std::vector<std::string> names;
  for (const PictureFormat& format : formats) names.emplace_back(format.name);
  return listed(std::move(names), " and ");
}

Image read_picture(const std::string& path, const ImageLimits& limits) {
  const PictureFormat* const format = format_of_file(path, limits.opens);
  if (format) return format->read(path, limits);
  fail(ErrorKind::input, "{}: is no picture; {} are read{}", printable_whole(path), picture_names(),
       is_ending_of_flames(ending_of(path)) ? " (kiln render makes one of a flame)" : "");
}

PictureFileTexts read_picture_texts(const std::string& path, InputFile::Opens opens) {
  InputFile file(path, opens);
  const PictureFormat* const format = format_at_start(file);
  if (!format) fail(ErrorKind::input, "{}: none of {}", printable_whole(path), picture_names());
  return format->read_texts(
      [&](char* buffer, std::size_t count) { return file.read(buffer, count); }, path);
}

namespace {

constexpr png_uint_32 png_side_max = 0x7fffffff;  // libpng leaves the limits to check_header()
constexpr std::uint64_t deflate_at_best = 1032;   // bytes that one byte unpacks to: RFC 1951

struct Source {
  std::FILE* file;
  const std::string& name;
  const ImageLimits& limits;
  std::string message;
  std::optional<Error> refusal;
  bool out_of_memory = false;
  png_byte cicp[4] = {};
};

void read_bytes(png_structp png, png_bytep data, png_size_t size) {
  Source& source = *static_cast<Source*>(png_get_io_ptr(png));
  if (std::fread(data, 1, size, source.file) != size) png_error(png, "the file ends early");
}

void on_error(png_structp png, png_const_charp message) {
  static_cast<Source*>(png_get_error_ptr(png))->message = message;
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void set_limits(png_structp png) {
  png_set_user_limits(png, png_side_max, png_side_max);
  png_set_chunk_cache_max(png, 1000);
  png_set_chunk_malloc_max(png, 16u << 20);
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
}

void to_rgba(png_structp png, png_infop info) {
  png_set_expand(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xffff, PNG_FILLER_AFTER);
  if (png_get_bit_depth(png, info) == 16 && std::endian::native == std::endian::little)
    png_set_swap(png);
}

/// Makes room for `rows` rows; false when there is no memory.
template <class Sample>
bool grow(std::vector<Sample>& samples, std::size_t rows, std::size_t row_samples) {
  try {
    samples.resize(rows * row_samples);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

template <class Sample>
void read_rows(png_structp png, Source& source, std::vector<Sample>& samples, std::size_t height,
               std::size_t row_samples, int passes) {
  // a header may promise far more than the file holds
  constexpr std::size_t samples_at_once = 1 << 20;
  const std::size_t step =
      passes > 1 ? height : std::max<std::size_t>(1, samples_at_once / row_samples);
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t row = 0; row < height; ++row) {
      if (pass == 0 && row % step == 0 &&
          !grow(samples, std::min(height, row + step), row_samples)) {
        source.out_of_memory = true;
        png_error(png, "out of memory");
      }
      png_read_row(png, reinterpret_cast<png_bytep>(samples.data() + row * row_samples), nullptr);
    }
  }
}

std::uint64_t size_of(std::FILE* file) {  // unlimited where it cannot be known
  return size_of_file(fileno(file)).value_or(std::uint64_t(1) << 53);
}

/// Holds the size against the limits, and the samples against the bytes of the file.
void check_header(png_structp png, png_infop info, Source& source) {
  const std::uint64_t width = png_get_image_width(png, info),
                      height = png_get_image_height(png, info);
  check_limits(source.name, width, height, png_get_bit_depth(png, info) == 16 ? 8 : 4,
               source.limits);
  const std::uint64_t file_bytes = size_of(source.file);
  if (height * png_get_rowbytes(png, info) / deflate_at_best > file_bytes)
    fail(ErrorKind::input,
         "{}: damaged PNG: {} bytes cannot hold {} x {} pixels; get an undamaged copy", source.name,
         file_bytes, width, height);
}

/// Does so in the part that libpng may leave by longjmp, which no exception may cross.
bool accepts_header(png_structp png, png_infop info, Source& source) {
  try {
    check_header(png, info, source);
  } catch (const Error& error) {
    source.refusal = error;
  }
  return !source.refusal;
}

/// The part that libpng may leave by longjmp: no object with a destructor lives in it.
bool decode(png_structp png, png_infop info, Source& source, Image& image) {
  if (setjmp(png_jmpbuf(png))) return false;
  set_limits(png);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS,
                              reinterpret_cast<png_const_bytep>("cICP"), 1);
  png_read_info(png, info);
  png_unknown_chunkp chunks = nullptr;
  for (int i = png_get_unknown_chunks(png, info, &chunks) - 1; i >= 0; --i)
    if (chunks[i].size == sizeof source.cicp)
      std::memcpy(source.cicp, chunks[i].data, sizeof source.cicp);
  if (!accepts_header(png, info, source)) return false;
  const png_uint_32 width = png_get_image_width(png, info),
                    height = png_get_image_height(png, info);
  const int passes = png_set_interlace_handling(png);
  image.opaque = !(png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) &&
                 !png_get_valid(png, info, PNG_INFO_tRNS);
  to_rgba(png, info);
  png_read_update_info(png, info);
  image.width = static_cast<int>(width);
  image.height = static_cast<int>(height);
  const std::size_t row_samples = std::size_t{width} * 4;
  if (png_get_bit_depth(png, info) == 16) {
    read_rows(png, source, image.pixels.emplace<Words>(), height, row_samples, passes);
  } else {
    read_rows(png, source, image.pixels.emplace<Bytes>(), height, row_samples, passes);
  }
  png_read_end(png, nullptr);
  return true;
}

}  // namespace

Image read_png(const std::string& path, const ImageLimits& limits) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(open_file(path, limits.opens),
                                                             std::fclose);
  const std::string shown = printable_whole(path);
  if (!file) {
    fail(ErrorKind::input, "{}: cannot be read: {}", shown, std::generic_category().message(errno));
  }
  png_byte signature[8];
  if (std::fread(signature, 1, 8, file.get()) != 8 || png_sig_cmp(signature, 0, 8) != 0) {
    fail(ErrorKind::input, "{}: not a PNG file", shown);
  }
  Source source{file.get(), shown, limits, {}, {}};
  Image image;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (info) {
    png_set_read_fn(png, &source, read_bytes);
    png_set_sig_bytes(png, 8);
  } else {
    source.out_of_memory = true;
  }
  const bool whole = info && decode(png, info, source, image);
  png_destroy_read_struct(&png, &info, nullptr);
  if (source.refusal) throw *source.refusal;
  if (source.out_of_memory) throw std::bad_alloc();
  if (!whole) fail(ErrorKind::input, "{}: damaged PNG: {}", shown, source.message);
  const std::string_view cicp(reinterpret_cast<const char*>(source.cicp), sizeof source.cicp);
  if (const auto form = form_of_cicp(cicp)) to_srgb(*form, image);
  return image;
}

namespace {

constexpr int spread_side_max = 4096;

/// Takes ",NUMBER" or ",NUMBER%" from the end of the text; a file name may have commas too.
std::optional<double> read_last_number(std::string& text) {
  const std::size_t comma = text.rfind(',');
  if (comma == std::string::npos) return {};
  std::string_view word = std::string_view(text).substr(comma + 1);
  if (word.ends_with('%')) word.remove_suffix(1);
  const std::optional<double> number = to_real(word);
  if (number) text.resize(comma);
  return number;
}

template <class Sample>
std::vector<double> gray_values(const std::vector<Sample>& samples) {
  constexpr double full = Sample(~Sample(0));
  std::vector<double> values(samples.size() / 4);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Sample* p = samples.data() + 4 * i;
    values[i] = (double(p[0]) + p[1] + p[2]) / 3 / full * (p[3] / full);
  }
  return values;
}

std::string hash_of(const PointSpread& spread) {
  Sha256 sha;
  const std::string head =
      fmt::format("{} {} {} {}", spread.width, spread.height, spread.strength, spread.size);
  sha.add(head.data(), head.size());
  sha.add(spread.values.data(), spread.values.size() * sizeof(double));
  return sha.hex();
}

}  // namespace

std::string point_spread_file(const std::string& option) {
  std::string path = option;
  if (read_last_number(path)) read_last_number(path);
  return path;
}

PointSpread read_point_spread(const std::string& option) {
  std::string path = option;
  const std::optional<double> last = read_last_number(path);
  const std::optional<double> first = last ? read_last_number(path) : std::nullopt;
  PointSpread spread;
  const std::optional<double> strength = first ? first : last, size = first ? last : std::nullopt;
  if (strength) spread.strength = *strength;
  if (size) spread.size = *size;
  if (strength && !(*strength >= 0 && *strength <= 1))
    fail(ErrorKind::usage, "--psf {}: strength {} must be 0 to 1", printable_whole(path),
         *strength);
  if (size && !(*size >= 0.01 && *size <= 400))
    fail(ErrorKind::usage, "--psf {}: size {} must be 0.01 to 400 per cent of the picture's height",
         printable_whole(path), *size);

  ImageLimits limits;
  limits.side = spread_side_max;
  limits.what = "a point spread function";
  const Image image = read_png(path, limits);
  spread.width = image.width;
  spread.height = image.height;
  spread.values = image.bits() == 8 ? gray_values(image.pixels8()) : gray_values(image.pixels16());
  double sum = 0;
  for (const double value : spread.values) sum += value;
  if (!(sum > 0))
    fail(ErrorKind::input, "{}: the picture is black: no light to spread", printable_whole(path));
  spread.hash = hash_of(spread);
  return spread;
}

}  // namespace kiln
