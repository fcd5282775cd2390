#include "engine/model/variations.h"

#include <cstring>

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
  return {{runs_before_others<V> ? pre : form_at<V>(stage_regular), pre, form_at<V>(stage_post)},
          reads_depth<V>,
          only_depth<V>,
          restarts<V>() != 0 || empties_sum<V>,
          changes_color<V>,
          makes_depth<V>()};
}

/// The table entry of one struct: its description, and the values of a fresh object as the
/// defaults.
template <class V>
VariationInfo info_of(int first_parameter) {
  static_assert(sizeof(V) % sizeof(float) == 0 || sizeof(V) == 1, "members are floats only");
  static_assert(sizeof(V) >= V::info.parameter_count * sizeof(float));
  const V fresh{};
  float members[sizeof(V) / sizeof(float) + 1] = {};
  std::memcpy(members, &fresh, sizeof(V));
  VariationInfo info{V::info.name, first_parameter, {}, draws_random<V>, traits_of<V>()};
  for (int i = 0; i < V::info.parameter_count; ++i) {
    info.parameters.push_back({V::info.parameters[i], double(members[i])});
  }
  return info;
}

template <class... Vs>
std::vector<VariationInfo> make_table(VariationList<Vs...>) {
  std::vector<VariationInfo> table;
  int next_parameter = 0;
  const auto add = [&]<class V>(Type<V>) {
    table.push_back(info_of<V>(next_parameter));
    next_parameter += V::info.parameter_count;
  };
  (add(Type<Vs>{}), ...);
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

}  // namespace

const std::vector<VariationInfo>& variations() {
  static const std::vector<VariationInfo> table = make_table(AllVariations{});
  return table;
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

}  // namespace kiln
