// How long the points of a flame need to forget where they began.
#pragma once

#include <cstdint>

namespace kiln {

class Device;
class SettlingMemory;
struct CompiledFlame;

/// No pool runs more steps than this before it records.
constexpr std::uint32_t most_settling_steps = 16384;

/// Steps after which nothing of a point's start shows any more: `warm_up_steps` for most flames, at
/// most `most_settling_steps`. Measured by pools of the flame; the same on every machine and
/// device. Of a flame in motion the longest of its first, middle and last moment. `device`: one that
/// plays permutations and has no game now; null: one thread of this machine's CPU. `memory`: what
/// is known already; null: nothing.
std::uint32_t settling_steps(const CompiledFlame& flame, Device* device = nullptr,
                             SettlingMemory* memory = nullptr);

/// Finds the settling time and says how the flame is played by it: a pool that takes long to settle
/// goes on from unit to unit, and rare xforms get single slots.
void settle(CompiledFlame& flame, Device* device = nullptr, SettlingMemory* memory = nullptr);

}  // namespace kiln
