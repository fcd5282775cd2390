// SPDX-License-Identifier: MIT
// Tone mapping: linear light to display values 0..255 (flam3-pipeline.md section 11). Gamma acts on
// the opacity a / 255, so that hues survive (vibrancy 1) or on each channel (vibrancy 0); near
// black the gamma curve has a straight piece below gamma_threshold. Channels above 255 keep their
// hue as far as highlight_power says.
//
// Deviation from flam3: channels below 0, which filters with negative lobes make beside bright
// edges, count as 0. flam3 raises them to the power 1 / gamma, gets NaN and draws white specks.
#pragma once

#include "kernels/block.h"
#include "kernels/math.h"
#include "kernels/platform.h"

// Packing: display values become the integers of the file (flam3-pipeline.md section 11). As in
// flam3 they are cut, not rounded, and 16-bit channels are 256 * value, so they end at 65280; alpha
// uses the full range.

KILN_BEGIN

/// Channel: u8 or u16. Blocks: block_count().
template <class Channel>
struct Pack {
  static constexpr int lanes = 256;
  static constexpr float color_scale = sizeof(Channel) == 1 ? 1 : 256;
  static constexpr float alpha_scale = sizeof(Channel) == 1 ? 255 : 65535;
  struct Shared {};

  // [count] r g b 0..255, a 0..1; anything beyond is clamped, NaN counts as 0
  const Vec4* display = nullptr;
  Channel* pixels = nullptr;  // [count, 4] r g b a
  i64 count = 0;
  i32 transparent = 0;  // 0: alpha is full everywhere

  constexpr int block_count() const { return blocks_of(count, lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    each_element<lanes>(block, count, [&](i64 i) KILN_INLINE {
      const Vec4 value = display[i];
      pixels[4 * i + 0] = cut(value.r, 255, color_scale);
      pixels[4 * i + 1] = cut(value.g, 255, color_scale);
      pixels[4 * i + 2] = cut(value.b, 255, color_scale);
      pixels[4 * i + 3] = cut(transparent ? value.a : 1, 1, alpha_scale);
    });
  }

 private:
  KILN_FN static Channel cut(float value, float largest, float scale) {
    const float inside = value > 0 ? (value < largest ? value : largest) : 0;  // false for NaN
    return Channel(i32(inside * scale));
  }
};

using Pack8 = Pack<u8>;
using Pack16 = Pack<u16>;

KILN_END

KILN_BEGIN

/// The tone curve; its numbers are made by engine/render/stages/tone/tone_stage.cpp. Of light (r g b a) with
/// t = (r g b) / 255, d = a / 255, e = 1 / gamma, T = gamma_threshold, v = vibrancy:
///   opacity   p = d^e; below T the mean of that and of a straight line:
///                 (1 - d / T) d T^e / T + (d / T) d^e
///   color    c = 256 (v t p / d + (1 - v) t^e), the first term limited by highlight_power
///   display   c + 256 background (1 - min(k p, 1)), or c / min(k p, 1) if transparent; 0 to 255, k = cover
struct ToneCurve {
  float exponent = 1;           // 1 / gamma
  float threshold = 0;          // gamma_threshold, of a / 255
  float inverse_threshold = 0;  // 1 / threshold; 0 if there is none
  float low_slope = 0;          // of the straight piece: threshold^exponent / threshold, or 0
  float vibrancy = 256;         // 256 * vibrancy
  float plain = 0;              // 256 * (1 - vibrancy): share of the gamma of each channel
  float highlight_power = -1;
  float cover = 1;                 // how much sooner than it is opaque light covers the background
  Vec4 background = {0, 0, 0, 0};  // 256 * background in r g b
  i32 transparent = 0;             // 1: straight alpha, no background

