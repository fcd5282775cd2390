// SPDX-License-Identifier: MIT
// The rules are the programs' own (docs/reference/variations.md).

#include <tinyxml2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "engine/base/text.h"
#include "engine/io/flame/dialect.h"
#include "engine/io/flame/xform_reader.h"
#include "engine/model/formula.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

constexpr int linear = 0;

/// A weight that is none, of a variation that works all the same.
constexpr double nothing_but_its_effect = 1e-30;

int index_of(const char* name) { return find_variation(name).value(); }

// flam3's own name and nothing else, so that nothing changes for its files
bool is_canonical(std::string_view name, int variation) { return info_of(variation).name == name; }

/// Whether Apophysis counted a form as one with depth before flatten came: it had linear without
/// depth, and linear3D; a transform with one of these forms was one with depth.
bool has_depth_in_apophysis(std::string_view form) {
  static constexpr std::string_view names[] = {
      "bubble",        "cylinder",     "zblur",        "blur3D",     "pre_ztranslate",
      "pre_rotate_x",  "pre_rotate_y", "ztranslate",   "zcone",      "post_rotate_x",
      "post_rotate_y", "julia3D",      "julia3Dz",     "hemisphere", "bwraps",
      "falloff2",      "crop",         "pre_falloff2", "pre_crop",   "post_falloff2",
      "post_crop",     "flatten",      "post_flatten"};
  return std::find(std::begin(names), std::end(names), form) != std::end(names);
}

/// Notes that kiln's picture differs from that of the program that wrote the flame.
void note_differences(const Attribute& a, const NamedParameter& named, double value) {
  if (!a.messages.is_mild()) return;  // kiln's own
  const std::string& parameter =
      info_of(named.variation).parameters[std::size_t(named.parameter)].name;
  const auto note = [&](const char* what) {
    a.messages.warn_once(a.line, parameter,
                         [&] { return fmt::format("{}: {}: {}", a.owner, a.name, what); });
  };
  if (parameter == "crackle_distort" && value != 0)
    note("cells have other shapes here than in other programs, each of which has noise of its own");
  if (parameter == "smartcrop_cropmode" && value == 2)
    note("what is cropped goes to the origin here, not to the last point that was not");
}

/// Whether several of flam3's own in an xform are one of the sum of their weights.
bool is_proportional(int variation) {
  static const std::array<int, 3> not_so = {index_of("scry"), index_of("loonie"),
                                            index_of("secant2")};
  const VariationInfo& info = info_of(variation);
  return variation < flam3_variation_count() && !info.random && info.parameters.empty() &&
         std::find(not_so.begin(), not_so.end(), variation) == not_so.end();
}

/// "log_base" and not "logn_base".
bool is_of_base(std::string_view name, int variation) {
  return in_small_letters(name).find(in_small_letters(info_of(variation).name) + "_") ==
         std::string::npos;
}

}  // namespace

FormReader::FormReader(XformValues& values, const XformRules& rules)
    : values_(values), rules_(rules), usual_(values.parameters) {}

bool FormReader::read_weight(const Attribute& a, int use) {
  const auto form = find_form(a.name);
  if (!form) return false;
  double weight = read_real(a);
  if (weight == 0 && acts_at_0(a.name, *form)) weight = nothing_but_its_effect;
  if (rules_.is_foreign_jwildfire && a.name == "prepost_circlize") {
    add_prepost(*form, weight, use);
    return true;
  }
  const Stage stage = stage_of(a.name, *form, use);
  if (in_small_letters(a.name) == "linear3d" && stage == Stage::regular) {
    linear3d_ += weight;
    if (!rules_.is_foreign_jwildfire) return true;  // there it has a place among the others
  }
  if (stage == Stage::regular && !is_formula(form->variation) &&
      (use == 0 || is_proportional(form->variation))) {
    double& known = values_.variations[std::size_t(form->variation)];
    const bool is_its_weight =
        !rules_.is_foreign_jwildfire && use == 0 && is_canonical(a.name, form->variation);
    known = is_its_weight ? weight : known + weight;
    use = 0;  // a second one adds to the weight of the first
  }
  constexpr int most_uses = 64;  // of an xform; each is written with all its parameters
  if (use > 0 && ++repeated_ > most_uses)
    a.reject("more than {} variations that come again in an xform", most_uses);
  weights_.push_back({stage, form->variation, weight, form->variation, use});
  if (weight != 0) note_power(a, form->variation, use);
  return true;
}

