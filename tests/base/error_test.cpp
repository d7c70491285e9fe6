// SPDX-License-Identifier: MIT
// Errors: each code has its own sentence, and an error holds nothing of the payload.
#include <bankhook_catch.hpp>

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/error.hpp>

#include <cstddef>
#include <set>
#include <string_view>
#include <type_traits>

namespace base_error_test {

using bankhook::Errc;
using bankhook::Error;

namespace {

constexpr std::size_t codes = bankhook::enumerator_count<Errc>;

}  // namespace

TEST_CASE("every fault has a sentence of its own") {
  STATIC_REQUIRE(codes >= 30);
  std::set<std::string_view> sentences;
  for (std::size_t i = 0; i < codes; ++i) {
    const std::string_view sentence = to_string(static_cast<Errc>(i));
    CHECK_FALSE(sentence.empty());
    CHECK(sentence != "unknown error");
    CHECK(sentences.insert(sentence).second);
  }
}

TEST_CASE("a code that does not exist is named as such") {
  STATIC_REQUIRE(to_string(static_cast<Errc>(codes)) == "unknown error");
}

TEST_CASE("an error outlives its payload: it is trivially copyable and compares by value") {
  STATIC_REQUIRE(std::is_trivially_copyable_v<Error>);
  constexpr Error error{.code = Errc::missing_field, .offset = 7, .field = "id"};
  STATIC_REQUIRE(error == Error{.code = Errc::missing_field, .offset = 7, .field = "id"});
  STATIC_REQUIRE(error != Error{.code = Errc::missing_field, .offset = 8, .field = "id"});
}

TEST_CASE("an error as text says what is wrong, in which field if it names one, and at which byte") {
  CHECK(to_string(Error{.code = Errc::missing_field, .offset = 112, .field = "amount"}) ==
        "a required field is missing: amount at byte 112");
  CHECK(to_string(Error{.code = Errc::expected_string, .or_null = true, .offset = 7}) ==
        "expected string or null at byte 7");
  CHECK(to_string(Error{.code = Errc::truncated}) == "expected the rest of the value, found the end of the text at byte 0");
}

TEST_CASE("no error is the first code, so that an empty error is no error") {
  STATIC_REQUIRE(Error{}.code == Errc::none);
  STATIC_REQUIRE(static_cast<int>(Errc::none) == 0);
}

}  // namespace base_error_test
