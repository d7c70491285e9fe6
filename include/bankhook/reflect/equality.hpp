// SPDX-License-Identifier: MIT
// Equality and hashing by value, derived from the fields: what a view points to counts, not where it points.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/base/spelling.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <variant>

namespace bankhook::inline BANKHOOK_ABI {

/// Two values of one of the library's aggregates are equal if all their fields are. A struct of your own is compared in the
/// same way if its namespace says `using bankhook::operator==;`.
template <reflect::Aggregate T>
  requires(reflect::field_count<T> > 0)
[[nodiscard]] constexpr bool operator==(const T& left, const T& right);

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::reflect {

/// Whether two values are equal, deeply; also for structs, arrays and optional values that have no `==` of their own.
template <class T>
constexpr bool equal(const T& left, const T& right);

/// Equal values have equal hashes, in one process.
template <class T>
std::size_t hash(const T& value);

}  // namespace bankhook::inline BANKHOOK_ABI::reflect

namespace bankhook::inline BANKHOOK_ABI::reflect::detail {

inline std::size_t combine(std::size_t seed, std::size_t next) {
  return seed ^ (next + 0x9E3779B97F4A7C15 + (seed << 6) + (seed >> 2));
}

inline std::size_t hash_date(std::chrono::year_month_day date) {
  return std::hash<std::int64_t>()(std::chrono::sys_days(date).time_since_epoch().count());
}

template <class T>
consteval bool is_hashable();

template <class Variant>
inline constexpr bool all_hashable = false;
template <class... T>
inline constexpr bool all_hashable<std::variant<T...>> = (is_hashable<T>() && ...);

template <class T>
consteval bool is_hashable() {
  if constexpr (OptionalValue<T> || Array<T>) return is_hashable<InnermostType<T>>();
  else if constexpr (Alternatives<T>) return all_hashable<T>;
  else if constexpr (std::is_same_v<T, std::chrono::year_month_day>) return true;
  else if constexpr (Structure<T>) {
    return for_each_field<T>([]<std::size_t I>() { return is_hashable<FieldType<T, I>>(); });
  } else return std::is_default_constructible_v<std::hash<T>>;
}

}  // namespace bankhook::inline BANKHOOK_ABI::reflect::detail

namespace bankhook::inline BANKHOOK_ABI::reflect {

/// What `hash` takes: values whose parts have a std::hash, all of them.
template <class T>
concept Hashable = detail::is_hashable<T>();

template <class T>
constexpr bool equal(const T& left, const T& right) {
  if constexpr (OptionalValue<T>) {
    return left.has_value() == right.has_value() && (!left || equal(*left, *right));
  } else if constexpr (Array<T>) {
    if (left.size() != right.size()) return false;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!equal(left[i], right[i])) return false;
    }
    return true;
  } else if constexpr (Structure<T>) {
    return for_each_field<T>([&]<std::size_t I>() { return equal(field<I>(left), field<I>(right)); });
  } else {
    return left == right;
  }
}

template <class T>
std::size_t hash(const T& value) {
  if constexpr (HasParts<T>) {
    std::size_t seed = part_count(value);
    for_each_part(value, [&](const auto& part) {
      seed = detail::combine(seed, hash(part));
      return true;
    });
    return seed;
  } else if constexpr (std::is_same_v<T, std::chrono::year_month_day>) return detail::hash_date(value);
  else return std::hash<T>()(value);
}

}  // namespace bankhook::inline BANKHOOK_ABI::reflect

namespace bankhook::inline BANKHOOK_ABI {

template <reflect::Aggregate T>
  requires(reflect::field_count<T> > 0)
constexpr bool operator==(const T& left, const T& right) {
  return reflect::equal(left, right);
}

/// Equal values have equal hashes, in one process. For containers, and for std::hash of a struct of your own:
/// `template <> struct std::hash<shop::Item> : bankhook::Hash<shop::Item> {};`
template <reflect::Aggregate T>
struct Hash {
  [[nodiscard]] std::size_t operator()(const T& value) const { return reflect::hash(value); }
};

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::detail {

/// A struct of the library itself. A specialisation of std::hash for any struct with some field would also take those of
/// other people, who may have one of their own.
template <class T>
concept OwnStruct = reflect::Structure<T> && is_declared_in_bankhook<T>;

}  // namespace bankhook::inline BANKHOOK_ABI::detail

/// For the structs of the library, by their fields: resources, events, errors, changes.
template <bankhook::detail::OwnStruct T>
  requires bankhook::reflect::Hashable<T>
struct std::hash<T> : bankhook::Hash<T> {};

template <bankhook::reflect::Hashable T>
struct std::hash<bankhook::nullable<T>> {
  [[nodiscard]] std::size_t operator()(const bankhook::nullable<T>& value) const { return bankhook::reflect::hash(value); }
};
template <bankhook::reflect::Hashable T>
struct std::hash<bankhook::maybe_absent<T>> {
  [[nodiscard]] std::size_t operator()(const bankhook::maybe_absent<T>& value) const {
    return bankhook::reflect::hash(value);
  }
};
