#include "engine/io/exr_writer.h"

#include <algorithm>
#include <cstring>

#include "engine/base/error.h"
#include "engine/base/text.h"

#if KILN_HAS_EXR
#include <ImathBox.h>
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfOutputFile.h>
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

void write_to(Imf::OStream& stream, const Image& image, ExrPrecision precision,
              const std::vector<PngText>& texts) {
  const bool half = precision == ExrPrecision::half_float;
  Imf::Header header(image.width, image.height);
  header.compression() = Imf::ZIP_COMPRESSION;
  for (const PngText& text : texts) header.insert(text.key, Imf::StringAttribute(text.value));
  const Imf::PixelType type = half ? Imf::HALF : Imf::FLOAT;
  for (const char* name : colour_channels) header.channels().insert(name, Imf::Channel(type));
  header.channels().insert(hits_channel, Imf::Channel(Imf::FLOAT));

  // OpenEXR only reads what its frame buffer points to
  const LinearLight& light = image.linear();
  const std::vector<Imath::half> halves = half ? as_half(light.rgba) : std::vector<Imath::half>();
  const auto bytes_of = [](const void* data) {
    return const_cast<char*>(static_cast<const char*>(data));
  };
  const std::size_t size = half ? sizeof(Imath::half) : sizeof(float);
  char* const colours = half ? bytes_of(halves.data()) : bytes_of(light.rgba.data());
  const std::size_t width = std::size_t(image.width);
  Imf::FrameBuffer frame;
  for (std::size_t c = 0; c < 4; ++c)
    frame.insert(colour_channels[c],
                 Imf::Slice(type, colours + c * size, 4 * size, 4 * size * width));
  frame.insert(hits_channel, Imf::Slice(Imf::FLOAT, bytes_of(light.hits.data()), sizeof(float),
                                        sizeof(float) * width));
  Imf::OutputFile file(stream, header);
  file.setFrameBuffer(frame);
  file.writePixels(image.height);
}

}  // namespace

bool exr_supported() { return true; }

std::string exr_bytes(const Image& image, ExrPrecision precision,
                      const std::vector<PngText>& texts) {
  const std::size_t pixels = std::size_t(image.width) * std::size_t(image.height);
  KILN_CHECK(image.bits() == 32 && image.linear().rgba.size() == 4 * pixels &&
                 image.linear().hits.size() == pixels,
             "{} x {} picture of {} bits", image.width, image.height, image.bits());
  MemoryStream stream;
  try {
    write_to(stream, image, precision, texts);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    fail(ErrorKind::output, "OpenEXR: {}", error.what());
  }
  return std::move(stream.bytes);
}

#else

bool exr_supported() { return false; }

std::string exr_bytes(const Image&, ExrPrecision, const std::vector<PngText>&) {
  fail(ErrorKind::usage, "this kiln was built without OpenEXR; name the picture .png");
}

#endif

void write_exr(const std::string& path, const Image& image, ExrPrecision precision,
               const std::vector<PngText>& texts, AtomicFile::Existing existing) {
  std::string bytes;
  try {
    bytes = exr_bytes(image, precision, texts);
  } catch (const Error& error) {
    fail(error.kind, "{}: {}", printable_whole(path), error.what());
  }
  AtomicFile file(path, existing);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

}  // namespace kiln
