# SPDX-License-Identifier: MIT
# The page that renders by itself: the engine as WebAssembly, once with the instructions of every browser of today ("simd128")
# and once with a b + c in one rounding ("relaxed", where processor and browser have it), of which the page takes what it can.
set_target_properties(kiln_cpu_relaxed PROPERTIES RULE_LAUNCH_COMPILE ${PROJECT_SOURCE_DIR}/packaging/web/fused)
foreach(isa ${KILN_CPU_ISAS_BUILT})
  target_sources(kiln_cpu_${isa} PRIVATE ${PROJECT_SOURCE_DIR}/view/web/fuses.cpp)
  target_compile_options(kiln_cpu_${isa} PRIVATE -fno-exceptions)
  add_executable(kiln_${isa} view/web/web.cpp view/web/play.cpp engine/device/cpu/code.cpp $<TARGET_OBJECTS:kiln_cpu_${isa}>)
  target_compile_definitions(kiln_${isa} PRIVATE "KILN_CPU_ISA_LIST=KILN_ISA_ENTRY(${isa})")
  target_link_libraries(kiln_${isa} PRIVATE kiln_engine kiln_flags)
  target_include_directories(kiln_${isa} SYSTEM PRIVATE $<TARGET_PROPERTY:nlohmann_json::nlohmann_json,INTERFACE_INCLUDE_DIRECTORIES>)
  target_link_options(kiln_${isa} PRIVATE -O3 -sMODULARIZE=1 -sEXPORT_NAME=kilnModule -sENVIRONMENT=worker
    -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=2GB -sTOTAL_STACK=4MB -sEXPORTED_RUNTIME_METHODS=ccall -sEXPORTED_FUNCTIONS=_malloc,_free,_kiln_fuses --no-entry)
endforeach()
add_custom_command(TARGET kiln_relaxed POST_BUILD
  COMMAND ${PROJECT_SOURCE_DIR}/packaging/web/number ${PROJECT_BINARY_DIR}/kiln_relaxed.wasm)
