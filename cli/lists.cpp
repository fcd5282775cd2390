// kiln variations and kiln devices: what this build knows and what this machine has.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/print.h"
#include "engine/base/text.h"
#include "engine/device/device.h"
#include "engine/model/variations.h"

namespace kiln::cli {
namespace {

std::string variation_json(const VariationInfo& variation) {
  JsonArray parameters;
  for (const ParameterInfo& parameter : variation.parameters) {
    parameters.add_json(
        JsonObject().add("name", parameter.name).add("default", parameter.default_value).text());
  }
  return JsonObject()
      .add("name", variation.name)
      .add("random", variation.random)
      .add_json("parameters", parameters.text())
      .text();
}

std::string variation_text(const VariationInfo& variation) {
  std::string text = variation.name;
  for (const ParameterInfo& parameter : variation.parameters) {
    text += fmt::format(" {}={}", parameter.name, shortest(parameter.default_value));
  }
  return text + (variation.random ? "  (random)" : "");
}

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

/// Prints a list, one entry a line, or as one JSON array.
template <class List, class Text, class Json>
int print_list(const List& list, bool as_json, Text text, Json json) {
  JsonArray array;
  for (const auto& entry : list) {
    if (as_json) {
      array.add_json(json(entry));
    } else {
      print("{}\n", text(entry));
    }
  }
  if (as_json) print("{}\n", array.text());
  return exit_done;
}

}  // namespace

void add_variations(Program& program) {
  const auto json = std::make_shared<bool>(false);
  Command& command = program.command("variations", "List all variations with their parameters");
  command.group("Result");
  command.flag("--json", *json, "One JSON array on standard output");
  command.examples({"kiln variations", "kiln variations --json | jq -r .[].name"});
  command.runs([json] { return print_list(variations(), *json, variation_text, variation_json); });
}

void add_devices(Program& program) {
  const auto json = std::make_shared<bool>(false);
  Command& command = program.command("devices", "List the devices that can render");
  command.group("Result");
  command.flag("--json", *json, "One JSON array on standard output");
  command.examples({"kiln devices", "kiln devices --json"});
  command.runs([json] { return print_list(list_devices(), *json, device_text, device_json); });
}

}  // namespace kiln::cli
