// SPDX-License-Identifier: MIT
// Linear light as HDR, films and stills: PQ (SMPTE ST 2084) of BT.2020 primaries.
//
// The picture is the one that files of 8 bits show, by the same tone curve, as far as those go: their white
// is 203 cd/m2, as graphics white is in HDR (ITU-R BT.2408). There the others cut, here light goes on:
// opacity above 1, which the density's gamma gives where many samples fell, and effects. From half
// of the peak on it is bent so that it never reaches it, channels in the same ratio, so hues stay.
// highlight_power is of what is cut, and not looked at.
//
// What a film's light comes to is measured on the way: MaxCLL, the brightest channel of a pixel, and MaxFALL, the
// mean of that over the brightest frame (CTA-861.3). Tables take the place of powers: some 40 ns a pixel.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/api/kiln/render_options.h"
#include "engine/model/flame.h"
#include "engine/model/transfer.h"

namespace kiln {

/// The brightest pixel of all frames and the highest mean of a frame, in cd/m2.
struct LightLevels {
  double brightest = 0, brightest_frame = 0;
  void add(const LightLevels& frame);
};

struct HdrFrame {
  std::vector<std::uint16_t> pixels;  // [H, W, 3] PQ of r g b, 65535 is 10000 cd/m2
  LightLevels levels;
};

/// Develops a linear picture with gamma, vibrancy, background and saturation of `flame`. `peak`: cd/m2.
/// `window`: that of the flame's picture that it is; none: the whole.
HdrFrame hdr_frame(const Image& linear, const Flame& flame, double peak,
                   const std::optional<Window>& window = {});

/// The picture of hdr_frame() as a still of 16 bits; `levels` gets its light levels.
Image hdr_picture(const Image& linear, const Flame& flame, double peak,
                  const std::optional<Window>& window, LightLevels& levels);

}  // namespace kiln
