#include "engine/io/flame/palette_library.h"

#include <tinyxml2.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "engine/io/flame/attributes.h"
#include "engine/io/flame/gradient_reader.h"
#include "engine/io/flame/hex_colors.h"
#include "engine/io/file/input_file.h"
#include "engine/io/flame/xml_scan.h"
#include "engine/model/hsv.h"

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

}  // namespace

PaletteLibrary PaletteLibrary::load(const std::string& path) {
  const ReaderOptions options;
  Messages messages(path, options);
  InputFile file(path);
  const std::string bytes = file.read_all(max_library_bytes);
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

std::vector<std::string> PaletteLibrary::names() const {
  std::vector<std::string> names;
  for (const auto& [number, name] : names_) names.push_back(name);
  return names;
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

}  // namespace kiln
