// SPDX-License-Identifier: MIT
// Equality and hashing by value, derived from the fields: what a view points to counts, not where it points.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <type_traits>
#include <variant>

namespace bankhook { inline namespace BANKHOOK_ABI {

namespace detail { namespace reflect {

template <class T>
inline constexpr bool is_hashable = std::is_default_constructible_v<std::hash<T>>;
template <>
inline constexpr bool is_hashable<std::chrono::year_month_day> = true;
template <class T>
  requires(OptionalValue<T> || Array<T>)
inline constexpr bool is_hashable<T> = is_hashable<InnermostType<T>>;
template <class... T>
inline constexpr bool is_hashable<std::variant<T...>> = (is_hashable<T> && ...);
template <Structure T>
inline constexpr bool is_hashable<T> = for_each_field<T>([]<std::size_t At>() { return is_hashable<FieldType<T, At>>; });

/// What `hash` takes: values whose parts have a std::hash, all of them.
template <class T>
concept Hashable = is_hashable<T>;

/// Whether two values are equal, deeply; also for structs, arrays and optional values that have no `==` of their own.
template <class T>
constexpr bool equal(const T& left, const T& right) {
  if constexpr (OptionalValue<T>) {
    return left.has_value() == right.has_value() && (!left || equal(*left, *right));
  } else if constexpr (Array<T>) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), equal<typename T::value_type>);
  } else if constexpr (Structure<T>) {
    return for_each_field<T>([&]<std::size_t At>() { return equal(field<At>(left), field<At>(right)); });
  } else if constexpr (Text<T>) {  // of one payload, mostly the same bytes; constants have no addresses to compare
    return left.size() == right.size() && ((!std::is_constant_evaluated() && left.data() == right.data()) || left == right);
  } else {
    return left == right;
  }
}

/// Equal values have equal hashes, in one process.
template <class T>
std::size_t hash(const T& value) {
  if constexpr (HasParts<T>) {
    std::size_t seed = part_count(value);
    for_each_part(value, [&](const auto& part) {
      seed ^= hash(part) + 0x9E3779B97F4A7C15 + (seed << 6) + (seed >> 2);
      return true;
    });
    return seed;
  } else if constexpr (std::is_same_v<T, std::chrono::year_month_day>) {
    return std::hash<std::chrono::days::rep>()(std::chrono::sys_days(value).time_since_epoch().count());
  } else {
    return std::hash<T>()(value);
  }
}

}}  // namespace detail::reflect

/// Two values of one of the library's aggregates are equal if all their fields are. A struct of your own is compared in the
/// same way if its namespace says `using bankhook::operator==;`.
template <detail::reflect::Aggregate T>
  requires(detail::reflect::field_count<T> > 0)
[[nodiscard]] constexpr bool operator==(const T& left, const T& right) {
  return detail::reflect::equal(left, right);
}

/// Equal values have equal hashes, in one process. For containers, and for std::hash of a struct of your own:
/// `template <> struct std::hash<shop::Item> : bankhook::Hash<shop::Item> {};`
template <class T>
struct Hash {
  [[nodiscard]] std::size_t operator()(const T& value) const { return detail::reflect::hash(value); }
};

}}  // namespace bankhook::BANKHOOK_ABI

/// For the structs of the library, by their fields: resources, events, errors, changes; and for its optional values. One
/// for any struct with some field would also take those of other people, who may have one of their own.
template <class T>
  requires(((bankhook::detail::reflect::Structure<T> && bankhook::detail::is_declared_in_bankhook<T>) ||
            bankhook::detail::reflect::OptionalValue<T>) &&
           bankhook::detail::reflect::Hashable<T>)
struct std::hash<T> : bankhook::Hash<T> {};
