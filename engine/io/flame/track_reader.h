// SPDX-License-Identifier: MIT
// <kiln_track>, a child of <flame> that flam3 and the programs after it pass over:
//
//   <kiln_track xform="2" name="turn" ends="cycle">
//      <key time="0" value="0" easing="ease-in-out"/>
//      <key time="90" value="360"/>
//   </kiln_track>
//
// Without `xform` the name is an attribute of <flame>; xforms count from 1, as in messages, and "final" is
// the final one. docs/inside/animation.md explains it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/io/flame/attributes.h"
#include "engine/model/track.h"
#include "engine/model/track_target.h"

namespace kiln {

inline constexpr std::string_view track_element = "kiln_track";

inline constexpr std::size_t most_track_keys = 1 << 16;

/// Throws Error with line and remedy for what is no track.
Track read_track(const tinyxml2::XMLElement& element, Messages& messages);

/// The value of one key of a track, read by what it moves. Throws Error.
std::vector<double> read_track_value(const Attribute& a, const TrackTarget& target);

/// Reads the text of one such element; `name` stands for the file in messages. Throws Error.
Track parse_track(const std::string& xml, const std::string& name);

/// The element as the reader takes it, with a newline at the end.
std::string track_xml(const Track& track);

}  // namespace kiln
