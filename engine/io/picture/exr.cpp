// SPDX-License-Identifier: MIT
#include "engine/io/picture/exr.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/input_file.h"

#if KILN_HAS_EXR
#include <ImathBox.h>
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfStandardAttributes.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <half.h>

#include "engine/io/picture/exr_stream.h"
#endif

namespace kiln {
namespace {

constexpr std::size_t exr_name_bytes = 255;            // the format's own limit
constexpr std::size_t max_attribute_bytes = 16 << 20;  // as of a text in a PNG
constexpr std::size_t max_header_bytes = 64 << 20;
constexpr int max_attributes = 4096;
constexpr std::size_t max_channels = 4096;
constexpr std::uint32_t known_version = 2;
constexpr std::uint32_t tiled = 0x200, deep = 0x800, several_parts = 0x1000;

std::uint32_t little_endian(const char* bytes) {
  const auto byte = [&](int i) { return std::uint32_t(static_cast<unsigned char>(bytes[i])); };
  return byte(3) << 24 | byte(2) << 16 | byte(1) << 8 | byte(0);
}

class ExrReader {
 public:
  ExrReader(const ReadBytes& read, const std::string& name)
      : read_(read), name_(printable(name, 240)) {}

  ExrHeader header() {
    ExrHeader header;
    const std::uint32_t version = number();
    if ((version & 0xff) != known_version) refuse("is of an OpenEXR version that kiln cannot read");
    header.is_flat_scanlines = !(version & (tiled | deep | several_parts));
    int count = 0;
    for (std::string key = word(); !key.empty(); key = word()) {
      if (++count > max_attributes) refuse("has more than {} attributes", max_attributes);
      const std::string type = word();
      const std::uint32_t size = number();
      if (size > max_attribute_bytes) refuse("has an attribute larger than 16 MB");
      take(key, type, bytes(size), header);
    }
    if (header.width < 1 || header.height < 1) refuse("is damaged: it has no data window");
    return header;
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail(ErrorKind::input, "{}: the OpenEXR file {}", name_,
         fmt::format(format, std::forward<Args>(args)...));
  }

  void fill(char* buffer, std::size_t count) {
    if ((read_bytes_ += count) > max_header_bytes) refuse("has a header larger than 64 MB");
    if (read_(buffer, count) != count) refuse("is cut off; get an undamaged copy");
  }

  std::string bytes(std::size_t count) {  // grows with what arrives, not with what is promised
    std::string all;
    std::array<char, 1 << 14> piece;
    while (all.size() < count) {
      const std::size_t part = std::min(count - all.size(), piece.size());
      fill(piece.data(), part);
      all.append(piece.data(), part);
    }
    return all;
  }

  std::uint32_t number() {
    std::array<char, 4> raw;
    fill(raw.data(), raw.size());
    return little_endian(raw.data());
  }

  std::string word() {
    std::string text;
    for (char c = 0;; text += c) {
      fill(&c, 1);
      if (c == '\0') return text;
      if (text.size() >= exr_name_bytes) refuse("is damaged: an attribute has no name");
    }
  }

  void take(const std::string& key, const std::string& type, std::string value,
            ExrHeader& header) const {
    if (type == "string") {
      header.texts.emplace(key, std::move(value));
    } else if (key == "dataWindow" && type == "box2i") {
      read_window(value, header);
    } else if (key == "channels" && type == "chlist") {
      read_channels(value, header);
    } else if (key == "compression" && type == "compression" && value.size() == 1) {
      header.compression = value[0];
    } else if (key == "chromaticities" && type == "chromaticities" && value.size() == 32) {
      read_chromaticities(value, header);
    }
  }

  void read_window(std::string_view value, ExrHeader& header) const {
    if (value.size() != 16) refuse("is damaged: its data window has {} bytes", value.size());
    const auto corner = [&](int i) {
      return std::int64_t(std::int32_t(little_endian(value.data() + 4 * i)));
    };
    const std::int64_t width = corner(2) - corner(0) + 1, height = corner(3) - corner(1) + 1;
    constexpr std::int64_t largest = 0x7fffffff;
    if (width < 1 || height < 1 || width > largest || height > largest)
      refuse("is damaged: its size is {} x {}", width, height);
    header.left = int(corner(0));
    header.top = int(corner(1));
    header.width = int(width);
    header.height = int(height);
  }

