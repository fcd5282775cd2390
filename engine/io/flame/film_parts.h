// SPDX-License-Identifier: MIT
// What stands in a <flame> element and is of the whole film: its tracks, its song, links between numbers
// (number_link_reader.h), and markers, which are times with names:
//
//   <kiln_marker time="96" name="the drum comes in"/>
//
// flam3 and the programs after it pass over all four. docs/use/film.md has markers.
#pragma once

#include <cstddef>
#include <string_view>

#include "engine/io/flame/messages.h"
#include "engine/model/flame.h"

namespace tinyxml2 {
class XMLElement;
}  // namespace tinyxml2

namespace kiln {

inline constexpr std::string_view marker_element = "kiln_marker";

/// Reads them, of one file.
class FilmParts {
 public:
  static constexpr std::size_t most_tracks = 1 << 12, most_markers = 1000, most_name_bytes = 200;

  /// Reads the element into the flame. Whether it is one of these. Throws Error with line and remedy.
  bool read(const tinyxml2::XMLElement& element, Flame& flame, Messages& messages);

 private:
  std::size_t tracks_ = 0, markers_ = 0;
};

}  // namespace kiln
