// SPDX-License-Identifier: MIT
#include "engine/io/flame/xform_reader.h"

#include <tinyxml2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <set>
#include <string>
#include <unordered_map>

#include "engine/base/text.h"
#include "engine/io/flame/attributes.h"
#include "engine/io/flame/dialect.h"
#include "engine/io/flame/motion_curves.h"
#include "engine/io/flame/unsupported.h"
#include "engine/model/exact_math.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

constexpr int max_motions = 4096;  // of one xform
constexpr std::size_t max_note_bytes = 256;

enum class Owner { standard, final, motion };

XformValues fresh_values() {
  XformValues values;
  values.variations.assign(std::size_t(variation_count()), 0.0);
  values.parameters = default_parameters();
  return values;
}

// Amplitudes that are added: everything is 0 unless said.
XformValues motionless_values() {
  constexpr AffineD zero = {.a = 0, .d = 0, .b = 0, .e = 0, .c = 0, .f = 0};
  XformValues values;
  values.weight = values.color = values.color_speed = values.opacity = values.animate = 0;
  values.direct_color = 0;
  values.coefs = values.post = zero;
  values.variations.assign(std::size_t(variation_count()), 0.0);
  values.parameters.assign(std::size_t(parameter_count()), 0.0);
  return values;
}

AffineD read_affine(const Attribute& attribute) {
  const std::vector<double> m = read_reals(attribute, 6, "a d b e c f", Trailing::nothing_allowed);
  return {.a = m[0], .d = m[1], .b = m[2], .e = m[3], .c = m[4], .f = m[5]};
}

// Old files give two color coordinates; the second has no effect.
double read_color(const Attribute& attribute) {
  const std::vector<double> values = read_real_list(attribute);
  const bool surplus = values.size() > 2 && !attribute.messages.is_mild();
  if (values.empty() || surplus)
    attribute.unreadable("has {} numbers where 1 is needed (or 2 in old files)", values.size());
  return values[0];
}

using Setter = void (*)(XformValues&, const Attribute&);

// The attributes that xforms and motions share, apart from variations and parameters.
const std::unordered_map<std::string_view, Setter>& shared_setters() {
  static const std::unordered_map<std::string_view, Setter> setters = {
      {"color", [](XformValues& x, const Attribute& a) { x.color = read_color(a); }},
      {"color_speed", [](XformValues& x, const Attribute& a) { x.color_speed = read_real(a); }},
      {"var_color", [](XformValues& x, const Attribute& a) { x.direct_color = read_real(a); }},
      {"animate", [](XformValues& x, const Attribute& a) { x.animate = read_real(a); }},
      {"opacity", [](XformValues& x, const Attribute& a) { x.opacity = read_real(a); }},
      {"coefs", [](XformValues& x, const Attribute& a) { x.coefs = read_affine(a); }},
      {"post", [](XformValues& x, const Attribute& a) { x.post = read_affine(a); }},
      {"symmetry",
       [](XformValues& x, const Attribute& a) {
         const double symmetry = read_real(a);
         x.color_speed = (1 - symmetry) / 2;
         x.animate = symmetry > 0 ? 0 : 1;
       }},
      {"var",
       [](XformValues& x, const Attribute& a) {
         const std::vector<double> weights =
             read_reals(a, std::size_t(flam3_variation_count()),
                        "one weight for each variation of flam3", Trailing::nothing_allowed);
         std::copy(weights.begin(), weights.end(), x.variations.begin());
       }},
      {"var1",
       [](XformValues& x, const Attribute& a) {
         const int chosen = read_integer(a, 0, flam3_variation_count() - 1);
         std::fill(x.variations.begin(), x.variations.end(), 0.0);
         x.variations[std::size_t(chosen)] = 1;
       }},
  };
  return setters;
}

}  // namespace

const std::vector<std::string>& xform_attribute_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {"weight", "chaos", "plotmode", "motion_frequency",
                                    "motion_function"};
    for (const auto& [name, setter] : shared_setters()) all.emplace_back(name);
    for (const VariationInfo& variation : variations()) {
      all.push_back(variation.name);
      for (const ParameterInfo& parameter : variation.parameters) all.push_back(parameter.name);
    }
    std::sort(all.begin(), all.end());  // so that ties are settled the same way everywhere
    return all;
  }();
  return names;
}