  /// Reads chromaticities of which colors can be made: numbers in range, y not 0; drops others.
  static void read_chromaticities(std::string_view value, ExrHeader& header) {
    Chromaticities all{};
    for (std::size_t i = 0; i < 8; ++i) {
      const auto number = std::bit_cast<float>(little_endian(value.data() + 4 * i));
      if (!(number >= (i % 2 ? 1e-3f : -1.0f) && number <= 2)) return;
      all[i / 2][i % 2] = double(number);
    }
    header.chromaticities = all;
  }

  // name 0, type, linear and three unused bytes, sampling across and down; an empty name ends them
  void read_channels(std::string_view value, ExrHeader& header) const {
    header.channels.clear();
    constexpr std::size_t numbers_bytes = 16;
    while (true) {
      const std::size_t end = value.find('\0');
      if (end == value.npos) refuse("is damaged: its list of channels has no end");
      if (end == 0) return;
      if (end > exr_name_bytes || value.size() < end + 1 + numbers_bytes ||
          header.channels.size() >= max_channels)
        refuse("is damaged: this is no list of channels");
      const char* numbers = value.data() + end + 1;
      header.channels.push_back({std::string(value.substr(0, end)), int(little_endian(numbers)),
                                 int(little_endian(numbers + 8)),
                                 int(little_endian(numbers + 12))});
      value.remove_prefix(end + 1 + numbers_bytes);
    }
  }

