// SPDX-License-Identifier: MIT
// Onsets, tempo, beats and bars of a song, from how fast its bands get louder (spectrum.h).
//
// Tempo: the autocorrelation of each band's rise in windows of 8 s, read at a beat and its multiples, favors near 120 a
// minute where a beat and two of them fit alike; the path through the windows that gathers most, with a price for each
// change, is the tempo in time, so that it may rise and fall. Beats: the chain of moments that gathers most rise, with a
// price for steps that are not the tempo's (D. Ellis, "Beat Tracking by Dynamic Programming", 2007, with a tempo that
// changes). Bars begin on the beat of each `n` that is loudest in the low bands.
#pragma once

#include <vector>

#include "engine/sound/spectrum.h"

namespace kiln {

constexpr double slowest_bpm = 55, fastest_bpm = 220;

struct Rhythm {
  std::vector<double> onsets, beats;   // seconds, rising
  std::vector<double> weight;          // of each beat: how much gets louder there in the low bands
  double bpm = 0;                      // the middle one of its beats; 0: there are none
  double least_bpm = 0, most_bpm = 0;  // over eight beats
};

Rhythm rhythm_of(const SongSpectrum& spectrum);

/// The value below which `share` of all lie; 0 of none.
double quantile(std::vector<double> values, double share);

/// The beats that begin a bar of `n`.
std::vector<double> bars_of(const Rhythm& rhythm, int n);

}  // namespace kiln
