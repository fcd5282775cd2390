// SPDX-License-Identifier: MIT
// Giving flames the same structure before they are blended (flam3-pipeline.md section 13.2). A
// missing xform must fade in and out without a jump, so it starts as an identity. Which one depends
// on what it becomes: blending linear with spherical, say, passes through wild maps unless the
// identity is turned by half a turn and has weight -1.
#include <algorithm>
#include <array>

#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/model/exact_math.h"
#include "engine/model/meanings.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

std::size_t variation_index(const char* name) {
  const auto index = find_variation(name);
  KILN_CHECK(index, "variation {}", name);
  return std::size_t(*index);
}

/// Parameters of a variation: first and past the last index in XformValues::parameters.
struct ParameterRange {
  std::size_t begin, end;
};
ParameterRange parameters_of(std::size_t variation) {
  const VariationInfo& info = variations()[variation];
  const auto begin = std::size_t(info.first_parameter);
  return {begin, begin + info.parameters.size()};
}

/// A variation that with these parameters is the identity at weight 1.
struct NeutralVariation {
  std::size_t variation;
  std::vector<std::pair<std::size_t, double>> parameters;  // index, value; others stay
};

NeutralVariation neutral(const char* name,
                         std::initializer_list<std::pair<const char*, double>> parameters) {
  NeutralVariation entry{variation_index(name), {}};
  for (const auto& [parameter, value] : parameters) {
    const auto index = find_parameter(parameter);
    KILN_CHECK(index, "parameter {}", parameter);
    entry.parameters.emplace_back(std::size_t(*index), value);
  }
  return entry;
}

const std::vector<NeutralVariation>& neutral_variations() {
  static const std::vector<NeutralVariation> table = {
      neutral("rectangles", {{"rectangles_x", 0}, {"rectangles_y", 0}}),
      neutral("rings2", {{"rings2_val", 0}}),
      neutral("fan2", {{"fan2_x", 0}, {"fan2_y", 0}}),
      neutral("blob", {{"blob_low", 1}, {"blob_high", 1}, {"blob_waves", 1}}),
      neutral("perspective", {{"perspective_angle", 0}}),
      neutral("curl", {{"curl_c1", 0}, {"curl_c2", 0}}),
      neutral("super_shape", {{"super_shape_n1", 2},
                              {"super_shape_n2", 2},
                              {"super_shape_n3", 2},
                              {"super_shape_rnd", 0},
                              {"super_shape_holes", 0}}),
  };
  return table;
}

template <std::size_t Count>
std::array<std::size_t, Count> indices(const std::array<const char*, Count>& names) {
  std::array<std::size_t, Count> found{};
  std::transform(names.begin(), names.end(), found.begin(), variation_index);
  return found;
}

Xform padding_xform(std::size_t index) {
  Xform xform;
  xform.color = double(index % 2);
  xform.variations.assign(std::size_t(variation_count()), 0.0);
  xform.variations[0] = 1;  // linear
  xform.parameters = default_parameters();
  return xform;
}

void complete_vectors(Xform& xform) {  // flames made in memory may leave them short
  xform.variations.resize(std::size_t(variation_count()), 0.0);
  const std::vector<double>& defaults = default_parameters();
  for (std::size_t p = xform.parameters.size(); p < defaults.size(); ++p)
    xform.parameters.push_back(defaults[p]);
}

AlignedFlame padded(const Flame& flame, std::size_t xform_count, std::size_t finals) {
  const bool with_final = finals > 0;
  AlignedFlame aligned{flame, {}, false, {}};
  std::vector<Xform>& xforms = aligned.flame.xforms;
  aligned.padding.assign(xforms.size(), false);
  aligned.padding.resize(xform_count, true);
  aligned.wind_rad.assign(xform_count, {0, 0});
  for (std::size_t i = xforms.size(); i < xform_count; ++i) xforms.push_back(padding_xform(i));
  if (with_final && !flame.final_xform) {
    aligned.final_padding = true;
    aligned.flame.final_xform = padding_xform(xform_count);
    aligned.flame.final_xform->animate = 0;
    aligned.flame.final_xform->color_speed = 0;
  }
  std::vector<Xform>& more = aligned.flame.more_finals;
  while (more.size() + 1 < finals) {
    more.push_back(padding_xform(xform_count));
    more.back().animate = more.back().color_speed = 0;
  }
  for (Xform& xform : more) complete_vectors(xform);
  for (Xform& xform : xforms) {
    complete_vectors(xform);
    xform.chaos.resize(xform_count, 1.0);
  }
  if (aligned.flame.final_xform) complete_vectors(*aligned.flame.final_xform);
  return aligned;
}

