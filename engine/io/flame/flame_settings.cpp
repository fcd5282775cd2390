// SPDX-License-Identifier: MIT
#include "engine/io/flame/flame_settings.h"

#include "engine/base/text.h"
#include "engine/io/flame/attribute_reader.h"
#include "engine/io/flame/xform_parts.h"
#include "engine/model/flame_attributes.h"
#include "engine/model/track_target.h"

namespace kiln {

AttributeSetting parse_setting(std::string_view option, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    fail(ErrorKind::usage, "{} {}: must be ATTRIBUTE=VALUE, such as gamma=3", option,
         printable_whole(text));
  }
  const AttributeSetting setting{std::string(text.substr(0, equals)),
                                 std::string(text.substr(equals + 1))};
  if (setting.is_of_xform()) {
    check_part(option, setting);
    return setting;
  }
  if (!find_flame_attribute(setting.name)) {
    const bool is_known = find_track_target(0, setting.name).has_value();
    if (is_known || setting.name.starts_with("xform"))
      fail(ErrorKind::usage,
           "{} {}: is of an xform; say which: xform.0.{} of the first one, xform.*.{} of all",
           option, printable_whole(text), is_known ? setting.name : "julian",
           is_known ? setting.name : "julian");
    fail(ErrorKind::usage, "{} {}: <flame> has no attribute {}{}", option, printable_whole(text),
         printable(setting.name), did_you_mean(setting.name, flame_attribute_names()));
  }
  check_setting(option, setting);
  return setting;
}

}  // namespace kiln
