// SPDX-License-Identifier: MIT
#include "engine/model/variations.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>

#include "engine/model/formula_names.h"
#include "kernels/variations/all.h"

namespace kiln {
namespace {

/// The XML name of flam3's alternative spelling of a parameter, or the name itself.
std::string canonical_parameter(std::string_view name) {
  constexpr std::string_view short_oscilloscope = "oscope_";
  if (name.starts_with(short_oscilloscope)) {
    return "oscilloscope_" + std::string(name.substr(short_oscilloscope.size()));
  }
  // Re_A, Im_A ... Re_D, Im_D
  const bool is_mobius = name.size() == 4 && (name.starts_with("Re_") || name.starts_with("Im_")) &&
                         name[3] >= 'A' && name[3] <= 'D';
  if (is_mobius) {
    return std::string("mobius_") + (name[0] == 'R' ? "re_" : "im_") + char(name[3] - 'A' + 'a');
  }
  return std::string(name);
}

template <class V>
VariationInfo::Traits traits_of() {
  constexpr i32 pre = runs_before_others<V> ? stage_pre : form_at<V>(stage_pre);
  return {{runs_before_others<V> ? pre : form_at<V>(stage_regular), pre, form_at<V>(stage_post),
           stage_pre | keeps_all, stage_post | keeps_all},
          reads_depth<V>,
          only_depth<V>,
          restarts<V>() != 0 || empties_sum<V>,
          changes_color<V>,
          hides_points<V>,
          weighs_depth<V> && !gives_depth<V>,
          makes_depth<V>(),
          leaves_depth<V>};
}

/// The table entry of one struct: its description, and the values of a fresh object as the
/// defaults.
template <class V>
VariationInfo entry_of(int first_parameter) {
  static_assert(sizeof(V) % sizeof(float) == 0 || sizeof(V) == 1, "members are floats only");
  static_assert(sizeof(V) >= V::info.parameter_count * sizeof(float));
  const V fresh{};
  float members[sizeof(V) / sizeof(float) + 1] = {};
  std::memcpy(members, &fresh, sizeof(V));
  VariationInfo info{V::info.name, first_parameter, {}, draws_random<V>, traits_of<V>()};
  if constexpr (V::info.parameter_count > 0) {
    static_assert(sizeof(V::drawn) == V::info.parameter_count * sizeof(Drawn));
    for (int i = 0; i < V::info.parameter_count; ++i) {
      const Drawn& drawn = V::drawn[i];
      info.parameters.push_back({V::info.parameters[i], double(members[i]), drawn.low, drawn.high,
                                 drawn.is_whole, drawn.has_either_sign});
    }
  }
  return info;
}

template <class... Vs>
std::vector<VariationInfo> make_table(VariationList<Vs...>) {
  std::vector<VariationInfo> table;
  table.reserve(sizeof...(Vs));
  int next_parameter = 0;
  for (const auto info : {&entry_of<Vs>...}) {  // clang nests folds of 256 at most
    table.push_back(info(next_parameter));
    next_parameter += int(table.back().parameters.size());
  }
  return table;
}

std::vector<double> collect_defaults() {
  std::vector<double> defaults;
  for (const VariationInfo& variation : variations()) {
    for (const ParameterInfo& parameter : variation.parameters) {
      defaults.push_back(parameter.default_value);
    }
  }
  return defaults;
}

// Sources of the other names: what Fractorium, Apophysis, its plug-ins and JWildfire write.

struct Alias {
  std::string_view other, ours;  // in small letters
};

constexpr Alias variation_aliases[] = {
    {"linear3d", "linear"},
    {"bwraps2", "bwraps"},
    {"bwraps7", "bwraps"},
    {"log_", "log"},
    {"cross2", "cross"},
    {"sshape", "smartshape"},
    {"scrop", "smartcrop"},
    {"radial_gaussian", "radial_blur"},
    {"dcztransl", "dc_ztransl"},
    {"zclear", "flatten"},
    {"conic2", "conic"},
    {"z_conic", "conic"},
    {"flower2", "flower"},
    {"z_flower", "flower"},
    {"t_epispiral", "epispiral_wf"},
    {"t_heart", "heart_wf"},
    {"t_rose", "rose_wf"},
    {"t_xy_waves", "waves2_wf"},
};

/// Forms with names of their own.
constexpr Alias form_aliases[] = {
    {"pre_gaussian_blur", "pre_blur"},  // flam3's has its place before the others already
    {"pre_spin_z", "pre_rotate_z"},    {"post_spin_z", "post_rotate_z"},
    {"post_zscale_wf", "post_zscale"}, {"post_ztranslate_wf", "post_ztranslate"},
};

/// Beginnings of parameters that are not the name of their variation.
constexpr Alias parameter_aliases[] = {
    {"oscope_", "oscilloscope_"},   {"nb_", "nblur_"},
    {"pow_", "pow_block_"},         {"faber_", ""},
    {"pr_", "projective_"},         {"octa_", "octagon_"},
    {"osco2_", "oscilloscope2_"},   {"mskope_", "minkowskope_"},
    {"phoenix_", "phoenix_julia_"},
};

/// Whole names of parameters.
constexpr Alias whole_parameters[] = {
    {"bubble_x", "bubble2_x"},
    {"bubble_y", "bubble2_y"},
    {"bubble_z", "bubble2_z"},
    {"log_base", "logn_base"},  // of a variation that extends another: engine/model/meanings.h
    {"cs_radius", "circlesplit_radius"},
    {"cs_split", "circlesplit_split"},
    {"circlesplit_cs_radius", "circlesplit_radius"},
    {"circlesplit_cs_split", "circlesplit_split"},
    {"d_spher_weight", "d_spherical_weight"},
    {"d_spherical_d_spher_weight", "d_spherical_weight"},
    {"lt_powx", "lineart_powx"},
    {"lt_powy", "lineart_powy"},
    {"waves2_freqz", "waves2z_freqz"},
    {"waves2_scalez", "waves2z_scalez"},
};

using Index = std::unordered_map<std::string, int>;

const Index& variation_index() {
  static const Index index = [] {
    Index made;
    for (std::size_t v = 0; v < variations().size(); ++v)
      made.emplace(in_small_letters(variations()[v].name), int(v));
    for (const Alias& alias : variation_aliases) {
      const auto ours = made.find(std::string(alias.ours));
      if (ours != made.end()) made.emplace(alias.other, ours->second);
    }
    return made;
  }();
  return index;
}

std::optional<int> find_small(std::string_view name) {
  const auto found = variation_index().find(std::string(name));
  if (found == variation_index().end()) return std::nullopt;
  return found->second;
}

struct Staged {
  Stage stage;
  std::string_view rest;
};
Staged without_stage(std::string_view name) {
  if (name.starts_with("pre_add_")) return {Stage::pre_add, name.substr(8)};
  if (name.starts_with("post_add_")) return {Stage::post_add, name.substr(9)};
  if (name.starts_with("pre_")) return {Stage::pre, name.substr(4)};
  if (name.starts_with("post_")) return {Stage::post, name.substr(5)};
  return {Stage::regular, name};
}

/// variation, parameter.
using ParameterIndex = std::unordered_map<std::string, std::array<int, 2>>;

const ParameterIndex& parameter_index() {
  static const ParameterIndex index = [] {
    ParameterIndex made;
    for (std::size_t v = 0; v < variations().size(); ++v) {
      const VariationInfo& info = variations()[v];
      for (std::size_t p = 0; p < info.parameters.size(); ++p)
        made.emplace(in_small_letters(info.parameters[p].name), std::array{int(v), int(p)});
    }
    return made;
  }();
  return index;
}

const std::array<int, 2>* find_small_parameter(const std::string& name) {
  const auto found = parameter_index().find(name);
  return found == parameter_index().end() ? nullptr : &found->second;
}

/// Finds a parameter by the name that its variation has in another program.
const std::array<int, 2>* find_renamed_parameter(std::string_view name) {
  for (const Alias& alias : variation_aliases) {
    const std::size_t end = alias.other.size();
    if (name.size() <= end || name[end] != '_' || !name.starts_with(alias.other)) continue;
    if (const auto* found =
            find_small_parameter(std::string(alias.ours) + std::string(name.substr(end))))
      return found;
  }
  for (const Alias& alias : parameter_aliases) {
    if (!name.starts_with(alias.other)) continue;
    if (const auto* found = find_small_parameter(std::string(alias.ours) +
                                                 std::string(name.substr(alias.other.size()))))
      return found;
  }
  for (const Alias& alias : whole_parameters)
    if (name == alias.other) return find_small_parameter(std::string(alias.ours));
  const bool is_mobius = name.size() == 4 && (name.starts_with("re_") || name.starts_with("im_"));
  return is_mobius ? find_small_parameter("mobius_" + std::string(name)) : nullptr;
}

constexpr const char* prefixes[form_stages] = {"", "pre_", "post_", "pre_add_", "post_add_"};

/// Puts pre_ and post_ forms behind the other names, each once.
void add_forms(const Xform& xform, std::vector<std::string>& names) {
  for (const StagedVariation& form : xform.staged) {
    const std::string name = form_name(form.stage, form.variation);
    if (form.weight != 0 && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
}

}  // namespace

const std::vector<VariationInfo>& variations() {
  static const std::vector<VariationInfo> table = make_table(AllVariations{});
  return table;
}

const VariationInfo& info_of(int variation) {
  return is_formula(variation) ? info_of_formula(variation) : variations()[std::size_t(variation)];
}

int flam3_variation_count() { return Flam3Variations::size; }

int variation_count() { return AllVariations::size; }

int parameter_count() { return int(default_parameters().size()); }

const std::vector<double>& default_parameters() {
  static const std::vector<double> defaults = collect_defaults();
  return defaults;
}

std::optional<int> find_variation(std::string_view name) {
  for (int i = 0; i < variation_count(); ++i) {
    if (variations()[i].name == name) return i;
  }
  return std::nullopt;
}

std::optional<int> find_parameter(std::string_view name) {
  const std::string canonical = canonical_parameter(name);
  int offset = 0;
  for (const VariationInfo& variation : variations()) {
    for (const ParameterInfo& parameter : variation.parameters) {
      if (parameter.name == canonical) return offset;
      ++offset;
    }
  }
  return std::nullopt;
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return small;
}

std::optional<NamedForm> find_form(std::string_view name) {
  std::string small = in_small_letters(name);
  for (const Alias& alias : form_aliases) {
    if (small == alias.other) {
      small = alias.ours;
      break;
    }
  }
  if (const auto whole = find_small(small)) return NamedForm{Stage::regular, *whole};
  if (const auto formula = FormulaNames::find(small)) return NamedForm{Stage::regular, *formula};
  const Staged staged = without_stage(small);
  if (staged.stage == Stage::regular) return std::nullopt;
  if (const auto rest = find_small(staged.rest)) return NamedForm{staged.stage, *rest};
  if (const auto rest = FormulaNames::find(staged.rest)) return NamedForm{staged.stage, *rest};
  return std::nullopt;
}

std::optional<NamedParameter> find_form_parameter(std::string_view name) {
  std::string small = in_small_letters(name);
  for (const Alias& alias : form_aliases) {
    const std::size_t end = alias.other.size();
    if (small.size() > end && small[end] == '_' && small.starts_with(alias.other)) {
      small = std::string(alias.ours) + small.substr(end);
      break;
    }
  }
  const auto named = [](Stage stage, const std::array<int, 2>* found) {
    return NamedParameter{stage, (*found)[0], (*found)[1]};
  };
  if (const auto* whole = find_small_parameter(small)) return named(Stage::regular, whole);
  if (const auto* renamed = find_renamed_parameter(small)) return named(Stage::regular, renamed);
  const auto of_formula = FormulaNames::find_parameter(small);
  if (of_formula) return named(Stage::regular, &*of_formula);
  const Staged staged = without_stage(small);
  if (staged.stage == Stage::regular) return std::nullopt;
  const std::string rest(staged.rest);
  if (const auto* whole = find_small_parameter(rest)) return named(staged.stage, whole);
  if (const auto* renamed = find_renamed_parameter(rest)) return named(staged.stage, renamed);
  const auto staged_formula = FormulaNames::find_parameter(rest);
  if (staged_formula) return named(staged.stage, &*staged_formula);
  return std::nullopt;
}

std::vector<std::string> other_names(int variation) {
  const std::string& name = variations()[std::size_t(variation)].name;
  const std::string small = in_small_letters(name);
  std::vector<std::string> names;
  for (const Alias& alias : variation_aliases)
    if (alias.ours == small) names.emplace_back(alias.other);
  for (const Alias& alias : form_aliases)
    // "pre_blur" is a variation itself, "pre_rotate_z" a form of one
    if (alias.ours == small || (!find_small(alias.ours) && without_stage(alias.ours).rest == small))
      names.emplace_back(alias.other);
  return names;
}

std::string form_name(Stage stage, int variation) {
  // flam3's pre_blur is its own pre_ form
  if (stage == Stage::pre && find_variation("pre_blur") == variation) return "pre_blur";
  return prefixes[std::size_t(stage)] + FormulaNames::name_of(variation);
}

std::string form_parameter_name(Stage stage, int variation, int parameter) {
  const std::string& name = info_of(variation).parameters[std::size_t(parameter)].name;
  if (!is_formula(variation)) return prefixes[std::size_t(stage)] + name;
  return form_name(stage, variation) + name.substr(info_of(variation).name.size());
}

std::vector<std::string> used_variations(const Flame& flame) {
  const FormulaNames own(flame);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < variations().size(); ++i) {
    const auto uses = [&](const Xform& xform) {
      return i < xform.variations.size() && xform.variations[i] != 0;
    };
    const bool in_final = flame.final_xform && uses(*flame.final_xform);
    if (in_final || std::any_of(flame.more_finals.begin(), flame.more_finals.end(), uses) ||
        std::any_of(flame.xforms.begin(), flame.xforms.end(), uses))
      names.push_back(variations()[i].name);
  }
  for (const Xform& xform : flame.xforms) add_forms(xform, names);
  if (flame.final_xform) add_forms(*flame.final_xform, names);
  for (const Xform& xform : flame.more_finals) add_forms(xform, names);
  return names;
}

}  // namespace kiln
