// SPDX-License-Identifier: MIT
// The helpers of the tests themselves: a missing file is an error, not an empty payload.
#include <bankhook_catch.hpp>

#include <support/files.hpp>

#include <filesystem>

namespace support_files_test {

TEST_CASE("a payload that is not there fails its test") {
  CHECK_THROWS(bankhook::test::read_file(bankhook::test::data() / "no such file"));
}

TEST_CASE("the shared payloads lie where the tests look for them") {
  CHECK(std::filesystem::is_directory(bankhook::test::data()));
}

}  // namespace support_files_test
