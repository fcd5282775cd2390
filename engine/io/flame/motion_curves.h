// SPDX-License-Identifier: MIT
// JWildfire's curves of a property over the frames, PROPERTY_enabled, PROPERTY_point_count, PROPERTY_x0 ...: a file
// has them for every property, switched off. One that is on replaces its property by what it is at the flame's frame,
// in a still as well.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/flame/attributes.h"
#include "engine/model/flame.h"

namespace tinyxml2 {
class XMLElement;
}

namespace kiln {

/// The number of frames that the curves of a flame that are on go over: its frame_count, else up to their
/// last point; 0: none is on.
int frames_of_curves(const tinyxml2::XMLElement& flame);

/// The owner of the properties that curves move.
enum class CurveOwner { flame, xform };

class MotionCurves {
 public:
  /// Finds those of an element with these attributes, which must outlive this.
  explicit MotionCurves(const std::vector<Attribute>& attributes);
  explicit MotionCurves(std::vector<Attribute>&&) = delete;

  /// Whether a name is of a part of a curve.
  bool has(std::string_view name) const { return property(name).has_value(); }

  /// The attributes without the curves, and with the values at `time` of those that are on. What is not
  /// known of them goes into `missing`. The result must not outlive this.
  std::vector<Attribute> applied(const std::vector<Attribute>& attributes, CurveOwner owner,
                                 double time, std::vector<Missing>& missing);

 private:
  struct Points {
    std::vector<double> x, y;
    std::string_view interpolation;

    double at(double time) const;
  };

  std::optional<std::string_view> property(std::string_view name) const;
  double number(const std::string& name) const;
  Points points_of(std::string_view property) const;
  void put(std::vector<Attribute>& attributes, const Attribute& like, std::string name,
           std::string value);

  std::map<std::string_view, bool> is_on_;  // by property
  std::map<std::string_view, const Attribute*> by_name_;
  std::deque<std::string> texts_;  // that the result's names and values are in
};

}  // namespace kiln
