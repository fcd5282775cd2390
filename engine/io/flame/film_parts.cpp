// SPDX-License-Identifier: MIT
#include "engine/io/flame/film_parts.h"

#include <tinyxml2.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "engine/io/flame/attributes.h"
#include "engine/io/flame/number_link_reader.h"
#include "engine/io/flame/sound_reader.h"
#include "engine/io/flame/track_reader.h"

namespace kiln {
namespace {

std::string read_marker_name(const Attribute& a) {
  if (a.value.empty()) a.reject("is no name; say what is there, such as \"chorus\"");
  if (a.value.size() > FilmParts::most_name_bytes)
    a.reject("is longer than {} bytes", FilmParts::most_name_bytes);
  const bool is_odd = std::any_of(a.value.begin(), a.value.end(),
                                  [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  if (is_odd) a.reject("has characters that no name has");
  return std::string(a.value);
}

FilmMarker read_marker(const tinyxml2::XMLElement& element, Messages& messages) {
  static const std::string owner(marker_element);
  std::optional<double> time;
  FilmMarker marker;
  for (const Attribute& a : attributes_of(element, owner, messages)) {
    if (a.name == "time") {
      time = read_real(a);
    } else if (a.name == "name") {
      marker.name = read_marker_name(a);
    } else {
      a.reject("<kiln_marker> has no such attribute; it knows time and name");
    }
  }
  if (!time || marker.name.empty())
    messages.error(element.GetLineNum(), "kiln_marker: is a time with a name; add {}=\"...\"",
                   time ? "name" : "time");
  marker.time = *time;
  return marker;
}

}  // namespace

bool FilmParts::read(const tinyxml2::XMLElement& element, Flame& flame, Messages& messages) {
  const std::string_view name = element.Name();
  const int line = element.GetLineNum();
  if (name == track_element) {
    if (++tracks_ > most_tracks)
      messages.error(line, "the file has more than {} tracks", most_tracks);
    flame.tracks.push_back(read_track(element, messages));
  } else if (name == sound_element) {
    if (flame.sound)
      messages.error(line, "kiln_sound: there is a song already, of line {}; a film has one",
                     flame.sound->line);
    flame.sound = read_sound(element, messages);
  } else if (name == marker_element) {
    if (++markers_ > most_markers)
      messages.error(line, "the file has more than {} markers; remove some", most_markers);
    flame.markers.push_back(read_marker(element, messages));
  } else if (name == number_link_element) {
    if (flame.links.size() >= most_links)
      messages.error(line, "kiln_link: the flame has more than {} links; remove some", most_links);
    flame.links.push_back(read_number_link(element, messages));
  } else {
    return false;
  }
  return true;
}

}  // namespace kiln
