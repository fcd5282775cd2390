// A flame as flam3 XML that reads back as the same flame. Differences from what flam3 writes
// (docs/flam3-differences.md): reals keep all their digits instead of six, no parameter is lost,
// symmetry appears only as the xforms it became, and a palette of whole bytes is written as hex,
// with its alpha.
#pragma once

#include <string>

#include "engine/model/flame.h"

namespace kiln {

/// One <flame> element, with a newline at the end.
std::string genome_xml(const Flame& flame);

}  // namespace kiln