/// `said`: its name as the file has it.
bool FormReader::read_parameter(const Attribute& a, std::string_view said, int use) {
  const auto named = find_form_parameter(a.name);
  if (!named) return false;
  // the one parameter that flam3 clamps; JWildfire's usual value is 3
  const bool share = a.name == "super_shape_rnd" && !rules_.is_foreign_jwildfire;
  const double value = share ? std::clamp(read_real(a), 0.0, 1.0) : read_real(a);
  note_differences(a, *named, value);
  const bool of_base = extension_to(named->variation) && is_of_base(said, named->variation);
  const bool is_known =
      a.name != said;  // to JWildfire; its log and waves2 have no others than flam3's
  if (of_base && rules_.is_foreign_jwildfire && !is_known) {
    a.messages.ignored(a.line, "xform " + std::string(a.name), [&] {
      return fmt::format("{}: {} is none of JWildfire's parameters; it is ignored", a.owner,
                         a.name);
    });
    return true;
  }
  parameters_.push_back({named->stage, named->variation, named->parameter, value, of_base, use});
  if (named->stage == Stage::regular && use == 0 && !is_formula(named->variation))
    regular_parameters(named->variation)[named->parameter] = value;
  return true;
}

bool FormReader::read_bare(const Attribute& a) {
  const auto value = to_real(a.value);
  if (!value) return false;
  for (const Weight& form : weights_) {
    if (form.stage == Stage::regular || form.weight == 0) continue;
    const auto named =
        find_form_parameter(form_name(form.stage, form.variation) + "_" + std::string(a.name));
    if (!named || named->variation != form.variation) continue;
    parameters_.push_back({form.stage, form.variation, named->parameter, *value});
    return true;
  }
  return false;
}

bool FormReader::uses(int variation, Stage stage, int use) const {
  return std::any_of(weights_.begin(), weights_.end(), [&](const Weight& form) {
    return form.variation == variation && form.stage == stage && form.use == use &&
           form.weight != 0;
  });
}

/// The values of parameters that the file leaves out.
const std::vector<double>& FormReader::usual_of_program() const {
  return rules_.is_foreign_jwildfire ? jwildfires_parameters() : default_parameters(rules_.dialect);
}

void FormReader::finish() {
  apply_meanings(usual_of_program());
  use_dialects_defaults();
  convert_regular_forms();
  if (rules_.is_foreign_jwildfire) {
    tell_of_powers();
    hide_what_is_cropped();
    keep_order_of_flatten();
  }
  stage_forms();
  const bool apophysis = rules_.dialect == Dialect::apophysis ||
                         (rules_.dialect == Dialect::jwildfire && !rules_.is_foreign_jwildfire);
  if (apophysis && !rules_.new_linear) flatten_as_apophysis();
  if (!rules_.is_foreign_jwildfire) values_.variations[linear] += linear3d_;
  if (rules_.is_foreign_jwildfire) keep_depth_of_the_flat();
  keep_order_of_pre_blur();
  keep_order_of_restarts();
  pass_the_point_on();
}

void FormReader::finish_motion() {
  apply_meanings(usual_);
  if (!rules_.is_foreign_jwildfire) values_.variations[linear] += linear3d_;
  const std::vector<double> zeros(values_.parameters.size(), 0.0);
  for (const Weight& form : weights_) {
    if (form.stage == Stage::regular && !is_formula(form.variation)) continue;
    values_.staged.push_back({form.stage, form.variation, form.weight, parameters_of(form, zeros)});
  }
}

/// Completes variations in use by their program's values, where the file leaves them out.
void FormReader::use_dialects_defaults() {
  if (rules_.dialect == Dialect::flam3) return;
  const std::vector<double>& usual = usual_of_program();
  for (const Weight& form : weights_) {
    if (form.stage != Stage::regular || form.weight == 0 || form.use > 0 ||
        is_formula(form.variation))
      continue;
    const VariationInfo& info = info_of(form.variation);
    for (std::size_t p = 0; p < info.parameters.size(); ++p)
      values_.parameters[std::size_t(info.first_parameter) + p] =
          usual[std::size_t(info.first_parameter) + p];
  }
  for (const Parameter& given : parameters_) {
    if (given.stage == Stage::regular && given.use == 0 && !is_formula(given.variation))
      regular_parameters(given.variation)[given.parameter] = given.value;
  }
}

