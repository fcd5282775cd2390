// SPDX-License-Identifier: MIT
#include "engine/animation/interpolate.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/model/exact_math.h"
#include "engine/model/flame_attributes.h"
#include "engine/model/meanings.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

using Weights = std::vector<double>;

/// Sum over k of weights[k] * member(k).
template <class Member>
double weighted(const double* weights, std::size_t count, Member member) {
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) sum += weights[k] * member(k);
  return sum;
}
template <class Member>
double weighted(const Weights& weights, Member member) {
  return weighted(weights.data(), weights.size(), member);
}

double clamped(double value) { return std::clamp(value, 0.0, 1.0); }

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

/// The weighted sum of what get(flame) gives; of several numbers that of each.
template <class Get, class Value>
void blend(const std::vector<const Flame*>& flames, const Weights& weights, Get get,
           Value&& result) {
  using Type = std::remove_cvref_t<Value>;
  if constexpr (std::is_arithmetic_v<Type>) {
    const double sum = weighted(weights, [&](std::size_t k) { return double(get(*flames[k])); });
    result = std::is_integral_v<Type> ? Type(std::rint(std::clamp(sum, -2e9, 2e9))) : Type(sum);
  } else if constexpr (requires { std::tuple_size<Type>::value; }) {
    [&]<std::size_t... part>(std::index_sequence<part...>) {
      (blend(
           flames, weights, [&](const Flame& one) { return std::get<part>(get(one)); },
           std::get<part>(result)),
       ...);
    }
    (std::make_index_sequence<std::tuple_size_v<Type>>());
  }
}

void blend_settings(const std::vector<const Flame*>& flames, const Weights& weights,
                    Flame& result) {
  for (const FlameAttribute& attribute : flame_attributes()) {
    if (attribute.has(FlameAttribute::blends))
      attribute.with_member([&](auto get) { blend(flames, weights, get, get(result)); });
  }
  blend(
      flames, weights, [](const Flame& flame) { return flame.pixel_aspect; }, result.pixel_aspect);
  result.effects = blended_effects(flames, weights);
  std::vector<const CurveMix*> curves;
  for (const Flame* flame : flames) curves.push_back(&flame->curves);
  result.curves = blend_curves(curves, weights);
}

/// Makes backgrounds of one color beside gradients gradients of five equal ones, and gives those between
/// their corners alone the mean of these in the center: so each becomes the other by and by.
void make_backgrounds_alike(std::vector<AlignedFlame>& aligned) {
  BackgroundType type = BackgroundType::single_color;
  for (const AlignedFlame& one : aligned)
    if (has_gradient(one.flame)) type = std::max(type, one.flame.background_type);
  if (type == BackgroundType::single_color) return;
  for (AlignedFlame& one : aligned) {
    Flame& flame = one.flame;
    if (flame.background_type == BackgroundType::single_color)
      for (const auto part : background_parts) flame.*part = flame.background;
    if (flame.background_type == BackgroundType::gradient_2x2)
      for (std::size_t c = 0; c < 3; ++c)
        flame.background_cc[c] = (flame.background_ul[c] + flame.background_ur[c] +
                                  flame.background_ll[c] + flame.background_lr[c]) /
                                 4;
    flame.background_type = type;
  }
}

/// The weight of the first of two flames for xform `index` of `count`, of which each begins to move
/// a little after the one before.
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
  return flame.source.empty() ? "key flame" : flame.place();
}

bool is_identity(const AffineD& matrix) { return matrix == AffineD{}; }

}  // namespace

/// One place in every flame, ready to be blended: it keeps what is blended, which is little of all.
class XformBlend {
 public:
  XformBlend(std::vector<const Xform*> xforms, bool log_type,
             const std::vector<std::array<double, 2>>& wind_rad)
      : xforms_(std::move(xforms)),
        coefs_(maps(&Xform::coefs), log_type, wind_rad),
        post_(maps(&Xform::post), log_type) {
    for (const Xform* xform : xforms_) has_post_ = has_post_ || !is_identity(xform->post);
    const Xform& first = *xforms_[0];
    for (std::size_t v = 0; v < first.variations.size(); ++v) {
      if (!any([v](const Xform& xform) { return xform.variations[v] != 0; })) continue;
      variations_.push_back(v);
      const VariationInfo& info = kiln::variations()[v];
      for (std::size_t p = 0; p < info.parameters.size(); ++p)
        parameters_.push_back(std::size_t(info.first_parameter) + p);
    }
    for (std::size_t to = 0; to < first.chaos.size(); ++to) {
      if (any([to](const Xform& xform) { return xform.chaos[to] != 1; })) chaos_.push_back(to);
    }
  }

