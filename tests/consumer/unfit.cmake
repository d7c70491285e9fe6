# SPDX-License-Identifier: MIT
# Compiles PROGRAM with OPTIONS that the library does not compile with: one sentence says so, and the compiler stops.
set(ENV{LC_ALL} C)
execute_process(COMMAND "${COMPILER}" ${OPTIONS} -fsyntax-only "-I${INCLUDE}" "${PROGRAM}"
  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(status EQUAL 0)
  message(FATAL_ERROR "${OPTIONS}: compiles, but must not")
endif()
string(REPLACE ";" "," said "${said}")  # or the sentence would be two entries of a list
string(REGEX MATCHALL "error: [^\n]*" errors "${said}")
set(sentence "error: [^\n]*bankhook needs C\\+\\+23: [^\n]*libstdc\\+\\+ 12 or libc\\+\\+ 19")
list(LENGTH errors count)
if(NOT count EQUAL 2 OR NOT "${errors}" MATCHES "^${sentence}" OR NOT "${errors}" MATCHES "bankhook_needs_cpp23")
  message(FATAL_ERROR "${OPTIONS}: expected the sentence alone, the compiler said:\n${said}")
endif()
