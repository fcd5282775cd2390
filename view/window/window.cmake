# SPDX-License-Identifier: MIT
# `kiln view --window`, where the headers of GLFW and OpenGL are there; their libraries are opened at run time.
if(NOT KILN_HAS_WINDOW)
  target_sources(kiln PRIVATE view/window/no_window.cpp)
  return()
endif()
target_sources(kiln PRIVATE view/window/window.cpp view/window/screen.cpp view/window/screen.cpp)
target_include_directories(kiln SYSTEM PRIVATE ${GLFW_INCLUDE} ${OPENGL_INCLUDE})
target_link_libraries(kiln PRIVATE ${CMAKE_DL_LIBS})
