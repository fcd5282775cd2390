// SPDX-License-Identifier: MIT
// kiln serve: pictures over HTTP for programs. What it serves with (view/service/) is there where the page of kiln
// view is (KILN_VIEW); what is read and refused here is the same without it.
#include <filesystem>
#include <memory>
#include <system_error>

#include "cli/commands/commands.h"
#include "cli/options/device_list.h"
#include "cli/options/option_value.h"
#include "cli/options/picture_options.h"
#include "cli/says/console.h"
#include "engine/api/api_impl.h"
#include "engine/base/text.h"
#include "view/service/serve.h"
#include "view/serving_options.h"

namespace kiln::cli {
namespace {

constexpr int usual_port = 8590;

struct ServeArguments {
  std::string serve, devices;
  ServeSettings settings;
  RenderOptions options;
};

int run_serve(ServeArguments& args) {
  check_serve_is_built();
  ServeSettings& settings = args.settings;
  settings.address = served_address(args.serve, usual_port, settings.allow_remote);
  if (!args.devices.empty()) share_listed(args.devices, args.options);
  see_devices_of(args.options);
  // the same ones for every job, whatever it is worth: they stay open
  settings.words = machine_words(
      args.options, waits_for_work(args.devices) ? devices_in_words(args.options) : args.devices);
  if (!settings.palettes.empty()) {
    settings.palettes = std::filesystem::absolute(settings.palettes).string();
    settings.words.insert(settings.words.end(), {"--palettes", settings.palettes});
  }
  Console console(ProgressMode::none, settings.quiet);
  if (settings.allow_remote)
    console.warning("--allow-remote: whoever has the address with its token can render here");
  try {
    return serve(settings, args.options);
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) throw;
    fail(ErrorKind::device,
         "no further thread can be started ({}); raise the limit of processes (ulimit -u)",
         error.code().message());
  }
}

}  // namespace

void add_serve(Program& program) {
  Command& command =
      program.command("serve", "Render for programs over HTTP: a flame in, its picture back");
  const auto args = std::make_shared<ServeArguments>();
  ServeSettings& settings = args->settings;
  command.group("Service");
  command.text("--serve", "HOST:PORT", args->serve,
               "Where it is served (default 127.0.0.1:8590); port 0: any");
  command.flag("--allow-remote", settings.allow_remote,
               "Serve other machines too: not encrypted, the token alone protects it");
  command.text(
      "--token", "FILE", settings.token_file,
      "File of tokens, one a line, each a client of its own (default: one that is made, kept "
      "for you alone, and printed with the address)");
  command.flag("--no-token", settings.no_token,
               "Every program of this machine may ask, whoever runs it");
  command.flag("--behind-proxy", settings.behind_proxy,
               "Clients are told apart by the X-Forwarded-For of a proxy of yours");
  command.group("Limits");
  command.number("--max-pixels", "N", settings.most_pixels,
                 "Of a picture (default 16777216, 4096x4096)", {1, 1e12});
  command.number("--max-quality", "Q", settings.most_quality,
                 "Samples per pixel of a picture (default 2000)", {1e-3, 1e9});
  command.value(
      "--max-seconds", "SECONDS",
      [&settings](const std::string& text) {
        settings.most_seconds = seconds_value("--max-seconds", text, {0.01, 1e6});
      },
      "Time of a picture, then it ends without one (default 60; also 5min)");
  command.whole("--max-jobs", "N", settings.most_jobs,
                "Jobs of a client that wait or are rendered (default 16)", {1, 256});
  command.bytes("--max-body", settings.most_body_bytes, "Of a request (default 1M)");
  command.group("Machine");
  for (const char* name : {"backend", "device"}) add_settings(command, name, args->options);
  command.text("--devices", "LIST", args->devices,
               "GPUs that share the work of each picture, e.g. 0,1 or 0-3, or all");
  add_settings(command, "threads", args->options);
  command.bytes("--max-memory", args->options.max_memory_bytes,
                "Make pictures that need more in stripes, or refuse them, e.g. 4G");
  command.group("Files and messages");
  command.text(
      "--palettes", "FILE", settings.palettes,
      "Palette library for palette=N and by name (default: $flam3_palettes, else flam3's)");
  command.flag("-q,--quiet", settings.quiet, "No line for each answer");
  command.exclude("--token", "--no-token");
  command.exclude("--no-token", "--allow-remote");
  command.need("--allow-remote", "--serve");
  command.examples(
      {"kiln serve                                  # prints the address with its token",
       "kiln serve --no-token --max-pixels 1e6      # for programs of this machine",
       "curl --data-binary @rose.flam3 'http://127.0.0.1:8590/render?width=640' -o rose.png",
       "kiln serve --token tokens.txt --behind-proxy   # behind nginx: docs/use/serve.md"});
  command.runs([args] { return run_serve(*args); });
}

}  // namespace kiln::cli
