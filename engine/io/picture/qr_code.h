// SPDX-License-Identifier: MIT
// A text as a QR code (ISO/IEC 18004), for links that a phone shall open: bytes in one segment, the smallest
// version that holds them, error correction L, or M where the same version has room for it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/api/kiln/image.h"

namespace kiln {

inline constexpr std::size_t most_qr_bytes = 2953;  // of version 40 with correction L

struct QrCode {
  int side = 0;                       // modules, without the quiet zone around
  std::vector<bool> dark;             // [side, side], row 0 the top
  bool is_dark(int x, int y) const {  // false outside
    return x >= 0 && y >= 0 && x < side && y < side && dark[std::size_t(y * side + x)];
  }
};

/// Throws Error (usage) for more than most_qr_bytes.
QrCode qr_code(std::string_view text);

/// Black on white with its quiet zone, so many pixels a module.
Image qr_picture(const QrCode& code, int pixels);

/// Draws it with the letters for light and the ground for dark modules, two rows a line. `sets_colors`:
/// white letters on black ground, by escape sequences of terminals; else as the terminal's are.
std::string qr_text(const QrCode& code, bool sets_colors = false);

}  // namespace kiln
