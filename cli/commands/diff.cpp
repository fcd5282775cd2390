// SPDX-License-Identifier: MIT
// kiln diff: what differs between two flames. Files with several are compared flame by flame, in their order.
#include <memory>

#include "cli/commands/commands.h"
#include "cli/options/flame_selection.h"
#include "cli/options/picture_options.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/flame_diff.h"

namespace kiln::cli {
namespace {

struct DiffArguments {
  std::string a, b, flame;
  ReadArguments read;
  bool json = false, look = false;
};

std::vector<Flame> flames_in(const DiffArguments& args, const std::string& file) {
  ReaderOptions options = args.read.options();
  options.warn = [](const std::string& message) { say("kiln: warning: {}\n", message); };
  return read_all_chosen({file}, options, args.flame, Use::motion);
}

bool counts_as_same(const DiffArguments& args, const FlameDiff& diff) {
  return args.look ? diff.looks_same() : diff.is_same();
}

std::string label(const Flame& flame) {
  return fmt::format("flame {}{}", flame.index,
                     flame.name.empty() ? "" : fmt::format(" \"{}\"", printable(flame.name)));
}

/// The lines about one pair, below a heading where there are several.
void print_pair(const FlameDiff& diff, const std::string& heading) {
  const std::vector<std::string> lines = in_words(diff);
  if (!heading.empty() && !lines.empty()) print("{}:\n", heading);
  for (const std::string& line : lines) print("{}{}\n", heading.empty() ? "" : "  ", line);
}

int run_diff(const DiffArguments& args) {
  if (args.a == "-" && args.b == "-")
    fail(ErrorKind::usage, "\"-\" (standard input) can be read only once");
  const std::vector<Flame> a = flames_in(args, args.a), b = flames_in(args, args.b);
  const std::size_t pairs = std::min(a.size(), b.size());
  bool same = a.size() == b.size();
  JsonArray array;
  for (std::size_t i = 0; i < pairs; ++i) {
    const FlameDiff diff = diff_flames(a[i], b[i]);
    same &= counts_as_same(args, diff);
    array.add_json(diff_json(diff));
    if (!args.json) print_pair(diff, std::max(a.size(), b.size()) > 1 ? label(a[i]) : "");
  }
  if (args.json) {
    print("{}\n", JsonObject()
                      .add("a", args.a)
                      .add("b", args.b)
                      .add("flames_a", std::uint64_t(a.size()))
                      .add("flames_b", std::uint64_t(b.size()))
                      .add("same", same)
                      .add_json("differences", array.text())
                      .text());
    return same ? exit_done : exit_differences;
  }
  for (std::size_t i = pairs; i < a.size(); ++i)
    print("{}: only in {}\n", label(a[i]), printable_whole(args.a));
  for (std::size_t i = pairs; i < b.size(); ++i)
    print("{}: only in {}\n", label(b[i]), printable_whole(args.b));
  return same ? exit_done : exit_differences;
}

}  // namespace

void add_diff(Program& program) {
  Command& command =
      program.command("diff", "Say what differs between two flames; exit code 1 if they differ");
  const auto args = std::make_shared<DiffArguments>();
  command.input("A", args->a, "Flames, in a file or a picture, or -");
  command.input("B", args->b, "The same");
  for (const char* name : {"A", "B"}) command.reads(name);
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  args->read.add_to(command);
  command.group("Result");
  command.flag("--look", args->look,
               "Exit code 0 where a still shows the same: names, films and history may differ");
  command.flag("--json", args->json, "One JSON object on standard output");
  command.examples({"kiln diff a.flam3 b.flam3", "kiln diff before.png after.png --json",
                    "kiln diff pack.flam3 edited.flam3 --flame rose",
                    "kiln diff --look a.flam3 b.flam3 && echo the same picture"});
  command.runs([args] { return run_diff(*args); });
}

}  // namespace kiln::cli
