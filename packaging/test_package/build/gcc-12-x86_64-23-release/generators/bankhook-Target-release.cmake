# Avoid multiple calls to find_package to append duplicated properties to the targets
include_guard()########### VARIABLES #######################################################################
#############################################################################################
set(bankhook_FRAMEWORKS_FOUND_RELEASE "") # Will be filled later
conan_find_apple_frameworks(bankhook_FRAMEWORKS_FOUND_RELEASE "${bankhook_FRAMEWORKS_RELEASE}" "${bankhook_FRAMEWORK_DIRS_RELEASE}")

set(bankhook_LIBRARIES_TARGETS "") # Will be filled later


######## Create an interface target to contain all the dependencies (frameworks, system and conan deps)
if(NOT TARGET bankhook_DEPS_TARGET)
    add_library(bankhook_DEPS_TARGET INTERFACE IMPORTED)
endif()

set_property(TARGET bankhook_DEPS_TARGET
             APPEND PROPERTY INTERFACE_LINK_LIBRARIES
             $<$<CONFIG:Release>:${bankhook_FRAMEWORKS_FOUND_RELEASE}>
             $<$<CONFIG:Release>:${bankhook_SYSTEM_LIBS_RELEASE}>
             $<$<CONFIG:Release>:>)

####### Find the libraries declared in cpp_info.libs, create an IMPORTED target for each one and link the
####### bankhook_DEPS_TARGET to all of them
conan_package_library_targets("${bankhook_LIBS_RELEASE}"    # libraries
                              "${bankhook_LIB_DIRS_RELEASE}" # package_libdir
                              "${bankhook_BIN_DIRS_RELEASE}" # package_bindir
                              "${bankhook_LIBRARY_TYPE_RELEASE}"
                              "${bankhook_IS_HOST_WINDOWS_RELEASE}"
                              bankhook_DEPS_TARGET
                              bankhook_LIBRARIES_TARGETS  # out_libraries_targets
                              "_RELEASE"
                              "bankhook"    # package_name
                              "${bankhook_NO_SONAME_MODE_RELEASE}")  # soname

# FIXME: What is the result of this for multi-config? All configs adding themselves to path?
set(CMAKE_MODULE_PATH ${bankhook_BUILD_DIRS_RELEASE} ${CMAKE_MODULE_PATH})

########## GLOBAL TARGET PROPERTIES Release ########################################
    set_property(TARGET bankhook::bankhook
                 APPEND PROPERTY INTERFACE_LINK_LIBRARIES
                 $<$<CONFIG:Release>:${bankhook_OBJECTS_RELEASE}>
                 $<$<CONFIG:Release>:${bankhook_LIBRARIES_TARGETS}>
                 )

    if("${bankhook_LIBS_RELEASE}" STREQUAL "")
        # If the package is not declaring any "cpp_info.libs" the package deps, system libs,
        # frameworks etc are not linked to the imported targets and we need to do it to the
        # global target
        set_property(TARGET bankhook::bankhook
                     APPEND PROPERTY INTERFACE_LINK_LIBRARIES
                     bankhook_DEPS_TARGET)
    endif()

    set_property(TARGET bankhook::bankhook
                 APPEND PROPERTY INTERFACE_LINK_OPTIONS
                 $<$<CONFIG:Release>:${bankhook_LINKER_FLAGS_RELEASE}>)
    set_property(TARGET bankhook::bankhook
                 APPEND PROPERTY INTERFACE_INCLUDE_DIRECTORIES
                 $<$<CONFIG:Release>:${bankhook_INCLUDE_DIRS_RELEASE}>)
    # Necessary to find LINK shared libraries in Linux
    set_property(TARGET bankhook::bankhook
                 APPEND PROPERTY INTERFACE_LINK_DIRECTORIES
                 $<$<CONFIG:Release>:${bankhook_LIB_DIRS_RELEASE}>)
    set_property(TARGET bankhook::bankhook
                 APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS
                 $<$<CONFIG:Release>:${bankhook_COMPILE_DEFINITIONS_RELEASE}>)
    set_property(TARGET bankhook::bankhook
                 APPEND PROPERTY INTERFACE_COMPILE_OPTIONS
                 $<$<CONFIG:Release>:${bankhook_COMPILE_OPTIONS_RELEASE}>)

########## For the modules (FindXXX)
set(bankhook_LIBRARIES_RELEASE bankhook::bankhook)
