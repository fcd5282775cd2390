// SPDX-License-Identifier: MIT
/// Random key flames for the comparison of interpolated genomes: what two of them have in common is
/// only chance, so that padding, alignment and every kind of interpolation are met.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/model/flame.h"

namespace conformance {

/// `count` key flames at times first_time, first_time + gaps of 1 to 3; the same for the same seed.
/// Numbers have few digits, so that they mean the same in flam3's file and ours.
std::vector<kiln::Flame> random_keys(std::uint64_t seed, int count, int first_time);

}  // namespace conformance
