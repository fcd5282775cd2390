#include "engine/animation/interpolate.h"

#include <algorithm>
#include <cmath>

#include "engine/animation/blend_affine.h"
#include "engine/animation/blend_palette.h"
#include "engine/io/text.h"
#include "engine/model/error.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr double two_pi = 0x1.921fb54442d18p+2;

using Weights = std::vector<double>;

/// Sum over k of weights[k] * member(k).
template <class Member>
double weighted(const Weights& weights, Member member) {
  double sum = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) sum += weights[k] * member(k);
  return sum;
}

double unit(double value) { return std::clamp(value, 0.0, 1.0); }

// ---- settings of the flame ----

/// Bloom and glare, which flam3 has not. Strengths blend; the rest counts by the light it is for,
/// so that a glow fades in where a flame without any stands beside one that has it.
Effects blended_effects(const std::vector<const Flame*>& flames, const Weights& weights) {
  Effects result = flames[0]->effects;
  double bloom_sum = 0, radius = 0, threshold = 0, glare_sum = 0, angle = 0, most = 0;
  for (std::size_t k = 0; k < flames.size(); ++k) {
    const Effects& effects = flames[k]->effects;
    const double bloom = std::max(0.0, weights[k]) * effects.bloom_strength();
    const double glare = std::max(0.0, weights[k]) * effects.glare_strength();
    bloom_sum += bloom;
    radius += bloom * effects.bloom.radius;
    threshold += bloom * effects.bloom.threshold;
    glare_sum += glare;
    angle += glare * effects.glare.angle_deg;
    if (glare > most) result.glare.points = effects.glare.points;
    most = std::max(most, glare);
  }
  result.bloom.strength = std::min(bloom_sum, 1.0);
  if (bloom_sum > 0) {
    result.bloom.radius = radius / bloom_sum;
    result.bloom.threshold = threshold / bloom_sum;
  }
  if (glare_sum == 0) {
    result.glare = {};  // not a star of strength 0, which would be written into every genome
  } else {
    result.glare.strength = std::min(glare_sum, 1 - result.bloom.strength);
    result.glare.angle_deg = angle / glare_sum;
  }
  return result;
}

void blend_settings(const std::vector<const Flame*>& flames, const Weights& weights,
                    Flame& result) {
  const auto blend = [&](double Flame::*member) {
    result.*member = weighted(weights, [&](std::size_t k) { return flames[k]->*member; });
  };
  for (double Flame::*member :
       {&Flame::brightness, &Flame::highlight_power, &Flame::gamma, &Flame::vibrancy, &Flame::hue,
        &Flame::center_x, &Flame::center_y, &Flame::scale, &Flame::filter_radius_px,
        &Flame::temporal_filter_exp, &Flame::temporal_filter_width, &Flame::quality, &Flame::zoom,
        &Flame::rotate_deg, &Flame::estimator_radius, &Flame::estimator_minimum,
        &Flame::estimator_curve, &Flame::gamma_threshold, &Flame::pixel_aspect}) {
    blend(member);
  }
  for (std::size_t channel = 0; channel < result.background.size(); ++channel) {
    result.background[channel] =
        weighted(weights, [&](std::size_t k) { return flames[k]->background[channel]; });
  }
  for (int Flame::*member : {&Flame::width, &Flame::height, &Flame::supersample, &Flame::passes,
                             &Flame::temporal_samples}) {
    const double sum = weighted(weights, [&](std::size_t k) { return double(flames[k]->*member); });
    result.*member = int(std::rint(std::clamp(sum, -2e9, 2e9)));
  }
  result.effects = blended_effects(flames, weights);
}

// ---- xforms ----

bool all_identity(const std::vector<AffineD>& matrices) {
  return std::all_of(matrices.begin(), matrices.end(),
                     [](const AffineD& matrix) { return matrix == AffineD{}; });
}

/// The same place in every flame, the angles to which its columns wind, and what it weighs.
struct XformBlend {
  std::vector<const Xform*> xforms;
  std::vector<std::array<double, 2>> wind_rad;
  Weights weights;
  bool log_type;

  AffineD matrix(AffineD XformValues::*member, bool with_wind) const {
    std::vector<AffineD> matrices;
    for (const Xform* xform : xforms) matrices.push_back(xform->*member);
    if (!log_type) return blend_linear(matrices, weights);
    return blend_log(matrices, weights,
                     with_wind ? wind_rad : std::vector<std::array<double, 2>>{});
  }

