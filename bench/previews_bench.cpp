// SPDX-License-Identifier: MIT
// Small pictures of different flames: how many a second, beside one renderer that makes one after the other.
// Usage: previews_bench FILE [cpu|cuda] [count] [WxH] [quality] [threads] [GROUPSxSEATS]
//   FILE: flames; where there are fewer than `count`, mutants of them follow, so that no two are the same
//   (a flame that was there before need not be watched as it settles).
//   GROUPSxSEATS: of a GPU, instead of the usual ones
// Prints how many flames a second the host prepares, previews a second of both ways, and whether every hundredth picture has the same hash in both.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "engine/base/cores.h"
#include "engine/base/error.h"
#include "engine/base/thread_pool.h"
#include "engine/device/shared_launches.h"
#include "engine/flock/flock.h"
#include "engine/flock/previews.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/model/image.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/renderer.h"

namespace {

using namespace kiln;
using Seconds = std::chrono::duration<double>;
using Now = std::chrono::steady_clock;

struct Size {
  int width = 128, height = 128;
};

/// Flames of their own for each way: `offset` tells them apart.
class Flames {
 public:
  Flames(const std::string& path, Size size, double quality) : size_(size), quality_(quality) {
    ReaderOptions options;
    options.warn = [](const std::string&) {};
    base_ = read_flames(path, options).flames;
  }
  Flame at(std::size_t i) const {
    const Flame& base = base_[i % base_.size()];
    Flame flame = i < base_.size() ? base : mutated(base, {0.2, Direction::affine, {}}, i);
    flame.scale *= double(size_.width) / flame.width;
    flame.width = size_.width;
    flame.height = size_.height;
    flame.quality = quality_;
    return flame;
  }

 private:
  const Size size_;
  const double quality_;
  std::vector<Flame> base_;
};

double seconds_since(Now::time_point start) { return Seconds(Now::now() - start).count(); }

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::puts("previews_bench FILE [cpu|cuda] [count] [WxH] [quality] [threads] [GROUPSxSEATS]");
    return 2;
  }
  const auto argument = [&](int i, const char* usual) { return argc > i ? argv[i] : usual; };
  RenderOptions options;
  options.backend = std::strcmp(argument(2, "cpu"), "cuda") == 0 ? Backend::cuda : Backend::cpu;
  const auto count = std::size_t(std::atoll(argument(3, "400")));
  Size size;
  std::sscanf(argument(4, "128x128"), "%dx%d", &size.width, &size.height);
  const double quality = std::atof(argument(5, "10"));
  options.threads = std::atoi(argument(6, "0"));
  try {
    const Flames flames(argv[1], size, quality);
    std::vector<Flame> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = flames.at(i);

    Renderer renderer(options);
    const std::size_t few = std::clamp<std::size_t>(count / 10, 1, 300);
    for (std::size_t i = 0; i < 3; ++i) renderer.render(Frame{flames.at(count + i), {}, {}, 0});
    Now::time_point start = Now::now();
    for (std::size_t i = 0; i < few; ++i)
      renderer.render(Frame{flames.at(2 * count + i), {}, {}, 0});
    fmt::print("{}, {}x{}, quality {}: one after the other {:.0f}/s", renderer.device(), size.width,
               size.height, quality, double(few) / seconds_since(start));
    std::fflush(stdout);

    start = Now::now();
    {
      ThreadPool pool(options.threads > 0 ? options.threads : usable_cores());
      pool.run(int(4 * few), [&](int i, int) {
        prepare(Frame{flames.at(4 * count + std::size_t(i)), {}, {}, 0}, options);
      });
      fmt::print(", prepared by {} threads {:.0f}/s", pool.size(),
                 4 * double(few) / seconds_since(start));
    }

    std::vector<std::string> hashes(count);
    std::size_t failures = 0;
    Previews::Steps steps;
    steps.see = [&](std::size_t i, Preview& preview) {
      if (i % 100 == 0 && !preview.failure) hashes[i] = pixel_hash(preview.image);
    };
    steps.take = [&](std::size_t, const Preview& preview) {
      if (preview.failure) std::fprintf(stderr, "%s\n", preview.failure->what());
      failures += preview.failure.has_value();
    };
    Size seats{0, 0};
    std::sscanf(argument(7, "0x0"), "%dx%d", &seats.width, &seats.height);
    const int cores = options.threads > 0 ? options.threads : usable_cores();
    const auto open = [&] {
      return share_cuda(0, std::uint64_t(seats.width) * std::uint64_t(seats.height));
    };
    Previews previews = seats.width > 0 ? Previews(options, open, seats.width, seats.height, cores)
                                        : Previews(options);
    // the first ones open devices and take memory
    steps.count = std::min<std::size_t>(count, 400);
    steps.flame = [&](std::size_t i) { return flames.at(3 * count + i); };
    previews.make(steps);
    failures = 0;
    steps.count = count;
    steps.flame = [&](std::size_t i) { return all[i]; };
    start = Now::now();
    previews.make(steps);
    fmt::print(", beside each other {:.0f}/s ({} flames, {} without a picture)",
               double(count) / seconds_since(start), count, failures);
    std::fflush(stdout);

    std::size_t equal = 0, compared = 0;
    for (std::size_t i = 0; i < count && compared < 200; i += 100, ++compared)
      equal += pixel_hash(renderer.render(Frame{all[i], {}, {}, 0})) == hashes[i];
    fmt::print(", {} of {} have the hash of a render\n", equal, compared);
    return equal == compared ? 0 : 1;
  } catch (const Error& error) {
    std::fprintf(stderr, "\n%s\n", error.what());
    return 1;
  }
}
