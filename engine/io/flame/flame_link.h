// SPDX-License-Identifier: MIT
// A flame as a link: the flame that is read from it (link_reader.h) has the same picture to the last bit. It
// carries the flame's XML without what reads back by itself (genome_writer.h), and the palette as
// differences where that is shorter; what was left out is read back and held against the whole.
// Left out is the history, too (who was made of whom), and the shape of pixels, which no flame says.
#pragma once

#include <string>

#include "engine/model/flame.h"

namespace kiln {

/// `base` and #title=...&f1=... (link_text.h). Throws Error (usage) for a flame that is too large.
std::string flame_link(const Flame& flame, const std::string& base = "");

}  // namespace kiln
