// SPDX-License-Identifier: MIT
// The version as text and as a number: one and the same.
#include <bankhook_catch.hpp>

#include <bankhook/base/version.hpp>

#include <string>

namespace base_version_test {

TEST_CASE("the number of the version is the version") {
  const std::string text = std::to_string(BANKHOOK_VERSION / 10'000) + "." + std::to_string(BANKHOOK_VERSION / 100 % 100) +
                           "." + std::to_string(BANKHOOK_VERSION % 100);
  CHECK(text == bankhook::library_version);
}

}  // namespace base_version_test
