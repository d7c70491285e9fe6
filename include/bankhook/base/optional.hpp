// SPDX-License-Identifier: MIT
// "T or null" and "may be missing": two types with the interface of std::optional, never mixed up.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <compare>
#include <optional>
#include <type_traits>
#include <utility>

namespace bankhook::detail {

/// The common interface. `Self` keeps the two meanings apart: they neither convert nor compare to each other.
template <class Self, class T>
class OptionalBase {
 public:
  using value_type = T;

  constexpr OptionalBase() = default;
  constexpr OptionalBase(std::nullopt_t) {}  // NOLINT(google-explicit-constructor)
  template <class U = T>
    requires(std::is_convertible_v<U, T> && !std::is_base_of_v<OptionalBase, std::remove_cvref_t<U>>)
  constexpr OptionalBase(U&& value) : held_(std::forward<U>(value)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] constexpr bool has_value() const { return held_.has_value(); }
  constexpr explicit operator bool() const { return held_.has_value(); }
  [[nodiscard]] constexpr const T& operator*() const { return *held_; }
  [[nodiscard]] constexpr T& operator*() { return *held_; }
  [[nodiscard]] constexpr const T* operator->() const { return &*held_; }
  [[nodiscard]] constexpr T* operator->() { return &*held_; }
  /// Throws std::bad_optional_access where there is none, as std::optional does; the library itself never calls it.
  [[nodiscard]] constexpr const T& value() const { return held_.value(); }
  [[nodiscard]] constexpr T& value() { return held_.value(); }
  template <class U>
  [[nodiscard]] constexpr T value_or(U&& other) const {
    return held_.value_or(std::forward<U>(other));
  }

  template <class... Arguments>
  constexpr T& emplace(Arguments&&... arguments) {
    return held_.emplace(std::forward<Arguments>(arguments)...);
  }
  constexpr void reset() { held_.reset(); }

  template <class F>
  constexpr auto and_then(F&& f) const {
    return held_.and_then(std::forward<F>(f));
  }
  template <class F>
  constexpr auto transform(F&& f) const {
    return held_.transform(std::forward<F>(f));
  }
  template <class F>
  constexpr Self or_else(F&& f) const {
    return has_value() ? static_cast<const Self&>(*this) : Self(std::forward<F>(f)());
  }

  friend constexpr bool operator==(const Self& left, const Self& right) { return left.held_ == right.held_; }
  friend constexpr bool operator==(const Self& left, std::nullopt_t) { return !left.has_value(); }
  /// Only with what converts to T: that keeps the two meanings apart, and the question from asking itself.
  template <class U>
    requires(std::is_convertible_v<const U&, T> && !std::is_base_of_v<OptionalBase, U>)
  friend constexpr bool operator==(const Self& left, const U& right) {
    return left.has_value() && *left.held_ == right;
  }

 private:
  std::optional<T> held_;
};

}  // namespace bankhook::detail

namespace bankhook {

/// A value or JSON null; the member itself is required.
template <class T>
class nullable : public detail::OptionalBase<nullable<T>, T> {
 public:
  using detail::OptionalBase<nullable<T>, T>::OptionalBase;
};

/// A value, or no such member at all. `maybe_absent<nullable<T>>` is a member that may be missing or null.
template <class T>
class maybe_absent : public detail::OptionalBase<maybe_absent<T>, T> {
 public:
  using detail::OptionalBase<maybe_absent<T>, T>::OptionalBase;
};

template <class T>
inline constexpr bool is_nullable = false;
template <class T>
inline constexpr bool is_nullable<nullable<T>> = true;
template <class T>
inline constexpr bool is_maybe_absent = false;
template <class T>
inline constexpr bool is_maybe_absent<maybe_absent<T>> = true;

}  // namespace bankhook
