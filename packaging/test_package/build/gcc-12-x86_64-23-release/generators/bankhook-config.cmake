########## MACROS ###########################################################################
#############################################################################################

# Requires CMake > 3.15
if(${CMAKE_VERSION} VERSION_LESS "3.15")
    message(FATAL_ERROR "The 'CMakeDeps' generator only works with CMake >= 3.15")
endif()

if(bankhook_FIND_QUIETLY)
    set(bankhook_MESSAGE_MODE VERBOSE)
else()
    set(bankhook_MESSAGE_MODE STATUS)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/cmakedeps_macros.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/bankhookTargets.cmake)
include(CMakeFindDependencyMacro)

check_build_type_defined()

foreach(_DEPENDENCY ${bankhook_FIND_DEPENDENCY_NAMES} )
    # Check that we have not already called a find_package with the transitive dependency
    if(NOT ${_DEPENDENCY}_FOUND)
        find_dependency(${_DEPENDENCY} REQUIRED ${${_DEPENDENCY}_FIND_MODE})
    endif()
endforeach()

set(bankhook_VERSION_STRING "0.1.0")
set(bankhook_INCLUDE_DIRS ${bankhook_INCLUDE_DIRS_RELEASE} )
set(bankhook_INCLUDE_DIR ${bankhook_INCLUDE_DIRS_RELEASE} )
set(bankhook_LIBRARIES ${bankhook_LIBRARIES_RELEASE} )
set(bankhook_DEFINITIONS ${bankhook_DEFINITIONS_RELEASE} )


# Definition of extra CMake variables from cmake_extra_variables


# Only the last installed configuration BUILD_MODULES are included to avoid the collision
foreach(_BUILD_MODULE ${bankhook_BUILD_MODULES_PATHS_RELEASE} )
    message(${bankhook_MESSAGE_MODE} "Conan: Including build module from '${_BUILD_MODULE}'")
    include(${_BUILD_MODULE})
endforeach()