  /// r g b in 0..255 (straight if transparent), a = opacity 0..1. ToneMap does the same, a loop an
  /// operation, and to the same bits (tests/kernels/tonemap_test.cpp).
  KILN_FN Vec4 operator()(const Vec4& light) const {
    const Vec4 t = {density_of(light.r), density_of(light.g), density_of(light.b), 0};
    const float density = density_of(light.a), full_alpha = opacity(density);
    const Vec4 powers = {power(t.r), power(t.g), power(t.b), 0};
    return color(t, full_alpha, scale_of(density, full_alpha), powers);
  }

  /// The display color of t = r g b / 255, none below 0. full_alpha: opacity of light.a; scale:
  /// scale_of(); powers: t^exponent, needed where plain is not 0.
  KILN_FN Vec4 color(Vec4 t, float full_alpha, float scale, Vec4 powers) const {
    const float covered = full_alpha * cover, alpha = covered < 1 ? covered : 1;
    Vec4 out = limit_highlights(t, scale);
    if (plain != 0) {
      out.r += plain * powers.r;
      out.g += plain * powers.g;
      out.b += plain * powers.b;
    }
    if (transparent) {
      const float divisor = alpha > 0 ? alpha : infinity;
      out = {out.r / divisor, out.g / divisor, out.b / divisor, 0};
    } else {
      out = out + background * (1 - alpha);
    }
    return {display(out.r), display(out.g), display(out.b), alpha};
  }

  /// Whether the curve is the usual one: full vibrancy, channels cut at 255, an opaque background.
  KILN_FN bool is_usual() const {
    return (plain == 0) & (highlight_power <= -1) & (transparent == 0) & (cover == 1);
  }
  /// A channel of the usual curve, without a branch.
  KILN_FN static float usual(float t, float full_alpha, float scale, float behind) {
    const float alpha = full_alpha < 1 ? full_alpha : 1;
    return display(t * scale + behind * (1 - alpha));
  }
  /// The factor of r g b / 255; 0 where there is no light.
  KILN_FN float scale_of(float density, float full_alpha) const {
    const float scale = at_most(vibrancy * full_alpha / density, 1e30f);
    return density > 0 ? scale : 0;  // 0 * 1e30 is 0, 0 * inf is not
  }

  /// Gamma of a density, a / 255, not clamped: density^exponent, blended into a straight line below the
  /// threshold.
  KILN_FN float opacity(float density) const { return opacity(density, power(density)); }
  /// The parts of the opacity. In one loop g++ would vectorize none of them.
  KILN_FN static float density_of(float a) {  // of channels too; NaN becomes 0
    return at_least_0(a) * (1 / 255.0f);
  }
  KILN_FN float power(float density) const { return pow(density, exponent); }
  KILN_FN float opacity(float density, float curve) const {
    const float share = density * inverse_threshold;
    const float blend = (1 - share) * density * low_slope + share * curve;
    const float above_0 = density >= threshold ? curve : blend;
    return density > 0 ? above_0 : 0;
  }