namespace {

// true if the attribute was one of those that every owner has
bool read_shared(XformValues& values, FormReader& forms, const Attribute& a) {
  if (const auto setter = shared_setters().find(a.name); setter != shared_setters().end()) {
    setter->second(values, a);
    return true;
  }
  return forms.read(a);
}

MotionFunction read_motion_function(const Attribute& a) {
  if (a.value == "sin") return MotionFunction::sin;
  if (a.value == "triangle") return MotionFunction::triangle;
  if (a.value == "hill") return MotionFunction::hill;
  a.unreadable("must be sin, triangle or hill");
}

Motion read_motion(const tinyxml2::XMLElement& element, const std::string& owner,
                   const XformRules& rules, std::vector<Missing>& missing, Messages& messages) {
  Motion motion;
  static_cast<XformValues&>(motion) = motionless_values();
  const std::vector<Attribute> attributes = attributes_of(element, owner, messages);
  FormReader forms(motion, rules);
  UnknownAttributes unknown(xform_attribute_names(), attributes);
  for (const Attribute& a : attributes) {
    read_mildly(a, [&] {
      if (a.name == "motion_frequency") {
        motion.frequency = read_integer(a, -1000000, 1000000);
      } else if (a.name == "motion_function") {
        motion.function = read_motion_function(a);
      } else if (a.name == "weight") {
        motion.weight = read_real(a);
      } else if (a.name == "chaos" || a.name == "plotmode") {
        a.reject("cannot stand in <motion>; move it to the xform");
      } else if (!read_shared(motion, forms, a)) {
        unknown.add(a);
      }
    });
  }
  forms.finish_motion();
  unknown.judge(motion, rules.dialect, missing);
  for (const auto* child = element.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement())
    add_unknown_element(child->Name(), child->GetLineNum(), owner, missing);
  return motion;
}

void read_motions(const tinyxml2::XMLElement& element, const std::string& owner,
                  const XformRules& rules, Xform& xform, std::vector<Missing>& missing,
                  Messages& messages) {
  const std::string motion_owner = "motion of " + owner;
  for (const auto* child = element.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    if (std::string_view(child->Name()) != "motion") {
      add_unknown_element(child->Name(), child->GetLineNum(), owner, missing);
      continue;
    }
    if (xform.motions.size() >= max_motions)
      messages.error(child->GetLineNum(), "{}: has more than {} motions", owner, max_motions);
    xform.motions.push_back(read_motion(*child, motion_owner, rules, missing, messages));
  }
}

double read_weight(const Attribute& a, XformRole role) {
  if (role == XformRole::final && a.messages.is_mild()) return 0;  // some programs write one
  const double weight = read_real(a);
  if (weight < 0) a.reject("must not be negative");
  if (weight != 0 && role == XformRole::final) a.reject("a finalxform has no weight; remove it");
  return weight;
}

std::vector<double> read_chaos(const Attribute& a, Dialect dialect) {
  std::vector<double> chaos = read_real_list(a);
  if (dialect == Dialect::apophysis)
    for (double& c : chaos) c = std::fabs(c);
  for (double c : chaos)
    if (c < 0) a.reject("must not contain negative numbers");
  return chaos;
}

}  // namespace

bool set_xform_attribute(const Attribute& a, XformRole role, Dialect dialect, Xform& xform) {
  if (a.name == "weight") {
    xform.weight = read_weight(a, role);
  } else if (a.name == "chaos") {
    xform.chaos = read_chaos(a, dialect);
  } else if (a.name == "plotmode") {
    if (a.value == "off") xform.opacity = 0;
  } else if (a.name == "name" || a.name == "kiln_opacity") {
    const std::string text = as_utf8(a.value.substr(0, max_note_bytes));
    std::erase_if(xform.notes, [&](const auto& note) { return note.first == a.name; });
    xform.notes.emplace_back(a.name, text);
  } else if (const auto setter = shared_setters().find(a.name); setter != shared_setters().end()) {
    setter->second(xform, a);
  } else {
    return false;
  }
  return true;
}

