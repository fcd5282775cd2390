// SPDX-License-Identifier: MIT
// Palettes as flames have them, in the forms of all programs (palette_library.h).
#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "engine/base/text.h"
#include "engine/io/flame/attributes.h"
#include "engine/io/flame/palette_library.h"
#include "engine/model/palette.h"

namespace kiln {
namespace {

constexpr int max_entries = 4096;  // Fractorium has 256, 512 or 1024
const std::string color_owner = "color", colors_owner = "colors", palette_owner = "palette";

[[noreturn]] void reject_unknown(const Attribute& attribute, const char* allowed) {
  attribute.reject("<{}> has no such attribute; it knows {}", attribute.owner, allowed);
}

std::string text_of(const tinyxml2::XMLElement& element) {
  std::string text;  // comments may stand between its parts
  for (const auto* node = element.FirstChild(); node != nullptr; node = node->NextSibling())
    if (const auto* part = node->ToText()) text += part->Value();
  return text;
}

Rgba from_bytes(const std::array<std::uint8_t, 4>& c) {
  return {c[0] / 255.0, c[1] / 255.0, c[2] / 255.0, c[3] / 255.0};
}

/// The number of colors that the digits of a <palette> make, whatever its count says.
int colors_in(std::string_view text, HexLayout layout) {
  const auto is_digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  const auto digits = std::count_if(text.begin(), text.end(), is_digit);
  const auto colors = digits / (layout == HexLayout::rgb ? 6 : 8);
  return int(std::clamp<std::ptrdiff_t>(colors, 1, max_entries));
}

bool is_level(double v) { return std::fabs(v - std::floor(v + 0.5)) < 1e-9; }

bool is_old_form(const Attribute& a) {
  return a.name == "index0" || a.name == "index1" || a.name == "hue0" || a.name == "hue1" ||
         a.name == "blend";
}

}  // namespace

bool PaletteReader::read(const tinyxml2::XMLElement& element) {
  const std::string_view name = element.Name();
  if (name == "color") return read_color(element), true;
  if (name == "colors") return read_colors(element), true;
  if (name == "palette") return read_palette(element), true;
  return false;
}

void PaletteReader::put(std::size_t index, const Rgba& color) {
  if (index >= palette_.size()) {
    palette_.resize(index + 1);
    present_.resize(index + 1);
  }
  palette_[index] = color;
  present_[index] = true;
}

// A full palette replaces what was there, a shorter one its first entries; but for flam3 each is
// full.
void PaletteReader::put_all(const std::vector<std::array<std::uint8_t, 4>>& colors) {
  if (colors.size() >= 256 || dialect_ != Dialect::flam3) {
    palette_.resize(colors.size());
    present_.resize(colors.size());
  }
  for (std::size_t i = 0; i < colors.size(); ++i) put(i, from_bytes(colors[i]));
}

void PaletteReader::put_all(const Palette& palette) {
  palette_ = palette;
  present_.assign(palette.size(), true);
}

void PaletteReader::read_color(const tinyxml2::XMLElement& element) {
  int index = -1;
  std::vector<double> rgb = {0, 0, 0};
  double alpha = 255;
  double alpha_asked = 255;
  for (const Attribute& a : attributes_of(element, color_owner, messages_)) {
    alpha = 255;  // flam3: every attribute sets the alpha back, so only the last one can give it
    if (a.name == "index") {
      index = read_integer(a, 0, max_entries - 1);
    } else if (a.name == "rgb") {
      rgb = read_reals(a, 3, "red green blue, 0 to 255");
    } else if (a.name == "rgba") {
      rgb = read_reals(a, 4, "red green blue alpha, 0 to 255");
      alpha = alpha_asked = rgb[3];
    } else if (a.name == "a") {
      alpha = alpha_asked = read_real(a);
    } else {
      reject_unknown(a, "index, rgb, rgba and a");
    }
  }
  const int line = element.GetLineNum();
  if (index < 0) messages_.error(line, "color: has no index; add index=\"0\" to index=\"255\"");
  if (alpha != alpha_asked)
    messages_.warn_once(line, "color alpha", [] {
      return std::string(
          "color: as in flam3, alpha counts only in the last attribute; put rgba or a last");
    });
  const double a = alpha / 255;
  put(std::size_t(index), {rgb[0] / 255 * a, rgb[1] / 255 * a, rgb[2] / 255 * a, a});
}

void PaletteReader::read_colors(const tinyxml2::XMLElement& element) {
  int count = 0;
  for (const Attribute& a : attributes_of(element, colors_owner, messages_)) {
    if (a.name == "count") {
      count = read_integer(a, 1, max_entries);
    } else if (a.name == "data") {
      if (count == 0) a.reject("count must come before data");
      const HexColors read = read_hex_colors(a.value, HexLayout::zero_rgb, count);
      if (!read.problem.empty()) a.reject("{}", read.problem);
      put_all(read.colors);
    } else {
      reject_unknown(a, "count and data");
    }
  }
}

void PaletteReader::read_palette(const tinyxml2::XMLElement& element) {
  const std::vector<Attribute> attributes = attributes_of(element, palette_owner, messages_);
  if (std::any_of(attributes.begin(), attributes.end(), is_old_form)) return read_blend(element);

  const int line = element.GetLineNum();
  int count = 0;
  std::optional<HexLayout> layout;
  for (const Attribute& a : attributes) {
    if (a.name == "count") {
      count = read_integer(a, 1, max_entries);
    } else if (a.name == "format") {
      if (a.value != "RGB" && a.value != "RGBA") a.reject("must be RGB or RGBA");
      layout = a.value == "RGB" ? HexLayout::rgb : HexLayout::rgba;
    } else if (a.name !=
               "source_colors") {  // an editor's gradient, beside the colors it was made into
      reject_unknown(a, "count and format, or index0, index1, hue0, hue1 and blend");
    }
  }
  if (dialect_ != Dialect::flam3) {
    count = 1;
    layout = layout.value_or(HexLayout::rgb);
  }
  if (count == 0 || !layout)
    messages_.error(line, "palette: {} is missing; write <palette count=\"256\" format=\"RGB\">",
                    count == 0 ? "count" : "format");
  const std::string text = text_of(element);
  if (dialect_ != Dialect::flam3) count = colors_in(text, *layout);
  const HexColors read = read_hex_colors(text, *layout, count);
  if (!read.problem.empty()) messages_.error(line, "palette: {}", read.problem);
  put_all(read.colors);
}

void PaletteReader::read_blend(const tinyxml2::XMLElement& element) {
  std::optional<int> index0, index1;
  double hue0 = 0, hue1 = 0, blend = 0.5;
  for (const Attribute& a : attributes_of(element, palette_owner, messages_)) {
    if (a.name == "index0") {
      index0 = read_integer(a, -1, 1 << 30);
    } else if (a.name == "index1") {
      index1 = read_integer(a, -1, 1 << 30);
    } else if (a.name == "hue0") {
      hue0 = read_real(a);
    } else if (a.name == "hue1") {
      hue1 = read_real(a);
    } else if (a.name == "blend") {
      blend = read_real(a);
    } else {
      a.reject("the attributes of the two forms of <palette> cannot be mixed");
    }
  }
  const int line = element.GetLineNum();
  const auto number = [&](const std::optional<int>& index, std::uint64_t salt) {
    const bool random = !index || *index < 0;
    return random ? library_(line).pick(seed_ * 0x9E3779B97F4A7C15ull + salt) : *index;
  };
  put_all(blend_palettes(turned_palette(find(number(index0, 1), line), hue0),
                         turned_palette(find(number(index1, 7919), line), hue1), blend));
}

const PaletteLibrary::Colors* PaletteReader::find(int number, int line) {
  const PaletteLibrary::Colors* colors = library_(line).find(number);
  if (colors == nullptr)
    messages_.ignored(line, "palette " + std::to_string(number), [&] {
      return fmt::format("palette {} is not in the library; it becomes white, as in flam3", number);
    });
  return colors;
}

void PaletteReader::use_library(int number, double hue_turns, int line) {
  put_all(turned_palette(find(number, line), hue_turns));
}

Palette PaletteReader::finish(int flame_line) const {
  const auto first = std::find(present_.begin(), present_.end(), true);
  if (first == present_.end())
    messages_.error(
        flame_line,
        "the flame has no palette; add palette=\"N\" to <flame>, or <color index=... rgb=.../> "
        "elements, or <palette count=\"256\" format=\"RGB\"> with the colors");
  Palette filled = palette_;
  const std::size_t entries = palette_.size();
  // from each given entry to the next one, once around
  std::size_t from = std::size_t(first - present_.begin());
  for (const std::size_t end = from + entries; from < end;) {
    std::size_t to = from + 1;
    while (!present_[to % entries]) ++to;
    const Rgba& p = palette_[from % entries];
    const Rgba& q = palette_[to % entries];
    for (std::size_t i = from + 1; i < to; ++i) {
      const double t = double(i - from) / double(to - from);
      const auto mix = [t](double x, double y) { return (1 - t) * x + t * y; };
      filled[i % entries] = {mix(p.r, q.r), mix(p.g, q.g), mix(p.b, q.b), mix(p.a, q.a)};
    }
    from = to;
  }
  return filled;
}

Palette resampled(const Palette& palette) {
  Palette result;
  if (palette.size() == result.size()) return palette;
  bool whole = true;
  for (const Rgba& c : palette)
    for (double v : {c.r, c.g, c.b, c.a}) whole = whole && is_level(v * 255);
  const double share = double(palette.size()) / double(result.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double begin = double(i) * share, end = begin + share;
    Rgba sum;
    for (std::size_t k = std::size_t(begin); k < palette.size() && double(k) < end; ++k) {
      const double part = std::min(double(k + 1), end) - std::max(double(k), begin);
      sum = {sum.r + part * palette[k].r, sum.g + part * palette[k].g, sum.b + part * palette[k].b,
             sum.a + part * palette[k].a};
    }
    const auto mean = [&](double v) {
      return whole ? std::floor(v / share * 255 + 0.5) / 255 : v / share;
    };
    result[i] = {mean(sum.r), mean(sum.g), mean(sum.b), mean(sum.a)};
  }
  return result;
}

Palette blend_palettes(const Palette& first, const Palette& second, double blend) {
  Palette blended;
  for (std::size_t i = 0; i < blended.size(); ++i) {
    Hsv x = hsv_from_rgb(first[i]);
    const Hsv y = hsv_from_rgb(second[i]);
    if (y.h - x.h > 3) x.h += 6;
    if (y.h - x.h < -3) x.h -= 6;
    const auto mix = [blend](double p, double q) { return (1 - blend) * p + blend * q; };
    blended[i] = rgb_from_hsv({mix(x.h, y.h), mix(x.s, y.s), mix(x.v, y.v)});
  }
  return blended;
}

}  // namespace kiln
