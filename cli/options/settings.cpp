// SPDX-License-Identifier: MIT
#include "cli/options/settings.h"

#include <algorithm>
#include <cmath>

#include "cli/options/option_value.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/flame_options.h"
#include "engine/io/flame/palette_library.h"
#include "engine/model/flame_attributes.h"

namespace kiln::cli {

Range range_of(const char* attribute) {
  constexpr double largest = 1e38;  // that a file may have
  const AttributeRange& range = find_flame_attribute(attribute)->range;
  return {std::max(range.low, -largest), std::min(range.high, largest), range.above};
}

void Settings::add_to(Command& command, Of of) {
  size.add_to(command, of == Of::pictures);
  camera.add_to(command);
  color.add_to(command);
  light.add_to(command);
  command.group("Any attribute");
  command.list(
      "--set", "ATTRIBUTE=VALUE",
      [this](const std::string& text) { set.push_back(parse_setting("--set", text)); },
      "What <flame ATTRIBUTE=\"VALUE\"> would say in the file; as often as needed");
  std::vector<std::string> begun = flame_attribute_names();
  for (std::string& name : begun) name += '=';
  command.suggest("--set", std::move(begun));
  command.value(
      "--template", "FILE",
      [this](const std::string& text) {
        template_file = text;
        pattern = template_of(text);
      },
      "Size, quality, filters, estimator and background that this file's first flame gives (flam3: "
      "template)");
  command.reads("--template");
}

namespace {

/// name="{stem}-{index}": each flame gets its own.
bool is_template_of_names(const AttributeSetting& setting) {
  return setting.name == "name" && setting.value.find('{') != std::string::npos;
}

}  // namespace

void Settings::complete(ReaderOptions& options) const {
  options.set = pattern.set;
  std::copy_if(set.begin(), set.end(), std::back_inserter(options.set),
               [](const AttributeSetting& one) { return !is_template_of_names(one); });
  color.complete(options);
}

bool Settings::asks_quality() const {
  const auto is_quality = [](const AttributeSetting& one) { return one.name == "quality"; };
  return size.quality || size.quality_scale || std::any_of(set.begin(), set.end(), is_quality) ||
         std::any_of(pattern.set.begin(), pattern.set.end(), is_quality);
}

bool Settings::asks_size() const {
  return pattern.width > 0 || size.size || size.fit || size.fill || size.width || size.height;
}

bool Settings::resizes() const {
  const auto is_size = [](const AttributeSetting& one) { return one.name == "size"; };
  return asks_size() || size.scale || size.bleed || std::any_of(set.begin(), set.end(), is_size);
}

void Settings::apply(Flame& flame) const {
  const auto is_size = [](const AttributeSetting& one) { return one.name == "size"; };
  if (std::none_of(set.begin(), set.end(), is_size)) pattern.resize(flame);
  color.apply(flame);
  camera.apply(flame);
  follow_links(flame);  // before sizes, which are the picture's
  size.apply(flame);
  light.apply(flame);
  for (const AttributeSetting& one : set)
    if (is_template_of_names(one))
      flame.name = flame_name(expand_template(
          one.value, {input_stem(flame.source), flame.name, flame.index, flame.index},
          "--set name"));
  check_after_options(flame);
}

namespace {

double without_whole_turns(double turns) { return turns - std::trunc(turns); }

}  // namespace

// ---- camera ----

void CameraSettings::add_to(Command& command) {
  command.group("Camera");
  command.value(
      "--center", "X,Y",
      [this](const std::string& text) { center = point_value("--center", text); },
      "Point of the flame's plane in the middle of the picture");
  command.number("--zoom", "Z", zoom, "Come 2^Z times closer; as in flam3 the samples grow by 4^Z",
                 range_of("zoom"));
  command.number("--rotate", "DEGREES", rotate_deg, "Turn the camera about the middle",
                 range_of("rotate"));
  command.choice(
      "--projection", {"plane", "sphere", "equirectangular", "dome", "stereo"}, projection,
      "What is around the eye as 360 degrees (sphere, also called equirectangular) or a fisheye "
      "(dome), what two eyes see side by side (stereo), or a plane");
  command.flag("--tile", tile,
               "A picture that repeats: what leaves it on one side comes in on the other, so that "
               "copies of it join without a seam");
}

namespace {

void set_projection(Flame& flame, Projection projection) {
  Projection& now = flame.depth_camera.projection;
  if (now == projection) return;
  if (now == Projection::stereo) flame.width = std::max(1, flame.width / 2);
  now = projection;
  if (projection == Projection::sphere) {
    flame.height = std::max(1, flame.width / 2);
    flame.width = 2 * flame.height;
  } else if (projection == Projection::dome) {
    flame.width = flame.height;
  } else if (projection == Projection::stereo) {
    flame.width *= 2;
  }
}

}  // namespace

void CameraSettings::apply(Flame& flame) const {
  if (center) {
    flame.center_x = (*center)[0];
    flame.center_y = (*center)[1];
  }
  if (zoom) flame.zoom = *zoom;
  if (rotate_deg) flame.rotate_deg = *rotate_deg;
  if (tile) flame.tile = 1;
  const auto word = std::find(std::begin(projection_words), std::end(projection_words),
                              projection == "equirectangular" ? "sphere" : projection);
  if (word != std::end(projection_words))
    set_projection(flame, Projection(word - std::begin(projection_words)));
}

// ---- colors ----

void ColorSettings::add_to(Command& command) {
  command.group("Color");
  command.number("--brightness", "F", brightness, "Brightness (flam3's default 4)",
                 range_of("brightness"));
  command.number("--gamma", "F", gamma, "Gamma (flam3's default 4)", range_of("gamma"));
  command.number("--vibrancy", "F", vibrancy,
                 "1: gamma keeps hues; 0: it acts on each channel (flam3's default 1)",
                 range_of("vibrancy"));
  command.value(
      "--background", "COLOR",
      [this](const std::string& text) { background = color_value("--background", text); },
      "Background: R,G,B from 0 to 1, #rrggbb, or a name such as white");
  command.list(
      "--palette", "PALETTE",
      [this](const std::string& text) {
        palette = text;
        palettes.push_back(text);
      },
      "Number or name in the palette library, the palette of a flame's file or picture, or "
      "LIBRARY.xml#NUMBER; kiln render takes several, and makes a picture with each ({palette} in "
      "-o)");
  command.reads("--palette", [](const std::string& value) { return palette_source(value).file; });
  command.number("--hue", "TURNS", hue_turns,
                 "Turn the palette's hues, 0.5: to the opposite colors", range_of("hue"));
}

void ColorSettings::complete(ReaderOptions& options) const {
  if (!palette) return;
  if (palettes.size() > 1 && !takes_several)
    fail(ErrorKind::usage, "--palette: {} palettes; several are for kiln render, give one",
         palettes.size());
  options.palette = std::make_shared<const Palette>(chosen(*palette, options.palettes_file));
}

Palette ColorSettings::chosen(const std::string& wanted, const std::string& library) const {
  return chosen_palette(wanted, without_whole_turns(hue_turns.value_or(0)), library, most_bytes);
}

void ColorSettings::apply(Flame& flame) const {
  if (brightness) flame.brightness = *brightness;
  if (gamma) flame.gamma = *gamma;
  if (vibrancy) flame.vibrancy = *vibrancy;
  if (background) {
    flame.background = *background;
    flame.background_type = BackgroundType::single_color;
  }
  const double turns = without_whole_turns(hue_turns.value_or(0));
  if (palette) {
    flame.hue = turns;  // the reader has put the palette into the flame, turned
  } else {
    turn_hues(turns, flame);
  }
}

// ---- light ----

void LightSettings::add_to(Command& command) {
  command.group("Light");
  command.number("--clean", "SHARE", clean,
                 "Clean the light of noise, in the place of density estimation: all of it (1, the "
                 "default) or a share of it. With --until-noise it takes more samples than the "
                 "estimator, whose blur is not counted",
                 range_of("kiln_clean"), "1");
  command.text("--bloom", "STRENGTH[,RADIUS%[,THRESHOLD]]", bloom,
               "Soft glow: share of the light that spreads, 0 to 1; radius in per cent of the "
               "height (default 2); only light above the threshold (default 0)");
  command.text("--glare", "STARS[,ANGLE[,STRENGTH]]", glare,
               "Diffraction star: points (even; 0: off), angle in degrees (default 0), share of "
               "the light (default 0.1)");
}

void LightSettings::apply(Flame& flame) const {
  if (clean) flame.clean = *clean;
  set_effects(bloom, glare, flame.effects);
}

namespace {

// The limits of the reader, for numbers that did not come through it.
constexpr double side_max = 1e6, quality_max = 1e9, smallest = 1e-9;
constexpr double pixels_max = 17179869184.0;  // 2^34

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

/// A side in pixels. Lengths on paper need to know how many are an inch.
double side(const char* option, const Length& length, double dpi) {
  if (*length.unit && !(dpi > 0))
    fail(ErrorKind::usage,
         "{} {}{}: how many pixels are an inch? Say it in the same command, such as --dpi 300, or "
         "give pixels",
         option, shortest(length.value), length.unit);
  const double pixels = length.pixels(dpi);
  if (pixels < 1 || pixels > side_max)
    fail(ErrorKind::usage, "{} {}{}: are {:.0f} pixels; 1 to 1000000 are possible, change it{}",
         option, shortest(length.value), length.unit, pixels, *length.unit ? " or --dpi" : "");
  return pixels;
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
  const auto size_option = [&](const char* name, std::optional<LengthPair>& size,
                               const char* help) {
    command.value(
        name, "WxH", [name, &size](const std::string& text) { size = lengths_value(name, text); },
        help);
  };
  const auto length_option = [&](const char* name, std::optional<Length>& length, double least,
                                 const char* help) {
    command.value(
        name, "N",
        [=, &length](const std::string& text) { length = length_value(name, text, least); }, help);
  };
  command.group("Size and quality");
  command.number("--quality", "Q", quality, "Samples per pixel instead of the file's",
                 range_of("quality"));
  command.number("--quality-scale", "F", quality_scale, "Multiply the quality (flam3: qs)",
                 {smallest, quality_max});
  size_option(
      "--size", size,
      "Size in pixels, or on paper beside --dpi (24x36in, 210x297mm, 60x90cm); as wide in the "
      "flame's plane as before");
  size_option("--fit", fit, "The same, with all of the old picture in it: more may be seen");
  size_option("--fill", fill, "The same, filled with the old picture: its edges may be cut");
  length_option("--width", width, 1e-6, "Width in pixels; the height follows unless given");
  length_option("--height", height, 1e-6, "Height in pixels; the width follows unless given");
  command.number("--scale", "F", scale, "Multiply the size, same framing (flam3: ss)",
                 {smallest, side_max});
  command.whole("--supersample", "N", supersample, "Histogram buckets per pixel side, 1 to 16",
                range_of("supersample"));
  for (const char* other : {"--fit", "--fill", "--width", "--height"})
    command.exclude("--size", other);
  for (const char* other : {"--fill", "--width", "--height"}) command.exclude("--fit", other);
  for (const char* other : {"--width", "--height"}) command.exclude("--fill", other);
  if (!of_pictures) {
    command.number("--dpi", "N", dpi, "Pixels per inch, for sizes given in inches or mm", {1, 1e5});
    return;
  }
  command.number("--pixel-aspect", "F", pixel_aspect,
                 "Width of a pixel over its height (default 1)", {1e-3, 1e3});
  length_option("--bleed", bleed, 0,
                "More of the flame on all four sides, to be cut away: pixels, or 3mm beside --dpi");
  command.value(
      "--crop", "X,Y,WxH", [this](const std::string& text) { crop = window_value("--crop", text); },
      "Only a window of the picture: the same pixels as cut out of the whole");
}

int SizeSettings::bleed_px() const {
  return bleed && bleed->value > 0 ? int(side("--bleed", *bleed, dpi)) : 0;
}

std::string SizeSettings::slip() const {
  if (!(dpi > 0)) return "";
  const auto is_small = [&](const Length& l) { return !*l.unit && l.value > 0 && l.value < dpi; };
  for (const auto& [option, pair] :
       {std::pair("--size", &size), std::pair("--fit", &fit), std::pair("--fill", &fill)})
    if (*pair && is_small((*pair)->width) && is_small((*pair)->height))
      return fmt::format(
          "{} {}x{} are pixels, less than an inch at --dpi {}; for inches: {} {}x{}in", option,
          shortest((*pair)->width.value), shortest((*pair)->height.value), shortest(dpi), option,
          shortest((*pair)->width.value), shortest((*pair)->height.value));
  for (const auto& [option, side] : {std::pair("--width", &width), std::pair("--height", &height)})
    if (*side && is_small(**side))
      return fmt::format("{} {} are pixels, less than an inch at --dpi {}; for inches: {} {}in",
                         option, shortest((*side)->value), shortest(dpi), option,
                         shortest((*side)->value));
  return "";
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
  // dpi counts pixels across; down there are more where they are wider than high
  const auto across = [&](const char* option, const Length& length) {
    return int(side(option, length, dpi));
  };
  const auto down = [&](const char* option, const Length& length) {
    return int(side(option, length, dpi * flame.pixel_aspect));
  };
  const auto both = [&](const char* option, const LengthPair& lengths) {
    return Size{across(option, lengths.width), down(option, lengths.height)};
  };
  if (size) {
    const Size pixels = both("--size", *size);
    set_width(flame, pixels.width, pixels.height);
  }
  if (fit) fit_into(flame, both("--fit", *fit), aspect_before);
  if (fill) fill_with(flame, both("--fill", *fill), aspect_before);
  const auto high = height ? std::optional(down("--height", *height)) : std::nullopt;
  if (width) set_width(flame, across("--width", *width), high);
  if (high && !width) set_height(flame, *high);
  if (scale)
    resize(flame, std::floor(flame.width * *scale), std::floor(flame.height * *scale), *scale);
  if (bleed && bleed->value > 0)
    resize(flame, flame.width + 2.0 * bleed_px(), flame.height + 2.0 * down("--bleed", *bleed), 1);
  if (crop) check_window(*crop, flame.width, flame.height);
}

// ---- how flames are read ----

void ReadArguments::add_to(Command& command) {
  command.text("--palettes", "FILE", palettes,
               "Palette library for palette=\"N\" (default: $flam3_palettes, else flam3's)");
  command.reads("--palettes", nullptr, find_palette_library(""));
  command.choice("--dialect", {"auto", "flam3", "fractorium", "apophysis", "jwildfire"}, dialect,
                 "Whose meaning the names and numbers of a flame have (default auto: as the file "
                 "says)");
  command.choice("--meaning", {"auto", "flam3", "ember", "apophysis"}, meaning,
                 "Whose meaning variations have that several programs have by one name (default "
                 "auto: as the dialect and the version say)");
  command.flag("--approximate", approximate,
               "Leave out the variations and settings that kiln does not have, instead of refusing "
               "the flame (exit code 4)");
  command.flag("--strict", strict,
               "Refuse also what flam3 ignores: unknown attributes, words and palettes (exit code "
               "4)");
  command.bytes("--max-input", max_input_bytes, "Largest input accepted (default 64M)");
}

ReaderOptions ReadArguments::options() const {
  ReaderOptions options;
  options.palettes_file = palettes;
  options.dialect = dialect_named(dialect);
  options.meaning = meaning_named(meaning);
  options.strict = strict;
  options.approximate = approximate;
  if (max_input_bytes > 0) options.max_input_bytes = max_input_bytes;
  return options;
}

}  // namespace kiln::cli
