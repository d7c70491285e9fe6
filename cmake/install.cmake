# SPDX-License-Identifier: MIT
# The installation: headers, targets and package files for find_package(bankhook).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_directory_property(bankhook_is_excluded EXCLUDE_FROM_ALL)
if(bankhook_is_excluded)
  message(WARNING "bankhook: CMake installs nothing of a directory that is added with EXCLUDE_FROM_ALL: take that or BANKHOOK_INSTALL away")
endif()

# In a wheel everything lies inside the Python package; get_include() and get_cmake_dir() tell where.
if(SKBUILD)
  set(bankhook_include_dir "bankhook/include")
  set(bankhook_cmake_dir "bankhook/share/cmake/bankhook")
else()
  set(bankhook_include_dir "${CMAKE_INSTALL_INCLUDEDIR}")
  set(bankhook_cmake_dir "${CMAKE_INSTALL_DATADIR}/cmake/bankhook")
endif()

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/bankhook-config.cmake.in"
  "${PROJECT_BINARY_DIR}/bankhook-config.cmake"
  INSTALL_DESTINATION "${bankhook_cmake_dir}"
  NO_SET_AND_CHECK_MACRO)
configure_file("${PROJECT_SOURCE_DIR}/cmake/bankhook-config-version.cmake.in"
  "${PROJECT_BINARY_DIR}/bankhook-config-version.cmake" @ONLY)

target_include_directories(bankhook INTERFACE "$<INSTALL_INTERFACE:${bankhook_include_dir}>")
install(TARGETS bankhook EXPORT bankhook-targets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/bankhook" DESTINATION "${bankhook_include_dir}" COMPONENT bankhook
  FILES_MATCHING PATTERN "*.hpp")
# Otherwise it is compiled in the project that finds the package, with its flags.
if(BANKHOOK_INSTALL_COMPILED)
  set_target_properties(bankhook_compiled PROPERTIES EXCLUDE_FROM_ALL FALSE EXPORT_NAME compiled)
  install(TARGETS bankhook_compiled EXPORT bankhook-targets ARCHIVE COMPONENT bankhook)
endif()
install(EXPORT bankhook-targets
  NAMESPACE bankhook::
  DESTINATION "${bankhook_cmake_dir}"
  COMPONENT bankhook)
install(FILES
  "${PROJECT_BINARY_DIR}/bankhook-config.cmake"
  "${PROJECT_BINARY_DIR}/bankhook-config-version.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/compiled.cpp"
  "${PROJECT_SOURCE_DIR}/cmake/bankhook.cppm"
  "${PROJECT_SOURCE_DIR}/cmake/bankhook_gdb.py"
  "${PROJECT_SOURCE_DIR}/cmake/module.cmake"
  DESTINATION "${bankhook_cmake_dir}"
  COMPONENT bankhook)

# The wheel has its own licence file, and pip's users ask get_include().
if(NOT SKBUILD)
  set(bankhook_pc_dir "${CMAKE_INSTALL_DATADIR}/pkgconfig")
  # Relative, so that the tree may be moved, unless a folder was given as an absolute one.
  set(bankhook_pc_prefix "${CMAKE_INSTALL_PREFIX}")
  set(bankhook_pc_include "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
  if(NOT IS_ABSOLUTE "${bankhook_pc_dir}")
    file(RELATIVE_PATH bankhook_pc_prefix "/${bankhook_pc_dir}" "/")
    string(PREPEND bankhook_pc_prefix "\${pcfiledir}/")
    if(NOT IS_ABSOLUTE "${bankhook_include_dir}")
      set(bankhook_pc_include "\${prefix}/${bankhook_include_dir}")
    endif()
  endif()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/bankhook.pc.in" "${PROJECT_BINARY_DIR}/bankhook.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/bankhook.pc" DESTINATION "${bankhook_pc_dir}" COMPONENT bankhook)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT bankhook)
endif()
