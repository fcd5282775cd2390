#include "cli/overrides.h"

#include <algorithm>
#include <cmath>

#include "engine/io/effects_text.h"
#include "engine/io/text.h"
#include "engine/model/error.h"

namespace kiln::cli {
namespace {

// The limits of the reader, for numbers that did not come through it.
constexpr double side_max = 1e6, quality_max = 1e9;
constexpr double pixels_max = 17179869184.0;  // 2^34
constexpr int supersample_max = 16;

void require(bool holds, const char* option, double value, const char* expected) {
  if (!holds) fail(ErrorKind::usage, "{} {}: must be {}", option, value, expected);
}

void check_values(const Overrides& o) {
  const auto positive = [](const std::optional<double>& v, const char* option, double most,
                           const char* expected) {
    if (v) require(*v > 0 && *v <= most, option, *v, expected);
  };
  positive(o.quality, "--quality", quality_max, "above 0, at most 1e9");
  positive(o.quality_scale, "--quality-scale", quality_max, "above 0, at most 1e9");
  positive(o.scale, "--scale", side_max, "above 0, at most 1e6");
  positive(o.pixel_aspect, "--pixel-aspect", 1e3, "above 0, at most 1000");
  if (o.width) require(*o.width >= 1 && *o.width <= side_max, "--width", *o.width, "1 to 1000000");
  if (o.height)
    require(*o.height >= 1 && *o.height <= side_max, "--height", *o.height, "1 to 1000000");
  if (o.supersample) {
    require(*o.supersample >= 1 && *o.supersample <= supersample_max, "--supersample",
            *o.supersample, "1 to 16");
  }
}

/// Sets the size; the scale follows the given factor.
void resize(Flame& flame, double width, double height, double factor) {
  if (width < 1 || height < 1 || width > side_max || height > side_max ||
      width * height > pixels_max) {
    fail(ErrorKind::usage,
         "a picture of {:.0f} x {:.0f} pixels is out of range (1 to 1000000 a side, 2^34 in all); "
         "change --width, --height "
         "or --scale",
         width, height);
  }
  flame.width = static_cast<int>(width);
  flame.height = static_cast<int>(height);
  flame.scale *= factor;
}

/// The other side of a picture that keeps its shape.
double following_side(int side, double factor) {
  return std::max(1.0, std::floor(side * factor + 0.5));
}

void apply_size(const Overrides& o, Flame& flame) {
  if (o.width) {
    const double factor = static_cast<double>(*o.width) / flame.width;
    resize(flame, *o.width, o.height ? *o.height : following_side(flame.height, factor), factor);
  } else if (o.height) {
    const double factor = static_cast<double>(*o.height) / flame.height;
    resize(flame, following_side(flame.width, factor), *o.height, factor);
  }
  if (o.scale)
    resize(flame, std::floor(flame.width * *o.scale), std::floor(flame.height * *o.scale),
           *o.scale);
}

/// Bloom and glare; the rest of the file's effects stays.
void apply_effects(const Overrides& o, Effects& effects) {
  const auto take = [&](const char* option, const std::optional<std::string>& text, int percent,
                        auto set) {
    if (!text) return;
    const std::string wrong = set(effects, option_numbers(option, *text, percent));
    if (!wrong.empty()) fail(ErrorKind::usage, "{} {}: {}", option, printable_whole(*text), wrong);
  };
  take("--bloom", o.bloom, 1, set_bloom);
  take("--glare", o.glare, -1, set_glare);
  if (const char* reason = refusal(effects)) fail(ErrorKind::usage, "--bloom, --glare: {}", reason);
}

}  // namespace

void apply(const Overrides& o, Flame& flame) {
  check_values(o);
  if (o.quality) flame.quality = *o.quality;
  if (o.quality_scale) flame.quality *= *o.quality_scale;
  require(flame.quality <= quality_max, "--quality-scale: quality", flame.quality, "at most 1e9");
  apply_size(o, flame);
  if (o.supersample) flame.supersample = *o.supersample;
  if (o.pixel_aspect) flame.pixel_aspect = *o.pixel_aspect;
  apply_effects(o, flame.effects);
}

}  // namespace kiln::cli
