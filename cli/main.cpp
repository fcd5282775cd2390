// kiln: fractal flames from flam3 XML. This file has what all commands share: the list of commands,
// signals, and the one place where errors become a line on standard error and an exit code
// (docs/cli.md).
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <new>

#include "cli/commands.h"
#include "cli/talk.h"
#include "engine/io/atomic_file.h"
#include "engine/model/error.h"

namespace kiln::cli {
namespace {

/// Interrupted: nothing half-written stays behind, and the exit code says which signal it was.
void on_stop_signal(int signal) {
  remove_unfinished_files();
  _exit(128 + signal);
}

void handle_signals() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
      continue;  // nohup, background jobs
    action = {};
    action.sa_handler = on_stop_signal;
    sigaction(signal, &action, nullptr);
  }
  // A closed pipe and the file size limit are errors of write(), reported like a full disk.
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

/// Results that did not reach standard output are an error as well.
int check_standard_output(int code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  if (errno != EPIPE) print_error("standard output cannot be written");
  return code == exit_done ? static_cast<int>(ErrorKind::output) : code;
}

int usage_error(const CLI::App& program, const CLI::ParseError& error) {
  print_error(error.what());
  const auto chosen = program.get_subcommands();
  fmt::print(stderr, "Run \"kiln {}--help\" for how it is used.\n",
             chosen.empty() ? "" : chosen[0]->get_name() + " ");
  return exit_usage;
}

int run_program(int argc, char** argv) {
  CLI::App program(
      "kiln renders fractal flames: flam3 XML in, PNG out; the same picture on every CPU and GPU.",
      "kiln");
  program.set_version_flag("--version", "kiln " KILN_VERSION);
  program.require_subcommand(0, 1);
  program.get_formatter()->column_width(34);
  program.footer(examples({"kiln render rose.flame                     # makes rose.png",
                           "kiln render rose.flame -o big.png --scale 2 --quality 500",
                           "kiln info rose.flame", "kiln validate flames/*.flame"}) +
                 "\n\nEach command has its own help: kiln render --help");
  Run run;
  add_render(program, run);
  add_animate(program, run);
  add_info(program, run);
  add_validate(program, run);
  add_variations(program, run);
  add_devices(program, run);
  add_compare(program, run);
  add_sequence(program, run);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& wanted) {  // --help, --version
    return check_standard_output(program.exit(wanted));
  } catch (const CLI::ParseError& error) {
    return usage_error(program, error);
  }
  if (!run) {
    fmt::print(stderr, "{}", program.help());
    return exit_usage;
  }
  return check_standard_output(run());
}

}  // namespace
}  // namespace kiln::cli

int main(int argc, char** argv) {
  using namespace kiln::cli;
  handle_signals();
  try {
    return run_program(argc, argv);
  } catch (const kiln::Error& error) {
    print_error(error.what());
    return static_cast<int>(error.kind);
  } catch (const std::bad_alloc&) {
    print_error(
        "out of memory; a smaller picture (--scale 0.5), less --supersample or 8 bits need less");
    return exit_memory;
  } catch (const std::exception& error) {
    print_error(fmt::format("internal error: {}", error.what()));
    return exit_memory;
  }
}
