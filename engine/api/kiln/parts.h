// SPDX-License-Identifier: MIT
// Xforms and variations of a Scene as objects: an edit of one changes the scene. They hold their names,
// nothing else, so they cost nothing; one of a scene that is gone, or an xform that is, must not be used.
//
//   kiln::Scene flame;                                    // from nothing
//   flame.insert("xform.0");
//   kiln::XformPart xform = kiln::xform(flame, 0);
//   xform.variation("julian").set_weight(0.5);
//   xform.variation("julian").set("power", 3);
//   xform.set_coefs({0.5, 0, 0, 0.5, 0.25, 0});           // a d b e c f, as files have them
//   flame.set_numbers("xaos", {0});
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

/// A variation, or a pre_ or post_ form, of an xform; one that the xform lacks has weight 0.
template <class AnyScene>
class VariationPartOf {
 public:
  VariationPartOf(AnyScene& scene, std::string of, std::string name)
      : scene_(&scene), of_(std::move(of)), name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  double weight() const { return scene_->numbers(of_ + "." + name_).at(0); }
  void set_weight(double weight) { scene_->set_numbers(of_ + "." + name_, {weight}); }
  /// A parameter, "power" of "julian".
  double get(const std::string& parameter) const { return scene_->numbers(place(parameter)).at(0); }
  void set(const std::string& parameter, double value) {
    scene_->set_numbers(place(parameter), {value});
  }

 private:
  std::string place(const std::string& parameter) const {
    return of_ + "." + name_ + "_" + parameter;
  }
  AnyScene* scene_;
  std::string of_, name_;
};

/// An xform, or a final one.
template <class AnyScene>
class XformPartOf {
 public:
  XformPartOf(AnyScene& scene, std::string place) : scene_(&scene), place_(std::move(place)) {}

  /// "weight", "color", "color_speed", "opacity", "turn" ...: any part that has one number.
  double get(const std::string& name) const { return scene_->numbers(place_ + "." + name).at(0); }
  void set(const std::string& name, double value) {
    scene_->set_numbers(place_ + "." + name, {value});
  }
  /// a d b e c f: x' = a x + b y + c, y' = d x + e y + f.
  std::array<double, 6> coefs() const { return six("coefs"); }
  void set_coefs(const std::array<double, 6>& m) { put("coefs", m); }
  std::array<double, 6> post() const { return six("post"); }
  void set_post(const std::array<double, 6>& m) { put("post", m); }
  /// The names of the variations in use.
  std::vector<std::string> variations() const { return scene_->names(place_ + ".variations"); }
  VariationPartOf<AnyScene> variation(const std::string& name) const {
    return {*scene_, place_, name};
  }
  /// The element <xform>.
  std::string xml() const { return scene_->get(place_); }

 private:
  std::array<double, 6> six(const char* name) const {
    const std::vector<double> m = scene_->numbers(place_ + "." + name);
    return {m.at(0), m.at(1), m.at(2), m.at(3), m.at(4), m.at(5)};
  }
  void put(const char* name, const std::array<double, 6>& m) {
    scene_->set_numbers(place_ + "." + name, {m.begin(), m.end()});
  }
  AnyScene* scene_;
  std::string place_;
};

class Scene;
using XformPart = XformPartOf<Scene>;
using VariationPart = VariationPartOf<Scene>;

/// Xform `index` of the scene, from 0.
template <class AnyScene>
XformPartOf<AnyScene> xform(AnyScene& scene, int index) {
  return {scene, "xform." + std::to_string(index)};
}
/// Its final xform.
template <class AnyScene>
XformPartOf<AnyScene> final_xform(AnyScene& scene, int index = 0) {
  return {scene, "final." + std::to_string(index)};
}

}  // namespace kiln