  AffineD post_matrix() const {
    std::vector<AffineD> matrices;
    for (const Xform* xform : xforms) matrices.push_back(xform->post);
    return all_identity(matrices) ? AffineD{} : matrix(&XformValues::post, false);
  }

  std::vector<double> values(std::vector<double> XformValues::*member) const {
    std::vector<double> result((xforms[0]->*member).size());
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const std::vector<double>& addends = xforms[k]->*member;
      for (std::size_t i = 0; i < result.size(); ++i) result[i] += weights[k] * addends[i];
    }
    return result;
  }

  double value(double XformValues::*member) const {
    return weighted(weights, [&](std::size_t k) { return xforms[k]->*member; });
  }

  Xform blended() const {
    Xform xform;
    xform.weight = std::max(value(&XformValues::weight), 0.0);
    xform.color = unit(value(&XformValues::color));
    xform.color_speed = unit(value(&XformValues::color_speed));
    xform.opacity = value(&XformValues::opacity);
    xform.animate = value(&XformValues::animate);
    xform.variations = values(&XformValues::variations);
    xform.parameters = values(&XformValues::parameters);
    xform.coefs = matrix(&XformValues::coefs, true);
    xform.post = post_matrix();
    xform.line = xforms[0]->line;
    return xform;
  }
};

/// Multipliers of the transitions from one xform; empty where all are 1.
std::vector<double> blended_chaos(const std::vector<const Xform*>& xforms, const Weights& weights) {
  std::vector<double> chaos(xforms[0]->chaos.size());
  for (std::size_t i = 0; i < chaos.size(); ++i) {
    const bool usual = std::all_of(xforms.begin(), xforms.end(),
                                   [&](const Xform* xform) { return xform->chaos[i] == 1; });
    chaos[i] =
        usual
            ? 1  // exactly, so that a flame without xaos stays one
            : std::max(0.0, weighted(weights, [&](std::size_t k) { return xforms[k]->chaos[i]; }));
  }
  if (std::all_of(chaos.begin(), chaos.end(), [](double entry) { return entry == 1; })) return {};
  return chaos;
}

double smoother(double t) { return t * t * (3 - 2 * t); }

/// What the first of two flames weighs for xform `index` of `count`, of which each begins to move a
/// little after the one before.
double staggered(double weight, double stagger, std::size_t index, std::size_t count) {
  if (count < 2) return weight;  // flam3 divides 0 by 0
  const double others = double(count - 1);
  const double latest_start = stagger * others / double(count);
  const double start = latest_start * (others - double(index)) / others;
  const double duration = 1 - latest_start;
  if (weight <= start) return 0;
  if (weight >= start + duration) return 1;
  return smoother((weight - start) / duration);
}

// ---- keys ----

Weights catmull_rom(double t) {
  const double t2 = t * t, t3 = t2 * t;
  return {(2 * t2 - t - t3) / 2, (3 * t3 - 5 * t2 + 2) / 2, (4 * t2 - 3 * t3 + t) / 2,
          (t3 - t2) / 2};
}

/// Index of the key at which the segment of `time` starts: times up to that of its second key.
std::size_t segment_of(const std::vector<Flame>& keys, double time) {
  const auto second = std::partition_point(keys.begin() + 1, keys.end() - 1,
                                           [&](const Flame& key) { return key.time < time; });
  return std::size_t(second - keys.begin()) - 1;
}

std::vector<const Flame*> flames_of(const std::vector<AlignedFlame>& aligned) {
  std::vector<const Flame*> flames;
  for (const AlignedFlame& one : aligned) flames.push_back(&one.flame);
  return flames;
}

std::string described(const Flame& flame) {
  return flame.source.empty() ? "key flame" : fmt::format("{}:{}", flame.source, flame.line);
}

}  // namespace

void check_keys(const std::vector<Flame>& keys) {
  if (keys.empty()) fail(ErrorKind::input, "no key flames: the file has no <flame>");
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i].time > keys[i - 1].time) continue;
    fail(ErrorKind::input,
         "{}: flame: time=\"{}\" does not come after the time=\"{}\" of the flame before; give the "
         "key flames increasing times",
         described(keys[i]), shortest(keys[i].time), shortest(keys[i - 1].time));
  }
}