  const ReadBytes& read_;
  std::string name_;
  std::size_t read_bytes_ = 0;
};

}  // namespace

bool ExrHeader::has(std::string_view channel) const {
  return std::any_of(channels.begin(), channels.end(),
                     [&](const ExrChannel& c) { return c.name == channel; });
}

bool ExrHeader::is_single_float() const {
  constexpr int single = 2;
  return std::any_of(channels.begin(), channels.end(),
                     [](const ExrChannel& c) { return c.name == "R" && c.type == single; });
}

namespace {

/// Files keep them as floats.
bool are_same(const Chromaticities& a, const Chromaticities& b) {
  constexpr double rounding = 1e-6;
  for (std::size_t i = 0; i < 8; ++i)
    if (std::fabs(a[i / 2][i % 2] - b[i / 2][i % 2]) > rounding) return false;
  return true;
}

}  // namespace

ExrForm ExrHeader::form() const {
  ExrForm form;
  if (is_single_float()) form.precision = ExrPrecision::single_float;
  if (compression >= 0 && compression < int(exr_compressions.size()))
    form.compression = ExrCompression(compression);
  for (std::size_t i = 0; chromaticities && i < primaries_names.size(); ++i)
    if (are_same(*chromaticities, chromaticities_of(Primaries(i)))) form.primaries = Primaries(i);
  return form;
}

ExrHeader read_exr_header(const ReadBytes& read, const std::string& name) {
  return ExrReader(read, name).header();
}

#if KILN_HAS_EXR
namespace {

/// Multiplies the colors of [count] pixels of four floats by a matrix.
void change_colors(const ColorMatrix& m, float* rgba, std::size_t count) {
  for (float* p = rgba; p < rgba + 4 * count; p += 4) {
    const double r = p[0], g = p[1], b = p[2];
    for (std::size_t c = 0; c < 3; ++c) p[c] = float(m[c][0] * r + m[c][1] * g + m[c][2] * b);
  }
}

constexpr const char* hits_channel = "hits.X";
constexpr std::size_t bytes_a_pixel = 5 * sizeof(float);

/// The header as kiln's own reader sees it: the library reads only files that it accepts.
ExrHeader checked_header(const std::string& path, const ImageLimits& limits) {
  const std::string shown = printable_whole(path);
  InputFile file(path, limits.opens);
  std::array<char, exr_signature.size()> start{};
  if (file.read(start.data(), start.size()) != start.size() ||
      std::string_view(start.data(), start.size()) != exr_signature)
    fail(ErrorKind::input, "{}: not an OpenEXR file", shown);
  const ExrHeader header = read_exr_header(
      [&](char* buffer, std::size_t count) { return file.read(buffer, count); }, path);
  const auto refuse = [&](const char* what) {
    fail(ErrorKind::input, "{}: the OpenEXR file {}; save it as one part of scan lines with R G B",
         shown, what);
  };
  if (!header.is_flat_scanlines) refuse("has tiles, deep data or several parts");
  if (!header.has("Y") && !(header.has("R") && header.has("G") && header.has("B")))
    refuse("has neither R G B nor Y");
  for (const ExrChannel& channel : header.channels)
    if (channel.x_sampling != 1 || channel.y_sampling != 1) refuse("has subsampled channels");
  check_limits(shown, std::uint64_t(header.width), std::uint64_t(header.height), bytes_a_pixel,
               limits);
  return header;
}

/// The places of the library's channels: the picture's four, gray as red for now, and the hits.
Imf::FrameBuffer frame_for(Image& image, const ExrHeader& header, const Imath::Box2i& window) {
  Imf::FrameBuffer frame;
  const auto add = [&](const char* channel, float* to, std::size_t stride) {
    const std::size_t step = stride * sizeof(float);
    if (header.has(channel))
      frame.insert(channel, Imf::Slice::Make(Imf::FLOAT, to, window, step,
                                             step * std::size_t(header.width)));
  };
  float* const colors = image.linear().rgba.data();
  if (header.has("R")) {
    add("R", colors, 4);
    add("G", colors + 1, 4);
    add("B", colors + 2, 4);
  } else {
    add("Y", colors, 4);
  }
  add("A", colors + 3, 4);
  add(hits_channel, image.linear().hits.data(), 1);
  return frame;
}

Image read_pixels(const std::string& path, const ExrHeader& header) {
  Imf::InputFile file(path.c_str(), 0);
  const Imath::Box2i window = file.header().dataWindow();
  KILN_CHECK(window.min.x == header.left && window.min.y == header.top &&
                 window.max.x - window.min.x + 1 == header.width &&
                 window.max.y - window.min.y + 1 == header.height,
             "{} x {} pixels", header.width, header.height);
  Image image;
  image.width = header.width;
  image.height = header.height;
  LinearLight& light = image.pixels.emplace<LinearLight>();
  const std::size_t pixels = std::size_t(image.width) * std::size_t(image.height);
  light.rgba.assign(4 * pixels, 1.0f);
  if (header.has(hits_channel)) light.hits.resize(pixels);
  file.setFrameBuffer(frame_for(image, header, window));
  file.readPixels(window.min.y, window.max.y);
  if (!header.has("R")) {
    for (float* pixel = light.rgba.data(); pixel < light.rgba.data() + 4 * pixels; pixel += 4)
      pixel[1] = pixel[2] = pixel[0];
  }
  const Chromaticities& ours = chromaticities_of(Primaries::rec709);
  if (header.chromaticities && !are_same(*header.chromaticities, ours))
    change_colors(color_matrix(*header.chromaticities, ours), light.rgba.data(), pixels);
  return image;
}

}  // namespace

Image read_exr(const std::string& path, const ImageLimits& limits) {
  const ExrHeader header = checked_header(path, limits);
  try {
    return read_pixels(path, header);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    fail(ErrorKind::input, "{}: damaged OpenEXR file: {}", printable_whole(path), error.what());
  }
}

#else

Image read_exr(const std::string& path, const ImageLimits&) {
  fail(ErrorKind::usage, "{}: this kiln was built without OpenEXR; compare PNG files",
       printable_whole(path));
}

#endif

#if KILN_HAS_EXR
namespace {

constexpr const char* color_channels[] = {"R", "G", "B", "A"};

std::vector<Imath::half> as_half(const std::vector<float>& values) {
  static constexpr float largest = 65504;  // beyond is infinity in half precision
  std::vector<Imath::half> halves(values.size());
  std::transform(values.begin(), values.end(), halves.begin(),
                 [](float v) { return Imath::half(std::clamp(v, -largest, largest)); });
  return halves;
}

Imf::Chromaticities in_library(const Chromaticities& all) {
  const auto point = [&](std::size_t i) { return Imath::V2f(float(all[i][0]), float(all[i][1])); };
  return Imf::Chromaticities(point(0), point(1), point(2), point(3));
}

/// The standard attributes, which other programs show: the owner, and what else there is to say.
void add_credits(Imf::Header& header, const FileTexts& texts) {
  std::string owner, comments;
  for (const FileText& text : texts) {
    if (text.key == "Copyright" || (text.key == "Author" && owner.empty())) owner = text.value;
    if (text.key == "Title" || text.key == "Author" || text.key == "Source")
      comments += (comments.empty() ? "" : "; ") + text.key + ": " + text.value;
  }
  if (!owner.empty()) Imf::addOwner(header, owner);
  if (!comments.empty()) Imf::addComments(header, comments);
}

Imf::Header header_of(const Image& rows, int height, Imf::PixelType type, const FileTexts& texts,
                      const ExrForm& form) {
  Imf::Header header(rows.width, height);
  header.compression() = Imf::Compression(form.compression);
  Imf::addChromaticities(header, in_library(chromaticities_of(form.primaries)));
  Imf::addWhiteLuminance(header, float(white_luminance));
  add_credits(header, texts);
  if (rows.dpi > 0) {  // pixels per inch across; down it is xDensity times pixelAspectRatio
    Imf::addXDensity(header, static_cast<float>(rows.dpi));
    header.pixelAspectRatio() = static_cast<float>(rows.pixel_aspect);
  }
  for (const FileText& text : texts) header.insert(text.key, Imf::StringAttribute(text.value));
  for (const char* name : color_channels) header.channels().insert(name, Imf::Channel(type));
  header.channels().insert(hits_channel, Imf::Channel(Imf::FLOAT));
  return header;
}

/// A file whose rows come piece by piece.
class ExrStream {
 public:
  ExrStream(Imf::OStream& stream, const Image& first_rows, int height, const FileTexts& texts,
            const Saving& saving)
      : type_(saving.exr.precision == ExrPrecision::half_float ? Imf::HALF : Imf::FLOAT),
        is_other_(saving.exr.primaries != Primaries::rec709),
        matrix_(color_matrix(chromaticities_of(Primaries::rec709),
                             chromaticities_of(saving.exr.primaries))),
        file_(stream, header_of(first_rows, height, type_, texts, saving.exr)) {}

