// Tone mapping: linear light to display values 0..255 (flam3-pipeline.md section 11). Gamma acts on
// the opacity a / 255, so that hues survive (vibrancy 1) or on each channel (vibrancy 0); near
// black the gamma curve has a straight piece below gamma_threshold. Channels above 255 keep their
// hue as far as highlight_power says.
//
// Deviation from flam3: channels below 0, which filters with negative lobes make beside bright
// edges, count as 0. flam3 raises them to the power 1 / gamma, gets NaN and draws white specks.
#pragma once

#include "kernels/math.h"
#include "kernels/platform.h"

KILN_BEGIN

/// The numbers of the tone curve, made by engine/render/tone_plan.cpp.
struct ToneCurve {
  float exponent = 1;           // 1 / gamma
  float threshold = 0;          // gamma_threshold, of a / 255
  float inverse_threshold = 0;  // 1 / threshold; 0 if there is none
  float low_slope =
      0;  // threshold^exponent / threshold: slope of the straight piece; 0 if there is none
  float vibrancy = 256;  // 256 * vibrancy
  float plain = 0;       // 256 * (1 - vibrancy): share of the gamma of each channel
  float highlight_power = -1;
  Vec4 background = {0, 0, 0, 0};  // 256 * background in r g b
  i32 transparent = 0;             // 1: straight alpha, no background

  /// r g b in 0..255 (straight if transparent), a = opacity 0..1. full_alpha: opacity(light.a).
  KILN_FN Vec4 operator()(Vec4 light, float full_alpha) const {
    const Vec4 t = {at_least_0(light.r) * (1 / 255.0f), at_least_0(light.g) * (1 / 255.0f),
                    at_least_0(light.b) * (1 / 255.0f), 0};
    const float density = at_least_0(light.a) * (1 / 255.0f);
    const float alpha = full_alpha < 1 ? full_alpha : 1;
    const float scale = density > 0 ? at_most(vibrancy * full_alpha / density, 1e30f)
                                    : 0;  // 0 * 1e30 is 0, 0 * inf is not

    Vec4 out = limit_highlights(t, scale);
    if (plain != 0) {
      out.r += plain * pow(t.r, exponent);
      out.g += plain * pow(t.g, exponent);
      out.b += plain * pow(t.b, exponent);
    }
    if (transparent) {
      const float divisor = alpha > 0 ? alpha : infinity;
      out = {out.r / divisor, out.g / divisor, out.b / divisor, 0};
    } else {
      out = out + background * (1 - alpha);
    }
    return {display(out.r), display(out.g), display(out.b), alpha};
  }

  /// Gamma of a / 255, not clamped: density^exponent, blended into a straight line below the
  /// threshold.
  KILN_FN float opacity(float a) const {
    const float density = at_least_0(a) * (1 / 255.0f);
    const float curve = pow(density, exponent);
    const float share = density * inverse_threshold;
    const float blend = (1 - share) * density * low_slope + share * curve;
    const float above_0 = density >= threshold ? curve : blend;
    return density > 0 ? above_0 : 0;
  }

  /// scale * t, its channels above 255 brought down as highlight_power says.
  KILN_FN Vec4 limit_highlights(Vec4 t, float scale) const {
    const Vec4 plain_colour = t * scale;
    if (highlight_power <= -1) return plain_colour;

    const float brightest = at_least(at_least(t.r, t.g), t.b);
    const bool over = scale * brightest > 255;
    const float limit = 255 / brightest;  // the scale at which the brightest channel is 255
    Vec4 limited;
    if (highlight_power < 0) {  // between cutting each channel (-1) and keeping their ratios (0)
      limited = t * ((1 + highlight_power) * limit - highlight_power * scale);
    } else {
      const float saturation = pow(limit / scale, highlight_power);  // in HSV, at full value
      limited = {desaturated(t.r / brightest, saturation), desaturated(t.g / brightest, saturation),
                 desaturated(t.b / brightest, saturation), 0};
    }
    return {over ? limited.r : plain_colour.r, over ? limited.g : plain_colour.g,
            over ? limited.b : plain_colour.b, 0};
  }

 private:
  KILN_FN static float at_least(float a, float b) { return a > b ? a : b; }
  KILN_FN static float at_most(float a, float b) { return a < b ? a : b; }
  KILN_FN static float at_least_0(float a) { return a > 0 ? a : 0; }  // NaN becomes 0
  KILN_FN static float desaturated(float p, float saturation) {
    return 255 * (1 - (1 - p) * saturation);
  }
  KILN_FN static float display(float c) { return at_most(at_least_0(c), 255); }
};

/// Tone maps a picture, in place or not. Blocks: block_count().
struct ToneMap {
  static constexpr int lanes = 256;
  struct Shared {
    float opacity[lanes];
  };

  const Vec4* light = nullptr;  // [count] linear light
  Vec4* display = nullptr;      // [count] r g b 0..255, a 0..1; may be `light`
  i64 count = 0;
  ToneCurve curve;

  constexpr int block_count() const { return int((count + lanes - 1) / lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    const i64 first = i64(block.index) * lanes, last = count - 1;
    const ToneCurve tone = curve;
    block.each([&](int lane) KILN_INLINE {
      shared.opacity[lane] = light[first + lane < last ? first + lane : last].a;
    });
    block.each([&](int lane) KILN_INLINE {  // on its own, so that g++ vectorises the power
      shared.opacity[lane] = tone.opacity(shared.opacity[lane]);
    });
    block.each([&](int lane) KILN_INLINE {
      const i64 i = first + lane;
      if (i <= last) display[i] = tone(light[i], shared.opacity[lane]);
    });
  }
};

KILN_END
