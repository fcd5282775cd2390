// SPDX-License-Identifier: MIT
#include "engine/io/flame/palette_library.h"

#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/input_file.h"
#include "engine/io/flame/attributes.h"
#include "engine/io/flame/xml_scan.h"
#include "engine/model/palette.h"

namespace kiln {
namespace {

// Debian's flam3-palette
constexpr const char* package_file = "/usr/share/flam3/flam3-palettes.xml";
constexpr std::uint64_t max_library_bytes = 64ull << 20;

void visit_palettes(const tinyxml2::XMLNode& parent, auto&& visit) {
  for (const auto* e = parent.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
    if (std::string_view(e->Name()) == "palette") {
      visit(*e);
    } else {
      visit_palettes(*e, visit);
    }
  }
}

PaletteLibrary::Colors library_colors(const Attribute& data) {
  const HexColors read = read_hex_colors(data.value, HexLayout::zero_rgb, 256);
  if (!read.problem.empty()) data.reject("{}", read.problem);
  PaletteLibrary::Colors colors;
  for (std::size_t i = 0; i < colors.size(); ++i)
    colors[i] = {read.colors[i][0], read.colors[i][1], read.colors[i][2]};
  return colors;
}

/// Whether a library is XML: what else has palettes has numbers or names first.
bool is_xml(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  const bool marked = bytes.starts_with("\xEF\xBB\xBF<") || bytes.find('\0') != bytes.npos;
  return first == bytes.npos || bytes[first] == '<' || marked;
}

std::string plain_name(std::string_view name) {
  std::string plain(name);
  for (char& c : plain) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == ' ' || c == '_') c = '-';
  }
  return plain;
}

constexpr int circle = 400;                      // places of a gradient's points
constexpr std::size_t most_gradients = 1 << 14;  // of a file
constexpr std::size_t most_bytes_a_line = 4096;
constexpr std::string_view section = "gradient:";

using Color = std::array<std::uint8_t, 3>;

Color mixed(const Color& before, const Color& after, double share_of_after) {
  Color color;
  for (std::size_t c = 0; c < color.size(); ++c) {
    const double value = (1 - share_of_after) * before[c] + share_of_after * after[c];
    color[c] = static_cast<std::uint8_t>(std::floor(value + 0.5));
  }
  return color;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\v\f";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// The lines of a text, numbered from 1.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  /// The next line without blanks around it; nothing after the last one.
  std::optional<std::string_view> next() {
    if (rest_.empty()) return {};
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return trimmed(line);
  }
  int number() const { return number_; }

 private:
  std::string_view rest_;
  int number_ = 0;
};

/// One gradient of a file while it is read.
struct Gradient {
  std::string name;
  std::map<int, Color> points;  // place on the circle -> color
};

PaletteLibrary::Colors colors_of(const std::map<int, Color>& points) {
  PaletteLibrary::Colors colors;
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const double at = double(i) * circle / double(colors.size());
    auto after = points.upper_bound(int(at));
    const auto before = after == points.begin() ? std::prev(points.end()) : std::prev(after);
    if (after == points.end()) after = points.begin();
    const auto way = [](double from, double to) {
      return to > from ? to - from : to - from + circle;
    };
    const double whole = way(before->first, after->first);
    const double done = at >= before->first ? at - before->first : at - before->first + circle;
    colors[i] = mixed(before->second, after->second, points.size() > 1 ? done / whole : 0);
  }
  return colors;
}

/// Reads a gradient file: NAME { ... gradient: title="..." index=0 color=255 ... opacity: ... }.
class GradientReader {
 public:
  GradientReader(std::string_view text, const Messages& messages)
      : lines_(text), messages_(messages) {}

  std::vector<NamedPalette> read() {
    while (const auto line = lines_.next()) {
      if (line->empty() || line->front() == ';') continue;
      if (line->size() > most_bytes_a_line)
        messages_.error(lines_.number(), "this line is longer than {} bytes", most_bytes_a_line);
      take(*line);
    }
    if (open_) messages_.error(opened_, "this gradient is never closed; a line with }} is missing");
    if (palettes_.empty())
      messages_.error(0, "this gradient file has no points, as in \"index=0 color=255\"");
    return std::move(palettes_);
  }

 private:
  void take(std::string_view line) {
    if (!open_) {
      if (line.back() != '{')
        messages_.error(lines_.number(), "\"{}\" is not the beginning of a gradient: NAME {{",
                        printable(line));
      begin(trimmed(line.substr(0, line.size() - 1)));
    } else if (line == "}") {
      end();
    } else if (line.ends_with(":")) {
      in_gradient_ = line == section;
    } else if (in_gradient_) {
      apply_settings(line);
    }
  }