/// One of several xforms with the same place in their flames.
struct Place {
  Xform* xform = nullptr;
  bool padding = false;
};
Place place(AlignedFlame& aligned, std::size_t index) {
  if (index < aligned.flame.xforms.size())
    return {&aligned.flame.xforms[index], aligned.padding[index]};
  const std::size_t behind = index - aligned.flame.xforms.size();
  if (behind > 0) return {&aligned.flame.more_finals[behind - 1], false};
  return {&*aligned.flame.final_xform, aligned.final_padding};
}

/// A variation that fades in has from the start the parameters that it will have.
void copy_parameters(Xform& xform, const Xform& neighbor) {
  constexpr std::size_t first_with_parameters = 23;  // flam3: blob; all before have none
  static const std::size_t flower = variation_index("flower");
  for (std::size_t v = first_with_parameters; v < xform.variations.size(); ++v) {
    if (xform.variations[v] != 0 || neighbor.variations[v] == 0) continue;
    ParameterRange range = parameters_of(v);
    if (v == flower) range.end = range.begin + 1;  // flam3 forgets flower_holes
    for (std::size_t p = range.begin; p < range.end; ++p)
      xform.parameters[p] = neighbor.parameters[p];
  }
}

/// Gives an xform the pre_ and post_ forms that its neighbor has, with weight 0.
void copy_forms(Xform& xform, const Xform& neighbor) {
  for (std::size_t s = 0; s < neighbor.staged.size(); ++s) {
    const StagedVariation& form = neighbor.staged[s];
    StagedVariation& mine = staged_form(xform.staged, form, use_of(neighbor.staged, s));
    if (mine.weight == 0) mine.parameters = form.parameters;
  }
}

/// Gives one place of all flames the same forms in the same order, so that they blend.
void align_forms(std::vector<AlignedFlame>& aligned, std::size_t index) {
  Xform& first = *place(aligned[0], index).xform;
  for (AlignedFlame& flame : aligned) copy_forms(first, *place(flame, index).xform);
  const std::vector<StagedVariation> all = first.staged;
  for (AlignedFlame& flame : aligned) {
    Xform& xform = *place(flame, index).xform;
    const std::vector<StagedVariation> own = std::move(xform.staged);
    xform.staged = all;
    for (std::size_t s = 0; s < all.size(); ++s) {
      StagedVariation& form = xform.staged[s];
      int before = use_of(all, s);
      const auto mine = std::find_if(own.begin(), own.end(), [&](const StagedVariation& one) {
        return one.stage == form.stage && one.variation == form.variation && before-- == 0;
      });
      if (mine == own.end()) {
        form.weight = 0;
      } else {
        form = *mine;
      }
    }
  }
}

bool any_uses(const std::vector<const Xform*>& xforms, std::size_t variation) {
  return std::any_of(xforms.begin(), xforms.end(),
                     [&](const Xform* xform) { return xform->variations[variation] > 0; });
}

