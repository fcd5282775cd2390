# The test of the installed library: installs this build into a fresh folder, builds the example against it, renders.
#   cmake -DBUILD=<build folder> -DWORK=<scratch folder> -DEXAMPLES=<this folder> [-DCXX=<compiler>] -P check_install.cmake
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nexit code ${result}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
file(GLOB_RECURSE headers RELATIVE ${WORK}/installed/include ${WORK}/installed/include/*)
set(public kiln.h kiln/error.h kiln/image.h kiln/render_options.h kiln_fft.h)
if(NOT headers STREQUAL public)
  message(FATAL_ERROR "to be installed: ${public}; found: ${headers}")
endif()
run(${CMAKE_COMMAND} -G Ninja -S ${EXAMPLES} -B ${WORK}/build -DCMAKE_PREFIX_PATH=${WORK}/installed -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_CXX_FLAGS=${CXX_FLAGS})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/render ${EXAMPLES}/triangle.flame)
run(${WORK}/build/convolve)
run(${WORK}/installed/bin/kiln render ${EXAMPLES}/triangle.flame --width 320 --seed 7 -o from_program.png --quiet)
# The library and the program are the same renderer.
run(${WORK}/installed/bin/kiln compare --hash picture_0.png from_program.png)
