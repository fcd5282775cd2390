// SPDX-License-Identifier: MIT
// What OpenEXR writes to where a file is made in memory: pictures (exr.cpp) and layers (exr_layers.cpp). Needs OpenEXR.
#pragma once

#include <OpenEXR/ImfIO.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace kiln {

/// A file in memory: OpenEXR goes back to write its table of lines, an AtomicFile only goes on.
class ExrMemory : public Imf::OStream {
 public:
  ExrMemory() : Imf::OStream("memory") {}
  void write(const char data[], int size) override {
    const std::size_t end = at_ + std::size_t(size);
    if (end > bytes.size()) bytes.resize(end);
    std::memcpy(bytes.data() + at_, data, std::size_t(size));
    at_ = end;
  }
  std::uint64_t tellp() override { return at_; }
  void seekp(std::uint64_t position) override { at_ = position; }
  std::string bytes;

 private:
  std::size_t at_ = 0;
};

}  // namespace kiln
