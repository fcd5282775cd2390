// SPDX-License-Identifier: MIT
#include "engine/io/flame/flame_options.h"

#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <locale>
#include <sstream>

#include "engine/base/text.h"
#include "engine/io/file/input_file.h"
#include "engine/io/file/link_text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/effects_text.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/link_reader.h"
#include "engine/io/flame/palette_library.h"
#include "engine/io/flame/xml_scan.h"
#include "engine/io/picture/picture_format.h"
#include "engine/model/flame_attributes.h"
#include "engine/model/palette.h"

namespace kiln {
namespace {

bool is_file(const std::string& path) {
  std::error_code ignored;
  return !path.empty() && std::filesystem::exists(path, ignored) &&
         !std::filesystem::is_directory(path, ignored);
}

/// Whether the text can only mean a file, there or not.
bool looks_like_file(const std::string& text) {
  if (text.find('/') != std::string::npos) return true;
  for (const char* ending :
       {".flam3", ".flame", ".xml", ".ugr", ".gradient", ".map", ".ggr", ".gpl"})
    if (text.ends_with(ending)) return true;
  return format_with_ending(ending_of(text)) != nullptr;
}

std::optional<int> to_number(const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

/// Number or name in a library file.
Palette library_palette(const std::string& wanted, double turns, const std::string& file) {
  const PaletteLibrary library = PaletteLibrary::load(file);
  std::optional<int> number = to_number(wanted);
  if (!number) number = library.number_of(wanted);
  const PaletteLibrary::Colors* colors = number ? library.find(*number) : nullptr;
  if (colors) return turned_palette(colors, turns);
  fail(ErrorKind::usage, "--palette {}: no palette of this {} is among the {} of {}{}",
       printable_whole(wanted), number ? "number" : "name", library.size(), printable_whole(file),
       number ? "" : did_you_mean(wanted, library.names()));
}

Palette usual_palette(const std::string& wanted, double turns, const std::string& library) {
  const std::string file = find_palette_library(library);
  if (!file.empty()) return library_palette(wanted, turns, file);
  fail(ErrorKind::input,
       "--palette {}: flam3's palette library was not found; install it (apt install "
       "flam3-palette) or name it with --palettes FILE or the variable flam3_palettes",
       printable_whole(wanted));
}

bool is_library(const std::string& file) {
  try {
    PaletteLibrary::load(file);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Whether the file's name says that it holds gradients or a color map.
bool is_gradient_file(const std::string& file) {
  for (const char* ending : {".ugr", ".gradient", ".map", ".ggr", ".gpl"})
    if (file.ends_with(ending)) return true;
  return false;
}

[[noreturn]] void refuse_choice(const std::string& file) {
  fail(ErrorKind::usage,
       "--palette {0}: is a library of palettes; choose one by number or name: {0}#0",
       printable_whole(file));
}

/// The only palette of a file of gradients.
Palette only_palette(const std::string& file, double turns) {
  const PaletteLibrary library = PaletteLibrary::load(file);
  if (library.size() != 1) refuse_choice(file);
  return turned_palette(library.find(0), turns);
}

/// Whether it is the name of a picture of a kind that kiln reads.
bool is_picture_file(const std::string& file) {
  return format_with_ending(ending_of(file)) != nullptr;
}

/// Most memory to decode a picture for its colors, where no other limit is given: a photograph of
/// 64 megapixels. The sixteen colors of a larger one are those of a smaller copy.
constexpr std::uint64_t usual_picture_bytes = std::uint64_t(256) << 20;

/// The palette of a picture's colors; `which`: "light", "way", or nothing.
Palette picture_palette(const std::string& file, const std::string& which, double turns,
                        std::uint64_t most_bytes) {
  const ColorOrder order = which == "way" ? ColorOrder::way : ColorOrder::light;
  ImageLimits limits;
  limits.bytes = most_bytes > 0 ? most_bytes : usual_picture_bytes;
  limits.remedy = "give a smaller copy, which has the same colors";
  const Palette palette = palette_of_picture(read_picture(file, limits), order);
  return turns == 0 ? palette : turned(palette, turns);
}

/// Pictures of kinds that kiln does not read.
bool is_foreign_picture(const std::string& file) {
  const std::string ending = ending_of(file);
  for (const char* one : {".heic", ".heif", ".gif", ".bmp"})
    if (ending == one) return true;
  return false;
}

/// The palette of the file's first flame; of a picture without one, of its colors.
Palette palette_of_flame(const std::string& file, double turns, const std::string& library,
                         std::uint64_t most_bytes) {
  if (is_foreign_picture(file))
    fail(ErrorKind::input, "--palette {}: kiln reads the colors of {}; convert it to one of them",
         printable_whole(file), picture_names());
  ReaderOptions options;
  options.palettes_file = library;
  try {
    const Palette palette = read_flames(file, options).flames.at(0).palette;
    return turns == 0 ? palette : turned(palette, turns);
  } catch (const Error&) {
    if (is_picture_file(file)) return picture_palette(file, "", turns, most_bytes);
    if (!is_library(file)) throw;
  }
  refuse_choice(file);
}

/// The attributes that a template gives to other flames; camera, the light's curve and palette are a flame's own.
constexpr std::string_view of_templates[] = {
    // clang-format off
    "background", "background_type", "background_ul", "background_ur", "background_ll", "background_lr", "background_cc",
    "zoom", "supersample", "oversample", "filter", "filter_shape", "quality", "passes", "temporal_samples",
    "estimator_radius", "estimator_minimum", "estimator_curve", "gamma_threshold", "interpolation", "interpolation_type",
    "temporal_filter_type", "temporal_filter_width", "temporal_filter_exp", "highlight_power", "palette_mode",
    "palette_interpolation", "hsv_rgb_palette_blend",
    // clang-format on
};

/// Depth first, as the reader finds them; null where there is none.
const tinyxml2::XMLElement* first_flame(const tinyxml2::XMLNode& parent) {
  for (const auto* e = parent.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
    if (std::string_view(e->Name()) == "flame") return e;
    if (const tinyxml2::XMLElement* const inner = first_flame(*e)) return inner;
  }
  return nullptr;
}

/// The XML of a file as it is parsed: that of a picture is in its texts, and the format before XML is
/// written anew. Throws Error (input).
std::string xml_text_of(const std::string& path, const ReaderOptions& options) {
  if (is_link(path)) return xml_of_link(path);
  std::string bytes = InputFile(path).read_all(options.max_input_bytes);
  if (is_link(bytes)) return xml_of_link(bytes);
  if (format_beginning(bytes)) {
    const PictureFileTexts said = read_picture_texts(path);
    const auto genome = said.texts.find(genome_key);
    if (genome == said.texts.end())
      fail(ErrorKind::input, "{}: the picture carries no flame", printable_whole(path));
    return genome->second;
  }
  return is_old_format(bytes) ? xml_of_old_format(bytes, path) : bytes;
}

}  // namespace

PaletteSource palette_source(const std::string& wanted) {
  if (to_number(wanted)) return {"", wanted};
  if (is_file(wanted)) return {wanted, ""};
  const std::size_t hash = wanted.rfind('#');
  const std::string before = wanted.substr(0, hash);
  if (hash != std::string::npos && (is_file(before) || looks_like_file(before)))
    return {before, wanted.substr(hash + 1)};
  if (looks_like_file(wanted)) return {wanted, ""};
  return {"", wanted};
}

std::string palette_label(const std::string& wanted) {
  const PaletteSource source = palette_source(wanted);
  const std::string stem = source.file.empty() ? "" : input_stem(source.file);
  if (source.which.empty()) return stem;
  return stem.empty() ? source.which : stem + "-" + source.which;
}

Palette chosen_palette(const std::string& wanted, double turns, const std::string& library,
                       std::uint64_t most_bytes) {
  const auto [file, which] = palette_source(wanted);
  if (file.empty()) return usual_palette(which, turns, library);
  if (is_picture_file(file) && !which.empty()) {
    if (which == "light" || which == "way") return picture_palette(file, which, turns, most_bytes);
    fail(ErrorKind::usage,
         "--palette {}: the colors of a picture stand in the order #light (from dark to light) or "
         "#way (each beside those like it), not \"#{}\"",
         printable_whole(wanted), printable_whole(which));
  }
  if (!which.empty()) return library_palette(which, turns, file);
  return is_gradient_file(file) ? only_palette(file, turns)
                                : palette_of_flame(file, turns, library, most_bytes);
}

std::vector<Palette> palettes_of_library(const std::string& asked) {
  const std::string path = find_palette_library(asked == "flam3" ? "" : asked);
  if (path.empty())
    fail(
        ErrorKind::usage,
        "--palettes flam3: flam3's palettes are not installed; install flam3-palettes (Debian), or "
        "name a file");
  const PaletteLibrary library = PaletteLibrary::load(path);
  std::vector<Palette> palettes;
  for (const int number : library.numbers())
    palettes.push_back(turned_palette(library.find(number), 0));
  if (palettes.empty())
    fail(ErrorKind::usage, "{}: has no palettes; name another file", printable_whole(path));
  return palettes;
}

std::string palettes_json(const std::string& asked) {
  const std::string path = find_palette_library(asked);
  return path.empty() ? "[]" : PaletteLibrary::load(path).json();
}

FlameTemplate template_of(const std::string& path) {
  const ReaderOptions options;
  const std::string text = xml_text_of(path, options);
  Messages messages(path, options);
  tinyxml2::XMLDocument document;
  parse_xml(text, messages, document);
  const tinyxml2::XMLElement* const element = first_flame(document);
  if (!element)
    fail(ErrorKind::input, "{}: there is no <flame> in this file", printable_whole(path));
  FlameTemplate pattern;
  for (const tinyxml2::XMLAttribute* a = element->FirstAttribute(); a; a = a->Next()) {
    const std::string_view name = a->Name(), value = a->Value();
    const bool is_unset = name == "highlight_power" && value.starts_with('-');
    if (!is_unset &&
        std::find(std::begin(of_templates), std::end(of_templates), name) != std::end(of_templates))
      pattern.set.push_back({a->Name(), a->Value()});
  }
  if (element->Attribute("background") && !element->Attribute("background_type"))
    pattern.set.push_back({"background_type", "SINGLE_COLOR"});
  if (const char* const size = element->Attribute("size")) {
    std::istringstream numbers(size);
    numbers.imbue(std::locale::classic());
    if (!(numbers >> pattern.width >> pattern.height) || pattern.width < 1 || pattern.height < 1)
      messages.error(element->GetLineNum(), "flame: size=\"{}\" is not two numbers of pixels",
                     printable(size));
  }
  return pattern;
}

void FlameTemplate::resize(Flame& flame) const {
  if (width == 0) return;
  flame.scale *= double(height) / flame.height;
  flame.width = width;
  flame.height = height;
}

void turn_hues(double turns, Flame& flame) {
  if (turns == 0) return;
  flame.palette = turned(flame.palette, turns);
  flame.hue = flame.hue + turns - std::trunc(flame.hue + turns);
}

std::vector<double> option_numbers(const char* option, std::string_view text, int percent) {
  std::vector<double> numbers;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    std::string_view word = rest.substr(0, comma);
    if (int(numbers.size()) == percent && word.ends_with('%')) word.remove_suffix(1);
    const std::optional<double> number = to_real(word);
    if (!number || !std::isfinite(*number)) {
      fail(ErrorKind::usage, "{} {}: \"{}\" is not a number; {}", option,
           printable_whole(std::string(text)), printable_whole(std::string(word)),
           word.ends_with('%') ? "a share is written from 0 to 1"
                               : "numbers are separated by commas");
    }
    numbers.push_back(*number);
    if (comma == std::string_view::npos) return numbers;
    rest.remove_prefix(comma + 1);
  }
}

void set_effects(const std::optional<std::string>& bloom, const std::optional<std::string>& glare,
                 Effects& effects) {
  const auto put = [](const char* option, const std::optional<std::string>& text, int percent,
                      auto set, auto& value) {
    if (!text) return;
    const std::string wrong = set(value, option_numbers(option, *text, percent));
    if (!wrong.empty()) fail(ErrorKind::usage, "{} {}: {}", option, printable_whole(*text), wrong);
  };
  put("--bloom", bloom, 1, set_bloom, effects.bloom);
  put("--glare", glare, -1, set_glare, effects.glare);
  if (const char* reason = refusal(effects)) fail(ErrorKind::usage, "--bloom, --glare: {}", reason);
}

void check_after_options(const Flame& flame) {
  const ReaderOptions options;
  const Messages messages(flame.source, options);
  try {
    check_attributes(flame, messages);
  } catch (const Error& error) {
    fail(ErrorKind::usage, "{}; change the options that lead there", error.what());
  }
}

}  // namespace kiln
