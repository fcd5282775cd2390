// SPDX-License-Identifier: MIT
// kiln's FFT as a library: complex transforms of lines of any length 2^a 3^b 5^c and of pictures,
// filters of lines, and convolutions of pictures of four channels, on the CPU or a CUDA GPU. The
// same input gives the same bits on both. It needs nothing but the standard library; link
// kiln::kiln as for kiln.h. A complete program is examples/convolve.cpp, docs/inside/fft.md says how it
// works and how fast it is.
//
// Pointers are to the processor's memory: Memory, or with cuda() what cudaMalloc gives, with cpu()
// any. Work is queued; Processor::wait and downloads wait for it. An object and its processor serve
// one thread at a time. Wrong sizes throw std::invalid_argument, a device that fails or is not
// there std::runtime_error, both with what to do.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kiln::fft {

using Complex = std::complex<float>;

/// True for 2^a 3^b 5^c, 1 to 2^24: the lengths that can be transformed.
bool is_length(std::int64_t points);
/// The shortest such length of at least `points`, 1 to 2^24.
std::int64_t next_length(std::int64_t points);

/// The device that transforms run on. It outlives everything that is made with it.
class Processor {
 public:
  static Processor cpu(int threads = 0);  // 0: all cores
  static Processor cuda(int index = 0);
  Processor(Processor&&) noexcept;
  Processor& operator=(Processor&&) noexcept;
  ~Processor();

  std::string name() const;  // "cpu (x86-64-v3, 2 threads)"
  void* allocate(std::size_t bytes);
  void release(void* memory);
  void upload(void* to, const void* from_host, std::size_t bytes);
  void download(void* to_host, const void* from, std::size_t bytes);
  void wait();

  struct Impl;
  Impl& impl() const { return *impl_; }

 private:
  explicit Processor(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// An array in a processor's memory.
template <class T>
class Memory {
 public:
  Memory(Processor& processor, std::size_t count)
      : processor_(&processor),
        count_(count),
        data_(static_cast<T*>(processor.allocate(count * sizeof(T)))) {}
  Memory(Processor& processor, const std::vector<T>& values) : Memory(processor, values.size()) {
    processor.upload(data_, values.data(), count_ * sizeof(T));
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { processor_->release(data_); }

  T* data() const { return data_; }
  std::size_t size() const { return count_; }
  std::vector<T> download() const {
    std::vector<T> values(count_);
    processor_->download(values.data(), data_, count_ * sizeof(T));
    return values;
  }

 private:
  Processor* processor_;
  std::size_t count_;
  T* data_;
};

/// Transforms of [lines, points]: forward has exp(-2 pi i jk / points) and no factor, inverse
/// exp(+...) and 1 / points. Input and output may be the same memory.
class Lines {
 public:
  Lines(Processor& processor, std::int64_t points, int lines = 1);
  Lines(Lines&&) noexcept;
  ~Lines();
  void forward(const Complex* in, Complex* out) const;
  void inverse(const Complex* in, Complex* out) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Circular convolution of [lines, points] with one filter: forward, times the spectrum, inverse,
/// without ever bringing a spectrum into natural order. Input and output may be the same memory.
class LineFilter {
 public:
  /// taps: [points] on the host; tap k weighs what is k points before.
  LineFilter(Processor& processor, const std::vector<Complex>& taps, int lines = 1);
  LineFilter(LineFilter&&) noexcept;
  ~LineFilter();
  void run(const Complex* in, Complex* out) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Transforms of [batch, height, width] complex pictures, as Lines in both directions.
class Plane {
 public:
  Plane(Processor& processor, int width, int height, int batch = 1);
  Plane(Plane&&) noexcept;
  ~Plane();
  void forward(const Complex* in, Complex* out) const;
  void inverse(const Complex* in, Complex* out) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Pictures of four floats a pixel, [height, width, 4], filtered with zeros beyond their edges:
/// each channel by the same real taps. Picture and taps together are at most 16384 wide and high.
class PictureFilter {
 public:
  /// taps: [taps_height, taps_width] on the host; the tap at (center_x, center_y) weighs the pixel
  /// itself, one to the right of it the right neighbor.
  PictureFilter(Processor& processor, int width, int height, const std::vector<float>& taps,
                int taps_width, int taps_height, int center_x, int center_y);
  PictureFilter(PictureFilter&&) noexcept;
  ~PictureFilter();
  /// Input and output may be the same memory; otherwise they lie apart.
  void run(const float* in, float* out) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kiln::fft
