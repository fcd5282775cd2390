// SPDX-License-Identifier: MIT
// The list of the kernels that a device launches by number. A new kernel is its header and one word
// here; its number is its place in the list. Those of the chaos game are not among them: how they are
// launched is each device's own (engine/device/game.h).
#pragma once

#include "kernels/background.h"
#include "kernels/bin_sums.h"
#include "kernels/clean.h"
#include "kernels/clean_lines.h"
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
#include "kernels/vignette.h"

/// X(name) for every kernel, in the order of their numbers. It is laid out by hand: the formatter moves it with each run.
// clang-format off
#define KILN_KERNEL_LIST(X) \
  X(LogScale) X(SelectWidth) X(GatherDensity) X(WeighSources) X(PlaceKernels) X(MirrorRows) \
  X(SpreadSpectrum) X(AddLight) X(WeighCoarse) X(RefineLight) X(MaskFar) X(SpatialFilter) \
  X(ToneMap) X(Pack8) X(Pack16) X(WriteTaps) X(MeasureLight) X(AddScattered) X(CountHits) \
  X(ApplyCurves) X(SumHalves) X(MeasureNoise) X(BinSums) X(KeepHits) X(MeasureClumps) \
  X(TakeCounts) X(SumPatches) X(CleanSums) X(LineLight) X(WrapEdges) X(TableFilter) \
  X(MovedLight) \
  X(AddBackground) X(Saturate8) X(Saturate16) X(DimCorners)
// clang-format on

KILN_BEGIN

template <class... Ks>
struct KernelList {
  static constexpr int size = int(sizeof...(Ks));
};

namespace listed {
template <class First, class... Ks>
KernelList<Ks...> without_first(KernelList<First, Ks...>);
}  // namespace listed

#define KILN_AND_KERNEL(K) , K
using Kernels =
    decltype(listed::without_first(KernelList<void KILN_KERNEL_LIST(KILN_AND_KERNEL)>{}));
#undef KILN_AND_KERNEL

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
