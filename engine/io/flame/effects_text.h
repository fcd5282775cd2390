// SPDX-License-Identifier: MIT
// Effects and curves of brightness as flames and options write them.
//
// Bloom and glare are numbers in a row: the attributes kiln_bloom="0.2 3 1" and kiln_glare="6 15
// 0.1", the options --bloom 0.2,3%,1 and --glare 6,15,0.1. One set of rules for both.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/io/flame/attributes.h"
#include "engine/model/effects.h"
#include "engine/model/flame.h"

namespace kiln {

// Curves of brightness as flames write them: `overall_curve` and one of each channel, pairs x y
// (Fractorium); `curves`, four points x y weight a curve (Apophysis; Fractorium reads it without the
// weights); and kiln's own `kiln_curves` for what is between key flames: for each set of curves its
// share, `spline` or `bezier`, and for each of the four curves the number of its points, then x y
// weight of each.

/// Names of the attributes of one curve each, in the order of ColorCurves.
inline constexpr const char* curve_names[] = {"overall_curve", "red_curve", "green_curve",
                                              "blue_curve"};

/// Takes one of them, the one of that number, into the flame.
void set_curve(const Attribute& attribute, std::size_t number, Flame& flame);

/// Takes `curves`; what it means depends on the flame's dialect.
void set_curves(const Attribute& attribute, Flame& flame);

/// Takes `kiln_curves`.
void set_curve_mix(const Attribute& attribute, Flame& flame);

/// The attributes, name and value, that read back as the flame's curves.
std::vector<std::pair<std::string, std::string>> curve_attributes(const Flame& flame);

/// strength [radius in per cent of the height [threshold]]. Says what is wrong, or nothing.
std::string set_bloom(Bloom& bloom, const std::vector<double>& numbers);
/// points [angle in degrees [strength]].
std::string set_glare(Glare& glare, const std::vector<double>& numbers);

}  // namespace kiln
