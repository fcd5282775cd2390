#include "cli/options/settings.h"

#include <algorithm>

#include "engine/io/flame/attribute_settings.h"
#include "engine/model/flame_attributes.h"

namespace kiln::cli {
namespace {

/// Scale and zoom together may leave what can be rendered; the file alone did not.
void check_result(const Flame& flame) {
  const ReaderOptions options;
  const Messages messages(flame.source, options);
  try {
    check_attributes(flame, messages);
  } catch (const Error& error) {
    fail(ErrorKind::usage, "{}; change the options that lead there", error.what());
  }
}

}  // namespace

void Settings::add_to(Command& command, Of of) {
  size.add_to(command, of == Of::pictures);
  camera.add_to(command);
  color.add_to(command);
  light.add_to(command);
  command.group("Any attribute");
  command.list(
      "--set", "ATTRIBUTE=VALUE",
      [this](const std::string& text) { set.push_back(parse_setting("--set", text)); },
      "What <flame ATTRIBUTE=\"VALUE\"> would say in the file; as often as needed");
  std::vector<std::string> begun = flame_attribute_names();
  for (std::string& name : begun) name += '=';
  command.suggest("--set", std::move(begun));
}

void Settings::complete(ReaderOptions& options) const {
  options.set = set;
  color.complete(options);
}

bool Settings::asks_quality() const {
  const auto is_quality = [](const AttributeSetting& one) { return one.name == "quality"; };
  return size.quality || size.quality_scale || std::any_of(set.begin(), set.end(), is_quality);
}

bool Settings::resizes() const {
  const auto is_size = [](const AttributeSetting& one) { return one.name == "size"; };
  return size.size || size.fit || size.fill || size.width || size.height || size.scale ||
         std::any_of(set.begin(), set.end(), is_size);
}

void Settings::apply(Flame& flame) const {
  color.apply(flame);
  camera.apply(flame);
  size.apply(flame);
  light.apply(flame);
  check_result(flame);
}

}  // namespace kiln::cli
