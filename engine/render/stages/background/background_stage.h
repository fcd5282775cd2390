// SPDX-License-Identifier: MIT
// A background of several colors behind the tone mapped picture, in place (kernels/background.h).
#pragma once

#include <optional>

#include "kernels/background.h"

namespace kiln {

struct Flame;

/// The gradient of a picture of this size (pixels); none for a flame whose background is one color.
std::optional<BackgroundGradient> plan_gradient(const Flame& flame, int width, int height);

}  // namespace kiln
