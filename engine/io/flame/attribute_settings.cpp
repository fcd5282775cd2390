#include "engine/io/flame/attribute_settings.h"

#include "engine/base/text.h"
#include "engine/io/flame/nearest_name.h"
#include "engine/model/flame_attributes.h"

namespace kiln {
namespace {

const std::string owner = "flame";

/// Messages that begin with the option, and refuse what a file would only be warned of.
struct Strict {
  ReaderOptions options;
  Messages messages;
  explicit Strict(const std::string& place) : options{strict_options()}, messages(place, options) {}

  static ReaderOptions strict_options() {
    ReaderOptions options;
    options.strict = true;
    return options;
  }
};

/// Runs `take`; what it refuses is wrong usage. `place` stands before the message.
template <class Take>
void as_usage(const char* place, Take take) {
  try {
    take();
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, std::string(place) + error.what());
  }
}

bool contradicts_itself(const Flame& flame, const Messages& messages) {
  try {
    check_attributes(flame, messages);
    return false;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

AttributeSetting parse_setting(std::string_view option, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    fail(ErrorKind::usage, "{} {}: must be ATTRIBUTE=VALUE, such as gamma=3", option,
         printable_whole(text));
  }
  const AttributeSetting setting{std::string(text.substr(0, equals)),
                                 std::string(text.substr(equals + 1))};
  if (!find_flame_attribute(setting.name)) {
    fail(ErrorKind::usage, "{} {}: <flame> has no attribute {}{}", option, printable_whole(text),
         printable(setting.name), did_you_mean(setting.name, flame_attribute_names()));
  }
  Strict strict{std::string(option)};
  Flame flame;
  DeferredAttributes deferred;
  as_usage("", [&] {
    take_flame_attribute({strict.messages, owner, setting.name, setting.value, 0}, flame, deferred);
  });
  return setting;
}

void take_settings(const std::vector<AttributeSetting>& settings, Flame& flame,
                   DeferredAttributes& deferred) {
  if (settings.empty()) return;
  Strict strict(flame.source);
  const bool was_wrong = contradicts_itself(flame, strict.messages);
  as_usage("--set: ", [&] {
    for (const auto& [name, value] : settings)
      take_flame_attribute({strict.messages, owner, name, value, 0}, flame, deferred);
    if (!was_wrong) check_attributes(flame, strict.messages);
  });
}

}  // namespace kiln
