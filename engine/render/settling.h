// How long the points of a flame need to forget where they began.
#pragma once

#include <cstdint>

namespace kiln {

struct CompiledFlame;

/// No pool runs more steps than this before it records.
constexpr std::uint32_t most_settling_steps = 16384;

/// Steps after which nothing of a point's start shows any more: `warm_up_steps` for most flames, at
/// most `most_settling_steps`. Measured by pools of the flame on this machine's CPU; the same on
/// every machine. Of a flame in motion the longest of its first, middle and last moment.
std::uint32_t settling_steps(const CompiledFlame& flame);

/// Finds the settling time and says how the flame is played by it: a pool that takes long to settle
/// goes on from unit to unit, and rare xforms get single slots.
void settle(CompiledFlame& flame);

}  // namespace kiln
