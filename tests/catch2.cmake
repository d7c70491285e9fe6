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
  list(APPEND CMAKE_MODULE_PATH "${catch2_SOURCE_DIR}/extras")
  set(Catch2_VERSION 3.7.1)
elseif(NOT Catch2_FOUND)
  message(FATAL_ERROR
    "The tests need Catch2 3 or 2.13: install the package catch2, or configure with -DBANKHOOK_FETCH_CATCH2=ON")
elseif(Catch2_VERSION VERSION_LESS 2.13)
  message(FATAL_ERROR "The tests need Catch2 3 or 2.13, found ${Catch2_VERSION}")
endif()

if(Catch2_VERSION VERSION_LESS 3)
  add_library(bankhook_catch OBJECT support/catch2_v2/main/main.cpp)
  target_include_directories(bankhook_catch PUBLIC support/catch2_v2)
  target_link_libraries(bankhook_catch PUBLIC Catch2::Catch2)
  target_compile_features(bankhook_catch PUBLIC cxx_std_23)
  target_compile_options(bankhook_catch PRIVATE -w -O0)  # not our code: quick to build is all it has to be
else()
  add_library(bankhook_catch INTERFACE)
  target_include_directories(bankhook_catch INTERFACE support/catch2_v3)
  target_link_libraries(bankhook_catch INTERFACE Catch2::Catch2WithMain)
endif()
include(Catch)
