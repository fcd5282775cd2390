// SPDX-License-Identifier: MIT
// A flame as flam3 XML that reads back as the same flame. Differences from what flam3 writes
// (docs/flam3/flam3-differences.md): reals keep all their digits instead of six, no parameter is lost,
// symmetry appears only as the xforms it became, and a palette of whole bytes is written as hex,
// with its alpha.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/io/file/atomic_file.h"
#include "engine/model/flame.h"

namespace kiln {

/// One <flame> element, with a newline at the end.
std::string genome_xml(const Flame& flame);

/// The element without what reads back by itself: usual values, history, blanks; in one line.
/// `corners`: without the colors that a reader finds between others, or nearly does.
enum class BriefPalette { none, corners, whole };
std::string brief_genome_xml(const Flame& flame, BriefPalette palette);

/// The <xform> or <finalxform> of it, with its motions and a newline at the end.
std::string xform_xml(const Xform& xform, bool is_final);

/// The attributes of that element, in their order: names and texts.
std::vector<std::pair<std::string, std::string>> xform_attributes(const Xform& xform,
                                                                  bool is_final);

/// The <variation> elements of the flame's formulas (engine/model/formula.h), each with a newline at the end.
std::string formula_elements(const Flame& flame);

/// A flame that shows what a formula makes of a grid, as `kiln variations --file F NAME -o grid.png` draws it.
std::string formula_scene(int formula);

/// The <kiln_sound> of a film, with a newline at the end.
std::string sound_xml(const FilmSound& sound);
/// Its <kiln_marker>s, each with a newline at the end.
std::string markers_xml(const Flame& flame);
/// The links between its numbers, a <kiln_link> each, with a newline at the end.
std::string links_xml(const Flame& flame);
/// All that is of the film: links, song, markers and tracks.
std::string film_elements(const Flame& flame);

/// The text of an attribute of the <flame> element; empty if it is left out, as its usual value is.
std::string attribute_text(const Flame& flame, std::string_view name);

/// A .flam3 file of these flames, or "-" for standard output; whole or not at all. Throws Error of
/// kind output.
void write_flames(const std::string& path, const std::vector<Flame>& flames,
                  AtomicFile::Existing existing = AtomicFile::Existing::replace);

}  // namespace kiln
