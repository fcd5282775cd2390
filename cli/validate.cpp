// kiln validate: reads files as render would and says, one line a file on standard output, whether
// they are good.
#include <memory>

#include "cli/commands.h"
#include "cli/talk.h"
#include "engine/io/text.h"
#include "engine/model/error.h"
#include "engine/render/output_plan.h"

namespace kiln::cli {
namespace {

struct ValidateArguments {
  std::vector<std::string> inputs;
  ReadArguments read;
  bool quiet = false;
};

/// Reads and plans every flame; gives the line to print. Throws what is wrong with the file.
std::string verdict(const std::string& input, const ReaderOptions& options) {
  const FlameFile file = read_flames(input, options);
  for (const Flame& flame : file.flames) plan_geometry(flame);
  return fmt::format("{}: ok, {} flame{}", printable_whole(input), file.flames.size(),
                     file.flames.size() == 1 ? "" : "s");
}

int run_validate(const ValidateArguments& args) {
  Talk talk(ProgressMode::none, args.quiet);
  ReaderOptions options = args.read.options();
  options.warn = [&](const std::string& message) { talk.warning(message); };
  bool malformed = false, unsupported = false;
  for (const std::string& input : args.inputs) {
    try {
      fmt::print("{}\n", verdict(input, options));
    } catch (const Error& error) {
      if (error.kind == ErrorKind::usage) throw;
      fmt::print("{}\n", printable_whole(error.what()));
      (error.kind == ErrorKind::unsupported ? unsupported : malformed) = true;
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
  command.inputs("IN", args->inputs, "Files of flames, or - for standard input");
  args->read.add_to(command);
  command.group("Messages");
  command.flag("-q,--quiet", args->quiet, "No warnings");
  command.examples(
      {"kiln validate flames/*.flame", "kiln validate --strict rose.flame   # also exit code 4"});
  command.runs([args] { return run_validate(*args); });
}

}  // namespace kiln::cli
