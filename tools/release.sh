# SPDX-License-Identifier: MIT
# What a version consists of: sdist and wheel, the library as one header and as one that reads and writes only, a bill of
# materials, checksums.
# Read by ./dev, whose working directory is the repository.

# release FOLDER
release() {
  local to=$1
  mkdir -p "$to"
  to=$(cd "$to" && pwd)
  (command_wheel)
  cp build/wheels/* "$to"
  python3 tools/amalgamate.py bankhook.hpp >"$to/bankhook.hpp"
  python3 tools/amalgamate.py parse.hpp serialize.hpp >"$to/bankhook_parse.hpp"
  write_bill "$to/bankhook.cdx.json"
  test_one_header "$to/bankhook.hpp"
  (cd "$to" && rm -f SHA256SUMS && sha256sum -- * >SHA256SUMS && cat SHA256SUMS)
}

# write_bill FILE: what an installation with the extras of a service consists of, as CycloneDX has it (SBOM).
write_bill() {
  empty_environment build/bill "$(echo build/wheels/*.whl)[arrow,cattrs,fastapi,postgresql,pydantic,receiver,send,zstd]"
  build/bill/bin/python -m pip uninstall --quiet --yes setuptools pip
  build/wheel/tools/bin/cyclonedx-py environment --output-reproducible --of JSON --output-file "$1" build/bill/bin/python
}

# test_one_header FILE: the C++ tests of the sdist, in which each header that the file has is replaced by the file.
test_one_header() {
  local tree=build/release header
  rm -rf $tree
  mkdir -p $tree
  tar -xzf build/wheels/*.tar.gz -C $tree --strip-components 1
  cp "$1" $tree/include/bankhook_in_one.hpp
  for header in $(g++ -std=c++23 -MM -Iinclude include/bankhook/bankhook.hpp | grep -o 'include/bankhook/[^ ]*'); do
    printf '#include <bankhook_in_one.hpp>\n// %s\n' "$(grep 'version = ' "$header")" >"$tree/$header"  # CMake reads it
  done
  say_step "compiling the C++ tests with one header, some minutes"
  quietly build/release-configure.log cmake -S $tree -B $tree/build -G Ninja -DBANKHOOK_BUILD_TESTS=ON -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_CXX_FLAGS_DEBUG=-Og
  quietly build/release-build.log cmake --build $tree/build --target bankhook_tests -j "$jobs"
  $tree/build/tests/bankhook_tests
}
