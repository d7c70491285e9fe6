// SPDX-License-Identifier: MIT
// Which pairs of an account and a key of the caller's have been seen.
#pragma once

#include <bankhook/reflect/equality.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace bankhook::follow::detail {

template <class T>
inline constexpr bool is_tuple = false;
template <class... Parts>
inline constexpr bool is_tuple<std::tuple<Parts...>> = true;
template <class First, class Second>
inline constexpr bool is_tuple<std::pair<First, Second>> = true;

/// Of tuples part by part, of the kit's values by their members, of all else as the standard library does.
template <class T>
[[nodiscard]] std::size_t hash_of_key(const T& key) {
  if constexpr (is_tuple<T>) {
    return std::apply(
        [](const auto&... parts) {
          std::size_t seed = sizeof...(parts);
          ((seed = reflect::detail::combine(seed, hash_of_key(parts))), ...);
          return seed;
        },
        key);
  } else if constexpr (requires {
                         { std::hash<T>()(key) } -> std::convertible_to<std::size_t>;
                       }) {
    return std::hash<T>()(key);
  } else return reflect::hash(key);
}

}  // namespace bankhook::follow::detail

namespace bankhook::follow {

template <class Key>
class Distinct {
 public:
  /// True for a pair that was not seen before.
  bool insert(std::string_view account, Key key) { return seen_.insert({std::string(account), std::move(key)}).second; }

 private:
  struct Pair {
    std::string account;
    Key key;
    bool operator==(const Pair& other) const { return key == other.key && account == other.account; }
  };
  struct Hash {
    std::size_t operator()(const Pair& pair) const {
      return reflect::detail::combine(detail::hash_of_key(pair.key), std::hash<std::string>()(pair.account));
    }
  };
  std::unordered_set<Pair, Hash> seen_;
};

}  // namespace bankhook::follow