  /// Moves all of an xform that is a blend of these already, or a copy of the first of them; what
  /// moves together in all xforms by weights of its own.
  void move(const double* weights, const double* common_weights, Xform& xform) const {
    const auto value = [&](double XformValues::*member) {
      return sum(weights, [&](const Xform& one) { return one.*member; });
    };
    xform.weight = std::max(value(&XformValues::weight), 0.0);
    xform.color = clamped(value(&XformValues::color));
    xform.color_speed = clamped(value(&XformValues::color_speed));
    xform.opacity = value(&XformValues::opacity);
    xform.animate = value(&XformValues::animate);
    for (std::size_t v : variations_)
      xform.variations[v] = sum(weights, [v](const Xform& one) { return one.variations[v]; });
    for (std::size_t p : parameters_)
      xform.parameters[p] = sum(weights, [p](const Xform& one) { return one.parameters[p]; });
    for (std::size_t s = 0; s < xform.staged.size(); ++s) move_form(weights, s, xform.staged[s]);
    xform.direct_color = value(&XformValues::direct_color);
    xform.coefs = coefs_.at(weights);
    if (has_post_) xform.post = post_.at(weights);
    move_chaos(common_weights, xform);  // flam3 does not stagger it
  }

 private:
  template <class Member>
  double sum(const double* weights, Member member) const {
    return weighted(weights, xforms_.size(), [&](std::size_t k) { return member(*xforms_[k]); });
  }
  template <class Condition>
  bool any(Condition condition) const {
    return std::any_of(xforms_.begin(), xforms_.end(),
                       [&](const Xform* xform) { return condition(*xform); });
  }
  std::vector<AffineD> maps(AffineD XformValues::*member) const {
    std::vector<AffineD> list;
    for (const Xform* xform : xforms_) list.push_back(xform->*member);
    return list;
  }

  /// A pre_ or post_ form; aligned flames have the same ones.
  void move_form(const double* weights, std::size_t s, StagedVariation& form) const {
    form.weight = sum(weights, [s](const Xform& one) { return one.staged[s].weight; });
    for (std::size_t p = 0; p < form.parameters.size(); ++p)
      form.parameters[p] =
          sum(weights, [s, p](const Xform& one) { return one.staged[s].parameters[p]; });
  }

  /// Multipliers of the transitions; none where all are 1. Those that are 1 everywhere stay so
  /// exactly, so that a flame without xaos stays one.
  void move_chaos(const double* weights, Xform& xform) const {
    xform.chaos.clear();
    if (chaos_.empty()) return;
    xform.chaos.assign(xforms_[0]->chaos.size(), 1.0);
    bool usual = true;
    for (std::size_t to : chaos_) {
      double& entry = xform.chaos[to];
      entry = std::max(0.0, sum(weights, [to](const Xform& one) { return one.chaos[to]; }));
      usual = usual && entry == 1;
    }
    if (usual) xform.chaos.clear();
  }

  std::vector<const Xform*> xforms_;
  AffineBlend coefs_, post_;
  bool has_post_ = false;                             // else it stays the exact identity
  std::vector<std::size_t> variations_, parameters_;  // those that some flame has
  std::vector<std::size_t> chaos_;                    // entries that are not 1 in all flames
};

void check_keys(const std::vector<Flame>& keys) {
  if (keys.empty()) fail(ErrorKind::input, "no key flames: the file has no <flame>");
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i].time > keys[i - 1].time) continue;
    fail(ErrorKind::input,
         "{}: flame: time=\"{}\" does not come after the time=\"{}\" of the flame before; give the "
         "key flames increasing times, or make a sequence of them, as kiln animate --sequence does",
         described(keys[i]), shortest(keys[i].time), shortest(keys[i - 1].time));
  }
}

void rotate(AlignedFlame& aligned, double degrees, InterpolationType type) {
  const exact::SinCos turn = exact::sincos(degrees / 360 * exact::two_pi);
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
      if (second.animate == 0 && first.animate != 0) to.wind_rad[i][side] = start + exact::two_pi;
      if (first.animate == 0 && second.animate != 0) to.wind_rad[i][side] = end + exact::two_pi;
    }
  }
}

