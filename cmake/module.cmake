# SPDX-License-Identifier: MIT
# The target bankhook::module: a program that links to it writes `import bankhook;`.
if(CMAKE_VERSION VERSION_LESS 3.28)
  message(FATAL_ERROR "bankhook::module needs CMake 3.28 or newer, which knows C++ modules; this is ${CMAKE_VERSION}")
endif()
add_library(bankhook_module STATIC EXCLUDE_FROM_ALL)
add_library(bankhook::module ALIAS bankhook_module)
target_sources(bankhook_module PUBLIC
  FILE_SET CXX_MODULES BASE_DIRS "${CMAKE_CURRENT_LIST_DIR}" FILES "${CMAKE_CURRENT_LIST_DIR}/bankhook.cppm")
target_link_libraries(bankhook_module PUBLIC bankhook::bankhook)
target_compile_definitions(bankhook_module PUBLIC BANKHOOK_IMPORTED)
set_target_properties(bankhook_module PROPERTIES CXX_SCAN_FOR_MODULES ON POSITION_INDEPENDENT_CODE ON)
