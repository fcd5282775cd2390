// SPDX-License-Identifier: MIT
// kiln devices: what this machine has.
#include <fmt/format.h>

#include <memory>

#include "cli/commands/commands.h"
#include "cli/says/console.h"
#include "engine/api/kiln.h"
#include "engine/api/kiln/device_info.h"
#include "engine/base/text.h"
#include "engine/device/device.h"

namespace kiln::cli {
namespace {

std::string device_json(const DeviceInfo& device) {
  return JsonObject()
      .add("kind", device.kind)
      .add("index", device.index)
      .add("name", device.name)
      .add("memory_bytes", device.memory_bytes)
      .add("detail", device.detail)
      .text();
}

std::string device_text(const DeviceInfo& device) {
  return fmt::format("{:<5} {}  {}, {}{}", device.kind, device.index, printable_whole(device.name),
                     byte_size(device.memory_bytes),
                     device.detail.empty() ? "" : ", " + printable_whole(device.detail));
}

}  // namespace

void add_devices(Program& program) {
  const auto json = std::make_shared<bool>(false);
  Command& command = program.command("devices", "List the devices that can render");
  command.group("Result");
  command.flag("--json", *json, "One JSON array on standard output");
  command.examples({"kiln devices", "kiln devices --json"});
  command.runs([json] {
    JsonArray array;
    for (const DeviceInfo& device : list_devices()) {
      array.add_json(device_json(device));
      if (!*json) print("{}\n", device_text(device));
    }
    const std::string problem = cuda_problem();
    if (*json)
      print("{}\n", array.text());
    else if (!problem.empty())
      print("cuda  -  {}\n", printable_whole(problem));
    return exit_done;
  });
}

}  // namespace kiln::cli
