// Curves of brightness as flames write them: `overall_curve` and one of each channel, pairs x y
// (Fractorium); `curves`, four points x y weight a curve (Apophysis; Fractorium reads it without the
// weights); and kiln's own `kiln_curves` for what is between key flames: for each set of curves its
// share, `spline` or `bezier`, and for each of the four curves the number of its points, then x y
// weight of each.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/io/flame/attributes.h"
#include "engine/model/flame.h"

namespace kiln {

/// Names of the attributes of one curve each, in the order of ColorCurves.
inline constexpr const char* curve_names[] = {"overall_curve", "red_curve", "green_curve",
                                              "blue_curve"};

/// Takes one of them, the one of that number, into the flame.
void take_curve(const Attribute& attribute, std::size_t number, Flame& flame);

/// Takes `curves`; what it means depends on the flame's dialect.
void take_curves(const Attribute& attribute, Flame& flame);

/// Takes `kiln_curves`.
void take_curve_mix(const Attribute& attribute, Flame& flame);

/// The attributes, name and value, that read back as the flame's curves.
std::vector<std::pair<std::string, std::string>> curve_attributes(const Flame& flame);

}  // namespace kiln
