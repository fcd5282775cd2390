// Which picture of a flame is made next: while it changes one that is quick, then better ones up to
// the finished one. For one thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "engine/api/kiln/image.h"
#include "engine/api/kiln/render_options.h"
#include "engine/device/device.h"
#include "engine/flock/flock.h"
#include "engine/measure/noise.h"
#include "engine/model/flame.h"
#include "engine/model/frame.h"
#include "engine/render/accumulate/accumulation.h"
#include "engine/render/renderer.h"

namespace kiln {

// A picture that is looked at while its samples come. One histogram grows by the units of the usual
// render, in their order, so that the finished picture is the one of `kiln render`, to the last
// bit; on the way it is developed as the picture of as many samples as are there. What changes only
// the look (brightness, gamma, background, filter, estimator, effects) keeps the sums: that is
// known by their digest (engine/render/accumulate/accumulation.h), not by lists of names.
//
// Of a flame of several passes the first one is looked at as it grows; the others follow without a
// look on the way, since each adds light to that of those before, with the look that it has then.
//
// Its noise is that of `--until-noise` (engine/measure/noise.h): a copy of the histogram is made when
// half of the samples are there, and developed as the picture of all of them. What differs between
// the two is noise of the other half alone.
//
// Cost beside a render: a second buffer as large as the histogram, because developing uses its own
// up, and the developing of what is shown on the way; where noise is measured a third buffer, and
// for each time a copy and a picture more.

class ProgressiveRender {
 public:
  /// Opens the devices. 8 bits a channel, without the options of a cross-check. Throws Error.
  explicit ProgressiveRender(const RenderOptions& options);
  ~ProgressiveRender();

  /// The same flame with another look: true if the sums serve it too, and are kept; else nothing
  /// happened. Throws Error for what is no picture.
  bool restyle(const Flame& flame);
  /// The flame from now on. Sums that do not serve it are gone. Throws Error; then there is none.
  void show(const Flame& flame);
  /// A frame of a film, with its motion blur; no other look is made of its sums.
  void show(const Frame& frame);

  /// Whether the sums are of the points of this flame, which restyle() has refused, since its look reaches
  /// further beyond the picture than they do, or less far.
  bool lends(const Flame& flame) const;

  /// Which pictures noise() will be asked of: that of all samples, or the next one too.
  enum class Measured { none, end, next };
  /// Plays on until there are so many samples a pixel, or all, or `stop` says so, which is asked
  /// between launches. Later passes go on to the end. Throws Error.
  void grow(double quality, const std::function<bool()>& stop, Measured measured = Measured::none);
  /// Samples a pixel that are there, by the flame's own measure.
  double quality() const;
  bool complete() const;

  /// The picture of the samples so far; there must be some, and all of them once the first pass is
  /// over. Call it once for a finished picture of several passes. Pixels go to `place` if there is
  /// one, and are not in the image then. `bits`: 8 or 16 a channel. Throws Error.
  Image picture(DevicePicture* place = nullptr, int bits = 8);
  /// A picture of the flame, whose sums these are or which they are lent to, a `side`th as wide, of
  /// one pass: buckets are summed in squares, and nothing is played. Cleaned, if the flame is, where
  /// it `cleans`. Throws Error.
  Image glance(const Flame& flame, int side, DevicePicture* place = nullptr, bool cleans = false);
  /// PreparedFrame::clumps of the last picture that was cleaned; 1 before.
  double last_clumps() const { return last_clumps_; }

  struct Noise {
    PictureNoise of_all;
    NoiseMap map;
    std::uint64_t units = 0;  // that were there
  };
  /// Of the picture of the samples so far, if half of them were kept; cheaper where that picture was
  /// the last that was made. Throws Error.
  std::optional<Noise> noise();
  /// Pictures and noise from now on end with Error (stopped) soon after this asks for it.
  void watch(const std::stop_token& stop) { stop_ = stop; }
  std::string device() const { return renderer_.devices(); }
  /// Samples, bad values and device of the picture so far.
  const RenderStatistics& statistics() const { return statistics_; }

 private:
  struct Sums;

  PreparedFrame preview_plan(double quality, int passes, double more = 1) const;
  PreparedFrame plan_so_far(double more = 1) const;
  bool is_in_first_pass_of(const Flame& flame) const;
  SumsShape shape_of(const Flame& flame) const;
  void begin(const Frame& frame, bool is_of_film);
  std::uint64_t half_of(double quality) const;
  void keep_half();
  void set_clumps(PreparedFrame& look);
  RenderWork work_of(const PreparedFrame& look);
  Image develop(PreparedFrame& look, DevicePicture* place, RenderStatistics* statistics);

