// SPDX-License-Identifier: MIT
#include "cli/options/picture_options.h"

#include <algorithm>

#include "cli/options/option_value.h"
#include "cli/options/output_files.h"
#include "engine/base/platform/memory.h"
#include "engine/base/text.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/picture_settings.h"
#include "engine/model/crop_marks.h"

namespace kiln::cli {
namespace {

void add_setting(Command& command, const PictureSetting& setting, RenderOptions& options) {
  const char *const name = setting.option, *const help = setting.help;
  if (setting.has_words()) {
    std::vector<std::string> words;
    for (const PictureSetting::Word& word : setting.words)
      if (word.text) words.push_back(word.text);
    const auto set = [=, &setting, &options](const std::string& text) {
      choose(setting, choice_value(name, text, words), options);
    };
    return command.value(name, kiln::joined(words, "|").c_str(), set, help);
  }
  const Range range = setting.most > 0 ? Range{setting.least, setting.most} : Range{};
  visit_value(setting, options, [&]<class T>(T& value) {
    if constexpr (std::is_same_v<T, bool>)
      command.flag(name, value, help);
    else if constexpr (std::is_same_v<T, int>)
      command.whole(name, setting.type, value, help, range);
    else if constexpr (std::is_same_v<T, double>)
      setting.type == std::string_view("SECONDS")
          ? command.value(
                name, setting.type,
                [=, &value](const std::string& text) { value = seconds_value(name, text, range); },
                help)
          : command.number(name, setting.type, value, help, range);
    else if constexpr (std::is_same_v<T, std::uint64_t>)
      setting.type == std::string_view("SIZE") ? command.bytes(name, value, help)
                                               : command.seed(name, value, help);
  });
}

/// "half", "float,dwaa", "dwaa": in any order, each once.
void read_exr_words(const std::string& text, ExrForm& form) {
  std::vector<std::string> known = {"half", "float"};
  known.insert(known.end(), exr_compressions.begin(), exr_compressions.end());
  std::string rest = text;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    const std::string word = choice_value("--exr", rest.substr(0, comma), known);
    const auto number = std::find(known.begin(), known.end(), word) - known.begin();
    if (number < 2)
      form.precision = number ? ExrPrecision::single_float : ExrPrecision::half_float;
    else
      form.compression = ExrCompression(number - 2);
    more = comma != std::string::npos;
    if (more) rest.erase(0, comma + 1);
  }
}

}  // namespace

void add_settings(Command& command, std::string_view which, RenderOptions& options) {
  for (const PictureSetting& setting : picture_settings())
    if (setting.name == which || (setting.heading && setting.heading == which))
      add_setting(command, setting, options);
}

void PictureOptions::complete() {
  options.crop = settings.size.crop;
  settings.size.dpi = options.dpi;
  settings.color.most_bytes = options.max_memory_bytes;
  // what bands of a file took would stay beside the sums of the next stripe
  if (options.max_memory_bytes > 0) free_at_once();
  if (!psf.empty()) options.psf = std::make_shared<const PointSpread>(read_point_spread(psf));
}

bool PictureOptions::given(const char* option) const { return command_->given(option); }

void PictureOptions::check_format(const std::string& path, const Flame& flame,
                                  const RenderOptions& options) {
  const auto& crop = options.crop;
  const int margin = options.crop_marks > 0 ? 2 * crop_mark_margin(options.dpi) : 0;
  check_fits(path, margin + (crop ? crop->width : flame.width),
             margin + (crop ? crop->height : flame.height), options.bits, options.transparent);
  if (!(format_named(path).linear || (options.linear && format_named(path).has_floats)) ||
      !options.earlyclip)
    return;
  fail(ErrorKind::usage,
       "{}: with --earlyclip colors are clipped before the filter, so there is no linear "
       "picture; leave it out, or name it {}",
       printable_whole(path), picture_endings(false));
}

void PictureOptions::check_colors(const std::string& path) const {
  const PictureFormat& format = format_named(path);
  if (format.linear || exr.primaries == Primaries::rec709) return;
  if (format.names_colors && exr.primaries == Primaries::p3) return;
  fail(ErrorKind::usage, "--primaries {}: {} has {}; name it .exr{}, or leave --primaries out",
       primaries_names[std::size_t(exr.primaries)], printable_whole(path),
       format.names_colors ? "the colors of sRGB or p3" : "the colors of sRGB",
       exr.primaries == Primaries::p3 ? " or .png" : "");
}

