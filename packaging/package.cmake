# SPDX-License-Identifier: MIT
# What packages have beside the program and the library, the pages of docs/ with all that they lead to, and `cpack`, which makes a
# tarball (scripts/package; packaging/deb makes those of Debian).
# All that pages link to (check_install.cmake looks).
install(FILES README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE Dockerfile DESTINATION ${CMAKE_INSTALL_DOCDIR})
option(KILN_PAGE_PICTURES "Install the pictures of the pages of docs/, 12 MB" ON)
set(left_out)
if(NOT KILN_PAGE_PICTURES)
  set(left_out REGEX "\\.(png|jpg|webp|svg)$" EXCLUDE)
endif()
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} ${left_out})
install(DIRECTORY flames DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "*.py" EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "*.cmake" EXCLUDE PATTERN "*.in" EXCLUDE)
if(KILN_STATIC AND NOT KILN_INSIDE)  # what has no static library travels beside the program, which looks there first
  file(REAL_PATH ${TINYXML2_LIBRARY} tinyxml2_file)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${tinyxml2_file} OUTPUT_VARIABLE parts)
  string(REGEX MATCH "SONAME +([^\n ]+)" soname "${parts}")
  install(FILES ${tinyxml2_file} DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME ${CMAKE_MATCH_1})
endif()

set(CPACK_PACKAGE_NAME kiln)
set(CPACK_PACKAGE_VENDOR "kiln")
set(CPACK_PACKAGE_CONTACT "Maintainers of kiln <maintainers@kiln.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "fractal flames: flam3 XML in, pictures and animations out")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR TGZ)
include(CPack)
