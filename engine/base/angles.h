// Angles in radians.
#pragma once

#include <numbers>

namespace kiln {

inline constexpr double half_turn = std::numbers::pi;
inline constexpr double whole_turn = 2 * half_turn;

}  // namespace kiln
