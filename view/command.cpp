// SPDX-License-Identifier: MIT
// kiln view: a flame in the browser or in a window while it is edited. The server with its page
// (view/server/, KILN_VIEW) and the window (view/window/, KILN_WINDOW) are optional parts of the program;
// what is read and refused is the same without them.
#include <memory>
#include <random>
#include <system_error>

#include "cli/commands/commands.h"
#include "cli/options/device_list.h"
#include "cli/options/flame_selection.h"
#include "cli/options/picture_options.h"
#include "cli/options/settings.h"
#include "cli/says/console.h"
#include "engine/api/api_impl.h"
#include "engine/base/platform/memory.h"
#include "engine/base/text.h"
#include "engine/live/live_flame.h"
#include "view/server/view.h"
#include "view/serving_options.h"
#include "view/window/window.h"

namespace kiln::cli {
namespace {

struct ViewArguments {
  std::vector<std::string> inputs;
  std::string flame, devices, serve, osc, osc_out;
  Settings settings;
  ReadArguments read;
  RenderOptions options;
  bool window = false, allow_remote = false, no_browser = false, quiet = false;
};

ViewSettings view_settings(const ViewArguments& args) {
  ViewSettings settings;
  settings.any_port_will_do = args.serve.empty();
  const ServedAddress address = served_address(args.serve, settings.port, args.allow_remote);
  settings.address = address.host;
  settings.port = address.port;
  settings.allow_remote = args.allow_remote;
  settings.browser = !args.no_browser && !args.window;
  settings.palettes = args.read.palettes;
  if (!args.osc.empty()) {
    const ServedAddress from = osc_address("--osc", args.osc);
    settings.osc_host = from.host;
    settings.osc_port = from.port;
  }
  if (!args.osc_out.empty()) {
    const ServedAddress to = osc_address("--osc-out", args.osc_out);
    if (to.port == 0)
      fail(ErrorKind::usage, "--osc-out {}: names no port", printable_whole(args.osc_out));
    settings.osc_to_host = to.host;
    settings.osc_to_port = to.port;
  }
  return settings;
}

/// The flame of an editor that was given nothing to edit.
Flame flame_by_chance(const RenderOptions& options) {
  Flame like;
  like.source = "by chance";
  like.width = 1280;
  like.height = 720;
  like.quality = 100;
  PreviewRenderer renderer(options);
  return random_flame(like, std::random_device()(), renderer);
}

std::vector<Flame> flames_of(ViewArguments& args, Console& console) {
  ReaderOptions reader = args.read.options();
  args.settings.complete(reader);
  reader.warn = [&](const std::string& message) { console.warning(message); };
  if (args.inputs.empty() && !args.flame.empty())
    fail(ErrorKind::usage, "--flame {}: IN is missing, the file that it is in",
         printable_whole(args.flame));
  std::vector<Flame> flames =
      args.inputs.empty()
          ? std::vector{flame_by_chance(args.options)}
          : read_all_chosen(expand_inputs(args.inputs), reader, args.flame, Use::stills);
  for (Flame& flame : flames) args.settings.apply(flame);
  return flames;
}

int run_view(ViewArguments& args) {
  // or 300 edits at 1280x720 take 808 MB where 250 do: what threads have freed that are gone; from where
  // a page fault more for each 4 KiB is a small part of what such a piece is for
  free_at_once(huge_page);
  const bool page = !args.window || !args.serve.empty();
  if (args.window) check_window_is_built();
  if (page) check_view_is_built();
  Console console(ProgressMode::none, args.quiet);
  ViewSettings settings = view_settings(args);
  if (waits_for_work(args.devices))
    share_worth(0, true, args.options);  // small pictures in a hurry: one
  else if (!args.devices.empty())
    share_listed(args.devices, args.options);
  see_devices_of(args.options);
  std::vector<Flame> flames = flames_of(args, console);
  settings.by_chance = args.inputs.empty();
  // renders of the page are made as this program was told to
  settings.render_words = machine_words(args.options, args.devices);
  if (args.allow_remote)
    console.warning(
        "--allow-remote: anyone who has the address with its token can edit and save here");
  if (!settings.osc_host.empty() && !ServedAddress{settings.osc_host, settings.osc_port}.is_local())
    console.warning(fmt::format(
        "--osc {}: anyone who reaches this machine there can move numbers of the flame", args.osc));
  ReaderOptions edits;  // as kiln writes them
  edits.approximate = args.read.approximate;
  edits.palettes_file = args.read.palettes;
  try {
    if (args.window) {
      view_in_window(std::move(flames), edits, args.options, page ? &settings : nullptr,
                     [&](const std::string& text) { console.note(text); });
    } else {
      return view(std::move(flames), edits, args.options, settings);
    }
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) throw;
    fail(ErrorKind::device,
         "no further thread can be started ({}); raise the limit of processes (ulimit -u) or of "
         "address space (ulimit -v)",
         error.code().message());
  }
  return exit_done;
}

}  // namespace

void add_view(Program& program) {
  Command& command = program.command(
      "view", "Edit a flame in the browser or a window and see its picture at once");
  const auto args = std::make_shared<ViewArguments>();
  command.inputs(
      "IN", args->inputs,
      "Files of flames, folders of such files, or - for standard input (default: a random "
      "flame)",
      false);
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  command.flag("--window", args->window,
               "A window on this machine; with --serve the page too; ? shows its keys");
  command.group("Page");
  command.text("--serve", "HOST:PORT", args->serve,
               "Where the page is served (default 127.0.0.1:8571, or the next free port)");
  command.flag("--allow-remote", args->allow_remote,
               "Serve other machines too: not encrypted, the token alone protects it");
  command.flag("--no-browser", args->no_browser, "Only print the address");
  command.group("OSC");
  command.text("--osc", "[HOST:]PORT", args->osc,
               "Numbers move by OSC that comes here by UDP (HOST: 127.0.0.1), /kiln/zoom or "
               "/kiln/xform/2/turn");
  command.text("--osc-out", "[HOST:]PORT", args->osc_out,
               "Numbers go there as OSC when they change");
  args->settings.add_to(command, Settings::Of::flames);
  command.group("Machine");
  for (const char* name : {"seed", "backend", "device"}) add_settings(command, name, args->options);
  command.text("--devices", "LIST", args->devices,
               "GPUs that share the work of the finished picture, e.g. 0,1 (all: one, which is "
               "enough here)");
  add_settings(command, "threads", args->options);
  command.bytes("--max-memory", args->options.max_memory_bytes,
                "Refuse pictures that need more, e.g. 4G");
  command.group("Files and messages");
  args->read.add_to(command);
  command.flag("-q,--quiet", args->quiet, "Only errors");
  command.need("--allow-remote", "--serve");
  command.examples({"kiln view rose.flame                       # opens the browser",
                    "kiln view                                  # a random flame",
                    "kiln view --window rose.flame              # drag, wheel and keys",
                    "kiln view flames --serve 127.0.0.1:9000 --no-browser",
                    "ssh -L 8571:127.0.0.1:8571 gpu kiln view rose.flame   # a GPU elsewhere"});
  command.runs([args] { return run_view(*args); });
}

}  // namespace kiln::cli
