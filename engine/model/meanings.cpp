// SPDX-License-Identifier: MIT
#include "engine/model/meanings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/base/error.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

using Version = std::array<int, 3>;

constexpr Version in_2024 = {24, 24, 12}, in_2025 = {25, 25, 12};
constexpr Version always = {0, 0, 0};

enum class Where { anywhere, in_depth };

/// A name of a variation in all forms; if it has pre_ or post_, of that form alone.
struct TwinName {
  Meaning meaning;
  const char *name, *meant;
  Version since = always;
  Where where = Where::anywhere;
};

constexpr TwinName twin_names[] = {
    {Meaning::fractorium, "sin", "ember_sin", first_own_version},
    {Meaning::fractorium, "cos", "ember_cos", first_own_version},
    {Meaning::fractorium, "tan", "ember_tan", first_own_version},
    {Meaning::fractorium, "sec", "ember_sec", first_own_version},
    {Meaning::fractorium, "csc", "ember_csc", first_own_version},
    {Meaning::fractorium, "cot", "ember_cot", first_own_version},
    {Meaning::fractorium, "sinh", "ember_sinh", first_own_version},
    {Meaning::fractorium, "cosh", "ember_cosh", first_own_version},
    {Meaning::fractorium, "tanh", "ember_tanh", first_own_version},
    {Meaning::fractorium, "sech", "ember_sech", first_own_version},
    {Meaning::fractorium, "csch", "ember_csch", first_own_version},
    {Meaning::fractorium, "coth", "ember_coth", first_own_version},
    {Meaning::fractorium, "cross", "ember_cross", in_2024},
    {Meaning::fractorium, "fan2", "ember_fan2", in_2024},
    {Meaning::fractorium, "edisc", "ember_edisc", in_2024},
    {Meaning::fractorium, "escher", "ember_escher", in_2024},
    {Meaning::fractorium, "juliascope", "ember_juliascope", in_2024},
    {Meaning::fractorium, "circlecrop", "ember_circlecrop", in_2024},
    {Meaning::fractorium, "curve", "ember_curve", in_2025},
    {Meaning::fractorium, "lazysusan", "ember_lazysusan"},
    {Meaning::fractorium_as_flam3, "lazysusan", "ember_lazysusan"},
    {Meaning::apophysis, "blur_zoom", "apophysis_blur_zoom"},
    {Meaning::apophysis, "falloff2", "apophysis_falloff2"},
    {Meaning::apophysis, "zscale", "apophysis_zscale"},
    {Meaning::apophysis, "bubble", "apophysis_bubble", always, Where::in_depth},
    {Meaning::apophysis, "pre_blur", "pre_apophysis_gaussian_blur", always, Where::in_depth},
    {Meaning::apophysis, "pre_crop", "pre_apophysis_crop", always, Where::in_depth},
    {Meaning::apophysis, "post_crop", "post_apophysis_crop", always, Where::in_depth},
    {Meaning::jwildfire, "bubble", "apophysis_bubble", always, Where::in_depth},
    {Meaning::jwildfire, "zscale", "apophysis_zscale"},
    {Meaning::jwildfire, "lazysusan", "jwildfire_lazysusan"},
    {Meaning::jwildfire, "falloff2", "apophysis_falloff2"},
    {Meaning::jwildfire, "crop", "jwildfire_crop"},
    {Meaning::jwildfire, "circlecrop", "jwildfire_circlecrop"},
    {Meaning::jwildfire, "shredlin", "jwildfire_shredlin"},
    {Meaning::jwildfire, "pre_blur3D", "pre_jwildfire_blur3D"},
    {Meaning::jwildfire, "cylinder", "jwildfire_cylinder", always, Where::in_depth},
    {Meaning::jwildfire, "pre_spherical", "pre_jwildfire_spherical", always, Where::in_depth},
    {Meaning::jwildfire, "post_spherical", "post_jwildfire_spherical", always, Where::in_depth},
    {Meaning::jwildfire, "pre_disc", "pre_jwildfire_disc", always, Where::in_depth},
    {Meaning::jwildfire, "pre_bwraps", "pre_jwildfire_bwraps", always, Where::in_depth},
    {Meaning::jwildfire, "post_bwraps", "post_jwildfire_bwraps", always, Where::in_depth},
    {Meaning::jwildfire, "gaussian", "gaussian_blur"},
    {Meaning::jwildfire, "blur_square", "square"},
};

int index_of(const char* name) {
  const auto found = find_variation(name);
  KILN_CHECK(found, "variation {}", name);
  return *found;
}

