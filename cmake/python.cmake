# SPDX-License-Identifier: MIT
# The extension module bankhook._core; scikit-build-core calls this while it makes the wheel.
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 3 CONFIG REQUIRED)

file(GLOB bankhook_bindings CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bindings/*.cpp")
pybind11_add_module(_core MODULE NO_EXTRAS ${bankhook_bindings})
target_link_libraries(_core PRIVATE bankhook::bankhook)
target_compile_options(_core PRIVATE -O3)
set_target_properties(_core PROPERTIES
  CXX_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON)
install(TARGETS _core LIBRARY DESTINATION bankhook COMPONENT python)

# bankhook.samples: the payloads of the tests, which have one place in the repository and travel in the wheel.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tests/data/" DESTINATION bankhook/_samples COMPONENT python
  FILES_MATCHING PATTERN "*.json" PATTERN "findings.tsv" PATTERN "archive.ndjson")
