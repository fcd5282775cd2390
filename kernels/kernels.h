// The list of all kernels. A new kernel is its header and one word here; its number is its place in
// the list.
#pragma once

#include "kernels/accumulate.h"
#include "kernels/curves.h"
#include "kernels/density.h"
#include "kernels/density_coarse.h"
#include "kernels/density_far.h"
#include "kernels/effects.h"
#include "kernels/iterate_batch.h"
#include "kernels/log_scale.h"
#include "kernels/pack.h"
#include "kernels/spatial_filter.h"
#include "kernels/tonemap.h"
#include "kernels/variations/all.h"
#include "kernels/wide_kernels.h"

KILN_BEGIN

using WarmUp = WarmUpOf<Flam3Variations>;
using IterateBatch = IterateBatchOf<Flam3Variations>;
using WideWarmUp = WideWarmUpOf<AllVariations>;
using WideIterateBatch = WideIterateBatchOf<AllVariations>;

template <class... Ks>
struct KernelList {
  static constexpr int size = int(sizeof...(Ks));
};

using Kernels =
    KernelList<WarmUp, IterateBatch, AccumulateTiles, LogScale, SelectWidth, GatherDensity,
               WeighSources, PlaceKernels, MirrorRows, SpreadSpectrum, AddLight, WeighCoarse,
               RefineLight, MaskFar, SpatialFilter, ToneMap, Pack8, Pack16, WriteTaps, MeasureLight,
               AddScattered, CountHits, ApplyCurves>;

/// Those of wide flames (kernels/wide_xform.h), compiled in files of their own; their numbers follow.
using WideKernels = KernelList<WideWarmUp, WideIterateBatch>;

template <class... As, class... Bs>
KernelList<As..., Bs...> joined(KernelList<As...>, KernelList<Bs...>);
using AllKernels = decltype(joined(Kernels{}, WideKernels{}));

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
constexpr int kernel_id = KernelIndex<K, AllKernels>::value;

template <class K>
concept PlaysChaosGame = requires {
  requires K::plays_chaos_game;
};
template <class K>
concept SumsRecords = requires {
  requires K::sums_records;
};

KILN_END
