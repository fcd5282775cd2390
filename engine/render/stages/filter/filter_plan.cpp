// SPDX-License-Identifier: MIT
#include "engine/render/stages/filter/filter_plan.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr double pi_d = 3.14159265358979323846;

double sinc(double x) { return x == 0 ? 1 : exact::sin(pi_d * x) / (pi_d * x); }
double hann(double x) { return 0.5 + 0.5 * exact::cos(pi_d * x); }
double hamming_window(double x) { return 0.54 + 0.46 * exact::cos(pi_d * x); }
double blackman_window(double x) {
  return 0.42 + 0.5 * exact::cos(pi_d * x) + 0.08 * exact::cos(2 * pi_d * x);
}
double square(double x) { return x * x; }

double hermite(double t) { return t < 1 ? (2 * t - 3) * t * t + 1 : 0; }
double triangle(double t) { return t < 1 ? 1 - t : 0; }
double quadratic_spline(double t) {
  return t < 0.5 ? 0.75 - t * t : t < 1.5 ? square(t - 1.5) / 2 : 0;
}
double cubic_spline(double t) {
  if (t < 1) return t * t * t / 2 - t * t + 2.0 / 3;
  return t < 2 ? (2 - t) * (2 - t) * (2 - t) / 6 : 0;
}
/// Mitchell & Netravali, "Reconstruction filters in computer graphics" (1988), with its parameters
/// B and C.
double mitchell_netravali(double t, double b, double c) {
  if (t < 1)
    return ((12 - 9 * b - 6 * c) * t * t * t + (-18 + 12 * b + 6 * c) * t * t + (6 - 2 * b)) / 6;
  if (t >= 2) return 0;
  return ((-b - 6 * c) * t * t * t + (6 * b + 30 * c) * t * t + (-12 * b - 48 * c) * t +
          (8 * b + 24 * c)) /
         6;
}

/// Distance from the center of tap i, in units where the radius is the support.
std::vector<double> tap_arguments(FilterShape shape, double full_width, int size) {
  const double adjust = full_width > 0 ? filter_support(shape) * size / full_width : 1;
  std::vector<double> arguments;
  for (int i = 0; i < size; ++i) arguments.push_back(((2 * i + 1.0) / size - 1) * adjust);
  return arguments;
}

double full_width(FilterShape shape, double radius_px, int supersample, double pixel_aspect) {
  return 2 * filter_support(shape) * supersample * radius_px / pixel_aspect;
}

std::vector<float> normalized_taps(FilterShape shape, const std::vector<double>& arguments,
                                   double stretch) {
  std::vector<double> values;
  double sum = 0;
  for (double a : arguments) {
    values.push_back(filter_value(shape, a / stretch));
    sum += values.back();
  }
  if (!(std::fabs(sum) > 0)) {
    fail(ErrorKind::input,
         "the spatial filter is empty at this radius; enlarge filter or choose another "
         "filter_shape");
  }
  std::vector<float> taps;
  for (double value : values) taps.push_back(float(value / sum));
  return taps;
}

/// The kernel acos(4 t^power - 1) / pi where it is defined, with power over the logarithm of base 10.
double sine_power(double t, double power) {
  constexpr double ln10 = 2.302585092994046;
  const double x = t > 0 ? 4 * exact::exp(power * exact::log(t) / ln10) - 1 : -1;
  return x <= 1 ? exact::atan2(std::sqrt(1 - x * x), x) / pi_d : 0;
}

double windowed(double t, double support, double window) {
  return t < support ? sinc(t) * window : 0;
}

int supersample_of(const Flame& flame) {
  return flame.filter_supersample > 0 ? flame.filter_supersample : flame.supersample;
}

/// Buckets of the table's side. That of a kernel that sharpens has room for the Gauss curve of opacity.
int table_size(FilterKernel kernel, double radius_px, int supersample) {
  const int size = int(2 * supersample * filter_support(kernel) * radius_px) + 1;
  return size + 1 - size % 2;
}

constexpr double radius_of_opacity = 0.75;

