// SPDX-License-Identifier: MIT
// Catch2 2.13 under the names that the tests use.
#pragma once

#include <catch2/catch.hpp>

#include <string>

namespace bankhook::test {

/// Matches a text that has `part` somewhere: `CHECK_THAT(text, contains_text("part"))`.
[[nodiscard]] inline auto contains_text(const std::string& part) { return Catch::Matchers::Contains(part); }

}  // namespace bankhook::test
