# SPDX-License-Identifier: MIT
# What kiln uses, for the page: Debian's source packages in KILN_WEB_SOURCES, a folder each, and headers of the host
# (packaging/web/make fetches the ones and links the others). Targets are called as find_package() calls them.
set(links ${KILN_WEB_SOURCES}/headers)
enable_language(C)

function(kiln_web_library name folder)  # NAME FOLDER FILE...
  list(TRANSFORM ARGN PREPEND ${folder}/ OUTPUT_VARIABLE files)
  add_library(${name} STATIC ${files})
  target_include_directories(${name} SYSTEM PUBLIC ${folder})
  target_compile_options(${name} PRIVATE -w -Oz)
endfunction()

set(zlib ${KILN_WEB_SOURCES}/zlib)
kiln_web_library(zlib ${zlib} adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c)
target_compile_options(zlib PRIVATE -O3)
add_library(ZLIB::ZLIB ALIAS zlib)

set(png ${KILN_WEB_SOURCES}/libpng1.6)
configure_file(${png}/scripts/pnglibconf.h.prebuilt ${png}/pnglibconf.h COPYONLY)
kiln_web_library(png ${png} png.c pngerror.c pngget.c pngmem.c pngpread.c pngread.c pngrio.c pngrtran.c pngrutil.c
  pngset.c pngtrans.c pngwio.c pngwrite.c pngwtran.c pngwutil.c)
target_link_libraries(png PUBLIC zlib)
add_library(PNG::PNG ALIAS png)

set(zstd ${KILN_WEB_SOURCES}/libzstd/lib)
file(GLOB zstd_files RELATIVE ${zstd} ${zstd}/common/*.c ${zstd}/compress/*.c ${zstd}/decompress/*.c)
kiln_web_library(zstd ${zstd} ${zstd_files})
target_compile_definitions(zstd PRIVATE ZSTD_DISABLE_ASM)
set(ZSTD_LIBRARY zstd)
set(ZSTD_INCLUDE ${zstd})

kiln_web_library(tinyxml2 ${KILN_WEB_SOURCES}/tinyxml2 tinyxml2.cpp)
set(TINYXML2_LIBRARY tinyxml2)
set(TINYXML2_INCLUDE ${KILN_WEB_SOURCES}/tinyxml2)

# Nettle's SHA-256 alone; its files ask for a header of its configuration, of which they need nothing.
set(nettle ${KILN_WEB_SOURCES}/nettle)
file(WRITE ${nettle}/config.h "")
kiln_web_library(nettle ${nettle} sha256.c sha256-compress.c write-be32.c)
target_compile_options(nettle PRIVATE -O3)

foreach(headers fmt::fmt nlohmann_json::nlohmann_json)
  add_library(${headers} INTERFACE IMPORTED)
  target_include_directories(${headers} SYSTEM INTERFACE ${links})
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
