// SPDX-License-Identifier: MIT
// kiln's FFT without a flame: a bright pixel blurred by a Gaussian, and a line's spectrum.
//   convolve [cpu|cuda]
#include <kiln_fft.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

int main(int count, char** arguments) try {
  namespace fft = kiln::fft;
  const bool cuda = count > 1 && std::string(arguments[1]) == "cuda";
  fft::Processor processor = cuda ? fft::Processor::cuda() : fft::Processor::cpu();
  std::printf("%s\n", processor.name().c_str());

  // a Gaussian of 21 x 21 taps whose sum is 1
  const int width = 640, height = 360, side = 21, middle = side / 2;
  std::vector<float> taps(side * side);
  float sum = 0;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const int dx = x - middle, dy = y - middle;
      sum += taps[y * side + x] = std::exp(-float(dx * dx + dy * dy) / 18);
    }
  }
  for (float& tap : taps) tap /= sum;

  std::vector<float> picture(std::size_t(width) * height * 4, 0.0f);
  const std::size_t pixel = (std::size_t(height / 2) * width + width / 2) * 4;
  picture[pixel] = 1;  // red
  fft::Memory<float> memory(processor, picture);
  const fft::PictureFilter blur(processor, width, height, taps, side, side, middle, middle);
  blur.run(memory.data(), memory.data());
  picture = memory.download();
  std::printf("the pixel kept %.4f of its light, its neighbor has %.4f\n", picture[pixel],
              picture[pixel + 4]);

  // three turns in a line of 1000 points: all of them in frequency 3
  std::vector<fft::Complex> line(1000);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const float turn = float(2 * M_PI * 3) * float(i) / float(line.size());
    line[i] = {std::cos(turn), std::sin(turn)};
  }
  fft::Memory<fft::Complex> points(processor, line);
  const fft::Lines transform(processor, std::int64_t(line.size()));
  transform.forward(points.data(), points.data());
  std::printf("frequency 3 has %.1f\n", std::abs(points.download()[3]));
  const bool right = std::abs(picture[pixel] - taps[middle * side + middle]) < 1e-5f &&
                     std::abs(std::abs(points.download()[3]) - 1000) < 0.1f;
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "convolve: %s\n", error.what());
  return 1;
}