void PictureOptions::tell_of_curves(const std::string& path, const Flame& flame, Console& console) {
  if (flame.curves.empty()) return;
  console.warning(fmt::format(
      "{}: the flame's curves of brightness are for pictures of 8 or 16 bits; {} has linear light "
      "without them",
      flame.place(), printable_whole(path)));
}

ProgressMode PictureOptions::progress_mode() const {
  if (progress == "json") return ProgressMode::json;
  if (progress == "none" || quiet) return ProgressMode::none;
  return progress == "flam3" ? ProgressMode::flam3 : ProgressMode::automatic;
}

void PictureOptions::add_picture_options(Command& command) {
  command_ = &command;
  settings.add_to(command);
  command.group("Light");
  command.text("--psf", "FILE.png[,STRENGTH[,SIZE%]]", psf,
               "Spread light like the picture of a point in this file; its share of the light "
               "(default all), its height in per cent of the picture's (default pixel for pixel)");
  command.reads("--psf", point_spread_file);
  add_settings(command, "Light", options);
  command.group("Picture");
  add_settings(command, "Picture", options);
  command.value(
      "--exr", "half|float[,COMPRESSION]",
      [this](const std::string& text) { read_exr_words(text, exr); },
      "Precision of OpenEXR pictures, -o NAME.exr, and how they are packed: none, rle, zips, zip, "
      "piz, pxr24, b44, b44a, dwaa, dwab (default half,zip)");
  command.suggest("--exr", {"half", "float", "half,zip", "half,dwaa", "float,zip"});
  command.value(
      "--primaries", "rec709|rec2020|p3|acescg",
      [this](const std::string& text) {
        const std::string name = choice_value("--primaries", text, primaries_names);
        exr.primaries = Primaries(std::find(primaries_names.begin(), primaries_names.end(), name) -
                                  primaries_names.begin());
      },
      "Colors that the numbers of OpenEXR pictures stand for (default rec709, those of sRGB); of "
      "PNG rec709 or p3");
  command.whole("--jpeg-quality", "N", jpeg_quality, "Of JPEG pictures, 1 to 100 (default 92)",
                {1, 100});
  command.whole("--webp-quality", "N", webp_quality,
                "Of WebP pictures, 1 to 100; without it nothing is lost", {1, 100});
  command.whole("--avif-quality", "N", avif_quality,
                "Of AVIF pictures, 1 to 100 (default 85); 100 loses nothing of 8 bits", {1, 100});
  command.whole("--jxl-quality", "N", jxl_quality,
                "Of JPEG XL pictures, 1 to 100 (default 100: nothing is lost)", {1, 100});
  const auto credit = [&](const char* name, std::string& text, const char* help) {
    command.value(
        name, "TEXT",
        [name, &text](const std::string& words) {
          check_credit(name, words);
          text = words;
        },
        help);
  };
  credit("--author", credits.author, "Who made the picture: into its file, as texts and XMP");
  credit("--title", credits.title, "Its title, there too");
  credit("--copyright", credits.copyright, "Whose it is, there too");
  credit("--source", credits.source, "Where it is from, there too");
}

void PictureOptions::add_machine_options(Command& command, bool shares_pictures) {
  command_ = &command;
  command.group("Machine");
  add_settings(command, "Machine", options);
  if (shares_pictures) {
    command.text(
        "--devices", "LIST", devices,
        "GPUs that share the work of each picture, e.g. 0,1 or 0-3, or all: as many as are worth "
        "their start (the same picture)");
  }
  command.group("Files and messages");
  read.add_to(command);
  command.flag("--no-clobber", no_clobber,
               "Keep files that exist (a picture that would replace one fails)");
  command.flag("--force", force, force_help);
  command.choice("--progress", {"auto", "json", "flam3", "none"}, progress,
                 "auto (default): on a terminal; json: one object a line; flam3: as flam3 says it");
  command.flag("-q,--quiet", quiet, quiet_help);
  command.flag("--json", json, "The result as one JSON object on standard output");
}

}  // namespace kiln::cli
