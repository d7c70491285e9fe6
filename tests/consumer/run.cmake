# SPDX-License-Identifier: MIT
# Builds the project beside this file in WAY (find_package or add_subdirectory), runs it and looks at what it prints.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${said}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${SCRATCH}")
if(WAY STREQUAL "find_package")
  run("${CMAKE_COMMAND}" --install "${BINARY}" --prefix "${SCRATCH}/elsewhere" --component bankhook)
  # Moved once, so that nothing in the package can name the place it was installed to.
  file(RENAME "${SCRATCH}/elsewhere" "${SCRATCH}/prefix")
  set(from "-DCMAKE_PREFIX_PATH=${SCRATCH}/prefix")
else()
  set(from "-DBANKHOOK_SOURCE=${SOURCE}")
endif()

run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/project" -B "${SCRATCH}/build" -G "${GENERATOR}"
  "-DCMAKE_CXX_COMPILER=${COMPILER}" "${from}")
run("${CMAKE_COMMAND}" --build "${SCRATCH}/build")
run("${SCRATCH}/build/consumer")
if(NOT said STREQUAL "ext-1\n")
  message(FATAL_ERROR "expected the member's external id, the consumer printed: ${said}")
endif()

# A part of another project installs nothing that the project did not ask for.
if(WAY STREQUAL "add_subdirectory")
  run("${CMAKE_COMMAND}" --install "${SCRATCH}/build" --prefix "${SCRATCH}/installed")
  file(GLOB_RECURSE installed "${SCRATCH}/installed/*")
  if(installed)
    message(FATAL_ERROR "installed though nobody asked for it: ${installed}")
  endif()
endif()
