# SPDX-License-Identifier: MIT
# libkiln.so beside libkiln.a: the sources of the public functions, linked with what they need of the static library. Only
# those functions are seen from outside (kiln.map.in), under the name of their version.
option(KILN_SHARED "Build libkiln.so beside libkiln.a" ON)
option(KILN_ABI "libkiln.so knows its functions' types, for packaging/abi" OFF)
if(NOT KILN_SHARED OR (KILN_STATIC AND NOT KILN_INSIDE) OR KILN_SANITIZE)
  return()
endif()
add_library(kiln_shared SHARED engine/api/kiln_api.cpp engine/api/scene_api.cpp engine/api/live_api.cpp engine/api/sound_api.cpp engine/api/parts_api.cpp engine/api/points_api.cpp engine/api/parts_c_api.cpp engine/api/kiln_fft_api.cpp engine/api/kiln_c_api.cpp)
target_link_libraries(kiln_shared PRIVATE kiln_engine kiln_flags)
if(KILN_ABI)
  target_compile_options(kiln_shared PRIVATE -g)
endif()
if(KILN_STATIC)
  target_link_options(kiln_shared PRIVATE ${KILN_CARRIED_LINK})
  set_target_properties(kiln_shared PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
endif()
set(map ${CMAKE_CURRENT_BINARY_DIR}/kiln.map)
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/engine/api/kiln.map.in ${map} @ONLY)
target_link_options(kiln_shared PRIVATE -Wl,--version-script=${map} -Wl,--no-undefined)
set_target_properties(kiln_shared PROPERTIES OUTPUT_NAME kiln EXPORT_NAME shared VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINK_DEPENDS ${map})
