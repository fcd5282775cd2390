// SPDX-License-Identifier: MIT
// A song as powers of narrow bands in time, and as its beginnings of notes: short spectra by kiln's own FFT (the CPU's, so
// no GPU is needed), two of them a transform since samples have no imaginary part. All arithmetic is + - * / and square
// roots of IEEE numbers in one order, so that the same samples give the same numbers on every machine.
//
// Bands: windows (Hann's) of some 46 ms, 100 a second; a fifth of an octave each, so that a band with limits of one's own
// is a sum of them. Onsets: windows half as long, 200 a second; the rise of the fourth root of each frequency's power
// over 10 ms, as spectral flux (Bello et al., "A Tutorial on Onset Detection in Music Signals", 2005) has it, where the
// root stands for the ear's logarithm.
#pragma once

#include <array>
#include <vector>

#include "engine/sound/samples.h"

namespace kiln {

constexpr double band_rate = 100, onset_rate = 200;  // a second
constexpr int narrow_bands = 49;                     // from 20 Hz on, five an octave

/// The lower limit of narrow band `i`, Hz; of i = narrow_bands its upper end.
double narrow_band_begin(int i);

/// The bands that rhythm is looked for in: drum, low, middle and high, Hz.
constexpr std::array<double, 5> rhythm_bands = {20, 150, 600, 2500, 10000};
constexpr std::size_t rhythm_band_count = rhythm_bands.size() - 1;

struct SongSpectrum {
  /// [time at band_rate][narrow band]: mean power, 1 at full scale.
  std::vector<std::array<float, narrow_bands>> power;
  /// Each: [time at onset_rate] how fast the band gets louder.
  std::array<std::vector<float>, rhythm_band_count> rise;
};

SongSpectrum spectrum_of(const SongSamples& samples);

}  // namespace kiln
