# SPDX-License-Identifier: MIT
# Compiles one CASE with COMPILER: refused with the sentence of its `// expect: <regex>`, or accepted with CONTROL=ON.
file(READ "${CASE}" text LIMIT 1000)
if(NOT text MATCHES "\n// expect: ([^\n]+)\n")
  message(FATAL_ERROR "${CASE}:\n  no line `// expect: <regex>` near its begin")
endif()
set(expected "${CMAKE_MATCH_1}")
if(NOT text MATCHES "CONTROL")
  message(FATAL_ERROR "${CASE}:\n  no control: one part under #ifdef CONTROL must compile")
endif()

set(command "${COMPILER}" -std=c++23 -fsyntax-only "-I${INCLUDE}")
if(CONTROL)
  list(APPEND command -DCONTROL)
endif()
set(ENV{LC_ALL} C)  # sentences in English, quotes in ASCII
execute_process(COMMAND ${command} "${CASE}" RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)

if(CONTROL)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${CASE}:\n  the control must compile:\n${said}")
  endif()
elseif(status EQUAL 0)
  message(FATAL_ERROR "${CASE}:\n  compiles, but must not")
elseif(NOT said MATCHES "${expected}")
  message(FATAL_ERROR "${CASE}:\n  refused, but without the sentence `${expected}`:\n${said}")
endif()