void rotate(AlignedFlame& aligned, double degrees, InterpolationType type) {
  const exact::SinCos turn = exact::sincos(degrees / 360 * two_pi);
  for (std::size_t i = 0; i < aligned.flame.xforms.size(); ++i) {
    Xform& xform = aligned.flame.xforms[i];
    if (xform.animate == 0) continue;
    if (i < aligned.padding.size() && aligned.padding[i] && type != InterpolationType::log)
      continue;
    AffineD& m = xform.coefs;
    const AffineD before = m;
    m.a = before.a * turn.c - before.d * turn.s;
    m.d = before.a * turn.s + before.d * turn.c;
    m.b = before.b * turn.c - before.e * turn.s;
    m.e = before.b * turn.s + before.e * turn.c;
  }
}

void set_references(AlignedFlame& from, AlignedFlame& to) {
  to.wind_rad.assign(to.flame.xforms.size(), {0, 0});
  for (std::size_t i = 0; i < to.flame.xforms.size(); ++i) {
    const Xform &first = from.flame.xforms[i], &second = to.flame.xforms[i];
    const std::array from_rad = {exact::atan2(first.coefs.d, first.coefs.a),
                                 exact::atan2(first.coefs.e, first.coefs.b)};
    const std::array to_rad = {exact::atan2(second.coefs.d, second.coefs.a),
                               exact::atan2(second.coefs.e, second.coefs.b)};
    for (std::size_t side = 0; side < 2; ++side) {
      const double start = from_rad[side];
      const double end = unwound(to_rad[side], start);
      if (second.animate == 0 && first.animate != 0) to.wind_rad[i][side] = start + two_pi;
      if (first.animate == 0 && second.animate != 0) to.wind_rad[i][side] = end + two_pi;
    }
  }
}

FlameBlend::FlameBlend(std::vector<AlignedFlame> aligned) : aligned_(std::move(aligned)) {
  palettes_ = std::make_unique<const PaletteBlend>(flames_of(aligned_));
}
FlameBlend::~FlameBlend() = default;

Flame FlameBlend::at(const Weights& weights, double time, double stagger) const {
  KILN_CHECK(aligned_.size() == weights.size(), "{} flames, {} weights", aligned_.size(),
             weights.size());
  const std::vector<const Flame*> flames = flames_of(aligned_);
  const Flame& first = *flames[0];
  const bool log_type = first.interpolation_type == InterpolationType::log;

  Flame result = first;  // what is not blended below is the first flame's
  result.name.clear();
  result.time = time;
  result.interpolation = Interpolation::linear;
  blend_settings(flames, weights, result);
  result.palette = palettes_->at(weights);

  const std::size_t xform_count = first.xforms.size();
  for (std::size_t i = 0; i < xform_count; ++i) {
    XformBlend xform{{}, {}, weights, log_type};
    for (const AlignedFlame& one : aligned_) {
      xform.xforms.push_back(&one.flame.xforms[i]);
      xform.wind_rad.push_back(one.wind_rad[i]);
    }
    if (stagger > 0 && weights.size() == 2) {
      const double share = staggered(weights[0], stagger, i, xform_count);
      xform.weights = {share, 1 - share};
    }
    result.xforms[i] = xform.blended();
    result.xforms[i].chaos = blended_chaos(xform.xforms, weights);
  }
  if (first.final_xform) {
    XformBlend xform{{}, {}, weights, log_type};
    for (const Flame* flame : flames) xform.xforms.push_back(&*flame->final_xform);
    result.final_xform = xform.blended();
  }
  return result;
}

Interpolator::Interpolator(const std::vector<Flame>& keys, double stagger)
    : keys_(keys), stagger_(stagger) {
  check_keys(keys);
}
Interpolator::~Interpolator() = default;

Flame Interpolator::at(double time) {
  if (keys_.size() == 1) return keys_[0];

  const std::size_t start = segment_of(keys_, time);
  const Flame &before = keys_[start], &after = keys_[start + 1];
  const double share_of_before = (after.time - time) / (after.time - before.time);
  const double share_of_after = 1 - share_of_before;

  const bool has_neighbours = start >= 1 && start + 2 < keys_.size();
  const bool smooth = before.interpolation == Interpolation::smooth && has_neighbours;
  if (!blend_ || segment_ != start) {
    const auto first = keys_.begin() + std::ptrdiff_t(start) - (smooth ? 1 : 0);
    blend_ = std::make_unique<FlameBlend>(align({first, first + (smooth ? 4 : 2)}));
    segment_ = start;
  }
  if (smooth) return blend_->at(catmull_rom(share_of_after), time);
  return blend_->at({share_of_before, share_of_after}, time, stagger_);
}

Flame interpolate(const std::vector<Flame>& keys, double time, double stagger) {
  return Interpolator(keys, stagger).at(time);
}

}  // namespace kiln
