# SPDX-License-Identifier: MIT
# Writes a source file with a digest of the sources that decide how long points seem to need to settle.
#   cmake -DSOURCES=kernels/pool.h,... -DVERSION=1.2.3 -DOUTPUT=FILE -P burn_in_rule.cmake
string(REPLACE "," ";" SOURCES "${SOURCES}")
set(digests "${VERSION}")
foreach(source IN LISTS SOURCES)
  file(SHA256 "${source}" digest)
  string(APPEND digests " ${digest}")
endforeach()
string(SHA256 digest "${digests}")
file(WRITE "${OUTPUT}" "namespace kiln {\nextern const char burn_in_rule[] = \"${digest}\";\n}\n")
