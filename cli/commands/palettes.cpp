// SPDX-License-Identifier: MIT
// kiln palettes: the palettes of libraries, gradients and pictures, as a list, as one picture, or as a page
// in which they are searched. What it calls them is what --palette takes.
#include <algorithm>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/options/output_files.h"
#include "cli/report/compare_report.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/flame_options.h"
#include "engine/io/flame/palette_library.h"
#include "engine/io/flame/palette_writer.h"
#include "engine/io/picture/picture_format.h"

namespace kiln::cli {
namespace {

struct PalettesArguments {
  std::vector<std::string> inputs;
  std::string output, sort = "file";
  int columns = 4;
  bool force = false;
};

struct LibraryEntry {
  std::string file, name;  // file: empty for the usual library
  int number = 0;
  Palette colors;

  /// The word for --palette; a flame's has no number.
  std::string asked_by() const {
    if (number < 0) return file;
    return file.empty() ? std::to_string(number) : file + "#" + std::to_string(number);
  }
};

/// Mean light, 0 to 1.
double light_of(const Palette& palette) {
  double sum = 0;
  for (const auto& c : palette) sum += 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
  return sum / double(palette.size());
}

/// 0 to 1 around the circle of hues, of all its colors by their strength; gray ones come last.
double hue_of(const Palette& palette) {
  double r = 0, g = 0, b = 0;
  for (const auto& c : palette) r += c.r, g += c.g, b += c.b;
  const double most = std::max({r, g, b}), least = std::min({r, g, b}), range = most - least;
  if (range < 0.04 * most || most == 0) return 2;
  const double sixth = most == r   ? (g - b) / range
                       : most == g ? 2 + (b - r) / range
                                   : 4 + (r - g) / range;
  return (sixth < 0 ? sixth + 6 : sixth) / 6;
}

/// The palette of the first flame of a file, or of a picture.
void add_own_palette(const std::string& file, std::vector<LibraryEntry>& all) {
  all.push_back({file, "", -1, chosen_palette(file, 0, "")});
}

void add_library(const std::string& file, const std::string& path, std::vector<LibraryEntry>& all) {
  const std::string ending = ending_of(path);
  const PaletteSource source = palette_source(path);
  if (!source.file.empty() && !source.which.empty()) {  // one of a library: palettes.xml#7
    all.push_back({file, palette_label(path), -1, chosen_palette(path, 0, "")});
    return;
  }
  if (ending == ".flam3" || ending == ".flame" || format_with_ending(ending))
    return add_own_palette(file, all);
  const PaletteLibrary library = PaletteLibrary::load(path);
  const std::vector<int> numbers = library.numbers();
  for (const int number : numbers)
    all.push_back({file, library.name_of(number), number, turned_palette(library.find(number), 0)});
}

std::vector<LibraryEntry> entries_of_libraries(const PalettesArguments& args) {
  std::vector<LibraryEntry> all;
  if (args.inputs.empty()) {
    const std::string path = find_palette_library("");
    if (path.empty())
      fail(ErrorKind::usage,
           "flam3's palettes are not installed (Debian: flam3-palette); name a library: kiln "
           "palettes "
           "flames/palettes.xml");
    add_library("", path, all);
  }
  for (const std::string& input : args.inputs) add_library(input, input, all);
  if (all.empty())
    fail(ErrorKind::input, "there are no palettes in {}", printable_whole(args.inputs.front()));
  return all;
}

void sort_palettes(std::string_view by, std::vector<LibraryEntry>& all) {
  const auto sort_by = [&](auto key) {
    std::stable_sort(all.begin(), all.end(),
                     [&](const LibraryEntry& a, const LibraryEntry& b) { return key(a) < key(b); });
  };
  if (by == "name") sort_by([](const LibraryEntry& p) { return p.name; });
  if (by == "brightness") sort_by([](const LibraryEntry& p) { return -light_of(p.colors); });
  if (by == "color") sort_by([](const LibraryEntry& p) { return hue_of(p.colors); });
}

std::uint8_t byte_level(double level) {
  return std::uint8_t(std::clamp(level * 255 + 0.5, 0.0, 255.0));
}

/// Strips of 256 x 24 pixels with a dark frame around them.
Image strips_of(const std::vector<LibraryEntry>& all, int columns) {
  constexpr int width = 256, height = 24, gap = 4;
  columns = std::min(columns, int(all.size()));
  const int rows = (int(all.size()) + columns - 1) / columns;
  Image sheet;
  sheet.width = columns * (width + gap) + gap;
  sheet.height = rows * (height + gap) + gap;
  sheet.opaque = true;
  Bytes& pixels = sheet.pixels8();
  pixels.assign(std::size_t(sheet.width) * std::size_t(sheet.height) * 4, 24);
  for (std::size_t i = 3; i < pixels.size(); i += 4) pixels[i] = 255;
  for (std::size_t p = 0; p < all.size(); ++p) {
    const int left = gap + int(p) % columns * (width + gap),
              top = gap + int(p) / columns * (height + gap);
    const Palette& palette = all[p].colors;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const auto& color = palette[std::size_t(x) * palette.size() / width];
        std::uint8_t* pixel =
            &pixels[(std::size_t(top + y) * std::size_t(sheet.width) + std::size_t(left + x)) * 4];
        pixel[0] = byte_level(color.r), pixel[1] = byte_level(color.g),
        pixel[2] = byte_level(color.b);
      }
  }
  return sheet;
}

/// A gradient of 32 stops: more is not seen in a strip.
std::string page_entry(const LibraryEntry& palette) {
  std::string stops;
  for (std::size_t s = 0; s < 32; ++s) {
    const auto& c = palette.colors[s * (palette.colors.size() - 1) / 31];
    stops += fmt::format(",#{:02x}{:02x}{:02x}", byte_level(c.r), byte_level(c.g), byte_level(c.b));
  }
  return fmt::format(
      "<li tabindex=\"0\" data-asked=\"{}\"><i style=\"background:linear-gradient(90deg{})\"></i>"
      "<b>{}</b> <span>{}</span></li>\n",
      html(palette.asked_by()), stops, html(palette.name), html(palette.asked_by()));
}

std::string palettes_page(const std::vector<LibraryEntry>& all) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>kiln palettes</title>\n<style>{}</style>\n</head>\n<body>\n<header><input "
      "type=\"search\" "
      "placeholder=\"Search {} palettes\" aria-label=\"Search\"><output></output></header>\n<ul>\n",
      report_file("palettes.css"), all.size());
  for (const LibraryEntry& palette : all) page += page_entry(palette);
  return page + "</ul>\n<script>" + report_file("palettes.js") + "</script>\n</body>\n</html>\n";
}

