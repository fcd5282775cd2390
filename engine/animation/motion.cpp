// Motion elements: periodic changes of an xform within one loop (flam3-pipeline.md section 14).
#include <algorithm>
#include <cmath>

#include "engine/animation/interpolate.h"
#include "engine/model/exact_math.h"
#include "engine/model/staged.h"

namespace kiln {
namespace {

void add_scaled(std::vector<double>& values, const std::vector<double>& amplitudes, double factor) {
  const std::size_t count = std::min(values.size(), amplitudes.size());
  for (std::size_t i = 0; i < count; ++i) values[i] += amplitudes[i] * factor;
}

/// A form that the xform has not begins with the amplitude alone.
void add_scaled(std::vector<StagedVariation>& forms, const std::vector<StagedVariation>& amplitudes,
                double factor) {
  for (const StagedVariation& amplitude : amplitudes) {
    StagedVariation& form = staged_form(forms, amplitude);
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
  return moved;
}

}  // namespace kiln
