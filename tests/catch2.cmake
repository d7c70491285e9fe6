# SPDX-License-Identifier: MIT
# Finds Catch2 3 or 2.13 and gives the target bankhook_catch: the shim <bankhook_catch.hpp>, and main().
find_package(Catch2 QUIET)
if(NOT Catch2_FOUND AND BANKHOOK_FETCH_CATCH2)
  include(FetchContent)
  FetchContent_Declare(Catch2
    GIT_REPOSITORY https://github.com/catchorg/Catch2.git
    GIT_TAG v3.7.1
    GIT_SHALLOW ON
    SYSTEM)
  FetchContent_MakeAvailable(Catch2)
  set(Catch2_VERSION 3.7.1)
endif()
if(NOT TARGET Catch2::Catch2WithMain OR Catch2_VERSION VERSION_LESS 2.13)
  message(FATAL_ERROR
    "The tests need Catch2 3 or 2.13 with its library: install the package catch2, or configure with "
    "-DBANKHOOK_FETCH_CATCH2=ON")
endif()

add_library(bankhook_catch INTERFACE)
if(Catch2_VERSION VERSION_LESS 3)
  target_include_directories(bankhook_catch INTERFACE support/catch2_v2)
else()
  target_include_directories(bankhook_catch INTERFACE support/catch2_v3)
endif()
# An exception in an expression ends its test case; without this, each CHECK has a handler that the compiler has to make.
target_compile_definitions(bankhook_catch INTERFACE CATCH_CONFIG_FAST_COMPILE)
target_link_libraries(bankhook_catch INTERFACE Catch2::Catch2WithMain)