FlameBlend::FlameBlend(std::vector<AlignedFlame> aligned)
    : aligned_(std::move(aligned)), flames_(flames_of(aligned_)) {
  make_backgrounds_alike(aligned_);
  const Flame& first = aligned_.at(0).flame;
  const bool log_type = first.interpolation_type == InterpolationType::log;
  for (std::size_t i = 0; i < first.xforms.size(); ++i) {
    std::vector<const Xform*> same;
    std::vector<std::array<double, 2>> wind_rad;
    for (const AlignedFlame& one : aligned_) {
      same.push_back(&one.flame.xforms[i]);
      wind_rad.push_back(one.wind_rad[i]);
    }
    xforms_.emplace_back(std::move(same), log_type, wind_rad);
  }
  if (first.final_xform) {
    std::vector<const Xform*> same;
    for (const AlignedFlame& one : aligned_) same.push_back(&*one.flame.final_xform);
    xforms_.emplace_back(std::move(same), log_type, std::vector<std::array<double, 2>>{});
  }
  for (std::size_t k = 0; k < first.more_finals.size(); ++k) {
    std::vector<const Xform*> same;
    for (const AlignedFlame& one : aligned_) same.push_back(&one.flame.more_finals[k]);
    xforms_.emplace_back(std::move(same), log_type, std::vector<std::array<double, 2>>{});
  }
  palettes_ = std::make_unique<const PaletteBlend>(flames_);
}
FlameBlend::FlameBlend(FlameBlend&&) noexcept = default;
FlameBlend::~FlameBlend() = default;

Flame FlameBlend::at(const Weights& weights, double time, double stagger) const {
  Flame result = aligned_[0].flame;  // what is not blended is the first flame's
  result.name.clear();
  result.edits.clear();
  result.interpolation = Interpolation::linear;
  result.easing = {};
  result.leave_film();
  result.links.clear();  // of the film, which follows them (film.h)
  for (Xform& xform : result.xforms) xform.motions.clear();
  if (result.final_xform) result.final_xform->motions.clear();
  for (Xform& xform : result.more_finals) xform.motions.clear();
  result.palette = palettes_->at(weights);
  move(weights, time, stagger, result);
  return result;
}

void FlameBlend::move(const Weights& weights, double time, double stagger, Flame& flame) const {
  KILN_CHECK(aligned_.size() == weights.size(), "{} flames, {} weights", aligned_.size(),
             weights.size());
  flame.time = time;
  blend_settings(flames_, weights, flame);
  if (!palettes_->stands_still()) flame.palette = palettes_->at(weights);
  const std::size_t count = flame.xforms.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (stagger > 0 && weights.size() == 2) {
      const double share = staggered(weights[0], stagger, i, count);
      const double own[2] = {share, 1 - share};
      xforms_[i].move(own, weights.data(), flame.xforms[i]);
    } else {
      xforms_[i].move(weights.data(), weights.data(), flame.xforms[i]);
    }
  }
  if (flame.final_xform) xforms_[count].move(weights.data(), weights.data(), *flame.final_xform);
  for (std::size_t k = 0; k < flame.more_finals.size(); ++k)
    xforms_[count + 1 + k].move(weights.data(), weights.data(), flame.more_finals[k]);
}

/// The way between two keys; on a smooth one also their neighbors count.
struct Interpolator::Segment {
  const Flame &before, &after;
  bool smooth;
  FlameBlend blend;

  Weights weights(double time) const {
    double share_of_before = (after.time - time) / (after.time - before.time);
    if (before.easing.kind != EasingKind::linear)
      share_of_before = 1 - eased(before.easing, 1 - share_of_before);
    const double share_of_after = 1 - share_of_before;
    return smooth ? catmull_rom(share_of_after) : Weights{share_of_before, share_of_after};
  }
};

Interpolator::Interpolator(const std::vector<Flame>& keys, double stagger)
    : keys_(keys), stagger_(stagger) {
  check_keys(keys);
}
Interpolator::~Interpolator() = default;

Interpolator::Segment& Interpolator::segment(double time) {
  const std::size_t start = segment_of(keys_, time);
  const auto known = segments_.find(start);
  if (known != segments_.end()) return known->second;
  if (!keeps_segments_) {
    segments_.clear();
    last_ = nullptr;
  }
  const bool has_neighbors = start >= 1 && start + 2 < keys_.size();
  const bool smooth = keys_[start].interpolation == Interpolation::smooth && has_neighbors;
  const auto first = keys_.begin() + std::ptrdiff_t(start) - (smooth ? 1 : 0);
  return segments_
      .emplace(start, Segment{keys_[start], keys_[start + 1], smooth,
                              FlameBlend(align({first, first + (smooth ? 4 : 2)}))})
      .first->second;
}

