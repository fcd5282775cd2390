#include "engine/io/picture/exr_reader.h"

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/picture/exr_header.h"
#include "engine/io/file/input_file.h"

#if KILN_HAS_EXR
#include <ImathBox.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfInputFile.h>
#endif

namespace kiln {

#if KILN_HAS_EXR
namespace {

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

/// Where the library puts the channels: the four of the picture, grey as red for now, and the hits.
Imf::FrameBuffer frame_for(Image& image, const ExrHeader& header, const Imath::Box2i& window) {
  Imf::FrameBuffer frame;
  const auto add = [&](const char* channel, float* to, std::size_t stride) {
    const std::size_t step = stride * sizeof(float);
    if (header.has(channel))
      frame.insert(channel, Imf::Slice::Make(Imf::FLOAT, to, window, step,
                                             step * std::size_t(header.width)));
  };
  float* const colours = image.linear().rgba.data();
  if (header.has("R")) {
    add("R", colours, 4);
    add("G", colours + 1, 4);
    add("B", colours + 2, 4);
  } else {
    add("Y", colours, 4);
  }
  add("A", colours + 3, 4);
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

}  // namespace kiln
