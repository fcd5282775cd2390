// SPDX-License-Identifier: MIT
// The part of FormReader that knows JWildfire's files: what its names are called here, the groups that a variation may be
// put into, several uses of one in an xform, and variations that work in another place or on more than kiln's.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "engine/base/text.h"
#include "engine/io/flame/dialect.h"
#include "engine/io/flame/xform_reader.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

int variation_called(const char* name) { return find_variation(name).value(); }

/// kiln's name for what JWildfire means by one that others have, too.
std::string_view jwildfires(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      // after the others alone
      {"farblur", "post_farblur"},
      {"farblur_x", "post_farblur_x"},
      {"farblur_y", "post_farblur_y"},
      {"farblur_z", "post_farblur_z"},
      {"farblur_x_origin", "post_farblur_x_origin"},
      {"farblur_y_origin", "post_farblur_y_origin"},
      {"farblur_z_origin", "post_farblur_z_origin"},
      {"elliptic", "jwildfire_elliptic"},
      {"elliptic_mode", "jwildfire_elliptic_mode"},
      {"rings", "jwildfire_rings"},
      {"pre_blur", "pre_jwildfire_blur"},
      {"pre_gaussian", "pre_jwildfire_blur"},
      {"blur_square", "square"},
      {"gaussian", "gaussian_blur"},
      // they add to the point behind the others
      {"post_depth", "post_add_depth"},
      {"post_depth_power", "post_add_depth_power"},
      {"splits_lshear", "jwildfire_splits_lshear"},
      {"splits_rshear", "jwildfire_splits_rshear"},
      {"splits_ushear", "jwildfire_splits_ushear"},
      {"splits_dshear", "jwildfire_splits_dshear"}};
  const auto found = std::find_if(std::begin(names), std::end(names),
                                  [name](const auto& one) { return one.first == name; });
  return found == std::end(names) ? name : found->second;
}

/// A name, and which use of it in an xform it is: JWildfire's swirl#1#, read as swirl.1., is the second one.
struct UseOfName {
  std::string name;
  int number = 0;

  explicit UseOfName(std::string_view said) : name(said) {
    const std::size_t first = said.find('.');
    const std::size_t second = first == said.npos ? first : said.find('.', first + 1);
    if (second == said.npos) return;
    int value = 0;
    const char *const begin = said.data() + first + 1, *const end = said.data() + second;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || stop != end || value < 1) return;
    name.erase(first, second + 1 - first);
    number = value;
  }
  std::string text() const { return number == 0 ? name : fmt::format("{}.{}.", name, number); }
};

/// Whether JWildfire has no fixed power for it.
bool has_drawn_power(int variation) {
  static const std::array<int, 5> all = {variation_called("julian"), variation_called("juliascope"),
                                         variation_called("julia3D"), variation_called("julia3Dz"),
                                         variation_called("julian2")};
  return std::find(all.begin(), all.end(), variation) != all.end();
}

}  // namespace

bool FormReader::read(const Attribute& a) {
  const UseOfName use(a.name);  // kiln writes them in every dialect
  if (rules_.dialect != Dialect::jwildfire && use.number == 0)
    return read_weight(a, 0) || read_parameter(a, a.name, 0);
  const std::string_view name = rules_.is_foreign_jwildfire ? jwildfires(use.name) : use.name;
  const Attribute named{a.messages, a.owner, name, a.value, a.line};
  return read_flatten(named) || read_weight(named, use.number) ||
         read_parameter(named, use.name, use.number);
}

void FormReader::use_groups(const std::map<std::string_view, double>& groups) {
  for (const auto& [said, group] : groups) {
    if (group == 0) continue;
    UseOfName use(said);
    use.name = jwildfires(use.name);
    groups_.emplace(use.text(), group);
  }
}

