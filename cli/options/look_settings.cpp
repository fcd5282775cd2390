#include "cli/options/look_settings.h"

#include <cmath>

#include "cli/options/setting_values.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/effects_text.h"
#include "engine/io/flame/palette_choice.h"
#include "engine/model/hsv.h"

namespace kiln::cli {
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
                 {-64, 64});
  command.number("--rotate", "DEGREES", rotate_deg, "Turn the camera about the middle",
                 {-1e9, 1e9});
}

void CameraSettings::apply(Flame& flame) const {
  if (center) {
    flame.center_x = (*center)[0];
    flame.center_y = (*center)[1];
  }
  if (zoom) flame.zoom = *zoom;
  if (rotate_deg) flame.rotate_deg = *rotate_deg;
}

// ---- colours ----

void ColorSettings::add_to(Command& command) {
  command.group("Colour");
  command.number("--brightness", "F", brightness, "Brightness (flam3's default 4)", {0, 1e6});
  command.number("--gamma", "F", gamma, "Gamma (flam3's default 4)", {0.01, 1000});
  command.number("--vibrancy", "F", vibrancy,
                 "1: gamma keeps hues; 0: it acts on each channel (flam3's default 1)", {0, 100});
  command.value(
      "--background", "COLOUR",
      [this](const std::string& text) { background = color_value("--background", text); },
      "Background: R,G,B from 0 to 1, #rrggbb, or a name such as white");
  command.text("--palette", "PALETTE", palette,
               "Number or name in the palette library, the palette of a flame's file or picture, "
               "or LIBRARY.xml#NUMBER");
  command.number("--hue", "TURNS", hue_turns,
                 "Turn the palette's hues, 0.5: to the opposite colours", {-1e6, 1e6});
}

void ColorSettings::complete(ReaderOptions& options) const {
  if (!palette) return;
  const double turns = without_whole_turns(hue_turns.value_or(0));
  options.palette =
      std::make_shared<const Palette>(chosen_palette(*palette, turns, options.palettes_file));
}

std::string ColorSettings::palette_file() const {
  return palette ? palette_source(*palette).file : "";
}

void ColorSettings::apply(Flame& flame) const {
  if (brightness) flame.brightness = *brightness;
  if (gamma) flame.gamma = *gamma;
  if (vibrancy) flame.vibrancy = *vibrancy;
  if (background) flame.background = *background;
  const double turns = without_whole_turns(hue_turns.value_or(0));
  if (palette) {
    flame.hue = turns;  // the reader has put the palette into the flame, turned
  } else if (turns != 0) {
    flame.palette = turned(flame.palette, turns);
    flame.hue = without_whole_turns(flame.hue + turns);
  }
}

// ---- light ----

void LightSettings::add_to(Command& command) {
  command.group("Light");
  command.text("--bloom", "STRENGTH[,RADIUS%[,THRESHOLD]]", bloom,
               "Soft glow: share of the light that spreads, 0 to 1; radius in per cent of the "
               "height (default 2); only light above the threshold (default 0)");
  command.text("--glare", "STARS[,ANGLE[,STRENGTH]]", glare,
               "Diffraction star: points (even; 0: off), angle in degrees (default 0), share of "
               "the light (default 0.1)");
}

void LightSettings::apply(Flame& flame) const {
  Effects& effects = flame.effects;
  const auto take = [](const char* option, const std::optional<std::string>& text, int percent,
                       auto set, auto& value) {
    if (!text) return;
    const std::string wrong = set(value, option_numbers(option, *text, percent));
    if (!wrong.empty()) fail(ErrorKind::usage, "{} {}: {}", option, printable_whole(*text), wrong);
  };
  take("--bloom", bloom, 1, set_bloom, effects.bloom);
  take("--glare", glare, -1, set_glare, effects.glare);
  if (const char* reason = refusal(effects)) fail(ErrorKind::usage, "--bloom, --glare: {}", reason);
}

}  // namespace kiln::cli
