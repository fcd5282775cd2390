// SPDX-License-Identifier: MIT
#include "engine/io/picture/exr_layers.h"

#include "engine/base/error.h"
#include "engine/base/text.h"

#if KILN_HAS_EXR
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfMultiPartOutputFile.h>
#include <OpenEXR/ImfOutputPart.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfStringAttribute.h>

#include "engine/io/picture/exr_stream.h"
#endif

namespace kiln {

#if KILN_HAS_EXR
namespace {

Imf::Header part_header(const std::string& name, int width, int height) {
  Imf::Header header(width, height);
  header.setName(name);
  header.setType(Imf::SCANLINEIMAGE);
  header.compression() = Imf::ZIP_COMPRESSION;
  return header;
}

Imf::Slice float_slice(const float* values, std::size_t step, int width) {
  return {Imf::FLOAT, reinterpret_cast<char*>(const_cast<float*>(values)), step * sizeof(float),
          step * sizeof(float) * std::size_t(width)};
}

}  // namespace

void write_exr_layers(const std::string& path, int width, int height,
                      const std::vector<ExrChannelValues>& channels,
                      const std::vector<ExrPart>& parts, const FileTexts& texts) {
  constexpr const char* colors[] = {"R", "G", "B", "A"};
  ExrMemory stream;
  try {
    std::vector<Imf::Header> headers{part_header("data", width, height)};
    for (const FileText& text : texts)
      headers[0].insert(text.key, Imf::StringAttribute(text.value));
    for (const ExrChannelValues& channel : channels)
      headers[0].channels().insert(channel.name, Imf::Channel(Imf::FLOAT));
    for (const ExrPart& part : parts) {
      headers.push_back(part_header(part.name, width, height));
      for (const char* color : colors)
        headers.back().channels().insert(color, Imf::Channel(Imf::FLOAT));
    }
    Imf::MultiPartOutputFile file(stream, headers.data(), int(headers.size()));
    Imf::FrameBuffer data;
    for (const ExrChannelValues& channel : channels)
      data.insert(channel.name, float_slice(channel.values, 1, width));
    Imf::OutputPart first(file, 0);
    first.setFrameBuffer(data);
    first.writePixels(height);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      Imf::FrameBuffer frame;
      for (std::size_t c = 0; c < 4; ++c)
        frame.insert(colors[c], float_slice(parts[p].light->linear().rgba.data() + c, 4, width));
      Imf::OutputPart part(file, int(p) + 1);
      part.setFrameBuffer(frame);
      part.writePixels(height);
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    fail(ErrorKind::output, "{}: OpenEXR: {}", printable_whole(path), error.what());
  }
  AtomicFile file(path);
  file.write(stream.bytes.data(), stream.bytes.size());
  file.commit();
}

#else

void write_exr_layers(const std::string& path, int, int, const std::vector<ExrChannelValues>&,
                      const std::vector<ExrPart>&, const FileTexts&) {
  fail(ErrorKind::usage, "{}: this kiln was built without OpenEXR, which layers are files of",
       printable_whole(path));
}

#endif

}  // namespace kiln
