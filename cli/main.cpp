// SPDX-License-Identifier: MIT
// kiln: fractal flames from flam3 XML. This file has what all commands share: the list of commands,
// signals, and the one place where errors become a line on standard error and an exit code
// (docs/reference/cli.md).
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <new>

#include "cli/commands/commands.h"
#include "cli/making/stop_request.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/platform/signals.h"
#include "engine/base/platform/terminal.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/reader_gone.h"

namespace kiln::cli {
namespace {

/// Ready to be written by a signal handler.
char interrupt_text[512] = "";

/// Interrupted: nothing half-written stays behind, and the exit code says which signal it was.
void on_stop_signal(int signal) {
  if (takes_signal(signal)) return;
  remove_unfinished_files();
  end_at_signal(signal, signal == SIGINT ? interrupt_text : "");
}

/// Results that did not reach standard output are an error as well.
int check_standard_output(int code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  if (errno != EPIPE) print_error("standard output cannot be written");
  return code == exit_done ? static_cast<int>(ErrorKind::output) : code;
}

int run_program(int argc, char** argv) {
  Program program(
      "kiln renders fractal flames: flam3 XML in, PNG out; the same picture on every CPU and GPU.",
      "kiln " KILN_VERSION);
  program.examples({"kiln render rose.flame                     # makes rose.png",
                    "kiln render rose.flame -o big.png --scale 2 --quality 500",
                    "kiln info rose.flame", "kiln validate flames/*.flame"});
  add_render(program);
  add_animate(program);
  add_info(program);
  add_validate(program);
  add_variations(program);
  add_devices(program);
  add_warm(program);
  add_compare(program);
  add_check(program);
  add_sequence(program);
  add_convert(program);
  add_completion(program);
  add_man(program);
  add_merge(program);
  add_grade(program);
  add_video(program);
  add_view(program);
  add_serve(program);
  add_random(program);
  add_mutate(program);
  add_breed(program);
  add_genome(program);
  add_sheet(program);
  add_find(program);
  add_palettes(program);
  add_diff(program);
  add_verify(program);
  add_selftest(program);
  add_link(program);
  add_gallery(program);
  add_points(program);
  add_layers(program);
  add_light(program);
  add_listen(program);
  if (const std::optional<int> code = run_flam3_name(program, argc, argv))
    return check_standard_output(*code);
  return check_standard_output(program.run(argc, argv));
}

}  // namespace

void write_at_interrupt(const std::string& bytes) {
  std::snprintf(interrupt_text, sizeof interrupt_text, "%s", bytes.c_str());
}

}  // namespace kiln::cli

int main(int argc, char** argv) {
  using namespace kiln::cli;
  kiln::open_standard_streams();
  remember_command_line(argc, argv);
  kiln::handle_end_signals(on_stop_signal);
  try {
    return run_program(argc, argv);
  } catch (const kiln::ReaderGone&) {
    return exit_reader_gone;
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
