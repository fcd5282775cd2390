// SPDX-License-Identifier: MIT
#include "engine/render/develop/hdr.h"

#include <algorithm>
#include <array>

#include "engine/model/exact_math.h"
#include "engine/model/transfer.h"
#include "engine/render/stages/background/background_stage.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stages/tone/tone_stage.h"

namespace kiln {
namespace {

struct Light {
  float r, g, b;
  float most() const { return std::max({r, g, b}); }
};

/// Converts light from the primaries of sRGB to those of BT.2020 (ITU-R BT.2087).
Light in_bt2020(const Light& c) {
  return {0.6274f * c.r + 0.3293f * c.g + 0.0433f * c.b,
          0.0691f * c.r + 0.9195f * c.g + 0.0114f * c.b,
          0.0164f * c.r + 0.0880f * c.g + 0.8956f * c.b};
}

/// Unchanged up to half of the peak, then ever closer to it.
Light bent(const Light& light, float peak) {
  const float most = light.most(), knee = peak / 2;
  if (most <= knee) return light;
  const float over = (most - knee) / (peak - knee);
  const float factor = (knee + (peak - knee) * over / (1 + over)) / most;
  return {light.r * factor, light.g * factor, light.b * factor};
}

constexpr float most_signal = 1000;

/// The tone curve without its upper end, and the saturation of what it gives.
class OpenCurve {
 public:
  explicit OpenCurve(const Flame& flame)
      : tone_(plan_tone(flame, false)),
        saturation_(plan_saturation(flame)),
        power_([this](double t) { return exact::pow(t, double(tone_.exponent)); }) {}

  const Vec4& background() const { return tone_.background; }

  /// The signal of a pixel, given as r g b a / 255; 1 is the white of a file.
  Light operator()(const float* rgba, const Vec4& background) const {
    const float d = rgba[3], opacity = d > 0 ? tone_.opacity(d, power_(d)) : 0;
    const float scale = tone_.scale_of(d, opacity),
                behind = 1 - std::min(opacity * tone_.cover, 1.0f);
    const auto channel = [&](float t, float behind_it) {
      t = t > 0 ? t : 0;
      const float own = tone_.plain != 0 ? tone_.plain * power_(t) : 0;
      const float signal = (t * scale + own + behind_it * behind) / 255;
      return signal > 0 ? (signal < most_signal ? signal : most_signal) : 0;  // NaN is 0
    };
    return saturated({channel(rgba[0], background.r), channel(rgba[1], background.g),
                      channel(rgba[2], background.b)});
  }

 private:
  /// Above white the brightest channel is full.
  Light saturated(const Light& signal) const {
    if (saturation_.more == 0) return signal;
    const Vec4 color =
        saturation_({signal.r, signal.g, signal.b, 0}, std::max(1.0f, signal.most()));
    return {color.r, color.g, color.b};
  }

  const ToneCurve tone_;
  const Saturation saturation_;
  const LightTable power_;
};

}  // namespace

void LightLevels::add(const LightLevels& frame) {
  brightest = std::max(brightest, frame.brightest);
  brightest_frame = std::max(brightest_frame, frame.brightest_frame);
}

HdrFrame hdr_frame(const Image& linear, const Flame& flame, double peak,
                   const std::optional<Window>& window) {
  static const LightTable light_of(light_of_srgb),
      code_of([](double light) { return 65535 * pq_of(light); });
  const OpenCurve curve(flame);
  const auto gradient = window ? plan_gradient(flame, flame.width, flame.height)
                               : plan_gradient(flame, linear.width, linear.height);
  const auto behind = [&](std::size_t i) {
    if (!gradient) return curve.background();
    const int x = int(i % std::size_t(linear.width)), y = int(i / std::size_t(linear.width));
    return gradient->at(x + (window ? window->x : 0), y + (window ? window->y : 0));
  };
  const std::vector<float>& rgba = linear.linear().rgba;
  const std::size_t pixels = rgba.size() / 4;
  HdrFrame frame;
  frame.pixels.resize(pixels * 3);
  double sum = 0;
  for (std::size_t i = 0; i < pixels; ++i) {
    const Light signal = curve(&rgba[4 * i], behind(i));
    const float white = static_cast<float>(hdr_white);
    const Light light = bent(in_bt2020({white * light_of(signal.r), white * light_of(signal.g),
                                        white * light_of(signal.b)}),
                             static_cast<float>(peak));
    const double most = double(light.most());
    frame.levels.brightest = std::max(frame.levels.brightest, most);
    sum += most;
    std::uint16_t* out = &frame.pixels[3 * i];
    for (const float channel : {light.r, light.g, light.b})
      *out++ = static_cast<std::uint16_t>(code_of(channel) + 0.5f);
  }
  frame.levels.brightest_frame = pixels > 0 ? sum / double(pixels) : 0;
  return frame;
}

Image hdr_picture(const Image& linear, const Flame& flame, double peak,
                  const std::optional<Window>& window, LightLevels& levels) {
  const HdrFrame frame = hdr_frame(linear, flame, peak, window);
  Image picture;
  picture.width = linear.width;
  picture.height = linear.height;
  picture.pixel_aspect = linear.pixel_aspect;
  picture.dpi = linear.dpi;
  picture.opaque = true;
  Words& pixels = picture.pixels.emplace<Words>();
  pixels.reserve(frame.pixels.size() / 3 * 4);
  for (std::size_t i = 0; i < frame.pixels.size(); i += 3)
    pixels.insert(pixels.end(), {frame.pixels[i], frame.pixels[i + 1], frame.pixels[i + 2],
                                 std::uint16_t(65535)});
  levels = frame.levels;
  return picture;
}

}  // namespace kiln
