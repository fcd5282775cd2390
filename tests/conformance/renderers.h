// SPDX-License-Identifier: MIT
/// The two renderers under comparison, each a program that turns a flame file and a seed into a
/// PNG.
#pragma once
#include <string>
#include <vector>

#include "tests/conformance/flames.h"
#include "tests/conformance/picture.h"

namespace conformance {

/// Something that renders a flame; throws std::runtime_error with the program's words when it
/// cannot.
class Renderer {
 public:
  virtual ~Renderer() = default;
  virtual Picture render(const std::string& xml, const Options& options, int seed) const = 0;
};

/// flam3-render, or flam3-animate for a frame: 64-bit buffers, 16-bit pictures, one thread, so that
/// a seed is a picture.
class Flam3 : public Renderer {
 public:
  std::string work_folder;   // for flames and pictures in passing
  std::string cache_folder;  // pictures by content, kept between runs; empty: none
  int sub_batch_size = 0;    // 0: the scene's
  double limit_seconds = 120;

  Picture render(const std::string& xml, const Options& options, int seed) const override;
};

/// kiln on the CPU.
class Kiln : public Renderer {
 public:
  std::string program;
  std::string work_folder;
  bool flam3_quirks = false;  // --compat flam3
  double limit_seconds = 120;

  Picture render(const std::string& xml, const Options& options, int seed) const override;
};

/// Writes a file.
void write_text(const std::string& path, const std::string& text);

/// Bad values per sample as flam3 counted them.
double error_rate(const Picture& picture);

}  // namespace conformance
