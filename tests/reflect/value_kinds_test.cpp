// SPDX-License-Identifier: MIT
// The kinds of values: each type is of one kind, and a walk meets each part once.
#include <bankhook_catch.hpp>

#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace reflect_value_kinds_test {

namespace reflect = bankhook::detail::reflect;
using bankhook::Account;
using bankhook::maybe_absent;
using bankhook::nullable;

namespace {

template <class T>
constexpr int kinds = reflect::Text<T> + reflect::OpenEnumeration<T> + reflect::Tag<T> + reflect::OptionalValue<T> +
                      reflect::Array<T> + reflect::Structure<T> + reflect::Alternatives<T> + reflect::Scalar<T>;

template <class... T>
constexpr bool each_has_one_kind = ((kinds<T> == 1) && ...);

template <class T>
void add_texts(const T& value, std::vector<std::string_view>& texts) {
  if constexpr (reflect::Text<T>) texts.push_back(value);
  else if constexpr (reflect::HasParts<T>) {
    reflect::for_each_part(value, [&](const auto& part) { return add_texts(part, texts), true; });
  }
}

}  // namespace

TEST_CASE("a value is of one kind") {
  STATIC_REQUIRE(each_has_one_kind<std::string_view, bankhook::OpenEnum<bankhook::TransactionStatus>,
                                   bankhook::TypeTag<Account>, nullable<int>, maybe_absent<int>, std::span<const int>,
                                   Account, bankhook::AnyEvent, int, bool, bankhook::Decimal, bankhook::Timestamp,
                                   bankhook::LocalTimestamp, std::chrono::year_month_day, bankhook::TransactionStatus>);
  STATIC_REQUIRE(reflect::Scalar<bankhook::Decimal>);
  STATIC_REQUIRE(reflect::Tag<bankhook::TypeTag<Account>>);
}

TEST_CASE("a walk meets the parts of a value at any depth, in their order") {
  const std::array<Account, 2> accounts{Account{"a", "hash"}, Account{"b"}};
  const bankhook::Connection connection{.id = "c", .bank = "bank", .accounts = accounts};
  std::vector<std::string_view> texts;
  add_texts(connection, texts);
  CHECK(texts == std::vector<std::string_view>{"c", "bank", "a", "hash", "b"});
  texts.clear();
  add_texts(bankhook::AnyEvent(bankhook::UnknownEvent{"name", "raw"}), texts);
  CHECK(texts == std::vector<std::string_view>{"name", "raw"});
}

TEST_CASE("a walk stops on request, and may change what it meets") {
  Account account{"id", "hash"};
  int met = 0;
  CHECK_FALSE(reflect::for_each_part(account, [&](auto&) { return ++met < 1; }));
  CHECK(met == 1);
  nullable<std::string_view> text = "text";
  CHECK(reflect::for_each_part(text, [](auto& part) { return part = "other", true; }));
  CHECK(text == "other");
}

TEST_CASE("the number of parts is that of a walk") {
  const std::array<int, 3> numbers{1, 2, 3};
  CHECK(reflect::part_count(std::span<const int>(numbers)) == 3);
  CHECK(reflect::part_count(nullable<int>()) == 0);
  CHECK(reflect::part_count(nullable<int>(1)) == 1);
  CHECK(reflect::part_count(Account()) == 2);
}

TEST_CASE("what a field contains is found after optionals and arrays") {
  STATIC_REQUIRE(std::is_same_v<reflect::InnermostType<maybe_absent<nullable<std::span<const Account>>>>, Account>);
  STATIC_REQUIRE(std::is_same_v<reflect::InnermostType<std::string_view>, std::string_view>);
}

}  // namespace reflect_value_kinds_test
