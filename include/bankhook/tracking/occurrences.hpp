// SPDX-License-Identifier: MIT
// Which rows of joint accounts stay: the n-th equal row of one account id is matched with the n-th of another.
#pragma once

#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace bankhook::inline BANKHOOK_ABI::tracking::detail {

template <class T>
inline constexpr bool is_tuple = false;
template <class... Parts>
inline constexpr bool is_tuple<std::tuple<Parts...>> = true;
template <class First, class Second>
inline constexpr bool is_tuple<std::pair<First, Second>> = true;

template <class T>
concept OptionalValue = requires(const T& value) {
  { value.has_value() } -> std::same_as<bool>;
  *value;
};

template <class T>
[[nodiscard]] constexpr std::weak_ordering compare_keys(const T& left, const T& right);

template <class T, std::size_t... I>
[[nodiscard]] constexpr std::weak_ordering compare_parts(const T& left, const T& right, std::index_sequence<I...>) {
  std::weak_ordering order = std::weak_ordering::equivalent;
  static_cast<void>((((order = compare_keys(std::get<I>(left), std::get<I>(right))) == 0) && ...));
  return order;
}

template <class T>
[[nodiscard]] constexpr std::weak_ordering compare_items(const T& left, const T& right) {
  for (std::size_t i = 0; i < left.size() && i < right.size(); ++i) {
    if (const auto order = compare_keys(left[i], right[i]); order != 0) return order;
  }
  return left.size() <=> right.size();
}

template <class T>
[[nodiscard]] constexpr std::weak_ordering compare_members(const T& left, const T& right) {
  std::weak_ordering order = std::weak_ordering::equivalent;
  reflect::for_each_field<T>([&]<std::size_t I>() {
    order = compare_keys(reflect::field<I>(left), reflect::field<I>(right));
    return order == 0;
  });
  return order;
}

/// Compares tuples part by part, an empty optional before any value, the values of this library by their fields, all else
/// by `<=>`.
template <class T>
constexpr std::weak_ordering compare_keys(const T& left, const T& right) {
  if constexpr (is_tuple<T>) {
    return compare_parts(left, right, std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (OptionalValue<T>) {
    if (!left.has_value() || !right.has_value()) return left.has_value() <=> right.has_value();
    return compare_keys(*left, *right);
  } else if constexpr (reflect::OpenEnumeration<T>) return left.text() <=> right.text();
  else if constexpr (reflect::Array<T>) return compare_items(left, right);
  else if constexpr (std::floating_point<T>) return std::weak_order(left, right);  // one place for each NaN
  else if constexpr (std::three_way_comparable<T, std::weak_ordering>) return left <=> right;
  else {
    static_assert(reflect::Structure<T>, "the_key_of_a_row_has_no_order");
    return compare_members(left, right);
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::tracking::detail

namespace bankhook::inline BANKHOOK_ABI::tracking {

/// Ordered, not hashed: whatever keys and ids are chosen, a search takes logarithmic time.
template <class Key>
class Occurrences {
 public:
  /// Whether the next row of `account`, one of those that share `hash`, is the first of its occurrence among them all.
  /// The texts are kept as views.
  [[nodiscard]] bool adds(std::string_view hash, std::string_view account, Key key) {
    Rows& rows = rows_[{hash, std::move(key)}];
    const std::size_t occurrence = ++rows.seen[account];
    if (occurrence <= rows.kept) return false;
    rows.kept = occurrence;
    return true;
  }

 private:
  struct Rows {
    std::map<std::string_view, std::size_t> seen;  ///< how many of each account
    std::size_t kept = 0;
  };
  struct Less {
    template <class T>
    bool operator()(const T& left, const T& right) const {
      return detail::compare_keys(left, right) < 0;
    }
  };
  std::map<std::pair<std::string_view, Key>, Rows, Less> rows_;
};

}  // namespace bankhook::inline BANKHOOK_ABI::tracking
