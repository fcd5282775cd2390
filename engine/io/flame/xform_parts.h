// SPDX-License-Identifier: MIT
// The parts of xforms by name (flame_parts.h): "xform.0.julian", "xform.*.color_speed", "final.coefs".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/io/flame/flame_file.h"
#include "engine/io/flame/xform_reader.h"
#include "engine/model/flame.h"

namespace kiln {

/// A name, taken apart.
struct PartName {
  enum class Of { flame, xform, final };
  Of of = Of::flame;
  static constexpr int every = -1;
  int index = 0;          // or every
  std::string_view name;  // empty: the xform itself

  /// "xform.0", for messages.
  std::string owner(int i) const {
    return fmt::format("{}.{}", of == Of::final ? "final" : "xform", i);
  }
  XformRole role() const { return of == Of::final ? XformRole::final : XformRole::standard; }
};

/// Takes a name apart. Throws Error (usage) for one of an xform that does not say which.
PartName part_name(std::string_view text);

/// The xforms, or the final ones, in their order.
template <class AnyFlame>
auto pointers_to(AnyFlame& flame, const PartName& part) {
  using X = std::conditional_t<std::is_const_v<AnyFlame>, const Xform, Xform>;
  std::vector<X*> all;
  if (part.of == PartName::Of::xform) {
    for (X& xform : flame.xforms) all.push_back(&xform);
  } else if (flame.final_xform) {
    all.push_back(&*flame.final_xform);
    for (X& xform : flame.more_finals) all.push_back(&xform);
  }
  return all;
}

/// The xform of that number. Throws Error (usage).
template <class AnyFlame>
auto& xform_at(AnyFlame& flame, const PartName& part) {
  const auto all = pointers_to(flame, part);
  if (part.index == PartName::every)
    fail(ErrorKind::usage, "xform.*: say one of them, as in xform.0");
  if (std::size_t(part.index) < all.size()) return *all[std::size_t(part.index)];
  const char* const kind = part.of == PartName::Of::final ? "final xform" : "xform";
  if (all.empty())
    fail(ErrorKind::usage, "there is no {}: the flame has no {}", part.owner(part.index), kind);
  fail(ErrorKind::usage, "there is no {}: the flame has {} {}{}, counted from 0",
       part.owner(part.index), all.size(), kind, all.size() == 1 ? "" : "s");
}

/// The text of the part as a file has it. Throws Error (usage).
std::string xform_part_text(const Flame& flame, const PartName& part);

/// Sets a part that is not all of an xform. `place` begins what is said. Throws Error (usage); the flame is as it
/// was then.
void set_xform_part(Flame& flame, const PartName& part, std::string_view text,
                    const std::string& place);

/// Throws Error (usage) for a setting that no flame could have; `option` is the name of the option.
void check_part(std::string_view option, const AttributeSetting& setting);
/// Sets those of xforms among the settings. Throws Error (usage).
void apply_parts(const std::vector<AttributeSetting>& settings, Flame& flame);

}  // namespace kiln
