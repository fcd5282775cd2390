// SPDX-License-Identifier: MIT
// kiln link: flames as links, which carry them (engine/io/flame/flame_link.h).
#include <memory>

#include "cli/commands/commands.h"
#include "cli/options/flame_selection.h"
#include "cli/options/output_files.h"
#include "cli/options/settings.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/platform/terminal.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/flame_link.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/png_writer.h"
#include "engine/io/picture/qr_code.h"

namespace kiln::cli {
namespace {

constexpr std::size_t usual_limit = 2000;  // characters of a message in many chats

struct LinkArguments {
  std::vector<std::string> inputs;
  std::string flame, base, output;
  ReadArguments read;
  Settings settings;
  bool qr = false, quiet = false;
};

constexpr int module_pixels = 8;  // of a QR code's picture

void check_qr(const LinkArguments& args) {
  if (!args.qr && !args.output.empty())
    fail(ErrorKind::usage, "--output is the picture of --qr; links are printed, e.g. > links.txt");
  if (!args.qr) return;
  if (args.base.empty())
    fail(ErrorKind::usage,
         "--qr: a link that begins with # leads a phone nowhere; say the address of the page, "
         "e.g. --base https://example.org/kiln/");
  if (args.output.empty()) return;
  const std::string_view ending = picture_formats().front().ending;
  if (!is_standard_output(args.output) && ending_of(args.output) != ending)
    fail(ErrorKind::usage, "--output {}: a QR code is written as {}", printable(args.output),
         ending);
  OutputNames names(false);
  names.claim(args.output, "--qr", "another name");
  names.keep_inputs(args.inputs);
  check_output(args.output, false);
}

/// Prints it in the terminal, or makes a picture.
void give_qr(const LinkArguments& args, const std::string& link) {
  const QrCode code = qr_code(link);
  if (args.output.empty()) return print("{}", qr_text(code, rewrites_lines(1)));
  write_png(args.output, qr_picture(code, module_pixels), {});
  if (!is_standard_output(args.output)) print("{}\n", printable_whole(args.output));
}

int run_link(LinkArguments& args) {
  Console console(ProgressMode::none, args.quiet);
  check_page_address("--base", args.base);
  check_qr(args);
  ReaderOptions options = args.read.options();
  options.warn = [&](const std::string& message) { console.warning(message); };
  args.settings.complete(options);
  const std::vector<Flame> flames =
      read_all_chosen(expand_inputs(args.inputs), options, args.flame, Use::stills);
  if (args.qr && flames.size() > 1)
    fail(ErrorKind::usage, "--qr: {} flames were given, and a code has one; --flame chooses it",
         flames.size());
  std::string links;
  for (Flame flame : flames) {
    args.settings.apply(flame);
    const std::string link = flame_link(flame, args.base);
    if (link.size() > usual_limit)
      console.warning(
          fmt::format("{}: its link has {} characters; some programs cut messages at {}",
                      flame_label(flame.index, flame.name), link.size(), usual_limit));
    if (args.qr) give_qr(args, link);
    links += link + "\n";
  }
  if (!args.qr) print("{}", links);
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
  command.flag("--qr", args->qr,
               "Give the link as a QR code for a phone: in the terminal, or as the picture of "
               "--output; the address of --base is in it");
  command.text("-o,--output", "FILE", args->output, "PNG of --qr; - is standard output");
  command.flag("-q,--quiet", args->quiet, "Of messages only errors");
  args->settings.add_to(command, Settings::Of::flames);
  command.examples({"kiln link rose.flam3 --base https://example.org/kiln/",
                    "kiln link rose.png --base http://localhost:8000/",
                    "kiln link rose.flam3 --base https://example.org/kiln/ --qr -o rose-link.png",
                    "kiln render 'https://example.org/kiln/#title=rose&f1=...' -o rose.png"});
  command.runs([args] { return run_link(*args); });
}

}  // namespace kiln::cli
