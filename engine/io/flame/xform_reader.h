// <xform>, <finalxform> and their <motion> children: coefficients, variations with their
// parameters, and the spellings of older versions. flam3-format.md section 4.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/io/flame/form_reader.h"
#include "engine/io/flame/messages.h"
#include "engine/model/flame.h"

namespace kiln {

// <symmetry kind="N"/>: flam3 turns it into extra xforms at the point of the document where it
// stands.

/// The kind that flam3's rules for kind 0 draw; seed decides which.
int random_symmetry_kind(std::uint64_t seed);

/// Adds the xforms of a symmetry: |kind| - 1 rotations for |kind| >= 2, a reflection first if kind
/// < 0.
void append_symmetry(int kind, Flame& flame);

}  // namespace kiln

namespace tinyxml2 {
class XMLElement;
}

namespace kiln {

enum class XformRole { standard, final };

/// What an <xform> or <finalxform> says; `index` counts the xforms read before it (final and
/// symmetry included). What it needs and kiln does not have is added to `missing`, names whose
/// meaning the file leaves open to `renamed`.
Xform read_xform(const tinyxml2::XMLElement& element, XformRole role, int index,
                 const XformRules& rules, std::vector<Missing>& missing, Messages& messages,
                 std::set<std::string>* renamed = nullptr);

}  // namespace kiln
