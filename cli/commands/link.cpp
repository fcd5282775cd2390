// SPDX-License-Identifier: MIT
// kiln link: flames as links, which carry them (engine/io/flame/flame_link.h).
#include <memory>

#include "cli/commands/commands.h"
#include "cli/console.h"
#include "cli/options/flame_selection.h"
#include "cli/options/output_files.h"
#include "cli/options/settings.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/flame_link.h"

namespace kiln::cli {
namespace {

constexpr std::size_t usual_limit = 2000;  // characters of a message in many chats

struct LinkArguments {
  std::vector<std::string> inputs;
  std::string flame, base;
  ReadArguments read;
  Settings settings;
  bool quiet = false;
};

int run_link(LinkArguments& args) {
  Console console(ProgressMode::none, args.quiet);
  check_page_address("--base", args.base);
  ReaderOptions options = args.read.options();
  options.warn = [&](const std::string& message) { console.warning(message); };
  args.settings.complete(options);
  const std::vector<Flame> flames =
      read_all_chosen(expand_inputs(args.inputs), options, args.flame, Use::stills);
  std::string links;
  for (Flame flame : flames) {
    args.settings.apply(flame);
    const std::string link = flame_link(flame, args.base);
    if (link.size() > usual_limit)
      console.warning(
          fmt::format("{}: its link has {} characters; some programs cut messages at {}",
                      flame_label(flame.index, flame.name), link.size(), usual_limit));
    links += link + "\n";
  }
  print("{}", links);
  if (args.base.empty())
    console.note(
        "the address of a page goes before the #, e.g. by --base https://example.org/kiln/");
  return exit_done;
}

}  // namespace

void check_page_address(const char* option, const std::string& address) {
  if (address.empty() || address.starts_with("https://") || address.starts_with("http://") ||
      address.starts_with("file://"))
    return;
  fail(ErrorKind::usage, "{} {}: is no address; it begins with https://, http:// or file://",
       option, printable(address));
}

void add_link(Program& program) {
  Command& command =
      program.command("link", "Print flames as links, for the page that renders in a browser");
  const auto args = std::make_shared<LinkArguments>();
  command.inputs("IN", args->inputs,
                 "Flames, in files, pictures or folders, links themselves, or -");
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  args->read.add_to(command);
  command.group("Output");
  command.text(
      "--base", "URL", args->base,
      "Address of the page (docs/use/web.md), which stands before the #; without it the link "
      "begins there");
  command.flag("-q,--quiet", args->quiet, "Of messages only errors");
  args->settings.add_to(command, Settings::Of::flames);
  command.examples({"kiln link rose.flam3 --base https://example.org/kiln/",
                    "kiln link rose.png --base http://localhost:8000/",
                    "kiln render 'https://example.org/kiln/#title=rose&f1=...' -o rose.png"});
  command.runs([args] { return run_link(*args); });
}

}  // namespace kiln::cli
