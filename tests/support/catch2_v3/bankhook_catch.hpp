// SPDX-License-Identifier: MIT
// Catch2 3 under the names that the tests use.
#pragma once

#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/catch_tostring.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_all.hpp>

#include <string>

namespace bankhook::test {

/// Matches a text that has `part` somewhere: `CHECK_THAT(text, contains_text("part"))`.
[[nodiscard]] inline auto contains_text(const std::string& part) { return Catch::Matchers::ContainsSubstring(part); }

}  // namespace bankhook::test
