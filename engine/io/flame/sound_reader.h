// SPDX-License-Identifier: MIT
// <kiln_sound>, a child of <flame>: the song of a film, of which tracks take what drives them:
//
//   <kiln_sound file="song.flac" sha256="..." fps="30" start="0" bar="4" length="song"/>
//   <kiln_track name="zoom" sound="bass" from="0.2" to="1.4" release="0.3"/>
//
// docs/use/music.md explains both. Nothing is opened here: a film may be looked at without its song.
#pragma once

#include <string_view>

#include "engine/io/flame/attributes.h"
#include "engine/model/sound.h"
#include "engine/model/track.h"

namespace kiln {

inline constexpr std::string_view sound_element = "kiln_sound";

/// Throws Error with line and remedy for what names no song.
FilmSound read_sound(const tinyxml2::XMLElement& element, Messages& messages);

/// Takes an attribute of <kiln_track> that says how a song drives it; whether it is one. Throws Error.
bool take_drive(const Attribute& attribute, SoundDrive& drive);

/// Throws Error for what contradicts itself.
void check_drive(const SoundDrive& drive, const std::string& owner, int line,
                 const Messages& messages);

/// The attributes of <kiln_track> for a drive, each with a blank before it.
std::string drive_attributes(const SoundDrive& drive);

}  // namespace kiln
