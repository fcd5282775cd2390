// SPDX-License-Identifier: MIT
// Which picture of a flame that is edited comes next, and how much it may cost: from what the last ones took, without
// a device and without a clock.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "engine/measure/noise.h"
#include "engine/model/flame.h"

namespace kiln {

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

/// Halves of the samples are kept for the noise of: no picture, that of all samples, the next one too.
enum class Halves { none, last, next };

/// A picture, or what comes before one.
struct LiveWork {
  /// `sketch`: a picture of its own, of few samples. `glance`: a smaller one of the sums that are there. `whole`: that
  /// of the sums that are there. `show`: sums of the flame that was edited begin. `grow`: samples are added to them.
  enum class Kind { sketch, glance, whole, show, grow };

  Kind kind = Kind::whole;
  PreviewBudget::Size size = {};  // of a sketch
  bool cleans = false;            // a sketch or a glance of a flame that is cleaned
  int side = 1;                   // of a glance: squares of so many pixels become one
  double quality = 0;             // to which sums grow
  Halves halves = Halves::none;   // of what grows
};

class LiveSchedule {
 public:
  /// The sums that are there: of another flame, of one with another margin (they are lent), of this one.
  enum class Sums { others, lent, own };
  /// The state of the sums after a work.
  struct Seen {
    double quality = 0;  // samples a pixel
    bool complete = false;
  };
  /// A measure of their noise.
  struct Measure {
    std::uint64_t units = 0;
    PictureNoise noise;
  };
  static constexpr double unseen = 0.01;  // noise that a picture may have and be called good

  /// `cleaned_bucket_s`: what a cleaned bucket takes after the game, as long as nobody knows. `measures`: noise is
  /// wanted.
  LiveSchedule(double cleaned_bucket_s, bool measures)
      : measures_(measures), cleaning_(cleaned_bucket_s) {}

  /// The picture that is made at once of a flame that was edited, of at most `most_pixels`, in about `budget_s`.
  LiveWork quick(const Flame& flame, double most_pixels, double budget_s, Sums sums, Seen seen);
  LiveWork sketch(const Flame& flame, double most_pixels, double budget_s);
  /// The next work on the way to the finished picture; none once that was shown. `is_of_film`: the flame is a frame.
  std::optional<LiveWork> better(const Flame& flame, bool is_of_film, Seen seen);

  // What became of a work, and the seconds that it took.
  void sketched(const LiveWork& work, double seconds, double output_s);
  void showed();
  void grew(Seen seen, double seconds);
  /// Notes a picture of `better`, or of `quick`, which is never the last one.
  void developed(const Flame& flame, Seen seen, double seconds, bool is_quick);
  /// Somebody edits: the picture of what has grown is not made.
  void interrupted() { after_.reset(); }

  /// Whether the last picture that better() wanted has a noise that is to be measured now.
  bool has_noise() const { return has_noise_; }
  /// Notes that it is measured; or not yet, since it was interrupted.
  void measured(bool is_done) { has_noise_ = !is_done; }
  /// Samples a pixel at which the noise is surely at most `unseen`, about, by this measure and the one before.
  double clean_quality(const Flame& flame, const Measure& now, double quality);
  /// The seconds that a sample a pixel takes.
  double seconds_a_quality() const { return seconds_a_quality_; }

 private:
  int glance_side(const Flame& flame, double most_pixels, double limit_s) const;
  double glance_goal(const Flame& flame) const;
  LiveWork grow(const Flame& flame, double quality) const;
  double seconds_of_glance(int side) const;

  const bool measures_;
  PreviewBudget budgets_[2];  // of sketches that are not cleaned, that are
  CleaningBudget cleaning_;
  double budget_s_ = 0, sketch_pixels_ = 0;  // of the last sketch
  static constexpr double unknown_s = 1e9;
  double develop_s_ = unknown_s;  // that pictures of these sums take
  bool shows_flame_ = false;      // the sums are of the flame that quick() had last
  double shown_quality_ = -1;     // of its sums; -1: none
  double stage_pixels_ = 0;       // that quick() was to show at most
  double glanced_quality_ = 0;    // of sums of which a part of the pixels was shown on the way
  double lent_quality_ = 0;       // of sums of another margin that quick() showed last
  double grown_from_ = 0;         // samples a pixel before the last growth
  double step_s_ = 0;             // what that took
  double seconds_a_quality_ = 0;
  std::optional<LiveWork> after_;  // the picture of what grows
  bool has_noise_ = false;
  std::optional<Measure> measured_;
};

}  // namespace kiln
