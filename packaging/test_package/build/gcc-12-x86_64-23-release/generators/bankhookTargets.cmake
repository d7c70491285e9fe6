# Load the debug and release variables
file(GLOB DATA_FILES "${CMAKE_CURRENT_LIST_DIR}/bankhook-*-data.cmake")

foreach(f ${DATA_FILES})
    include(${f})
endforeach()

# Create the targets for all the components
foreach(_COMPONENT ${bankhook_COMPONENT_NAMES} )
    if(NOT TARGET ${_COMPONENT})
        add_library(${_COMPONENT} INTERFACE IMPORTED)
        message(${bankhook_MESSAGE_MODE} "Conan: Component target declared '${_COMPONENT}'")
    endif()
endforeach()

if(NOT TARGET bankhook::bankhook)
    add_library(bankhook::bankhook INTERFACE IMPORTED)
    message(${bankhook_MESSAGE_MODE} "Conan: Target declared 'bankhook::bankhook'")
endif()
# Load the debug and release library finders
file(GLOB CONFIG_FILES "${CMAKE_CURRENT_LIST_DIR}/bankhook-Target-*.cmake")

foreach(f ${CONFIG_FILES})
    include(${f})
endforeach()