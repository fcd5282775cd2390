// A window of a picture. The whole picture is rendered and cut, so that density estimation, bloom
// and all else see what lies around the window: its pixels are those of the whole. It saves no
// time and no memory but that of the file.
#pragma once

#include <string>

#include "engine/api/kiln/image.h"
#include "engine/api/kiln/render_options.h"

namespace kiln {

/// "40,30,640x360".
std::string window_text(const Window& window);

/// "[40,30,640,360]", as records and results have it.
std::string window_json(const Window& window);

/// Throws Error (usage) if a picture of this size does not have the whole window.
void check_window(const Window& window, int width, int height);

/// Leaves only the window of the picture, which has it.
void crop(Image& image, const Window& window);
/// The same of some rows of the picture, `first_row` and those below: perhaps none are left.
void crop_rows(Image& rows, int first_row, const Window& window);

}  // namespace kiln
