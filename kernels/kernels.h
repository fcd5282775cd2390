// SPDX-License-Identifier: MIT
// The list of the kernels that a device launches by number. A new kernel is its header and one word
// here; its number is its place in the list. Those of the chaos game are not among them: how they are
// launched is each device's own (engine/device/game.h).
#pragma once

#include "kernels/background.h"
#include "kernels/bin_sums.h"
#include "kernels/clean.h"
#include "kernels/curves.h"
#include "kernels/density.h"
#include "kernels/density_coarse.h"
#include "kernels/density_far.h"
#include "kernels/effects.h"
#include "kernels/log_scale.h"
#include "kernels/moved_light.h"
#include "kernels/noise.h"
#include "kernels/saturation.h"
#include "kernels/spatial_filter.h"
#include "kernels/tonemap.h"

KILN_BEGIN

template <class... Ks>
struct KernelList {
  static constexpr int size = int(sizeof...(Ks));
};

using Kernels = KernelList<LogScale, SelectWidth, GatherDensity, WeighSources, PlaceKernels,
                           MirrorRows, SpreadSpectrum, AddLight, WeighCoarse, RefineLight, MaskFar,
                           SpatialFilter, ToneMap, Pack8, Pack16, WriteTaps, MeasureLight,
                           AddScattered, CountHits, ApplyCurves, SumHalves, MeasureNoise, BinSums,
                           KeepHits, MeasureClumps, TakeCounts, SumPatches, CleanLight, WrapEdges,
                           TableFilter, MovedLight, AddBackground, Saturate8, Saturate16>;

template <class K, class List>
struct KernelIndex;
template <class K, class... Rest>
struct KernelIndex<K, KernelList<K, Rest...>> {
  static constexpr int value = 0;
};
template <class K, class First, class... Rest>
struct KernelIndex<K, KernelList<First, Rest...>> {
  static constexpr int value = 1 + KernelIndex<K, KernelList<Rest...>>::value;
};
template <class K>
constexpr int kernel_id = KernelIndex<K, Kernels>::value;

KILN_END
