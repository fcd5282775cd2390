// What is left of a memory long after one has stopped looking. Points are watched for some hundred steps;
// what they remember is a sum of parts that fade by a constant factor from step to step each, and the slow
// ones decide. So the parts are told apart, each is followed over a hundred steps by all pairs of looks, and
// the rest is multiplication: a part that 1 % of the points lose in a hundred steps is known to a few percent
// from 8192 points, as 80 of them have been seen to lose it (as implied time scales in molecular dynamics:
// Prinz et al., Markov models of molecular kinetics, 2011).
#pragma once

#include <cstdint>
#include <vector>

namespace kiln {

/// The same points seen again and again: a class, or a color, of each.
template <class Value>
struct Watched {
  std::vector<std::uint32_t> steps;  // at no regular distances
  std::vector<std::vector<Value>> points;
};
using Classes = std::vector<std::uint16_t>;

/// A part of what is remembered: the square of a correlation.
struct Mode {
  double amount = 0;  // `lag` steps later
  double left = 0;    // share of it that is left after `steps` more
};

struct Fade {
  double lag = 0, steps = 0;
  std::vector<Mode> modes;

  bool lasts(const Mode& mode) const;
  /// None fades, and there is one.
  bool all_last() const;
  /// Steps after which at most `enough` is left of all that fades; none above `most`.
  double steps_to(double enough, double most) const;
};

/// Of places or xforms: canonical correlations.
Fade fade_of_classes(const Watched<std::uint16_t>& seen, std::size_t classes);
/// Of the points that stay in some class more often than chance keeps `surprise` there: the square of how many.
Fade fade_of_staying(const Watched<std::uint16_t>& seen, std::size_t classes, double surprise);
/// Of numbers that are pulled from where they began: the square of the regression's slope.
Fade fade_of_colors(const Watched<float>& seen);

}  // namespace kiln
