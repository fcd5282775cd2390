// A window of a picture. The whole picture is rendered and cut, so that density estimation, bloom
// and all else see what lies around the window: its pixels are those of the whole. It saves no
// time and no memory but that of the file.
#pragma once

#include <string>

namespace kiln {

struct Image;

/// Pixels of a picture: x and y of the corner from the left and the top, from 0.
struct Window {
  int x = 0, y = 0, width = 1, height = 1;
  bool operator==(const Window&) const = default;
};

/// "40,30,640x360".
std::string window_text(const Window& window);

/// "[40,30,640,360]", as records and results have it.
std::string window_json(const Window& window);

/// Throws Error (usage) if a picture of this size does not have the whole window.
void check_window(const Window& window, int width, int height);

/// Leaves only the window of the picture, which has it.
void crop(Image& image, const Window& window);

}  // namespace kiln
