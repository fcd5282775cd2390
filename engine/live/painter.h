// Which picture of a flame is made next: while it changes one that is quick, then better ones up to
// the finished one. For one thread.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/live/effort.h"
#include "engine/live/growing_picture.h"
#include "engine/live/sketcher.h"

namespace kiln {

class Painter {
 public:
  struct Painted {
    Image image;
    double quality = 0;  // samples a pixel
    bool settled = false;
    double seconds = 0;
  };

  /// `place`: of the pixels of all its pictures; null: they are in the images.
  Painter(const RenderOptions& options, DevicePicture* place)
      : sketcher_(options), growing_(options), place_(place) {}
  ~Painter();
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  Sketcher& sketcher() { return sketcher_; }
  const RenderStatistics& statistics() const { return growing_.statistics(); }
  std::string device() const { return growing_.device(); }

  /// At once: with at most `most_pixels`, in about `budget_s`. Never settled: a settled picture
  /// travels without loss, which takes longer than a frame. Throws Error, as the others do.
  Painted quick(const Flame& flame, double most_pixels, double budget_s);
  /// Without looking whether only the look changed, for flames that keep moving.
  Painted sketch(const Flame& flame, double most_pixels, double budget_s);
  /// The next better one, of the flame that quick() had last; none where `stop` came before it or
  /// the flame is finished.
  std::optional<Painted> better(const Flame& flame, const std::function<bool()>& stop);

 private:
  Painted developed();

  Sketcher sketcher_;
  GrowingPicture growing_;
  DevicePicture* const place_;
  Effort effort_;
  double develop_s_ = 1e9;     // that the last picture of the sums took
  bool shows_flame_ = false;   // growing_ has the flame that quick() had last
  double shown_quality_ = -1;  // of its sums; -1: none
};

}  // namespace kiln