/// Replaces a padding xform's plain identity by one that suits the neighbors with its index.
void choose_identity(Xform& xform, const std::vector<const Xform*>& neighbors, bool log_type) {
  static const auto inverting = indices(
      std::array{"spherical", "ngon", "julian", "juliascope", "polar", "wedge_sph", "wedge_julia"});
  static const auto swapping = indices(std::array{"fan", "rings"});
  constexpr std::size_t linear = 0;

  const auto used = [&](std::size_t variation) { return any_uses(neighbors, variation); };
  if (log_type && std::any_of(inverting.begin(), inverting.end(), used)) {
    xform.variations[linear] = -1;
    xform.coefs = {.a = -1, .d = 0, .b = 0, .e = -1, .c = 0, .f = 0};
    return;
  }
  double sum = 0;
  const auto take = [&](std::size_t variation) {
    xform.variations[variation] = 1;
    sum += 1;
  };
  for (const NeutralVariation& entry : neutral_variations()) {
    if (!used(entry.variation)) continue;
    take(entry.variation);
    for (const auto& [parameter, value] : entry.parameters) xform.parameters[parameter] = value;
  }
  if (sum == 0) {
    for (std::size_t variation : swapping)
      if (used(variation)) take(variation);
    if (sum > 0) xform.coefs = {.a = 0, .d = 1, .b = 1, .e = 0, .c = 0, .f = 0};
  }
  xform.variations[linear] = sum > 0 ? 0 : 1;
  if (sum > 0)
    for (double& weight : xform.variations) weight /= sum;
}

bool of_old_type(InterpolationType type) {
  return type == InterpolationType::old || type == InterpolationType::older;
}

bool same_structure(const std::vector<Flame>& flames) {
  return std::all_of(flames.begin(), flames.end(), [&](const Flame& flame) {
    return flame.xforms.size() == flames[0].xforms.size() &&
           flame.final_xform.has_value() == flames[0].final_xform.has_value();
  });
}

/// Opacity is a root of a sample's weight in flam3 and the weight itself in other programs: among
/// flames of several it is what the first one means by it.
void use_opacity_of(const Flame& first, Flame& flame) {
  constexpr double log2_of_10 = 3.32192809488736234787;
  const bool as_flam3 = first.dialect == Dialect::flam3;
  if ((flame.dialect == Dialect::flam3) == as_flam3) return;
  const double power = as_flam3 ? 1 / log2_of_10 : log2_of_10;
  for (Xform& xform : flame.xforms) {
    if (xform.opacity > 0 && xform.opacity != 1)
      xform.opacity = exact::exp(power * exact::log(xform.opacity));
  }
}

}  // namespace

std::vector<AlignedFlame> align(const std::vector<Flame>& flames) {
  std::size_t xform_count = 0;
  std::size_t finals = 0;
  for (const Flame& flame : flames) {
    xform_count = std::max(xform_count, flame.xforms.size());
    if (flame.final_xform) finals = std::max(finals, 1 + flame.more_finals.size());
  }
  std::vector<AlignedFlame> aligned;
  for (const Flame& flame : flames) {
    aligned.push_back(padded(flame, xform_count, finals));
    use_opacity_of(flames[0], aligned.back().flame);
  }
  for (std::size_t i = 0; i < xform_count + finals; ++i) align_forms(aligned, i);

  const std::size_t count = flames.size();
  if (count < 2 || of_old_type(flames[count / 2 - 1].interpolation_type)) return aligned;

  const bool needs_identities = !same_structure(flames);
  for (std::size_t k = 0; k < count; ++k) {
    // flam3 decides by the flame before, and by the first flame itself.
    const bool log_type = flames[k == 0 ? 0 : k - 1].interpolation_type == InterpolationType::log;
    for (std::size_t i = 0; i < xform_count + finals; ++i) {
      const Place here = place(aligned[k], i);
      copy_parameters(*here.xform, *place(aligned[k == 0 ? 1 : k - 1], i).xform);
      if (!here.padding || !needs_identities) continue;
      std::vector<const Xform*> neighbors;
      if (k > 0 && !place(aligned[k - 1], i).padding)
        neighbors.push_back(place(aligned[k - 1], i).xform);
      if (k + 1 < count && !place(aligned[k + 1], i).padding)
        neighbors.push_back(place(aligned[k + 1], i).xform);
      choose_identity(*here.xform, neighbors, log_type);
    }
  }
  return aligned;
}

}  // namespace kiln