/// JWildfire's flat forms are of other weights: pre_flatten works on what is not there yet, and post_flatten leaves a
/// share of the depth.
bool FormReader::read_flatten(const Attribute& a) {
  if (!rules_.is_foreign_jwildfire) return false;
  if (a.name == "pre_flatten") return true;
  if (a.name != "post_flatten") return false;
  const double taken = std::min(std::fabs(read_real(a)), 1.0);
  if (taken == 0) return true;
  const int flatten = variation_called("flatten");
  const int variation = taken == 1 ? flatten : variation_called("apophysis_zscale");
  weights_.push_back({Stage::post, variation, taken == 1 ? 1 : 1 - taken, variation});
  return true;
}

/// The group that the file says of a variation; 0 where it says none, or that of a variation's own.
double FormReader::group_of(std::string_view name, int use) const {
  UseOfName key("");
  key.name = name;
  key.number = use;
  const auto group = groups_.find(key.text());
  return group == groups_.end() ? 0 : group->second;
}

/// JWildfire's priority 2: the inverse before the others, the function itself behind them; -2 is the other way round.
void FormReader::add_prepost(const NamedForm& form, double weight, int use) {
  const double group = group_of("prepost_circlize", use);
  const bool alone = std::fabs(group) == 1;
  exchanges_prepost_ |= group == -2;
  if (!alone || group < 0)
    weights_.push_back({Stage::pre, form.variation, weight, form.variation, use});
  if (!alone || group > 0)
    weights_.push_back({Stage::post, form.variation, weight, form.variation, use});
}

/// The stage in which a variation works: the group that the file says; there it is added to what the others
/// of the group make, but for pre_ and post_ forms.
Stage FormReader::stage_of(std::string_view name, const NamedForm& form, int use) const {
  const double group = group_of(name, use);
  if (group == 0 || name == "flatten" || name == "post_farblur") return form.stage;
  const bool before = group < 0;
  if (form.stage == Stage::regular) return before ? Stage::pre_add : Stage::post_add;
  return form.stage == Stage::post && before ? Stage::pre : form.stage;
}

