// SPDX-License-Identifier: MIT
// Reads flames: flam3 XML, a PNG, an EXR or a state file that carries its genome, or a link, into the model
// of engine/model/flame.h. What flam3 3.1.1 makes of a file is the law (attributes, legacy spellings,
// palettes, symmetry: flam3-format.md sections 1-5). Where flam3 crashes, hangs or draws nonsense,
// the file is refused with `file:line: thing: remedy`.
//   xml_scan        limits that must hold before the XML parser runs
//   xml_flames      the elements of a file, in their order
//   attributes      text to numbers, and what is said about attributes
//   dialect, name_rules   whose meaning of the names counts; those that are not flam3's are read more
//                   mildly
//   missing, foreign_attributes    what a flame needs and kiln does not have
//   attribute_reader, xform_reader, palette_reader, symmetry    one element each
//   link_reader     a link that carries its flame
//   palette_library, png_texts, exr_header, state_reader, picture_record    the other files
#pragma once

#include <string>
#include <string_view>

#include "engine/io/flame/flame_file.h"

namespace kiln {

/// The flames of a file (.flam3, .flame, .png, .exr or .kiln; "-": standard input), or of a link. Throws Error:
/// kind input, or unsupported where a flame needs what kiln does not have.
FlameFile read_flames(const std::string& path_or_dash, const ReaderOptions& options);

/// The flames in `bytes` (XML text, a link, a PNG, an EXR or a state); `name` stands for the file in
/// messages.
FlameFile parse_flames(std::string_view bytes, const std::string& name,
                       const ReaderOptions& options);

// The format before XML (old_format.cpp), which flam3-convert reads; the functions above read it too.

bool is_old_format(std::string_view text);
/// Translates the flames into XML. Throws Error (input) with `name` and the line.
std::string xml_of_old_format(std::string_view text, const std::string& name);

}  // namespace kiln
