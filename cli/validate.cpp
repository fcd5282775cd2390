// kiln validate: reads and plans the flames of files as render would, and says on standard output
// whether they are good: a line a file, before it one for each flame that is not.
#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/flame_selection.h"
#include "cli/inputs.h"
#include "cli/print.h"
#include "cli/talk.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/render/prepared_frame.h"

namespace kiln::cli {
namespace {

struct ValidateArguments {
  std::vector<std::string> inputs;
  std::string flame;
  ReadArguments read;
  bool quiet = false, json = false;
};

/// What was found out about a file.
struct Verdict {
  int good = 0;               // flames
  std::vector<BadFlame> bad;  // index -1: the whole file

  bool has(ErrorKind kind) const {
    return std::any_of(bad.begin(), bad.end(),
                       [kind](const BadFlame& flame) { return flame.kind == kind; });
  }
  int code() const {
    if (bad.empty()) return exit_done;
    for (const ErrorKind kind : {ErrorKind::input, ErrorKind::unsupported})
      if (has(kind)) return static_cast<int>(kind);
    return static_cast<int>(bad.front().kind);
  }
};

/// Everything that render does before it opens a device.
void plan(const Flame& flame, Verdict& verdict) {
  try {
    Frame still;
    still.flame = flame;
    check_frame(still, {});
    ++verdict.good;
  } catch (const Error& error) {
    verdict.bad.push_back({flame.index, flame.name, error.kind, error.what()});
  }
}

/// Reads and plans every chosen flame. Throws what is wrong with the options.
Verdict verdict(const std::string& input, const ReaderOptions& options, FlameSelection& selection) {
  Verdict verdict;
  try {
    FlameFile chosen = read_chosen(input, options, selection, Use::motion);
    verdict.bad = std::move(chosen.bad);
    for (const Flame& flame : chosen.flames) plan(flame, verdict);
    std::sort(verdict.bad.begin(), verdict.bad.end(),
              [](const BadFlame& a, const BadFlame& b) { return a.index < b.index; });
  } catch (const Error& error) {
    if (error.kind == ErrorKind::usage) throw;
    verdict.bad.push_back({-1, "", error.kind, error.what()});
  }
  return verdict;
}

std::string counted(int flames) {
  return fmt::format("{} flame{}", flames, flames == 1 ? "" : "s");
}

/// `a.flame: ok, 2 flames`, or what is wrong with each bad flame.
std::string verdict_text(const std::string& input, const Verdict& verdict) {
  std::string text;
  for (const BadFlame& flame : verdict.bad) text += printable_whole(flame.message) + "\n";
  if (!verdict.bad.empty() && verdict.good == 0) return text;
  const std::string bad =
      verdict.bad.empty() ? "" : fmt::format(", {} bad", static_cast<int>(verdict.bad.size()));
  return text + fmt::format("{}: {}{}{}\n", printable_whole(input), bad.empty() ? "ok, " : "",
                            counted(verdict.good) + (bad.empty() ? "" : " good"), bad);
}

std::string verdict_json(const std::string& input, const Verdict& verdict) {
  JsonArray bad;
  for (const BadFlame& flame : verdict.bad) {
    JsonObject json;
    if (flame.index >= 0) json.add("index", flame.index).add("name", flame.name);
    bad.add_json(
        json.add("code", static_cast<int>(flame.kind)).add("message", flame.message).text());
  }
  return JsonObject()
             .add("file", input)
             .add("code", verdict.code())
             .add("flames", verdict.good)
             .add_json("bad", bad.text())
             .text() +
         "\n";
}

int run_validate(const ValidateArguments& args) {
  Talk talk(ProgressMode::none, args.quiet);
  ReaderOptions options = args.read.options();
  options.warn = [&](const std::string& message) { talk.warning(message); };
  Verdict all;
  FlameSelection selection(args.flame);
  for (const std::string& input : expand_inputs(args.inputs)) {
    const Verdict found = verdict(input, options, selection);
    all.bad.insert(all.bad.end(), found.bad.begin(), found.bad.end());
    print("{}", args.json ? verdict_json(input, found) : verdict_text(input, found));
    std::fflush(stdout);
  }
  selection.check();
  return all.code();
}

}  // namespace

void add_validate(Program& program) {
  Command& command = program.command("validate", "Check files without rendering them");
  const auto args = std::make_shared<ValidateArguments>();
  command.inputs("IN", args->inputs,
                 "Files of flames, folders of such files, or - for standard input");
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  args->read.add_to(command);
  command.group("Messages");
  command.flag("-q,--quiet", args->quiet, "No warnings");
  command.flag("--json", args->json, "One JSON object a file on standard output");
  command.examples({"kiln validate flames/*.flame",
                    "kiln validate --strict rose.flame   # unknown attributes are errors too"});
  command.runs([args] { return run_validate(*args); });
}

}  // namespace kiln::cli
