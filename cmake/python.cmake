# SPDX-License-Identifier: MIT
# The extension module bankhook._core; scikit-build-core calls this while it makes the wheel.
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 3 CONFIG REQUIRED)

# Few large units instead of many small ones: whatever includes pybind11 and the library costs some 18 seconds before its
# own first line. What runs once, while the module starts, is not optimised far. It is a library because libraries are linked
# after objects, in any version of CMake: of a function that stands in both parts the linker takes the first copy.
file(GLOB bankhook_registration CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bindings/*.cpp")
set(bankhook_bindings
  archive_parts decimals findings from_python outcome table_sources to_python wire wire_text
  register_batches register_classes register_rules register_lines register_parse register_select register_tables
  register_tracker tracker_storage)
list(TRANSFORM bankhook_bindings PREPEND "${PROJECT_SOURCE_DIR}/bindings/")
list(TRANSFORM bankhook_bindings APPEND ".cpp")
list(REMOVE_ITEM bankhook_registration ${bankhook_bindings})

pybind11_add_module(_core MODULE NO_EXTRAS ${bankhook_bindings})
add_library(bankhook_registration STATIC ${bankhook_registration})
target_link_libraries(bankhook_registration PRIVATE pybind11::module)
target_link_libraries(_core PRIVATE "$<LINK_LIBRARY:WHOLE_ARCHIVE,bankhook_registration>")
target_compile_options(_core PRIVATE -O3)
target_compile_options(bankhook_registration PRIVATE -O1)
foreach(target IN ITEMS _core bankhook_registration)
  target_link_libraries(${target} PRIVATE bankhook::bankhook)
  set_target_properties(${target} PROPERTIES
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON
    UNITY_BUILD ON
    UNITY_BUILD_BATCH_SIZE 8)
endforeach()
install(TARGETS _core LIBRARY DESTINATION bankhook COMPONENT python)

# bankhook.testing.samples: the payloads of the tests, which have one place in the repository and travel in the wheel.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tests/data/" DESTINATION bankhook/_samples COMPONENT python
  FILES_MATCHING PATTERN "*.json" PATTERN "findings.tsv" PATTERN "archive.ndjson" PATTERN "snapshots" EXCLUDE)
