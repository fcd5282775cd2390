#pragma once

#include <memory>

#include "engine/api/kiln/render_options.h"
#include "engine/device/game.h"

namespace kiln {

class CudaMemory;

/// The chaos game on a GPU, played as `game` says.
std::unique_ptr<DeviceGame> make_cuda_game(CudaMemory& device, Game game);

}  // namespace kiln