  void add(const Image& rows) {
    const std::size_t pixels = std::size_t(rows.width) * std::size_t(rows.height);
    KILN_CHECK(rows.bits() == 32 && rows.linear().rgba.size() == 4 * pixels &&
                   rows.linear().hits.size() == pixels,
               "{} x {} picture of {} bits", rows.width, rows.height, rows.bits());
    const LinearLight& light = rows.linear();
    const bool half = type_ == Imf::HALF;
    std::vector<float> changed;
    if (is_other_) change_colors(matrix_, (changed = light.rgba).data(), pixels);
    const std::vector<float>& rgba = is_other_ ? changed : light.rgba;
    const std::vector<Imath::half> halves = half ? as_half(rgba) : std::vector<Imath::half>();
    const std::size_t width = std::size_t(rows.width),
                      size = half ? sizeof(Imath::half) : sizeof(float);
    const void* const colors = half ? static_cast<const void*>(halves.data()) : rgba.data();
    Imf::FrameBuffer frame;
    for (std::size_t c = 0; c < 4; ++c)
      frame.insert(color_channels[c], slice(type_, colors, c * size, 4 * size, width));
    frame.insert(hits_channel, slice(Imf::FLOAT, light.hits.data(), 0, sizeof(float), width));
    file_.setFrameBuffer(frame);
    file_.writePixels(rows.height);
  }

 private:
  /// Values of the rows that come next. OpenEXR counts from the picture's first row, and only reads
  /// what its frame buffer points to.
  Imf::Slice slice(Imf::PixelType type, const void* values, std::size_t offset,
                   std::size_t pixel_bytes, std::size_t width) const {
    const std::size_t row_bytes = pixel_bytes * width;
    const std::uintptr_t base = reinterpret_cast<std::uintptr_t>(values) + offset -
                                std::size_t(file_.currentScanLine()) * row_bytes;
    return {type, reinterpret_cast<char*>(base), pixel_bytes, row_bytes};
  }

