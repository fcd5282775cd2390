// The bar and the time to go of all pictures of a command: of the one under way by what the renderer
// says (engine/render/stage_clock.h), of its file and of the pictures behind it by what they cost
// beside what is done, at the rate so far. It asks no clock: whoever calls says when it is.
#pragma once

#include <vector>

#include "engine/model/flame.h"
#include "engine/render/renderer.h"

namespace kiln::cli {

/// What a picture takes, about: seconds of one core.
struct PictureCost {
  double render = 0, file = 0;
};
PictureCost rough_cost(const Flame& flame, const RenderOptions& options);

/// Seconds until work that costs `all` is done, where what costs `known` is done in `ready_s` seconds
/// from `now` on: the rest at that rate, or as it costs where nothing is known.
double time_to_go(double now, double ready_s, double known, double all);

class TimeToGo {
 public:
  explicit TimeToGo(std::vector<PictureCost> costs) : costs_(std::move(costs)) {}

  /// Picture `number`, from 0, is under way.
  void start(int number);
  /// All pictures, `now` seconds after the first began; `picture` is the one under way.
  Progress of_all(const Progress& picture, double now);

 private:
  std::vector<PictureCost> costs_;
  std::size_t number_ = 0;
  double behind_ = 0;  // of the pictures before this one
  double most_done_ = 0;
};

}  // namespace kiln::cli
