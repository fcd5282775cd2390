// SPDX-License-Identifier: MIT
// What the XML says, in double precision and flam3's terms. Nothing here knows of pixels on a
// device or of XML. Attribute names, defaults and meanings: docs/reference/cli.md and the specification,
// flam3-format.md sections 2-5.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/curves.h"
#include "engine/model/effects.h"
#include "engine/model/number_link.h"
#include "engine/model/track.h"

namespace kiln {

/// x' = a x + b y + c, y' = d x + e y + f; the order of the XML attribute is a d b e c f.
struct AffineD {
  double a = 1, d = 0, b = 0, e = 1, c = 0, f = 0;
  bool operator==(const AffineD&) const = default;
};

/// One palette entry, 0..1; rgb as flam3 stores it (premultiplied where `<color rgba>` said so).
struct Rgba {
  double r = 0, g = 0, b = 0, a = 0;
  bool operator==(const Rgba&) const = default;
};

/// The colors of a flame: 256 of them in flam3's, any number from 1 in others.
struct Palette : std::vector<Rgba> {
  explicit Palette(std::size_t entries = 256) : std::vector<Rgba>(entries) {}
  void fill(const Rgba& color) { assign(size(), color); }
};

enum class MotionFunction { sin, triangle, hill };

/// The stage of an xform in which a variation works: pre_ forms on the point, one after the other;
/// regular ones on what they leave, summed; post_ forms on the sum, one after the other. Forms
/// that are added (pre_add_, post_add_) leave there what they work on, and add their result to it.
enum class Stage { regular, pre, post, pre_add, post_add };
constexpr int form_stages = 5;

/// A form of a variation that works in its place among others, with parameters of its own.
struct StagedVariation {
  Stage stage = Stage::pre;
  int variation = 0;
  double weight = 0;
  std::vector<double> parameters;  // of the variation, registry order
  bool operator==(const StagedVariation&) const = default;
};

/// The attributes that <xform>, <finalxform> and <motion> share. In a motion they are amplitudes
/// and default to 0.
struct XformValues {
  double weight = 0;
  double color = 0;  // color coordinate this xform pulls towards, not clamped
  double color_speed = 0.5;
  double opacity = 1;  // of a final xform: the probability that it is applied
  double animate = 1;
  AffineD coefs, post;
  std::vector<double>
      variations;  // [variation_count()] weights, by index (engine/model/variations.h)
  std::vector<double>
      parameters;  // [parameter_count()] every parameter of every variation, registry order
  /// pre_ and post_ forms, in the order in which they work; also regular ones, where their order
  /// matters.
  std::vector<StagedVariation> staged;
  double direct_color = 1;  // how far variations that color directly do so (var_color)
};

struct Motion : XformValues {
  int frequency = 0;
  MotionFunction function = MotionFunction::sin;
};

struct Xform : XformValues {
  std::vector<double> chaos;  // multipliers for the transitions from this xform; missing ones are 1
  std::vector<Motion> motions;
  /// Data of editors, passed on as they are: its name, the opacity of a muted one.
  std::vector<std::pair<std::string, std::string>> notes;
  int line = 0;  // where it stood in the file, 0 when it was made by symmetry
};

/// JWildfire's filters, by which its flames are drawn; none: flam3's, by FilterShape.
enum class FilterKernel {
  none,
  gaussian,
  mitchell_smooth,
  mitchell,
  box,
  bell,
  quadratic,
  bspline,
  triangle,
  hermite,
  catrom,
  lanczos2,
  lanczos3,
  hanning,
  hamming,
  blackman,
  sinepow5,
  sinepow10,
  sinepow15
};

enum class FilterShape {
  gaussian,
  hermite,
  box,
  triangle,
  bell,
  bspline,
  mitchell,
  blackman,
  catrom,
  hanning,
  hamming,
  lanczos3,
  lanczos2,
  quadratic
};
enum class BackgroundType { single_color, gradient_2x2, gradient_2x2_c };
enum class TemporalFilter { box, gaussian, exp };
enum class PaletteMode { step, linear };
enum class Interpolation { linear, smooth };
enum class InterpolationType { linear, log, old, older };
enum class PaletteInterpolation { hsv, sweep, hsv_circular, rgb };

/// The program whose meaning of names and numbers a flame follows. engine/io/flame/dialect.h finds it out.
enum class Dialect { flam3, fractorium, apophysis, jwildfire };

/// A variation or setting of a flame that kiln lacks: without it the picture is another one.
struct Missing {
  std::string what;   // "variation crackle", "setting cam_pitch"
  std::string place;  // "xform 2", "flame"
  int line = 0;
  std::string hint = {};  // did you mean "..."?
};

/// The part of the surroundings that a picture shows, and how (kernels/depth_view.h).
enum class Projection { plane, sphere, dome, stereo };

/// The camera of a picture with depth; all 0 looks straight down on the plane.
struct DepthCamera {
  double z = 0;            // of the plane in focus
  double perspective = 0;  // how much nearer things are larger
  double pitch_rad = 0, yaw_rad = 0;
  double blur = 0;        // of what is out of focus
  double blur_curve = 0;  // not 0: more towards the edges
  Projection projection = Projection::plane;
  double dome_deg = 180;  // from rim to rim
  double eyes = 0;        // stereo: how far they are apart; 0: a thirtieth of the way to the focus
  bool operator==(const DepthCamera&) const = default;
};

struct Flame {
  std::string name;
  std::string nick, url;  // who made it, and where more is
  std::string edits;      // how it came to be: <edit> elements as XML, a line each
  Dialect dialect = Dialect::flam3;
  std::string version;           // of the program that wrote it, as the file says it
  std::string dialect_reason;    // what the dialect was known by: version "EMBER-WIN-1.0.0.19"
  std::string source;            // file it was read from, for messages
  int line = 0;                  // line of <flame> in it
  int index = 0;                 // of the flame in it, from 0
  std::vector<Missing> missing;  // what is left out with --approximate
  double time = 0;
  int width = 100, height = 100;      // output pixels
  double center_x = 0, center_y = 0;  // also the rotation center
  double scale = 50;                  // pixels per unit
  double zoom = 0;                    // log2 factor on scale; samples grow by 4^zoom
  double rotate_deg = 0;
  double pixel_aspect = 1;  // width / height of a pixel; not in the XML
  int tile =
      0;  // 1: what leaves the picture comes in on the other side, so that copies of it join; kiln's own
  DepthCamera depth_camera;
  int supersample = 1;
  double filter_radius_px = 0.5;  // spatial filter, output pixels
  FilterShape filter_shape = FilterShape::gaussian;
  FilterKernel filter_kernel = FilterKernel::none;
  int filter_supersample = 0;  // that the filter is made for, where it is not the flame's own
  TemporalFilter temporal_filter = TemporalFilter::box;
  double temporal_filter_width = 1, temporal_filter_exp = 0;
  PaletteMode palette_mode = PaletteMode::step;
  double quality = 1;  // samples per output pixel
  int passes = 1;
  int temporal_samples = 1000;
  std::array<double, 3> background = {0, 0, 0};  // 0..1
  BackgroundType background_type = BackgroundType::single_color;
  // of a gradient: of its corners (u: upper, l: lower; l: left, r: right) and its center
  std::array<double, 3> background_ul = {0, 0, 0}, background_ur = {0, 0, 0},
                        background_ll = {0, 0, 0}, background_lr = {0, 0, 0},
                        background_cc = {0, 0, 0};
  double saturation = 1;  // of the finished pixels; JWildfire's
  double brightness = 4, gamma = 4, highlight_power = -1, vibrancy = 1, gamma_threshold = 0.01;
  // JWildfire's: of its tone mapping, and of no other dialect's (docs/inside/algorithm.md)
  double white_level = 220, contrast = 1, fg_opacity = 1;
  double antialias_amount = 0, antialias_radius = 0, low_density_brightness = 0;
  int preserve_z = 1;      // 0: variations in the plane add no depth
  double logscale_k2 = 0;  // Fractorium's: not 0: in place of the one that quality and size give
  double hue = 0;
  double estimator_radius = 9, estimator_minimum = 0, estimator_curve = 0.4;
  double clean = 0;  // share of the light that is cleaned, 0: the estimator; kiln's own
  Interpolation interpolation = Interpolation::linear;
  Easing easing;  // to the next key flame; kiln's own
  InterpolationType interpolation_type = InterpolationType::log;
  PaletteInterpolation palette_interpolation = PaletteInterpolation::hsv_circular;
  double hsv_rgb_palette_blend = 0;
  Effects effects;      // kiln's own: flam3 has none
  double vignette = 0;  // share of the light that the corners lose, below 0: gain; kiln's own
  CurveMix curves;      // of brightness, over the finished picture
  Palette palette{};
  std::vector<Xform> xforms;  // the standard ones, symmetry expanded, soloxform applied
  std::optional<Xform> final_xform;
  std::vector<Xform> more_finals;  // JWildfire's: after it, one after the other
  std::vector<int> formulas;  // variations of its own (engine/model/formula.h), also unused ones
  std::vector<Track> tracks;  // of the film that this and the other key flames make; kiln's own
  std::optional<FilmSound> sound;   // the film's song, in one of its key flames
  std::vector<FilmMarker> markers;  // of the same film
  std::vector<NumberLink>
      links;  // numbers that follow others; kiln's own, and of a film in any of its key flames

  /// Makes it a flame without tracks, song and markers: the film that it was a key of is elsewhere.
  void leave_film() {
    tracks.clear();
    markers.clear();
    sound.reset();
  }

  /// Whether its light is made of cleaned sums; and if not, whether by density estimation, which leaves
  /// what is noise beyond its reach as grain.
  bool is_cleaned() const { return clean > 0; }
  bool is_estimated() const { return !is_cleaned() && estimator_radius > 0; }
  /// "file:line", as messages begin.
  std::string place() const { return source + ":" + std::to_string(line); }
};

/// The colors of a background that has several.
inline constexpr std::array<double, 3> Flame::*background_parts[] = {
    &Flame::background_ul, &Flame::background_ur, &Flame::background_ll, &Flame::background_lr,
    &Flame::background_cc};
/// Whether a background of several colors has different ones: the center only where it counts.
bool has_gradient(const Flame& flame);

/// The names of all that a flame lacks, each once, in the order of the file: "variation crackle".
std::vector<std::string> missing_names(const Flame& flame);

}  // namespace kiln