  void begin(std::string_view name) {
    if (palettes_.size() >= most_gradients)
      messages_.error(lines_.number(), "the file has more than {} gradients; split it",
                      most_gradients);
    open_ = true;
    in_gradient_ = false;
    opened_ = lines_.number();
    gradient_ = {as_utf8(name), {}};
  }

  void end() {
    open_ = false;
    if (!gradient_.points.empty())
      palettes_.push_back({printable(gradient_.name, 240), colors_of(gradient_.points)});
  }

  /// key=value or key="some words", separated by blanks; color follows its index.
  void apply_settings(std::string_view line) {
    while (!(line = trimmed(line)).empty()) {
      const std::size_t equals = line.find('=');
      if (equals == line.npos)
        messages_.error(lines_.number(), "\"{}\" is no setting such as index=0", printable(line));
      const std::string_view key = trimmed(line.substr(0, equals));
      line.remove_prefix(equals + 1);
      const bool quoted = line.starts_with('"');
      if (quoted) line.remove_prefix(1);
      const std::size_t end = std::min(line.find_first_of(quoted ? "\"" : " \t"), line.size());
      read_setting(key, line.substr(0, end));
      line.remove_prefix(std::min(end + 1, line.size()));
    }
  }

  void read_setting(std::string_view key, std::string_view value) {
    if (key == "title") {
      gradient_.name = as_utf8(value);
    } else if (key == "index") {
      const int index = whole(key, value, -1'000'000, 1'000'000) % circle;
      index_ = index < 0 ? index + circle : index;
    } else if (key == "color") {
      const int color = whole(key, value, 0, 0xffffff);  // blue green red
      gradient_.points[index_] = {std::uint8_t(color), std::uint8_t(color >> 8),
                                  std::uint8_t(color >> 16)};
    }
  }

  int whole(std::string_view key, std::string_view value, int low, int high) const {
    const std::optional<double> number = to_real(value);
    if (!number || *number != std::floor(*number) || !(*number >= low && *number <= high))
      messages_.error(lines_.number(), "{}={}: must be a whole number between {} and {}", key,
                      printable(value), low, high);
    return int(*number);
  }

  Lines lines_;
  const Messages& messages_;
  bool open_ = false, in_gradient_ = false;
  int opened_ = 0, index_ = 0;
  Gradient gradient_;
  std::vector<NamedPalette> palettes_;
};

std::vector<NamedPalette> read_color_map(std::string_view text, const Messages& messages) {
  std::vector<Color> entries;
  Lines lines(text);
  while (const auto line = lines.next()) {
    if (line->empty() || line->front() == ';') continue;
    const std::vector<std::string_view> words = split_at_blanks(line->substr(0, most_bytes_a_line));
    Color color;
    for (std::size_t c = 0; c < color.size(); ++c) {
      const std::optional<double> value = c < words.size() ? to_real(words[c]) : std::nullopt;
      if (!value || !(*value >= 0 && *value <= 255))
        messages.error(lines.number(),
                       "\"{}\" is no color; a line of a color map is three numbers, red green "
                       "blue, 0 to 255",
                       printable(*line));
      color[c] = static_cast<std::uint8_t>(*value);
    }
    if (entries.size() >= PaletteLibrary::Colors{}.size())
      messages.error(lines.number(), "a color map has 256 colors at most");
    entries.push_back(color);
  }
  if (entries.size() < 2) messages.error(0, "a color map needs two colors at least");
  NamedPalette palette;
  for (std::size_t i = 0; i < palette.colors.size(); ++i) {
    const double at = double(i) * double(entries.size() - 1) / double(palette.colors.size() - 1);
    const std::size_t low = std::min(std::size_t(at), entries.size() - 2);
    palette.colors[i] = mixed(entries[low], entries[low + 1], at - double(low));
  }
  return {palette};
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n\v\f\r"), text.size()));
}

}  // namespace

PaletteLibrary PaletteLibrary::load(const std::string& path) {
  InputFile file(path);
  return read(file.read_all(max_library_bytes), path);
}

PaletteLibrary PaletteLibrary::read(std::string_view bytes, const std::string& name_of_file) {
  const ReaderOptions options;
  Messages messages(name_of_file, options);
  PaletteLibrary library;
  if (!is_xml(bytes)) {
    for (const NamedPalette& palette : read_gradients(bytes, messages)) {
      const int number = int(library.palettes_.size());
      library.palettes_.emplace(number, palette.colors);
      if (!palette.name.empty()) library.names_.emplace(number, palette.name);
    }
    return library;
  }
  tinyxml2::XMLDocument document;
  parse_xml(bytes, messages, document);
  visit_palettes(document, [&](const tinyxml2::XMLElement& element) {
    const std::string owner = "palette";
    int number = -1;
    std::string name;
    const Attribute* data = nullptr;
    const std::vector<Attribute> attributes = attributes_of(element, owner, messages);
    for (const Attribute& a : attributes) {
      if (a.name == "number") number = read_integer(a, 0, 1 << 20);
      if (a.name == "data") data = &a;
      if (a.name == "name") name = a.value;
    }
    if (number < 0 || data == nullptr)
      messages.error(element.GetLineNum(), "a library palette needs number and data");
    library.palettes_.try_emplace(number, library_colors(*data));
    if (!name.empty()) library.names_.try_emplace(number, name);
  });
  if (library.palettes_.empty())
    messages.error(0, "this palette library has no <palette number=... data=...>");
  return library;
}