  const RenderOptions options_;
  Renderer renderer_;
  Flame flame_;
  bool is_of_film_ = false;
  double mean_weight_ = 1;  // of its time samples
  std::unique_ptr<Sums> sums_;
  double last_clumps_ = 1;
  RenderStatistics statistics_;
  std::stop_token stop_;
};

// How much a quick picture may cost, found by what the last ones took: few samples and few pixels
// on a slow machine, all the pixels and many samples on a fast one. Samples and pixels follow one
// number, so there is nothing to balance: a picture has as many pixels as get four samples each,
// and where there are no more pixels to be had the samples go on growing. A third of the width is
// the least: of a smaller picture nobody can judge an edit, so it rather has fewer samples a pixel,
// and may take a tenth of a second.

class PreviewBudget {
 public:
  struct Size {
    double pixels, samples;
  };
  static double least_pixels(double most_pixels) {
    return std::min(most_pixels, std::max(96.0 * 54, most_pixels / 9));
  }
  /// The size of the next picture, which shows at most `most_pixels`.
  Size size(double most_pixels) const {
    const double samples = std::min(samples_, most_a_pixel * most_pixels);
    const double least = least_pixels(most_pixels);
    return {std::min(most_pixels, std::max(least, samples / usual_a_pixel)), samples};
  }
  /// A picture of size(most_pixels) took so many seconds of `budget_s`.
  void spent(double seconds, double budget_s, double most_pixels) {
    const double least = least_pixels(most_pixels);
    const Size made = size(most_pixels);
    const bool is_least = made.pixels <= least;
    const double limit_s = is_least ? std::max(budget_s, patience_s) : budget_s;
    const bool is_soon = seconds <= 0.65 * budget_s;
    if (!is_soon && seconds <= limit_s) return;  // good enough: sizes shall not flicker
    const double aim = 0.8 * (is_soon ? budget_s : limit_s) / std::max(seconds, 1e-4);
    const double fewest = is_least ? least : usual_a_pixel * least;
    samples_ = std::max(made.samples * std::clamp(aim, 0.4, 1.6), fewest);
  }

 private:
  static constexpr double usual_a_pixel = 4, most_a_pixel = 16, patience_s = 0.1;
  double samples_ = 5e5;  // 50 ms of two cores, of which a GPU sees nothing
};

// Whether quick pictures of a flame that is cleaned are cleaned, too: where that leaves most of the
// budget to the game. So they have all their pixels, a half or a quarter of them; with fewer a
// cleaned picture is no nearer to the finished one than the raw picture with all. The limit is another
// where it is kept than where it is begun, or pictures would flicker.

class CleaningBudget {
 public:
  static constexpr double begins_at = 0.4, ends_at = 0.5;  // of the budget

  /// `bucket_s`: what one takes after the game, cleaned, as long as nobody knows.
  explicit CleaningBudget(double bucket_s) : output_s_{bucket_s / 4, bucket_s} {}

  /// The most pixels of the next picture, of those that are wanted, if it shall be cleaned; else 0.
  double pixels(double budget_s, double wanted) {
    const double least = std::max(PreviewBudget::least_pixels(wanted), wanted / 4);
    const double bucket_s = std::max(output_s_[1] - output_s_[0], 0.6 * output_s_[1]);
    const auto fits = [&](int halvings) {
      const double limit = halvings == halvings_ ? ends_at : begins_at;
      return bucket_s * std::max(least, std::ldexp(wanted, -halvings)) <= limit * budget_s;
    };
    int halvings = 0;
    while (halvings < 3 && !fits(halvings)) ++halvings;
    halvings_ = halvings;
    return halvings < 3 ? std::max(least, std::ldexp(wanted, -halvings)) : 0;
  }
  /// A picture of so many pixels took so long after its game. What took longer was often disturbed.
  void spent(double pixels, bool cleaned, double output_s) {
    const double more = output_s / pixels - output_s_[cleaned];
    output_s_[cleaned] += (more > 0 ? 0.08 : 0.25) * more;
  }
  /// A cleaned picture of sums that were there took so long, with all that is not cleaning.
  void developed(double buckets, double seconds) {
    output_s_[1] = std::min(output_s_[1], seconds / buckets);
  }

