// SPDX-License-Identifier: MIT
// Formats: GIMP's documentation (devel-docs/gpl.txt, ggr.txt); Ultra Fractal's manual (a gradient is a circle of 400
// places, colors blue green red); Fractint's .map, a line a color; Adobe's .act, 256 times three bytes.
#include "engine/io/flame/palette_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/model/palette.h"

namespace kiln {
namespace {

constexpr std::size_t written_colors = 256;
constexpr const char* written_endings[] = {".gpl", ".ggr", ".ugr", ".map", ".act"};

using WrittenColor = std::array<int, 3>;

std::vector<WrittenColor> colors_to_write(const Palette& palette) {
  const Palette all = stretched(palette, written_colors);
  std::vector<WrittenColor> colors;
  for (const Rgba& color : all) {
    const auto byte = [](double level) {
      return int(std::floor(std::clamp(level, 0.0, 1.0) * 255 + 0.5));
    };
    colors.push_back({byte(color.r), byte(color.g), byte(color.b)});
  }
  return colors;
}

/// One line, without what ends a name in any of the formats.
std::string plain_title(const std::string& name) {
  std::string title;
  for (const char c : printable(name, 200))
    if (c != '"' && c != '{' && c != '}' && c != '\n') title += c;
  return title.empty() ? "kiln" : title;
}

std::string gimp_palette(const PaletteToWrite& palette) {
  std::string text =
      fmt::format("GIMP Palette\nName: {}\nColumns: 16\n#\n", plain_title(palette.name));
  int number = 0;
  for (const auto& [r, g, b] : colors_to_write(palette.colors))
    text += fmt::format("{:3} {:3} {:3}\t{}\n", r, g, b, number++);
  return text;
}

/// A segment from each color to the next.
std::string gimp_gradient(const PaletteToWrite& palette) {
  const std::vector<WrittenColor> colors = colors_to_write(palette.colors);
  const double segments = double(colors.size() - 1);
  std::string text =
      fmt::format("GIMP Gradient\nName: {}\n{}\n", plain_title(palette.name), colors.size() - 1);
  for (std::size_t i = 0; i + 1 < colors.size(); ++i) {
    const double left = double(i) / segments, right = double(i + 1) / segments;
    text += fmt::format("{:.8f} {:.8f} {:.8f}", left, (left + right) / 2, right);
    for (const std::size_t end : {i, i + 1})
      text += fmt::format(" {:.8f} {:.8f} {:.8f} 1", colors[end][0] / 255.0, colors[end][1] / 255.0,
                          colors[end][2] / 255.0);
    text += " 0 0\n";
  }
  return text;
}

/// A point at each place of the circle at or before which a color lies, so that all of them come back.
std::string ultra_fractal_gradient(const PaletteToWrite& palette) {
  constexpr int places = 400;
  const std::vector<WrittenColor> colors = colors_to_write(palette.colors);
  std::string text, name;
  for (const char c : plain_title(palette.name))
    name += std::string_view("-_.()").find(c) != std::string_view::npos || (c >= '0' && c <= '9') ||
                    ((c | 32) >= 'a' && (c | 32) <= 'z')
                ? c
                : '_';
  text =
      fmt::format("{} {{\ngradient:\n  title=\"{}\" smooth=no\n", name, plain_title(palette.name));
  for (int place = 0; place < places; ++place) {
    // what is read at 1.5625 i is between its two places
    const double at = double(place) * double(colors.size()) / places;
    const std::size_t before = std::size_t(at), after = std::min(before + 1, colors.size() - 1);
    const double share = at - double(before);
    WrittenColor color;
    for (std::size_t c = 0; c < 3; ++c)
      color[c] = int(std::floor((1 - share) * colors[before][c] + share * colors[after][c] + 0.5));
    text +=
        fmt::format("  index={} color={}\n", place, color[0] + 256 * color[1] + 65536 * color[2]);
  }
  return text + "opacity:\n  smooth=no\n  index=0 opacity=255\n}\n\n";
}

std::string fractint_map(const PaletteToWrite& palette) {
  std::string text;
  for (const auto& [r, g, b] : colors_to_write(palette.colors))
    text += fmt::format("{} {} {}\n", r, g, b);
  return text;
}

std::string adobe_table(const PaletteToWrite& palette) {
  std::string bytes;
  for (const WrittenColor& color : colors_to_write(palette.colors))
    for (const int level : color) bytes += static_cast<char>(level);
  return bytes;
}

}  // namespace

bool is_palette_ending(std::string_view ending) {
  return std::find(std::begin(written_endings), std::end(written_endings), ending) !=
         std::end(written_endings);
}

std::string palette_endings() {
  std::string all;
  for (const char* ending : written_endings) all += (all.empty() ? "" : " ") + std::string(ending);
  return all;
}

bool holds_several_palettes(std::string_view ending) { return ending == ".ugr"; }

std::string palette_file(std::string_view ending, const std::vector<PaletteToWrite>& palettes) {
  KILN_CHECK(!palettes.empty() && is_palette_ending(ending), "{} palettes as {}", palettes.size(),
             ending);
  if (ending == ".ugr") {
    std::string text;
    for (const PaletteToWrite& palette : palettes) text += ultra_fractal_gradient(palette);
    return text;
  }
  const PaletteToWrite& one = palettes.front();
  if (ending == ".gpl") return gimp_palette(one);
  if (ending == ".ggr") return gimp_gradient(one);
  return ending == ".map" ? fractint_map(one) : adobe_table(one);
}

}  // namespace kiln
