# SPDX-License-Identifier: MIT
# cmake -DCMAKE_TOOLCHAIN_FILE=packaging/arm64.cmake: kiln for ARM64, built on another Debian. Its compiler is
# g++-aarch64-linux-gnu, its libraries are Debian's packages NAME:arm64, its programs run under qemu-user-static
# (scripts/everywhere installs all of them).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(triplet aarch64-linux-gnu)
if(KILN_ARM64_CLANG)  # by clang-14 instead, with the linker and the C++ library of the other
  set(CMAKE_C_COMPILER clang-14)
  set(CMAKE_CXX_COMPILER clang++-14)
  set(CMAKE_C_COMPILER_TARGET ${triplet})
  set(CMAKE_CXX_COMPILER_TARGET ${triplet})
  set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES KILN_ARM64_CLANG)
else()
  set(CMAKE_C_COMPILER ${triplet}-gcc)
  set(CMAKE_CXX_COMPILER ${triplet}-g++)
endif()
set(CMAKE_LIBRARY_ARCHITECTURE ${triplet})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
# What has code comes from the processor's own folder; headers alone are the same for all.
set(CMAKE_FIND_ROOT_PATH /usr/lib/${triplet} /usr/${triplet})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/${triplet}/pkgconfig:/usr/share/pkgconfig)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