  /// scale * t, its channels above 255 brought down as highlight_power says.
  KILN_FN Vec4 limit_highlights(Vec4 t, float scale) const {
    const Vec4 plain_color = t * scale;
    if (highlight_power <= -1) return plain_color;

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
    return {over ? limited.r : plain_color.r, over ? limited.g : plain_color.g,
            over ? limited.b : plain_color.b, 0};
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

/// Tone maps a picture, in place or not. Blocks: block_count(). Channel by channel and one
/// operation after the other: each loop is one that g++ vectorizes.
struct ToneMap {
  static constexpr int lanes = 256;
  struct Shared {
    float r[lanes], g[lanes], b[lanes], density[lanes], opacity[lanes], scale[lanes];
    float r_power[lanes], g_power[lanes], b_power[lanes];
  };

  const Vec4* light = nullptr;  // [count] linear light
  Vec4* display = nullptr;      // [count] r g b 0..255, a 0..1; may be `light`
  i64 count = 0;
  ToneCurve curve;

  constexpr int block_count() const { return blocks_of(count, lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    const i64 first = i64(block.index) * lanes;
    const int here = count - first < lanes ? int(count - first) : lanes;
    const ToneCurve tone = curve;
    load(block, shared, light + first, here);
    block.each([&](int lane)
                   KILN_INLINE { shared.opacity[lane] = tone.power(shared.density[lane]); });
    block.each([&](int lane) KILN_INLINE {
      shared.opacity[lane] = tone.opacity(shared.density[lane], shared.opacity[lane]);
    });
    block.each([&](int lane) KILN_INLINE {
      shared.scale[lane] = tone.scale_of(shared.density[lane], shared.opacity[lane]);
    });
    if (tone.is_usual()) {
      usual_colors(block, shared, tone.background);
    } else {
      any_colors(block, shared, tone);
    }
    store(block, shared, display + first, here);
  }

 private:
  template <class Block>
  KILN_FN static void load(Block& block, Shared& shared, const Vec4* from, int here) {
    const auto load_lane = [&](int lane, const Vec4& in) KILN_INLINE {
      shared.r[lane] = ToneCurve::density_of(in.r);
      shared.g[lane] = ToneCurve::density_of(in.g);
      shared.b[lane] = ToneCurve::density_of(in.b);
      shared.density[lane] = ToneCurve::density_of(in.a);
    };
    if (here == lanes) {
      block.each([&](int lane) KILN_INLINE { load_lane(lane, from[lane]); });
    } else {
      block.each([&](int lane)
                     KILN_INLINE { load_lane(lane, from[lane < here ? lane : here - 1]); });
    }
  }

  template <class Block>
  KILN_FN static void usual_colors(Block& block, Shared& shared, Vec4 behind) {
    block.each([&](int lane) KILN_INLINE {
      const float opacity = shared.opacity[lane], scale = shared.scale[lane];
      shared.r[lane] = ToneCurve::usual(shared.r[lane], opacity, scale, behind.r);
      shared.g[lane] = ToneCurve::usual(shared.g[lane], opacity, scale, behind.g);
      shared.b[lane] = ToneCurve::usual(shared.b[lane], opacity, scale, behind.b);
      shared.opacity[lane] = opacity < 1 ? opacity : 1;
    });
  }

  template <class Block>
  KILN_FN static void any_colors(Block& block, Shared& shared, ToneCurve tone) {
    if (tone.plain != 0) {
      const float exponent = tone.exponent;
      block.each([&](int lane)
                     KILN_INLINE { shared.r_power[lane] = pow(shared.r[lane], exponent); });
      block.each([&](int lane)
                     KILN_INLINE { shared.g_power[lane] = pow(shared.g[lane], exponent); });
      block.each([&](int lane)
                     KILN_INLINE { shared.b_power[lane] = pow(shared.b[lane], exponent); });
    }
    block.each([&](int lane) KILN_INLINE {
      const Vec4 out =
          tone.color({shared.r[lane], shared.g[lane], shared.b[lane], 0}, shared.opacity[lane],
                     shared.scale[lane],
                     {shared.r_power[lane], shared.g_power[lane], shared.b_power[lane], 0});
      shared.r[lane] = out.r;
      shared.g[lane] = out.g;
      shared.b[lane] = out.b;
      shared.opacity[lane] = out.a;
    });
  }

  template <class Block>
  KILN_FN static void store(Block& block, const Shared& shared, Vec4* to, int here) {
    const auto store_lane = [&](int lane) KILN_INLINE {
      to[lane] = {shared.r[lane], shared.g[lane], shared.b[lane], shared.opacity[lane]};
    };
    if (here == lanes) {
      block.each([&](int lane) KILN_INLINE { store_lane(lane); });
    } else {
      block.each([&](int lane) KILN_INLINE {
        if (lane < here) store_lane(lane);
      });
    }
  }
};

KILN_END