NamedForm form_called(const char* name) {
  const auto found = find_form(name);
  KILN_CHECK(found, "form {}", name);
  return *found;
}

struct Twin {
  NamedForm named, meant;
  const TwinName* row;

  bool is_meant(const NamedForm& form) const {
    return form.variation == named.variation &&
           (meant.stage == Stage::regular || form.stage == named.stage);
  }
};
const std::vector<Twin>& twins() {
  static const std::vector<Twin> table = [] {
    std::vector<Twin> made;
    for (const TwinName& row : twin_names) {
      const Twin twin{form_called(row.name), form_called(row.meant), &row};
      KILN_CHECK(variations()[std::size_t(twin.named.variation)].parameters.size() ==
                     variations()[std::size_t(twin.meant.variation)].parameters.size(),
                 "{} and {} have different parameters", row.name, row.meant);
      made.push_back(twin);
    }
    return made;
  }();
  return table;
}

bool is_fractoriums(Meaning meaning) {
  return meaning == Meaning::fractorium || meaning == Meaning::fractorium_as_flam3;
}

// ---- numbers ----

/// Values that Fractorium moves into a range when it reads them.
struct ReadRange {
  const char *variation, *parameter;
  double least, most;
  bool whole;
};
constexpr double no_end = std::numeric_limits<double>::infinity();
constexpr ReadRange read_ranges[] = {
    {"stripes", "stripes_space", 0.5, 5, false},
    {"pie", "pie_thickness", 0, 1, false},
    {"pie", "pie_slices", 1, no_end, true},
    {"wedge", "wedge_count", 1, no_end, true},
    {"wedge_sph", "wedge_sph_count", 1, no_end, true},
};

void keep_in_range(int variation, double* parameters) {
  const VariationInfo& info = info_of(variation);
  for (const ReadRange& range : read_ranges) {
    if (info.name != range.variation) continue;
    for (std::size_t p = 0; p < info.parameters.size(); ++p) {
      if (info.parameters[p].name != range.parameter) continue;
      double& value = parameters[p];
      if (range.whole) value = std::floor(value + 0.5);
      value = std::clamp(value, range.least, range.most);
    }
  }
}

/// Gives distance 0 its effect in Fractorium: 0 of everything, where flam3 divides 0 by 0. A
/// distance that vanishes before the y of any point has it.
void empty_perspective(int variation, double* parameters) {
  constexpr double nearly_none = 1e-30;
  double &angle = parameters[0], &distance = parameters[1];
  if (info_of(variation).name != "perspective" || distance != 0) return;
  angle = 1;  // upright
  distance = nearly_none;
}

/// Since 2024 zero="0" empties what is cropped, and points scatter twice as far.
void convert_cropn(double*, double* p) {
  p[2] *= 2;
  p[3] = p[3] == 0 ? 1 : 0;
}

/// The gain is over the radius of a bubble.
void convert_bwraps(double*, double* p) {
  const double radius = 0.5 * p[0] / (1 + p[1] * p[1]) + 1e-6;
  if (radius > 0) p[2] /= std::sqrt(radius);
}

/// Without a thickness there is a circle: the limit of a thin spiral, not a spiral of full width.
void convert_epispiral(double*, double* p) {
  constexpr double thin = 1e-20;
  if (p[1] == 0) p[1] = thin;
}

/// The weight is that of the parameters, not of the result.
template <int Count>
void weigh_parameters(double* weight, double* p) {
  for (int i = 0; i < Count; ++i) p[i] *= *weight;
  *weight = 1;
}

/// There post_curl3D also counts y the other way.
void convert_post_curl3d(double* weight, double* p) {
  weigh_parameters<3>(weight, p);
  p[1] = -p[1];
}

/// Powers are whole numbers.
void round_power(double*, double* p) { p[0] = std::round(p[0]); }

/// A ring is at least 1e-8 wide, not 1e-10.
void widen_rings2(double*, double* p) { p[0] = std::sqrt(p[0] * p[0] + (1e-8 - 1e-10)); }

/// The gain is that of a cell.
void convert_bwraps2(double*, double* p) {
  if (p[0] > 0) p[2] /= std::sqrt(p[0]);
}

/// Its four factors are shares.
void clamp_falloff2(double*, double* p) {
  for (int i = 2; i < 6; ++i) p[i] = std::clamp(p[i], 0.0, 1.0);
}

enum class Forms { all, post, pre_and_post };

struct Conversion {
  const char* variation;
  Meaning meaning;
  Forms forms;
  void (*apply)(double* weight, double* parameters);
  Version since = always;

