#include "engine/render/stages/output_plan.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/device/test_hooks.h"
#include "engine/model/exact_math.h"
#include "engine/program/camera.h"
#include "kernels/clean.h"
#include "kernels/curves.h"

namespace kiln {

namespace {

/// In an animation the first key's, as in flam3.
int filter_supersample(const Flame& flame) {
  return flame.filter_supersample > 0 ? flame.filter_supersample : flame.supersample;
}

}  // namespace

BufferGeometry plan_geometry(const Flame& flame, int gutter) {
  const int os = flame.supersample;
  KILN_CHECK(flame.width > 0 && flame.height > 0 && os > 0, "size {} x {}, supersample {}",
             flame.width, flame.height, os);
  const int size = filter_size(flame.filter_shape, flame.filter_radius_px,
                               filter_supersample(flame), flame.pixel_aspect);
  // Negative for a narrow filter. Exact but for a filter made for an odd supersample in a frame of
  // an even one, or the other way round: then the picture is half a bucket off, as in flam3, and
  // needs a bucket more on the far side (flam3 reads those of the next row).
  const int filter_gutter = (size - os) / 2;
  const int filter_far_gutter = size - os - filter_gutter;
  int density_gutter = int(std::ceil(flame.estimator_radius)) * os;
  if (density_gutter > 0) density_gutter += os - 1;

  BufferGeometry geometry;
  geometry.supersample = os;
  geometry.gutter = std::max(filter_far_gutter, density_gutter);
  if (gutter >= 0 && geometry.gutter > gutter) {
    fail(
        ErrorKind::usage,
        "filter and density estimation reach {} buckets beyond the picture, and the sums end after "
        "{}; take a smaller filter or estimator_radius, or render the flame anew",
        geometry.gutter, gutter);
  }
  if (gutter >= 0) geometry.gutter = gutter;
  geometry.filter_offset = geometry.gutter - filter_gutter;
  geometry.width = os * flame.width + 2 * geometry.gutter;
  geometry.height = os * flame.height + 2 * geometry.gutter;
  return geometry;
}

LogCurve plan_log_curve(const Flame& flame, double temporal_weight) {
  const double zoom = exact::pow(2.0, flame.zoom);
  const double ppy = flame.scale * zoom, ppx = ppy / flame.pixel_aspect;
  const double area = double(flame.width) * flame.height / (ppx * ppy);
  const double sample_density = flame.quality * zoom * zoom;
  const double os = flame.supersample;
  // Fractorium shows a 1.05th of flam3's light, measured beside it (docs/compatibility.md)
  const double strength = flame.dialect == Dialect::fractorium ? 255 : 268;
  const double k1 = flame.brightness * strength * 255 / 256 / flame.passes;
  const double usual_k2 =
      os * os * flame.passes / (area * 255 * sample_density * temporal_weight * thinning(flame));
  const double k2 = flame.logscale_k2 > 0 ? flame.logscale_k2 : usual_k2;
  KILN_CHECK(std::isfinite(k1) && std::isfinite(k2) && k2 > 0, "log scale k1 {}, k2 {}", k1, k2);
  return {float(k1), float(k2)};
}

ToneCurve plan_tone(const Flame& flame, bool transparent) {
  constexpr double largest_exponent =
      1e6;  // gamma 0 would be infinite; this draws the same picture without 0 * infinity
  const double exponent = flame.gamma == 0
                              ? largest_exponent
                              : std::clamp(1 / flame.gamma, -largest_exponent, largest_exponent);
  const double threshold = flame.gamma_threshold;
  ToneCurve tone;
  tone.exponent = float(exponent);
  tone.threshold = float(threshold);
  if (threshold > 0) {
    tone.inverse_threshold = float(1 / threshold);
    tone.low_slope = float(std::min(exact::pow(threshold, exponent - 1), 1e30));
  }
  tone.vibrancy = float(256 * flame.vibrancy);
  tone.plain = float(256 * (1 - flame.vibrancy));
  tone.highlight_power = float(flame.highlight_power);
  tone.background = {float(256 * flame.background[0]), float(256 * flame.background[1]),
                     float(256 * flame.background[2]), 0};
  tone.transparent = transparent ? 1 : 0;
  return tone;
}

namespace {

/// What bloom and glare work on: the filtered picture, or with earlyclip the buffer before it.
EffectsFrame effects_frame(const Flame& flame, const OutputPlan& plan) {
  const auto has_negative = [](const std::vector<float>& taps) {
    return std::any_of(taps.begin(), taps.end(), [](float tap) { return tap < 0; });
  };
  const BufferGeometry& buffer = plan.geometry;
  const double percent_px = flame.height / 100.0;
  if (plan.earlyclip)
    return {buffer.width, buffer.height, percent_px * buffer.supersample, flame.pixel_aspect,
            false};
  return {plan.width, plan.height, percent_px, flame.pixel_aspect,
          has_negative(plan.filter.x) || has_negative(plan.filter.y)};
}

}  // namespace

OutputPlan plan_output(const Flame& flame, const OutputSettings& settings) {
  KILN_CHECK(settings.bits == 8 || settings.bits == 16, "{} bits a channel", settings.bits);
  OutputPlan plan;
  plan.geometry = plan_geometry(flame, settings.gutter);
  plan.width = flame.width;
  plan.height = flame.height;
  plan.bits = settings.bits;
  plan.transparent = settings.transparent;
  plan.earlyclip = settings.earlyclip;
  plan.log_curve = plan_log_curve(flame, settings.temporal_weight);
  plan.clean = flame.clean;
  plan.density = plan_density(flame.clean > 0 ? 0 : flame.estimator_radius, flame.estimator_minimum,
                              flame.estimator_curve, flame.supersample, settings.max_memory_bytes,
                              settings.tables);
  plan.filter = plan_filter(flame.filter_shape, flame.filter_radius_px, filter_supersample(flame),
                            flame.pixel_aspect);
  plan.effects = plan_effects(flame.effects, settings.psf, effects_frame(flame, plan));
  plan.density_grid =
      density_grid(plan.density, plan.geometry.width, plan.geometry.height, plan.hidden_buckets());
  plan.bands = plan_bands(plan);
  plan.has_bands = plan.bands.size() > 1;
  plan.tone = plan_tone(flame, settings.transparent);
  if (settings.tables) plan.curves = plan_curves(flame.curves);
  return plan;
}

int OutputPlan::light_rows() const {
  int rows = 0;
  for (const Stripe& band : bands) rows += band.height;
  return rows;
}

const Stripe& OutputPlan::largest_band() const {
  return *std::max_element(bands.begin(), bands.end(),
                           [](const Stripe& a, const Stripe& b) { return a.height < b.height; });
}

int reach_above(const OutputPlan& plan) {
  const BufferGeometry& buffer = plan.geometry;
  const int reach = plan.clean > 0 ? CleanPlanes::margin
                    : plan.density.active()
                        ? buffer.gutter + plan.density.reach + 2 * buffer.supersample
                        : 0;
  return reach - std::min(buffer.filter_offset, buffer.gutter);
}

Stripe stripe_of(const OutputPlan& plan, int first_row, int rows) {
  const BufferGeometry& buffer = plan.geometry;
  const int os = buffer.supersample, grain = density_tile;
  const int reach = reach_above(plan) + std::min(buffer.filter_offset, buffer.gutter);
  const int first = os * first_row - reach_above(plan);
  const int end = std::max(os * (first_row + rows - 1) + buffer.filter_offset + plan.filter.size,
                           os * (first_row + rows) + buffer.gutter) +
                  reach;
  Stripe stripe{first_row, rows, 0, 0};
  stripe.top = std::max(first, 0) / grain * grain;
  stripe.height = std::min(end, buffer.height) - stripe.top;
  return stripe;
}

std::vector<Stripe> plan_bands(const OutputPlan& plan) {
  constexpr int most_buckets = 2304;
  const int os = plan.geometry.supersample;
  const bool is_far = plan.density.active() && plan.density.widths[0] > gathered_width;
  const bool sees_all = plan.earlyclip && plan.effects.active();
  const int each =
      !is_far || sees_all ? plan.height : std::max(1, band_buckets_at_most(most_buckets) / os);
  if (each >= plan.height) return {{0, plan.height, 0, plan.geometry.height}};
  std::vector<Stripe> bands;
  for (int row = 0; row < plan.height; row += each)
    bands.push_back(stripe_of(plan, row, std::min(each, plan.height - row)));
  return bands;
}

OutputPlan plan_of(const OutputPlan& whole, const Stripe& stripe) {
  OutputPlan plan = whole;
  plan.geometry.rows_above += whole.geometry.supersample * stripe.first_row - stripe.top;
  plan.geometry.height = stripe.height;
  plan.height = stripe.rows;
  plan.density_grid =
      density_grid(plan.density, plan.geometry.width, stripe.height, plan.hidden_buckets());
  plan.bands = {{0, stripe.rows, 0, stripe.height}};
  return plan;
}

SpatialFilter filter_rows(const OutputPlan& plan, const Vec4* density, const float* taps_x,
                          Vec4* rows) {
  const BufferGeometry& g = plan.geometry;
  SpatialFilter pass;
  pass.source = density + std::int64_t(g.filter_offset + g.rows_above) * g.width + g.filter_offset;
  pass.x_step = g.supersample;
  pass.y_step = g.width;
  pass.tap_step = 1;
  pass.taps = taps_x;
  pass.tap_count = plan.filter.size;
  pass.result = rows;
  pass.width = plan.width;
  pass.height = plan.filter_rows();
  return pass;
}

SpatialFilter filter_columns(const OutputPlan& plan, const Vec4* rows, const float* taps_y,
                             Vec4* picture) {
  SpatialFilter pass;
  pass.source = rows;
  pass.x_step = 1;
  pass.y_step = std::int64_t(plan.geometry.supersample) * plan.width;
  pass.tap_step = plan.width;
  pass.taps = taps_y;
  pass.tap_count = plan.filter.size;
  pass.result = picture;
  pass.width = plan.width;
  pass.height = plan.height;
  return pass;
}

namespace {

constexpr std::size_t steps = curve_steps;

float unit(float value) { return std::clamp(value, 0.0f, 1.0f); }

/// Adds the part's share of what its curves make of each value.
void add_part(const CurveShare& part, std::vector<double>& sums) {
  const ColorCurves& curves = part.curves;
  const std::vector<float> all = curve_table(curves.kind, curves.curves[0], curve_steps);
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const std::vector<float> own =
        curve_table(curves.kind, curves.curves[channel + 1], curve_steps);
    for (std::size_t i = 0; i < steps; ++i) {
      const float through_all = unit(all[i]) * float(steps - 1);
      sums[channel * steps + i] += part.share * double(unit(own[std::size_t(through_all)]));
    }
  }
}

}  // namespace

std::vector<float> plan_curves(const CurveMix& mix) {
  if (mix.empty()) return {};
  std::vector<double> sums(3 * steps, 0.0);
  for (const CurveShare& part : mix) add_part(part, sums);
  std::vector<float> tables;
  tables.reserve(sums.size());
  for (const double sum : sums) tables.push_back(unit(float(sum)));
  return tables;
}

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

}  // namespace kiln
