// From a Flame to a picture. renderer.cpp reads top to bottom as the algorithm; docs/algorithm.md
// explains it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/flame.h"
#include "engine/program/moments.h"
#include "engine/render/crop.h"

namespace kiln {

enum class Backend { automatic, cpu, cuda };

/// How the chaos game is played. The others are cross-checks of the permutation method: the same
/// flame within noise, other bits (docs/algorithm.md, "Cross-checks").
enum class Game {
  permutation,
  divergent,  // every lane draws its own xform by its own generator
  mtgp32,     // the permutation method on cuRAND's Mersenne Twister for GPU; CUDA only
};

/// What is true now of a running render. Times in seconds of wall clock.
struct Progress {
  double done = 0;  // share of the work, 0..1
  double elapsed_s = 0;
  double remaining_s = 0;  // honest estimate from the work done so far
  double samples_per_s = 0;
  const char* stage = "";  // "iterate", "density estimation", "filter", "encode"
};

struct RenderOptions {
  std::uint64_t seed = 0;
  int threads = 0;  // 0: all cores
  Backend backend = Backend::automatic;
  int device = 0;  // CUDA device index
  Game game = Game::permutation;
  int bits = 8;  // 8 or 16 bits a channel
  bool transparent = false;
  bool earlyclip = false;
  bool compat_flam3 = false;           // keep flam3's transients (docs/flam3-differences.md)
  bool exact_density = false;          // density estimation with every kernel instead of mixed ones
  std::uint64_t max_memory_bytes = 0;  // 0: no limit but the machine's
  bool linear = false;  // linear light and hits instead of pixels; `bits` is not looked at
  std::shared_ptr<const PointSpread> psf;  // spreads light beside the flame's effects; may be null
  std::optional<Window> crop;              // only this window of the picture
  std::function<void(const Progress&)>
      on_progress;  // called at most every 0.1 s from the rendering thread
};

/// RGBA, straight alpha as flam3 writes it; row 0 is the top. 16-bit values are native endian. Or
/// linear light: t / 255 of the tone curve, premultiplied, not clamped, without background.
struct Image {
  int width = 0, height = 0;
  int bits = 8;                         // 8, 16, or 32 for linear light
  std::vector<std::uint8_t> pixels8;    // [H, W, 4] when bits == 8
  std::vector<std::uint16_t> pixels16;  // [H, W, 4] when bits == 16
  std::vector<float> linear;            // [H, W, 4] when bits == 32
  std::vector<float> hits;              // [H, W] when bits == 32: samples of each pixel
  bool opaque = false;                  // alpha is full everywhere: files need not hold it
  double pixel_aspect = 1;              // width / height of a pixel, for who shows it
};

struct RenderStatistics {
  std::uint64_t samples = 0;     // recorded samples, including those outside the picture
  std::uint64_t bad_values = 0;  // attempts that left the range of numbers
  double iterate_s = 0, output_s = 0;
  double packed_s = 0;    // from the last pass's histogram to packed pixels in the device's memory
  double light_lost = 0;  // share of the light that bloom, glare and psf took out of the frame
  std::uint64_t peak_memory_bytes = 0;
  std::string device;   // "cpu (x86-64-v3, 2 threads)" or "cuda 0 (NVIDIA H200)"
  std::string warning;  // e.g. pixel pitch beyond float; empty if none
};

/// One picture of an animation: the flame at the frame's time, and the same flame at the times of
/// the temporal filter (engine/animation/temporal.h) for motion blur.
struct Frame {
  Flame flame;  // sizes, quality, passes, filters, estimator and the rest that does not move
  /// The flame at T + delta_i, passes * temporal samples of them in the order of time; equal
  /// numbers for every pass. From them come xforms, palette, camera and what flam3 takes from a
  /// step of the filter (brightness, vibrancy, gamma, background). Empty: a still of `flame`.
  std::vector<Flame> samples;
  std::vector<double> weights;  // of the samples: flam3's colour scale f_i, 0..1, the largest 1
  /// Part of the generator's seed: a frame is the same picture alone or in a sequence. Number 0
  /// without samples is the still that render(flame) gives.
  std::uint32_t number = 0;
  /// In place of `samples`: makes them one after the other, as often as it is asked.
  std::shared_ptr<MomentSource> moving = nullptr;

  bool in_motion() const { return moving || !samples.empty(); }
};

/// A frame whose work on the host is done (engine/render/prepared_frame.h).
struct PreparedFrame;

/// Renders frame after frame on one device, and keeps it: its memory, permutations and compiled
/// kernels serve all frames. One thread at a time.
class Renderer {
 public:
  /// Opens the device. Throws Error (device).
  explicit Renderer(const RenderOptions& options);
  ~Renderer();
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;

  /// Throws Error; another frame may be rendered after it. Same frame, seed and format give the
  /// same pixels on every device.
  Image render(const Frame& frame, RenderStatistics* statistics = nullptr);
  /// The same for a frame that prepare() got ready with these options, perhaps on another thread.
  Image render(const PreparedFrame& frame, RenderStatistics* statistics = nullptr);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Renders one still: a Renderer for one picture.
Image render(const Flame& flame, const RenderOptions& options,
             RenderStatistics* statistics = nullptr);

/// SHA-256 of size, depth and pixels (big-endian samples), as 64 hex digits: the identity of a
/// picture.
std::string pixel_hash(const Image& image);

}  // namespace kiln
