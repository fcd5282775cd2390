// SPDX-License-Identifier: MIT
#include "engine/program/structure.h"

#include <algorithm>
#include <cmath>

#include "engine/model/formula.h"
#include "engine/model/meanings.h"
#include "engine/model/variations.h"
#include "kernels/variations/fine.h"

namespace kiln {
namespace {

const VariationInfo::Traits& traits_of(const Form& form) { return info_of(form.variation).traits; }

/// pre_blur, which is a variation of its own in flam3, comes before the others; what takes depth
/// away after them.
int place_in_line(const Form& form) {
  const bool pre = (traits_of(form).forms[std::size_t(form.stage)] & stage_mask) == stage_pre;
  if (pre) return form.staged ? 1 : 0;
  if (form.stage == Stage::post || form.stage == Stage::post_add) return 4;
  return traits_of(form).only_depth && traits_of(form).restarts ? 3 : 2;
}

bool makes_depth(const VariationInfo::Traits& traits, const double* parameters) {
  if (traits.makes_depth == makes_depth_never) return false;
  return traits.makes_depth == makes_depth_always || parameters[traits.makes_depth] != 0;
}

/// The forms in the order of their work; a flat picture does without those that change depth alone.
std::vector<Form> list_of(const std::vector<char>& used, const std::vector<Form>& staged,
                          bool has_z) {
  std::vector<Form> list;
  for (std::size_t v = 0; v < used.size(); ++v)
    if (used[v]) list.push_back({int(v), Stage::regular, false});
  list.insert(list.end(), staged.begin(), staged.end());
  if (!has_z) std::erase_if(list, [](const Form& form) { return traits_of(form).only_depth; });
  std::stable_sort(list.begin(), list.end(), [](const Form& a, const Form& b) {
    return place_in_line(a) < place_in_line(b);
  });
  return list;
}

bool is_flattened(const std::vector<char>& used) {
  static const std::size_t flatten = std::size_t(find_variation("flatten").value());
  return flatten < used.size() && used[flatten];
}

template <class... Vs>
bool has_fine_formula(VariationList<Vs...>, int variation) {
  static_assert(
      ((!fine::has_formula<Vs> || Vs::info.parameter_count <= most_fine_parameters) && ...));
  static constexpr bool table[] = {fine::has_formula<Vs>...};
  return table[variation];
}

}  // namespace

bool Structure::extended() const {
  const auto is_extended = [](const Form& form) {
    return form.staged || form.variation >= flam3_variation_count();
  };
  return has_z || tilted || final_count > 1 ||
         std::any_of(forms.begin(), forms.end(), [&](const std::vector<Form>& list) {
           return std::any_of(list.begin(), list.end(), is_extended);
         });
}

bool Structure::has_jwildfires() const {
  if (final_count > 1) return true;
  for (const std::vector<Form>& list : forms)
    for (const Form& form : list)
      if (form.variation >= ExtendedVariations::size) return true;
  return false;
}

bool Structure::has_formulas() const {
  for (const std::vector<Form>& list : forms)
    for (const Form& form : list)
      if (is_formula(form.variation)) return true;
  return false;
}

bool Structure::has_plain_formulas() const {
  if (!has_formulas() || has_z || has_xaos || tilted || final_count > 0) return false;
  const auto is_plain = [](const Form& form) {
    const i32 stage = traits_of(form).forms[std::size_t(form.stage)] & stage_mask;
    return stage == stage_regular && !traits_of(form).changes_color &&
           (is_formula(form.variation) || form.variation < flam3_variation_count());
  };
  return std::all_of(forms.begin(), forms.end(), [&](const std::vector<Form>& list) {
    return std::all_of(list.begin(), list.end(), is_plain);
  });
}

bool Structure::can_be_fine() const {
  if (extended()) return false;
  for (const std::vector<Form>& list : forms)
    for (const Form& form : list)
      if (!has_fine_formula(Flam3Variations{}, form.variation)) return false;
  return true;
}

bool colors_directly(const std::vector<Form>& forms) {
  return std::any_of(forms.begin(), forms.end(),
                     [](const Form& form) { return traits_of(form).changes_color; });
}

void StructureFinder::add(const Flame& flame) {
  count_ = std::max(count_, flame.xforms.size());
  if (used_.size() < count_) used_.resize(count_);
  for (std::size_t f = 0; f < flame.xforms.size(); ++f) add(flame.xforms[f], used_[f]);
  const int finals = finals_of(flame);
  if (int(finals_used_.size()) < finals) finals_used_.resize(std::size_t(finals));
  if (finals > 0) add(*flame.final_xform, finals_used_[0]);
  for (std::size_t k = 1; k < std::size_t(finals); ++k)
    add(flame.more_finals[k - 1], finals_used_[k]);
  found_.final_count = std::max(found_.final_count, finals);
  found_.has_xaos = found_.has_xaos || has_xaos(flame);
  const DepthCamera& camera = flame.depth_camera;
  found_.tilted |= camera.perspective != 0 || camera.pitch_rad != 0 || camera.blur != 0 ||
                   camera.projection != Projection::plane;
}

void StructureFinder::add(const XformValues& xform, Used& used) {
  used.variations.resize(std::size_t(variation_count()));
  const auto look_at = [&](int variation, const double* parameters) {
    const VariationInfo::Traits& traits = info_of(variation).traits;
    used.reads_depth |= traits.reads_depth;
    used.makes_depth |= makes_depth(traits, parameters);
  };
  for (std::size_t v = 0; v < used.variations.size(); ++v) {
    if (xform.variations[v] == 0) continue;
    used.variations[v] = 1;
    look_at(int(v), xform.parameters.data() + variations()[v].first_parameter);
  }
  for (std::size_t s = 0; s < xform.staged.size(); ++s) {
    const StagedVariation& staged = xform.staged[s];
    if (staged.weight == 0) continue;
    const Form form{staged.variation, staged.stage, true, use_of(xform.staged, s)};
    if (std::find(used.staged.begin(), used.staged.end(), form) == used.staged.end())
      used.staged.push_back(form);
    look_at(staged.variation, staged.parameters.data());
  }
}

bool StructureFinder::has_more_than_flam3s() const {
  const auto has_more = [](const Used& used) {
    const auto others = used.variations.begin() + flam3_variation_count();
    return !used.staged.empty() ||
           std::find(others, used.variations.end(), 1) != used.variations.end();
  };
  return std::any_of(used_.begin(), used_.end(), has_more) ||
         std::any_of(finals_used_.begin(), finals_used_.end(), has_more);
}

/// Depth matters where something makes it and something shows it: the camera, or a variation whose
/// place in the plane depends on it. What an xform makes before it flattens the sum stays there.
bool StructureFinder::keeps_z() const {
  if (found_.tilted && has_more_than_flam3s()) return true;  // what a form makes of 0 may not be 0
  bool makes = false, reads = found_.tilted;
  const auto look_at = [&](const Used& used) {
    reads |= used.reads_depth;
    makes |= used.makes_depth && (used.reads_depth || !is_flattened(used.variations));
  };
  for (const Used& used : used_) look_at(used);
  for (const Used& used : finals_used_) look_at(used);
  return makes && reads;
}

Structure StructureFinder::found() {
  found_.xform_count = int(count_);
  found_.has_z = keeps_z();
  found_.forms.clear();
  for (const Used& used : used_)
    found_.forms.push_back(list_of(used.variations, used.staged, found_.has_z));
  for (const Used& used : finals_used_)
    found_.forms.push_back(list_of(used.variations, used.staged, found_.has_z));
  return found_;
}

int finals_of(const Flame& flame) {
  return flame.final_xform ? 1 + int(flame.more_finals.size()) : 0;
}

bool has_xaos(const Flame& flame) {
  for (const Xform& xform : flame.xforms) {
    for (double c : xform.chaos) {
      if (std::fabs(c - 1) > 1e-10) return true;
    }
  }
  return false;
}

Structure folded(const Structure& structure, const SymmetryGroup& group) {
  Structure images = structure;
  images.forms.clear();
  for (const int f : group.others())
    images.forms.insert(images.forms.end(), std::size_t(group.order()),
                        structure.forms[std::size_t(f)]);
  images.xform_count = int(images.forms.size());
  images.forms.insert(images.forms.end(), structure.forms.end() - structure.final_count,
                      structure.forms.end());
  return images;
}

}  // namespace kiln
