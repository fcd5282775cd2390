// SPDX-License-Identifier: MIT
// kiln gallery: a site of one's own flames, as a folder of files. It works from disk and from any host; each flame
// plays where the page that renders in a browser is at hand (docs/use/web.md): put beside it (--web), or elsewhere (--base).
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <span>

#include "cli/commands/commands.h"
#include "cli/options/flame_selection.h"
#include "cli/options/output_files.h"
#include "cli/options/picture_options.h"
#include "cli/report/site.h"
#include "cli/says/console.h"
#include "cli/says/outcome.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/flock/previews.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/flame_link.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_format.h"
#include "engine/model/image.h"
#include "engine/model/variations.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

constexpr int small_width = 480;
constexpr double small_quality = 100;
constexpr const char *index_page = "index.html", *player_folder = "play";

struct GalleryArguments {
  std::vector<std::string> inputs;
  std::string output, flame, title = "Flames", web, base, address;
  ReadArguments read;
  RenderOptions options;
  int width = 1200;
  double quality = 200;
  bool quiet = false, force = false;
};

struct GalleryEntry {
  std::string file;
  Flame flame;
  SiteFlame shown;
};

std::vector<GalleryEntry> gallery_entries(const GalleryArguments& args, Console& console,
                                          Outcome& outcome) {
  ReaderOptions options = args.read.options();
  options.warn = [&](const std::string& message) { console.warning(message); };
  FlameSelection selection(args.flame);
  std::vector<GalleryEntry> entries;
  for (const std::string& input : expand_inputs(args.inputs)) {
    try {
      FlameFile file = read_chosen(input, options, selection, Use::stills);
      for (const BadFlame& bad : file.bad)
        outcome.note_failure(input, bad.kind, bad.message, console);
      for (Flame& flame : file.flames) entries.push_back({input, std::move(flame), {}});
    } catch (const Error& error) {
      if (args.inputs.size() == 1 && args.inputs[0] == input) throw;
      outcome.note_failure(input, error.kind, error.what(), console);
    }
  }
  selection.check();
  return entries;
}

/// Gives each a title and files of its own.
void name_gallery(std::vector<GalleryEntry>& entries) {
  const PictureFormat& usual = format_for(false);
  const std::span<const PictureFormat> all = picture_formats();
  const auto jpeg = std::find_if(all.begin(), all.end(), [](const PictureFormat& format) {
    return format.name == std::string_view("JPEG") && format.supported();
  });
  const std::string picture_ending(jpeg == all.end() ? usual.ending : jpeg->ending);
  std::set<std::string> taken;
  for (GalleryEntry& entry : entries) {
    const Flame& flame = entry.flame;
    const std::string title = flame.name.empty() ? input_stem(entry.file) : flame.name;
    std::string wanted = safe_file_name(title);
    for (char& c : wanted)
      if (c == '#' || c == '%' || c == '?') c = '_';  // addresses mean something else by them
    std::string name = wanted;
    for (int i = 2; !taken.insert(in_small_letters(name)).second; ++i)
      name = fmt::format("{}_{}", wanted, i);
    SiteFlame& shown = entry.shown;
    shown.title = printable_whole(title);
    shown.page = "pages/" + name + ".html";
    shown.picture = "pictures/" + name + picture_ending;
    shown.small = "small/" + name + picture_ending;
    shown.file = "flames/" + name + ".flam3";
    const std::vector<std::string> names = used_variations(flame);
    shown.about =
        fmt::format("{} xform{}{}{}", flame.xforms.size(), flame.xforms.size() == 1 ? "" : "s",
                    names.empty() ? "" : ": ", joined(names, ", "));
  }
}

void put_file(const std::string& path, const std::string& bytes) {
  AtomicFile file(path);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

/// Throws Error (usage) where the folder holds what no gallery is made of.
void check_folder(const GalleryArguments& args) {
  const fs::path folder(args.output);
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error))
    fail(ErrorKind::usage, "{}: is no folder; a gallery is one: -o site/",
         printable_whole(args.output));
  if (args.force || !fs::exists(folder, error) || fs::is_empty(folder, error)) return;
  std::ifstream index(folder / index_page);
  const std::string start{std::istreambuf_iterator<char>(index), {}};
  if (start.find(site_mark) == std::string::npos)
    fail(ErrorKind::usage,
         "{}: holds other files; name a new folder, or let the gallery be put among them by "
         "--force",
         printable_whole(args.output));
}