/// JWildfire runs a variation also where it weighs nothing, and some do not weigh what they do.
bool FormReader::acts_at_0(std::string_view name, const NamedForm& form) const {
  if (!rules_.is_foreign_jwildfire) return false;
  constexpr std::string_view mirrors[] = {"post_mirror_wf", "post_axis_symmetry_wf"};
  constexpr double first_that_weighs_mirrors = 7.0;
  if (std::find(std::begin(mirrors), std::end(mirrors), name) != std::end(mirrors))
    return rules_.version < first_that_weighs_mirrors;
  if (info_of(form.variation).traits.changes_color) return true;
  constexpr std::string_view names[] = {
      "pre_crop",      "pre_circlecrop",  "pre_spherical",   "pre_disc",
      "pre_curl",      "pre_bwraps2",     "pre_stabilize",   "pre_zscale",
      "pre_dcztransl", "pre_falloff3",    "pre_disc3d",      "pre_sinusoidal3d",
      "pre_rect_wf",   "pre_recip",       "pre_boarders2",   "pre_affine3D",
      "pre_c_var",     "pre_c_symmetry",  "jwildfire_rings", "post_point_symmetry_wf",
      "lazysusan",     "circlize",        "target",          "post_brush_stroke_wf",
      "kaleidoscope",  "fourth",          "ennepers",        "chunk",
      "corners",       "intersection",    "parallel",        "hypershift",
      "hexaplay3D",    "cubicLattice_3D", "onion",           "truchet2",
      "truchet_fill",  "tile_reverse",    "combimirror",     "brush_stroke_wf"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Gives the inverse of the two forms that JWildfire makes of one the other direction.
void FormReader::invert_prepost(StagedVariation& form) const {
  static const int circlize = variation_called("prepost_circlize");
  if (form.variation != circlize || (form.stage == Stage::pre) == exchanges_prepost_) return;
  double& reverse = form.parameters[2];
  reverse = reverse < 0.5 ? 1 : 0;
}

/// Keeps where a power may be left out.
void FormReader::note_power(const Attribute& a, int variation, int use) {
  if (rules_.is_foreign_jwildfire && has_drawn_power(variation))
    needs_power_.push_back({&a.messages, a.owner, a.line, variation, use});
}

/// JWildfire draws some powers anew in each run, where a file of old leaves them out.
void FormReader::tell_of_powers() const {
  for (const Place& place : needs_power_) {
    const auto is_its = [&](const Parameter& given) {
      return given.variation == place.variation && given.use == place.use && given.parameter == 0;
    };
    if (std::any_of(parameters_.begin(), parameters_.end(), is_its)) continue;
    const std::string& name = info_of(place.variation).parameters[0].name;
    place.messages->warn_once(place.line, name, [&] {
      return fmt::format("{}: {} is left out, which JWildfire then draws anew in each run; it is 2",
                         place.owner, name);
    });
  }
}

/// JWildfire's crops of `zero` are other variations, which hide what they take away.
void FormReader::hide_what_is_cropped() {
  static const std::pair<int, int> hiding[] = {
      {variation_called("jwildfire_crop"), variation_called("jwildfire_hiding_crop")},
      {variation_called("jwildfire_circlecrop"), variation_called("jwildfire_hiding_circlecrop")}};
  for (Weight& form : weights_) {
    const auto pair = std::find_if(std::begin(hiding), std::end(hiding),
                                   [&](const auto& one) { return one.first == form.variation; });
    if (pair == std::end(hiding) || form.weight == 0) continue;
    const std::vector<double> values = parameters_of(form, usual_of_program());
    if (values.back() < 0.5) continue;  // zero
    if (form.stage == Stage::regular && form.use == 0) {
      const std::size_t first = std::size_t(info_of(form.variation).first_parameter);
      std::copy_n(usual_.begin() + std::ptrdiff_t(first), values.size(),
                  regular_parameters(form.variation));
      std::copy(values.begin(), values.end(), regular_parameters(pair->second));
    }
    move_form(form, {form.stage, pair->second});
    for (std::size_t p = 0; p < values.size(); ++p)
      parameters_.push_back({form.stage, pair->second, int(p), values[p], false, form.use});
  }
}

/// JWildfire flattens among the post_ forms, where the file says it: behind one it is one itself.
void FormReader::keep_order_of_flatten() {
  const int flatten = variation_called("flatten");
  bool is_behind = false;
  for (Weight& form : weights_) {
    if (form.variation == flatten && form.stage == Stage::regular && form.weight != 0 && is_behind)
      move_form(form, {Stage::post, flatten});
    is_behind |= (form.stage == Stage::post || form.stage == Stage::post_add) && form.weight != 0;
  }
}

/// Adds what JWildfire's variations of the plane make of depth where its flame preserves it, and kiln's do not; of
/// linear3D and tile_log always.
void FormReader::keep_depth_of_the_flat() {
  static const int zscale = variation_called("apophysis_zscale"),
                   tile_log = variation_called("tile_log"),
                   first_own = variation_called("synth");  // its own say it themselves
  if (!rules_.new_linear) values_.variations[std::size_t(zscale)] += linear3d_;
  if (!rules_.names.may_show_depth) return;
  static const std::array<int, 2> flat = {variation_called("hexes"), variation_called("crackle")};
  std::vector<StagedVariation> added;
  for (const Weight& form : weights_) {
    const bool makes_some = form.variation == tile_log || rules_.new_linear;
    if (!makes_some || form.weight == 0 || form.stage == Stage::pre || form.stage == Stage::post ||
        !info_of(form.variation).traits.leaves_depth || form.variation >= first_own ||
        std::find(flat.begin(), flat.end(), form.variation) != flat.end())
      continue;
    if (form.stage == Stage::regular)
      values_.variations[std::size_t(zscale)] += form.weight;
    else
      added.push_back({form.stage, zscale, form.weight, {}});
  }
  values_.staged.insert(values_.staged.end(), added.begin(), added.end());
}

}  // namespace kiln