bool sharpens(FilterKernel kernel) {
  switch (kernel) {
    case FilterKernel::mitchell_smooth:
    case FilterKernel::mitchell:
    case FilterKernel::catrom:
    case FilterKernel::blackman:
    case FilterKernel::hamming:
    case FilterKernel::hanning:
    case FilterKernel::lanczos2:
    case FilterKernel::lanczos3:
      return true;
    default:
      return false;
  }
}

int table_size_of(const Flame& flame) {
  const int own = table_size(flame.filter_kernel, flame.filter_radius_px, flame.supersample);
  return sharpens(flame.filter_kernel)
             ? std::max(own,
                        table_size(FilterKernel::gaussian, radius_of_opacity, flame.supersample))
             : own;
}

/// Appends [side, side] of the kernel, in the middle of it.
void append_table(FilterKernel kernel, double radius_px, int supersample, int side,
                  std::vector<float>& taps) {
  const double full = 2 * supersample * filter_support(kernel) * radius_px;
  const int size = table_size(kernel, radius_px, supersample), margin = (side - size) / 2;
  const double whole = int(full), adjust = whole > 0 ? filter_support(kernel) * size / whole : 1;
  std::vector<double> values;
  double sum = 0;
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      const double x = 2.0 * (i - margin) + 1 - size, y = 2.0 * (j - margin) + 1 - size;
      const bool is_inside = std::max(std::fabs(x), std::fabs(y)) < size;
      values.push_back(is_inside ? filter_value(kernel, adjust / size * std::sqrt(x * x + y * y))
                                 : 0);
      sum += values.back();
    }
  for (const double value : values) taps.push_back(float(value / sum));
}

FilterPlan plan_table(const Flame& flame) {
  const FilterKernel kernel = flame.filter_kernel;
  FilterPlan plan;
  plan.size = table_size_of(flame);
  append_table(kernel, flame.filter_radius_px, flame.supersample, plan.size, plan.table);
  append_table(sharpens(kernel) ? FilterKernel::gaussian : kernel,
               sharpens(kernel) ? radius_of_opacity : flame.filter_radius_px, flame.supersample,
               plan.size, plan.table);
  return plan;
}

int size_of(const Flame& flame) {
  if (is_table(flame)) return table_size_of(flame);
  return filter_size(flame.filter_shape, flame.filter_radius_px, supersample_of(flame),
                     flame.pixel_aspect);
}

}  // namespace

double filter_support(FilterShape shape) {
  switch (shape) {
    case FilterShape::box:
      return 0.5;
    case FilterShape::hermite:
    case FilterShape::triangle:
    case FilterShape::lanczos2:
    case FilterShape::blackman:
    case FilterShape::catrom:
      return 1;
    case FilterShape::gaussian:
    case FilterShape::bell:
    case FilterShape::quadratic:
      return 1.5;
    case FilterShape::bspline:
    case FilterShape::lanczos3:
    case FilterShape::mitchell:
    case FilterShape::hanning:
      return 2;
    case FilterShape::hamming:
      return 3;
  }
  return 1;
}

double filter_value(FilterShape shape, double x) {
  const double t = std::fabs(x);
  switch (shape) {
    case FilterShape::gaussian:
      return exact::exp(-2 * x * x) * std::sqrt(2 / pi_d);
    case FilterShape::hermite:
      return hermite(t);
    case FilterShape::box:
      return x > -0.5 && x <= 0.5 ? 1 : 0;
    case FilterShape::triangle:
      return triangle(t);
    case FilterShape::bell:
    case FilterShape::quadratic:
      return quadratic_spline(t);
    case FilterShape::bspline:
      return cubic_spline(t);
    // flam3: from here on the name and the kernel differ
    case FilterShape::lanczos3:
      return mitchell_netravali(t, 1.0 / 3, 1.0 / 3);
    case FilterShape::lanczos2:
      return sinc(x) * blackman_window(x);
    case FilterShape::mitchell:
      return mitchell_netravali(t, 0, 0.5);  // Catmull-Rom
    case FilterShape::blackman:
      return sinc(x) * hann(x);
    case FilterShape::catrom:
      return sinc(x) * hamming_window(x);
    case FilterShape::hamming:
      return t < 3 ? sinc(x) * square(sinc(x / 3)) : 0;
    case FilterShape::hanning:
      return t < 2 ? sinc(x) * square(sinc(x / 2)) : 0;
  }
  return 0;
}

