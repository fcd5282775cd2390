# SPDX-License-Identifier: MIT
# CMake's toolchain of Windows on x86-64: Debian's MinGW-w64 with threads as POSIX has them; libraries of packaging/windows.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_FIND_ROOT_PATH ${KILN_WINDOWS_PREFIX} /usr/x86_64-w64-mingw32)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES KILN_WINDOWS_PREFIX)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ZLIB_LIBRARY /usr/x86_64-w64-mingw32/lib/libz.a CACHE FILEPATH "not the DLL of it")
# Windows 10; nothing of its headers that nobody asks for. Vectors on the stack: GCC aligns them there to 16 bytes alone (its
# bug 54412), so that what moves 32 or 64 bytes must not insist on more.
set(kiln_windows_flags "-D_WIN32_WINNT=0x0A00 -DWINVER=0x0A00 -D_FILE_OFFSET_BITS=64 -DNOMINMAX -DWIN32_LEAN_AND_MEAN -Wa,-muse-unaligned-vector-move")
set(CMAKE_C_FLAGS_INIT "${kiln_windows_flags}")
set(CMAKE_CXX_FLAGS_INIT "${kiln_windows_flags}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")