/// The parameters given to the form itself, or, if the variation has no regular form here, those
/// given to the variation.
std::vector<double> FormReader::parameters_of(const Weight& form,
                                              const std::vector<double>& usual) const {
  const VariationInfo& info = info_of(form.variation);
  std::vector<double> values;
  if (is_formula(form.variation)) {
    const bool is_motion = &usual != &usual_of_program();  // whose numbers are 0 unless given
    for (const ParameterInfo& parameter : info.parameters)
      values.push_back(is_motion ? 0 : parameter.default_value);
  } else {
    const auto begin = usual.begin() + info.first_parameter;
    values.assign(begin, begin + std::ptrdiff_t(info.parameters.size()));
  }
  for (const Stage stage : {Stage::regular, form.stage}) {
    if (stage != form.stage && uses(form.variation, Stage::regular, form.use)) continue;
    for (const Parameter& given : parameters_) {
      if (given.variation == form.variation && given.stage == stage && given.use == form.use)
        values[std::size_t(given.parameter)] = given.value;
    }
  }
  return values;
}

StagedVariation FormReader::staged(const Weight& form) const {
  StagedVariation made{form.stage, form.variation, form.weight,
                       parameters_of(form, usual_of_program())};
  convert(form.variation, form.stage, rules_.names, made.weight, made.parameters.data());
  if (rules_.is_foreign_jwildfire) invert_prepost(made);
  return made;
}

/// Whether another name has said the same form before, which then is what works: post_linear beside post_linear3D.
bool FormReader::is_said_before(const Weight& form) const {
  for (const Weight& one : weights_) {
    if (&one == &form) break;
    if (one.stage == form.stage && one.variation == form.variation && one.use == form.use &&
        one.weight != 0)
      return true;
  }
  return false;
}

/// Stages the forms in the order of the file, but a form that takes depth away last.
void FormReader::stage_forms() {
  const int flatten = index_of("flatten");
  const bool flatten_keeps_place = rules_.is_foreign_jwildfire || rules_.is_kilns;
  for (const bool last : {false, true}) {
    for (const Weight& form : weights_) {
      const bool has_place = form.stage != Stage::regular || form.use > 0;
      if ((!has_place && !is_formula(form.variation)) || form.weight == 0) continue;
      if ((form.variation == flatten && !flatten_keeps_place) != last) continue;
      if (!rules_.is_foreign_jwildfire && is_said_before(form)) continue;
      values_.staged.push_back(staged(form));
    }
  }
}

void FormReader::flatten_as_apophysis() {
  if (linear3d_ != 0) return;
  for (const Weight& form : weights_) {
    if (form.weight != 0 && has_depth_in_apophysis(form_name(form.stage, form.named))) return;
    if (form.variation == index_of("curl3D") && form.stage == Stage::regular &&
        values_.parameters[std::size_t(find_parameter("curl3D_cz").value())] != 0)
      return;
  }
  values_.variations[std::size_t(index_of("flatten"))] = 1;
}

/// pre_blur comes first, as in flam3, unless there are other pre_ forms among which it has a place.
void FormReader::keep_order_of_pre_blur() {
  const int pre_blur = index_of("pre_blur");
  const bool alone =
      std::none_of(values_.staged.begin(), values_.staged.end(),
                   [](const StagedVariation& form) { return form.stage == Stage::pre; });
  if (regular_weight(pre_blur) == 0 || alone) return;
  std::size_t before = 0;
  for (const Weight& form : weights_) {
    if (form.variation == pre_blur) break;
    before += (form.stage != Stage::regular || form.use > 0) && form.weight != 0 &&
              form.variation != index_of("flatten");
  }
  values_.staged.insert(values_.staged.begin() + std::ptrdiff_t(before),
                        {Stage::pre, pre_blur, regular_weight(pre_blur), {}});
  values_.variations[std::size_t(pre_blur)] = 0;
}

