// What flam3 takes from which of a frame's genomes (flam3-pipeline.md section 5): sizes, quality,
// passes, supersampling and the spatial filter from the one at the frame's time, the log scale's
// brightness and scale from the last moment of a pass, the estimator from its first, vibrancy,
// gamma and background from the mean of all moments, the gamma threshold from the last.
#pragma once

#include "engine/program/compile.h"
#include "engine/render/renderer.h"

namespace kiln {

/// The moments of a frame; a still has one. Throws Error (internal) when samples, weights and
/// passes do not fit together. Points into `frame`.
Moments moments_of(const Frame& frame);

/// The flame whose settings hold for the whole frame. Its estimator radius is the largest of all
/// moments: the buffer must be large enough for every pass.
Flame frame_settings(const Frame& frame);

/// The flame whose log scale and estimator hold for one pass.
Flame pass_settings(const Frame& frame, int pass);

}  // namespace kiln
