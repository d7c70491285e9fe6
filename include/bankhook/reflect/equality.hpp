// SPDX-License-Identifier: MIT
// Equality and hashing by value, derived from the members: what a view points to counts, not where it points.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/members.hpp>
#include <bankhook/reflect/open_enum.hpp>
#include <bankhook/reflect/type_tag.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace bankhook {

/// Two values of one of the library's aggregates are equal if all their fields are. A struct of your own is compared in the
/// same way if its namespace says `using bankhook::operator==;`.
template <reflect::Aggregate T>
  requires(reflect::member_count<T> > 0)
[[nodiscard]] constexpr bool operator==(const T& left, const T& right);

}  // namespace bankhook

namespace bankhook::reflect {

/// Whether two values are equal, deeply; also for structs, arrays and optional values that have no `==` of their own.
template <class T>
constexpr bool equal(const T& left, const T& right);

/// Equal values have equal hashes, in one process.
template <class T>
std::size_t hash(const T& value);

}  // namespace bankhook::reflect

namespace bankhook::reflect::detail {

inline std::size_t combine(std::size_t seed, std::size_t next) {
  return seed ^ (next + 0x9E3779B97F4A7C15 + (seed << 6) + (seed >> 2));
}

inline std::size_t hash_date(std::chrono::year_month_day date) {
  return std::hash<std::int64_t>()(std::chrono::sys_days(date).time_since_epoch().count());
}

template <class T>
std::size_t hash_all(std::span<const T> values) {
  std::size_t seed = values.size();
  for (const T& value : values) seed = combine(seed, hash(value));
  return seed;
}

template <class T>
std::size_t hash_members(const T& value) {
  std::size_t seed = member_count<T>;
  for_each_member<T>([&]<std::size_t I>() {
    seed = combine(seed, hash(member<I>(value)));
    return true;
  });
  return seed;
}

template <class T>
inline constexpr bool is_span = false;
template <class T>
inline constexpr bool is_span<std::span<const T>> = true;

}  // namespace bankhook::reflect::detail

namespace bankhook::reflect {

template <class T>
constexpr bool equal(const T& left, const T& right) {
  if constexpr (is_nullable<T> || is_maybe_absent<T>) {
    return left.has_value() == right.has_value() && (!left || equal(*left, *right));
  } else if constexpr (detail::is_span<T>) {
    return std::ranges::equal(left, right, [](const auto& l, const auto& r) { return equal(l, r); });
  } else if constexpr (Aggregate<T> && !is_type_tag<T>) {
    return for_each_member<T>([&]<std::size_t I>() { return equal(member<I>(left), member<I>(right)); });
  } else {
    return left == right;
  }
}

template <class T>
std::size_t hash(const T& value) {
  if constexpr (is_nullable<T> || is_maybe_absent<T>) return value ? detail::combine(1, hash(*value)) : 0;
  else if constexpr (is_open_enum<T>) return std::hash<std::string_view>()(value.text());
  else if constexpr (is_type_tag<T>) return 0;
  else if constexpr (std::is_same_v<T, std::chrono::year_month_day>) return detail::hash_date(value);
  else if constexpr (detail::is_span<T>) return detail::hash_all(value);
  else if constexpr (Aggregate<T>) return detail::hash_members(value);
  else return std::hash<T>()(value);
}

}  // namespace bankhook::reflect

namespace bankhook {

template <reflect::Aggregate T>
  requires(reflect::member_count<T> > 0)
constexpr bool operator==(const T& left, const T& right) {
  return reflect::equal(left, right);
}

/// Equal values have equal hashes, in one process. For containers, and for std::hash of a struct of your own:
/// `template <> struct std::hash<shop::Item> : bankhook::Hash<shop::Item> {};`
template <reflect::Aggregate T>
struct Hash {
  [[nodiscard]] std::size_t operator()(const T& value) const { return reflect::hash(value); }
};

}  // namespace bankhook

/// For the structs of the specification's tables, and for unknown events.
template <bankhook::reflect::Aggregate T>
  requires requires { T::section; }
struct std::hash<T> : bankhook::Hash<T> {};
