// SPDX-License-Identifier: MIT
// kiln warm: compiles the GPU kernels of flames ahead of their renders, so that a farm's first
// frames have them.
#include <algorithm>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/options/flame_selection.h"
#include "cli/options/settings.h"
#include "cli/says/console.h"
#include "engine/api/api_impl.h"
#include "engine/base/text.h"

namespace kiln::cli {
namespace {

struct WarmArguments {
  std::vector<std::string> inputs;
  std::string flame;
  ReadArguments read;
  int arch = 0;
  bool json = false, quiet = false;
};

/// The compute capabilities to compile for: the one that is asked for, or those of the GPUs here.
std::vector<int> choose_archs(int wanted) {
  if (wanted) return {wanted};
  std::vector<int> archs;
  for (const DeviceInfo& gpu : list_devices()) {
    if (gpu.kind == "cuda" && std::find(archs.begin(), archs.end(), gpu.arch) == archs.end())
      archs.push_back(gpu.arch);
  }
  if (archs.empty())
    fail(ErrorKind::device, "no CUDA device is here; name the GPU to compile for: --arch 90");
  return archs;
}

/// Reports one kernel.
void say(const WarmArguments& args, const Flame& flame, bool moving, int arch,
         const std::optional<WarmedKernel>& kernel) {
  const char* const kind = moving ? "moving" : "still";
  if (args.json) {
    JsonObject json;
    json.add("file", flame.source).add("flame", flame.name).add("kind", kind).add("arch", arch);
    json.add("kernel", !kernel ? "none" : kernel->was_there ? "cached" : "compiled");
    print("{}\n", json.add("seconds", kernel ? kernel->seconds : 0).text());
  } else {
    print("{}: {}, {}, {}\n", printable_whole(flame.place()), kind, arch,
          !kernel             ? "no kernel of its own: too large"
          : kernel->was_there ? "was there"
                              : fmt::format("compiled in {:.1f} s", kernel->seconds));
  }
  std::fflush(stdout);
}

int run_warm(const WarmArguments& args) {
  Console console(ProgressMode::none, args.quiet);
  ReaderOptions options = args.read.options();
  options.warn = [&](const std::string& message) { console.warning(message); };
  const std::vector<Flame> flames = read_all_chosen(args.inputs, options, args.flame, Use::stills);
  const std::vector<int> archs = choose_archs(args.arch);
  for (const Flame& flame : flames)
    warm_kernels(flame, archs, [&](bool moving, int arch, const auto& kernel) {
      say(args, flame, moving, arch, kernel);
    });
  return exit_done;
}

}  // namespace

void add_warm(Program& program) {
  Command& command =
      program.command("warm", "Compile the GPU kernels of flames ahead of rendering");
  const auto args = std::make_shared<WarmArguments>();
  command.inputs("IN", args->inputs,
                 "Files of flames, folders of such files, or - for standard input");
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  args->read.add_to(command);
  command.whole("--arch", "N", args->arch,
                "Compute capability to compile for, 90 for 9.0; default: that of the GPUs here",
                {50, 999});
  command.group("Messages");
  command.flag("-q,--quiet", args->quiet, "No warnings");
  command.flag("--json", args->json, "One JSON object a kernel on standard output");
  command.examples({"kiln warm flames/*.flame",
                    "KILN_CACHE_DIR=/shared/kiln kiln warm --arch 90 keys.flame   # for a farm"});
  command.runs([args] { return run_warm(*args); });
}

}  // namespace kiln::cli
