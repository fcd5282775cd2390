// SPDX-License-Identifier: MIT
// The tone curve: gamma, vibrancy, highlights, background (kernels/tonemap.h), in place.
//
//   ToneMap   on the picture, or with earlyclip on the light before the filter
#pragma once

#include "engine/model/flame.h"
#include "kernels/saturation.h"
#include "kernels/tonemap.h"

namespace kiln {

/// The tone curve (section 11). Without a background where that has several colors.
ToneCurve plan_tone(const Flame& flame, bool transparent);

/// The saturation of the packed pixels.
Saturation plan_saturation(const Flame& flame);

}  // namespace kiln