namespace {

/// The attributes of an xform of JWildfire that others do not have, or mean otherwise.
class JWildfireXform {
 public:
  /// Reads these attributes, which must outlive this. `is_foreign`: JWildfire itself wrote them.
  JWildfireXform(const std::vector<Attribute>& attributes, bool is_foreign)
      : is_foreign_(is_foreign) {
    if (!is_foreign) return;
    constexpr std::string_view order = "_fx_priority";
    for (const Attribute& a : attributes) {
      if (a.name == "color_type") space_.color_type = color_type_ = a.value;
      if (!a.name.ends_with(order)) continue;
      const std::string_view name = a.name.substr(0, a.name.size() - order.size());
      const double group = to_real(a.value).value_or(name.starts_with("pre_") ? -1 : 0);
      groups_.emplace(name, group);
      if (name.starts_with("pre_") && group >= 0 && group != 2) idle_.insert(name);
    }
  }

  /// Whether nobody else has to read it: how it is colored, its maps in space, and what changes its
  /// argument where none is (engine/io/flame/dialect.h).
  bool take(const Attribute& a, std::vector<Missing>& missing) {
    if (is_foreign_ && a.name == "color_type") {
      constexpr std::string_view types[] = {"",       "UNSET",   "NONE",     "DIFFUSION",
                                            "TARGET", "TARGETG", "DISTANCE", "CYCLIC"};
      if (std::find(std::begin(types), std::end(types), a.value) == std::end(types))
        missing.push_back({"color type " + printable(a.value), a.owner, a.line});
      return true;
    }
    if (is_foreign_ && a.name == "targetcolor") {
      read_mildly(a, [&] {
        const std::vector<double> rgb = read_reals(a, 3, "red green blue, 0 to 1");
        space_.target = {rgb[0], rgb[1], rgb[2]};
      });
      return true;
    }
    constexpr std::pair<std::string_view, AffineD XformInSpace::*> maps[] = {
        {"yzCoefs", &XformInSpace::yz_coefs},
        {"zxCoefs", &XformInSpace::zx_coefs},
        {"yzPost", &XformInSpace::yz_post},
        {"zxPost", &XformInSpace::zx_post}};
    for (const auto& [name, map] : maps) {
      if (!is_foreign_ || a.name != name) continue;
      read_mildly(a, [&, map = map] { space_.*map = read_affine(a); });
      return true;
    }
    if (is_foreign_ && a.name.ends_with("_fx_priority")) return true;
    return std::any_of(idle_.begin(), idle_.end(), [&](std::string_view form) {
      return a.name == form || (a.name.starts_with(form) && a.name[form.size()] == '_');
    });
  }
  const XformInSpace& space() const { return space_; }
  /// The groups that its variations are in, by name.
  const std::map<std::string_view, double>& groups() const { return groups_; }
  /// Whether it changes the color; a final one does only where that is said.
  bool colors(XformRole role) const {
    return color_type_.empty() || color_type_ == "UNSET" ? role == XformRole::standard
                                                         : color_type_ != "NONE";
  }

 private:
  bool is_foreign_;
  std::string_view color_type_;
  XformInSpace space_;
  std::map<std::string_view, double> groups_;
  std::set<std::string_view>
      idle_;  // forms that change their argument, outside of the group before the others
};

}  // namespace

Xform read_xform(const tinyxml2::XMLElement& element, XformRole role, int index,
                 const XformRules& rules, std::vector<Missing>& missing, Messages& messages,
                 std::set<std::string>* renamed, XformInSpace* in_space) {
  const std::string owner =
      role == XformRole::final ? "finalxform" : fmt::format("xform {}", index + 1);
  Xform xform;
  static_cast<XformValues&>(xform) = fresh_values();
  const bool starts_at_0 = rules.dialect == Dialect::apophysis || rules.is_foreign_jwildfire;
  xform.color = starts_at_0 ? 0 : index % 2;
  xform.line = element.GetLineNum();
  const std::vector<Attribute> all = attributes_of(element, owner, messages);
  const std::vector<Attribute> none;
  MotionCurves curves(rules.is_foreign_jwildfire ? all : none);
  const std::vector<Attribute> attributes =
      rules.is_foreign_jwildfire ? curves.applied(all, CurveOwner::xform, rules.frame, missing)
                                 : all;
  FormReader forms(xform, rules);
  std::vector<const Attribute*> others;
  JWildfireXform own(attributes, rules.is_foreign_jwildfire);
  forms.use_groups(own.groups());
  for (const Attribute& a : attributes) {
    if (own.take(a, missing)) continue;
    read_mildly(a, [&] {
      if (a.name == "symmetry" && rules.dialect == Dialect::fractorium) {
        // its color_speed and animate are always there
      } else if (a.name == "motion_frequency" || a.name == "motion_function") {
        a.reject("belongs into a <motion> child of the xform");
      } else if (!set_xform_attribute(a, role, rules.dialect, xform) && !forms.read(a)) {
        others.push_back(&a);
      }
    });
  }
  UnknownAttributes unknown(xform_attribute_names(), attributes);
  for (const Attribute* a : others)
    if (!forms.read_bare(*a)) unknown.add(*a);
  forms.finish();
  if (renamed != nullptr) renamed->insert(forms.renamed().begin(), forms.renamed().end());
  unknown.judge(xform, rules.dialect, missing);
  finish_xform(rules.dialect, xform);
  if (rules.is_foreign_jwildfire) {
    add_maps(own.space(), xform);
    if (in_space) {
      *in_space = own.space();
      in_space->symmetry = 1 - 2 * xform.color_speed;
    }
    if (!own.colors(role)) xform.color_speed = 0;
  }
  read_motions(element, owner, rules, xform, missing, messages);
  return xform;
}