/// Throws Error (usage) where a flame of the gallery would take the place of one that is read.
void keep_inputs(const GalleryArguments& args, const std::vector<GalleryEntry>& entries) {
  OutputNames names(true);
  const auto claim = [&](const std::string& file) {
    names.claim((fs::path(args.output) / file).string(), file, "another folder");
  };
  claim(index_page);
  for (const GalleryEntry& entry : entries)
    for (const std::string& file :
         {entry.shown.page, entry.shown.picture, entry.shown.small, entry.shown.file})
      claim(file);
  names.keep_inputs(expand_inputs(args.inputs));
}

/// The flame as kiln render has it with --width and --quality.
Flame gallery_sized(const Flame& flame, int width, double quality) {
  Flame result = flame;
  SizeSettings size;
  size.width = Length{double(width)};
  size.quality = quality;
  size.apply(result);
  return result;
}

/// Makes a picture of each flame, of this width; entries that fail are told of, and marked by a width of 0.
void make_gallery_pictures(const GalleryArguments& args, std::vector<GalleryEntry>& entries,
                           bool small, Console& console, Outcome& outcome) {
  const int width = small ? std::min(small_width, args.width) : args.width;
  const double quality = small ? std::min(small_quality, args.quality) : args.quality;
  Previews::Steps steps;
  steps.count = entries.size();
  steps.flame = [&](std::size_t e) { return gallery_sized(entries[e].flame, width, quality); };
  steps.see = [&](std::size_t e, Preview& preview) {
    if (preview.failure) return;
    SiteFlame& shown = entries[e].shown;
    const Image& image = preview.image;
    (small ? shown.small_width : shown.width) = image.width;
    (small ? shown.small_height : shown.height) = image.height;
    const Flame flame = gallery_sized(entries[e].flame, width, quality);
    FileTexts texts;
    if (!small)
      texts =
          picture_texts(genome_xml(flame),
                        render_record(flame, args.options, preview.statistics, pixel_hash(image)));
    const std::string path =
        (fs::path(args.output) / (small ? shown.small : shown.picture)).string();
    put_file(path, format_named(path).bytes(image, texts, {}));
    preview.image = {};
  };
  steps.take = [&](std::size_t e, Preview preview) {
    if (preview.failure)
      outcome.note_failure(entries[e].file, preview.failure->kind, preview.failure->what(),
                           console);
    if (!args.quiet && (e + 1) % 100 == 0) say("{} of {} pictures\n", e + 1, entries.size());
  };
  Previews(args.options).make(steps);
}

/// The folder of the page that renders, in the gallery.
fs::path player_in(const GalleryArguments& args) {
  return fs::weakly_canonical(fs::path(args.output) / player_folder);
}

/// Throws Error (usage) where a copy of the page would hold itself.
void check_player(const GalleryArguments& args) {
  if (args.web.empty()) return;
  const auto is_below = [](const fs::path& inner, const fs::path& outer) {
    return std::mismatch(inner.begin(), inner.end(), outer.begin(), outer.end()).second ==
           outer.end();
  };
  const fs::path from = fs::canonical(args.web), to = player_in(args);
  if (from != to && (is_below(to, from) || is_below(from, to)))
    fail(ErrorKind::usage, "--web {}: lies around the gallery, or in it; give that another folder",
         printable_whole(args.web));
}

/// Puts the page that renders beside the others.
void copy_player(const GalleryArguments& args) {
  std::error_code error;
  const fs::path to = player_in(args);
  if (fs::canonical(args.web) == to) return;  // a gallery is made again with its own
  fs::copy(args.web, to, fs::copy_options::recursive | fs::copy_options::overwrite_existing, error);
  if (error)
    fail(ErrorKind::output, "{}: cannot be copied to {}: {}", printable_whole(args.web),
         printable_whole(to.string()), error.message());
}

void check_arguments(GalleryArguments& args) {
  check_page_address("--base", args.base);
  check_page_address("--address", args.address);
  if (!args.address.empty() && !args.address.ends_with('/')) args.address += '/';
  std::error_code ignored;
  for (const char* file : {"index.html", "worker.js"})
    if (!args.web.empty() && !fs::exists(fs::path(args.web) / file, ignored))
      fail(ErrorKind::usage,
           "--web {}: has no {}; it is the folder that packaging/web/make makes (docs/use/web.md)",
           printable_whole(args.web), file);
  check_player(args);
  check_folder(args);
}

