#include "engine/io/flame/missing.h"

#include <fmt/format.h>

#include <set>

#include "engine/base/printable.h"

namespace kiln {
namespace {

constexpr int most_named = 8;  // in one message

std::string described(const Missing& missing) {
  return fmt::format("{} ({}{})", missing.what, missing.place,
                     missing.hint.empty() ? "" : "; " + missing.hint);
}

}  // namespace

std::string flame_label(int index, const std::string& name) {
  return name.empty() ? fmt::format("flame {}", index)
                      : fmt::format("flame {} \"{}\"", index, printable(name));
}

std::string missing_text(const Flame& flame) {
  std::string list;
  std::set<std::string> named;
  int more = 0;
  for (const Missing& missing : flame.missing) {
    if (!named.insert(missing.what).second) continue;
    if (int(named.size()) > most_named) {
      ++more;
    } else {
      list += (list.empty() ? "" : ", ") + described(missing);
    }
  }
  if (more > 0) list += fmt::format(" and {} more", more);
  const int line = flame.missing.at(0).line;
  return fmt::format("{}{}: {} needs {}, which kiln does not have", flame.source,
                     line > 0 ? fmt::format(":{}", line) : "", flame_label(flame.index, flame.name),
                     list);
}

void add_unknown_element(std::string_view name, int line, const std::string& place,
                         std::vector<Missing>& missing) {
  constexpr std::size_t enough = 64;  // a hostile file may have millions
  if (missing.size() >= enough) return;
  const std::string what = "element <" + printable(name, 80) + ">";
  for (const Missing& known : missing)
    if (known.what == what) return;
  missing.push_back({what, place, line});
}

std::vector<std::string> missing_names(const Flame& flame) {
  std::vector<std::string> names;
  std::set<std::string> named;
  for (const Missing& missing : flame.missing)
    if (named.insert(missing.what).second) names.push_back(missing.what);
  return names;
}

}  // namespace kiln
