# SPDX-License-Identifier: MIT
# The header-only target bankhook::bankhook, bankhook::compiled for programs of many units, bankhook::module.
add_library(bankhook INTERFACE)
add_library(bankhook::bankhook ALIAS bankhook)
target_compile_features(bankhook INTERFACE cxx_std_23)
target_include_directories(bankhook INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>")

# Built only where a target links to it: reader, writer and tracker are compiled in it, and not in each unit that uses them.
add_library(bankhook_compiled STATIC EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/cmake/compiled.cpp")
add_library(bankhook::compiled ALIAS bankhook_compiled)
target_link_libraries(bankhook_compiled PUBLIC bankhook)
target_compile_definitions(bankhook_compiled PUBLIC BANKHOOK_COMPILED)
# A shared library may link to it.
set_target_properties(bankhook_compiled PROPERTIES
  EXPORT_COMPILE_COMMANDS "${PROJECT_IS_TOP_LEVEL}" POSITION_INDEPENDENT_CODE ON)

if(BANKHOOK_MODULE)
  include("${PROJECT_SOURCE_DIR}/cmake/module.cmake")
endif()
