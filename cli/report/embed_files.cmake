# SPDX-License-Identifier: MIT
# Writes a C++ file that holds text files of the program.
#   cmake -DFOLDER=view/page -DNAMES=index.html,panel/look.js,... -DFUNCTION=page_files -DOUTPUT=FILE -P embed_files.cmake
string(REPLACE "," ";" NAMES "${NAMES}")
set(source "// Made by cli/report/embed_files.cmake from the files of the program.\n")
string(APPEND source "#include \"cli/report/embedded_file.h\"\n\nnamespace kiln::cli {\n\n")
string(APPEND source "const std::vector<EmbeddedFile>& ${FUNCTION}() {\n")
string(APPEND source "  static const std::vector<EmbeddedFile> files = {\n")
foreach(name IN LISTS NAMES)
  file(READ "${FOLDER}/${name}" text)
  string(FIND "${text}" ")kiln_file\"" end_mark)
  if(NOT end_mark EQUAL -1)
    message(FATAL_ERROR "${name} holds the mark that ends a literal")
  endif()
  string(APPEND source "{\"${name}\", R\"kiln_file(${text})kiln_file\"},\n")
endforeach()
string(APPEND source "  };\n  return files;\n}\n\n}  // namespace kiln::cli\n")
file(WRITE "${OUTPUT}" "${source}")
