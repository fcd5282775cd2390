// SPDX-License-Identifier: MIT
// Which of two games of a flame makes less noise, told by a few of their samples. Samples are plotted to the pixels of
// the picture, those of half of the pools apart. In the mean the squared difference of the halves is the variance of the
// samples in a pixel, however few they are; summed over pixels of about the same brightness it is known well. What
// that is in the whole picture follows from its brightness curve and from how much colors differ within a pixel.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/render/stages/output_plan.h"
#include "kernels/accumulate.h"

namespace kiln {

/// The brightness that a picture shows by the samples of a bucket: 1 is white, more only where a color is dark.
class BrightnessCurve {
 public:
  explicit BrightnessCurve(const OutputPlan& plan) : log_(plan.log_curve), tone_(plan.tone) {}
  double at(double samples) const;
  /// The slope of what is shown: nothing where it is white.
  double slope(double samples) const;
  /// The mean square of a bucket's error that gets Poisson's samples, each of which weighs so much.
  double noise(double mean, double weight) const;

 private:
  const LogCurve log_;
  const ToneCurve tone_;
};

/// Pixels of a trial: buckets, or squares of them of a large picture. Behind them lies one for all that is outside.
struct TrialGrid {
  TrialGrid(int width, int height);
  std::size_t pixels() const { return std::size_t(columns) * std::size_t(rows); }

  int side = 1;  // buckets
  int columns, rows;
};

/// Squares of so many pixels a side, whose sums are taken together with those of the squares around them.
struct TrialSquares {
  TrialSquares(const TrialGrid& grid, int pixels)
      : side(pixels),
        columns((grid.columns + side - 1) / side),
        rows((grid.rows + side - 1) / side),
        grid_columns(grid.columns),
        grid_rows(grid.rows) {}
  std::size_t count() const { return std::size_t(columns) * std::size_t(rows); }
  /// Calls see(pixel, square) for each pixel of the grid and the square that it lies in.
  template <class See>
  void each_pixel(const See& see) const {
    std::size_t pixel = 0;
    for (int y = 0; y < grid_rows; ++y) {
      std::size_t square = std::size_t(y / side) * std::size_t(columns);
      for (int begin = 0; begin < grid_columns; begin += side, ++square)
        for (int x = begin; x < std::min(begin + side, grid_columns); ++x) see(pixel++, square);
    }
  }
  /// Calls see(square) for a square and those around it.
  template <class See>
  void around(std::size_t square, const See& see) const {
    const int row = int(square) / columns, column = int(square) % columns;
    for (int y = std::max(0, row - 1); y <= std::min(rows - 1, row + 1); ++y)
      for (int x = std::max(0, column - 1); x <= std::min(columns - 1, column + 1); ++x)
        see(std::size_t(y * columns + x));
  }

  int side, columns, rows, grid_columns, grid_rows;
};

class TrialPlot {
 public:
  explicit TrialPlot(const TrialGrid& grid)
      : of_half_{Light(grid.pixels() + 1), Light(grid.pixels() + 1)} {}
  /// Several threads call it at once.
  void add(std::size_t half, std::size_t pixel, std::uint32_t light) {
    of_half_[half][pixel].fetch_add(light, std::memory_order_relaxed);
  }
  double at(std::size_t half, std::size_t pixel) const {
    return of_half_[half][pixel].load(std::memory_order_relaxed);
  }
  double both(std::size_t pixel) const { return at(0, pixel) + at(1, pixel); }
  double all_of(std::size_t half) const;

 private:
  using Light = std::vector<std::atomic<std::uint32_t>>;
  std::array<Light, 2> of_half_;
};

class GameTrial {
 public:
  /// `plain`: a plot of the plain game, each of whose samples has the light 1; the whole picture has
  /// `samples`. Squares are taken together with their neighbors where there are few samples.
  GameTrial(const BrightnessCurve& curve, const TrialGrid& grid, const TrialSquares& squares,
            const TrialPlot& plain, double samples);
  /// Sees the color of a sample of the plain game; the order matters.
  void see_color(std::size_t pixel, const Increment* entry);
  /// The plain game's noise, squared, over that of a game with as many samples, `points` of which are in the plot.
  double gain_of(const TrialPlot& plot, double points) const;

 private:
  static constexpr std::size_t classes = 64, color_bins = 16;
  /// Pixels of about the same mean.
  struct Class {
    double pixels = 0, light = 0;
    double off = 0;  // what two halves differ in, squared
    double weight() const { return light > 0 && off > 0 ? off / light : 1; }
  };
  using Classes = std::array<Class, classes>;
  /// Channels of colors of about the same value.
  struct Channels {
    double count = 0, squared = 0;
    double seen = 0;              // of the first ones: of all of a class
    double pairs = 0, apart = 0;  // of two samples of one pixel: half their difference, squared
  };

  static std::uint8_t class_of(float mean);
  void find_classes(const TrialSquares& squares);
  Classes classes_of(const TrialPlot& plot, double points) const;
  /// The mean square error of a bucket of a class, which has so many samples in the mean.
  double noise_of(const Class& noise, double mean, std::size_t index) const;

  const BrightnessCurve curve_;
  const TrialGrid grid_;
  const TrialPlot& plain_;
  const double points_;  // of the plain plot
  const double samples_of_picture_;
  std::vector<std::uint8_t> class_of_;  // [pixels] by the samples of a bucket of the picture
  std::vector<const Increment*> last_;  // [pixels] the color seen there last
  Classes classes_of_plain_;
  std::array<std::array<Channels, color_bins>, classes> colors_{};
};

}  // namespace kiln