Flame& Interpolator::at(double time) {
  if (keys_.size() == 1) return flame_ = keys_[0];
  Segment& segment = this->segment(time);
  const double stagger = segment.smooth ? 0 : stagger_;
  if (last_ == &segment) {
    segment.blend.move(segment.weights(time), time, stagger, flame_);
  } else {
    flame_ = segment.blend.at(segment.weights(time), time, stagger);
  }
  last_ = &segment;
  return flame_;
}

std::vector<const Flame*> Interpolator::between(const std::vector<double>& times) {
  if (keys_.size() == 1) return {&keys_[0]};
  keeps_segments_ = true;
  std::vector<const Flame*> flames;
  const Segment* last = nullptr;
  for (double time : times) {
    const Segment& segment = this->segment(time);
    if (&segment == last) continue;
    for (const Flame* flame : segment.blend.flames()) flames.push_back(flame);
    last = &segment;
  }
  return flames;
}

Flame interpolate(const std::vector<Flame>& keys, double time, double stagger) {
  return Interpolator(keys, stagger).at(time);
}

namespace {

// Motion elements: periodic changes of an xform within one loop (flam3-pipeline.md section 14).

void add_scaled(std::vector<double>& values, const std::vector<double>& amplitudes, double factor) {
  const std::size_t count = std::min(values.size(), amplitudes.size());
  for (std::size_t i = 0; i < count; ++i) values[i] += amplitudes[i] * factor;
}

/// A form that the xform has not begins with the amplitude alone.
void add_scaled(std::vector<StagedVariation>& forms, const std::vector<StagedVariation>& amplitudes,
                double factor) {
  for (std::size_t s = 0; s < amplitudes.size(); ++s) {
    const StagedVariation& amplitude = amplitudes[s];
    StagedVariation& form = staged_form(forms, amplitude, use_of(amplitudes, s));
    form.weight += amplitude.weight * factor;
    add_scaled(form.parameters, amplitude.parameters, factor);
  }
}

void add_scaled(AffineD& matrix, const AffineD& amplitude, double factor) {
  matrix.a += amplitude.a * factor;
  matrix.d += amplitude.d * factor;
  matrix.b += amplitude.b * factor;
  matrix.e += amplitude.e * factor;
  matrix.c += amplitude.c * factor;
  matrix.f += amplitude.f * factor;
}

void apply_motion(Xform& xform, double phase) {
  for (const Motion& motion : xform.motions) {
    const double factor = motion_wave(motion.function, motion.frequency * phase);
    xform.weight += motion.weight * factor;
    xform.color += motion.color * factor;
    xform.opacity += motion.opacity * factor;
    xform.color_speed += motion.color_speed * factor;
    xform.animate += motion.animate * factor;
    add_scaled(xform.variations, motion.variations, factor);
    add_scaled(xform.parameters, motion.parameters, factor);
    add_scaled(xform.staged, motion.staged, factor);
    xform.direct_color += motion.direct_color * factor;
    add_scaled(xform.coefs, motion.coefs, factor);
    add_scaled(xform.post, motion.post, factor);
  }
  if (!xform.motions.empty()) {
    xform.color = std::clamp(xform.color, 0.0, 1.0);
    xform.weight = std::max(xform.weight, 0.0);
  }
  xform.motions.clear();
}

}  // namespace

double motion_wave(MotionFunction function, double turns) {
  const double u = turns - std::floor(turns);  // every wave has period 1
  switch (function) {
    case MotionFunction::sin:
      // Not of u: where the sine is 0 flam3 has 1e-16, whose sign may decide how xforms are
      // aligned.
      return exact::sin(exact::two_pi * turns);
    case MotionFunction::triangle:
      if (u <= 0.25) return 4 * u;
      return u <= 0.75 ? 2 - 4 * u : 4 * u - 4;
    case MotionFunction::hill:
      break;
  }
  return (1 - exact::cos(exact::two_pi * u)) * 0.5;
}

Flame apply_motion(const Flame& flame, double phase) {
  Flame moved = flame;
  for (Xform& xform : moved.xforms) apply_motion(xform, phase);
  if (moved.final_xform) apply_motion(*moved.final_xform, phase);
  for (Xform& xform : moved.more_finals) apply_motion(xform, phase);
  return moved;
}

}  // namespace kiln