 private:
  double output_s_[2];  // a bucket: of pictures that are not cleaned, that are
  int halvings_ = 3;    // of the pixels of the last picture; 3: it was not cleaned
};

// Another look of a picture that is there is always made of its samples: the whole picture where that
// fits the budget, else a glance, whose buckets are summed in squares. As many are summed as it takes
// by what the last whole picture took, but a third of the width is left at least.
//
// On the way to the finished picture, of quality q, it is shown at q / 4, q / 16 ... Of one with several
// times the pixels of the stage, which takes long to develop, glances of the stage's size come before
// the first of these. Its noise is
// measured when nothing else is to do: at the end, and on the way where that takes less than a tenth
// of what the samples since the look before took.

class PreviewScheduler {
 public:
  struct Preview {
    Image image;
    double quality = 0;  // samples a pixel
    bool settled = false;
    double seconds = 0;
  };
  /// Of the picture that is shown.
  struct Noise {
    PictureNoise of_all;
    NoiseMap map;
    double quality = 0;            // samples a pixel that it has
    double clean_quality = 0;      // at which it is surely at most `unseen`, about
    double seconds_a_quality = 0;  // that the game takes here
    bool is_grain = false;         // alone: the estimator's blur is not counted
  };
  static constexpr double unseen = 0.01;  // noise that a picture may have and be called good

  /// `place`: of the pixels of all its pictures; null: they are in the images. `measures`: noise() will
  /// be asked for.
  PreviewScheduler(const RenderOptions& options, DevicePicture* place, bool measures = false)
      : renderer_(options),
        progressive_(options),
        place_(place),
        measures_(measures),
        cleaning_(progressive_.device().starts_with("cuda") ? 3e-9 : 2.5e-7) {}
  ~PreviewScheduler();
  PreviewScheduler(const PreviewScheduler&) = delete;
  PreviewScheduler& operator=(const PreviewScheduler&) = delete;

  PreviewRenderer& renderer() { return renderer_; }
  const RenderStatistics& statistics() const { return progressive_.statistics(); }
  std::string device() const { return progressive_.device(); }

  /// A picture at once, of at most `most_pixels`, in about `budget_s`. Never marked as settled: a
  /// settled picture is sent without loss, which takes longer than a frame. Throws Error, as the others do.
  /// `is_of_film`: better() will be asked for a frame, so no sums of another serve it.
  Preview quick(const Flame& flame, double most_pixels, double budget_s, bool is_of_film = false);
  /// The same, without checking whether the sums still serve: for flames that keep moving.
  Preview sketch(const Flame& flame, double most_pixels, double budget_s);
  /// The next better one, of the flame that quick() had last; none where `stop` came before it or
  /// the flame is finished. `edited` ends what is begun between two looks at `stop`.
  /// `frame`, if it is one: the frame of a film that the flame is the middle of.
  std::optional<Preview> better(const Flame& flame, const std::function<bool()>& stop,
                                const std::stop_token& edited = {},
                                const std::function<Frame()>& frame = {});
  /// Whether the picture that better() made last has a noise that noise() would measure now.
  bool has_noise() const { return has_noise_; }
  /// Measures it, once. None where `edited` came before, or the picture has too few samples. Throws
  /// Error, and then has none.
  std::optional<Noise> noise(const Flame& flame, const std::stop_token& edited = {});

 private:
  /// A measure of the sums that are there.
  struct Measure {
    std::uint64_t units = 0;
    PictureNoise noise;
  };
  Preview developed(const Flame& flame);
  std::optional<Preview> glanced(const Flame& flame, double most_pixels, double limit_s);
  double glance_goal(const Flame& flame) const;
  Preview glance_on_the_way(const Flame& flame);
  void grow(const Flame& flame, const std::function<bool()>& stop);

  PreviewRenderer renderer_;
  ProgressiveRender progressive_;
  DevicePicture* const place_;
  const bool measures_;
  PreviewBudget budgets_[2];  // of sketches that are not cleaned, that are
  CleaningBudget cleaning_;
  static constexpr double unknown_s = 1e9;
  double develop_s_ = unknown_s;  // that pictures of these sums take
  bool shows_flame_ = false;      // progressive_ has the flame that quick() had last
  double shown_quality_ = -1;     // of its sums; -1: none
  double stage_pixels_ = 0;       // that quick() was to show at most
  double glanced_quality_ = 0;    // of sums of which a part of the pixels was shown on the way
  double lent_quality_ = 0;       // of sums of another margin that quick() showed last
  double step_s_ = 0;             // what the samples since the look before took
  double seconds_a_quality_ = 0;
  bool has_noise_ = false;
  std::optional<Measure> measured_;
};

}  // namespace kiln
