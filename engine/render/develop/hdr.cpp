#include "engine/render/develop/hdr.h"

#include <algorithm>
#include <array>
#include <bit>

#include "engine/model/exact_math.h"
#include "engine/render/plan/output_plan.h"

namespace kiln {
namespace {

/// A smooth function of numbers above 0 by its values at 256 places an octave, with lines between them; 0
/// at 0, and beyond its ends as there.
class LightTable {
 public:
  template <class Function>
  explicit LightTable(Function function) {
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = static_cast<float>(
          function(double(std::bit_cast<float>(first + std::uint32_t(i << shift)))));
  }
  float operator()(float x) const {
    if (!(x > 0)) return 0;
    const std::uint32_t bits = std::clamp(std::bit_cast<std::uint32_t>(x), first, last);
    const std::size_t i = (bits - first) >> shift;
    const float share = float((bits - first) & ((1u << shift) - 1)) / float(1u << shift);
    return values_[i] + (values_[i + 1] - values_[i]) * share;
  }

 private:
  static constexpr int shift = 23 - 8;
  static constexpr std::uint32_t first = (127u - 40) << 23, last = ((127u + 20) << 23) - 1;
  std::array<float, ((last - first) >> shift) + 2> values_;
};

/// sRGB, which goes on above 1.
double light_of_signal(double signal) {
  return signal <= 0.04045 ? signal / 12.92 : exact::pow((signal + 0.055) / 1.055, 2.4);
}

struct Light {
  float r, g, b;
  float most() const { return std::max({r, g, b}); }
};

/// From the primaries of sRGB to those of BT.2020 (ITU-R BT.2087).
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

/// The tone curve without its upper end.
class OpenCurve {
 public:
  explicit OpenCurve(const Flame& flame)
      : tone_(plan_tone(flame, false)),
        power_([this](double t) { return exact::pow(t, double(tone_.exponent)); }) {}

  /// Of r g b a / 255: the signal, 1 is the white of a file.
  Light operator()(const float* rgba) const {
    const float d = rgba[3], opacity = d > 0 ? tone_.opacity(d, power_(d)) : 0;
    const float scale = tone_.scale_of(d, opacity), behind = 1 - std::min(opacity, 1.0f);
    const auto channel = [&](float t, float background) {
      t = t > 0 ? t : 0;
      const float own = tone_.plain != 0 ? tone_.plain * power_(t) : 0;
      const float signal = (t * scale + own + background * behind) / 255;
      return signal > 0 ? (signal < most_signal ? signal : most_signal) : 0;  // NaN is 0
    };
    return {channel(rgba[0], tone_.background.r), channel(rgba[1], tone_.background.g),
            channel(rgba[2], tone_.background.b)};
  }

 private:
  const ToneCurve tone_;
  const LightTable power_;
};

}  // namespace

void LightLevels::add(const LightLevels& frame) {
  brightest = std::max(brightest, frame.brightest);
  brightest_frame = std::max(brightest_frame, frame.brightest_frame);
}

double pq_of(double light) {
  constexpr double m1 = 2610.0 / 16384, m2 = 2523.0 / 4096 * 128;
  constexpr double c1 = 3424.0 / 4096, c2 = 2413.0 / 4096 * 32, c3 = 2392.0 / 4096 * 32;
  const double y = exact::pow(std::clamp(light / 10000, 0.0, 1.0), m1);
  return exact::pow((c1 + c2 * y) / (1 + c3 * y), m2);
}

HdrFrame hdr_frame(const Image& linear, const Flame& flame, double peak) {
  static const LightTable light_of(light_of_signal),
      code_of([](double light) { return 65535 * pq_of(light); });
  const OpenCurve curve(flame);
  const std::vector<float>& rgba = linear.linear().rgba;
  const std::size_t pixels = rgba.size() / 4;
  HdrFrame frame;
  frame.pixels.resize(pixels * 3);
  double sum = 0;
  for (std::size_t i = 0; i < pixels; ++i) {
    const Light signal = curve(&rgba[4 * i]);
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

}  // namespace kiln
