#include "engine/io/png_writer.h"

#include <png.h>
#include <zlib.h>

#include <bit>
#include <exception>

#include "engine/io/text.h"
#include "engine/model/error.h"

namespace kiln {
namespace {

/// What libpng's callbacks need. C++ exceptions may not cross its C frames: they wait here until it
/// has returned.
struct Sink {
  AtomicFile& file;
  std::exception_ptr thrown;
  std::string message;
};

void write_bytes(png_structp png, png_bytep data, png_size_t size) {
  Sink& sink = *static_cast<Sink*>(png_get_io_ptr(png));
  try {
    sink.file.write(data, size);
    return;
  } catch (...) {
    sink.thrown = std::current_exception();
  }
  png_error(png, "write failed");  // outside the handler: it jumps
}

void flush_bytes(png_structp) {}

void on_error(png_structp png, png_const_charp message) {
  static_cast<Sink*>(png_get_error_ptr(png))->message = message;
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void set_compression(png_structp png, int bits) {
  png_set_compression_level(png, 1);
  if (bits == 16) {
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_set_compression_strategy(png, Z_RLE);
  } else {
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
  }
  png_set_compression_buffer_size(png, 1 << 18);
}

/// The part that libpng may leave by longjmp: no object with a destructor lives in it.
bool encode(png_structp png, png_infop info, const Image& image, const png_text* texts,
            int text_count) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_IHDR(png, info, static_cast<png_uint_32>(image.width),
               static_cast<png_uint_32>(image.height), image.bits, PNG_COLOR_TYPE_RGB_ALPHA,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  set_compression(png, image.bits);
  png_set_text(png, info, texts, text_count);
  png_write_info(png, info);
  if (image.bits == 16 && std::endian::native == std::endian::little) png_set_swap(png);
  const std::size_t row_samples = static_cast<std::size_t>(image.width) * 4;
  for (std::size_t row = 0; row < static_cast<std::size_t>(image.height); ++row) {
    const void* samples = image.bits == 16
                              ? static_cast<const void*>(image.pixels16.data() + row * row_samples)
                              : image.pixels8.data() + row * row_samples;
    png_write_row(png, static_cast<png_const_bytep>(samples));
  }
  png_write_end(png, info);
  return true;
}

std::vector<png_text> as_png_texts(const std::vector<PngText>& texts) {
  std::vector<png_text> list;
  for (const PngText& text : texts) {
    png_text entry{};
    entry.compression = text.compressed ? PNG_TEXT_COMPRESSION_zTXt : PNG_TEXT_COMPRESSION_NONE;
    entry.key = const_cast<char*>(text.key.c_str());  // libpng copies both, its struct is not const
    entry.text = const_cast<char*>(text.value.c_str());
    entry.text_length = text.value.size();
    list.push_back(entry);
  }
  return list;
}

}  // namespace

std::string render_record(const Flame& flame, const RenderOptions& options,
                          const RenderStatistics& statistics, const std::string& pixel_hash) {
  JsonObject record;
  record.add("kiln", KILN_VERSION).add("seed", options.seed);
  if (options.game == Game::divergent) record.add("strategy", "divergent");
  if (options.game == Game::mtgp32) record.add("rng", "mtgp32");
  return record.add("samples", statistics.samples)
      .add("bits", options.bits)
      .add("transparent", options.transparent)
      .add("earlyclip", options.earlyclip)
      .add("compat", options.compat_flam3 ? "flam3" : "none")
      .add("pixel_aspect", flame.pixel_aspect)
      .add("pixel_hash", pixel_hash)
      .text();
}

std::vector<PngText> picture_texts(const std::string& genome, const std::string& record) {
  std::vector<PngText> texts;
  if (!genome.empty()) texts.push_back({"flam3_genome", genome, true});
  texts.push_back({"Software", "kiln " KILN_VERSION, false});
  if (!record.empty()) texts.push_back({"kiln_record", record, false});
  return texts;
}

void write_png(const std::string& path, const Image& image, const std::vector<PngText>& texts,
               AtomicFile::Existing existing) {
  const std::size_t samples =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4;
  KILN_CHECK((image.bits == 8 ? image.pixels8.size() : image.pixels16.size()) == samples,
             "{} x {} picture of {} bits", image.width, image.height, image.bits);
  AtomicFile file(path, existing);
  Sink sink{file, nullptr, {}};
  const std::vector<png_text> list = as_png_texts(texts);
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &sink, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (info) png_set_write_fn(png, &sink, write_bytes, flush_bytes);
  const bool whole = info && encode(png, info, image, list.data(), static_cast<int>(list.size()));
  png_destroy_write_struct(&png, &info);
  if (sink.thrown) std::rethrow_exception(sink.thrown);
  if (!whole)
    fail(ErrorKind::output, "{}: PNG: {}", printable_whole(path),
         sink.message.empty() ? "out of memory" : sink.message);
  file.commit();
}

}  // namespace kiln
