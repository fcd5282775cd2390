// Bloom and glare as numbers in a row: the attributes kiln_bloom="0.2 3 1" and kiln_glare="6 15
// 0.1", the options --bloom 0.2,3%,1 and --glare 6,15,0.1. One set of rules for both.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/effects.h"

namespace kiln {

/// strength [radius in per cent of the height [threshold]]. Says what is wrong, or nothing.
std::string set_bloom(Bloom& bloom, const std::vector<double>& numbers);
/// points [angle in degrees [strength]].
std::string set_glare(Glare& glare, const std::vector<double>& numbers);

/// The numbers of an option, "0.2,3%,1"; a per cent sign is allowed behind number `percent` (from
/// 0, -1: none). Throws Error (usage) with the option's name.
std::vector<double> option_numbers(const char* option, std::string_view text, int percent);

}  // namespace kiln
