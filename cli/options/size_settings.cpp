#include "cli/options/size_settings.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace kiln::cli {
namespace {

// The limits of the reader, for numbers that did not come through it.
constexpr double side_max = 1e6, quality_max = 1e9, smallest = 1e-9;
constexpr double pixels_max = 17179869184.0;  // 2^34
constexpr int supersample_max = 16;

/// Sets the size; the pixels per unit follow the given factor.
void resize(Flame& flame, double width, double height, double factor) {
  if (width < 1 || height < 1 || width > side_max || height > side_max ||
      width * height > pixels_max) {
    fail(ErrorKind::usage,
         "a picture of {:.0f} x {:.0f} pixels is out of range (1 to 1000000 a side, 2^34 in all); "
         "change --size, --width, --height or --scale",
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

/// As wide in units as before; without a height the shape stays.
void set_width(Flame& flame, int width, std::optional<int> height) {
  const double factor = static_cast<double>(width) / flame.width;
  resize(flame, width, height ? *height : following_side(flame.height, factor), factor);
}

void set_height(Flame& flame, int height) {
  const double factor = static_cast<double>(height) / flame.height;
  resize(flame, following_side(flame.width, factor), height, factor);
}

/// The factors of the pixels per unit at which the new picture is as wide and as high in units as
/// the old one was, whose pixels were `aspect_before` times as wide as high.
struct Factors {
  double of_width, of_height;
};
Factors framing_factors(const Flame& flame, const Size& size, double aspect_before) {
  return {size.width * flame.pixel_aspect / (flame.width * aspect_before),
          static_cast<double>(size.height) / flame.height};
}

void fit_into(Flame& flame, const Size& size, double aspect_before) {
  const Factors factors = framing_factors(flame, size, aspect_before);
  resize(flame, size.width, size.height, std::min(factors.of_width, factors.of_height));
}

void fill_with(Flame& flame, const Size& size, double aspect_before) {
  const Factors factors = framing_factors(flame, size, aspect_before);
  resize(flame, size.width, size.height, std::max(factors.of_width, factors.of_height));
}

}  // namespace

void SizeSettings::add_to(Command& command, bool of_pictures) {
  const auto size_option = [&](const char* name, std::optional<Size>& size, const char* help) {
    command.value(
        name, "WxH", [name, &size](const std::string& text) { size = size_value(name, text); },
        help);
  };
  command.group("Size and quality");
  command.number("--quality", "Q", quality, "Samples per pixel instead of the file's",
                 {smallest, quality_max});
  command.number("--quality-scale", "F", quality_scale, "Multiply the quality (flam3: qs)",
                 {smallest, quality_max});
  size_option("--size", size, "Size in pixels, as wide in the flame's plane as before");
  size_option("--fit", fit, "The same, with all of the old picture in it: more may be seen");
  size_option("--fill", fill, "The same, filled with the old picture: its edges may be cut");
  command.whole("--width", "N", width, "Width in pixels; the height follows unless given",
                {1, side_max});
  command.whole("--height", "N", height, "Height in pixels; the width follows unless given",
                {1, side_max});
  command.number("--scale", "F", scale, "Multiply the size, same framing (flam3: ss)",
                 {smallest, side_max});
  command.whole("--supersample", "N", supersample, "Histogram buckets per pixel side, 1 to 16",
                {1, supersample_max});
  for (const char* other : {"--fit", "--fill", "--width", "--height"})
    command.exclude("--size", other);
  for (const char* other : {"--fill", "--width", "--height"}) command.exclude("--fit", other);
  for (const char* other : {"--width", "--height"}) command.exclude("--fill", other);
  if (!of_pictures) return;
  command.number("--pixel-aspect", "F", pixel_aspect,
                 "Width of a pixel over its height (default 1)", {1e-3, 1e3});
  command.value(
      "--crop", "X,Y,WxH", [this](const std::string& text) { crop = window_value("--crop", text); },
      "Only a window of the picture: the same pixels as cut out of the whole");
}

void SizeSettings::apply(Flame& flame) const {
  if (quality) flame.quality = *quality;
  if (quality_scale) flame.quality *= *quality_scale;
  if (flame.quality > quality_max) {
    fail(ErrorKind::usage, "--quality-scale {}: makes a quality of {}; it may be at most 1e9",
         shortest(quality_scale.value_or(1)), shortest(flame.quality));
  }
  if (supersample) flame.supersample = *supersample;
  const double aspect_before = flame.pixel_aspect;
  if (pixel_aspect) flame.pixel_aspect = *pixel_aspect;
  if (size) set_width(flame, size->width, size->height);
  if (fit) fit_into(flame, *fit, aspect_before);
  if (fill) fill_with(flame, *fill, aspect_before);
  if (width) set_width(flame, *width, height);
  if (height && !width) set_height(flame, *height);
  if (scale)
    resize(flame, std::floor(flame.width * *scale), std::floor(flame.height * *scale), *scale);
  if (crop) check_window(*crop, flame.width, flame.height);
}

}  // namespace kiln::cli
