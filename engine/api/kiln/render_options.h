// SPDX-License-Identifier: MIT
// What one asks of a render beside the flame, and what it says of itself meanwhile.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace kiln {

struct Image;
struct PointSpread;
class Ranks;

enum class Backend { automatic, cpu, cuda };

/// The way to play the chaos game. The others are cross-checks of the permutation method: the same
/// flame within noise, other bits (docs/inside/algorithm.md, "Cross-checks").
enum class Game {
  permutation,
  divergent,  // every lane draws its own xform by its own generator
  mtgp32,     // the permutation method on cuRAND's Mersenne Twister for GPU; CUDA only
};

/// The state of a running render. Times are in seconds of wall clock.
struct Progress {
  double done = 0;  // share of the work, 0..1
  double elapsed_s = 0;
  double remaining_s = 0;  // honest estimate from the work done so far
  double samples_per_s = 0;
  const char* stage = "";  // "iterate", "filter" and others (docs/reference/cli.md, Progress)
};

/// Pixels of a picture: x and y of the corner from the left and the top, from 0.
struct Window {
  int x = 0, y = 0, width = 1, height = 1;
  bool operator==(const Window&) const = default;
};

/// A device that plays a part of every picture's units, beside the one that makes the picture.
struct HelpingDevice {
  Backend backend = Backend::cuda;
  int device = 0;   // CUDA device index
  int threads = 0;  // of the CPU; 0: all cores
  bool operator==(const HelpingDevice&) const = default;
};

/// One of the equal parts of a still's work, counted from 1.
struct Shard {
  int number = 1, of = 1;
};

/// Some rows of a picture, cropped if it is.
struct RowsOfPicture {
  const Image& rows;
  int height = 0;             // of the whole picture
  std::uint64_t samples = 0;  // that it will have
};

/// The options of a render. The same flame, seed and depth give the same pixels on every device and
/// with any number of threads.
struct RenderOptions {
  std::uint64_t seed = 0;
  int threads = 0;                       // 0: all cores
  Backend backend = Backend::automatic;  // automatic: a CUDA device if there is one
  int device = 0;                        // CUDA device index
  std::vector<HelpingDevice> helpers;    // that share the work of every picture
  Game game = Game::permutation;
  int bits = 8;                // 8 or 16 bits a channel
  bool transparent = false;    // alpha instead of the background color
  bool earlyclip = false;      // flam3's earlyclip: colors are clipped before the filter
  bool compat_flam3 = false;   // keep flam3's transients (docs/flam3/flam3-differences.md)
  bool exact_density = false;  // density estimation with every kernel instead of mixed ones
  bool steer = false;          // send points to where the noise is, where that gains something
  double dpi = 0;              // pixels per inch across, which files say; 0: none
  std::uint64_t max_memory_bytes = 0;  // 0: no limit but the machine's
  bool linear = false;  // linear light and hits instead of pixels; `bits` is not looked at
  std::shared_ptr<const PointSpread> psf;  // spreads light beside the flame's effects; null: none
  // other processes that play parts of every picture, which rank 0 gets; null: none. The program's
  // alone.
  std::shared_ptr<Ranks> ranks;
  std::optional<Window> crop;  // only this window of the picture
  // A sheet for the printer, of a picture with a bleed of so many pixels: a margin of paper with crop
  // marks around it. Beside dpi, without crop; 0: none.
  double crop_marks = 0;
  // A still may end before its quality (docs/reference/cli.md, "Stopping when it is good"), with the picture of
  // the samples there are then; RenderStatistics say what ended it. In one pass.
  double until_noise = 0;  // 0..1, root mean square of all pixels, a fraction of full scale: enough
      // if surely (97.5 %) no more of it is noise, whatever the flame's quality
  double most_quality = 0;  // samples per pixel that until_noise may take; 0: no limit
  double time_limit_s = 0;  // of the chaos game; 0: none
  bool halves = false;  // sums in two halves, as until_noise has them: statistics tell the noise;
                        // a state that is there keeps what it has
  bool stages = false;  // statistics and record have a hash of each stage; never in stripes
  std::function<void(const Progress&)>
      on_progress;  // called at most every 0.1 s from the rendering thread
  // gets the rows of a picture that is made in stripes, from the top to the bottom, in pieces; the
  // render then gives back an empty picture. Null: the rows are put together.
  std::function<void(const RowsOfPicture&)> on_rows;
  std::stop_token stop;  // ends the render with Error (stopped) within about 0.1 s
};

}  // namespace kiln
