#include "cli/options/picture_options.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cli/options/option_value.h"
#include "cli/options/output_files.h"
#include "engine/base/text.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/picture_settings.h"

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
      command.number(name, setting.type, value, help, range);
    else if constexpr (std::is_same_v<T, std::uint64_t>)
      setting.type == std::string_view("SIZE") ? command.bytes(name, value, help)
                                               : command.seed(name, value, help);
  });
}

}  // namespace

void add_settings(Command& command, std::string_view which, RenderOptions& options) {
  for (const PictureSetting& setting : picture_settings())
    if (setting.name == which || (setting.heading && setting.heading == which))
      add_setting(command, setting, options);
}

void PictureOptions::complete() {
  options.crop = settings.size.crop;
#ifdef __GLIBC__  // it would keep what bands of a file took beside the sums of the next stripe
  if (options.max_memory_bytes > 0) mallopt(M_MMAP_THRESHOLD, 1 << 17);
#endif
  if (!psf.empty()) options.psf = std::make_shared<const PointSpread>(read_point_spread(psf));
}

std::vector<std::string> PictureOptions::files_read() const {
  return {point_spread_file(psf), read.palettes, settings.color.palette_file()};
}

ExrPrecision PictureOptions::precision() const {
  return exr == "float" ? ExrPrecision::single_float : ExrPrecision::half_float;
}

bool PictureOptions::given(const char* option) const { return command_->given(option); }

void PictureOptions::check_linear(const std::string& path, const RenderOptions& options) {
  if (!format_named(path).linear || !options.earlyclip) return;
  fail(ErrorKind::usage,
       "{}: with --earlyclip colors are clipped before the filter, so there is no linear "
       "picture; leave it out, or name it {}",
       printable_whole(path), picture_endings(false));
}

void PictureOptions::tell_of_curves(const std::string& path, const Flame& flame, Console& console) {
  if (!format_named(path).linear || flame.curves.empty()) return;
  console.warning(fmt::format(
      "{}: the flame's curves of brightness are for pictures of 8 or 16 bits; {} has linear light "
      "without them",
      flame.place(), printable_whole(path)));
}

ProgressMode PictureOptions::progress_mode() const {
  return progress == "json"            ? ProgressMode::json
         : progress == "none" || quiet ? ProgressMode::none
                                       : ProgressMode::automatic;
}

void PictureOptions::add_picture_options(Command& command) {
  command_ = &command;
  settings.add_to(command);
  command.group("Light");
  command.text("--psf", "FILE.png[,STRENGTH[,SIZE%]]", psf,
               "Spread light like the picture of a point in this file; its share of the light "
               "(default all), its height in per cent of the picture's (default pixel for pixel)");
  add_settings(command, "Light", options);
  command.group("Picture");
  add_settings(command, "Picture", options);
  command.choice("--exr", {"half", "float"}, exr,
                 "Precision of OpenEXR pictures, -o NAME.exr (default half)");
}

void PictureOptions::add_machine_options(Command& command, bool shares_pictures) {
  command_ = &command;
  command.group("Machine");
  add_settings(command, "Machine", options);
  if (shares_pictures) {
    command.text("--devices", "LIST", devices,
                 "GPUs that share the work of each picture, e.g. 0,1, or all (the same picture)");
  }
  command.group("Files and messages");
  read.add_to(command);
  command.flag("--no-clobber", no_clobber,
               "Keep files that exist (a picture that would replace one fails)");
  command.flag("--force", force, force_help);
  command.choice("--progress", {"auto", "json", "none"}, progress,
                 "auto (default): on a terminal; json: one object a line");
  command.flag("-q,--quiet", quiet, "Only errors");
  command.flag("--json", json, "The result as one JSON object on standard output");
}

}  // namespace kiln::cli