/// The palettes for another program: all of them where its files hold several.
void write_for_others(const PalettesArguments& args, const std::vector<LibraryEntry>& all) {
  const std::string ending = ending_of(args.output);
  if (all.size() > 1 && !holds_several_palettes(ending))
    fail(ErrorKind::usage,
         "{}: here are {} palettes, and such a file holds one; name one of the library (kiln "
         "palettes {}), or write an .ugr, which holds all",
         printable_whole(args.output), all.size(), printable_whole(all.front().asked_by()));
  OutputNames names(args.force);
  names.claim(args.output, "kiln palettes", "another name");
  names.keep_inputs(args.inputs);
  check_output(args.output, false);
  std::vector<PaletteToWrite> palettes;
  for (const LibraryEntry& entry : all)
    palettes.push_back(
        {entry.name.empty() ? palette_label(entry.asked_by()) : entry.name, entry.colors});
  const std::string bytes = palette_file(ending, palettes);
  AtomicFile file(args.output);
  file.write(bytes.data(), bytes.size());
  file.commit();
  if (!is_standard_output(args.output)) print("{}\n", printable_whole(args.output));
}

int run_palettes(PalettesArguments& args) {
  std::vector<LibraryEntry> all = entries_of_libraries(args);
  sort_palettes(args.sort, all);
  if (is_palette_ending(ending_of(args.output))) {
    write_for_others(args, all);
    return exit_done;
  }
  if (args.output.empty()) {
    for (const LibraryEntry& palette : all)
      print("{}\t{}\n", printable_whole(palette.asked_by()), printable_whole(palette.name));
    return exit_done;
  }
  const bool is_page = args.output.ends_with(".html") || args.output.ends_with(".htm");
  if (!is_page && format_named(args.output).linear)
    fail(ErrorKind::usage, "{}: palettes are shown in a picture or a page; name it {} or .html",
         printable_whole(args.output), picture_endings(false));
  check_is_picture_or_page(args.output, is_page);
  OutputNames names(args.force);
  if (is_page)
    names.claim(args.output, "kiln palettes", "another name");
  else
    names.claim_picture(args.output, "kiln palettes", "another name");
  names.keep_picture_of_another(args.output, "kiln palettes", nullptr);
  names.keep_inputs(args.inputs);
  check_output(args.output, false);
  const Image strips = is_page ? Image() : strips_of(all, args.columns);
  if (!is_page) check_fits(args.output, strips.width, strips.height, 8, false);
  const std::string bytes =
      is_page ? palettes_page(all) : format_named(args.output).bytes(strips, {}, {});
  AtomicFile file(args.output);
  file.write(bytes.data(), bytes.size());
  file.commit();
  if (!is_standard_output(args.output)) print("{}\n", printable_whole(args.output));
  return exit_done;
}

}  // namespace

void add_palettes(Program& program) {
  Command& command =
      program.command("palettes", "Show the palettes of libraries, gradients and maps");
  const auto args = std::make_shared<PalettesArguments>();
  command.inputs(
      "LIBRARY", args->inputs,
      "Files of palettes: .xml as flam3's, .ugr, .gradient, .ggr, .gpl, .map, one of them "
      "(FILE#NUMBER), or flames and pictures (default: $flam3_palettes, else flam3's)",
      false);
  command.reads("LIBRARY", nullptr, find_palette_library(""));
  command.group("Output");
  command.text("-o,--output", "FILE", args->output,
               ("palettes.png: strips in one picture; palettes.html: a page with names and search; "
                "for other programs " +
                palette_endings() + "; without it numbers and names are listed")
                   .c_str());
  command.choice("--sort", {"file", "name", "brightness", "color"}, args->sort,
                 "Order: as in the files (default), by name, from bright to dark, by hue");
  command.whole("--columns", "N", args->columns, "Strips side by side in a picture (default 4)",
                {1, 64});
  command.flag("--force", args->force, force_help);
  command.examples({"kiln palettes flames/palettes.xml",
                    "kiln palettes -o palettes.html --sort color",
                    "kiln palettes mine.ugr sky.ggr -o strips.png",
                    "kiln palettes rose.flam3 -o rose.gpl      # for GIMP, Krita, Inkscape"});
  command.runs([args] { return run_palettes(*args); });
}

}  // namespace kiln::cli