/// Some regular variations begin the sum anew: there it matters which of the others come before, if
/// that is not the usual order.
void FormReader::keep_order_of_restarts() {
  bool restarts = false, in_order = true;
  int last = -1;
  for (const Weight& form : weights_) {
    const VariationInfo::Traits& traits = info_of(form.variation).traits;
    if (form.stage != Stage::regular || form.weight == 0 || traits.only_depth) continue;
    restarts |= traits.restarts;
    in_order &= form.variation > last;
    last = form.variation;
  }
  if (!restarts || in_order) return;
  std::erase_if(values_.staged,
                [](const StagedVariation& form) { return form.stage == Stage::regular; });
  for (const Weight& form : weights_) {
    const VariationInfo& info = info_of(form.variation);
    const bool has_place = form.use > 0 || is_formula(form.variation);
    if (form.stage == Stage::regular && has_place && form.weight != 0) {
      values_.staged.push_back(staged(form));
      continue;
    }
    if (has_place) continue;
    double& weight = values_.variations[std::size_t(form.variation)];
    if (form.stage != Stage::regular || weight == 0 || info.name == "flatten" ||
        info.name == "pre_blur")
      continue;
    const auto begin = values_.parameters.begin() + info.first_parameter;
    const auto end = begin + std::ptrdiff_t(info.parameters.size());
    values_.staged.push_back({Stage::regular, form.variation, weight, {begin, end}});
    std::copy_n(default_parameters().begin() + info.first_parameter, info.parameters.size(), begin);
    weight = 0;
  }
}

/// Adds the point to the sum if only pre_ forms work on it: outside of flam3 that is the result.
void FormReader::pass_the_point_on() {
  if (rules_.dialect == Dialect::jwildfire) return;
  const int pre_blur = index_of("pre_blur");
  bool pre = rules_.dialect != Dialect::flam3 && regular_weight(pre_blur) != 0, regular = false;
  for (const StagedVariation& form : values_.staged) {
    pre |= form.stage == Stage::pre;
    regular |= form.stage == Stage::regular;
  }
  for (std::size_t v = 0; v < values_.variations.size(); ++v)
    regular |= values_.variations[v] != 0 && int(v) != pre_blur;
  if (pre && !regular) values_.variations[linear] = 1;
}

// The part of FormReader that gives forms kiln's own names: which variation a name means depends on
// the program (engine/model/meanings.h) and on the parameters that stand beside it.

double* FormReader::regular_parameters(int variation) {
  return values_.parameters.data() + info_of(variation).first_parameter;
}

/// `usual`: of parameters that are not given.
void FormReader::apply_meanings(const std::vector<double>& usual) {
  const auto is_in_use = [&](const Parameter& given) {
    return uses(given.variation, given.stage, given.use) ||
           (given.stage == Stage::regular && (uses(given.variation, Stage::pre_add, given.use) ||
                                              uses(given.variation, Stage::post_add, given.use)));
  };
  for (std::size_t p = 0; p < parameters_.size(); ++p) {  // extend() adds some
    const Parameter given = parameters_[p];
    const auto extension = extension_to(given.variation);
    if (!given.of_base || !extension) continue;
    if (extension->decides(given.parameter) && std::abs(given.value - extension->neutral) > 1e-5)
      extend(*extension, given, usual);
    if (!is_in_use(given) && given.stage == Stage::regular && given.use == 0)
      regular_parameters(given.variation)[given.parameter] =
          usual_[std::size_t(info_of(given.variation).first_parameter + given.parameter)];
  }
  std::erase_if(parameters_,
                [&](const Parameter& given) { return given.of_base && !is_in_use(given); });
  for (Weight& form : weights_) {
    if (form.weight != 0 && may_mean_flam3s(form.variation, rules_.names))
      renamed_.insert(info_of(form.variation).name);
    const NamedForm meant = meant_by({form.stage, form.variation}, rules_.names);
    if (meant.variation != form.variation) move_form(form, meant);
  }
  for (Parameter& given : parameters_) {
    const int meant = meant_by({given.stage, given.variation}, rules_.names).variation;
    if (meant != given.variation) move_parameter(given, meant);
  }
}

/// Turns the base, if it is in use, into the extended variation. `said`: a parameter that makes the difference.
void FormReader::extend(const Extension& extension, const Parameter& said,
                        const std::vector<double>& usual) {
  const auto is_base = [&](const Weight& form) {
    const bool is_added = form.stage == Stage::pre_add || form.stage == Stage::post_add;
    return form.variation == extension.base && form.use == said.use && form.weight != 0 &&
           (form.stage == said.stage || (said.stage == Stage::regular && is_added));
  };
  if (std::none_of(weights_.begin(), weights_.end(), is_base)) return;
  for (Weight& form : weights_)
    if (is_base(form)) move_form(form, {form.stage, extension.extended});
  const std::size_t first = std::size_t(info_of(extension.base).first_parameter);
  const int count = int(info_of(extension.base).parameters.size());
  std::vector<Parameter> all;
  for (int p = 0; p < count; ++p) {
    all.push_back(
        {said.stage, extension.extended, p, usual[first + std::size_t(p)], false, said.use});
    if (said.stage == Stage::regular && said.use == 0)
      regular_parameters(extension.extended)[p] = all.back().value;
  }
  for (Parameter& given : parameters_) {
    if (given.variation != extension.base || given.stage != said.stage || given.use != said.use)
      continue;
    move_parameter(given, extension.extended);
  }
  parameters_.insert(parameters_.begin(), all.begin(), all.end());  // what is given comes after
}

