#include "engine/io/picture/picture_format.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/picture/exr.h"
#include "engine/io/picture/picture_record.h"
#include "engine/io/picture/png_writer.h"

namespace kiln {
namespace {

PictureFileTexts texts_of_png(const ReadBytes& rest, const std::string& name) {
  PngTexts png =
      read_png_texts(rest, name, {genome_key, record_key, "flam3_nickname", "flam3_url"});
  return {std::move(png.texts), png.ends_there, true, png.has_pixels && png.ends_there};
}

PictureFileTexts texts_of_exr(const ReadBytes& rest, const std::string& name) {
  ExrHeader header = read_exr_header(rest, name);
  const bool holds_pixels = header.is_single_float();
  return {std::move(header.texts), true, holds_pixels, false};
}

constexpr PictureFormat formats[] = {
    {.name = "PNG",
     .ending = ".png",
     .signature = png_signature,
     .linear = false,
     .can_be_resumed = true,
     .package = "libpng-dev",
     .supported = [] { return true; },
     .read = read_png,
     .read_texts = texts_of_png,
     .write = write_png,
     .write_rows = png_rows,
     .bytes = png_bytes},
    {.name = "OpenEXR",
     .ending = ".exr",
     .signature = exr_signature,
     .linear = true,
     .can_be_resumed = false,
     .package = "libopenexr-dev",
     .supported = exr_supported,
     .read = read_exr,
     .read_texts = texts_of_exr,
     .write = write_exr,
     .write_rows = exr_rows,
     .bytes = exr_bytes},
};

template <class Fits>
const PictureFormat* first_that(Fits fits) {
  const auto found = std::find_if(std::begin(formats), std::end(formats), fits);
  return found == std::end(formats) ? nullptr : found;
}

/// The format of an open file, behind its signature; null where it has none.
const PictureFormat* format_at_start(InputFile& file) {
  std::string start;
  while (!format_beginning(start)) {
    char next;
    const bool may_become = first_that(
        [&](const PictureFormat& format) { return format.signature.starts_with(start); });
    if (!may_become || file.read(&next, 1) != 1) return nullptr;
    start += next;
  }
  return format_beginning(start);
}

}  // namespace

std::span<const PictureFormat> picture_formats() { return formats; }

const PictureFormat* format_with_ending(std::string_view ending) {
  return first_that([&](const PictureFormat& format) { return format.ending == ending; });
}

const PictureFormat* format_beginning(std::string_view start) {
  return first_that(
      [&](const PictureFormat& format) { return start.starts_with(format.signature); });
}

const PictureFormat& format_named(const std::string& path) {
  const PictureFormat* const format = format_with_ending(ending_of(path));
  return format ? *format : formats[0];
}

const PictureFormat& format_for(bool linear) {
  return *first_that([&](const PictureFormat& format) { return format.linear == linear; });
}

std::string picture_endings(std::optional<bool> linear) {
  std::string endings;
  for (const PictureFormat& format : formats) {
    if (!linear || format.linear == *linear)
      endings += (endings.empty() ? "" : " or ") + std::string(format.ending);
  }
  return endings;
}

Image read_picture(const std::string& path, const ImageLimits& limits) {
  const PictureFormat* format = nullptr;
  {
    InputFile file(path, limits.opens);
    format = format_at_start(file);
  }
  return (format ? *format : formats[0]).read(path, limits);
}

PictureFileTexts read_picture_texts(const std::string& path, InputFile::Opens opens) {
  InputFile file(path, opens);
  const PictureFormat* const format = format_at_start(file);
  if (!format)
    fail(ErrorKind::input, "{}: neither a PNG nor an OpenEXR file", printable_whole(path));
  return format->read_texts(
      [&](char* buffer, std::size_t count) { return file.read(buffer, count); }, path);
}

}  // namespace kiln
