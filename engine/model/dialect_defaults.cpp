#include "engine/model/dialect_defaults.h"

#include <string_view>

#include "engine/base/angles.h"
#include "engine/base/error.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

struct Default {
  std::string_view parameter;
  double value;
};

// As Ember has them.
constexpr Default others[] = {
    {"auger_freq", 5},
    {"auger_scale", 0.1},
    {"escher_beta", 3},
    {"fan2_x", 0.70710678},
    {"fan2_y", -0.70710678},
    {"lazysusan_spin", half_turn},
    {"mobius_re_a", 1},
    {"mobius_re_d", 1},
    {"modulus_x", 1},
    {"modulus_y", 1},
    {"pie_rotation", 0.5},
    {"popcorn2_x", 0.1},
    {"popcorn2_y", 0.1},
    {"popcorn2_c", 3},
    {"rings2_val", 1},
    {"separation_x", 1},
    {"separation_y", 1},
    {"split_xsize", 0.5},
    {"split_ysize", 0.5},
    {"stripes_space", 0.5},
    {"waves2_freqx", 2},
    {"waves2_freqy", 2},
    {"wedge_angle", half_turn / 2},
    {"wedge_count", 2},
    {"wedge_sph_angle", half_turn / 2},
    {"wedge_sph_count", 2},
    {"whorl_inside", 1},
    {"whorl_outside", 1},
};

std::vector<double> of_other_programs() {
  std::vector<double> values = default_parameters();
  for (const Default& other : others) {
    const auto index = find_parameter(other.parameter);
    KILN_CHECK(index, "parameter {}", other.parameter);
    values[std::size_t(*index)] = other.value;
  }
  return values;
}

}  // namespace

const std::vector<double>& default_parameters(Dialect dialect) {
  static const std::vector<double> foreign = of_other_programs();
  return dialect == Dialect::flam3 ? default_parameters() : foreign;
}

}  // namespace kiln
