// The tone curve: gamma, vibrancy, highlights, background (kernels/tonemap.h), in place.
//
//   ToneMap   on the picture, or with earlyclip on the light before the filter
#pragma once

#include "engine/model/flame.h"
#include "kernels/tonemap.h"

namespace kiln {

/// The tone curve (section 11).
ToneCurve plan_tone(const Flame& flame, bool transparent);

}  // namespace kiln
