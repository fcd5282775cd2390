// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "engine/api/kiln/render_options.h"
#include "engine/api/kiln_fft.h"
#include "engine/fft/transform.h"

namespace kiln::fft {
namespace {

static_assert(sizeof(Complex) == sizeof(kiln::Complex) && sizeof(Vec4) == 4 * sizeof(float));

const kiln::Complex* points(const Complex* at) {
  return reinterpret_cast<const kiln::Complex*>(at);
}
kiln::Complex* points(Complex* at) { return reinterpret_cast<kiln::Complex*>(at); }

void check_length(std::int64_t length, const char* what) {
  if (is_length(length)) return;
  throw std::invalid_argument(
      fmt::format("{} {} is not 2^a 3^b 5^c from 1 to 2^24; the next such length is {}", what,
                  length, next_length(std::clamp<std::int64_t>(length, 1, std::int64_t(1) << 24))));
}
void check_count(std::int64_t count, const char* what, std::int64_t most) {
  if (count < 1 || count > most)
    throw std::invalid_argument(fmt::format("{} {} is not 1 to {}", what, count, most));
}
/// Checks a count of lines, which the transforms number with 32 bits.
void check_lines(std::int64_t lines, const char* what) {
  check_count(lines, what, std::int64_t(1) << 30);
}

}  // namespace

bool is_length(std::int64_t points) {
  return points >= 1 && points <= std::int64_t(1) << 24 && is_fft_length(points);
}

std::int64_t next_length(std::int64_t points) {
  check_count(points, "a length of", std::int64_t(1) << 24);
  while (!is_length(points)) ++points;
  return points;
}

struct Processor::Impl {
  std::unique_ptr<Device> device;
};

Processor::Processor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Processor::Processor(Processor&&) noexcept = default;
Processor& Processor::operator=(Processor&&) noexcept = default;
Processor::~Processor() = default;

Processor Processor::cpu(int threads) {
  check_count(std::int64_t(threads) + 1, "a number of threads of", 1025);
  RenderOptions options;
  options.backend = Backend::cpu;
  options.threads = threads;
  return Processor(std::unique_ptr<Impl>(new Impl{open_device(options)}));
}
Processor Processor::cuda(int index) {
  check_count(std::int64_t(index) + 1, "a device of", 1024);
  RenderOptions options;
  options.backend = Backend::cuda;
  options.device = index;
  return Processor(std::unique_ptr<Impl>(new Impl{open_device(options)}));
}

std::string Processor::name() const { return impl_->device->describe(); }
// The program may have made another GPU that of the thread meanwhile, by a CUDA runtime of its own.
void* Processor::allocate(std::size_t bytes) {
  impl_->device->use();
  return impl_->device->allocate(bytes);
}
void Processor::release(void* memory) { impl_->device->release(memory); }
void Processor::upload(void* to, const void* from_host, std::size_t bytes) {
  impl_->device->use();
  impl_->device->upload(to, from_host, bytes);
}
void Processor::download(void* to_host, const void* from, std::size_t bytes) {
  impl_->device->use();
  impl_->device->download(to_host, from, bytes);
}
void Processor::wait() { impl_->device->wait(); }

struct Lines::Impl {
  Fft fft;
};
Lines::Lines(Processor& processor, std::int64_t points, int lines) {
  check_length(points, "a line of");
  check_lines(lines, "a number of lines of");
  impl_.reset(new Impl{Fft(*processor.impl().device, points, lines)});
}
Lines::Lines(Lines&&) noexcept = default;
Lines::~Lines() = default;
void Lines::forward(const Complex* in, Complex* out) const {
  impl_->fft.forward(points(in), points(out));
}
void Lines::inverse(const Complex* in, Complex* out) const {
  impl_->fft.inverse(points(in), points(out));
}

struct LineFilter::Impl {
  FftChain chain;
};
LineFilter::LineFilter(Processor& processor, const std::vector<Complex>& taps, int lines) {
  check_length(std::int64_t(taps.size()), "a line of");
  check_lines(lines, "a number of lines of");
  impl_.reset(new Impl{FftChain(*processor.impl().device, i64(taps.size()), lines)});
  impl_->chain.set_kernel({points(taps.data()), points(taps.data()) + taps.size()});
}
LineFilter::LineFilter(LineFilter&&) noexcept = default;
LineFilter::~LineFilter() = default;
void LineFilter::run(const Complex* in, Complex* out) const {
  impl_->chain.run(points(in), points(out));
}

struct Plane::Impl {
  Fft2d fft;
};
Plane::Plane(Processor& processor, int width, int height, int batch) {
  for (const int side : {width, height}) {
    check_length(side, "a side of");
    if (!is_one_line(side))
      throw std::invalid_argument(fmt::format("a side of {} is too long for a picture", side));
  }
  check_count(batch, "a batch of", (std::int64_t(1) << 30) / std::max(width, height));
  impl_.reset(new Impl{Fft2d(*processor.impl().device, width, height, batch)});
}
Plane::Plane(Plane&&) noexcept = default;
Plane::~Plane() = default;
void Plane::forward(const Complex* in, Complex* out) const {
  impl_->fft.forward(points(in), points(out));
}
void Plane::inverse(const Complex* in, Complex* out) const {
  impl_->fft.inverse(points(in), points(out));
}

struct PictureFilter::Impl {
  Convolution convolution;
};
PictureFilter::PictureFilter(Processor& processor, int width, int height,
                             const std::vector<float>& taps, int taps_width, int taps_height,
                             int center_x, int center_y) {
  check_count(taps_width, "a filter's width of", fft_longest - 1);
  check_count(taps_height, "a filter's height of", fft_longest - 1);
  if (taps.size() != std::size_t(taps_width) * std::size_t(taps_height))
    throw std::invalid_argument(
        fmt::format("{} taps for a filter of {}x{}", taps.size(), taps_width, taps_height));
  if (center_x < 0 || center_x >= taps_width || center_y < 0 || center_y >= taps_height)
    throw std::invalid_argument(fmt::format("the middle ({}, {}) is outside of the filter's {}x{}",
                                            center_x, center_y, taps_width, taps_height));
  check_count(width, "a width of", fft_longest - taps_width);
  check_count(height, "a height of", fft_longest - taps_height);
  impl_.reset(
      new Impl{Convolution(*processor.impl().device, width, height,
                           {FilterTaps{taps_width, taps_height, center_x, center_y, taps}})});
}
PictureFilter::PictureFilter(PictureFilter&&) noexcept = default;
PictureFilter::~PictureFilter() = default;
void PictureFilter::run(const float* in, float* out) const {
  impl_->convolution.run({reinterpret_cast<const Vec4*>(in)}, reinterpret_cast<Vec4*>(out));
}

}  // namespace kiln::fft