  bool is_of(Stage stage) const {
    return forms == Forms::all || stage == Stage::post ||
           (forms == Forms::pre_and_post && stage == Stage::pre);
  }
};
constexpr Conversion conversions[] = {
    {"cropn", Meaning::fractorium, Forms::all, convert_cropn, in_2024},
    {"bwraps", Meaning::apophysis, Forms::all, convert_bwraps},
    {"epispiral", Meaning::apophysis, Forms::all, convert_epispiral},
    {"curl", Meaning::apophysis, Forms::post, weigh_parameters<2>},
    {"curl3D", Meaning::apophysis, Forms::post, weigh_parameters<3>},
    {"curl", Meaning::jwildfire, Forms::post, weigh_parameters<2>},
    {"curl3D", Meaning::jwildfire, Forms::post, convert_post_curl3d},
    {"julian", Meaning::jwildfire, Forms::all, round_power},
    {"juliascope", Meaning::jwildfire, Forms::all, round_power},
    {"julia3D", Meaning::jwildfire, Forms::all, round_power},
    {"julia3Dz", Meaning::jwildfire, Forms::all, round_power},
    {"julian2", Meaning::jwildfire, Forms::all, round_power},
    {"rings2", Meaning::jwildfire, Forms::all, widen_rings2},
    {"bwraps", Meaning::jwildfire, Forms::pre_and_post, convert_bwraps2},
    {"jwildfire_bwraps", Meaning::jwildfire, Forms::pre_and_post, convert_bwraps2},
    {"apophysis_falloff2", Meaning::jwildfire, Forms::all, clamp_falloff2},
};

}  // namespace

NamedForm meant_by(const NamedForm& form, const NameRules& rules) {
  for (const Twin& twin : twins()) {
    const TwinName& row = *twin.row;
    if (!twin.is_meant(form) || row.meaning != rules.meaning || rules.version < row.since ||
        (row.where == Where::in_depth && !rules.may_show_depth))
      continue;
    const bool all_forms = twin.meant.stage == Stage::regular;
    return {all_forms ? form.stage : twin.meant.stage, twin.meant.variation};
  }
  return form;
}

bool may_mean_flam3s(int variation, const NameRules& rules) {
  if (rules.meaning != Meaning::fractorium) return false;
  const NameRules switched{Meaning::fractorium_as_flam3, rules.version, rules.may_show_depth};
  const NamedForm form{Stage::regular, variation};
  if (meant_by(form, rules).variation != meant_by(form, switched).variation) return true;
  return std::any_of(std::begin(conversions), std::end(conversions), [&](const Conversion& one) {
    return one.meaning == rules.meaning && rules.version >= one.since &&
           info_of(variation).name == one.variation;
  });
}

void convert(int variation, Stage stage, const NameRules& rules, double& weight,
             double* parameters) {
  if (is_fractoriums(rules.meaning)) {
    keep_in_range(variation, parameters);
    empty_perspective(variation, parameters);
  }
  for (const Conversion& one : conversions) {
    if (one.meaning == rules.meaning && rules.version >= one.since && one.is_of(stage) &&
        info_of(variation).name == one.variation)
      one.apply(&weight, parameters);
  }
}

std::optional<Extension> extension_to(int extended) {
  static const std::array<Extension, 3> all = {
      Extension{index_of("log"), index_of("logn"), 0, 0, 2.718281828459045},
      Extension{index_of("waves2"), index_of("waves2z"), 5, 5, 0},
      Extension{index_of("splits"), index_of("jwildfire_splits"), 2, 5, 0}};
  for (const Extension& one : all)
    if (one.extended == extended) return one;
  return std::nullopt;
}

StagedVariation& staged_form(std::vector<StagedVariation>& forms, const StagedVariation& like,
                             int use) {
  for (StagedVariation& form : forms)
    if (form.stage == like.stage && form.variation == like.variation && use-- == 0) return form;
  StagedVariation fresh{like.stage, like.variation, 0, {}};
  for (const ParameterInfo& parameter : info_of(like.variation).parameters)
    fresh.parameters.push_back(parameter.default_value);
  forms.push_back(fresh);
  return forms.back();
}

int use_of(const std::vector<StagedVariation>& forms, std::size_t index) {
  return int(std::count_if(
      forms.begin(), forms.begin() + std::ptrdiff_t(index), [&](const StagedVariation& form) {
        return form.stage == forms[index].stage && form.variation == forms[index].variation;
      }));
}

}  // namespace kiln
