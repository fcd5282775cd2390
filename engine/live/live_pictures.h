// SPDX-License-Identifier: MIT
// Makes the pictures of a flame that is edited, as its schedule (live_schedule.h) wants them: while it changes one that
// is quick, then better ones up to the finished one. For one thread.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "engine/api/kiln/image.h"
#include "engine/api/kiln/render_options.h"
#include "engine/device/device_kind.h"
#include "engine/flock/flock.h"
#include "engine/live/live_schedule.h"
#include "engine/live/progressive_render.h"

namespace kiln {

class LivePictures {
 public:
  struct Picture {
    Image image;
    double quality = 0;  // samples a pixel
    bool settled = false;
    double seconds = 0;
  };
  /// The noise of the picture that is shown.
  struct Noise {
    PictureNoise of_all;
    NoiseMap map;
    double quality = 0;            // samples a pixel that it has
    double clean_quality = 0;      // at which it is surely at most `unseen`, about
    double seconds_a_quality = 0;  // that the game takes here
    bool is_grain = false;         // alone: the estimator's blur is not counted
  };
  static constexpr double unseen = LiveSchedule::unseen;

  /// `place`: of the pixels of all its pictures; null: they are in the images. `measures`: noise() will
  /// be asked for.
  LivePictures(const RenderOptions& options, DevicePicture* place, bool measures = false)
      : renderer_(options),
        progressive_(options),
        place_(place),
        schedule_(is_gpu(progressive_.device()) ? 3e-9 : 2.5e-7, measures) {}
  ~LivePictures();
  LivePictures(const LivePictures&) = delete;
  LivePictures& operator=(const LivePictures&) = delete;

  PreviewRenderer& renderer() { return renderer_; }
  const RenderStatistics& statistics() const { return progressive_.statistics(); }
  std::string device() const { return progressive_.device(); }

  /// A picture at once, of at most `most_pixels`, in about `budget_s`. Never marked as settled: a
  /// settled picture is sent without loss, which takes longer than a frame. Throws Error, as the others do.
  /// `is_of_film`: better() will be asked for a frame, so no sums of another serve it.
  Picture quick(const Flame& flame, double most_pixels, double budget_s, bool is_of_film = false);
  /// Makes such a picture without checking whether the sums still serve: for flames that keep moving.
  Picture sketch(const Flame& flame, double most_pixels, double budget_s);
  /// The next better one, of the flame that quick() had last; none where `stop` came before it or
  /// the flame is finished. `edited` ends what is begun between two looks at `stop`.
  /// `frame`, if it is one: the frame of a film that the flame is the middle of.
  std::optional<Picture> better(const Flame& flame, const std::function<bool()>& stop,
                                const std::stop_token& edited = {},
                                const std::function<Frame()>& frame = {});
  /// Whether the picture that better() made last has a noise that noise() would measure now.
  bool has_noise() const { return schedule_.has_noise(); }
  /// Measures it, once. None where `edited` came before, or the picture has too few samples. Throws
  /// Error, and then has none.
  std::optional<Noise> noise(const Flame& flame, const std::stop_token& edited = {});

 private:
  LiveSchedule::Seen seen() const { return {progressive_.quality(), progressive_.complete()}; }
  Picture make(const LiveWork& work, const Flame& flame, bool is_quick);

  PreviewRenderer renderer_;
  ProgressiveRender progressive_;
  DevicePicture* const place_;
  LiveSchedule schedule_;
};

}  // namespace kiln