namespace {

// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
struct SplitMix64 {
  std::uint64_t state;
  std::uint64_t operator()() {
    std::uint64_t z = state += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
};

// Half away from zero, so that the six decimals are those of flam3.
double to_six_decimals(double x) { return std::round(x * 1e6) / 1e6; }

Xform symmetry_xform(const AffineD& coefs, double color) {
  Xform xform;
  xform.weight = 1;
  xform.color = color;
  xform.color_speed = 0;
  xform.animate = 0;
  xform.coefs = coefs;
  xform.variations.assign(std::size_t(variation_count()), 0.0);
  xform.variations[0] = 1;  // linear
  xform.parameters = default_parameters();
  return xform;
}

Xform rotation(int k, int n) {
  const double angle_rad = exact::two_pi * k / n;
  const double c = to_six_decimals(exact::cos(angle_rad));
  const double s = to_six_decimals(exact::sin(angle_rad));
  const double color = n < 3 ? 0 : double(k - 1) / (n - 2);
  return symmetry_xform({.a = c, .d = s, .b = -s, .e = c, .c = 0, .f = 0}, color);
}

double determinant(const AffineD& m) { return m.a * m.e - m.b * m.d; }

// flam3 sorts the last `count` entries of its array, which ends with a final xform read earlier.
// Then the block starts one late, and a final xform of color_speed 0 may change places with a
// rotation. Kept: it decides the picture.
void sort_like_flam3(std::size_t count, Flame& flame) {
  std::vector<Xform> all = std::move(flame.xforms);
  if (flame.final_xform) all.push_back(std::move(*flame.final_xform));
  std::stable_sort(all.end() - std::ptrdiff_t(count), all.end(),
                   [](const Xform& x, const Xform& y) {
                     if (x.color_speed != y.color_speed) return x.color_speed < y.color_speed;
                     return determinant(x.coefs) < determinant(y.coefs);
                   });
  if (flame.final_xform) {
    flame.final_xform = std::move(all.back());
    all.pop_back();
  }
  flame.xforms = std::move(all);
}

}  // namespace

int random_symmetry_kind(std::uint64_t seed) {
  constexpr std::array likely = {-4, -3, -2, -2, -2, -1, -1, -1, 2, 2, 2, 3, 3, 4, 4};
  SplitMix64 random{seed};
  const auto below = [&](std::uint64_t n) { return int(random() % n); };
  if (random() % 2 == 0) return likely[std::size_t(below(likely.size()))];
  if (random() % 32 != 0) return below(13) - 6;
  return below(51) - 25;
}

void append_symmetry(int kind, Flame& flame) {
  std::vector<Xform> group;
  if (kind < 0)
    group.push_back(symmetry_xform({.a = -1, .d = 0, .b = 0, .e = 1, .c = 0, .f = 0}, 1));
  const int n = std::abs(kind);
  for (int k = 1; k < n; ++k) group.push_back(rotation(k, n));
  const std::size_t count = group.size();
  std::move(group.begin(), group.end(), std::back_inserter(flame.xforms));
  sort_like_flam3(count, flame);
}

}  // namespace kiln
