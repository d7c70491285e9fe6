########### AGGREGATED COMPONENTS AND DEPENDENCIES FOR THE MULTI CONFIG #####################
#############################################################################################

set(bankhook_COMPONENT_NAMES "")
if(DEFINED bankhook_FIND_DEPENDENCY_NAMES)
  list(APPEND bankhook_FIND_DEPENDENCY_NAMES )
  list(REMOVE_DUPLICATES bankhook_FIND_DEPENDENCY_NAMES)
else()
  set(bankhook_FIND_DEPENDENCY_NAMES )
endif()

########### VARIABLES #######################################################################
#############################################################################################
set(bankhook_PACKAGE_FOLDER_RELEASE "/tmp/c32conan/p/b/bankhf1c1858deb3ba/p")
set(bankhook_BUILD_MODULES_PATHS_RELEASE )


set(bankhook_INCLUDE_DIRS_RELEASE "${bankhook_PACKAGE_FOLDER_RELEASE}/include")
set(bankhook_RES_DIRS_RELEASE )
set(bankhook_DEFINITIONS_RELEASE )
set(bankhook_SHARED_LINK_FLAGS_RELEASE )
set(bankhook_EXE_LINK_FLAGS_RELEASE )
set(bankhook_OBJECTS_RELEASE )
set(bankhook_COMPILE_DEFINITIONS_RELEASE )
set(bankhook_COMPILE_OPTIONS_C_RELEASE )
set(bankhook_COMPILE_OPTIONS_CXX_RELEASE )
set(bankhook_LIB_DIRS_RELEASE )
set(bankhook_BIN_DIRS_RELEASE )
set(bankhook_LIBRARY_TYPE_RELEASE UNKNOWN)
set(bankhook_IS_HOST_WINDOWS_RELEASE 0)
set(bankhook_LIBS_RELEASE )
set(bankhook_SYSTEM_LIBS_RELEASE )
set(bankhook_FRAMEWORK_DIRS_RELEASE )
set(bankhook_FRAMEWORKS_RELEASE )
set(bankhook_BUILD_DIRS_RELEASE )
set(bankhook_NO_SONAME_MODE_RELEASE FALSE)


# COMPOUND VARIABLES
set(bankhook_COMPILE_OPTIONS_RELEASE)
if (NOT "${bankhook_COMPILE_OPTIONS_CXX_RELEASE}" STREQUAL "")
    list(APPEND bankhook_COMPILE_OPTIONS_RELEASE
        "$<$<COMPILE_LANGUAGE:CXX>:${bankhook_COMPILE_OPTIONS_CXX_RELEASE}>")
endif ()
if (NOT "${bankhook_COMPILE_OPTIONS_C_RELEASE}" STREQUAL "")
    list(APPEND bankhook_COMPILE_OPTIONS_RELEASE
        "$<$<COMPILE_LANGUAGE:C>:${bankhook_COMPILE_OPTIONS_C_RELEASE}>")
endif ()
set(bankhook_LINKER_FLAGS_RELEASE)
if (NOT "${bankhook_SHARED_LINK_FLAGS_RELEASE}" STREQUAL "")
    list(APPEND bankhook_LINKER_FLAGS_RELEASE
        "$<$<OR:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>,$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>>:${bankhook_SHARED_LINK_FLAGS_RELEASE}>")
endif ()
if (NOT "${bankhook_EXE_LINK_FLAGS_RELEASE}" STREQUAL "")
    list(APPEND bankhook_LINKER_FLAGS_RELEASE
        "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${bankhook_EXE_LINK_FLAGS_RELEASE}>")
endif ()


set(bankhook_COMPONENTS_RELEASE )