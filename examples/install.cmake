# `cmake --install`: the program, the library with its headers, and what find_package(kiln) reads; a test that examples/ builds with it.
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
