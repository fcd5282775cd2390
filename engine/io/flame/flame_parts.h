// SPDX-License-Identifier: MIT
// The parts of a flame by name, as programs (kiln.h, Python) and `--set` change them:
//
//   brightness             an attribute of <flame>
//   xform.0.julian         of the first xform: a variation's weight, a parameter, weight, coefs, chaos,
//                          turn ...: all that its file or a track may name, by kiln's own names
//   xform.*.color_speed    the same of every xform
//   final.opacity          of the final xform; final.1 is the second of several
//   xform.0                all of it: the element <xform>
//   xaos                   numbers: what every xform multiplies the weights of every other by, row by row
//   palette, palette_rgba  numbers: three or four a color, from 0 to 1
//   tracks                 all <kiln_track> elements
//   links                  all <kiln_link> elements: numbers that follow others, and do so after each change
//
// There is no list of names here: the tables of attributes, variations and tracks have them. What the reader
// of a file would refuse is refused, with its words.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/flame/flame_file.h"
#include "engine/model/flame.h"

namespace kiln {

/// A part's text as its file has it; what is usual is said, too. Throws Error (usage) where there is none.
std::string part_text(const Flame& flame, std::string_view name);
/// Sets it. `place` begins what is said. Throws Error (usage); the flame is as it was then.
void set_part(Flame& flame, std::string_view name, std::string_view text,
              const std::string& place = "set");

/// A part that has numbers. Throws Error (usage).
std::vector<double> part_numbers(const Flame& flame, std::string_view name);
void set_part_numbers(Flame& flame, std::string_view name, std::span<const double> numbers);

/// The names of what a flame ("") or an xform ("xform.0") has; of "xform.0.variations" the forms in use, of a form
/// ("xform.0.julian") its parameters.
std::vector<std::string> part_names(const Flame& flame, std::string_view of);

/// The names of an xform's numbers that are neither variations nor parameters: "weight", "turn", "chaos" ...
std::vector<std::string> xform_number_names();

/// The number of "xform", "final" or "track". Throws Error (usage) for another word.
int part_count(const Flame& flame, std::string_view of);

// Xforms as a list: chaos, tracks and links keep to theirs.

/// Inserts what the element says as "xform.2" or "final.0": whoever was there comes after it. Empty: one
/// of weight 1 that leaves points where they are. Throws Error (usage).
void insert_part(Flame& flame, std::string_view at, const std::string& element);
/// Removes an xform, or a form of one ("xform.0.julian").
void remove_part(Flame& flame, std::string_view at);
/// Moves one to where number `to` is.
void move_part(Flame& flame, std::string_view at, int to);

/// A flame to begin with: no xforms, a white palette, all else as kiln's own by chance have it.
Flame empty_flame();

/// The flame as its file is read: with what there follows of its xforms (an order that matters, a point that is
/// passed on). Throws Error (input) where it cannot be rendered.
Flame settled(const Flame& flame);

}  // namespace kiln
