#include "engine/io/image_reader.h"

#include <png.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <system_error>

#include "engine/io/text.h"
#include "engine/model/error.h"

namespace kiln {
namespace {

constexpr png_uint_32 side_max = 1'000'000;
constexpr std::uint64_t interlaced_pixels_max =
    1u << 28;  // these need the whole picture before the first row is right

struct Source {
  std::FILE* file;
  std::string message;
  bool out_of_memory = false;
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
  png_set_user_limits(png, side_max, side_max);
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
  constexpr std::size_t samples_at_once =
      1 << 20;  // a header may promise far more than the file holds
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

/// The part that libpng may leave by longjmp: no object with a destructor lives in it.
bool decode(png_structp png, png_infop info, Source& source, Image& image) {
  if (setjmp(png_jmpbuf(png))) return false;
  set_limits(png);
  png_read_info(png, info);
  const png_uint_32 width = png_get_image_width(png, info),
                    height = png_get_image_height(png, info);
  const int passes = png_set_interlace_handling(png);
  if (passes > 1 && std::uint64_t{width} * height > interlaced_pixels_max)
    png_error(png, "too large for an interlaced PNG");
  to_rgba(png, info);
  png_read_update_info(png, info);
  image.width = static_cast<int>(width);
  image.height = static_cast<int>(height);
  image.bits = png_get_bit_depth(png, info);
  const std::size_t row_samples = std::size_t{width} * 4;
  if (image.bits == 16) {
    read_rows(png, source, image.pixels16, height, row_samples, passes);
  } else {
    read_rows(png, source, image.pixels8, height, row_samples, passes);
  }
  png_read_end(png, nullptr);
  return true;
}

}  // namespace

Image read_png(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  const std::string shown = printable_whole(path);
  if (!file) {
    fail(ErrorKind::input, "{}: cannot be read: {}", shown, std::generic_category().message(errno));
  }
  png_byte signature[8];
  if (std::fread(signature, 1, 8, file.get()) != 8 || png_sig_cmp(signature, 0, 8) != 0) {
    fail(ErrorKind::input, "{}: not a PNG file", shown);
  }
  Source source{file.get(), {}};
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
  if (source.out_of_memory) throw std::bad_alloc();
  if (!whole) fail(ErrorKind::input, "{}: damaged PNG: {}", shown, source.message);
  return image;
}

}  // namespace kiln
