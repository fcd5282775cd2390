# SPDX-License-Identifier: MIT
# Writes a C++ file that holds the texts about variations.
#   cmake -DFOLDER=kernels/variations -DFAMILIES=angular,basic,... -DOUTPUT=FILE -P embed_notes.cmake
string(REPLACE "," ";" FAMILIES "${FAMILIES}")
set(source "// Made by engine/model/embed_notes.cmake from the texts beside the variations.\n")
string(APPEND source "#include \"engine/model/variations.h\"\n\nnamespace kiln {\n\n")
string(APPEND source "const std::vector<VariationNoteFile>& variation_note_files() {\n")
string(APPEND source "  static const std::vector<VariationNoteFile> files = {\n")
foreach(family IN LISTS FAMILIES)
  file(READ "${FOLDER}/${family}.txt" text)
  string(FIND "${text}" ")kiln_note\"" end_mark)
  if(NOT end_mark EQUAL -1)
    message(FATAL_ERROR "${family}.txt holds the mark that ends a literal")
  endif()
  string(APPEND source "{\"${family}\", R\"kiln_note(${text})kiln_note\"},\n")
endforeach()
string(APPEND source "  };\n  return files;\n}\n\n}  // namespace kiln\n")
file(WRITE "${OUTPUT}" "${source}")
