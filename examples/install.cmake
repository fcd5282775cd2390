# `cmake --install`: the program with its manual and completion, the library with its headers, and what find_package(kiln)
# and pkg-config read; a test that examples/ builds with it. No installed file names a folder of this machine.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/kiln)
target_include_directories(kiln_engine INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS kiln RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS kiln_engine kiln_kernels kiln_flags EXPORT kilnTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES engine/kiln.h engine/kiln_fft.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY engine/kiln DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT kilnTargets NAMESPACE kiln:: DESTINATION ${package_folder})
set(KILN_STATIC_CONFIG ${KILN_STATIC})
configure_package_config_file(examples/kilnConfig.cmake.in kilnConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(kilnConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kilnConfig.cmake ${PROJECT_BINARY_DIR}/kilnConfigVersion.cmake DESTINATION ${package_folder})

set(kiln_requires fmt tinyxml2)
set(kiln_libraries -lstdc++ -lpthread -lm)
if(KILN_STATIC)
  list(APPEND kiln_libraries -lpng16 -lz -lcrypto -lzstd)
else()
  list(APPEND kiln_requires libpng zlib libcrypto libzstd)
endif()
if(KILN_HAS_EXR)
  list(APPEND kiln_requires OpenEXR)
endif()
if(KILN_HAS_CUDA)
  list(APPEND kiln_libraries -lcudart_static -lrt -ldl)  # their folder, CUDA's own, is the user's to name
endif()
list(JOIN kiln_requires ", " kiln_requires)
list(JOIN kiln_libraries " " kiln_libraries)
file(RELATIVE_PATH kiln_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)  # ../.. or one more
configure_file(examples/kiln.pc.in kiln.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/kiln.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The program itself writes its manual and what shells complete with, from its options (cli/man_page.cpp, cli/completion.cpp).
set(manual ${PROJECT_BINARY_DIR}/manual)
set(KILN_ZSH_FOLDER site-functions CACHE STRING "Where zsh looks below share/zsh; Debian's packages: vendor-completions")
install(CODE "set(kiln_program \"$<TARGET_FILE:kiln>\")\nset(manual \"${manual}\")")
install(SCRIPT examples/write_manual.cmake)
install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${manual}/kiln DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${manual}/_kiln DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${KILN_ZSH_FOLDER})
install(FILES ${manual}/kiln.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

if(KILN_TESTS)
  set(sanitizer_flags)
  if(KILN_SANITIZE)
    set(sanitizer_flags -fsanitize=${KILN_SANITIZE})  # a list of them holds commas, which generator expressions split
  endif()
  add_test(NAME installed_library COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR}
    -DWORK=${PROJECT_BINARY_DIR}/check_install -DEXAMPLES=${PROJECT_SOURCE_DIR}/examples -DCXX=${CMAKE_CXX_COMPILER}
    "-DCXX_FLAGS=${sanitizer_flags}"
    -P ${PROJECT_SOURCE_DIR}/examples/check_install.cmake)
endif()