int filter_size(FilterShape shape, double radius_px, int supersample, double pixel_aspect) {
  const double width = full_width(shape, radius_px, supersample, pixel_aspect);
  KILN_CHECK(width >= 0 && width < 1e6, "spatial filter {} buckets wide", width);
  const int size = int(width) + 1;
  return size + ((size ^ supersample) & 1);
}

FilterPlan plan_filter(FilterShape shape, double radius_px, int supersample, double pixel_aspect) {
  FilterPlan plan;
  plan.size = filter_size(shape, radius_px, supersample, pixel_aspect);
  const std::vector<double> arguments =
      tap_arguments(shape, full_width(shape, radius_px, supersample, pixel_aspect), plan.size);
  plan.x = normalized_taps(shape, arguments, 1);
  plan.y = normalized_taps(shape, arguments, pixel_aspect);
  return plan;
}

double filter_support(FilterKernel kernel) {
  switch (kernel) {
    case FilterKernel::box:
      return 0.5;
    case FilterKernel::gaussian:
    case FilterKernel::bell:
    case FilterKernel::quadratic:
      return 1.5;
    case FilterKernel::mitchell_smooth:
    case FilterKernel::mitchell:
    case FilterKernel::bspline:
    case FilterKernel::catrom:
    case FilterKernel::lanczos2:
      return 2;
    case FilterKernel::lanczos3:
      return 3;
    default:
      return 1;
  }
}

double filter_value(FilterKernel kernel, double t) {
  switch (kernel) {
    case FilterKernel::none:
    case FilterKernel::gaussian:
      return exact::exp(-2 * t * t);
    case FilterKernel::mitchell_smooth:
      return mitchell_netravali(t, 0.42, 0.29);
    case FilterKernel::mitchell:
      return mitchell_netravali(t, 1.0 / 3, 1.0 / 3);
    case FilterKernel::box:
      return t <= 0.5 ? 1 : 0;
    case FilterKernel::bell:
    case FilterKernel::quadratic:
      return quadratic_spline(t);
    case FilterKernel::bspline:
      return cubic_spline(t);
    case FilterKernel::triangle:
      return triangle(t);
    case FilterKernel::hermite:
      return hermite(t);
    case FilterKernel::catrom:
      return mitchell_netravali(t, 0, 0.5);
    case FilterKernel::lanczos2:
      return windowed(t, 2, square(sinc(t / 2)));
    case FilterKernel::lanczos3:
      return windowed(t, 3, square(sinc(t / 3)));
    case FilterKernel::hanning:
      return windowed(t, 1, hann(t));
    case FilterKernel::hamming:
      return windowed(t, 1, hamming_window(t));
    case FilterKernel::blackman:
      return windowed(t, 1, blackman_window(t));
    case FilterKernel::sinepow5:
      return sine_power(t, 5);
    case FilterKernel::sinepow10:
      return sine_power(t, 10);
    case FilterKernel::sinepow15:
      return sine_power(t, 15);
  }
  return 0;
}

bool is_table(const Flame& flame) {
  return flame.dialect == Dialect::jwildfire && flame.filter_kernel != FilterKernel::none &&
         flame.filter_radius_px >= 1e-8 && table_size_of(flame) > 1;
}

FilterPlan plan_filter(const Flame& flame) {
  if (is_table(flame)) return plan_table(flame);
  return plan_filter(flame.filter_shape, flame.filter_radius_px, supersample_of(flame),
                     flame.pixel_aspect);
}

// JWildfire's table begins a bucket behind where it would be even, and its grid is shifted (program/camera.cpp).
int taps_before(const Flame& flame) {
  if (is_table(flame)) return size_of(flame) / 2 - 1;
  return (size_of(flame) - flame.supersample) / 2;
}

int taps_behind(const Flame& flame) {
  return size_of(flame) - flame.supersample - taps_before(flame);
}

}  // namespace kiln