/// A flame that is too large for a link has its page all the same.
void add_gallery_link(GalleryEntry& entry, Console& console) {
  try {
    entry.shown.link = flame_link(entry.flame);
  } catch (const Error& error) {
    console.warning(error.what());
  }
}

int run_gallery(GalleryArguments& args) {
  Console console(ProgressMode::none, args.quiet);
  check_arguments(args);
  args.options.bits = 8;
  Outcome outcome;
  std::vector<GalleryEntry> entries = gallery_entries(args, console, outcome);
  name_gallery(entries);
  keep_inputs(args, entries);
  for (const char* folder : {"pages", "pictures", "small", "flames"})
    make_folder((fs::path(args.output) / folder / "").string());
  for (const bool small : {false, true}) {
    if (!entries.empty()) make_gallery_pictures(args, entries, small, console, outcome);
    std::erase_if(entries, [&](const GalleryEntry& entry) {
      return entry.shown.width == 0 || (small && entry.shown.small_width == 0);
    });
  }
  if (entries.empty()) {
    print_error("the files hold no flame to show");
    return outcome.failures.empty() ? int(ErrorKind::input) : outcome.exit_code();
  }
  Site site{args.title, args.address, args.base.substr(0, args.base.find('#')), {}};
  if (!args.web.empty()) {
    copy_player(args);
    site.player = fmt::format("{}/{}", player_folder, index_page);
  }
  for (GalleryEntry& entry : entries) {
    if (!site.player.empty()) add_gallery_link(entry, console);
    write_flames((fs::path(args.output) / entry.shown.file).string(), {entry.flame});
    site.flames.push_back(entry.shown);
  }
  for (std::size_t i = 0; i < site.flames.size(); ++i)
    put_file((fs::path(args.output) / site.flames[i].page).string(), site_page(site, i));
  const std::string index = (fs::path(args.output) / index_page).string();
  put_file(index, site_wall(site));
  outcome.done = int(entries.size());
  if (site.player.empty())
    console.note(
        "its flames are pictures; with --web FOLDER (packaging/web/make) or --base URL they play "
        "in "
        "the browser");
  if (!args.quiet)
    say("{} flame{}{}\n", entries.size(), entries.size() == 1 ? "" : "s",
        outcome.failures.empty() ? "" : fmt::format(", {} left out", outcome.failures.size()));
  print("{}\n", printable_whole(index));
  return outcome.exit_code();
}

}  // namespace

void add_gallery(Program& program) {
  Command& command = program.command("gallery", "Make a site of flames, for a host or from disk");
  const auto args = std::make_shared<GalleryArguments>();
  command.inputs("IN", args->inputs, "Flames, in files, pictures or folders, links, or -");
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  args->read.add_to(command);
  command.group("Output");
  command.text("-o,--output", "FOLDER", args->output,
               "The site: index.html, a wall; a page, a picture and a .flam3 file for each flame");
  command.flag("--force", args->force, "Put it into a folder that holds other files, too");
  command.flag("-q,--quiet", args->quiet, quiet_help);
  command.require("-o");
  command.group("Site");
  command.text("--title", "TEXT", args->title, "Its title (default Flames)");
  command.text(
      "--web", "FOLDER", args->web,
      "The page that renders in a browser, as packaging/web/make makes it (docs/use/web.md); it "
      "is put beside the others, and each flame opens in it");
  command.text("--base", "URL", args->base, "The same, at an address where it is already");
  command.exclude("--web", "--base");
  command.text("--address", "URL", args->address,
               "Where the site will be: others then show a picture for its links (Open Graph)");
  command.whole("--width", "PX", args->width, "Width of the pictures (default 1200)", {64, 10000});
  command.number("--quality", "Q", args->quality, "Samples a pixel (default 200)", {0.01, 1e5});
  command.group("Machine");
  add_settings(command, "seed", args->options);
  add_settings(command, "Machine", args->options);
  command.examples(
      {"kiln gallery flames/ -o site/ --web build-web/page",
       "kiln gallery flames/ -o site/ --base https://example.org/kiln/",
       "kiln gallery best.flam3 -o site/ --title 'My flames' --address https://me.example/"});
  command.runs([args] { return run_gallery(*args); });
}

}  // namespace kiln::cli
