# SPDX-License-Identifier: MIT
# The header-only target bankhook::bankhook, bankhook::compiled for programs of many units, bankhook::module.
file(GLOB_RECURSE bankhook_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/bankhook/*.hpp")

add_library(bankhook INTERFACE)
add_library(bankhook::bankhook ALIAS bankhook)
target_compile_features(bankhook INTERFACE cxx_std_23)
target_sources(bankhook INTERFACE
  FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${bankhook_headers})
# Each header is compiled on its own by the target bankhook_verify_interface_header_sets; not in the build of a user.
set_target_properties(bankhook PROPERTIES VERIFY_INTERFACE_HEADER_SETS "${PROJECT_IS_TOP_LEVEL}")

# Built only where a target links to it: reader, writer and tracker are compiled in it, and not in each unit that uses them.
add_library(bankhook_compiled STATIC EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/cmake/compiled.cpp")
add_library(bankhook::compiled ALIAS bankhook_compiled)
target_link_libraries(bankhook_compiled PUBLIC bankhook)
target_compile_definitions(bankhook_compiled PUBLIC BANKHOOK_COMPILED)
set_target_properties(bankhook_compiled PROPERTIES EXPORT_COMPILE_COMMANDS "${PROJECT_IS_TOP_LEVEL}")

if(BANKHOOK_MODULE)
  include("${PROJECT_SOURCE_DIR}/cmake/module.cmake")
endif()
