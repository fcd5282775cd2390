#include "engine/io/picture/exr_writer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/text.h"

#if KILN_HAS_EXR
#include <ImathBox.h>
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfStandardAttributes.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <half.h>
#endif

namespace kiln {

#if KILN_HAS_EXR
namespace {

/// A file in memory: OpenEXR goes back to write its table of lines, an AtomicFile only goes on.
class MemoryStream : public Imf::OStream {
 public:
  MemoryStream() : Imf::OStream("memory") {}
  void write(const char data[], int size) override {
    const std::size_t end = at_ + std::size_t(size);
    if (end > bytes.size()) bytes.resize(end);
    std::memcpy(bytes.data() + at_, data, std::size_t(size));
    at_ = end;
  }
  uint64_t tellp() override { return at_; }
  void seekp(uint64_t position) override { at_ = position; }
  std::string bytes;

 private:
  std::size_t at_ = 0;
};

constexpr const char* colour_channels[] = {"R", "G", "B", "A"};
constexpr const char* hits_channel = "hits.X";

std::vector<Imath::half> as_half(const std::vector<float>& values) {
  static constexpr float largest = 65504;  // beyond is infinity in half precision
  std::vector<Imath::half> halves(values.size());
  std::transform(values.begin(), values.end(), halves.begin(),
                 [](float v) { return Imath::half(std::clamp(v, -largest, largest)); });
  return halves;
}

Imf::Header header_of(const Image& rows, int height, Imf::PixelType type, const FileTexts& texts) {
  Imf::Header header(rows.width, height);
  header.compression() = Imf::ZIP_COMPRESSION;
  if (rows.dpi > 0) {  // pixels per inch across; down it is xDensity times pixelAspectRatio
    Imf::addXDensity(header, static_cast<float>(rows.dpi));
    header.pixelAspectRatio() = static_cast<float>(rows.pixel_aspect);
  }
  for (const FileText& text : texts) header.insert(text.key, Imf::StringAttribute(text.value));
  for (const char* name : colour_channels) header.channels().insert(name, Imf::Channel(type));
  header.channels().insert(hits_channel, Imf::Channel(Imf::FLOAT));
  return header;
}

/// A file whose rows come piece by piece.
class ExrStream {
 public:
  ExrStream(Imf::OStream& stream, const Image& first_rows, int height, const FileTexts& texts,
            const Saving& saving)
      : type_(saving.precision == ExrPrecision::half_float ? Imf::HALF : Imf::FLOAT),
        file_(stream, header_of(first_rows, height, type_, texts)) {}

  void add(const Image& rows) {
    const std::size_t pixels = std::size_t(rows.width) * std::size_t(rows.height);
    KILN_CHECK(rows.bits() == 32 && rows.linear().rgba.size() == 4 * pixels &&
                   rows.linear().hits.size() == pixels,
               "{} x {} picture of {} bits", rows.width, rows.height, rows.bits());
    const LinearLight& light = rows.linear();
    const bool half = type_ == Imf::HALF;
    const std::vector<Imath::half> halves = half ? as_half(light.rgba) : std::vector<Imath::half>();
    const std::size_t width = std::size_t(rows.width),
                      size = half ? sizeof(Imath::half) : sizeof(float);
    const void* const colours = half ? static_cast<const void*>(halves.data()) : light.rgba.data();
    Imf::FrameBuffer frame;
    for (std::size_t c = 0; c < 4; ++c)
      frame.insert(colour_channels[c], slice(type_, colours, c * size, 4 * size, width));
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
  MemoryStream stream;
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
