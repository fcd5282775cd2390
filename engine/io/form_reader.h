// The variations of an <xform> or a <motion>, their pre_ and post_ forms and their parameters, by any
// of the names that the programs have for them (engine/model/variation_names.h). What an attribute
// means may depend on those after it, so the whole is put together when all are read.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "engine/io/attributes.h"
#include "engine/model/flame.h"

namespace kiln {

/// What the flame says about its xforms.
struct XformRules {
  Dialect dialect = Dialect::flam3;
  bool new_linear = false;  // linear keeps depth, and nothing is flattened unless it is said
};

class FormReader {
 public:
  /// `values`: with every vector at its length.
  explicit FormReader(XformValues& values);

  /// Whether it is a variation or a parameter.
  bool take(const Attribute& a);
  /// The same for what nobody else knows: a parameter of a pre_ or post_ form without its name. When
  /// all others are read.
  bool take_bare(const Attribute& a);

  /// Puts the forms of an xform together.
  void finish(const XformRules& rules);
  /// Those of a motion, whose numbers are all 0 unless said.
  void finish_motion();

 private:
  struct Weight {
    Stage stage;
    int variation;
    double weight;
  };
  struct Parameter {
    Stage stage;
    int variation, parameter;
    double value;
  };

  bool take_weight(const Attribute& a);
  bool take_parameter(const Attribute& a);
  bool uses(int variation, Stage stage) const;
  double regular_weight(int variation) const { return values_.variations[std::size_t(variation)]; }
  void use_dialects_defaults(Dialect dialect);
  void stage_forms(Dialect dialect);
  std::vector<double> parameters_of(const Weight& form, const std::vector<double>& usual) const;
  void flatten_as_apophysis();
  void keep_order_of_pre_blur();
  void keep_order_of_restarts();
  void pass_the_point_on(Dialect dialect);

  XformValues& values_;
  std::vector<Weight> weights_;  // in the order of the file, regular ones too
  std::vector<Parameter> parameters_;
  double linear3d_ = 0;
};

}  // namespace kiln
