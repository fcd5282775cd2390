# SPDX-License-Identifier: MIT
# Part of `cmake --install`: kiln writes its manual and completion into the folder `manual`.
function(written_by_kiln file)
  execute_process(COMMAND ${kiln_program} ${ARGN} OUTPUT_FILE ${manual}/${file} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${kiln_program} ${ARGN}: exit code ${result}")
  endif()
endfunction()

file(REMOVE_RECURSE ${manual})
file(MAKE_DIRECTORY ${manual}/man1)
execute_process(COMMAND ${kiln_program} man --into ${manual}/man1 RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${kiln_program} man --into ${manual}/man1: exit code ${result}")
endif()
written_by_kiln(kiln completion bash)
written_by_kiln(_kiln completion zsh)
written_by_kiln(kiln.fish completion fish)
