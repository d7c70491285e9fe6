# SPDX-License-Identifier: MIT
# The extension module bankhook._core; scikit-build-core calls this while it makes the wheel.
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 3 CONFIG REQUIRED)

# Few large units: whatever includes pybind11 and the library costs some 8 seconds before its own first line. Not fewer: each
# stays under 1 GB, so that two of them fit into a small machine. What runs once, while the module starts, or is not felt is
# compiled for its size. These are libraries because libraries are linked after objects, in any version of CMake: of a
# function that stands in several parts the linker takes the first copy.
set(bankhook_unit_events compiled archive_parts construct contained_parts decimals python_types register_classes
  register_lines register_parse register_select)
set(bankhook_unit_archives register_batches register_rules register_tables register_tracker register_wire
  tracker_queries)
file(GLOB bankhook_bindings CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bindings/*.cpp")
set_property(SOURCE ${bankhook_bindings} PROPERTY UNITY_GROUP rest)
foreach(unit IN ITEMS events archives)
  list(TRANSFORM bankhook_unit_${unit} REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/bindings/\\1.cpp")
  set_property(SOURCE ${bankhook_unit_${unit}} PROPERTY UNITY_GROUP ${unit})
  list(REMOVE_ITEM bankhook_bindings ${bankhook_unit_${unit}})
endforeach()

# Signatures and docstrings are written in the stub, which lies beside the package's sources, and the module of a class or a
# function in what imports it: a table of them is made here.
set(bankhook_stub "${PROJECT_SOURCE_DIR}/python/bankhook/_core.pyi")
set(bankhook_docstrings "${CMAKE_CURRENT_BINARY_DIR}/bankhook_docstrings/docstrings.inc")
add_custom_command(
  OUTPUT "${bankhook_docstrings}"
  COMMAND "${Python_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/bindings/docstrings.py" "${bankhook_stub}" "${bankhook_docstrings}"
  DEPENDS "${PROJECT_SOURCE_DIR}/bindings/docstrings.py" "${bankhook_stub}"
    "${PROJECT_SOURCE_DIR}/python/bankhook/__init__.py" "${PROJECT_SOURCE_DIR}/python/bankhook/sandbox.py"
    "${PROJECT_SOURCE_DIR}/python/bankhook/inbox/__init__.py"
  VERBATIM)

pybind11_add_module(_core MODULE NO_EXTRAS ${bankhook_unit_events})
add_library(bankhook_archives STATIC ${bankhook_unit_archives})
add_library(bankhook_registration STATIC ${bankhook_bindings} "${bankhook_docstrings}")
target_include_directories(bankhook_registration PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/bankhook_docstrings")
target_link_libraries(_core PRIVATE "$<LINK_LIBRARY:WHOLE_ARCHIVE,bankhook_archives,bankhook_registration>")
if(NOT BANKHOOK_SANITIZE)  # there clang takes minutes to optimise
  target_compile_options(_core PRIVATE -O2)
  target_compile_options(bankhook_archives PRIVATE -O1)
  target_compile_options(bankhook_registration PRIVATE -Os)
  # Only the function that the interpreter looks for is seen from outside, and what is not reached from it is left out.
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(bankhook_exports "${CMAKE_CURRENT_BINARY_DIR}/bankhook_exports.map")
    file(CONFIGURE OUTPUT "${bankhook_exports}" CONTENT "{ global: PyInit__core; local: *; };\n")
    target_link_options(_core PRIVATE "LINKER:--gc-sections,--version-script=${bankhook_exports}")
  endif()
endif()
foreach(target IN ITEMS _core bankhook_archives bankhook_registration)
  target_link_libraries(${target} PRIVATE pybind11::module)
  target_link_libraries(${target} PRIVATE bankhook::bankhook)
  # In the unit of bindings/compiled.cpp; and of pybind11 only what needs no register of classes and threads.
  target_compile_definitions(${target} PRIVATE BANKHOOK_COMPILED PYBIND11_SIMPLE_GIL_MANAGEMENT)
  target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
  # GCC collects its garbage when its heap has doubled: 1.2 GB. Here it first does at half a gigabyte, and when a third more is
  # there: 0.9 GB, in less time.
  target_compile_options(${target} PRIVATE
    "$<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=30;--param=ggc-min-heapsize=450000>")
  set_target_properties(${target} PROPERTIES
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON
    UNITY_BUILD ON
    UNITY_BUILD_MODE GROUP)
endforeach()
install(TARGETS _core LIBRARY DESTINATION bankhook COMPONENT python)

# bankhook.testing.samples: the payloads of the tests, which have one place in the repository and travel in the wheel.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tests/data/" DESTINATION bankhook/_samples COMPONENT python
  FILES_MATCHING PATTERN "*.json" PATTERN "findings.tsv" PATTERN "archive.ndjson" PATTERN "snapshots" EXCLUDE)
