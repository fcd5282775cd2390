// SPDX-License-Identifier: MIT
/// Flames drawn by flam3-genome when the comparison runs: one for each of flam3's 99 variations,
/// and random ones.
#pragma once
#include <string>
#include <vector>

#include "tests/conformance/flames.h"
#include "tests/conformance/renderers.h"

namespace conformance {

/// flam3's variations in the order of their numbers.
const std::vector<std::string>& variation_names();

/// A flame whose xforms mix `linear` and variation `number`. Genomes are drawn with seeds 1, 2, ...
/// until one gives a picture that is neither dark nor white, with few bad values and settled within
/// flam3's warm-up, as a probe with `flam3` shows it; the search depends on nothing but flam3's
/// programs.
Scene variation_scene(int number, const Format& format, const Flam3& flam3);

constexpr int random_count = 50;
std::string random_name(int number);

/// Random genome `number`, as flam3-genome makes them: any variations, any symmetry. Of 20 seeds
/// the first is taken whose picture is neither dark nor white and has few bad values. Compared with
/// chains of 100 000 points: how flam3 begins is another matter.
Scene random_scene(int number, const Format& format, const Flam3& flam3);

}  // namespace conformance
