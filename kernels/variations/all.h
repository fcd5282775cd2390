// SPDX-License-Identifier: MIT
// Every variation: flam3's in flam3's order, whose position is flam3's variation index, then those
// that flam3 does not have. An xform's variations draw their random numbers in this order. Parser,
// defaults, dispatch, listing and tests all come from it.
#pragma once

#include "kernels/variations/angular.h"
#include "kernels/variations/basic.h"
#include "kernels/variations/blurs.h"
#include "kernels/variations/complex.h"
#include "kernels/variations/extended.h"
#include "kernels/variations/hyperbolic.h"
#include "kernels/variations/julia.h"
#include "kernels/variations/lattice.h"
#include "kernels/variations/parametric.h"
#include "kernels/variations/plane.h"
#include "kernels/variations/plugin_blurs.h"
#include "kernels/variations/plugin_cells.h"
#include "kernels/variations/plugin_complex.h"
#include "kernels/variations/plugin_crops.h"
#include "kernels/variations/plugin_depth.h"
#include "kernels/variations/plugin_falloff.h"
#include "kernels/variations/plugin_maps.h"
#include "kernels/variations/plugin_meanings.h"
#include "kernels/variations/plugin_shapes.h"
#include "kernels/variations/rings.h"
#include "kernels/variations/shapes.h"
#include "kernels/variations/variation.h"
#include "kernels/variations/waves.h"
#include "kernels/variations/wedge.h"

KILN_BEGIN

// clang-format off
using Flam3Variations = VariationList<
    Linear, Sinusoidal, Spherical, Swirl, Horseshoe, Polar, Handkerchief, Heart, Disc, Spiral,                //  0
    Hyperbolic, Diamond, Ex, Julia, Bent, Waves, Fisheye, Popcorn, Exponential, Power,                        // 10
    Cosine, Rings, Fan, Blob, Pdj, Fan2, Rings2, Eyefish, Bubble, Cylinder,                                   // 20
    Perspective, Noise, JuliaN, JuliaScope, Blur, GaussianBlur, RadialBlur, Pie, Ngon, Curl,                  // 30
    Rectangles, Arch, Tangent, Square, Rays, Blade, Secant2, Twintrian, Cross, Disc2,                         // 40
    SuperShape, Flower, Conic, Parabola, Bent2, Bipolar, Boarders, Butterfly, Cell, Cpow,                     // 50
    Curve, Edisc, Elliptic, Escher, Foci, LazySusan, Loonie, PreBlur, Modulus, Oscilloscope,                  // 60
    Polar2, Popcorn2, Scry, Separation, Split, Splits, Stripes, Wedge, WedgeJulia, WedgeSph,                  // 70
    Whorl, Waves2, Exp, Log, Sin, Cos, Tan, Sec, Csc, Cot,                                                    // 80
    Sinh, Cosh, Tanh, Sech, Csch, Coth, Auger, Flux, Mobius>;                                                 // 90
// clang-format on

static_assert(Flam3Variations::size == 99);

// Those that flam3 does not have, family by family. A new one is its struct in the family that it
// resembles and its name in the list at the end of that file; its formula in
// scripts/plugin_formulas.py checks it (CONTRIBUTING.md).
/// The list in the order in which an xform's regular variations draw their random numbers.
using PluginVariations =
    Joined<Joined<Joined<PluginDepth, PluginBlurs>, Joined<PluginCells, PluginComplex>>,
           Joined<Joined<Joined<PluginCrops, PluginFalloff>, Joined<PluginShapes, PluginMeanings>>,
                  PluginMaps>>;

/// The variations of most flames that kernels/extended_xform.h plays.
using ExtendedVariations = Joined<Flam3Variations, PluginVariations>;

KILN_END

// JWildfire's own come last, and only flames that use one play with all: a longer list makes an
// interpreter slower for everybody.
#if defined(__CUDACC_RTC__) && !defined(KILN_JWILDFIRE_VARIATIONS)  // for a flame without them
KILN_BEGIN
using AllVariations = ExtendedVariations;
KILN_END
#else
#include "kernels/variations/jwildfire.h"
KILN_BEGIN
using AllVariations = Joined<ExtendedVariations, JWildfireVariations>;
KILN_END
#endif
