# SPDX-License-Identifier: MIT
# How the library's own code is built when it is the top-level project: strict language, all warnings, sanitizers and coverage on demand.
set(CMAKE_CXX_EXTENSIONS OFF)
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow)

if(BANKHOOK_SANITIZE)
  add_compile_options(-fsanitize=${BANKHOOK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${BANKHOOK_SANITIZE})
  if(BANKHOOK_SANITIZE MATCHES "implicit-conversion")  # that changes a value: no error of C++, but never meant here
    add_compile_options("-fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/sanitize_ignore.txt")
  endif()
  if(BANKHOOK_SANITIZE MATCHES "memory")
    # What the compiled standard library writes looks uninitialised: none of its strings is used from there.
    add_compile_definitions(_GLIBCXX_EXTERN_TEMPLATE=0)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC warns of uninitialised values all over instrumented code, the standard library's too; and with its checks of
    # null pointers addresses are no constant expressions any more. Clang checks them.
    add_compile_options(-Wno-maybe-uninitialized -fno-sanitize=null,nonnull-attribute,returns-nonnull-attribute)
  endif()
endif()

if(BANKHOOK_COVERAGE)
  add_compile_options(--coverage -fprofile-abs-path)
  add_link_options(--coverage)
endif()
