// SPDX-License-Identifier: MIT
// kiln sheet: a wall of small pictures of flames, as a picture or as a page. Each is that of kiln render at
// its size, so that what one chooses here is what comes.
#include "cli/report/sheet.h"

#include <algorithm>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/options/flame_output.h"
#include "cli/options/flame_selection.h"
#include "cli/options/output_files.h"
#include "cli/options/picture_options.h"
#include "cli/says/console.h"
#include "cli/says/outcome.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/flock/previews.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/picture/picture_format.h"

namespace kiln::cli {
namespace {

struct SheetArguments {
  std::vector<std::string> inputs;
  std::string output, flame, sort = "file";
  ReadArguments read;
  RenderOptions options;
  Size size{200, 200};
  double quality = 20;
  std::optional<int> columns;
  bool quiet = false, force = false, duplicates = false, json = false;
};

/// The flames of all inputs that can be rendered; of the others it is said why not.
std::vector<SheetEntry> entries_of(const SheetArguments& args, Console& console, Outcome& outcome) {
  ReaderOptions options = args.read.options();
  options.warn = [&](const std::string& message) { console.warning(message); };
  FlameSelection selection(args.flame);
  std::vector<SheetEntry> entries;
  for (const std::string& input : expand_inputs(args.inputs)) {
    try {
      FlameFile file = read_chosen(input, options, selection, Use::stills);
      for (const BadFlame& bad : file.bad)
        outcome.note_failure(input, bad.kind, bad.message, console);
      for (Flame& flame : file.flames) entries.push_back({input, std::move(flame), {}, {}});
    } catch (const Error& error) {
      if (args.inputs.size() == 1 && args.inputs[0] == input) throw;
      outcome.note_failure(input, error.kind, error.what(), console);
    }
  }
  selection.check();
  return entries;
}

/// The flame as kiln render has it with --quality and the --width or --height that fit.
Flame small_flame(const SheetArguments& args, const Flame& flame) {
  Flame small = flame;
  SizeSettings size;
  const bool is_wide =
      double(small.width) * args.size.height >= double(small.height) * args.size.width;
  (is_wide ? size.width : size.height) =
      Length{double(is_wide ? args.size.width : args.size.height)};
  size.quality = args.quality;
  size.apply(small);
  return small;
}

bool is_page(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == ".html" || ending == ".htm";
}

/// Whether something asks how pictures look: it takes a 15th of the time.
bool asks_for_looks(const SheetArguments& args) {
  return is_page(args.output) || args.duplicates ||
         (args.sort != "file" && args.sort != "name" && args.sort != "xforms");
}

/// Makes all pictures; entries that fail are left out, and reported.
void make_pictures(const SheetArguments& args, Console& console, std::vector<SheetEntry>& entries,
                   Outcome& outcome) {
  Previews::Steps steps;
  steps.count = entries.size();
  steps.flame = [&](std::size_t e) { return small_flame(args, entries[e].flame); };
  steps.see = [&](std::size_t e, Preview& preview) {
    if (preview.failure) return;
    if (asks_for_looks(args)) entries[e].look = look_of(preview.image, preview.statistics);
    if (is_page(args.output))  // here all threads do
      entries[e].png = format_for(false).bytes(preview.image, {}, {});
    entries[e].image = std::move(preview.image);
  };
  std::vector<SheetEntry> good;
  steps.take = [&](std::size_t e, Preview preview) {
    if (preview.failure)
      outcome.note_failure(entries[e].file, preview.failure->kind, preview.failure->what(),
                           console);
    else
      good.push_back(std::move(entries[e]));
    if (!args.quiet && (e + 1) % 500 == 0) say("{} of {} pictures\n", e + 1, entries.size());
  };
  Previews(args.options).make(steps);
  entries = std::move(good);
}

/// The columns that make a sheet about 3 wide and 2 high.
int columns_for(const SheetArguments& args, std::size_t count) {
  if (args.columns) return std::min(*args.columns, int(count));
  const double shape = 1.5 * args.size.height / args.size.width;
  int columns = 1;
  while (columns < int(count) && double(columns) * columns < shape * double(count)) ++columns;
  return columns;
}

void write_file(const std::string& path, const std::string& bytes) {
  AtomicFile file(path);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

std::string place_of(const SheetEntry& entry) {
  return fmt::format("{}#{}", printable_whole(entry.file), entry.flame.index);
}

std::string entry_json(const SheetEntry& entry) {
  return JsonObject()
      .add("file", entry.file)
      .add("index", entry.flame.index)
      .add("name", entry.flame.name)
      .text();
}

/// Prints which flames are like one before them.
void list_duplicates(const SheetArguments& args, const std::vector<SheetEntry>& entries) {
  const std::vector<Twin> twins = twins_of(entries);
  JsonArray array;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const Twin& twin = twins[e];
    if (!*twin.how) continue;
    const SheetEntry& other = entries[twin.of];
    array.add_json(JsonObject()
                       .add_json("flame", entry_json(entries[e]))
                       .add("how", twin.how)
                       .add_json("of", entry_json(other))
                       .text());
    if (!args.json) print("{} {} {}\n", place_of(entries[e]), twin.how, place_of(other));
  }
  if (args.json) print("{}\n", array.text());
}

/// Makes the list alone, without a sheet.
int run_duplicates(SheetArguments& args, Console& console) {
  args.options.bits = 8;
  Outcome outcome;
  std::vector<SheetEntry> entries = entries_of(args, console, outcome);
  if (!entries.empty()) make_pictures(args, console, entries, outcome);
  outcome.done = int(entries.size());
  list_duplicates(args, entries);
  return outcome.exit_code();
}

int run_sheet(SheetArguments& args) {
  Console console(ProgressMode::none, args.quiet);
  if (args.duplicates && args.output.empty()) return run_duplicates(args, console);
  if (args.output.empty())
    fail(ErrorKind::usage, "-o is missing: sheet.png, a picture, or sheet.html, a page");
  if (args.duplicates && is_standard_output(args.output))
    fail(ErrorKind::usage, "--duplicates and -o - both want standard output; choose one");
  if (!is_page(args.output) && format_named(args.output).linear)
    fail(ErrorKind::usage, "{}: a sheet is a picture or a page; name it {} or .html",
         printable_whole(args.output), picture_endings(false));
  check_is_picture_or_page(args.output, is_page(args.output));
  OutputNames names(args.force);
  if (is_page(args.output))
    names.claim(args.output, "kiln sheet", "another name");
  else
    names.claim_picture(args.output, "kiln sheet", "another name");
  names.keep_picture_of_another(args.output, "kiln sheet", nullptr);
  names.keep_inputs(args.inputs);
  check_output(args.output, false);
  args.options.bits = 8;
  Outcome outcome;
  std::vector<SheetEntry> entries = entries_of(args, console, outcome);
  if (!entries.empty()) make_pictures(args, console, entries, outcome);
  outcome.done = int(entries.size());
  if (entries.empty()) {
    print_error("the files hold no flame to show");
    return outcome.failures.empty() ? int(ErrorKind::input) : outcome.exit_code();
  }
  const std::vector<std::size_t> order = sheet_order(entries, args.sort);
  if (is_page(args.output)) {
    write_file(args.output, sheet_page("kiln sheet", entries, order, args.sort));
  } else {
    const Image sheet = sheet_picture(entries, order, args.size.width, args.size.height,
                                      columns_for(args, entries.size()));
    check_fits(args.output, sheet.width, sheet.height, sheet.bits(), !sheet.opaque);
    write_file(args.output,
               format_for(sheet, args.output).bytes(sheet, {}, {.threads = args.options.threads}));
  }
  if (!args.quiet)
    say("{} flame{}{}\n", entries.size(), entries.size() == 1 ? "" : "s",
        outcome.failures.empty() ? "" : fmt::format(", {} left out", outcome.failures.size()));
  if (args.duplicates)
    list_duplicates(args, entries);
  else if (!is_standard_output(args.output))
    print("{}\n", printable_whole(args.output));
  return outcome.exit_code();
}

}  // namespace

void add_sheet(Program& program) {
  Command& command = program.command("sheet", "Show many flames small, in one picture or one page");
  const auto args = std::make_shared<SheetArguments>();
  command.inputs("IN", args->inputs, "Flames, in files, pictures or folders, or -");
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  args->read.add_to(command);
  command.group("Output");
  command.text("-o,--output", "FILE", args->output,
               "sheet.png: all in one picture; sheet.html: a page that needs no other file, with "
               "names, search, orders and each flame's XML");
  command.flag("--force", args->force, force_help);
  command.flag("-q,--quiet", args->quiet, quiet_help);
  command.flag("--duplicates", args->duplicates,
               "List the flames that are, or look, like one before them; needs no -o");
  command.flag("--json", args->json, "The list as one JSON array");
  command.need("--json", "--duplicates");
  command.group("Sheet");
  command.choice("--sort", {"file", "name", "brightness", "color", "similarity", "xforms"},
                 args->sort,
                 "Order: as in the files (default), by name, from bright to dark, by hue, "
                 "neighbors alike, by number of xforms");
  command.value(
      "--size", "WxH",
      [args](const std::string& text) {
        args->size = size_value("--size", text);
        if (args->size.width > 2000 || args->size.height > 2000)
          fail(ErrorKind::usage, "--size: a sheet has pictures of at most 2000x2000");
      },
      "Room for each picture (default 200x200), which keeps its shape");
  command.number("--quality", "Q", args->quality, "Samples a pixel (default 20)", {0.01, 1e5});
  command.whole("--columns", "N", args->columns, "Pictures side by side, of sheet.png", {1, 1000});
  command.group("Machine");
  add_settings(command, "seed", args->options);
  add_settings(command, "Machine", args->options);
  command.examples({"kiln sheet flock/ -o sheet.png",
                    "kiln sheet flock/ pack.flam3 -o sheet.html --sort similarity",
                    "kiln sheet pack.flam3 -o big.png --size 480x270 --quality 100 --columns 5",
                    "kiln sheet pack/ --duplicates"});
  command.runs([args] { return run_sheet(*args); });
}

}  // namespace kiln::cli
