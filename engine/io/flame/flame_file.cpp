// SPDX-License-Identifier: MIT
#include "engine/io/flame/flame_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "engine/base/text.h"

namespace kiln {
namespace {

constexpr std::array names = {"flam3", "fractorium", "apophysis", "jwildfire"};
constexpr std::size_t flame_name_bytes = 256;
constexpr int most_shown = 50;  // warnings
constexpr int most_named = 8;   // in one message

std::string described(const Missing& missing) {
  return fmt::format("{} ({}{})", missing.what, missing.place,
                     missing.hint.empty() ? "" : "; " + missing.hint);
}

}  // namespace

const char* dialect_name(Dialect dialect) { return names.at(static_cast<std::size_t>(dialect)); }

std::optional<Dialect> dialect_named(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return {};
  return static_cast<Dialect>(found - names.begin());
}

std::optional<Meaning> meaning_named(std::string_view name) {
  if (name == "flam3") return Meaning::flam3;
  if (name == "ember") return Meaning::fractorium;
  if (name == "apophysis") return Meaning::apophysis;
  return std::nullopt;
}

std::string flame_name(std::string_view text) {
  std::string name(text.substr(0, flame_name_bytes));
  const auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  std::replace_if(name.begin(), name.end(), is_blank, '_');
  return name;
}

std::string flame_label(int index, const std::string& name) {
  return name.empty() ? fmt::format("flame {}", index)
                      : fmt::format("flame {} \"{}\"", index, printable(name));
}

std::string missing_text(const Flame& flame, const char* program) {
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
  return fmt::format("{}{}: {} needs {}, which {} does not have", flame.source,
                     line > 0 ? fmt::format(":{}", line) : "", flame_label(flame.index, flame.name),
                     list, program);
}

void tell(const FlameFile& file, const FlameChoice& chosen, Use use,
          const std::function<void(const std::string&)>& say) {
  for (const Flame& flame : file.flames)
    if (!flame.missing.empty() && chosen(flame.index)) say(missing_text(flame));
  std::set<std::string, std::less<>> said;
  int shown = 0;
  for (const Warning& warning : file.warnings) {
    if (warning.flame >= 0 && !chosen(warning.flame)) continue;
    if (warning.of_motion && use == Use::stills) continue;
    if (!warning.key.empty() && !said.insert(warning.key).second) continue;
    const bool is_note =
        warning.key.starts_with(note_key);  // of what the picture lacks: all are said
    if (!is_note && ++shown > most_shown + 1) continue;
    const bool is_last = !is_note && shown > most_shown;
    say(is_last ? file.name + ": further warnings are not shown" : warning.text);
  }
}

}  // namespace kiln