  const Imf::PixelType type_;
  const bool is_other_;  // than the light's own primaries
  const ColorMatrix matrix_;
  Imf::OutputFile file_;
};

/// An AtomicFile that OpenEXR goes back in to write its table of lines.
class FileStream : public Imf::OStream {
 public:
  explicit FileStream(AtomicFile& file) : Imf::OStream("file"), file_(file) {}
  void write(const char data[], int size) override {
    if (at_ == end_) {
      file_.write(data, std::size_t(size));
      if (keeps_head) head.append(data, std::size_t(size));
      end_ += std::size_t(size);
    } else {
      file_.write_again(at_, data, std::size_t(size));
    }
    at_ += std::size_t(size);
  }
  uint64_t tellp() override { return at_; }
  void seekp(uint64_t position) override { at_ = position; }
  std::string head;  // what was written while it is kept
  bool keeps_head = true;

 private:
  AtomicFile& file_;
  std::size_t at_ = 0, end_ = 0;
};

/// OpenEXR's exceptions as ours.
template <class Body>
void guarded(const std::string& path, Body&& body) {
  try {
    body();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    fail(ErrorKind::output, "{}OpenEXR: {}", path, error.what());
  }
}

class ExrRows : public PictureRows {
 public:
  ExrRows(const std::string& path, const Image& first_rows, int height, const FileTexts& texts,
          const Saving& saving)
      : path_(printable_whole(path) + ": "), file_(path, saving.existing), stream_(file_) {
    guarded(path_, [&] { exr_.emplace(stream_, first_rows, height, texts, saving); });
    last_text_at_ = stream_.head.find(texts.back().value);
    last_text_bytes_ = texts.back().value.size();
    KILN_CHECK(last_text_at_ != std::string::npos, "no text in {} bytes", stream_.head.size());
    stream_.keeps_head = false;
  }
  void add(const Image& rows) override {
    guarded(path_, [&] { exr_->add(rows); });
  }
  void finish(const std::string& last_text) override {
    KILN_CHECK(last_text.size() == last_text_bytes_, "{} bytes of text in the place of {}",
               last_text.size(), last_text_bytes_);
    guarded(path_, [&] { exr_.reset(); });
    file_.write_again(last_text_at_, last_text.data(), last_text.size());
    file_.commit();
  }

 private:
  const std::string path_;
  AtomicFile file_;
  FileStream stream_;
  std::optional<ExrStream> exr_;
  std::size_t last_text_at_ = 0, last_text_bytes_ = 0;
};

}  // namespace

bool exr_supported() { return true; }

std::string exr_bytes(const Image& image, const FileTexts& texts, const Saving& saving) {
  ExrMemory stream;
  guarded("", [&] { ExrStream(stream, image, image.height, texts, saving).add(image); });
  return std::move(stream.bytes);
}

std::unique_ptr<PictureRows> exr_rows(const std::string& path, const Image& first_rows, int height,
                                      const FileTexts& texts, const Saving& saving) {
  return std::make_unique<ExrRows>(path, first_rows, height, texts, saving);
}

#else

bool exr_supported() { return false; }

std::string exr_bytes(const Image&, const FileTexts&, const Saving&) {
  fail(ErrorKind::usage, "this kiln was built without OpenEXR; name the picture .png");
}

std::unique_ptr<PictureRows> exr_rows(const std::string&, const Image&, int, const FileTexts& texts,
                                      const Saving&) {
  exr_bytes({}, texts);
  return nullptr;
}

#endif

void write_exr(const std::string& path, const Image& image, const FileTexts& texts,
               const Saving& saving) {
  std::string bytes;
  try {
    bytes = exr_bytes(image, texts, saving);
  } catch (const Error& error) {
    fail(error.kind, "{}: {}", printable_whole(path), error.what());
  }
  AtomicFile file(path, saving.existing);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

}  // namespace kiln
