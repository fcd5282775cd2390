// SPDX-License-Identifier: MIT
// GIMP's gradients (.ggr) and palettes (.gpl) as palettes of 256 colors (palette_library.h). A gradient is
// a list of segments, each with the place of its middle, two colors and how one becomes the other; a
// palette is a list of colors, between which it goes straight. Opacity is left out. Formats: GIMP's
// documentation, devel-docs/ggr.txt and gpl.txt.
#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "engine/io/flame/attributes.h"
#include "engine/io/flame/palette_library.h"
#include "engine/model/exact_math.h"
#include "engine/model/palette.h"

namespace kiln {
namespace {

constexpr std::size_t most_segments = 10000;

struct Segment {
  double left = 0, middle = 0, right = 1;
  Rgba from, to;
  int blending = 0, coloring = 0;
};

/// The lines of a text without the first one, which says the format.
struct GimpLines {
  std::string_view rest;
  int number = 1;

  bool next(std::string_view& line) {
    if (rest.empty()) return false;
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    return true;
  }
};

std::array<std::uint8_t, 3> bytes_of(const Rgba& color) {
  const auto byte = [](double value) {
    return std::uint8_t(std::floor(std::clamp(value, 0.0, 1.0) * 255 + 0.5));
  };
  return {byte(color.r), byte(color.g), byte(color.b)};
}

/// The share of the second color, 0..1, at `at` of 0..1 with the middle at `middle`.
double blended(double at, double middle, int blending) {
  constexpr double least = 1e-10;
  const double straight = at <= middle         ? (middle < least ? 0 : 0.5 * at / middle)
                          : 1 - middle < least ? 1
                                               : 0.5 + 0.5 * (at - middle) / (1 - middle);
  switch (blending) {
    case 1:  // curved
      return at <= 0 ? 0
                     : exact::pow(
                           at, exact::log(0.5) / exact::log(std::clamp(middle, least, 1 - least)));
    case 2:  // a wave
      return (1 - exact::cos(exact::pi * straight)) / 2;
    case 3:  // a circle, fast at first
      return std::sqrt(1 - (straight - 1) * (straight - 1));
    case 4:  // a circle, slow at first
      return 1 - std::sqrt(1 - straight * straight);
    case 5:  // a step
      return at >= middle ? 1 : 0;
    default:
      return straight;
  }
}

Rgba color_of(const Segment& segment, double at) {
  const double width = std::max(segment.right - segment.left, 1e-10);
  const double share = blended((at - segment.left) / width, (segment.middle - segment.left) / width,
                               segment.blending);
  const auto mixed = [&](double from, double to) { return from + (to - from) * share; };
  const Rgba &a = segment.from, &b = segment.to;
  if (segment.coloring == 0) return {mixed(a.r, b.r), mixed(a.g, b.g), mixed(a.b, b.b), 1};
  const Hsv from = hsv_from_rgb(a), to = hsv_from_rgb(b);
  double way = to.h - from.h;  // against the clock for 1, with it for 2
  if (segment.coloring == 1 && way < 0) way += 6;
  if (segment.coloring == 2 && way > 0) way -= 6;
  return rgb_from_hsv({from.h + way * share, mixed(from.s, to.s), mixed(from.v, to.v)});
}

Segment segment_of(std::string_view line, int number, const Messages& messages) {
  const std::vector<std::string_view> words = split_at_blanks(line.substr(0, 4096));
  std::array<double, 13> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::optional<double> value = i < words.size() ? to_real(words[i]) : std::nullopt;
    if (!value || !(std::fabs(*value) <= 1e6))
      messages.error(
          number,
          "\"{}\" is no segment of a GIMP gradient: 11 numbers (three places, two colors "
          "of red green blue opacity), then two kinds",
          printable(line));
    numbers[i] = *value;
  }
  const auto& n = numbers;
  if (!(n[0] <= n[1] && n[1] <= n[2]))
    messages.error(number, "the places of this segment, {} {} {}, do not go up", n[0], n[1], n[2]);
  return {n[0], n[1], n[2], {n[3], n[4], n[5], 1}, {n[7], n[8], n[9], 1}, int(n[11]), int(n[12])};
}

NamedPalette read_gradient(GimpLines lines, const Messages& messages) {
  NamedPalette palette;
  std::vector<Segment> segments;
  bool is_counted = false;
  std::optional<double> count;  // that its head says
  for (std::string_view line; lines.next(line);) {
    if (line.find_first_not_of(" \t") == line.npos) continue;
    if (line.starts_with("Name:")) {
      palette.name = printable(as_utf8(line.substr(std::min<std::size_t>(6, line.size()))), 240);
    } else if (!is_counted) {
      is_counted = true;
      count = to_real(line);
    } else {
      if (segments.size() >= most_segments)
        messages.error(lines.number, "the gradient has more than {} segments", most_segments);
      segments.push_back(segment_of(line, lines.number, messages));
    }
  }
  if (segments.empty()) messages.error(0, "this GIMP gradient has no segments");
  if (count && *count > double(segments.size()))
    messages.error(0, "this GIMP gradient says {} segments and has {}; get a whole copy", *count,
                   segments.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < palette.colors.size(); ++i) {
    const double place = double(i) / double(palette.colors.size() - 1);
    while (at + 1 < segments.size() && place > segments[at].right) ++at;
    palette.colors[i] =
        bytes_of(color_of(segments[at], std::clamp(place, segments[at].left, segments[at].right)));
  }
  return palette;
}

NamedPalette read_palette(GimpLines lines, const Messages& messages) {
  NamedPalette palette;
  std::vector<Rgba> colors;
  for (std::string_view line; lines.next(line);) {
    if (line.starts_with("Name:"))
      palette.name = printable(as_utf8(line.substr(std::min<std::size_t>(6, line.size()))), 240);
    const bool is_head = line.starts_with("Name:") || line.starts_with("Columns:") ||
                         line.starts_with("Channels:") || line.starts_with('#');
    if (is_head || line.find_first_not_of(" \t") == line.npos) continue;
    const std::vector<std::string_view> words = split_at_blanks(line.substr(0, 4096));
    std::array<double, 3> rgb{};
    for (std::size_t c = 0; c < 3; ++c) {
      const std::optional<double> value = c < words.size() ? to_real(words[c]) : std::nullopt;
      if (!value || !(*value >= 0 && *value <= 255))
        messages.error(lines.number,
                       "\"{}\" is no color; a line of a GIMP palette is red green blue, 0 to 255, "
                       "and a name",
                       printable(line));
      rgb[c] = *value / 255;
    }
    if (colors.size() >= most_segments)
      messages.error(lines.number, "the palette has more than {} colors", most_segments);
    colors.push_back({rgb[0], rgb[1], rgb[2], 1});
  }
  if (colors.empty()) messages.error(0, "this GIMP palette has no colors");
  Palette given(colors.size());
  std::copy(colors.begin(), colors.end(), given.begin());
  const Palette all = stretched(given, palette.colors.size());
  for (std::size_t i = 0; i < all.size(); ++i) palette.colors[i] = bytes_of(all[i]);
  return palette;
}

}  // namespace

bool is_of_gimp(std::string_view text) {
  return text.starts_with("GIMP Gradient") || text.starts_with("GIMP Palette");
}

NamedPalette read_gimp_palette(std::string_view text, const Messages& messages) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const GimpLines lines{text.substr(std::min(end + 1, text.size()))};
  return text.starts_with("GIMP Gradient") ? read_gradient(lines, messages)
                                           : read_palette(lines, messages);
}

}  // namespace kiln
