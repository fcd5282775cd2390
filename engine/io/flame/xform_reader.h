// SPDX-License-Identifier: MIT
// <xform>, <finalxform> and their <motion> children: coefficients, variations with their
// parameters, and the spellings of older versions. flam3-format.md section 4.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/flame/attributes.h"
#include "engine/io/flame/jwildfire_steps.h"
#include "engine/io/flame/messages.h"
#include "engine/model/flame.h"
#include "engine/model/meanings.h"

namespace tinyxml2 {
class XMLElement;
}  // namespace tinyxml2

namespace kiln {

// Which program's meaning the names of a flame's variations have (engine/model/meanings.h): by the
// flame's dialect and the version of the program that wrote it, or as it is asked for.

/// The rules for the xforms of `element`, whose attributes `flame` has already; `asked`: what
/// `--meaning` says.
NameRules name_rules(const tinyxml2::XMLElement& element, const Flame& flame,
                     std::optional<Meaning> asked);

/// The settings of a flame that decide how its xforms are read.
struct XformRules {
  Dialect dialect = Dialect::flam3;
  bool new_linear = false;  // linear keeps depth, and nothing is flattened unless it is said
  bool is_foreign_jwildfire = false;  // written by JWildfire itself
  bool is_kilns = false;              // written by kiln: what it stages is in its order
  double version = 0;                 // JWildfire's own, 7.3
  double frame = 1;                   // at which its curves are taken
  NameRules names;
};

// The variations of an <xform> or a <motion>, their pre_ and post_ forms and their parameters, by any
// of the names that the programs have for them (engine/model/variations.h). What an attribute
// means may depend on those after it, so the whole is put together when all are read.

class FormReader {
 public:
  /// `values`: with every vector at its length.
  FormReader(XformValues& values, const XformRules& rules);

  /// JWildfire: the groups that variations are in, by name; below 0 they come before the others, above 0
  /// behind them.
  void use_groups(const std::map<std::string_view, double>& groups);

  /// Whether it is a variation or a parameter.
  bool read(const Attribute& a);
  /// Reads likewise what nobody else knows: a parameter of a pre_ or post_ form without its name.
  /// Call it when all others are read.
  bool read_bare(const Attribute& a);

  /// Puts the forms of an xform together.
  void finish();
  /// Completes the forms of a motion element, whose numbers are all 0 unless given.
  void finish_motion();

  /// Names that mean something else here than the file's program may have been switched to.
  const std::set<std::string>& renamed() const { return renamed_; }

 private:
  struct Weight {
    Stage stage;
    int variation;
    double weight;
    int named;    // the variation of that name, where another one is meant
    int use = 0;  // JWildfire's files may use one several times in an xform
  };
  struct Parameter {
    Stage stage;
    int variation, parameter;
    double value;
    bool of_base = false;  // named after another variation, which this one extends
    int use = 0;
  };
  struct Place {
    Messages* messages;
    std::string owner;
    int line;
    int variation, use;
  };

  bool read_flatten(const Attribute& a);
  bool read_weight(const Attribute& a, int use);
  double group_of(std::string_view name, int use) const;
  void add_prepost(const NamedForm& form, double weight, int use);
  void invert_prepost(StagedVariation& form) const;
  Stage stage_of(std::string_view name, const NamedForm& form, int use) const;
  bool acts_at_0(std::string_view name, const NamedForm& form) const;
  bool read_parameter(const Attribute& a, std::string_view said, int use);
  bool is_said_before(const Weight& form) const;
  bool uses(int variation, Stage stage, int use) const;
  const std::vector<double>& usual_of_program() const;
  void note_power(const Attribute& a, int variation, int use);
  void tell_of_powers() const;
  double regular_weight(int variation) const { return values_.variations[std::size_t(variation)]; }
  double* regular_parameters(int variation);
  void apply_meanings(const std::vector<double>& usual);
  void extend(const Extension& extension, const Parameter& said, const std::vector<double>& usual);
  void move_form(Weight& form, const NamedForm& to);
  void move_parameter(Parameter& given, int to);
  void convert_regular_forms();
  void use_dialects_defaults();
  void hide_what_is_cropped();
  void keep_order_of_flatten();
  void keep_depth_of_the_flat();
  StagedVariation staged(const Weight& form) const;
  void stage_forms();
  std::vector<double> parameters_of(const Weight& form, const std::vector<double>& usual) const;
  void flatten_as_apophysis();
  void keep_order_of_pre_blur();
  void keep_order_of_restarts();
  void pass_the_point_on();

  XformValues& values_;
  const XformRules& rules_;
  const std::vector<double> usual_;  // parameters before any is read
  std::vector<Weight> weights_;      // in the order of the file, regular ones too
  std::vector<Parameter> parameters_;
  std::set<std::string> renamed_;
  std::map<std::string, double> groups_;
  std::vector<Place> needs_power_;  // uses of variations whose power JWildfire draws
  bool exchanges_prepost_ = false;
  int repeated_ = 0;  // uses of variations that come again
  double linear3d_ = 0;
};

// <symmetry kind="N"/>: flam3 turns it into extra xforms at the point of the document where it
// stands.

/// The kind that flam3's rules for kind 0 draw; seed decides which.
int random_symmetry_kind(std::uint64_t seed);

/// Adds the xforms of a symmetry: |kind| - 1 rotations for |kind| >= 2, a reflection first if kind
/// < 0.
void append_symmetry(int kind, Flame& flame);

}  // namespace kiln

namespace tinyxml2 {
class XMLElement;
}

namespace kiln {

enum class XformRole { standard, final };

/// Reads an <xform> or <finalxform>; `index` counts the xforms read before it (final and symmetry
/// included). Things that it needs and kiln does not have are added to `missing`, names whose
/// meaning the file leaves open to `renamed`. `space`: what JWildfire says beside them.
Xform read_xform(const tinyxml2::XMLElement& element, XformRole role, int index,
                 const XformRules& rules, std::vector<Missing>& missing, Messages& messages,
                 std::set<std::string>* renamed = nullptr, XformInSpace* space = nullptr);

/// Reads an attribute that is neither a variation nor a parameter into an xform that is there: weight, color,
/// coefs, chaos, name and their like. Whether it was one. Throws Error for a value that no file may have.
bool set_xform_attribute(const Attribute& a, XformRole role, Dialect dialect, Xform& xform);

/// The names that an attribute of an xform may have, for messages; in alphabetical order.
const std::vector<std::string>& xform_attribute_names();

}  // namespace kiln
