// kiln validate: reads files as render would and says, one line a file on standard output, whether
// they are good.
#include <memory>

#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/print.h"
#include "cli/talk.h"
#include "engine/io/text.h"
#include "engine/model/error.h"
#include "engine/render/output_plan.h"

namespace kiln::cli {
namespace {

struct ValidateArguments {
  std::vector<std::string> inputs;
  ReadArguments read;
  bool quiet = false, json = false;
};

struct Verdict {
  int code = exit_done;
  std::string text;
  std::size_t flames = 0;
};

/// Reads and plans every flame. Throws what is wrong with the options.
Verdict verdict(const std::string& input, const ReaderOptions& options) {
  try {
    const FlameFile file = read_flames(input, options);
    for (const Flame& flame : file.flames) plan_geometry(flame);
    return {exit_done,
            fmt::format("{}: ok, {} flame{}", printable_whole(input), file.flames.size(),
                        file.flames.size() == 1 ? "" : "s"),
            file.flames.size()};
  } catch (const Error& error) {
    if (error.kind == ErrorKind::usage) throw;
    return {static_cast<int>(error.kind), printable_whole(error.what()), 0};
  }
}

int run_validate(const ValidateArguments& args) {
  Talk talk(ProgressMode::none, args.quiet);
  ReaderOptions options = args.read.options();
  options.warn = [&](const std::string& message) { talk.warning(message); };
  bool malformed = false, unsupported = false;
  for (const std::string& input : expand_inputs(args.inputs)) {
    const Verdict found = verdict(input, options);
    malformed = malformed || found.code == static_cast<int>(ErrorKind::input);
    unsupported = unsupported || found.code == static_cast<int>(ErrorKind::unsupported);
    if (args.json) {
      print("{}\n", JsonObject()
                        .add("file", input)
                        .add("code", found.code)
                        .add("flames", static_cast<int>(found.flames))
                        .add("message", found.text)
                        .text());
    } else {
      print("{}\n", found.text);
    }
    std::fflush(stdout);
  }
  if (malformed) return static_cast<int>(ErrorKind::input);
  return unsupported ? static_cast<int>(ErrorKind::unsupported) : int{exit_done};
}

}  // namespace

void add_validate(Program& program) {
  Command& command = program.command("validate", "Check files without rendering them");
  const auto args = std::make_shared<ValidateArguments>();
  command.inputs("IN", args->inputs,
                 "Files of flames, folders of such files, or - for standard input");
  args->read.add_to(command);
  command.group("Messages");
  command.flag("-q,--quiet", args->quiet, "No warnings");
  command.flag("--json", args->json, "One JSON object a file on standard output");
  command.examples(
      {"kiln validate flames/*.flame", "kiln validate --strict rose.flame   # also exit code 4"});
  command.runs([args] { return run_validate(*args); });
}

}  // namespace kiln::cli
