// SPDX-License-Identifier: MIT
#include "engine/model/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <mutex>

#include "engine/base/error.h"
#include "kernels/variations/extended.h"

namespace kiln {
namespace {

constexpr std::size_t most_kept_formulas = 1 << 16;  // of a process

struct FormulaStore {
  std::mutex mutex;
  std::deque<KnownFormula> all;  // never moved
};
FormulaStore& formula_store() {
  static FormulaStore store;
  return store;
}

thread_local const FormulaNames* names_in_use = nullptr;

VariationInfo made_info(const FormulaText& text, const FormulaProgram& program) {
  VariationInfo info{text.name, 0, {}, program.random, {}};
  for (const FormulaParameter& one : text.parameters)
    info.parameters.push_back(
        {text.name + "_" + one.name, one.usual, one.low, one.high, false, false});
  VariationInfo::Traits& traits = info.traits;
  // pre_ and post_ forms replace what the formula speaks of, and leave the rest alone
  i32 left = 0;
  if (text.x.empty()) left |= keeps_x;
  if (text.y.empty()) left |= keeps_y;
  if (text.z.empty()) left |= keeps_z;
  traits.forms = {stage_regular | keeps_all, stage_pre | left, stage_post | left,
                  stage_pre | keeps_all, stage_post | keeps_all};
  traits.reads_depth = program.reads_depth;
  traits.only_depth = text.x.empty() && text.y.empty() && text.color.empty();
  traits.restarts = false;
  traits.changes_color = !text.color.empty();
  traits.hides_points = false;
  traits.weighs_depth = false;
  traits.makes_depth = text.z.empty() ? makes_depth_never : makes_depth_always;
  traits.leaves_depth = text.z.empty();
  return info;
}

}  // namespace

int keep_formula(const FormulaText& text) {
  FormulaStore& store = formula_store();
  const auto find = [&]() -> int {
    for (std::size_t i = 0; i < store.all.size(); ++i)
      if (store.all[i].text == text) return variation_count() + int(i);
    return -1;
  };
  {
    const std::lock_guard lock(store.mutex);
    if (const int known = find(); known >= 0) return known;
  }
  FormulaProgram program = program_of(text);
  const std::lock_guard lock(store.mutex);
  if (const int known = find(); known >= 0) return known;
  if (store.all.size() >= most_kept_formulas)
    fail(ErrorKind::device, "this process has had {} different formulas; start it again",
         most_kept_formulas);
  VariationInfo info = made_info(text, program);
  std::vector<double> usual;
  for (const FormulaParameter& one : text.parameters) usual.push_back(one.usual);
  usual.push_back(0);  // so that one without parameters points somewhere, too
  store.all.push_back({text, std::move(program), std::move(info), std::move(usual)});
  return variation_count() + int(store.all.size()) - 1;
}

const KnownFormula& formula_at(int variation) {
  FormulaStore& store = formula_store();
  const std::lock_guard lock(store.mutex);
  const std::size_t index = std::size_t(variation - variation_count());
  KILN_CHECK(index < store.all.size(), "formula {}", variation);
  return store.all[index];
}

bool is_formula(int variation) { return variation >= variation_count(); }

const VariationInfo& info_of_formula(int variation) { return formula_at(variation).info; }

std::string refused_formula_name(std::string_view name) {
  for (const std::string_view beginning : {"pre_", "post_"})
    if (name.starts_with(beginning))
      return fmt::format("{} says a form of a variation; take a name without it", beginning);
  for (const char* form : {"", "pre_", "post_"})
    if (find_form(form + std::string(name)))
      return fmt::format("kiln has a variation {}{}; take another name", form, name);
  if (find_form_parameter(name))
    return "a parameter of another variation has that name; take another one";
  return {};
}

std::vector<int> formulas_of(const Flame& flame) {
  std::vector<int> all = flame.formulas;
  const auto add = [&](const XformValues& values) {
    for (const StagedVariation& form : values.staged)
      if (is_formula(form.variation) &&
          std::find(all.begin(), all.end(), form.variation) == all.end())
        all.push_back(form.variation);
  };
  const auto add_all = [&](const Xform& xform) {
    add(xform);
    for (const Motion& motion : xform.motions) add(motion);
  };
  for (const Xform& xform : flame.xforms) add_all(xform);
  if (flame.final_xform) add_all(*flame.final_xform);
  for (const Xform& xform : flame.more_finals) add_all(xform);
  return all;
}

FormulaNames::FormulaNames(std::vector<int> formulas)
    : formulas_(std::move(formulas)), before_(names_in_use) {
  for (const int formula : formulas_) {
    const std::string& name = info_of(formula).name;
    std::string said = name;
    for (int n = 2; std::find(names_.begin(), names_.end(), said) != names_.end(); ++n)
      said = fmt::format("{}_{}", name, n);
    names_.push_back(said);
  }
  names_in_use = this;
}

FormulaNames::FormulaNames(const Flame& flame) : FormulaNames(formulas_of(flame)) {}

FormulaNames::~FormulaNames() { names_in_use = before_; }

std::optional<int> FormulaNames::find(std::string_view name) {
  if (!names_in_use) return {};
  const std::vector<std::string>& names = names_in_use->names_;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return {};
  return names_in_use->formulas_[std::size_t(found - names.begin())];
}

std::optional<std::array<int, 2>> FormulaNames::find_parameter(std::string_view name) {
  if (!names_in_use) return {};
  for (std::size_t f = 0; f < names_in_use->formulas_.size(); ++f) {
    const std::string& said = names_in_use->names_[f];
    if (!name.starts_with(said) || name.size() <= said.size() || name[said.size()] != '_') continue;
    const int formula = names_in_use->formulas_[f];
    const std::vector<FormulaParameter>& all = formula_at(formula).text.parameters;
    for (std::size_t p = 0; p < all.size(); ++p)
      if (all[p].name == name.substr(said.size() + 1)) return std::array{formula, int(p)};
  }
  return {};
}

std::vector<std::string> FormulaNames::all() {
  std::vector<std::string> names;
  if (!names_in_use) return names;
  for (std::size_t f = 0; f < names_in_use->formulas_.size(); ++f) {
    const std::string& said = names_in_use->names_[f];
    names.push_back(said);
    for (const FormulaParameter& one : formula_at(names_in_use->formulas_[f]).text.parameters)
      names.push_back(said + "_" + one.name);
  }
  return names;
}

std::string FormulaNames::name_of(int variation) {
  if (is_formula(variation) && names_in_use) {
    const std::vector<int>& all = names_in_use->formulas_;
    const auto found = std::find(all.begin(), all.end(), variation);
    if (found != all.end()) return names_in_use->names_[std::size_t(found - all.begin())];
  }
  return info_of(variation).name;
}

}  // namespace kiln