void FormReader::move_form(Weight& form, const NamedForm& to) {
  if (form.use == 0 && form.stage == Stage::regular)
    values_.variations[std::size_t(form.variation)] = 0;
  if (form.use == 0 && to.stage == Stage::regular)
    values_.variations[std::size_t(to.variation)] += form.weight;
  form.stage = to.stage;
  form.variation = to.variation;
}

void FormReader::move_parameter(Parameter& given, int to) {
  if (given.stage == Stage::regular && given.use == 0) {
    double& before = regular_parameters(given.variation)[given.parameter];
    before = usual_[std::size_t(info_of(given.variation).first_parameter + given.parameter)];
    regular_parameters(to)[given.parameter] = given.value;
  }
  given.variation = to;
}

void FormReader::convert_regular_forms() {
  for (std::size_t v = 0; v < values_.variations.size(); ++v) {
    double& weight = values_.variations[v];
    if (weight != 0)
      convert(int(v), Stage::regular, rules_.names, weight, regular_parameters(int(v)));
  }
}

namespace {

/// The numbers behind the last dash: "EMBER-WIN-24.24.12"; 0 where there are none.
std::array<int, 3> numbers_of(std::string_view version) {
  std::array<int, 3> numbers = {};
  const char* at = version.data() + (version.rfind('-') + 1);  // npos + 1 is the beginning
  const char* const end = version.data() + version.size();
  for (int& number : numbers) {
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) {
      number = 0;
      break;
    }
    if (next == end || *next != '.') break;
    at = next + 1;
  }
  return numbers;
}

bool shows_depth(const DepthCamera& camera) {
  return camera.perspective != 0 || camera.pitch_rad != 0 || camera.blur != 0 ||
         camera.projection != Projection::plane;
}

/// Whether an xform inside uses a variation whose place in the plane depends on depth.
bool uses_depth(const tinyxml2::XMLElement& element) {
  for (const auto* child = element.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    for (const auto* a = child->FirstAttribute(); a != nullptr; a = a->Next()) {
      constexpr std::string_view maps[] = {"yzCoefs", "zxCoefs", "yzPost", "zxPost"};
      if (std::find(std::begin(maps), std::end(maps), a->Name()) != std::end(maps)) return true;
      const auto form = find_form(a->Name());
      if (form && info_of(form->variation).traits.reads_depth) return true;
    }
    if (std::string_view(child->Name()) == "layer" && uses_depth(*child)) return true;
  }
  return false;
}

Meaning meaning_of(const tinyxml2::XMLElement& element, const Flame& flame,
                   const std::array<int, 3>& version) {
  if (is_written_by_kiln(element)) return Meaning::flam3;
  switch (flame.dialect) {
    case Dialect::flam3:
      return Meaning::flam3;
    case Dialect::fractorium:
      return version >= first_own_version ? Meaning::fractorium : Meaning::fractorium_as_flam3;
    case Dialect::apophysis:  // 2.0x has plug-ins in place of what 7X has built in
      return in_small_letters(flame.version).find("apophysis 2") == std::string::npos
                 ? Meaning::apophysis
                 : Meaning::flam3;
    case Dialect::jwildfire:
      return Meaning::jwildfire;
  }
  return Meaning::flam3;
}

}  // namespace

NameRules name_rules(const tinyxml2::XMLElement& element, const Flame& flame,
                     std::optional<Meaning> asked) {
  NameRules rules;
  if (asked) {
    const bool of_fractorium = *asked == Meaning::flam3 && flame.dialect == Dialect::fractorium &&
                               !is_written_by_kiln(element);
    rules.meaning = of_fractorium ? Meaning::fractorium_as_flam3 : *asked;
  } else {
    const std::array<int, 3> version = numbers_of(flame.version);
    rules.meaning = meaning_of(element, flame, version);
    if (rules.meaning == Meaning::fractorium) rules.version = version;
  }
  if (rules.meaning == Meaning::apophysis || rules.meaning == Meaning::jwildfire)
    rules.may_show_depth = shows_depth(flame.depth_camera) || uses_depth(element);
  return rules;
}

}  // namespace kiln
