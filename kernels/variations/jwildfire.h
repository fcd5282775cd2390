// SPDX-License-Identifier: MIT
// JWildfire's variations that neither flam3 has nor the plug-ins of Fractorium and Apophysis. Their
// families are jwildfire_*.h; a new one is its struct there and its name in the list at the end of
// the family. tests/variations/jwildfire_test.cpp compares them with what JWildfire printed.
#pragma once

#include "kernels/variations/jwildfire_bodies.h"
#include "kernels/variations/jwildfire_colors.h"
#include "kernels/variations/jwildfire_complex.h"
#include "kernels/variations/jwildfire_crops.h"
#include "kernels/variations/jwildfire_curves.h"
#include "kernels/variations/jwildfire_depth.h"
#include "kernels/variations/jwildfire_discs.h"
#include "kernels/variations/jwildfire_inversions.h"
#include "kernels/variations/jwildfire_julia.h"
#include "kernels/variations/jwildfire_meanings.h"
#include "kernels/variations/jwildfire_planes.h"
#include "kernels/variations/jwildfire_shapes.h"
#include "kernels/variations/jwildfire_steps.h"
#include "kernels/variations/jwildfire_symmetry.h"
#include "kernels/variations/jwildfire_synth.h"
#include "kernels/variations/jwildfire_tiles.h"
#include "kernels/variations/jwildfire_waves.h"

KILN_BEGIN

// Joined by families: compilers follow so many templates into each other and no more.
using JWildfireWavesAndCurves =
    Joined<Joined<JWildfireSynth, JWildfireWaves>, Joined<JWildfireCurves, JWildfireShapes>>;
using JWildfireFunctions =
    Joined<Joined<JWildfireJulia, JWildfireComplex>,
           Joined<JWildfireInversions, Joined<JWildfireDiscs, JWildfireMeanings>>>;
using JWildfirePlaces = Joined<Joined<JWildfirePlanes, JWildfireTiles>, JWildfireSymmetry>;
using JWildfireSpaces =
    Joined<Joined<JWildfireDepth, JWildfireBodies>, Joined<JWildfireColors, JWildfireCrops>>;
using JWildfireVariations =
    Joined<Joined<JWildfireWavesAndCurves, JWildfireFunctions>,
           Joined<JWildfirePlaces, Joined<JWildfireSpaces, JWildfireSteps>>>;

KILN_END