const PaletteLibrary::Colors* PaletteLibrary::find(int number) const {
  const auto found = palettes_.find(number);
  return found == palettes_.end() ? nullptr : &found->second;
}

int PaletteLibrary::pick(std::uint64_t random) const {
  if (palettes_.empty()) return -1;
  return std::next(palettes_.begin(), std::ptrdiff_t(random % palettes_.size()))->first;
}

std::optional<int> PaletteLibrary::number_of(std::string_view name) const {
  for (const auto& [number, known] : names_)
    if (plain_name(known) == plain_name(name)) return number;
  return {};
}

std::vector<int> PaletteLibrary::numbers() const {
  std::vector<int> numbers;
  for (const auto& [number, colors] : palettes_) numbers.push_back(number);
  return numbers;
}

std::vector<std::string> PaletteLibrary::names() const {
  std::vector<std::string> names;
  for (const auto& [number, name] : names_) names.push_back(name);
  return names;
}

std::string PaletteLibrary::name_of(int number) const {
  const auto name = names_.find(number);
  return name == names_.end() ? "" : name->second;
}

std::string PaletteLibrary::json() const {
  JsonArray all;
  for (const auto& [number, colors] : palettes_) {
    std::string hex;
    for (const auto& [r, g, b] : colors) hex += fmt::format("{:02X}{:02X}{:02X}", r, g, b);
    all.add_json(
        JsonObject().add("name", name_of(number)).add("number", number).add("colors", hex).text());
  }
  return all.text();
}

std::string find_palette_library(const std::string& asked) {
  if (!asked.empty()) return asked;
  if (const char* from_environment = std::getenv("flam3_palettes")) return from_environment;
  std::error_code ignored;
  return std::filesystem::exists(package_file, ignored) ? package_file : "";
}

Palette turned_palette(const PaletteLibrary::Colors* colors, double hue_turns) {
  Palette palette;
  palette.fill({1, 1, 1, 1});
  if (colors == nullptr) return palette;
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const auto& [r, g, b] = (*colors)[i];
    palette[i] = {r / 255.0, g / 255.0, b / 255.0, 1};
  }
  return turned(palette, hue_turns);
}

std::vector<NamedPalette> read_gradients(std::string_view text, const Messages& messages) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (is_of_gimp(text)) return {read_gimp_palette(text, messages)};
  if (text.find(section) != text.npos) return GradientReader(text, messages).read();
  return read_color_map(text, messages);
}

HexColors read_hex_colors(std::string_view text, HexLayout layout, int count) {
  const std::size_t channels = layout == HexLayout::rgb ? 3 : 4;
  HexColors result;
  for (int i = 0; i < count; ++i) {
    skip_blanks(text);
    if (text.empty()) {
      result.problem = fmt::format("count says {} colors, but there are only {}", count, i);
      return result;
    }
    std::array<std::uint8_t, 4> bytes = {0, 0, 0, 255};
    for (std::size_t c = 0; c < channels; ++c) {
      const int high = text.size() > 2 * c ? hex_digit(text[2 * c]) : -1;
      const int low = text.size() > 2 * c + 1 ? hex_digit(text[2 * c + 1]) : -1;
      const bool not_zero = layout == HexLayout::zero_rgb && c == 0 && (high != 0 || low != 0);
      if (high < 0 || low < 0 || not_zero) {
        result.problem = fmt::format("color {} is \"{}\", but {} are needed", i,
                                     printable(text.substr(0, 2 * channels)),
                                     layout == HexLayout::zero_rgb ? "00 and 6 hex digits"
                                     : channels == 3               ? "6 hex digits"
                                                                   : "8 hex digits");
        return result;
      }
      bytes[c] = std::uint8_t(16 * high + low);
    }
    if (layout == HexLayout::zero_rgb) bytes = {bytes[1], bytes[2], bytes[3], 255};
    result.colors.push_back(bytes);
    text.remove_prefix(2 * channels);
  }
  skip_blanks(text);
  if (!text.empty())
    result.problem = fmt::format("more follows after the {} colors that count announces: \"{}\"",
                                 count, printable(text, 24));
  return result;
}

}  // namespace kiln
