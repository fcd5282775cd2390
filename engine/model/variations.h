// The registry of variations for the host: names, parameters, defaults, all taken from the structs
// in kernels/variations/. Index = position in AllVariations = flam3's variation index.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct ParameterInfo {
  std::string name;  // as in the XML
  double default_value;
};

struct VariationInfo {
  std::string name;
  int first_parameter;  // offset of its parameters in XformValues::parameters
  std::vector<ParameterInfo> parameters;
  bool random;  // draws random numbers
  /// What it does beyond x and y, as kernels/variations/extended.h names it.
  struct Traits {
    std::array<int, 3> forms;  // [Stage] VariationTerm::form
    bool reads_depth, only_depth, restarts, changes_color;
    int makes_depth;  // makes_depth_always, makes_depth_never, or the parameter that decides
  } traits;
};

/// All variations, by index.
const std::vector<VariationInfo>& variations();
inline const VariationInfo& info_of(int variation) { return variations()[std::size_t(variation)]; }
int variation_count();
/// Number of entries of XformValues::parameters.
int parameter_count();
/// Defaults of all parameters, registry order.
const std::vector<double>& default_parameters();
/// Index of a variation by its XML name.
std::optional<int> find_variation(std::string_view name);
/// How many of them are flam3's, the first ones.
int flam3_variation_count();
/// Offset of a parameter in XformValues::parameters by its XML name or an alternative spelling
/// (oscope_*, Re_A ...).
std::optional<int> find_parameter(std::string_view name);

}  // namespace kiln
