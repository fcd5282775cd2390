// SPDX-License-Identifier: MIT
#include "view/server/flame_parts.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/model/flame_attributes.h"

namespace kiln::cli {
namespace {

constexpr std::string_view of_camera[] = {
    "center",  "scale",   "zoom",       "rotate",          "cam_zpos",  "cam_persp", "cam_pitch",
    "cam_yaw", "cam_dof", "blur_curve", "kiln_projection", "kiln_dome", "kiln_eyes", "kiln_tile"};
constexpr std::string_view of_palette[] = {"palette_mode", "hue"};

bool is_of_look(const FlameAttribute& attribute) {
  return attribute.has(FlameAttribute::look) && !attribute.has(FlameAttribute::sums);
}

bool is_in(const auto& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

FlameParts parts_named(const std::vector<std::string>& names) {
  FlameParts parts;
  for (const std::string& name : names) {
    bool* const part = name == "look"      ? &parts.look
                       : name == "palette" ? &parts.palette
                       : name == "camera"  ? &parts.camera
                       : name == "xforms"  ? &parts.xforms
                                           : nullptr;
    if (!part)
      fail(ErrorKind::usage, "there is no part \"{}\"; there are look, palette, camera, xforms",
           printable(name));
    *part = true;
  }
  return parts;
}

void take_parts(const Flame& from, const FlameParts& parts, Flame& to) {
  const double size = std::min(double(to.width) / from.width, double(to.height) / from.height);
  for (const FlameAttribute& attribute : flame_attributes()) {
    const bool is_wanted = (parts.look && is_of_look(attribute)) ||
                           (parts.palette && is_in(of_palette, attribute.name)) ||
                           (parts.camera && is_in(of_camera, attribute.name));
    if (is_wanted) copy_attribute(attribute, from, to);
  }
  if (parts.palette) to.palette = from.palette;
  if (parts.camera) to.scale = from.scale * size;  // as much of the plane is seen
  if (parts.xforms) {
    to.xforms = from.xforms;
    to.final_xform = from.final_xform;
    to.more_finals = from.more_finals;
    to.links = from.links;  // which name xforms
  }
  follow_links(to);
}

LiveDocument with_parts(const Flame& from, const FlameParts& parts, const LiveDocument& to) {
  LiveDocument made = to;
  if (!to.film) {
    take_parts(from, parts, made.flame);
    return made;
  }
  if (parts.xforms)
    fail(ErrorKind::usage, "{}: the xforms of a film are not replaced: its motion would be lost",
         to.flame.name.empty() ? "a film" : printable(to.flame.name));
  std::vector<Flame> keys = to.film->keys;
  for (Flame& key : keys) take_parts(from, parts, key);
  made.flame = keys[0];
  made.film = live_film(std::move(keys));
  return made;
}

}  // namespace kiln::cli
