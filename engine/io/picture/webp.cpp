// SPDX-License-Identifier: MIT
#include "engine/io/picture/webp.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/picture/png_colors.h"

#if KILN_HAS_WEBP
#include <webp/decode.h>
#include <webp/encode.h>
#endif

namespace kiln {
namespace {

constexpr std::size_t head_bytes = 12, chunk_head_bytes = 8;
constexpr std::string_view own_chunk = "KILN", quality_chunk = "KLNQ", extended_chunk = "VP8X";
constexpr std::size_t most_webp_texts = 16u << 20;
constexpr unsigned flag_profile = 0x20, flag_alpha = 0x10, flag_xmp = 0x04;

std::size_t little(std::string_view bytes, std::size_t at, std::size_t count) {
  std::size_t value = 0;
  for (std::size_t i = count; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// Reads what is promised as it arrives.
std::string take_bytes(const ReadBytes& read, std::size_t count) {
  std::string bytes;
  char piece[1 << 14];
  while (bytes.size() < count) {
    const std::size_t got = read(piece, std::min(sizeof piece, count - bytes.size()));
    if (got == 0) break;
    bytes.append(piece, got);
  }
  return bytes;
}

void add_texts(std::string_view block, PictureTexts& texts) {
  for (std::size_t at = 0; at < block.size();) {
    const std::size_t end = block.find('\0', at);
    if (end == block.npos || end + 5 > block.size()) return;
    const std::size_t length = little(block, end + 1, 4);
    if (length > block.size() - end - 5) return;
    const std::string key(block.substr(at, end - at));
    if (is_kept_text(key)) texts.emplace(key, block.substr(end + 5, length));
    at = end + 5 + length;
  }
}

#if KILN_HAS_WEBP

void put_little(std::string& bytes, std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i, value >>= 8) bytes += static_cast<char>(value & 255);
}

void add_chunk(std::string& bytes, std::string_view name, std::string_view data) {
  bytes += name;
  put_little(bytes, data.size(), 4);
  bytes += data;
  if (data.size() % 2 == 1) bytes += '\0';
}

struct LibraryPicture : WebPPicture {
  LibraryPicture() {
    if (!WebPPictureInit(this)) throw std::bad_alloc();
  }
  LibraryPicture(const LibraryPicture&) = delete;
  LibraryPicture& operator=(const LibraryPicture&) = delete;
  ~LibraryPicture() { WebPPictureFree(this); }
};

int append_to_string(const std::uint8_t* data, std::size_t size, const WebPPicture* picture) {
  static_cast<std::string*>(picture->custom_ptr)->append(reinterpret_cast<const char*>(data), size);
  return 1;
}

/// The library's own file.
std::string compressed_picture(const Image& image, const Saving& saving) {
  KILN_CHECK(image.bits() == 8 && std::max(image.width, image.height) <= webp_side_max,
             "a WebP of {} x {} pixels, {} bits", image.width, image.height, image.bits());
  WebPConfig config;
  constexpr int usual_effort = 6;  // of 9; each more costs about twice the time
  if (!WebPConfigInit(&config) || !WebPConfigLosslessPreset(&config, usual_effort))
    throw std::bad_alloc();
  config.exact = 1;  // colors under alpha 0, too
  if (saving.webp_quality > 0) {
    WebPConfigInit(&config);
    config.quality = float(saving.webp_quality);
    config.use_sharp_yuv = 1;
  }
  config.thread_level = saving.threads != 1;
  LibraryPicture picture;
  picture.use_argb = 1;
  picture.width = image.width;
  picture.height = image.height;
  const std::uint8_t* const pixels = image.pixels8().data();
  const int row_bytes = image.width * 4;
  if (!(image.opaque ? WebPPictureImportRGBX(&picture, pixels, row_bytes)
                     : WebPPictureImportRGBA(&picture, pixels, row_bytes)))
    throw std::bad_alloc();
  std::string bytes;
  picture.writer = append_to_string;
  picture.custom_ptr = &bytes;
  if (!WebPEncode(&config, &picture)) {
    if (picture.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
    fail(ErrorKind::device, "a WebP could not be made: libwebp's error {}",
         int(picture.error_code));
  }
  return bytes;
}

std::string own_texts(const FileTexts& texts) {
  std::string block;
  for (const FileText& text : texts) {
    block += text.key + '\0';
    put_little(block, text.value.size(), 4);
    block += text.value;
  }
  return block;
}
#endif

}  // namespace

int webp_quality_of(const std::string& path) {
  const std::string start = InputFile(path).read_all(ImageLimits().bytes);
  if (!start.starts_with(webp_signature)) return 0;
  for (std::size_t at = head_bytes; at + chunk_head_bytes < start.size();) {
    const std::size_t size = little(start, at + 4, 4);
    if (start.compare(at, 4, quality_chunk) == 0)
      return std::clamp(int(little(start, at + chunk_head_bytes, 1)), 0, 100);
    at += chunk_head_bytes + size + size % 2;
  }
  return 0;
}

PictureFileTexts read_webp_texts(const ReadBytes& rest, const std::string& name) {
  const auto refuse = [&](const char* what) {
    fail(ErrorKind::input, "{}: the WebP file {}", printable(name, 240), what);
  };
  PictureFileTexts found;
  const std::string head = take_bytes(rest, head_bytes - webp_signature.size());
  if (head.size() < 8 || head.substr(4) != "WEBP") refuse("is none; it is another RIFF file");
  bool lossless = false, lossy = false;
  for (std::size_t left = little(head, 0, 4) - std::min<std::size_t>(4, little(head, 0, 4));
       left >= chunk_head_bytes;) {
    const std::string chunk = take_bytes(rest, chunk_head_bytes);
    if (chunk.size() < chunk_head_bytes) refuse("is cut off; get an undamaged copy");
    const std::size_t size = little(chunk, 4, 4), padded = size + size % 2;
    const bool is_own = chunk.starts_with(own_chunk);
    if (is_own && size > most_webp_texts) refuse("has more than 16 MB of text");
    if (padded > left - chunk_head_bytes) refuse("is damaged: a chunk is longer than the file");
    std::size_t passed = 0;
    if (is_own) {
      const std::string block = take_bytes(rest, padded);
      passed = block.size();
      add_texts(std::string_view(block).substr(0, size), found.texts);
    }
    while (passed < padded) {
      const std::size_t more =
          take_bytes(rest, std::min<std::size_t>(padded - passed, 1 << 20)).size();
      if (more == 0) break;
      passed += more;
    }
    if (passed < padded) refuse("is cut off; get an undamaged copy");
    lossless |= chunk.starts_with("VP8L");
    lossy |= chunk.starts_with("VP8 ");
    left -= chunk_head_bytes + padded;
  }
  if (!lossless && !lossy) refuse("holds no still");
  found.holds_pixels = lossless;
  found.ends_there = take_bytes(rest, 1).empty();
  return found;
}

#if KILN_HAS_WEBP

bool webp_supported() { return true; }

std::string webp_bytes(const Image& image, const FileTexts& texts, const Saving& saving) {
  const std::string made = compressed_picture(image, saving);
  const std::string xmp = xmp_of(texts);
  std::string extended, all("RIFF\0\0\0\0WEBP", head_bytes);
  put_little(extended,
             flag_profile | (image.opaque ? 0 : flag_alpha) | (xmp.empty() ? 0 : flag_xmp), 4);
  put_little(extended, std::uint64_t(image.width - 1), 3);
  put_little(extended, std::uint64_t(image.height - 1), 3);
  add_chunk(all, extended_chunk, extended);
  add_chunk(all, "ICCP", srgb_profile());
  add_chunk(all, quality_chunk, std::string(1, static_cast<char>(saving.webp_quality)));
  if (!texts.empty()) add_chunk(all, own_chunk, own_texts(texts));
  std::size_t first = head_bytes;
  if (made.substr(first, 4) == extended_chunk) first += chunk_head_bytes + extended.size();
  all += made.substr(first);
  if (!xmp.empty()) add_chunk(all, "XMP ", xmp);
  std::string size;
  if (all.size() > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::output, "a WebP holds 4 GB, and this picture has more; name it .png");
  put_little(size, all.size() - 8, 4);
  return all.replace(4, 4, size);
}

Image read_webp(const std::string& path, const ImageLimits& limits) {
  const std::string shown = printable_whole(path);
  const std::string bytes =
      InputFile(path, limits.opens).read_all(limits.bytes, {}, "raise the limit with --max-memory");
  const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  WebPBitstreamFeatures form;
  if (WebPGetFeatures(data, bytes.size(), &form) != VP8_STATUS_OK)
    fail(ErrorKind::input, "{}: not a WebP file, or a damaged one", shown);
  if (form.has_animation) fail(ErrorKind::input, "{}: is a film; a still is wanted", shown);
  check_limits(shown, std::uint64_t(form.width), std::uint64_t(form.height), 4, limits);
  Image image;
  image.width = form.width;
  image.height = form.height;
  image.opaque = !form.has_alpha;
  Bytes& pixels =
      image.pixels.emplace<Bytes>(std::size_t(form.width) * std::size_t(form.height) * 4);
  if (!WebPDecodeRGBAInto(data, bytes.size(), pixels.data(), pixels.size(), form.width * 4))
    fail(ErrorKind::input, "{}: damaged WebP; get an undamaged copy", shown);
  return image;
}

std::unique_ptr<PictureRows> webp_rows(const std::string& path, const Image& first_rows, int height,
                                       const FileTexts& texts, const Saving& saving) {
  return kept_rows(first_rows, height, texts,
                   [path, saving](const Image& whole, const FileTexts& all) {
                     write_webp(path, whole, all, saving);
                   });
}

#else

bool webp_supported() { return false; }

std::string webp_bytes(const Image&, const FileTexts&, const Saving&) {
  fail(ErrorKind::usage, "this kiln was built without WebP; name the picture .png");
}

Image read_webp(const std::string& path, const ImageLimits&) {
  fail(ErrorKind::usage, "{}: this kiln was built without WebP; take PNG files",
       printable_whole(path));
}

std::unique_ptr<PictureRows> webp_rows(const std::string&, const Image&, int,
                                       const FileTexts& texts, const Saving&) {
  webp_bytes({}, texts);
  return nullptr;
}

#endif

void write_webp(const std::string& path, const Image& image, const FileTexts& texts,
                const Saving& saving) {
  const std::string bytes = webp_bytes(image, texts, saving);
  AtomicFile file(path, saving.existing);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

}  // namespace kiln
